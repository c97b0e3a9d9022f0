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

// CompileFile returns a function that compiles a schema (ours or a third party's) on its first
// call. The function also validates the schema against its own dialect.
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

// A Schema contains the parts of a JSON Schema that this package uses.
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

// ReadSchema reads a schema from a file.
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

// SchemaIsModel fails the test unless a schema has the same keys as a model and describes each.
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
	if len(schema.AnyOf) > 0 { // a value or null
		sameKeys(t, at, model.Elem(), schema.AnyOf[0], defs, used)
		return
	}
	if model.Kind() == reflect.Pointer { // an optional value
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

// jsonKeys returns the fields of a struct by their JSON keys.
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

// Meets fails the test unless a report matches a published schema.
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

// Harmless fails the test if a text contains control characters other than line breaks.
func Harmless(t testing.TB, name, text string) {
	t.Helper()
	for i, c := range text {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("%s: %U at byte %d", name, c, i)
		}
	}
}

// A CI system reads the standard output and standard error of a step. GitHub's runner
// executes a line that begins, after white space, with ::name…:: and a line that contains
// ##[name…] (actions/runner, ActionCommand.cs). Azure Pipelines and TeamCity put a word
// before the bracket.
var (
	atLineStart = regexp.MustCompile(`(?m)^[\s\pZ]*::.*$`)
	InLine      = regexp.MustCompile(`##[A-Za-z]*\[.*`)
)

// CheckNoCommands fails the test if a step's output contains a command for a CI system.
func CheckNoCommands(t testing.TB, name, output string) {
	t.Helper()
	output = strings.ReplaceAll(output, "\r", "\n") // ends a line for the runner, too
	if found := append(atLineStart.FindAllString(output, -1), InLine.FindAllString(output, -1)...); len(found) > 0 {
		t.Errorf("%s gives commands: %q", name, found)
	}
}

// Golden compares the output with a file in testdata. UPDATE_GOLDEN=1 go test rewrites the
// files. Check the changes before you commit them.
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

// Written returns the output of write for content.
func Written[T any](t testing.TB, write func(io.Writer, T) error, content T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, content); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ErrFull is the error of a writer to a full disk.
var ErrFull = errors.New("no space left")

// Full is a writer to a full disk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, ErrFull }
