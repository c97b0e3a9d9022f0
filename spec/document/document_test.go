package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec/document"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // a third of the time, for memory that a test has
	debug.SetMemoryLimit(1 << 29)
	m.Run()
}

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

func deep(before, inside, after string, levels int) string {
	return strings.Repeat(before, levels) + inside + strings.Repeat(after, levels)
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
		{"a directive", "%YAML 1.2\n---\na: 1\n", `{"a":1}`},
		{"a comment behind a document's end", "a: 1\n---\n# end\n", `{"a":1}`},
		{"explicit keys", "? a key\n: 1\n? |\n  two\n  lines\n: {? \"b\" : 2}\n", `{"a key":1,"two\nlines\n":{"b":2}}`},
		{"line breaks of YAML 1.1", "a: x\u2028y\n# \u2029\nb: 'x\u0085y'\n\u2028: |\n  x\u2029y\n", "{\"a\":\"x\\u2028y\",\"b\":\"x\u0085y\",\"\\u2028\":\"x\\u2029y\\n\"}"},
		{"a carriage return as a line break", "a: 1\rb: 2\r", `{"a":1,"b":2}`},
		{"an empty item before a key", "a:\n- x\n-\nb: 1\n", `{"a":["x",null],"b":1}`},
		{"a merged mapping", "a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}\n", `{"a":{"k":1,"l":2},"b":{"l":3,"k":1}}`},
		{"several merged, of which the first counts", "a: &x {k: 1}\nb:\n  <<: [*x, {k: 2, m: 3}]\n", `{"a":{"k":1},"b":{"k":1,"m":3}}`},
		{"lists as deep as may be", deep("[", "", "]", 1001), deep("[", "", "]", 1001)},
		{"lists beside each other", "[" + strings.Repeat("[], ", 2000) + "{}]", "[" + strings.Repeat("[],", 2000) + "{}]"},
		{"mappings as deep as may be", deep("{a: ", "1", "}", 1000), deep(`{"a":`, "1", "}", 1000)},
		{"an anchor as deep as may be", deep("[", "&x 1", "]", 999), deep("[", "1", "]", 999)},
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

// endless is a device that has no end.
type endless struct{ fs.File }

func (endless) Read(p []byte) (int, error) { return len(p), nil }
func (endless) Close() error               { return nil }

func TestReadFileEnds(t *testing.T) {
	data, err := document.ReadFile(endless{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = document.Parse("x.yaml", data); err == nil || err.Error() != "x.yaml: is larger than 64 MiB" {
		t.Errorf("got %v", err)
	}
	if _, err := document.ReadFile(os.Open(t.TempDir())); !errors.As(err, new(*fs.PathError)) {
		t.Errorf("got %v of a folder", err)
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
		{"only a directive", "%YAML 1.2\n---\n", "x.yaml: is empty"},
		{"only a comment", "# nothing\n", "x.yaml: is empty"},
		{"a second document", "a: 1\n---\nb: 2\n", "x.yaml:3:1: contains a second YAML document"},
		{"a duplicate key", "a: 1\na: 2\n", `x.yaml:2:1: duplicate key "a"`},
		{"a tab as indent", "a:\n\tb: 1\n", "x.yaml:2:1: a tab cannot indent YAML; use spaces"},
		{"an unclosed list", "a: [1", "x.yaml:1:4: not valid YAML or JSON: did not find expected ',' or ']' while parsing a flow sequence"},
		{"a fault below line breaks of YAML 1.1", "a: 'x\u2028y'\nb: \"x\u0085y\"\nc: 010\n", "x.yaml:3:4: the value is not"},
		{"a fault below a carriage return", "a: 1\rb: @x\r", "x.yaml:2:4: not valid YAML or JSON: a value cannot begin with '@'; quote it"},
		{"a reserved character", "é: @x\n", "x.yaml:1:4: not valid YAML or JSON: a value cannot begin with '@'; quote it"},
		{"a colon too many", "a: 1\nb: c: d\n", "x.yaml:2:5: not valid YAML or JSON: mapping values are not allowed"},
		{"octal", "a: 010", "x.yaml:1:4: the value is not a valid JSON number"},
		{"hexadecimal", "a: 0x1F", "the value is not a valid JSON number"},
		{"infinity", "a: .inf", "the value is not a valid JSON number"},
		{"an unknown alias", "a: *x", "x.yaml:1:4: the alias refers to no earlier anchor"},
		{"an alias to what it is in", "a: &x [*x]", "x.yaml:1:8: the alias refers to no earlier anchor"},
		{"a merge key without a mapping", "a: {<<: 1}", "x.yaml:1:5: << takes a mapping or a list of them, found a number"},
		{"a merged key twice", "<<: {a: 1}\n<<: {b: 2}\n", `duplicate key "<<"`},
		{"a list as a key", "? [a]\n: 1\n", "x.yaml:1:3: a key must be a plain text"},
		{"an alias as a key", "a: &x k\n*x : 1\n", "x.yaml:2:1: a key must be a plain text, without an anchor or a tag"},
		{"an anchor at a key", "&x a: 1\n", "a key must be a plain text"},
		{"a tag at a key", "!!str a: 1\n", "a key must be a plain text"},
		{"an explicit key twice", "? a\n: 1\na: 2\n", `duplicate key "a"`},
		{"a tag", "a: !!binary aGk=", "not supported"},
		{"invalid UTF-8", "a: \xff", "x.yaml: is not UTF-8"},
		{"a lone surrogate", `{"a": "\ud800"}`, "x.yaml:1:10: not valid YAML or JSON: found invalid Unicode character escape code"},
		{"too much", strings.Repeat("#", 16<<20+1), "x.yaml: is larger than 16 MiB"},
		{"as much as may be", strings.Repeat("#", 16<<20), "x.yaml: is empty"},
		{"too deep", deep("[", "", "]", 1002), "nests deeper than 1000 levels"},
		{"far too deep, and never closed", strings.Repeat("[", 100_000), "x.yaml:1:1002: nests deeper than 1000 levels"},
		{"too deep without a bracket", strings.Repeat("- ", 1002) + "1", "nests deeper than 1000 levels"},
		{"mappings far too deep", strings.Repeat("{a: ", 20_000), "nests deeper than 1000 levels"},
		{"a billion laughs", laughs, "more than 1000000 values"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := document.Parse("x.yaml", []byte(row.source))
			located, ok := errors.AsType[*document.Error](err)
			if !ok {
				t.Fatalf("got %v, want a *document.Error", err)
			}
			if (located.Line == 0) != (located.Column == 0) {
				t.Errorf("line %d, column %d: a place is known or it is not", located.Line, located.Column)
			}
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %q, want it to contain %q", err, row.want)
			}
		})
	}
}

// TestAliasesCountForWhatTheyStandFor checks the limit of a million values, with the values of each
// alias.
func TestAliasesCountForWhatTheyStandFor(t *testing.T) {
	ones := func(n int) string { return strings.Repeat("1,", n) }
	var members strings.Builder
	for i := range 999 {
		fmt.Fprintf(&members, "k%d: 1,", i)
	}
	// The document, a, b, and 997 times an alias of 1000 values.
	const others = 1 + 1000 + 1 + 997*1000
	for name, anchored := range map[string]string{"a list": "[" + ones(999) + "]", "a mapping": "{" + members.String() + "}"} {
		for _, excess := range []int{0, 1} {
			rest := ones(1_000_000 - others + excess)
			for _, source := range []string{
				"a: &a " + anchored + "\nb: [" + rest + strings.Repeat("*a,", 997) + "]\n",
				"a: &a " + anchored + "\nb: [" + strings.Repeat("*a,", 997) + rest + "]\n",
			} {
				_, err := document.Parse("x.yaml", []byte(source))
				if refused := err != nil && strings.Contains(err.Error(), "holds more than 1000000 values"); refused != (excess > 0) {
					t.Errorf("%s, %d too many: %v", name, excess, err)
				}
			}
		}
	}
}

// TestPlaces checks that a mapping begins with its first key, or with its brace.
func TestPlaces(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("# first\na:\n  b: 1\n  c: {d: 2}\n  e: [3]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{"": "2:1", "/a": "3:3", "/a/b": "3:6", "/a/c": "4:6", "/a/c/d": "4:10", "/a/e": "5:6"} {
		if n := root.At(pointer); fmt.Sprintf("%d:%d", n.Line, n.Column) != want {
			t.Errorf("%q stands at %d:%d, want %s", pointer, n.Line, n.Column, want)
		}
	}
}

// TestAt checks that At follows JSON pointers.
func TestAt(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("{a/b: [zero, one], m~n: {'': empty}, s: x}"))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/a~1b/0": "zero", "/a~1b/1": "one", "/m~0n/": "empty", "/s": "x",
		"/a~1b/2": "", "/a~1b/-1": "", "/a~1b/+1": "", "/a~1b/01": "", "/a~1b/x": "", "/a~1b/-": "", "/a/b": "", "/s/0": "", "/no/where": "", "s": "",
	} {
		if got := root.At(pointer).Text(); got != want {
			t.Errorf("%s: %q, want %q", pointer, got, want)
		}
	}
	if root.At("") != root {
		t.Error("the empty pointer is not the whole")
	}
}

