package reporttest

import (
	"encoding"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

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
