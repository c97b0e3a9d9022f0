package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is a complaint about one place in a document. Its text is
// "file:line:column: message", followed by the line itself with a caret.
type Error struct {
	File         string
	Line, Column int    // both count from 1; 0 where the place is unknown
	Pointer      string // of the value, as [Place] has it; "" where it is not known
	Message      string
	Excerpt      string // the source line, without its line break
}

// Error gives file, line, column and message, and the excerpt below them.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	if e.Excerpt == "" {
		return head
	}
	number := fmt.Sprintf("%5d | ", e.Line)
	// Beyond the excerpt, the caret stands at its end.
	column := min(max(e.Column, 1), utf8.RuneCountInString(e.Excerpt)+1)
	indent := strings.Repeat(" ", len(number)+column-1)
	return head + "\n" + number + e.Excerpt + "\n" + indent + "^"
}

func (s *source) error(line, column int, message string) *Error {
	const width = 160 // an excerpt is there to be read, not to repeat a minified file
	text := s.line(line)
	n := 0
	for at := range text {
		if n++; n > width {
			text = text[:at] + "…"
			break
		}
	}
	printable := func(r rune) rune { // keeps the columns in place and a terminal safe
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}
	return &Error{File: s.file, Line: line, Column: column, Message: message, Excerpt: strings.Map(printable, text)}
}
