package terminal_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/terminal"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		`{"name":"Grünlilie 観葉 🌵"}`: `{"name":"Grünlilie 観葉 🌵"}`,
		"a\tb\r\nc":                 `a\tb\r\nc`,
		"\x1b[31mred\x1b[0m\x07":    `\x1b[31mred\x1b[0m\x07`,
		"\x00\x7f":                  `\x00\x7f`,
		"\u009b31m":                 `\u009b31m`, // CSI in one character
		"caf\xe9":                   `caf\xe9`,
		"\xf0\x9f":                  `\xf0\x9f`,
		"\ufffd":                    "\ufffd", // the target sent this character itself
		"\u202eabc\u2066":           `\u202eabc\u2066`,
		"\u2028\u2029\ufeff":        `\u2028\u2029\ufeff`,
		"a\u00a0b\u3000c":           `a\u00a0b\u3000c`, // unusual spaces
		"\U000e0041\U0010ffff":      `\U000e0041\U0010ffff`,
		"a ##[stop-commands]b":      `a ##\x5bstop-commands]b`,
		"###vso[task.complete]":     `###vso\x5btask.complete]`,
		"##\n[a] #[b] [c] ## [d]":   `##\n[a] #[b] [c] ## [d]`,
	} {
		if got := terminal.Visible(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
		if twice := terminal.Visible(terminal.Visible(text)); twice != want {
			t.Errorf("%q twice becomes %s", text, twice)
		}
	}
}

// The output of a printer is harmless in a log, at any place in a line.
func TestPrinter(t *testing.T) {
	for name, row := range map[string]struct {
		color bool
		spans []terminal.Span
		want  string
	}{
		"nothing":               {false, nil, "\n"},
		"a line":                {false, []terminal.Span{terminal.Red.Of("a "), terminal.Says("%d b", 1)}, "a 1 b\n"},
		"colours":               {true, []terminal.Span{terminal.Red.Of("a"), terminal.Plain.Of("b")}, "\x1b[31ma\x1b[0mb\n"},
		"an escape sequence":    {true, []terminal.Span{terminal.Plain.Of("\x1b[2J")}, "\\x1b[2J\n"},
		"a line break":          {false, []terminal.Span{terminal.Plain.Of("a\n::error::b")}, "a\\n::error::b\n"},
		"a command":             {false, []terminal.Span{terminal.Plain.Of("  ::error::b")}, "  \\x3a:error::b\n"},
		"a command in brackets": {false, []terminal.Span{terminal.Plain.Of("a ##[add-mask]b")}, "a ##\\x5badd-mask]b\n"},
		"a command of two":      {true, []terminal.Span{terminal.Red.Of(":"), terminal.Plain.Of(":error::b")}, "\\x3a:error::b\n"},
		"brackets of two":       {true, []terminal.Span{terminal.Red.Of("##"), terminal.Plain.Of("[add-mask]b")}, "##\\x5badd-mask]b\n"},
		"blanks at the end":     {false, []terminal.Span{terminal.Plain.Of("a "), terminal.Red.Of("  "), terminal.Plain.Of("")}, "a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := terminal.Printer{Color: row.color}
			p.Line(row.spans...)
			if got := p.String(); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestFolded(t *testing.T) {
	long := strings.Repeat("x", 2*terminal.Columns)
	for name, row := range map[string]struct {
		items []string
		taken int
		want  string
	}{
		"none":           {nil, 10, ""},
		"one":            {[]string{"a"}, 10, "a"},
		"as many as fit": {[]string{"aa", "bb", "cc"}, terminal.Columns - 7, "aa, bb,|cc"},
		"one too long":   {[]string{long, "b"}, 10, long + ",|b"},
		"JSON too long":  {[]string{`{"a":1,"` + long + `":2,"b":3}`}, 10, `{"a":1,|"` + long + `":2,"b":3}`},
		"beyond ASCII":   {[]string{"ää", "öö", "üü"}, terminal.Columns - 7, "ää, öö,|üü"},
	} {
		if got := strings.Join(terminal.Folded(row.items, row.taken), "|"); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

func TestWrapped(t *testing.T) {
	var p terminal.Printer
	p.Wrapped(strings.Repeat("word ", 20), 4)
	lines := strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "    word") || len(lines[0]) > terminal.Columns {
		t.Errorf("%q", lines)
	}
}
