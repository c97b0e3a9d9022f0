package replay

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf16"
)

const (
	// longestEscape is how long an escape of one character may be, in bytes:
	// the longest that count are the names of HTML.
	longestEscape = 24
	// longestTail is how much at the end of a text may be the beginning of a
	// secret and yet too little of it to be masked anyway.
	longestTail = window * longestEscape
)

// match gives the length of the form at the front of the text, in which every
// character may be escaped and letters may be of either case.
func match(text []byte, form string) (length int, ok bool) {
	if form == "" {
		return 0, true
	}
	if len(text) == 0 {
		return 0, false
	}
	if char, size := unescape(text); size > 0 {
		if k := common(char, form); k > 0 {
			if n, ok := match(text[size:], form[k:]); ok {
				return size + n, true
			}
		}
	}
	if lower(text[0]) != form[0] {
		return 0, false
	}
	n, ok := match(text[1:], form[1:])
	return 1 + n, ok
}

// matchBeginning gives how much of the form's beginning the whole text is. An
// escape may be cut off at its end.
func matchBeginning(text []byte, form string) (length int, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	if form == "" {
		return 0, false
	}
	char, size := unescape(text)
	if k := common(char, form); k > 0 {
		if n, ok := matchBeginning(text[size:], form[k:]); ok {
			return k + n, true
		}
	}
	if size == 0 && introduces(text[0]) && len(text) < longestEscape {
		return 0, true
	}
	if lower(text[0]) != form[0] {
		return 0, false
	}
	n, ok := matchBeginning(text[1:], form[1:])
	return 1 + n, ok
}

// common gives how many bytes of a character, which may be cut off, and of a
// form are the same.
func common(char, form string) int {
	k := min(len(char), len(form))
	if char[:k] != form[:k] {
		return 0
	}
	return k
}

// introduces says whether an escape may begin with c.
func introduces(c byte) bool { return c == '%' || c == '\\' || c == '&' }

// unescape reads an escape off the front of the text: the character it stands
// for, in UTF-8 and lower case, and its length. The length is 0 where there is
// none.
func unescape(text []byte) (char string, length int) {
	if len(text) < 2 || !introduces(text[0]) {
		return "", 0
	}
	switch {
	case text[0] == '%': // RFC 3986 §2.1
		return oneByte(text, 1)
	case text[0] == '&': // HTML §13.2.5.72
		return entity(text)
	case text[1] == 'x':
		return oneByte(text, 2)
	case text[1] == 'u': // RFC 8259 §7
		return utf16Unit(text)
	case strings.IndexByte(`"\/'`, text[1]) >= 0:
		return string(text[1:2]), 2
	}
	return "", 0
}

func oneByte(text []byte, from int) (char string, length int) {
	value, ok := hexNumber(text, from, 2)
	if !ok {
		return "", 0
	}
	return string([]byte{lower(byte(value))}), from + 2 //nolint:gosec // of two digits
}

// utf16Unit reads \u0061, or two of them that are one character.
func utf16Unit(text []byte) (char string, length int) {
	unit, ok := hexNumber(text, 2, 4)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(unit) && bytes.HasPrefix(text[6:], []byte(`\u`)) {
		if second, ok := hexNumber(text, 8, 4); ok {
			return string(utf16.DecodeRune(unit, second)), 12
		}
	}
	return lowerText(string(unit)), 6
}

func entity(text []byte) (char string, length int) {
	end := bytes.IndexByte(text[:min(len(text), longestEscape)], ';')
	if end < 0 {
		return "", 0
	}
	escaped := string(text[:end+1])
	char = html.UnescapeString(escaped)
	if char == escaped || strings.HasSuffix(char, ";") && char != ";" {
		return "", 0 // unknown, or only its beginning is one
	}
	return lowerText(char), end + 1
}

func hexNumber(text []byte, from, digits int) (value rune, ok bool) {
	if len(text) < from+digits {
		return 0, false
	}
	for _, c := range text[from : from+digits] {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | rune(c-'0')
		case 'a' <= lower(c) && lower(c) <= 'f':
			value = value<<4 | rune(lower(c)-'a'+10)
		default:
			return 0, false
		}
	}
	return value, true
}
