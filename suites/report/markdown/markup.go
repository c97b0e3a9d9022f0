package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/plantstore/conformance/suites/internal/words"
)

// inlineWidth is how long a text within a line of Markdown may be, in
// characters.
const inlineWidth = 160

// Markdown has many ways to be misread, and GitHub adds mentions, references to
// issues and links of its own. None of them is looked for in code, so prose is
// what surely has nothing of the kind, and everything else is code.
var (
	harmlessProse = regexp.MustCompile(`^[\pL\pN ,.;:'"()/%=?§·…-]*$`)
	markedProse   = regexp.MustCompile(`(?i)^[-=:]|^\d+[.)]|://|www\.|:[\w-]+:|\bgh-\d`)
)

// prose is a text within a line of Markdown.
func prose(text string) string {
	text = words.Cut(text, inlineWidth)
	if harmlessProse.MatchString(text) && !markedProse.MatchString(text) {
		return text
	}
	return code(text)
}

// code is a text within a line of Markdown, a cell of a table too, in which
// nothing means anything.
func code(text string) string {
	text = words.Cut(text, inlineWidth)
	if text == "" || strings.ContainsAny(text, "`|\\") || strings.TrimSpace(text) != text {
		return htmlCode(text) // a span of code could not hold it everywhere
	}
	return "`" + text + "`"
}

// htmlCode is the same in HTML.
func htmlCode(text string) string {
	var b strings.Builder
	for _, c := range words.Cut(text, inlineWidth) {
		if c < 0x80 && strings.ContainsRune("!\"#$%&'()*+.:;<=>?@[\\]^_`{|}~", c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return "<code>" + b.String() + "</code>"
}

var backticks = regexp.MustCompile("`+")

// fenced is a block of code, whose fence is longer than any in the text.
func fenced(language, text string) string {
	fence := "```"
	for _, run := range backticks.FindAllString(text, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}
