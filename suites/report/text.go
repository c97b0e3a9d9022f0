package report

import (
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
)

// Visible makes a text that came from a target harmless to look at, on a
// screen and in the log of a CI system: what does not show as a character of
// its own becomes an escape, as in \n, \x1b or \u202e.
func Visible[T ~string](text T) string { return terminal.Visible(string(text)) }

// VisibleLines does so with a text whose line breaks mean something, see
// [terminal.VisibleLines].
func VisibleLines(text string) []string { return terminal.VisibleLines(text) }

// cut makes a text visible, and shortens it to so many characters.
func cut[T ~string](text T, width int) string {
	visible := Visible(first(string(text), width+1)) // each becomes one character at least
	if utf8.RuneCountInString(visible) <= width {
		return visible
	}
	return first(visible, width-1) + "…"
}

// first is the beginning of a text, in characters.
func first(text string, count int) string {
	for i := range text {
		if count == 0 {
			return text[:i]
		}
		count--
	}
	return text
}

// around is the part of a text that stands about an offset, visible and in so
// many characters, with an ellipsis where something is left out.
func around(text string, offset, width int) string {
	before := width / 3
	if offset <= before {
		return cut(text, width)
	}
	from := min(offset, len(text)) - before
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return "…" + cut(text[from:], width-1)
}
