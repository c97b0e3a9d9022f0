package report

import (
	"encoding/base64"
	"unicode/utf8"
)

// MaxBody is how much of a body a report keeps, in bytes.
const MaxBody = 16 << 10

const encodingBase64 = "base64"

// newBody keeps a body, or its beginning. truncated says that what is given
// is not all of it already.
func newBody(data []byte, truncated bool) Body {
	b := Body{Truncated: truncated}
	if len(data) > MaxBody {
		if !truncated {
			b.Size = len(data)
		}
		data, b.Truncated = data[:MaxBody], true
	}
	if b.Truncated {
		data = withoutPartialRune(data)
	}
	b.Body = string(data)
	if !utf8.Valid(data) {
		b.Body, b.Encoding = base64.StdEncoding.EncodeToString(data), encodingBase64
	}
	return b
}

// withoutPartialRune leaves out a character at the end that a cut went
// through, so that a text stays a text.
func withoutPartialRune(data []byte) []byte {
	for i := len(data) - 1; i >= 0 && i > len(data)-utf8.UTFMax; i-- {
		if !utf8.RuneStart(data[i]) {
			continue
		}
		if !utf8.FullRune(data[i:]) {
			return data[:i]
		}
		break
	}
	return data
}

// raw is the body as it was on the wire, as far as it was kept.
func (b Body) raw() string {
	if b.Encoding == encodingBase64 {
		if data, err := base64.StdEncoding.DecodeString(b.Body); err == nil {
			return string(data)
		}
	}
	return b.Body
}
