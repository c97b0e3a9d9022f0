package reporttest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CompileFile compiles a schema, of ours or one that somebody else published, when a test
// first asks for it, and checks it against its own dialect, too.
func CompileFile(file string) func(testing.TB) *jsonschema.Schema {
	compiled := sync.OnceValues(func() (*jsonschema.Schema, error) {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		return compiler.Compile(file)
	})
	return func(t testing.TB) *jsonschema.Schema {
		t.Helper()
		schema, err := compiled()
		if err != nil {
			t.Fatal(err)
		}
		return schema
	}
}

// Schema is a JSON Schema as far as this package uses it.
type Schema struct {
	Description string
	Ref         string `json:"$ref"`
	Enum        []string
	Required    []string
	Properties  map[string]Schema
	Items       *Schema
	AnyOf       []Schema
	Defs        map[string]Schema `json:"$defs"`
}

// ReadSchema reads a schema.
func ReadSchema(t *testing.T, file string) Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var root Schema
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// SchemaIsModel fails unless a schema has the keys of a model, and describes each.
func SchemaIsModel(t *testing.T, file string, model reflect.Type) {
	t.Helper()
	root := ReadSchema(t, file)
	used := map[string]bool{}
	sameKeys(t, strings.ToLower(model.Name()), model, root, root.Defs, used)
	for name := range root.Defs {
		if !used[name] {
			t.Errorf("$defs/%s describes nothing", name)
		}
	}
}

func sameKeys(t *testing.T, at string, model reflect.Type, schema Schema, defs map[string]Schema, used map[string]bool) {
	t.Helper()
	if name, ok := strings.CutPrefix(schema.Ref, "#/$defs/"); ok {
		used[name] = true
		schema = defs[name]
	}
	if len(schema.AnyOf) > 0 { // a thing, or null
		sameKeys(t, at, model.Elem(), schema.AnyOf[0], defs, used)
		return
	}
	if model.Kind() == reflect.Pointer { // a thing, or none
		model = model.Elem()
	}
	switch {
	case model.Kind() == reflect.Slice && schema.Items != nil:
		sameKeys(t, at+"[]", model.Elem(), *schema.Items, defs, used)
	case model.Implements(reflect.TypeFor[encoding.TextMarshaler]()): // a text
	case model.Kind() == reflect.Struct:
		keys := jsonKeys(model)
		if got, want := slices.Sorted(maps.Keys(schema.Properties)), slices.Sorted(maps.Keys(keys)); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, the model %v", at, got, want)
		}
		for name, field := range keys {
			optional := strings.Contains(field.Tag.Get("json"), ",omit")
			if slices.Contains(schema.Required, name) == optional {
				t.Errorf("%s.%s: omitempty is %t, and so is required", at, name, optional)
			}
			if schema.Properties[name].Description == "" {
				t.Errorf("%s.%s is not described", at, name)
			}
			sameKeys(t, at+"."+name, field.Type, schema.Properties[name], defs, used)
		}
	}
}

// jsonKeys are the fields of a struct by the key they are written under.
func jsonKeys(model reflect.Type) map[string]reflect.StructField {
	keys := map[string]reflect.StructField{}
	for field := range model.Fields() {
		if field.Anonymous {
			maps.Copy(keys, jsonKeys(field.Type))
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" {
			keys[name] = field
		}
	}
	return keys
}

// Meets holds a written report against a published schema.
func Meets(t testing.TB, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}

// Harmless holds when nothing in a text is for the terminal but line breaks.
func Harmless(t testing.TB, name, text string) {
	t.Helper()
	for i, c := range text {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("%s: %U at byte %d", name, c, i)
		}
	}
}

// A step's output is read by the CI system, standard error too. GitHub's runner
// obeys a line that begins, after white space, with ::name…:: and one that has
// ##[name…] anywhere (actions/runner, ActionCommand.cs); Azure Pipelines and
// TeamCity put a word before the bracket.
var (
	atLineStart = regexp.MustCompile(`(?m)^[\s\pZ]*::.*$`)
	InLine      = regexp.MustCompile(`##[A-Za-z]*\[.*`)
)

// CheckNoCommands holds when a step's output has nothing that a CI system would obey.
func CheckNoCommands(t testing.TB, name, output string) {
	t.Helper()
	output = strings.ReplaceAll(output, "\r", "\n") // ends a line for the runner, too
	if found := append(atLineStart.FindAllString(output, -1), InLine.FindAllString(output, -1)...); len(found) > 0 {
		t.Errorf("%s gives commands: %q", name, found)
	}
}

// Golden compares with a file in testdata. UPDATE_GOLDEN=1 go test writes the
// files anew: read what changed before you commit it.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s:\n%s", path, got)
	}
}

// Written is what write makes of content.
func Written[T any](t testing.TB, write func(io.Writer, T) error, content T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, content); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ErrFull is what a writer to a full disk says.
var ErrFull = errors.New("no space left")

// Full is a writer to a full disk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, ErrFull }
