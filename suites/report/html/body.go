package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

// stretch is a part of a body, from a byte up to another, which is not included.
type stretch struct{ from, to int }

// placesIn returns the places in a body that findings are about, in order and without overlaps.
// If a finding quotes the text at its place, the place is as long as the quote. Otherwise it is
// one character.
func placesIn(body string, findings []judge.Finding) []stretch {
	var all []stretch
	for _, f := range findings {
		if f.Offset < 0 || f.Offset > int64(len(body)) {
			continue
		}
		from := int(f.Offset)
		_, size := utf8.DecodeRuneInString(body[from:])
		if f.Actual != body && strings.HasPrefix(body[from:], f.Actual) {
			size = max(size, len(f.Actual))
		}
		all = append(all, stretch{from, from + size})
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var apart []stretch
	for _, p := range all {
		if n := len(apart); n > 0 && p.from < apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, p.to)
			continue
		}
		apart = append(apart, p)
	}
	return slices.Compact(apart)
}

// excerpt returns a body with the places marked. It formats JSON. Of any other body it returns
// at most the given number of bytes, around the first place.
func excerpt(body string, places []stretch, most int) []fragment {
	if parts := formatted(body, places); parts != nil {
		return parts
	}
	from, to := 0, len(body)
	if to > most {
		if len(places) > 0 && places[0].from > most/2 {
			from = min(places[0].from-most/3, to-most)
		}
		to = from + most
	}
	from, to = startOfRune(body, from), startOfRune(body, to)
	var parts []fragment
	if from > 0 {
		parts = append(parts, leftOut(from))
	}
	at := from
	for _, p := range places {
		if p.from > to || p.from < at {
			break
		}
		end := min(p.to, to)
		parts = append(parts, text(body[at:p.from], false)...)
		parts = append(parts, text(body[p.from:end], true)...)
		at = end
	}
	parts = append(parts, text(body[at:to], false)...)
	if to < len(body) {
		parts = append(parts, leftOut(len(body)-to))
	}
	return slices.DeleteFunc(parts, func(p fragment) bool { return p.Text == "" && !p.Marked })
}

// text returns a part of a body as fragments. Long white space becomes its length.
func text(part string, marked bool) []fragment {
	if part == "" {
		return []fragment{{Marked: marked}}
	}
	return lists.Map(words.Pieces(part), func(p words.Piece) fragment {
		if !p.Blank {
			p.Text = terminal.VisibleText(p.Text)
		}
		return fragment{Text: p.Text, Marked: marked, Gap: p.Blank}
	})
}

func leftOut(bytes int) fragment {
	return fragment{Text: fmt.Sprintf("… %s more bytes …", words.Grouped(bytes)), Gap: true}
}

// startOfRune moves an offset to the start of its character. It does not change an offset in
// invalid UTF-8.
func startOfRune(text string, offset int) int {
	for i := offset; i > 0 && i > offset-utf8.UTFMax; i-- {
		if i == len(text) || utf8.RuneStart(text[i]) {
			return i
		}
	}
	return offset
}

// Limits of how JSON is shown.
const (
	inlineJSON   = 80  // bytes; a longer body is formatted
	foldedLines  = 14  // up to this number, all lines are shown
	nearLines    = 3   // shown before and after a marked line
	markedLines  = 40  // maximum of marked lines
	literalBytes = 160 // maximum of one key or value
)

type jsonLine struct {
	depth  int
	tokens []stretch
}

// formatted returns a JSON body with one member per line and the places marked. Of a long body,
// it returns only the lines around the places, and the lines that open the objects and arrays
// around them. It returns nil if the body is short, is not JSON, or contains long white space.
func formatted(body string, places []stretch) []fragment {
	if len(body) <= inlineJSON || !json.Valid([]byte(body)) || len(words.Pieces(body)) > 1 {
		return nil
	}
	lines := jsonLines(body)
	var parts []fragment
	left := 0
	shown := linesToShow(lines, places)
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
			parts = append(parts, jsonParts(body, token, places)...)
			if body[token.from] == ':' {
				parts = append(parts, fragment{Text: " "})
			}
		}
	}
	return joined(parts)
}

// jsonLines splits valid JSON into lines. It drops only the white space between tokens.
func jsonLines(body string) []jsonLine {
	lines := []jsonLine{{}}
	depth := 0
	all := tokens.FindAllStringIndex(body, -1)
	is := func(i int, signs string) bool { return strings.IndexByte(signs, body[all[i][0]]) >= 0 }
	for i, at := range all {
		if is(i, "}]") && !is(i-1, "{[") {
			depth--
			lines = append(lines, jsonLine{depth: depth})
		}
		line := &lines[len(lines)-1]
		line.tokens = append(line.tokens, stretch{at[0], at[1]})
		opens := is(i, "{[") && !is(i+1, "}]")
		if opens {
			depth++
		}
		if opens || is(i, ",") {
			lines = append(lines, jsonLine{depth: depth})
		}
	}
	return lines
}

// tokens matches the tokens of valid JSON: strings, punctuation, and numbers or words.
var tokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^ \t\r\n"{}\[\],:]+`)

func overlaps(tokens, places []stretch) bool {
	return slices.ContainsFunc(tokens, func(t stretch) bool {
		return slices.ContainsFunc(places, func(p stretch) bool { return p.from < t.to && t.from < p.to })
	})
}

// linesToShow selects all lines if they are few. Otherwise it selects the first and the last
// line, the lines around the marked ones, and the lines that open the objects and arrays around
// them. If no line is marked, it selects the beginning.
func linesToShow(lines []jsonLine, places []stretch) []bool {
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
		if marked == markedLines || !overlaps(line.tokens, places) {
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

// jsonParts returns a token with its marks. The end of a long token is left out.
func jsonParts(body string, token stretch, places []stretch) []fragment {
	marked := overlaps([]stretch{token}, places)
	if token.to-token.from <= literalBytes {
		return text(body[token.from:token.to], marked)
	}
	cutAt := startOfRune(body, token.from+literalBytes)
	parts := text(body[token.from:cutAt], marked)
	return append(parts, leftOut(token.to-cutAt))
}

// joined merges neighbors of the same kind, and drops empty fragments.
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
