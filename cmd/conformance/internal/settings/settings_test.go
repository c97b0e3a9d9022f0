package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
)

func known() []settings.Key {
	return []settings.Key{
		{Name: "base-url"},
		{Name: "seed"},
		{Name: "strict"},
		{Name: "waivers", Locate: settings.Beside},
		{Name: "header", Repeatable: true, Expand: true},
	}
}

func unknown(key string, known []string) string {
	return "; " + key + " is none of " + strings.Join(known, ", ")
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conformance.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Values keep their text, even if YAML would convert it.
func TestLoadFile(t *testing.T) {
	t.Setenv("SETTINGS_TEST_KEY", "k3y")
	for _, row := range []struct {
		name, text string
		want       map[string][]string // key: text@line
	}{
		{"nothing", "", nil},
		{"comments only", "# base-url: http://x\n\n  # seed: 1\n", nil},
		{"a text", "base-url: http://x.example\n", map[string][]string{"base-url": {"http://x.example@1"}}},
		{"a number of any size", "\nseed: 18446744073709551615\n", map[string][]string{"seed": {"18446744073709551615@2"}}},
		{"a switch", "strict: true\n", map[string][]string{"strict": {"true@1"}}},
		{"a list", "header:\n  - 'A: 1'\n  - 'B: 2, 3'\n", map[string][]string{"header": {"A: 1@2", "B: 2, 3@3"}}},
		{"one of what may be a list", "header: 'A: 1'\n", map[string][]string{"header": {"A: 1@1"}}},
		{"an empty list", "header: []\n", map[string][]string{"header": nil}},
		{"a variable", "header: 'A: <${SETTINGS_TEST_KEY}>'\n", map[string][]string{"header": {"A: <k3y>@1"}}},
		{"a dollar by itself", "header: 'A: $5'\n", map[string][]string{"header": {"A: $5@1"}}},
		{"no variable elsewhere", "base-url: http://${SETTINGS_TEST_KEY}\n", map[string][]string{"base-url": {"http://${SETTINGS_TEST_KEY}@1"}}},
		{"a path", "waivers: known/waivers.yaml\n", map[string][]string{"waivers": {"DIR/known/waivers.yaml@1"}}},
		{"a path upwards", "waivers: sub/../waivers.yaml\n", map[string][]string{"waivers": {"DIR/waivers.yaml@1"}}},
		{"an absolute path", "waivers: /etc/waivers.yaml\n", map[string][]string{"waivers": {"/etc/waivers.yaml@1"}}},
		{"standard input", "waivers: '-'\n", map[string][]string{"waivers": {"-@1"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := write(t, row.text)
			s, err := settings.LoadFile(path, known(), unknown)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][]string{}
			for key, values := range s {
				got[key] = nil
				for _, v := range values {
					line := strings.TrimPrefix(v.Place, path+":")
					got[key] = append(got[key], strings.Replace(v.Text, filepath.Dir(path), "DIR", 1)+"@"+line)
				}
			}
			if row.want == nil {
				row.want = map[string][]string{}
			}
			if !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

// Written is the text in the file, without the values of variables and without the folders of this
// machine.
func TestWritten(t *testing.T) {
	t.Setenv("SETTINGS_TEST_KEY", "k3y")
	s, err := settings.LoadFile(write(t, "header: ['A: <${SETTINGS_TEST_KEY}>', 'B: $5']\nwaivers: known.yaml\n"), known(), unknown)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"A: <${SETTINGS_TEST_KEY}>", "B: $5"} {
		if got := s["header"][i].Written; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := s["waivers"][0].Written; got != "known.yaml" {
		t.Errorf("got %q", got)
	}
}

func TestVariables(t *testing.T) {
	for text, want := range map[string]struct {
		without string
		has     bool
	}{
		"": {}, "a": {"a", false}, "$5 {}": {"$5 {}", false}, "${A}": {"", true}, "x ${A} y ${B}z": {"x  y z", true},
		"a ${B": {"a ${B", true}, "${A} ${B": {"${A} ${B", true},
	} {
		if without, has := settings.WithoutVariables(text), settings.HasVariables(text); without != want.without || has != want.has {
			t.Errorf("%q: %q, %v", text, without, has)
		}
	}
}

func TestLoadFileRefuses(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"an unknown key", "base-url: http://x\ntimout: 3s\n", `:2:1: unknown key "timout"; timout is none of base-url, seed, strict, waivers, header`},
		{"a list of settings", "- base-url: http://x\n", ":1:1: must be a mapping of settings, each as `key: value`; found a list"},
		{"an empty list", "[]\n", ":1:1: must be a mapping of settings, each as `key: value`; found a list"},
		{"prose", "hunter2\n", ":1:1: must be a mapping of settings, each as `key: value`; found a string"},
		{"a list where one value stands", "base-url: [http://x, http://y]\n", "base-url must be one value, found a list"},
		{"no value", "base-url:\n", "base-url has no value"},
		{"a mapping", "header: {A: 1}\n", "header must be written as for the flag, found a mapping; put the whole value in quotes"},
		{"a mapping in a list", "header:\n  - A: hunter2\n", ":2:5: header must be written as for the flag, found a mapping; put the whole value in quotes"},
		{"a mapping where one value stands", "seed:\n  a: 1\n", "seed must be written as for the flag, found a mapping; put the whole value in quotes"},
		{"a list in a list", "header: [[hunter2]]\n", "header must be written as for the flag, found a list"},
		{"a colon without quotes", "header: X-Api-Key: hunter2\n", `:1:18: not valid YAML or JSON: mapping values are not allowed in this context; a value with ": " in it must be in quotes`},
		{"a colon without quotes, in a list", "header:\n  - X-Api-Key: hunter2: 1\n", `:2:23: not valid YAML or JSON: mapping values are not allowed in this context; a value with ": " in it must be in quotes`},
		{"a colon without quotes, in brackets", "header: [X-Api-Key: hunter2: 1]\n", `; a value with ": " in it must be in quotes`},
		{"a star without quotes", "header: *\n", ":1:10: not valid YAML or JSON: did not find expected alphabetic or numeric character while scanning an alias; a value that begins with * must be in quotes"},
		{"two stars without quotes", "header: **\n", "; a value that begins with * must be in quotes"},
		{"a star without quotes, in a list", "header:\n- *hunter2\n", ":2:3: the alias refers to no earlier anchor; a value that begins with * must be in quotes"},
		{"a star without quotes, in brackets", "header: [*]\n", "; a value that begins with * must be in quotes"},
		{"an at sign without quotes", "header: @hunter2\n", ":1:9: not valid YAML or JSON: a value cannot begin with '@'; quote it"},
		{"an exclamation mark without quotes", "header: !hunter2\n", ":1:9: this YAML construct (a tag) is not supported here; a value that begins with ! must be in quotes"},
		{"an ampersand without quotes", "header: &hunter2\n", ":1:9: header has no value; give it one or omit the key"},
		{"the value of an unknown key", "token: hunter2\n", `:1:1: unknown key "token"; token is none of base-url, `},
		{"a number that JSON does not have", "token: 0123\n", ":1:8: the value is not a valid JSON number; quote it if it is text"},
		{"a key twice", "seed: 1\nseed: 2\n", "seed"},
		{"two documents", "seed: 1\n---\nseed: 2\n", "document"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := write(t, row.text)
			_, err := settings.LoadFile(path, known(), unknown)
			if err == nil || !strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), path+":") {
				t.Errorf("got %v, want %q behind the path", err, row.want)
			}
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("it shows the file: %v", err)
			}
		})
	}
	_, err := settings.LoadFile(filepath.Join(t.TempDir(), "none.yaml"), known(), unknown)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v of a file that does not exist", err)
	}
}

