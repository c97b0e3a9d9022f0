package html

import (
	"strings"
	"testing"
)

// shown returns what a reader sees, with marks in angle brackets and gaps in square brackets.
func shown(parts []fragment) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Gap:
			b.WriteString("[" + p.Text + "]")
		case p.Marked:
			b.WriteString("<" + p.Text + ">")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestHTMLJSON(t *testing.T) {
	long := `{"a":{"b":[` + strings.Repeat(`"filler",`, 30) + `"found",` + strings.Repeat(`"filler",`, 30) + `"end"]},"c":{},"d":[ ]}`
	at := strings.Index(long, `"found"`)
	for name, c := range map[string]struct {
		body   string
		places []stretch
		want   string
	}{
		"short":        {`{"a":1}`, nil, ""},
		"no JSON":      {strings.Repeat("x", 100), nil, ""},
		"cut off":      {`{"a":"` + strings.Repeat("x", 100), nil, ""},
		"long blanks":  {`{"a":1,` + strings.Repeat(" ", 100) + `"b":2}`, nil, ""},
		"formatted":    {`{"name":"` + strings.Repeat("x", 60) + `","list":[1,{"a":-2.5e3}],"none":null ,"empty":{ }}`, []stretch{{0, 1}}, "<{>\n  \"name\": \"" + strings.Repeat("x", 60) + "\",\n  \"list\": [\n    1,\n    {\n      \"a\": -2.5e3\n    }\n  ],\n  \"none\": null,\n  \"empty\": {}\n}"},
		"escapes":      {`["\"\\",` + strings.Repeat(" ", 60) + `"\\\"]","and so on"]`, nil, "[\n  \"\\\"\\\\\",\n  \"\\\\\\\"]\",\n  \"and so on\"\n]"},
		"a long value": {`["` + strings.Repeat("é", 200) + `"]`, []stretch{{1, 403}}, "[\n  <\"" + strings.Repeat("é", 79) + ">[… 243 more bytes …]\n]"},
		"folded": {long, []stretch{{at, at + 7}}, "{\n  \"a\": {\n    \"b\": [\n[… 27 lines …]\n" + strings.Repeat("      \"filler\",\n", 3) +
			"      <\"found\">,\n" + strings.Repeat("      \"filler\",\n", 3) + "[… 32 lines …]\n}"},
		"folded, without a mark": {long, nil, "{\n  \"a\": {\n    \"b\": [\n" + strings.Repeat("      \"filler\",\n", 9) + "[… 57 lines …]\n}"},
	} {
		if got := shown(formatted(c.body, c.places)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// A body that is shown in full loses only white space.
func FuzzHTMLJSON(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"\u0000 x"}],"c":true}`+strings.Repeat(" ", 60), 3, 9)
	f.Fuzz(func(t *testing.T, body string, from, to int) {
		from, to = min(max(from, 0), len(body)), min(max(to, 0), len(body))
		var parts strings.Builder
		for _, p := range formatted(body, []stretch{{from, max(from, to)}}) {
			if p.Text == "" {
				t.Error("an empty part")
			}
			parts.WriteString(p.Text)
		}
		if text := parts.String(); text != "" && !strings.Contains(text, "…") && len(strings.Join(strings.Fields(body), "")) > len(strings.Join(strings.Fields(text), "")) {
			t.Errorf("%q became %q", body, text)
		}
	})
}
