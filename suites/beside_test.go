package suites_test

import (
	"maps"
	"net/http"
	"testing"
)

const besideDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post: {operationId: createThing, requestBody: {required: true, content: {application/json: {schema: &thing {type: object, required: [name, place], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}, place: {type: integer}}}}}}, responses: {'200': &one {description: d, content: {application/json: {schema: *thing}}}, '201': *one, '400': {description: d}, '409': {description: d}}}
    get: {operationId: listThings, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: *thing}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': *one, '404': {description: d}}}
`

// TestBeside: one more thing does not replace the one before. It may change values that the service counts.
func TestBeside(t *testing.T) {
	const first, list = "getThing/state/created", "listThings/state/listed"
	// creating changes each existing thing before one more is created.
	creating := func(do func(s *keeper, path string, before, after kept)) func(*keeper) {
		return func(s *keeper) {
			s.alone = true // otherwise, what other requests create also changes the first
			s.store = func(_ string, _, _, after kept) kept {
				for path, before := range maps.Clone(s.things) {
					do(s, path, before, after)
				}
				return after
			}
		}
	}
	// sameID gives each thing the first id, and each creation the status.
	sameID := func(created int) func(*keeper) {
		return func(s *keeper) {
			s.alone = true
			s.store = func(_ string, _, _, after kept) kept { s.made = 40; return after }
			s.answer = func(method, _ string, status int, body any) (int, any) {
				if method == http.MethodPost && status == http.StatusCreated {
					status = created
				}
				return status, body
			}
		}
	}
	read := map[string]bool{}
	moving := creating(func(s *keeper, path string, before, _ kept) {
		if read[path] {
			s.things[path] = kept{"id": before["id"], "name": before["name"], "place": 7}
		}
	})
	keepers{
		"faithful": {},
		"the first moves": {how: func(s *keeper) {
			moving(s)
			s.answer = func(_, path string, status int, body any) (int, any) {
				read[path] = true
				return status, body
			}
		}},
		"changes what there is": {how: sameID(http.StatusOK)},
		"both get the same id":  {sameID(http.StatusCreated), []string{first, list}},
		"the first is gone":     {creating(func(s *keeper, path string, _, _ kept) { delete(s.things, path) }), []string{first, list}},
		"the first has the values of the second": {creating(func(s *keeper, path string, before, after kept) {
			s.things[path] = kept{"id": before["id"], "name": after["name"], "place": after["place"]}
		}), []string{first}},
	}.test(t, besideDocument, first, list)
}
