package suites_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

const stayDocument = `openapi: 3.0.3
info: {title: Stays, version: '1'}
paths:
  /stays:
    get:
      operationId: listStays
      parameters: [{name: from, in: query, required: true, schema: {type: string, format: date}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Stay'}}}}}}
    post: {operationId: createStay, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}, '400': {description: d}}}
components:
  schemas:
    Stay: {type: object, required: [guest], properties: {id: {type: string, readOnly: true}, guest: {type: string, maxLength: 80}}}
`

// asks reports whether the query of a request has what the document says, with one text for each
// parameter.
func asks(op *spec.Operation, r *http.Request) bool {
	query := r.URL.Query()
	return !slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		texts, given := query[p.Name]
		switch {
		case p.In != "query":
			return false
		case !given:
			return p.Required
		}
		var value any = texts[0]
		if of := p.Schema.Shape(); of.Allows("integer") && instance.IsNumber(texts[0]) {
			value = instance.Number(texts[0])
		}
		return !p.Schema.Meets(schema.Request, value) || len(texts) > 1
	})
}

// listing changes what each list has.
func listing(change func(list []any) []any) func(*keeper) {
	return func(s *keeper) {
		s.answer = func(method, _ string, status int, body any) (int, any) {
			if list, isList := body.([]any); isList && method == http.MethodGet {
				body = change(list)
			}
			return status, body
		}
	}
}

// TestRequiredFilter: a list that has to be asked for with a choice may be empty, but may not leave
// out some of what the choice has.
func TestRequiredFilter(t *testing.T) {
	keepers{
		"faithful":                {},
		"nothing since that day":  {how: listing(func([]any) []any { return []any{} })},
		"not what was made again": {listing(func(list []any) []any { return list[:min(len(list), 1)] }), []string{"listStays/state/listed"}},
	}.test(t, stayDocument, "listStays/state/listed")
}
