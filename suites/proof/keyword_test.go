package proof

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// TestKeywordsOf31: a service can ignore each keyword of OpenAPI 3.1, and a derived request
// has no other flaw.
func TestKeywordsOf31(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("tries each keyword; LONG_TESTS=1 asks for it")
	}
	contract, err := spec.Load(t.Context(), spec.Source{Name: "openapi.yaml", Data: []byte(`openapi: 3.1.0
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [kind]
              properties:
                kind: {enum: [a, b]}
                size: {type: [integer, 'null'], exclusiveMinimum: 3}
                tags: {type: array, items: {type: string}, contains: {const: x}, maxContains: 2}
                words: {type: array, items: {type: string}, contains: {const: x}, minContains: 2}
                pair: {type: array, prefixItems: [{type: integer}, {type: string}], items: false}
                triple: {type: array, prefixItems: [{type: integer}], unevaluatedItems: false}
                sizes: {type: object, propertyNames: {pattern: '^[a-z]+$'}, patternProperties: {'^x': {type: integer}}}
                card: {type: string}
                address: {type: string}
                note: {not: {const: none}}
              dependentRequired: {card: [address]}
              dependentSchemas: {address: {properties: {card: {maxLength: 30}}}}
              if: {properties: {kind: {const: b}}}
              then: {required: [size]}
              unevaluatedProperties: false
      responses:
        '204': {description: taken}
        '400': {description: not understood}
`)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	trials, err := newTrials(t.Context(), contract, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trials.faithful(t.Context(), &Proof{}); err != nil {
		t.Fatal(err)
	}
	ignored, shown := limits(trials.operations["addThing"].route), slices.Collect(maps.Values(trials.flaws))
	for _, f := range []flaw{
		{"body/size", "type"}, {"body/size", "exclusiveMinimum"}, {"body/size", "required"},
		{"body/tags", "contains"}, {"body/tags", "maxContains"}, {"body/tags/*", "type"}, {"body/words", "contains"},
		{"body/pair/*", "type"}, {"body/pair/*", "items"}, {"body/triple", "unevaluatedItems"},
		{"body", "propertyNames"}, {"body/sizes/*", "type"},
		{"body/address", "dependentRequired"}, {"body/card", "maxLength"}, {"body/note", "not"},
		{"body", "unevaluatedProperties"},
	} {
		if !slices.Contains(ignored, f) {
			t.Errorf("no service ignores %s", f)
		}
		if !slices.Contains(shown, f.header()) {
			t.Errorf("no request has %s as its only flaw", f)
		}
	}
}
