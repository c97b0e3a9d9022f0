package compare_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
)

// compileSchema checks the schema against its own dialect, too.
var compileSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(compare.Schema()))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("compare.schema.json", parsed); err != nil {
		return nil, err
	}
	return compiler.Compile("compare.schema.json")
})

// validate holds a written comparison against the schema.
func validate(t testing.TB, written []byte) {
	t.Helper()
	schema, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}

func written(t testing.TB, c compare.Comparison) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := compare.WriteJSON(&out, c); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEveryComparisonMeetsTheSchema(t *testing.T) {
	for name, c := range scenes(t) {
		t.Run(name, func(t *testing.T) { validate(t, written(t, c)) })
	}
}

func TestJSON(t *testing.T) {
	for _, name := range []string{"implementations", "change"} {
		c := scenes(t)[name]
		text := written(t, c)
		golden(t, name+".json", text)

		var back compare.Comparison
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, c) {
			t.Errorf("%s: what is read is not what was written", name)
		}
	}
}

// The words of the schema are those of the packages that give them.
func TestSchemaEnums(t *testing.T) {
	var root object
	if err := json.Unmarshal(compare.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	statuses := []string{
		string(judge.ClausePassed), string(judge.ClauseFailed), string(judge.ClauseWaived), string(judge.ClauseWarned), string(judge.ClauseVacuous), string(judge.ClauseUnexercised), string(compare.Absent),
	}
	levels := []string{string(spec.Must), string(spec.Should), string(spec.Silent)}
	for _, row := range []struct {
		name string
		got  object
		want []string
	}{
		{"kind", root.Properties["kind"], []string{string(compare.Implementations), string(compare.Since)}},
		{"outcome", root.Properties["outcome"], []string{string(compare.Compared), string(compare.Regression), string(compare.NoRegression), string(compare.Inconclusive)}},
		{"verdict", root.Defs["column"].Properties["verdict"], []string{string(judge.Conformant), string(judge.Nonconformant), string(judge.Inconclusive)}},
		{"status of a cell", root.Defs["cell"].Properties["status"], statuses},
		{"status before", root.Defs["shift"].Properties["before"], statuses},
		{"status after", root.Defs["move"].Properties["after"], statuses},
		{"level of a clause", root.Defs["clause"].Properties["level"], levels},
		{"level of a shift", root.Defs["shift"].Properties["level"], levels},
		{"severity", root.Defs["shift"].Properties["severity"], []string{string(judge.Violation), string(judge.Warning)}},
	} {
		if !slices.Equal(row.got.Enum, row.want) {
			t.Errorf("%s: the schema has %v, Go %v", row.name, row.got.Enum, row.want)
		}
	}
}

// object is a JSON Schema as far as this package uses it.
type object struct {
	Description string
	Ref         string `json:"$ref"`
	Type        string
	Enum        []string
	Required    []string
	Properties  map[string]object
	Items       *object
	Defs        map[string]object `json:"$defs"`
}

// Schema and Go model have the same keys, and the same of them may be absent.
func TestSchemaIsTheModel(t *testing.T) {
	var root object
	if err := json.Unmarshal(compare.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	sameKeys(t, "comparison", reflect.TypeFor[compare.Comparison](), root, root.Defs, used)
	for name := range root.Defs {
		if !used[name] {
			t.Errorf("$defs/%s describes nothing", name)
		}
	}
}

func sameKeys(t *testing.T, at string, model reflect.Type, schema object, defs map[string]object, used map[string]bool) {
	t.Helper()
	if name, ok := strings.CutPrefix(schema.Ref, "#/$defs/"); ok {
		used[name] = true
		schema = defs[name]
	}
	if model.Kind() == reflect.Pointer { // a thing, or none
		model = model.Elem()
	}
	switch {
	case model.Kind() == reflect.Slice && schema.Items != nil:
		sameKeys(t, at+"[]", model.Elem(), *schema.Items, defs, used)
	case model.Kind() == reflect.Struct && model != reflect.TypeFor[time.Time]():
		keys := jsonKeys(model)
		if got, want := slices.Sorted(maps.Keys(schema.Properties)), slices.Sorted(maps.Keys(keys)); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %v, the model %v", at, got, want)
		}
		for name, field := range keys {
			optional := strings.HasSuffix(field.Tag.Get("json"), ",omitempty")
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
		keys[name] = field
	}
	return keys
}
