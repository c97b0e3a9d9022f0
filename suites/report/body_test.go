package report

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
	full := strings.Repeat("x", maxBody)
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
		"more":                              {full + "y", false, cutOff(Body{Body: full})},
		"more, with a character on the cut": {full[1:] + "é", false, cutOff(Body{Body: full[1:]})},
		"more, with bytes":                  {"\xff" + full, false, cutOff(encoded("\xff" + full[1:]))},
	} {
		if got := newBody([]byte(c.data), c.truncated); got != c.want {
			t.Errorf("%s: got %.40q %s %t", name, got.Body, got.Encoding, got.Truncated)
		}
	}
}

// What a report keeps is the beginning of what was sent, and short of it by no
// more than a character.
func FuzzNewBody(f *testing.F) {
	f.Add([]byte("Grünlilie"), false)
	f.Add([]byte("caf\xc3"), true)
	f.Add([]byte(strings.Repeat("🌵", maxBody/4+1)), false)
	f.Fuzz(func(t *testing.T, data []byte, truncated bool) {
		b := newBody(data, truncated)
		raw := b.raw()
		if !strings.HasPrefix(string(data), raw) || len(raw) > maxBody {
			t.Errorf("keeps %q", raw)
		}
		if missing := min(len(data), maxBody) - len(raw); missing > 0 && !b.Truncated || missing >= utf8.UTFMax {
			t.Errorf("%d bytes are missing, truncated is %t", missing, b.Truncated)
		}
		if !utf8.ValidString(b.Body) {
			t.Error("is no text")
		}
	})
}
