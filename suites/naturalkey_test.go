package suites_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// toggleDocument has toggles with keys, below projects with keys, and tasks that have a path without their project.
const toggleDocument = `openapi: 3.0.3
info: {title: Toggles, version: '1'}
paths:
  /projects:
    post: {operationId: createProject, requestBody: &project {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}, responses: {'201': &shown {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}, '400': {description: d}, '409': {description: the key exists}}}
  /projects/{projectKey}:
    parameters: [&in {name: projectKey, in: path, required: true, schema: {$ref: '#/components/schemas/Key'}}]
    get: {operationId: getProject, responses: {'200': *shown, '404': {description: d}}}
    delete: {operationId: deleteProject, responses: {'204': {description: d}, '404': {description: d}}}
  /projects/{projectKey}/toggles:
    parameters: [*in]
    get:
      operationId: listToggles
      parameters:
        - {name: enabled, in: query, schema: {type: boolean}}
        - {name: archived, in: query, description: 'If true, only archived toggles are listed.', schema: {type: boolean, default: false}}
        - {name: stage, in: query, explode: false, schema: {type: array, items: {type: string, enum: [draft, ready]}}}
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Toggle'}}}}}, '400': {description: d}, '404': {description: d}}
    post: {operationId: createToggle, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Toggle'}}}}, responses: {'201': &toggle {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Toggle'}}}}, '400': {description: d}, '404': {description: d}, '409': {description: the key exists}}}
  /projects/{projectKey}/toggles/{toggleKey}:
    parameters: [*in, {name: toggleKey, in: path, required: true, schema: {$ref: '#/components/schemas/Key'}}]
    get: {operationId: getToggle, responses: {'200': *toggle, '404': {description: d}}}
  /projects/{projectKey}/tasks:
    parameters: [*in]
    post: {operationId: createTask, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [key, title], properties: {key: {$ref: '#/components/schemas/Key'}, title: {type: string}}}}}}, responses: {'201': &task {description: d, content: {application/json: {schema: {type: object, properties: {key: {type: string}, title: {type: string}}}}}}, '400': {description: d}, '404': {description: d}}}
  /tasks/{taskKey}:
    parameters: [{name: taskKey, in: path, required: true, schema: {$ref: '#/components/schemas/Key'}}]
    get: {operationId: getTask, responses: {'200': *task, '404': {description: d}}}
components:
  schemas:
    Key: {type: string, pattern: '^[a-z][a-z0-9-]{1,39}$'}
    Project: {type: object, required: [key], properties: {key: {$ref: '#/components/schemas/Key'}}}
    Toggle: {type: object, required: [key, name], properties: {key: {$ref: '#/components/schemas/Key'}, name: {type: string}, enabled: {type: boolean}, archived: {type: boolean, readOnly: true}, stage: {type: string, readOnly: true, enum: [draft, ready]}}}
`

// TestNaturalKeys: a key below another key is a new one, a filter that is false selects, and what is created below
// one resource is read by its own path.
func TestNaturalKeys(t *testing.T) {
	how := func(change func(query url.Values)) func(*keeper) {
		return func(s *keeper) {
			s.key, s.chosen = "key", true
			s.store = func(_ string, _, _, after kept) kept {
				if after["name"] != nil {
					after["archived"], after["stage"] = false, "draft"
				}
				return after
			}
			s.find = func(s *keeper, path string) kept {
				for where, one := range s.things {
					if where == path || strings.HasPrefix(path, "/tasks/") && strings.HasSuffix(where, path) {
						return one
					}
				}
				return nil
			}
			s.list = func(r *http.Request) (list []any) {
				list = []any{}
				query := r.URL.Query()
				change(query)
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					one := s.things[where]
					isAsked := func(name, value string) bool {
						return !query.Has(name) || slices.Contains(strings.Split(query.Get(name), ","), value)
					}
					if strings.HasPrefix(where, r.URL.Path+"/") && isAsked("stage", "draft") && isAsked("archived", "false") && isAsked("enabled", fmt.Sprint(one["enabled"] == true)) {
						list = append(list, one)
					}
				}
				return list[:min(len(list), cmp.Or(len(query["first"]), len(list)))]
			}
		}
	}
	keepers{
		"faithful":        {how: how(func(url.Values) {})},
		"the first alone": {how(func(query url.Values) { query.Set("first", "") }), []string{"listToggles/state/listed"}},
		"false is no filter": {how(func(query url.Values) {
			if query.Get("enabled") == "false" {
				query.Del("enabled")
			}
		}), []string{"listToggles/state/filtered"}},
		"archived is ignored": {how(func(query url.Values) { query.Del("archived") }), []string{"listToggles/state/filtered"}},
		"stage is ignored":    {how(func(query url.Values) { query.Del("stage") }), []string{"listToggles/state/filtered"}},
		"the title of a task is cut": {func(s *keeper) {
			how(func(url.Values) {})(s)
			s.answer = func(method, path string, status int, body any) (int, any) {
				if one, is := body.(kept); is && method == http.MethodGet && strings.HasPrefix(path, "/tasks/") {
					body = kept{"key": one["key"], "title": "conformance"}
				}
				return status, body
			}
		}, []string{"getTask/state/created"}},
	}.test(t, toggleDocument, "listToggles/state/filtered", "listToggles/state/listed", "getTask/state/created")
	isArchived := func(change func(query url.Values)) func(*keeper) { // the property has another name than the filter
		return func(s *keeper) {
			how(change)(s)
			store := s.store
			s.store = func(method string, before, sent, after kept) kept {
				if after = store(method, before, sent, after); after["archived"] != nil {
					after["is_archived"] = false
					delete(after, "archived")
				}
				return after
			}
		}
	}
	keepers{
		"faithful":            {how: isArchived(func(url.Values) {})},
		"archived is ignored": {isArchived(func(query url.Values) { query.Del("archived") }), []string{"listToggles/state/filtered"}},
	}.test(t, strings.Replace(toggleDocument, " archived: {type: boolean, readOnly", " is_archived: {type: boolean, readOnly", 1), "listToggles/state/filtered")
}
