package words

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äö…"},
		{"abc", 1, "…"},
		{"a\x1bc", 6, `a\x1bc`},
		{"a\x1bc", 5, `a\x1…`},
		{strings.Repeat("x", 1<<20), 3, "xx…"},
	} {
		if got := Cut(c.text, c.width); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestAround(t *testing.T) {
	long := strings.Repeat("a", 40) + "HERE" + strings.Repeat("z", 40)
	for name, c := range map[string]struct {
		text   string
		offset int
		want   string
	}{
		"short":              {"abc", 2, "abc"},
		"at the beginning":   {"HERE" + strings.Repeat("z", 40), 0, "HEREzzzzzzzzzzzzz…"},
		"in the middle":      {long, 40, "…aaaaaaHERE" + "zzzzzz…"},
		"at the end":         {strings.Repeat("a", 40), 40, "…aaaaaa"},
		"beyond the end":     {strings.Repeat("a", 40), 99, "…aaaaaa"},
		"after wide letters": {strings.Repeat("é", 40) + "HERE", 80, "…éééHERE"},
		"made visible":       {strings.Repeat("a", 40) + "\x1b", 40, `…aaaaaa\x1b`},
	} {
		if got := around(c.text, c.offset, 18); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestCounted(t *testing.T) {
	for text, want := range map[string]string{
		"a b":                                 "a b",
		strings.Repeat(" ", 63):               strings.Repeat(" ", 63),
		"{" + strings.Repeat(" ", 64) + "}":   "{[64 spaces]}",
		strings.Repeat("\t", 1000):            "[1,000 tabs]",
		"a" + strings.Repeat("\n", 1_048_524): "a[1,048,524 line breaks]",
	} {
		if got := counted(text); got != want {
			t.Errorf("got %.60q, want %q", got, want)
		}
	}
}
