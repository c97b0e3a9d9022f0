package document_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/document"
)

func TestParseKeepsLiteralsOrderAndPlaces(t *testing.T) {
	source := `# a comment first
b: {id: 9223372036854775808, f: 1e3, g: 1.0, n: ~, yes: yes}
a:
  - "1e3"
  - 12345678901234567890123
  - -0
text: |
  two
  lines
`
	root, err := document.Parse("x.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"b":{"id":9223372036854775808,"f":1e3,"g":1.0,"n":null,"yes":"yes"},` +
		`"a":["1e3",12345678901234567890123,-0],"text":"two\nlines\n"}`
	if got := string(root.JSON()); got != want {
		t.Errorf("JSON\n got %s\nwant %s", got, want)
	}
	if at := root.At("/a/1"); at == nil || at.Line != 5 || at.Column != 5 {
		t.Errorf("/a/1 stands at %+v, want line 5, column 5", at)
	}
	if root.At("a") != nil || root.At("/a/3") != nil || root.At("/a/x") != nil || root.At("/text/0") != nil || root.At("/no/where") != nil {
		t.Error("a pointer to nothing found something")
	}
}

func TestParseReadsJSONAndAnchors(t *testing.T) {
	for _, row := range []struct{ name, source, want string }{
		{"JSON", `{"a": [1, true, null, "x\u00e9<"], "b": {}}`, `{"a":[1,true,null,"xé<"],"b":{}}`},
		{"a surrogate pair", `{"a": "\ud83c\udf31"}`, `{"a":"🌱"}`},
		{"tabs between JSON tokens", "{\n\t\"a\":\t[\n\t\t1\n\t]\n}", `{"a":[1]}`},
		{"a byte order mark", "\ufeffa: 1", `{"a":1}`},
		{"an alias", "a: &x {k: 1}\nb: *x\n", `{"a":{"k":1},"b":{"k":1}}`},
		{"one key only", "a: 1", `{"a":1}`},
		{"an explicit document start", "---\na: 1\n", `{"a":1}`},
		{"quoted keys", `"200": x`, `{"200":"x"}`},
		{"a number as key", `200: x`, `{"200":"x"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			root, err := document.Parse("x", []byte(row.source))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(root.JSON()); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	laughs := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'h'; c++ {
		p := string(c - 1)
		laughs += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+p+",", 10), ",") + "]\n"
	}
	for _, row := range []struct{ name, source, want string }{
		{"nothing", "", "x.yaml: is empty"},
		{"only a comment", "# nothing\n", "x.yaml: is empty"},
		{"a second document", "a: 1\n---\nb: 2\n", "x.yaml:3:1: holds a second YAML document"},
		{"a duplicate key", "a: 1\na: 2\n", `x.yaml:2:1: mapping key "a" already defined`},
		{"an unclosed list", "a: [1", "x.yaml:1:4: "},
		{"octal", "a: 010", "x.yaml:1:4: 010 is no number as JSON writes it"},
		{"hexadecimal", "a: 0x1F", "0x1F is no number"},
		{"infinity", "a: .inf", ".inf is no number"},
		{"an unknown alias", "a: *x", "*x names no anchor"},
		{"a merge key", "a: &x {k: 1}\nb:\n  <<: *x\n", "merge keys"},
		{"a tag", "a: !!binary aGk=", "not supported"},
		{"invalid UTF-8", "a: \xff", "is not UTF-8"},
		{"a lone surrogate", `{"a": "\ud800"}`, "x.yaml:1:8: not enough length for escaped UTF-16 surrogate pair"},
		{"too much", strings.Repeat("#", 8<<20+1), "x.yaml: is larger than 8 MiB"},
		{"too deep", strings.Repeat("[", 1002) + strings.Repeat("]", 1002), "nests deeper than 1000 levels"},
		{"a billion laughs", laughs, "more than 1000000 values"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := document.Parse("x.yaml", []byte(row.source))
			if _, ok := errors.AsType[*document.Error](err); !ok {
				t.Fatalf("got %v, want a *document.Error", err)
			}
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %q, want it to contain %q", err, row.want)
			}
		})
	}
}

func TestErrorShowsTheLineWithACaret(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("title: a\nlevel: hard\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := root.Get("level").Errorf("no such level").Error()
	want := "x.yaml:2:8: no such level\n    2 | level: hard\n               ^"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestErrorsInLongLines: the column is the true one, and the excerpt is short
// enough to be read.
func TestErrorsInLongLines(t *testing.T) {
	caret := func(column int) string { return "\n" + strings.Repeat(" ", 7+column) + "^" }
	for _, row := range []struct{ name, source, want string }{
		{"as long as an excerpt", strings.Repeat("é", 155) + ": abc", "1:158: no\n    1 | " + strings.Repeat("é", 155) + ": abc" + caret(158)},
		{"longer", strings.Repeat("é", 156) + ": abc", "1:159: no\n    1 | " + strings.Repeat("é", 156) + ": ab…" + caret(159)},
		{"with the place far behind", strings.Repeat("é", 999) + ": abc", "1:1002: no\n    1 | " + strings.Repeat("é", 160) + "…" + caret(162)},
	} {
		t.Run(row.name, func(t *testing.T) {
			root, err := document.Parse("x.yaml", []byte(row.source))
			if err != nil {
				t.Fatal(err)
			}
			want := "x.yaml:" + row.want
			if got := root.Members[0].Value.Errorf("no").Error(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestFields(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("title: a\nempty: ''\ncount: 3\nlevel: hard\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := root.Fields("title", "count", "level"); err == nil || !strings.Contains(err.Error(), `2:1: unknown key "empty"; known are title`) {
		t.Errorf("unknown key: %v", err)
	}
	fields, err := root.Fields("title", "empty", "count", "level")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fields.Required("title"); text != "a" || err != nil {
		t.Errorf("title: %q, %v", text, err)
	}
	for name, call := range map[string]func() (string, error){
		"absent is missing": func() (string, error) { return fields.Required("absent") },
		"empty is empty":    func() (string, error) { return fields.Required("empty") },
		"count must be":     func() (string, error) { return fields.String("count") },
		`level is "hard"`:   func() (string, error) { return fields.OneOf("level", "must", "should") },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
	if _, err := root.Get("title").Fields("a"); err == nil || !strings.Contains(err.Error(), "expected a mapping") {
		t.Errorf("fields of a string: %v", err)
	}
}

// FuzzParse holds that whatever parses is written back as JSON of the same
// meaning, and that whatever does not is refused with an Error.
//
// Run it with -fuzzminimizetime=10x: by default the engine spends up to a
// minute on making each find smaller and reports no execs meanwhile.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1", "a: &x [1]\nb: *x", "- 1\n- 2", "{\"a\": 1e400}", "a: |\n  x\n", "? a\n: b", "a: 'x", "\"\\ud800\": 1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := document.Parse("x.yaml", data)
		if err != nil {
			var located *document.Error
			if !errors.As(err, &located) || !strings.HasPrefix(err.Error(), "x.yaml:") {
				t.Fatalf("%q is refused with %q", data, err)
			}
			return
		}
		again, err := document.Parse("x.json", root.JSON())
		if err != nil {
			t.Fatalf("%q became %q, which does not parse: %v", data, root.JSON(), err)
		}
		if string(again.JSON()) != string(root.JSON()) {
			t.Fatalf("%q became %q and then %q", data, root.JSON(), again.JSON())
		}
	})
}
