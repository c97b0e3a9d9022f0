package suites_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
)

// TestChangesAddUp: a change leaves what the change before it has set. A service may refuse the second change.
func TestChangesAddUp(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Crates, version: '1'}
paths:
  /crates:
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 90}}}}}}, responses: {'201': &one {description: d, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}, note: {type: string}, size: {type: integer}}}}}}, '400': {description: d}}}
  /crates/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': *one, '404': {description: d}}}
    patch: {operationId: change, requestBody: {required: true, content: {application/json: {schema: {type: object, minProperties: 1, properties: {name: {type: string, maxLength: 90}, note: {type: string, maxLength: 90}, size: {type: integer}}}}}}, responses: {'200': *one, '400': {description: d}, '404': {description: d}, '409': {description: d}}}
`
	// changing stores what a change makes of the new crate and the former one.
	changing := func(change func(created, before, after kept) kept) func(*keeper) {
		return func(s *keeper) {
			created := map[string]kept{}
			s.store = func(method string, before, _, after kept) kept {
				id := fmt.Sprint(after["id"])
				if method == http.MethodPost {
					created[id] = after
					return after
				}
				return change(created[id], before, after)
			}
		}
	}
	// differing returns the values of after that before does not have.
	differing := func(before, after kept) kept {
		sent := maps.Clone(after)
		maps.DeleteFunc(sent, func(name string, value any) bool { return before[name] == value })
		return sent
	}
	lost := []string{"get/state/changed"}
	keepers{
		"faithful": {},
		"one change alone": {how: changing(func(created, before, after kept) kept {
			if !maps.Equal(created, before) {
				return nil
			}
			return after
		})},
		"changes the new crate again": {changing(func(created, before, after kept) kept {
			whole := maps.Clone(created)
			maps.Copy(whole, differing(before, after))
			return whole
		}), lost},
		"forgets what is optional": {changing(func(_, before, after kept) kept {
			whole := kept{"id": before["id"], "name": before["name"]}
			maps.Copy(whole, differing(before, after))
			return whole
		}), lost},
	}.test(t, document, "get/state/changed")
}
