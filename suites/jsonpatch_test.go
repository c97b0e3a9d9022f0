package suites_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
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

// patchable keeps things that JSON Patches change. It refuses a patch for which change returns nothing.
func patchable(change func(thing kept, operations []any) kept) func(*keeper) {
	return func(s *keeper) {
		s.key = "number"
		s.patch = func(list []any) kept { return kept{"operations": list} }
		s.store = func(method string, before, sent, after kept) kept {
			if method == http.MethodPatch {
				return change(before, sent["operations"].([]any))
			}
			return after
		}
	}
}

// operated returns a thing after the operations, except those that ignores names and those that cannot be applied.
func operated(thing kept, operations []any, ignores ...string) kept {
	for _, operation := range operations {
		one, _ := operation.(kept)
		path, _ := one["path"].(string)
		name, value := strings.TrimPrefix(path, "/"), one["value"]
		now, there := thing[name]
		_, isText := value.(string)
		op, _ := one["op"].(string)
		isValid := name == "note" || name == "name" && op != "remove"
		fails := op != "add" && !there || op == "test" && now != value
		switch {
		case !isValid, op != "remove" && !isText, fails && !slices.Contains(ignores, op):
			return nil
		case op == "remove":
			delete(thing, name)
		case op != "test":
			thing[name] = value
		}
	}
	return thing
}

// TestJSONPatches: a read shows what a JSON Patch sets, even if a link says where the id is. A
// patch that cannot be applied is refused, and changes nothing (RFC 6902 §5).
func TestJSONPatches(t *testing.T) {
	changing := func(change func(thing kept)) func(*keeper) {
		return patchable(func(thing kept, operations []any) kept {
			thing = operated(maps.Clone(thing), operations)
			if thing != nil {
				change(thing)
			}
			return thing
		})
	}
	ignoring := func(ops ...string) func(*keeper) {
		return patchable(func(thing kept, operations []any) kept { return operated(maps.Clone(thing), operations, ops...) })
	}
	refusing := func(op string) func(*keeper) {
		return patchable(func(thing kept, operations []any) kept {
			if slices.ContainsFunc(operations, func(one any) bool { return one.(kept)["op"] == op }) {
				return nil
			}
			return operated(maps.Clone(thing), operations)
		})
	}
	keepers{
		"faithful":               {how: changing(func(kept) {})},
		"refuses tests":          {how: refusing("test")},
		"refuses additions":      {refusing("add"), []string{"patchThing/accepts"}},
		"loses the note":         {changing(func(thing kept) { delete(thing, "note") }), []string{"getThing/state/changed"}},
		"ignores tests":          {ignoring("test"), []string{"patchThing/state/atomic"}},
		"changes what is absent": {ignoring("remove", "replace"), []string{"patchThing/state/atomic"}},
		"applies a part":         {patchable(func(thing kept, operations []any) kept { return operated(thing, operations) }), []string{"patchThing/state/atomic"}},
	}.test(t, jsonPatchDocument, "getThing/state/changed", "patchThing/state/atomic")
}

// TestPatchInObject: a list of operations may be inside an object (RFC 7644 §3.5.2). What the object has beside the list
// is no value of the resource, and which value fits a path is up to the service. What is created is still compared.
func TestPatchInObject(t *testing.T) {
	document := strings.NewReplacer("required: [name], properties: {", "required: [schemas, name], properties: {schemas: {type: array, minItems: 1, items: {type: string}}, open: {type: boolean}, ",
		"required: [number, name], properties: {", "required: [number, name], properties: {schemas: {type: array, items: {type: string}}, open: {type: boolean}, ",
		"application/json-patch+json", "application/json", "schema: {type: array, ", "schema: {type: object, required: [schemas, list], properties: {schemas: {type: array, items: {type: string}}, list: {type: array, ",
		"path: {type: string}, value: {}}}}", "path: {type: string, enum: [note, open]}, value: {type: [string, boolean]}}}}}}",
		"[{op: replace, path: /note, value: leave at the door}]", "{schemas: [patch], list: [{op: replace, path: open, value: true}]}", "openapi: 3.0.3", "openapi: 3.1.0").Replace(jsonPatchDocument)
	changing := func(keepsNote bool) func(*keeper) {
		return func(s *keeper) {
			s.key = "number"
			s.store = func(method string, before, sent, after kept) kept {
				if method != http.MethodPatch {
					if !keepsNote {
						delete(after, "note")
					}
					return after
				}
				thing, list := maps.Clone(before), sent["list"].([]any)
				for _, operation := range list {
					one, _ := operation.(kept)
					path, _ := one["path"].(string)
					_, isText := one["value"].(string)
					if path != "note" && path != "open" || isText != (path == "note") {
						return nil
					}
					thing[path] = one["value"]
				}
				return thing
			}
		}
	}
	keepers{
		"a value of another type for each path": {how: changing(true)},
		"loses a created value":                 {changing(false), []string{"addThing/201/echo", "getThing/state/created"}},
	}.test(t, document)
}
