package spec_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// FuzzLoad checks that any contract is rejected with an error that names it, or can be used to
// judge responses and has notes with places.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		spectest.Paths("  /a: {get: {" + fine + "}}"), spectest.Document("3.0.3", "{$ref: '#/paths'}"), spectest.Document("3.1.0", "{type: [a], $ref: '#/openapi', allOf: 1, properties: [x], items: [1]}"),
		spectest.Head("3.0.3") + "paths: {/a: {parameters: 1, get: {security: {a: b}, requestBody: [], responses: {default: {headers: {A: {schema: x}}, content: {a/b: 1}}}}}}",
		spectest.Head("3.0.3") + "security: [1]\ncomponents: 1\npaths: {/a: {$ref: '#'}}", "openapi: 3.1.0", "[]",
		oneFile("3.2.0"), spectest.Document("3.1.0", "{$dynamicRef: '#a', not: {$anchor: a, oneOf: [{$ref: '#a'}, {pattern: 'x{2000}('}]}, required: [b, b]}"),
		"swagger: '2.0'\nparameters: {A: {in: formData, type: file}}\nresponses: {R: {schema: {type: file}, headers: 1}}\npaths: {/a/{b}: {$ref: '#/x'}, /c: {parameters: [{$ref: '#/parameters/A'}, 1], post: {consumes: 1, parameters: [{in: body}], responses: {200: {$ref: '#/responses/R'}}}}}\nsecurityDefinitions: {b: {type: basic}}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: data}, nil)
		switch {
		case err != nil && !strings.Contains(err.Error(), "x.yaml:"):
			t.Errorf("refused with %v", err)
		case err != nil:
			return
		case len(contract.Operations) == 0:
			t.Error("accepted without operations")
		}
		for _, note := range contract.Notes {
			if note.Line < 1 || note.Message == "" || note.File != "x.yaml" {
				t.Errorf("a note without a place: %+v", note)
			}
		}
		for _, op := range contract.Operations {
			if clauses := op.Clauses(); len(clauses) == 0 {
				t.Errorf("%s has no clause", op.ID)
			}
			spectest.Check(t, op, spectest.Answer(200, `{"a":[{"b":1}]}`))
			op.CheckRequest(spec.Request{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"a":[1]}`), HasBody: true})
		}
	})
}
