package spec

import (
	"errors"
	"fmt"
	"strings"
)

// mediaType is a media type or range as RFC 9110 §8.3.1 and §12.5.1 write it,
// in lower case but for the values of its parameters.
type mediaType struct {
	kind, subtype string
	parameters    map[string]string // nil where there are none
}

// parseMediaType is strict where mime.ParseMediaType is lenient (white space
// around "=") and lenient where it is strict and the grammar is not (";;").
func parseMediaType(text string) (mediaType, error) {
	rest := strings.Trim(text, " \t")
	if rest == "" {
		return mediaType{}, errors.New("is empty")
	}
	var m mediaType
	m.kind, rest = token(rest)
	if m.kind == "" || !strings.HasPrefix(rest, "/") {
		return mediaType{}, errors.New("has no type and subtype")
	}
	m.subtype, rest = token(rest[1:])
	if m.subtype == "" {
		return mediaType{}, errors.New("has no subtype")
	}
	m.kind, m.subtype = strings.ToLower(m.kind), strings.ToLower(m.subtype)
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return m, nil
		}
		if rest[0] != ';' {
			return mediaType{}, fmt.Errorf("has %q after the subtype", rest)
		}
		rest = strings.TrimLeft(rest[1:], " \t")
		if rest == "" || rest[0] == ';' {
			continue // RFC 9110 §5.6.6 allows an empty parameter
		}
		var name, value string
		var err error
		if name, value, rest, err = parameter(rest); err != nil {
			return mediaType{}, err
		}
		if first, twice := m.parameters[name]; twice && first != value {
			return mediaType{}, fmt.Errorf("has the parameter %s with two values", name)
		}
		if m.parameters == nil {
			m.parameters = map[string]string{}
		}
		m.parameters[name] = value
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
	i := 0
	for i < len(text) && isTokenByte(text[i]) {
		i++
	}
	return text[:i], text[i:]
}

func isTokenByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// covers says whether the range m, from the document, includes what was
// answered. Parameters that the range does not name may be there. A charset is
// none to JSON: it has no effect (RFC 8259 §11).
func (m mediaType) covers(answered mediaType) bool {
	if m.kind != "*" && m.kind != answered.kind {
		return false
	}
	suffix, anySuffixed := strings.CutPrefix(m.subtype, "*+")
	switch {
	case m.subtype == "*", m.subtype == answered.subtype, anySuffixed && strings.HasSuffix(answered.subtype, "+"+suffix):
	default:
		return false
	}
	for name, value := range m.parameters {
		if name == "charset" && m.isJSON() {
			continue
		}
		if got, ok := answered.parameters[name]; !ok || !strings.EqualFold(got, value) {
			return false
		}
	}
	return true
}

// precision orders the ranges that cover a media type: the most specific key
// is the one that applies (OpenAPI 3.0.3, Response Object, content).
func (m mediaType) precision() int {
	precision := 10 * len(m.parameters)
	switch {
	case m.kind == "*":
	case m.subtype == "*":
		precision++
	case strings.HasPrefix(m.subtype, "*"):
		precision += 2
	default:
		precision += 3
	}
	return precision
}

// isJSON says whether bodies of that media type are JSON texts (RFC 6839 §3.1
// for the suffix).
func (m mediaType) isJSON() bool {
	return m.subtype == "json" || strings.HasSuffix(m.subtype, "+json")
}

// isRange says whether m stands for several media types.
func (m mediaType) isRange() bool { return strings.HasPrefix(m.subtype, "*") }

// mayBeJSON says whether m is or includes media types of JSON texts.
func (m mediaType) mayBeJSON() bool {
	return m.isJSON() || m.subtype == "*"
}
