package redact

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// longestName is the maximum length in bytes of a named character reference.
const longestName = 32

// A family is a set of kinds of escapes. An encoder uses the escapes of one kind
// together.
type family uint8

const (
	ofAddresses family = 1 << iota
	ofCode             // of JSON, of programming languages and of shells
	ofHTML
	ofBytes  // characters for bytes: ISO 8859-1
	ofQuoted // of quoted-printable, but it may be ordinary text
	ofSpace  // white space, which is not an escape
	ofBreaks // only the line breaks of quoted-printable
	ofNull   // the zero bytes of UTF-16 and UTF-32
)

const anyEscape = ofAddresses | ofCode | ofHTML | ofBytes | ofNull

// introduces maps a byte to the families of escapes that may begin with it.
var introduces = [256]family{ //nolint:gochecknoglobals // a table that nobody writes to
	'%': ofAddresses, '\\': ofCode, '&': ofHTML, '=': ofQuoted | ofBreaks, 0: ofNull, 0xc2: ofBytes, 0xc3: ofBytes,
	' ': ofSpace, '\t': ofSpace, '\n': ofSpace, '\v': ofSpace, '\f': ofSpace, '\r': ofSpace,
}

// unescape decodes an escape at the start of the text. It returns the decoded bytes and
// the length of the escape, or 0 if there is no escape.
func unescape(text []byte) (char string, length int) {
	switch text[0] {
	case 0: // UTF-16 and UTF-32
		return "", 1
	case 0xc2, 0xc3: // UTF-8 that was read as ISO 8859-1
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

// quotedPrintable decodes RFC 2045 §6.7. White space may come before the end of a
// line, and a fold may add more. If the removal of a fold also removed the line break,
// only = remains.
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
	case 'n': // may be a line break of quoted-printable
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

// utf16Unit reads \u0061, or a surrogate pair of two such escapes.
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

// numbered reads &#97; and &#x61; with any leading zeros. The semicolon is optional.
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

// afterReference returns the offset after a character reference and its semicolon, if
// any. The semicolon may itself be escaped.
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

// named reads &amp; and other named references. HTML allows some names without a semicolon.
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
		_, size := utf8.DecodeRuneInString(plain) // the rest is not part of the name
		return plain[:size], len(name) - len(plain) + size
	}
	return "", 0
}

// number reads exactly this number of hexadecimal digits.
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

// digit maps a hexadecimal digit to its value, and any other byte to 16.
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
