package fault

import (
	"regexp"
	"sync"
)

// TextEdit turns one text into another: a body, a header field, or the JSON of
// one value.
type TextEdit func(text string) string

func Constant(text string) TextEdit { return func(string) string { return text } }

func Prefixed(prefix string) TextEdit { return func(text string) string { return prefix + text } }

func Suffixed(suffix string) TextEdit { return func(text string) string { return text + suffix } }

func Nothing(string) string { return "" }

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

// Replacing replaces every match of a regular expression, in whose replacement
// $1 is the first group.
func Replacing(expression, replacement string) TextEdit {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) string { return compiled().ReplaceAllString(text, replacement) }
}
