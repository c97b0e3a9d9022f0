package fault

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"
	"golang.org/x/text/encoding/unicode"
)

// TextEdit turns one text into another: a body, a header field, or the JSON of one
// value.
type TextEdit func(text string) string

// Constant replaces any text by the given one.
func Constant(text string) TextEdit { return func(string) string { return text } }

// Nothing replaces any text by an empty one.
func Nothing(string) string { return "" }

// Prefixed writes the prefix before a text.
func Prefixed(prefix string) TextEdit { return func(text string) string { return prefix + text } }

// Suffixed writes the suffix after a text.
func Suffixed(suffix string) TextEdit { return func(text string) string { return text + suffix } }

// InTurn applies several edits, one after the other.
func InTurn(edits ...TextEdit) TextEdit {
	return func(text string) string {
		for _, edit := range edits {
			text = edit(text)
		}
		return text
	}
}

// Where edits only texts for which such returns true.
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

// Mending edits only texts that are not I-JSON (RFC 7493).
func Mending(edit TextEdit) TextEdit { return Where(NoneOf(IsJSON), edit) }

// The functions below convert a text, and return it unchanged if they cannot.

// InUTF16 returns the text in UTF-16, with a byte order mark.
func InUTF16(text string) string {
	encoded, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(text)
	return either(encoded, err, text)
}

// InLatin1 returns the text in Latin-1, with question marks for other characters.
func InLatin1(text string) string {
	var b []byte
	for _, c := range text {
		if c > 0xFF {
			c = '?'
		}
		b = append(b, byte(c))
	}
	return string(b)
}

// FromBase64 decodes base64.
func FromBase64(text string) string {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	return either(decoded, err, text)
}

// FromYAML converts YAML to JSON.
func FromYAML(text string) string {
	var values any
	if yaml.Unmarshal([]byte(text), &values) != nil {
		return text
	}
	converted, err := json.Marshal(values)
	return either(converted, err, text)
}

// FromGzip decompresses a text, up to 1 MiB.
func FromGzip(text string) string {
	const limit = 1 << 20
	in, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return text
	}
	decoded, err := io.ReadAll(io.LimitReader(in, limit))
	return either(decoded, err, text)
}

// InGzip compresses a text.
func InGzip(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// FromUTF16 decodes UTF-16 that begins with a byte order mark.
func FromUTF16(text string) string { return fromUTF16(text, unicode.BigEndian, unicode.ExpectBOM) }

// FromUTF16Unmarked decodes UTF-16 that begins with a brace. The place of the zero
// byte shows the byte order, as in RFC 4627.
func FromUTF16Unmarked(text string) string {
	switch {
	case strings.HasPrefix(text, "{\x00"):
		return fromUTF16(text, unicode.LittleEndian, unicode.IgnoreBOM)
	case strings.HasPrefix(text, "\x00{"):
		return fromUTF16(text, unicode.BigEndian, unicode.IgnoreBOM)
	}
	return text
}

func fromUTF16(text string, order unicode.Endianness, mark unicode.BOMPolicy) string {
	decoded, err := unicode.UTF16(order, mark).NewDecoder().String(text)
	return either(decoded, err, text)
}

// CompletedAll adds a closing brace for each open one.
func CompletedAll(text string) string {
	if open := strings.Count(text, "{") - strings.Count(text, "}"); open > 0 {
		return text + strings.Repeat("}", open)
	}
	return text
}

// FirstValue returns the JSON value at the beginning of the text.
func FirstValue(text string) string {
	value, err := jsontext.NewDecoder(strings.NewReader(text)).ReadValue()
	return either(value, err, text)
}

// Completed adds the missing end of a JSON object.
func Completed(text string) string {
	for _, end := range []string{`}`, `"}`} {
		if IsJSON(text + end) {
			return text + end
		}
	}
	return text
}

// LastOfDuplicates keeps only the last of duplicate keys.
func LastOfDuplicates(text string) string {
	var o Object
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || json.Unmarshal([]byte(text), &o) != nil {
		return text
	}
	return o.Text()
}

// FirstOfDuplicates keeps only the first of duplicate keys.
func FirstOfDuplicates(text string) string {
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || !AnObject.Include(text) {
		return text
	}
	in, o := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true)), Object{}
	_, _ = in.ReadToken() // the opening brace
	for in.PeekKind() == '"' {
		name, _ := in.ReadToken()
		key := name.String() // the next read invalidates the token
		value, _ := in.ReadValue()
		if _, found := o[key]; !found {
			o[key] = value.Clone()
		}
	}
	return o.Text()
}

// Indented returns indented JSON whose lines end with CR LF.
func Indented(text string) string {
	value := jsontext.Value(text)
	if value.Indent() != nil {
		return text
	}
	return strings.ReplaceAll(string(value), "\n", "\r\n")
}

// Spaced writes white space into an object: after each opening brace, colon and
// comma, and before each closing brace.
func Spaced(by string) TextEdit {
	tokens := regexp.MustCompile(stringLiteral + `|[{},:]`)
	return func(text string) string {
		return tokens.ReplaceAllStringFunc(text, func(token string) string {
			switch token {
			case "{", ",", ":":
				return token + by
			case "}":
				return by + token
			}
			return token
		})
	}
}

// stringLiteral matches a JSON string.
const stringLiteral = `"(\\.|[^"\\])*"`

// Escaped writes each character of strings and property names as \uXXXX.
func Escaped() TextEdit {
	literals := regexp.MustCompile(stringLiteral)
	return func(text string) string {
		return literals.ReplaceAllStringFunc(text, func(literal string) string {
			var content string
			if json.Unmarshal([]byte(literal), &content) != nil {
				return literal
			}
			var b strings.Builder
			for _, unit := range utf16.Encode([]rune(content)) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
			return `"` + b.String() + `"`
		})
	}
}