// Only errors that quotes would fix give that advice.
func TestMistakesThatQuotesDoNotMend(t *testing.T) {
	for _, text := range []string{
		"header: 'X: a\n", `header: "X: a` + "\n", "header: {X: a\n", "seed: 1\n  strict: true\n", "seed: 1\nstrict\n", "seed: [a # b: c\n", "seed: 1\n\tstrict: true\n",
	} {
		_, err := settings.LoadFile(write(t, text), known(), unknown)
		if err == nil || strings.Contains(err.Error(), "quotes") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An unset variable is an error only for a value that is used.
func TestFault(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"a variable that is not set", "'A: ${SETTINGS_TEST_UNSET}'", ":1:9: header: the environment variable SETTINGS_TEST_UNSET is not set, or is empty"},
		{"a variable without end", "'A: ${SETTINGS'", ":1:9: header: ${ has no } after it"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := write(t, "header: "+row.text+"\n")
			s, err := settings.LoadFile(path, known(), unknown)
			if err != nil {
				t.Fatal(err)
			}
			if fault := s["header"][0].Fault; fault == nil || fault.Error() != path+row.want {
				t.Errorf("got %v, want %s", fault, row.want)
			}
		})
	}
}

func TestLoadList(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"two", "targets:\n  - seed: 1\n  - seed: 2\n", "12"},
		{"nothing", "# targets:\n", "is empty; it must hold a list under targets"},
		{"no list", "targets: {seed: 1}\n", "targets must be a list with at least one item"},
		{"an empty list", "targets: []\n", "targets must be a list with at least one item"},
		{"another key", "target:\n  - seed: 1\n", `unknown key "target"`},
		{"no mapping in it", "targets: [seed]\n", ":1:11: must be a mapping of settings, each as `key: value`; found a string"},
		{"an unknown key in it", "targets:\n  - sed: 1\n", `:2:5: unknown key "sed"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			list, err := settings.LoadList(write(t, row.text), "targets", known(), unknown)
			got := ""
			for _, s := range list {
				got += s["seed"][0].Text
			}
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, row.want) {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}
