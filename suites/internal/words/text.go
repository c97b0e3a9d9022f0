package words

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
)

// Visible makes a text from a target safe to display on a screen and in the log of a CI
// system. It replaces each invisible character with an escape such as \n, \x1b or
// \u202e.
func Visible[T ~string](text T) string { return terminal.Visible(string(text)) }

// Cut makes a text visible, and shortens it to this number of characters.
func Cut[T ~string](text T, width int) string {
	visible := Visible(first(string(text), width+1)) // each character becomes at least one
	if utf8.RuneCountInString(visible) <= width {
		return visible
	}
	return first(visible, width-1) + "…"
}

// Line makes a text visible, and shortens it to a line of evidence.
func Line[T ~string](text T) string { return Cut(text, lineWidth) }

// first returns the first characters of a text.
func first(text string, count int) string {
	for i := range text {
		if count == 0 {
			return text[:i]
		}
		count--
	}
	return text
}

// around returns the part of a text around an offset, visible and with this number of
// characters. An ellipsis marks omitted text.
func around(text string, offset, width int) string {
	before := width / 3
	if offset <= before {
		return Cut(text, width)
	}
	from := min(offset, len(text)) - before
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return "…" + Cut(text[from:], width-1)
}

// manyBlanks is the number of equal white space characters from which they are counted.
const manyBlanks = 64

// A Piece is a part of a text, or a description of long white space such as
// "[1,048,524 spaces]".
type Piece struct {
	Text  string
	Blank bool
}

// Pieces splits a text at long white space: many consecutive spaces, tabs or line breaks.
// It returns no empty pieces.
func Pieces(text string) []Piece {
	var list []Piece
	at := 0
	add := func(to int) {
		if to > at {
			list = append(list, Piece{Text: text[at:to]})
		}
	}
	for i := 0; i < len(text); {
		end := i + 1
		if c := text[i]; c == ' ' || c == '\t' || c == '\n' {
			for end < len(text) && text[end] == c {
				end++
			}
			if end-i >= manyBlanks {
				add(i)
				name := map[byte]string{' ': " spaces", '\t': " tabs", '\n': " line breaks"}[c]
				list, at = append(list, Piece{"[" + Grouped(end-i) + name + "]", true}), end
			}
		}
		i = end
	}
	add(len(text))
	return list
}

// counted replaces long white space with its length.
func counted(text string) string {
	return strings.Join(lists.Map(Pieces(text), func(p Piece) string { return p.Text }), "")
}

// Grouped returns a number with a comma before each group of three digits.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Some returns a text with a few ids and the number of the others.
func Some(ids []string) string {
	const few = 3
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}

// Several returns the number of fixtures, if there is more than one: " (2 fixtures)".
func Several(fixtures []string) string {
	if len(fixtures) == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d fixtures)", len(fixtures))
}

// Folders groups ids by their folder.
func Folders(ids []string) []lists.Group[string, string] { return lists.Groups(ids, path.Dir) }

// ByFolder returns ids in the form that --only accepts. If there are more than most, it
// returns folders with their counts instead, such as "folder/* (3)".
func ByFolder(ids []string, most int) []string {
	if len(ids) <= most {
		return ids
	}
	return lists.Map(Folders(ids), func(f lists.Group[string, string]) string {
		if len(f.Items) == 1 {
			return f.Items[0]
		}
		return fmt.Sprintf("%s/* (%d)", f.Key, len(f.Items))
	})
}
