package settings_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
)

// A text has quotes only if a person would write them.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"https://plants.example.com:8443/api": "https://plants.example.com:8443/api",
		"8":                                   "8", "0.5": "0.5", "1m30s": "1m30s", "64KiB": "64KiB", "2/4": "2/4", "true": "true",
		"createPlant/valid": "createPlant/valid", "/etc/ca.pem": "/etc/ca.pem", "json=out/r.json": "json=out/r.json",
		"True": "'True'", "no": "'no'", "null": "'null'", "~": "'~'", "": "''", "010": "'010'", "0x1F": "'0x1F'", "1e3": "'1e3'",
		"-": "'-'", "a b": "'a b'", "a: b": "'a: b'", "a:": "'a:'", "it's": "'it''s'", "*": "'*'", "2026-01-01": "'2026-01-01'", "α": "'α'",
		"a\nb": `"a\nb"`, "\x1b\u0085\u2028": `"\x1b\u0085\u2028"`,
	} {
		if got := settings.Quote(text); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
		checkQuote(t, text)
	}
}

func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "a: b", "1_0", ".inf", "'", "\"\\", "!!x", "&a", "<<", "=", "0o7", "1:30", "\ufeff", "\U0001F331", "9h", "0.5.5s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) {
			checkQuote(t, text)
		}
	})
}

// checkQuote checks that the text is read back unchanged, as one value and in a list, with a
// comment after it.
func checkQuote(t *testing.T, text string) {
	t.Helper()
	quoted := settings.Quote(text)
	if strings.Contains(quoted, "\n") {
		t.Fatalf("%q takes more than a line: %s", text, quoted)
	}
	s, err := settings.LoadFile(write(t, "base-url: "+quoted+"   # a comment\nheader:\n  - "+quoted+" # another\n"),
		[]settings.Key{{Name: "base-url"}, {Name: "header", Repeatable: true}}, unknown)
	if err != nil {
		t.Fatalf("%q is written as %s, which is refused: %v", text, quoted, err)
	}
	if one, other := s["base-url"][0].Text, s["header"][0].Text; one != text || other != text {
		t.Errorf("%q is written as %s and comes back as %q and %q", text, quoted, one, other)
	}
}
