package suites_test

import (
	"maps"
	"net/http"
	"testing"
)

const jsonPatchDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}}}}}}
      responses:
        '201': {description: d, content: {application/json: {schema: &thing {type: object, required: [number, name], properties: {number: {type: string}, name: {type: string}, note: {type: string}}}}}, links: {get: {operationId: getThing, parameters: {id: '$response.body#/number'}}}}
        '400': {description: d}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': {description: d, content: {application/json: {schema: *thing}}}, '404': {description: d}}}
    patch:
      operationId: patchThing
      requestBody:
        required: true
        content:
          application/json-patch+json:
            schema: {type: array, minItems: 1, items: {type: object, required: [op, path], properties: {op: {type: string, enum: [add, replace, remove, test]}, path: {type: string}, value: {}}}}
            example: [{op: replace, path: /note, value: leave at the door}]
      responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}, '422': {description: d}}
    delete: {operationId: deleteThing, responses: {'204': {description: d}, '404': {description: d}}}
`

// patchable keeps things whose note a JSON Patch changes. change makes another one of a thing.
func patchable(change func(thing kept, note any) kept) func(*keeper) {
	return func(s *keeper) {
		s.key = "number"
		s.patch = func(list []any) kept {
			if one, _ := append(list, nil)[0].(kept); len(list) == 1 && one["path"] == "/note" && one["value"] != nil {
				return kept{"note": one["value"]}
			}
			return nil
		}
		s.store = func(method string, before, sent, after kept) kept {
			if method == http.MethodPatch {
				return change(maps.Clone(before), sent["note"])
			}
			return after
		}
	}
}

// TestJSONPatchIsKept: what a JSON Patch sets is read again, also where a link says where the id is.
func TestJSONPatchIsKept(t *testing.T) {
	keepers{
		"faithful":         {how: patchable(func(thing kept, note any) kept { thing["note"] = note; return thing })},
		"changes nothing":  {patchable(func(thing kept, _ any) kept { return thing }), []string{"getThing/state/changed"}},
		"loses the rest":   {patchable(func(thing kept, note any) kept { return kept{"number": thing["number"], "name": "", "note": note} }), []string{"getThing/state/changed"}},
		"removes the note": {patchable(func(thing kept, _ any) kept { delete(thing, "note"); return thing }), []string{"getThing/state/changed"}},
	}.test(t, jsonPatchDocument, "getThing/state/changed")
}
