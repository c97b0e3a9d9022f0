package fault

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
)

// InUTF16 is the text in UTF-16, with its mark.
func InUTF16(text string) string {
	b := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// InLatin1 is the text in Latin-1, with question marks for what that lacks.
func InLatin1(text string) string {
	var b []byte
	for _, c := range text {
		if c > unicode.MaxLatin1 {
			c = '?'
		}
		b = append(b, byte(c))
	}
	return string(b)
}

func FromBase64(text string) string {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return text
	}
	return string(decoded)
}

func FromYAML(text string) string {
	var values any
	if yaml.Unmarshal([]byte(text), &values) != nil {
		return text
	}
	converted, err := json.Marshal(values)
	if err != nil {
		return text
	}
	return string(converted)
}

func FromGzip(text string) string {
	in, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return text
	}
	const limit = 1 << 20 // bytes, against gzip bombs
	decoded, err := io.ReadAll(io.LimitReader(in, limit))
	if err != nil {
		return text
	}
	return string(decoded)
}

func InGzip(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// FromUTF16 reads UTF-16 that begins with its mark.
func FromUTF16(text string) string {
	switch {
	case strings.HasPrefix(text, "\xfe\xff"):
		return decodeUTF16(text[2:], 0)
	case strings.HasPrefix(text, "\xff\xfe"):
		return decodeUTF16(text[2:], 1)
	}
	return text
}

// FromUTF16Unmarked tells the order of bytes by the zero next to the first
// brace, as RFC 4627 did.
func FromUTF16Unmarked(text string) string {
	switch {
	case strings.HasPrefix(text, "\x00{"):
		return decodeUTF16(text, 0)
	case strings.HasPrefix(text, "{\x00"):
		return decodeUTF16(text, 1)
	}
	return text
}

// decodeUTF16 reads pairs of bytes, of which the one at the offset is the
// higher.
func decodeUTF16(text string, high int) string {
	var units []uint16
	for ; len(text) >= 2; text = text[2:] {
		units = append(units, uint16(text[high])<<8|uint16(text[1-high]))
	}
	return string(utf16.Decode(units))
}

// CompletedAll closes as many braces as are open.
func CompletedAll(text string) string {
	if open := strings.Count(text, "{") - strings.Count(text, "}"); open > 0 {
		return text + strings.Repeat("}", open)
	}
	return text
}

// Mending edits a text that is not I-JSON, and leaves other texts unchanged.
func Mending(edit TextEdit) TextEdit {
	return Where(func(text string) bool { return !IsJSON(text) }, edit)
}

// FirstValue is the JSON value that the text begins with.
func FirstValue(text string) string {
	value, err := jsontext.NewDecoder(strings.NewReader(text)).ReadValue()
	if err != nil {
		return text
	}
	return string(value)
}

// Completed closes what JSON that is cut off has left open.
func Completed(text string) string {
	for _, end := range []string{`}`, `"}`} {
		if IsJSON(text + end) {
			return text + end
		}
	}
	return text
}

// LastOfDuplicates keeps, of properties of the same name, the last.
func LastOfDuplicates(text string) string {
	var o Object
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || json.Unmarshal([]byte(text), &o) != nil {
		return text
	}
	return o.Text()
}

// Indented is JSON of several lines.
func Indented(text string) string {
	value := jsontext.Value(text)
	if value.Indent() != nil {
		return text
	}
	return strings.ReplaceAll(string(value), "\n", "\r\n")
}

// Spaced writes white space after each opening brace, colon and comma between
// tokens, and before each closing brace.
func Spaced(by string) TextEdit {
	return func(text string) string {
		var b strings.Builder
		inString, escaped := false, false
		for _, c := range text {
			if c == '}' && !inString {
				b.WriteString(by)
			}
			b.WriteRune(c)
			switch {
			case escaped:
				escaped = false
			case c == '"':
				inString = !inString
			case inString:
				escaped = c == '\\'
			case strings.ContainsRune("{,:", c):
				b.WriteString(by)
			}
		}
		return b.String()
	}
}
