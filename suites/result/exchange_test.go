package result

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNewBody(t *testing.T) {
	encoded := func(text string) Body {
		return Body{Body: base64.StdEncoding.EncodeToString([]byte(text)), Encoding: "base64"}
	}
	cutOff := func(b Body) Body { b.Truncated = true; return b }
	of := func(size int, end string, b Body) Body { b.Size, b.End = size, end; return b }
	full := strings.Repeat("x", MaxBody)
	for name, c := range map[string]struct {
		data      string
		truncated bool
		want      Body
	}{
		"none":                              {"", false, Body{}},
		"text":                              {"Grünlilie", false, Body{Body: "Grünlilie"}},
		"bytes":                             {"caf\xe9", false, encoded("caf\xe9")},
		"half a character":                  {"caf\xc3", false, encoded("caf\xc3")},
		"half a character, cut off":         {"caf\xc3", true, cutOff(Body{Body: "caf"})},
		"three quarters, cut off":           {"cactus \xf0\x9f\x8c", true, cutOff(Body{Body: "cactus "})},
		"nothing but half, cut off":         {"\xc3", true, cutOff(Body{})},
		"a whole character, cut off":        {"caf\u00e9", true, cutOff(Body{Body: "café"})},
		"bytes, cut off":                    {"\x80\x80\x80\x80\x80", true, cutOff(encoded("\x80\x80\x80\x80\x80"))},
		"as much as is kept":                {full, false, Body{Body: full}},
		"more":                              {full + "y", false, of(MaxBody+1, "y", cutOff(Body{Body: full}))},
		"more, with a character on the cut": {full[1:] + "é", false, of(MaxBody+1, "", cutOff(Body{Body: full[1:]}))},
		"more, with bytes":                  {"\xff" + full, false, of(MaxBody+1, "x", cutOff(encoded("\xff"+full[1:])))},
		"more, and that is cut off too":     {full + "y", true, cutOff(Body{Body: full})},
	} {
		if got := newBody([]byte(c.data), c.truncated); got != c.want {
			t.Errorf("%s: got %.40q %s %t", name, got.Body, got.Encoding, got.Truncated)
		}
	}
}

// For any place of the cut, the kept part is the beginning of what was sent, and shorter than the
// limit by less than a character.
func TestNewBodyCutsBetweenCharacters(t *testing.T) {
	for _, character := range []string{"x", "é", "観", "🌵"} {
		for shift := range utf8.UTFMax {
			text := strings.Repeat("x", shift) + strings.Repeat(character, MaxBody)
			b := newBody([]byte(text), false)
			if !b.Truncated == (len(text) > MaxBody) || b.Encoding != "" || !strings.HasPrefix(text, b.Body) || !utf8.ValidString(b.Body) {
				t.Errorf("%s after %d bytes: %d bytes are kept, truncated is %t, encoding is %q", character, shift, len(b.Body), b.Truncated, b.Encoding)
			}
			if missing := MaxBody - len(b.Body); missing < 0 || missing >= len(character) {
				t.Errorf("%s after %d bytes: %d bytes too few", character, shift, missing)
			}
		}
	}
}
