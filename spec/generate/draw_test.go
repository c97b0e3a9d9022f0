package generate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// schemaOf returns the schema T of a document that may have other schemas, too.
func schemaOf(t testing.TB, version, text string) *schema.Schema {
	t.Helper()
	root, err := document.Parse("x.yaml", []byte("openapi: "+version+"\ncomponents:\n  schemas:\n    T: "+text+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return schema.NewSet(root).At(document.Top(root).To("components", "schemas", "T"))
}

// TestPlainestValue: the value of a schema if all choices are 0.
func TestPlainestValue(t *testing.T) {
	for _, row := range []struct{ about, schema, want string }{
		{"free text is marked", `{type: string}`, `"conformance text"`},
		{"and fits", `{type: string, maxLength: 4}`, `"conf"`},
		{"and is long enough", `{type: string, minLength: 18}`, `"conformance textaa"`},
		{"a pattern that takes hyphens", `{type: string, pattern: '^[a-z-]+$'}`, `"conformance-text"`},
		{"a pattern", `{type: string, pattern: '^[A-Z]{3}-\d{2,}$'}`, `"AAA-11"`},
		{"a pattern and a length", `{type: string, pattern: '^[A-Z]+$', minLength: 5, maxLength: 7}`, `"AAAAA"`},
		{"white space of ECMAScript", `{type: string, pattern: '^\s\w$'}`, `" a"`},
		{"a date", `{type: string, format: date}`, `"2026-01-01"`},
		{"a format that is not asserted", `{type: string, format: duration}`, `"P1D"`},
		{"a text that holds bytes", `{type: string, contentEncoding: base64, contentMediaType: image/png}`, `"Y29uZm9ybWFuY2U="`},
		{"a text that holds JSON", `{type: string, contentMediaType: application/json}`, `"{\"conformance\":0}"`},
		{"a text that holds another text", `{type: string, contentMediaType: text/html}`, `"conformance text"`},
		{"a number in a text", `{type: string, format: uint64}`, `"1"`},
		{"an example", `{type: string, example: EUR}`, `"EUR"`},
		{"a default", `{type: integer, default: 20}`, `20`},
		{"an example that is not valid", `{type: integer, minimum: 5, example: 3}`, `5`},
		{"an enum", `{type: string, enum: [b, a]}`, `"b"`},
		{"a number", `{type: number}`, `1`},
		{"a number below an open bound", `{type: number, exclusiveMaximum: 1}`, `0`},
		{"between open bounds", `{type: number, exclusiveMinimum: 0, exclusiveMaximum: 0.5}`, `0.25`},
		{"a multiple", `{type: integer, multipleOf: 7, minimum: 8}`, `14`},
		{"a common multiple", `{allOf: [{type: integer, multipleOf: 4}, {multipleOf: 6, minimum: 1}]}`, `12`},
		{"beyond doubles", `{type: integer, minimum: 9223372036854775807}`, `9223372036854775807`},
		{"only what is required", `{type: object, required: [a], properties: {a: {type: boolean}, b: {type: string}}}`, `{"a":false}`},
		{"a required property that nothing is said of", `{type: object, required: [a]}`, `{"a":"conformance a"}`},
		{"allOf", `{allOf: [{type: object, required: [a], properties: {a: {type: integer}}}, {properties: {a: {minimum: 4}}}]}`, `{"a":4}`},
		{"oneOf", `{oneOf: [{type: object, required: [a], properties: {a: {const: x}}}, {type: integer}]}`, `{"a":"x"}`},
		{"null comes last", `{anyOf: [{type: 'null'}, {type: integer}]}`, `1`},
		{"overlapping branches", `{oneOf: [{type: number}, {type: integer}, {type: string}]}`, `"1"`},
		{"a text with an example, where a number is allowed too", `{oneOf: [{type: number}, {type: integer}, {type: string, example: none}]}`, `"none"`},
		{"a text, where a number with a bound is allowed too", `{oneOf: [{type: integer, minimum: 0.5}, {type: number, minimum: 5}, {type: string}], not: {type: number}}`, `"1"`},
		{"if, then", `{type: object, if: {properties: {a: {const: 1}}, required: [a]}, then: {required: [b]}, properties: {a: {type: integer}, b: {type: integer}}}`, `{"a":1,"b":1}`},
		{"a list that may be empty", `{type: array, items: {type: integer}}`, `[]`},
		{"a list that may not", `{type: array, minItems: 2, items: {type: integer}}`, `[1,2]`},
		{"unique items", `{type: array, minItems: 3, uniqueItems: true, items: {type: string}}`, `["conformance text","conformance text 2","conformance text 3"]`},
		{"unique items of an enum", `{type: array, minItems: 2, uniqueItems: true, items: {enum: [a, b]}}`, `["a","b"]`},
		{"a tuple", `{type: array, minItems: 2, prefixItems: [{type: integer}, {type: boolean}]}`, `[1,true]`},
		{"contains", `{type: array, contains: {const: x}}`, `["x"]`},
		{"a map", `{type: object, minProperties: 2, additionalProperties: {type: integer}}`, `{"conformance":1,"conformance2":1}`},
		{"names of a map", `{type: object, minProperties: 1, propertyNames: {pattern: '^[0-9]+$'}, additionalProperties: {type: integer}}`, `{"1":1}`},
		{"dependentRequired", `{type: object, required: [a], dependentRequired: {a: [b]}}`, `{"a":"conformance a","b":"conformance b"}`},
		{"recursion", `{type: object, required: [next], properties: {next: {anyOf: [{$ref: '#/components/schemas/T'}, {type: 'null'}]}}}`, `{"next":null}`},
		{"not", `{type: string, not: {const: conformance text}}`, `"conformance-text"`},
		{"at least one property, which holds no other", `{type: object, minProperties: 1, properties: {all: {type: array, minItems: 1, items: {$ref: '#/components/schemas/T'}}, kind: {type: string}}}`, `{"kind":"conformance kind"}`},
		{"a property that must not be there", `{type: object, minProperties: 1, properties: {a: false, b: {type: integer}}}`, `{"b":1}`},
		{"an example further up", `{type: object, required: [code], properties: {code: {type: string}}, example: {code: DE}}`, `{"code":"DE"}`},
		{"a name whose example has no space", `{type: object, required: [name], properties: {name: {type: string, example: my-feature-3}}}`, `{"name":"conformance-my-feature-3"}`},
		{"a name of one word", `{type: object, required: [name], properties: {name: {type: string, example: development}}}`, `{"name":"conformance-development"}`},
		{"a name with another separator", `{type: object, required: [label], properties: {label: {type: string, example: my_label}}}`, `{"label":"conformance_my_label"}`},
		{"a name in words", `{type: object, required: [name], properties: {name: {type: string, example: Semi-dry moss}}}`, `{"name":"conformance Semi-dry moss"}`},
		{"prose with an example", `{type: object, required: [title], properties: {title: {type: string, example: Dune}}}`, `{"title":"conformance Dune"}`},
		{"a discriminator", `
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}}}`, `{"kind":"Cat"}`},
		{"a discriminator alone tells the branches apart", `
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: kind, mapping: {meow: '#/components/schemas/Cat', woof: '#/components/schemas/Dog'}}
    Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, required: [kind], properties: {kind: {type: string}}}`, `{"kind":"meow"}`},
		{"a mapping beside the names of a parent", `
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: kind, mapping: {meow: '#/components/schemas/Cat'}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}]}
    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}`, `{"kind":"meow"}`},
		{"a mapped discriminator of a parent", `
      allOf: [{$ref: '#/components/schemas/Pet'}]
    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {tee: '#/components/schemas/T'}}}`, `{"kind":"tee"}`},
	} {
		value, err := generate.Draw(schemaOf(t, "3.1.0", row.schema), schema.Request, generate.Minimal{})
		if got := instance.Compact(value); err != nil || got != row.want {
			t.Errorf("%s: %s gives %s (%v), want %s", row.about, row.schema, got, err, row.want)
		}
	}
}

// TestNoValue: a schema that no value meets, or for which the search gives up, returns an error in
// time.
func TestNoValue(t *testing.T) {
	for _, text := range []string{
		`false`,
		`{enum: []}`,
		`{allOf: [{type: string}, {type: integer}]}`,
		`{allOf: [{enum: [a]}, {enum: [b]}]}`,
		`{type: integer, minimum: 3, maximum: 2}`,
		`{type: integer, multipleOf: 10, minimum: 1, maximum: 9}`,
		`{type: string, pattern: '^a$', minLength: 2}`,
		`{type: object, required: [a], properties: {a: {$ref: '#/components/schemas/T'}}}`,
		`{type: array, minItems: 1, items: {$ref: '#/components/schemas/T'}}`,
	} {
		value, err := generate.Draw(schemaOf(t, "3.1.0", text), schema.Request, generate.Minimal{})
		if _, ok := errors.AsType[*generate.NoValueError](err); !ok {
			t.Errorf("%s: %v, %v", text, value, err)
		}
	}
}

// TestDirection: a property that only the other direction has is left out.
func TestDirection(t *testing.T) {
	s := schemaOf(t, "3.0.3", `{type: object, required: [id, key], properties: {id: {type: integer, readOnly: true}, key: {type: string, writeOnly: true}}}`)
	for d, want := range map[schema.Direction]string{schema.Request: `{"key":"conformance key"}`, schema.Response: `{"id":1}`} {
		if value, err := generate.Draw(s, d, generate.Minimal{}); err != nil || instance.Compact(value) != want {
			t.Errorf("%d: %s (%v), want %s", d, instance.Compact(value), err, want)
		}
	}
}

// TestSwagger: a definition of Swagger 2.0 that inherits a discriminator has its own name as the
// value. If only the extension x-nullable allows null, there is no case with null, valid or
// invalid.
func TestSwagger(t *testing.T) {
	root, err := document.Parse("x.yaml", []byte(`
swagger: '2.0'
definitions:
  Thing: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string, enum: [Crate, Drum]}, memo: {type: string, x-nullable: true}}}
  Drum: {allOf: [{$ref: '#/definitions/Thing'}, {properties: {volume: {type: integer}}}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Thing", "Drum"} { // a Thing may only be a Drum
		s := schema.NewSet(root).At(document.Top(root).To("definitions", name))
		var kinds []string
		for c := range generate.Valid(s, schema.Request) {
			if object := c.Value.(map[string]any); object["kind"] != "Drum" {
				t.Errorf("%s: %s is said to be accepted", name, instance.Compact(object))
			}
			kinds = append(kinds, c.Kind)
		}
		if slices.Contains(kinds, "null") || !slices.Contains(kinds, "full") {
			t.Errorf("%s: valid values of the kinds %v", name, kinds)
		}
		if got := strings.Join(told(generate.Invalid(s, schema.Request), "null"), " | "); strings.Contains(got, "memo") || !strings.HasPrefix(got, "null | /kind: null") {
			t.Errorf("%s: null must be rejected as %s", name, got)
		}
	}
}

// TestSeeds: the same seed draws the same value, its recorded tape draws it again,
// and different seeds draw many values.
func TestSeeds(t *testing.T) {
	s := schemaOf(t, "3.1.0", `{type: object, required: [id], properties: {id: {type: integer}, name: {type: string}, tags: {type: array, items: {type: string}}, kind: {oneOf: [{type: integer}, {enum: [a, b, c]}]}}}`)
	values := map[string]bool{}
	for seed := range uint64(100) {
		draw := func(tape generate.Tape) string {
			value, err := generate.Draw(s, schema.Request, tape)
			if err != nil {
				t.Fatal(err)
			}
			return instance.Compact(value)
		}
		tape := &generate.Recorder{From: generate.NewRandom(seed)}
		first := draw(tape)
		if second := draw(generate.NewRandom(seed)); second != first {
			t.Errorf("seed %d: %s, then %s", seed, first, second)
		}
		if again := draw(&generate.Replay{Answers: tape.Answers}); again != first {
			t.Errorf("seed %d: %s, replayed %s", seed, first, again)
		}
		values[first] = true
	}
	if len(values) < 80 {
		t.Errorf("100 seeds drew %d values", len(values))
	}
}
