package mediatype

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// Type is a media type or range (RFC 9110 §8.3.1 and §12.5.1), in lower case except for the values
// of its parameters.
type Type struct {
	Kind, Subtype string
	Parameters    map[string]string // nil if there are none
}

// Parse reads a media type or range by the grammar of RFC 9110. Unlike mime.ParseMediaType, it
// rejects white space around "=" and accepts empty parameters (";;").
func Parse(text string) (Type, error) {
	rest := strings.Trim(text, " \t")
	if rest == "" {
		return Type{}, errors.New("is empty")
	}
	var m Type
	m.Kind, rest = token(rest)
	if m.Kind == "" || !strings.HasPrefix(rest, "/") {
		return Type{}, errors.New("has no type and subtype")
	}
	m.Subtype, rest = token(rest[1:])
	if m.Subtype == "" {
		return Type{}, errors.New("has no subtype")
	}
	m.Kind, m.Subtype = strings.ToLower(m.Kind), strings.ToLower(m.Subtype)
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return m, nil
		}
		if rest[0] != ';' {
			return Type{}, fmt.Errorf("has %q after the subtype", rest)
		}
		rest = strings.TrimLeft(rest[1:], " \t")
		if rest == "" || rest[0] == ';' {
			continue // RFC 9110 §5.6.6 allows an empty parameter
		}
		var name, value string
		var err error
		if name, value, rest, err = parameter(rest); err != nil {
			return Type{}, err
		}
		if first, twice := m.Parameters[name]; twice && first != value {
			return Type{}, fmt.Errorf("has the parameter %s with two values", name)
		}
		if m.Parameters == nil {
			m.Parameters = map[string]string{}
		}
		m.Parameters[name] = value
	}
}

func parameter(text string) (name, value, rest string, err error) {
	name, rest = token(text)
	if name == "" || !strings.HasPrefix(rest, "=") {
		return "", "", "", fmt.Errorf("has a malformed parameter at %q", text)
	}
	name, rest = strings.ToLower(name), rest[1:]
	if !strings.HasPrefix(rest, `"`) {
		if value, rest = token(rest); value == "" {
			return "", "", "", fmt.Errorf("has the parameter %s without a value", name)
		}
		return name, value, rest, nil
	}
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return name, b.String(), rest[i+1:], nil
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		case c < ' ' && c != '\t', c == 0x7f:
			return "", "", "", fmt.Errorf("has a control character in the parameter %s", name)
		default:
			b.WriteByte(c)
		}
	}
	return "", "", "", fmt.Errorf("has an unclosed quote in the parameter %s", name)
}

// token cuts the longest token (RFC 9110 §5.6.2) off the front of the text.
func token(text string) (head, rest string) {
	rest = strings.TrimLeftFunc(text, httpguts.IsTokenRune)
	return text[:len(text)-len(rest)], rest
}

// Covers reports whether the range m of the document includes the media type answered, which may
// have other parameters as well. A charset has no effect on JSON (RFC 8259 §11).
func (m Type) Covers(answered Type) bool {
	if m.Kind != "*" && m.Kind != answered.Kind {
		return false
	}
	suffix, anySuffixed := strings.CutPrefix(m.Subtype, "*+")
	isAlike := anySuffixed && strings.HasSuffix(answered.Subtype, "+"+suffix)
	if m.Subtype != "*" && m.Subtype != answered.Subtype && !isAlike {
		return false
	}
	for name, value := range m.Parameters {
		if name == "charset" && m.IsJSON() {
			continue
		}
		if got, ok := answered.Parameters[name]; !ok || !strings.EqualFold(got, value) {
			return false
		}
	}
	return true
}

// Precision returns how specific a range is. Of the ranges that cover a media type, the most
// specific one applies (OpenAPI 3.0.3, Response Object, content).
func (m Type) Precision() int {
	precision := 10 * len(m.Parameters)
	switch {
	case m.Kind == "*":
	case m.Subtype == "*":
		precision++
	case strings.HasPrefix(m.Subtype, "*"):
		precision += 2
	default:
		precision += 3
	}
	return precision
}

// IsJSON reports whether bodies of that media type are JSON texts (RFC 6839 §3.1
// for the suffix).
func (m Type) IsJSON() bool { return m.Subtype == "json" || strings.HasSuffix(m.Subtype, "+json") }

// IsRange reports whether m stands for several media types.
func (m Type) IsRange() bool { return strings.HasPrefix(m.Subtype, "*") }

// MayBeJSON reports whether m is or includes media types of JSON texts.
func (m Type) MayBeJSON() bool { return m.IsJSON() || m.Subtype == "*" }

// IsForm reports whether bodies of that media type are forms.
func (m Type) IsForm() bool {
	return m.Kind == "multipart" && m.Subtype == "form-data" || m.Kind == "application" && m.Subtype == "x-www-form-urlencoded"
}

// Streams returns the media types of responses that may never end: event streams (WHATWG HTML
// §9.2), sequences of records, and images that replace each other.
func Streams() []string {
	return []string{
		"text/event-stream", "application/jsonl", "application/x-jsonlines", "application/x-ndjson", "application/json-seq",
		"application/stream+json", "multipart/x-mixed-replace",
	}
}
