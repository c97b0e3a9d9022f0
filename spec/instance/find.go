package instance

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Find returns the offset and the bytes of the value at a path in a body that is one JSON value. If
// there is no such value, offset is that of the last value on the path.
func Find(body []byte, path []string) (offset int64, text string, found bool) {
	at := pastSpace(body, 0)
	for _, step := range path {
		next, ok := within(body, at, step)
		if !ok {
			return int64(at), "", false
		}
		at = next
	}
	return int64(at), string(body[at:pastValue(body, at)]), true
}

// IsObject reports whether a body begins as an object does.
func IsObject(body []byte) bool {
	at := pastSpace(body, 0)
	return at < len(body) && body[at] == '{'
}

// within returns the offset of the value that the step names in the object or list at that offset.
func within(body []byte, at int, step string) (place int, found bool) {
	inObject := body[at] == '{'
	index, err := strconv.Atoi(step)
	if !inObject && (body[at] != '[' || err != nil) {
		return at, false
	}
	for n := 0; ; n++ {
		at = pastSpace(body, at+1) // past the bracket, or a comma
		if body[at] == '}' || body[at] == ']' {
			return at, false
		}
		here := n == index
		if inObject {
			end := pastValue(body, at)
			literal := body[at:end]
			if here = string(literal[1:len(literal)-1]) == step; bytes.IndexByte(literal, '\\') >= 0 {
				text, _ := jsontext.AppendUnquote(nil, literal) // half of a surrogate pair becomes U+FFFD and an error
				here = string(text) == step
			}
			at = pastSpace(body, pastSpace(body, end)+1) // past the colon
		}
		if here {
			return at, true
		}
		if at = pastSpace(body, pastValue(body, at)); body[at] != ',' {
			return at, false
		}
	}
}

// pastSpace returns the offset after the white space at that offset (RFC 8259 §2), which may be a
// megabyte long.
func pastSpace(body []byte, at int) int {
	for at < len(body) && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t') {
		at++
	}
	return at
}

// pastValue returns the offset after the value at that offset.
func pastValue(body []byte, at int) int {
	for depth := 0; at < len(body); {
		switch c := body[at]; c {
		case '"':
			for at++; body[at] != '"'; at++ {
				if body[at] == '\\' {
					at++
				}
			}
			at++
		case '{', '[':
			depth++
			at++
			continue
		case '}', ']':
			depth--
			at++
		default: // a number, a literal, or between values
			at++
			if depth == 0 && at < len(body) && strings.IndexByte(space+",]}", body[at]) < 0 {
				continue
			}
		}
		if depth == 0 {
			return at
		}
	}
	return at
}
