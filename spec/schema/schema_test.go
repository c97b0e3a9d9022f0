package schema_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// at returns the schema at that place below the components of a document.
func at(t testing.TB, version, schemas, pointer string) *schema.Schema {
	t.Helper()
	root, err := document.Parse("x.yaml", []byte("openapi: "+version+"\ncomponents:\n  schemas: "+schemas+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return schema.NewSet(root).At(document.Top(root).To("components", "schemas").Follow(pointer))
}

// judged returns the faults of a JSON text, in words.
func judged(t testing.TB, s *schema.Schema, d schema.Direction, text string) string {
	t.Helper()
	read, err := instance.Read(t.Context(), []byte(text), instance.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := s.Faults(d, read.Value)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, f := range faults {
		words = append(words, strings.TrimSpace(f.Pointer()+" "+f.Message))
	}
	return strings.Join(words, ", ")
}

// TestDirections: a read-only property is required only in responses, and a write-only one only in
// requests (OpenAPI 3.0.3, Schema Object).
func TestDirections(t *testing.T) {
	const schemas = `
    Mixed: {type: object, additionalProperties: false, required: [id, key, name], properties: {id: {$ref: '#/components/schemas/Id'}, key: {type: string, writeOnly: true}, name: {type: string}}}
    Id: {type: integer, readOnly: true}
    List: {type: array, items: {$ref: '#/components/schemas/Mixed'}}`
	for _, row := range []struct{ pointer, text, response, request string }{
		{"/Mixed", `{"id":1,"name":"a"}`, "", "/key is missing"},
		{"/Mixed", `{"key":"k","name":"a"}`, "/id is missing", ""},
		{"/Mixed", `{"id":"1","key":"k","name":"a"}`, "/id has the wrong type", ""},
		{"/Mixed", `{"id":1,"key":"k"}`, "/name is missing", "/name is missing"},
		{"/Mixed", `{"id":1,"key":"k","name":"a","x":1}`, "/x is a property that the contract does not declare", "/x is a property that the contract does not declare"},
		{"/List", `[{"id":1,"name":"a"},{"key":"k","name":"b"}]`, "/1/id is missing", "/0/key is missing"},
	} {
		s := at(t, "3.0.3", schemas, row.pointer)
		for d, want := range map[schema.Direction]string{schema.Response: row.response, schema.Request: row.request} {
			if got := judged(t, s, d, row.text); got != want {
				t.Errorf("%s %s, direction %d: %q, want %q", row.pointer, row.text, d, got, want)
			}
		}
	}
}

// TestReferencesLeadAnywhere: a reference may contain any characters, and may lead into the middle
// of other schemas or back to its own place.
func TestReferencesLeadAnywhere(t *testing.T) {
	const schemas = `
    Name: {type: string, maxLength: 2}
    "a b/c~d%#?ä": {type: integer}
    Outer: {type: object, properties: {inner: {type: object, properties: {n: {type: boolean}}}}}
    Tree: {type: object, required: [n], properties: {n: {type: integer}, below: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
    All:
      type: object
      properties:
        name: {$ref: '#/components/schemas/Name'}
        odd: {$ref: '#/components/schemas/a%20b~1c~0d%25%23%3Fä'}
        middle: {$ref: '#/components/schemas/Outer/properties/inner'}
        sibling: {$ref: '#/components/schemas/All/properties/name'}
        tree: {$ref: '#/components/schemas/Tree'}`
	for _, version := range []string{"3.0.3", "3.1.0"} {
		s := at(t, version, schemas, "/All")
		text := `{"name":"abc","odd":"1","middle":{"n":1},"sibling":"abc","tree":{"n":1,"below":[{"n":2},{"below":[{}]}]}}`
		want := "/middle/n has the wrong type, /name is too long, /odd has the wrong type, /sibling is too long, " +
			"/tree/below/1/below/0/n is missing, /tree/below/1/n is missing"
		if got := judged(t, s, schema.Response, text); got != want {
			t.Errorf("OpenAPI %s: %q, want %q", version, got, want)
		}
	}
}

// TestKeywordsWithFlawsAreLeftOut: such keywords are ignored, and reported with their places.
func TestKeywordsWithFlawsAreLeftOut(t *testing.T) {
	s := at(t, "3.0.3", "{A: {type: object, required: [a, a], properties: {a: {minimum: 2, pattern: '('}, b: 1}}}", "/A")
	if got := judged(t, s, schema.Response, `{"a":1,"b":1}`); got != "/a is too small" {
		t.Error(got)
	}
	told := ""
	var inspect func(document.Place)
	inspect = func(at document.Place) {
		flaws, inner := schema.Inspect(at, true)
		for _, f := range flaws {
			told += fmt.Sprintf("%s %s %v; ", f.Place.Pointer, f.Message, f.Harmless)
		}
		for _, at := range inner {
			inspect(at)
		}
	}
	inspect(s.Place)
	const below = "/components/schemas/A/"
	if want := below + "required " + "required lists a twice true; " +
		below + "properties/a/pattern this pattern is not supported: error parsing regexp: missing closing ): `(` false; " +
		below + "properties/b a schema must be a mapping, found a number false; "; told != want {
		t.Errorf("got  %s\nwant %s", told, want)
	}
}

// TestSchemasThatCannotBeCompiled: the error names the place, as closely as it is known.
func TestSchemasThatCannotBeCompiled(t *testing.T) {
	for _, row := range []struct{ schema, pointer, want string }{
		{`{"definitions": {"a": {"type": "text"}}}`, "/definitions/a/type", `/definitions/a/type matches none of the alternatives; expected one of "array", "boolean", "integer", "null", "number", "object", "string" or a list`},
		{`{"definitions": {"a": {"pattern": "(?=x)"}}}`, "/definitions/a/pattern", "this pattern is not supported: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
		{`{"definitions": {"a": {"pattern": "^(?=x)x|y"}}}`, "/definitions/a/pattern", "this pattern is not supported: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
		{`{"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 3}`, "", "the schema does not meet the schema dependency/exclusiveMinimum; expected a value that meets it"},
	} {
		err := at(t, "3.1.0", `{"T": `+row.schema+`}`, "/T").Compile(schema.Response)
		if flaw, ok := errors.AsType[*document.Error](err); !ok || flaw.Message != row.want || flaw.Pointer != "/components/schemas/T"+row.pointer {
			t.Errorf("%s: %v, want %s", row.schema, err, row.want)
		}
	}
}

// TestShapesAreNumbered: the numbers start at 0, and each shape has a different one.
func TestShapesAreNumbered(t *testing.T) {
	s := at(t, "3.0.3", "{A: {allOf: [{properties: {a: {type: array, items: {type: string}}, b: {}}}, {properties: {a: {maxItems: 1}, c: {additionalProperties: {type: object, properties: {d: {}}}}}}]}}", "/A")
	seen := map[int]bool{}
	var walk func(*schema.Shape)
	walk = func(s *schema.Shape) {
		if s == nil {
			return
		}
		if seen[s.Index] {
			t.Errorf("%d is the number of two", s.Index)
		}
		seen[s.Index] = true
		for _, p := range s.Properties {
			walk(p.Shape)
		}
		walk(s.Each)
	}
	walk(s.Shape())
	for i := range s.Shape().Nodes {
		if !seen[i] {
			t.Errorf("%d of %d is the number of none", i, s.Shape().Nodes)
		}
	}
	if other := s.Shape().At([]string{"x"}, map[string]any{}); other.Index != -1 || !other.Allows("null") {
		t.Errorf("of what the schema does not tell: %+v", other)
	}
}

// TestSetIsShared: several goroutines can use one set at the same time.
func TestSetIsShared(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte("{openapi: 3.1.0, components: {schemas: {A: {type: array, items: {$ref: '#/components/schemas/B'}}, B: {type: integer}}}}"))
	if err != nil {
		t.Fatal(err)
	}
	set := schema.NewSet(root)
	var users sync.WaitGroup
	for i := range 20 {
		users.Go(func() {
			s := set.At(document.Top(root).To("components", "schemas", []string{"A", "B"}[i%2]))
			if faults, err := s.Faults(schema.Direction(i/2%2), "text"); len(faults) != 1 || err != nil {
				t.Errorf("%v, %v", faults, err)
			}
		})
	}
	users.Wait()
}

func Example() {
	root, err := document.Parse("api.yaml", []byte(`
openapi: 3.1.0
components:
  schemas:
    Point: {type: object, required: [x], properties: {x: {type: integer}, at: {type: string, readOnly: true}}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	point := schema.NewSet(root).At(document.Top(root).To("components", "schemas", "Point"))
	text, err := instance.Read(context.Background(), []byte(`{"x": "1"}`), instance.DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	faults, err := point.Faults(schema.Request, text.Value)
	fmt.Println(point.Shape().Describe(), err)
	for _, f := range faults {
		fmt.Println(f.Pointer(), f.Message+"; expected", f.Expected)
	}
	// Output:
	// an object <nil>
	// /x has the wrong type; expected an integer
}
