package redact

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// longestName is how long a named character reference may be, in bytes.
const longestName = 32

// family is a set of kinds of escapes. An encoder uses the escapes of one kind
// together.
type family uint8

const (
	ofAddresses family = 1 << iota
	ofCode             // of JSON, of programming languages and of shells
	ofHTML
	ofBytes  // characters for bytes: ISO 8859-1
	ofQuoted // quoted-printable, and what may be ordinary text
	ofSpace  // no escape: white space
	ofBreaks // of quoted-printable the line breaks alone
	ofNull   // of UTF-16 and UTF-32 the bytes that are 0
)

const anyEscape = ofAddresses | ofCode | ofHTML | ofBytes | ofNull

// introduces says what escape may begin with a byte.
var introduces = [256]family{ //nolint:gochecknoglobals // a table that nobody writes to
	'%': ofAddresses, '\\': ofCode, '&': ofHTML, '=': ofQuoted | ofBreaks, 0: ofNull, 0xc2: ofBytes, 0xc3: ofBytes,
	' ': ofSpace, '\t': ofSpace, '\n': ofSpace, '\v': ofSpace, '\f': ofSpace, '\r': ofSpace,
}

// unescape reads an escape off the front of the text: what it stands for, and
// its length. The length is 0 where there is none.
func unescape(text []byte) (char string, length int) {
	switch text[0] {
	case 0: // of UTF-16 and UTF-32
		return "", 1
	case 0xc2, 0xc3: // of UTF-8 that was read as ISO 8859-1
		if c, size := utf8.DecodeRune(text); size == 2 {
			return string([]byte{byte(c)}), size //nolint:gosec // up to 0xff
		}
	case '%': // RFC 3986 §2.1
		if len(text) > 1 && lower[text[1]] == 'u' {
			return utf16Unit(text)
		}
		return oneByte(text, 1)
	case '=':
		return quotedPrintable(text)
	case '&': // HTML §13.2.5.72
		if len(text) > 1 && text[1] == '#' {
			return numbered(text)
		}
		return named(text)
	case '\\':
		return backslash(text)
	case ' ', '\t', '\n', '\v', '\f', '\r':
		return "", 1
	}
	return "", 0
}

// quotedPrintable is RFC 2045 §6.7. White space may stand before the end of a
// line, and in it where the text was folded. Where a fold was undone too far, = alone
// is left.
func quotedPrintable(text []byte) (char string, length int) {
	for i := 1; i < len(text) && introduces[text[i]] == ofSpace; i++ {
		if text[i] == '\n' {
			return "", i + 1
		}
	}
	if len(text) > 1 && text[1] == '=' {
		return "", 1
	}
	return oneByte(text, 1)
}

func backslash(text []byte) (char string, length int) {
	if len(text) < 2 {
		return "", 0
	}
	switch c := text[1]; c {
	case 'x', 'X', 'u', 'U':
		if char, length = braced(text); length > 0 {
			return char, length
		}
		if lower[c] == 'x' {
			return oneByte(text, 2)
		}
		if value, ok := number(text, 2, 8); ok && text[1] == 'U' && value <= utf8.MaxRune {
			return string(value), 10
		}
		return utf16Unit(text)
	case 'n': // the line breaks of quoted-printable among them
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't', 'f', 'v', 'b':
		return " ", 2
	}
	if c := text[1]; c <= ' ' || c > '~' || isAlphanumeric(c) || c != '\\' && introduces[c] != 0 {
		return "", 0
	}
	return string(text[1:2]), 2
}

// braced reads \u{61} and \x{61}.
func braced(text []byte) (char string, length int) {
	if len(text) < 3 || text[2] != '{' {
		return "", 0
	}
	digits := bytes.IndexByte(text[:min(len(text), 3+9)], '}') - 3
	if value, ok := number(text, 3, digits); ok {
		return string(value), 3 + digits + 1
	}
	return "", 0
}

func oneByte(text []byte, from int) (char string, length int) {
	value, ok := number(text, from, 2)
	if !ok {
		return "", 0
	}
	return string([]byte{byte(value)}), from + 2 //nolint:gosec // of two digits
}

// utf16Unit reads \u0061, or two of them that are one character.
func utf16Unit(text []byte) (char string, length int) {
	unit, ok := number(text, 2, 4)
	if !ok {
		return "", 0
	}
	if utf16.IsSurrogate(unit) && bytes.HasPrefix(text[6:], text[:2]) {
		if second, ok := number(text, 8, 4); ok {
			return string(utf16.DecodeRune(unit, second)), 12
		}
	}
	return string(unit), 6
}

// numbered reads &#97; and &#x61; with any zeros in front, and without the end.
func numbered(text []byte) (char string, length int) {
	from, base := 2, rune(10)
	if len(text) > 2 && lower[text[2]] == 'x' {
		from, base = 3, 16
	}
	to, value := from, rune(0)
	for ; to < len(text); to++ {
		d := digit[text[to]]
		if d >= base {
			break
		}
		value = min(value*base+d, utf8.MaxRune+1)
	}
	if to == from {
		return "", 0
	}
	return string(value), afterReference(text, to)
}

// afterReference is where the text goes on after a character reference: behind
// its semicolon, which may itself be escaped.
func afterReference(text []byte, to int) int {
	if to == len(text) {
		return to
	}
	switch c := text[to]; {
	case c == ';':
		to++
	case introduces[c]&(ofAddresses|ofCode|ofQuoted) != 0:
		if char, size := unescape(text[to:]); char == ";" {
			to += size
		}
	}
	return to
}

// named reads &amp;, and the names that need no end without it.
func named(text []byte) (char string, length int) {
	end := 1
	for end < min(len(text), longestName) && isAlphanumeric(text[end]) {
		end++
	}
	if end == 1 {
		return "", 0
	}
	name, after := string(text[:end]), afterReference(text, end)
	if after > end {
		name += ";"
	}
	for _, name := range []string{name, lowerText(name)} {
		plain := html.UnescapeString(name)
		if plain == name {
			continue
		}
		if strings.HasSuffix(name, ";") && !strings.HasSuffix(plain, ";") || plain == ";" {
			return plain, after
		}
		_, size := utf8.DecodeRuneInString(plain) // the rest is not of the name
		return plain[:size], len(name) - len(plain) + size
	}
	return "", 0
}

// number reads this number of hexadecimal digits.
func number(text []byte, from, digits int) (value rune, ok bool) {
	if digits < 1 || len(text) < from+digits {
		return 0, false
	}
	for _, c := range text[from : from+digits] {
		d := digit[c]
		if d >= 16 || value > utf8.MaxRune {
			return 0, false
		}
		value = value<<4 | d
	}
	return value, true
}

// digit gives the values of digits, and 16 for all else.
var digit = func() (table [256]rune) { //nolint:gochecknoglobals // a table that nobody writes to
	for c := range table {
		table[c] = 16
	}
	for value, c := range "0123456789abcdef" {
		table[c] = rune(value)
	}
	for value, c := range "ABCDEF" {
		table[c] = 10 + rune(value)
	}
	return table
}()

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lower[c] && lower[c] <= 'z'
}
