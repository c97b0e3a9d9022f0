package fault

import (
	"regexp"
	"sync"
)

// TextEdit turns one text into another: a body, a header field, or the JSON of one
// value.
type TextEdit func(text string) string

// Constant replaces any text by that one.
func Constant(text string) TextEdit { return func(string) string { return text } }

// Nothing replaces any text by the empty one.
func Nothing(string) string { return "" }

// Prefixed writes the prefix before a text.
func Prefixed(prefix string) TextEdit { return func(text string) string { return prefix + text } }

// Suffixed writes the suffix after a text.
func Suffixed(suffix string) TextEdit { return func(text string) string { return text + suffix } }

// InTurn makes several edits, one after the other.
func InTurn(edits ...TextEdit) TextEdit {
	return func(text string) string {
		for _, edit := range edits {
			text = edit(text)
		}
		return text
	}
}

// Where edits only such texts.
func Where(such func(text string) bool, edit TextEdit) TextEdit {
	return func(text string) string {
		if such(text) {
			return edit(text)
		}
		return text
	}
}

// Replacing replaces every match of a regular expression. $1 in the replacement is
// the first group of the match.
func Replacing(expression, replacement string) TextEdit {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) string { return compiled().ReplaceAllString(text, replacement) }
}

// Mending edits a text that is not I-JSON (RFC 7493).
func Mending(edit TextEdit) TextEdit { return Where(NoneOf(IsJSON), edit) }
