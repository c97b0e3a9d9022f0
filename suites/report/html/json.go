package html

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

// Limits of how JSON is shown.
const (
	inlineJSON   = 80  // bytes, up to which a body stays on its line
	foldedLines  = 14  // of which nothing is left out
	nearLines    = 3   // shown before and after a marked one
	markedLines  = 40  // that are shown at most
	literalBytes = 160 // of one key or value
)

type jsonLine struct {
	depth  int
	tokens []jsonToken
	marked bool
}

// jsonToken is a piece of the body, from a byte up to another, and what is set
// after it.
type jsonToken struct {
	stretch
	after string
}

// formatted shows a body formatted, one member a line, with the places marked;
// of a long one the lines about the places, and what they are in. It is nil
// for what is no JSON, or short enough to be read as it is.
func formatted(body string, places []stretch) []fragment {
	if len(body) <= inlineJSON || !json.Valid([]byte(body)) || len(words.Pieces(body)) > 1 {
		return nil
	}
	lines := jsonLines(body)
	for i := range lines {
		lines[i].marked = overlaps(lines[i].tokens, places)
	}
	var parts []fragment
	left := 0
	shown := linesToShow(lines)
	for i, line := range lines {
		if !shown[i] {
			left++
			continue
		}
		if i > 0 {
			parts = append(parts, fragment{Text: "\n"})
		}
		if left > 0 {
			parts = append(parts, fragment{Text: fmt.Sprintf("… %s …", judge.Number(left, "line")), Gap: true}, fragment{Text: "\n"})
			left = 0
		}
		parts = append(parts, fragment{Text: strings.Repeat("  ", line.depth)})
		for _, token := range line.tokens {
			parts = append(parts, jsonParts(body, token.stretch, places)...)
			parts = append(parts, fragment{Text: token.after})
		}
	}
	return joined(parts)
}

// jsonLines breaks valid JSON into lines. White space between tokens is left
// out, and nothing else.
func jsonLines(body string) []jsonLine {
	var lines []jsonLine
	line := jsonLine{}
	flush := func(depth int) {
		lines = append(lines, line)
		line = jsonLine{depth: depth}
	}
	depth := 0
	for i := 0; i < len(body); {
		end := i + 1
		switch c := body[i]; c {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			next := end + len(body[end:]) - len(strings.TrimLeft(body[end:], " \t\r\n"))
			if c := body[next]; c == '}' || c == ']' {
				line.tokens = append(line.tokens, jsonToken{stretch: stretch{i, end}}, jsonToken{stretch: stretch{next, next + 1}})
				end = next + 1
				break
			}
			line.tokens = append(line.tokens, jsonToken{stretch: stretch{i, end}})
			depth++
			flush(depth)
		case '}', ']':
			depth--
			flush(depth)
			line.tokens = append(line.tokens, jsonToken{stretch: stretch{i, end}})
		case ',':
			line.tokens = append(line.tokens, jsonToken{stretch: stretch{i, end}})
			flush(depth)
		case ':':
			line.tokens = append(line.tokens, jsonToken{stretch{i, end}, " "})
		default:
			end = i + len(literal.FindString(body[i:]))
			line.tokens = append(line.tokens, jsonToken{stretch: stretch{i, end}})
		}
		i = end
	}
	return append(lines, line)
}

// literal is the string, number or word that valid JSON begins with.
var literal = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|[^ \t\r\n,:\]}]+)`)

func overlaps(tokens []jsonToken, places []stretch) bool {
	return slices.ContainsFunc(tokens, func(t jsonToken) bool {
		return slices.ContainsFunc(places, func(p stretch) bool { return p.from < t.to && t.from < p.to })
	})
}

// linesToShow are all of a few. Of many, those about the marked ones, the lines
// that open what these are in, and the ends; without a mark the beginning.
func linesToShow(lines []jsonLine) []bool {
	shown := make([]bool, len(lines))
	show := func(from, to int) {
		for i := max(from, 0); i < min(to, len(lines)); i++ {
			shown[i] = true
		}
	}
	if len(lines) <= foldedLines {
		show(0, len(lines))
		return shown
	}
	show(0, 1)
	show(len(lines)-1, len(lines))
	marked := 0
	for i, line := range lines {
		if !line.marked || marked == markedLines {
			continue
		}
		marked++
		show(i-nearLines, i+nearLines+1)
		for up, depth := i, line.depth; up >= 0 && depth > 0; up-- {
			if lines[up].depth < depth {
				depth = lines[up].depth
				show(up, up+1)
			}
		}
	}
	if marked == 0 {
		show(0, foldedLines-2)
	}
	return shown
}

// jsonParts is a token with its marks. The middle of a long one is left out.
func jsonParts(body string, token stretch, places []stretch) []fragment {
	marked := overlaps([]jsonToken{{stretch: token}}, places)
	if token.to-token.from <= literalBytes {
		return text(body[token.from:token.to], marked)
	}
	cutAt := startOfRune(body, token.from+literalBytes)
	parts := text(body[token.from:cutAt], marked)
	return append(parts, leftOut(token.to-cutAt))
}

// joined puts neighbours of one kind together, and leaves out what is empty.
func joined(parts []fragment) []fragment {
	var out []fragment
	for _, p := range parts {
		n := len(out)
		switch {
		case p.Text == "":
		case n > 0 && out[n-1].Marked == p.Marked && out[n-1].Gap == p.Gap && !p.Gap:
			out[n-1].Text += p.Text
		default:
			out = append(out, p)
		}
	}
	return out
}