// TestNodesOfOtherKinds checks that methods of a nil node, or of one of another kind, return
// nothing.
func TestNodesOfOtherKinds(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("{s: 'true', t: true, f: false, n: 12, l: [true], m: {t: true}, z: null}"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]struct {
		text   string
		isTrue bool
		inside bool // has a member t
	}{"s": {text: "true"}, "t": {isTrue: true}, "f": {}, "n": {}, "l": {}, "m": {inside: true}, "z": {}, "absent": {}} {
		n := root.Get(key)
		if n.Text() != want.text || n.True() != want.isTrue || (n.Get("t") != nil) != want.inside {
			t.Errorf("%s: %q, %v, %v", key, n.Text(), n.True(), n.Get("t"))
		}
	}
}

// TestValue checks that Value returns the same as encoding/json.
func TestValue(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("{a: [1e3, x, true, false, null, {}, []], b: {c: 9223372036854775808}}"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(root.JSON()))
	decoder.UseNumber()
	var want any
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, root.Value()); diff != "" {
		t.Error(diff)
	}
}

// TestErrorText checks that it has as much of the place as is known, and is safe to print.
func TestErrorText(t *testing.T) {
	for _, row := range []struct {
		name string
		err  document.Error
		want string
	}{
		{"no place", document.Error{Message: "m", Excerpt: "a"}, "x: m"},
		{"no excerpt", document.Error{Message: "m", Line: 2, Column: 3}, "x:2:3: m"},
		{"no column", document.Error{Message: "m", Line: 2, Excerpt: "ab"}, "x:2:0: m\n    2 | ab\n        ^"},
		{"the end of the line", document.Error{Message: "m", Line: 2, Column: 3, Excerpt: "ab"}, "x:2:3: m\n    2 | ab\n          ^"},
	} {
		row.err.File = "x"
		if got := row.err.Error(); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
	_, err := document.Parse("x", []byte("a: 1 # \x1b[31m\tred\x7f\u009b!\r\n"))
	const want = "x:1:8: not valid YAML or JSON: control characters are not allowed (value: 27)\n    1 | a: 1 #  [31m red  !\n               ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%q\nwant\n%q", err, want)
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

// TestErrorsInLongLines checks that the column is correct, and the excerpt is short.
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
	root, err := document.Parse("x.yaml", []byte("title: a\nempty: ''\ncount: 3\nlevel: hard\nin: {a: b}\nnames: [a, 1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"title", "empty", "count", "level", "in", "names"}
	fields := root.Fields(known...)
	got := []string{fields.String("absent"), fields.String("title"), fields.Required("title"), fields.OneOf("level", "easy", "hard"), fields.OneOf("absent", "must")}
	if want := []string{"", "a", "a", "hard", ""}; !slices.Equal(got, want) || fields.Err() != nil {
		t.Errorf("got %q, %v; want %q", got, fields.Err(), want)
	}
	if members := fields.Members("in"); len(members) != 1 || fields.Members("absent") != nil || fields.Names("absent") != nil || fields.Bool("absent") || fields.Err() != nil {
		t.Errorf("got %v, %v", members, fields.Err())
	}
	for want, read := range map[string]func(f *document.Fields){
		"count must be a string, found a number":         func(f *document.Fields) { f.Required("count") },
		"4:8: level is \"hard\"; it must be one of must": func(f *document.Fields) { f.OneOf("level", "must") },
		"1:1: absent is missing":                         func(f *document.Fields) { f.Required("absent") },
		"2:8: empty is empty":                            func(f *document.Fields) { f.Required("empty"); f.Required("absent") },
		"title must be true or false, found a string":    func(f *document.Fields) { f.Bool("title") },
		"title must be a mapping from names to values":   func(f *document.Fields) { f.Members("title") },
		"title must be a list of names":                  func(f *document.Fields) { f.Names("title") },
		"names must be a list of names, found a number":  func(f *document.Fields) { f.Names("names") },
		"of the caller":                                  func(f *document.Fields) { f.Errorf("title", "of the caller"); f.Check(errors.New("a later one")) },
	} {
		fields := root.Fields(known...)
		if read(fields); fields.Err() == nil || !strings.Contains(fields.Err().Error(), want) {
			t.Errorf("want an error with %q, got %v", want, fields.Err())
		}
	}
	if err := root.Fields("title", "count", "level").Err(); err == nil || !strings.Contains(err.Error(), `2:1: unknown key "empty"; known are title`) {
		t.Errorf("unknown key: %v", err)
	}
	if err := root.Get("title").Fields("a").Err(); err == nil || !strings.Contains(err.Error(), "expected a mapping") {
		t.Errorf("fields of a string: %v", err)
	}
	if fields := root.Get("absent").Fields("a"); fields.String("a") != "" || fields.Err() != nil {
		t.Errorf("fields of nothing: %v", fields.Err())
	}
}

// FuzzParse checks that a valid document is written back as JSON with the same meaning, and that
// any other is rejected with an Error.
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
