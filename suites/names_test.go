package suites_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// features is a service whose requests name things by texts that become a part of a URL.
const features = `openapi: 3.0.3
info: {title: Features, version: '1'}
paths:
  /features:
    post:
      operationId: createFeature
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Feature'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Feature'}}}}, '400': {description: invalid}, '409': {description: there is one}}
  /features/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: getFeature, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Feature'}}}}, '404': {description: none}}}
    delete: {operationId: deleteFeature, responses: {'204': {description: gone}, '404': {description: none}}}
components: {schemas: {Feature: {type: object, required: [name], properties: {name: {type: string, example: my-feature-3}, note: {type: string}}}}}
`

var friendly = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)

// TestNames: a service with names in its URLs is reached, by a name that looks like the document's example. The
// id of a created thing differs in each request, even if the document has an example of it: a service accepts
// each id once. It may be in the request only. A thing with another note is another resource.
func TestNames(t *testing.T) {
	groups := strings.NewReplacer(`name: {type: string, example: my-feature-3}`, `featureId: {type: string, pattern: '^.+$', example: '"my-group"'}`,
		"required: [name]", "required: [featureId]", "{name}", "{featureId}", "name: name", "name: featureId").Replace(features)
	open := strings.Replace(features, "{'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Feature'}}}}", "{'200': {description: made, content: {application/json: {schema: {type: object}}}}", 1)
	for name, row := range map[string]struct {
		document, key string
		made          func(body any) any // the response to a creation
	}{
		"names":                           {document: features, key: "name"},
		"ids":                             {document: groups, key: "featureId"},
		"ids that were sent":              {open, "name", func(any) any { return kept{} }},
		"ids that are shown all the same": {open, "name", func(body any) any { return kept{"name": body.(kept)["name"]} }},
	} {
		for _, loses := range []bool{false, true} {
			t.Run(fmt.Sprint(name, loses), func(t *testing.T) {
				t.Parallel()
				r, left := runKeeper(t, row.document, func(s *keeper) {
					s.key, s.chosen = row.key, true
					s.store = func(_ string, _, sent, after kept) kept {
						if id, _ := sent[row.key].(string); !friendly.MatchString(id) {
							return nil
						}
						return after
					}
					s.answer = func(method, _ string, status int, body any) (int, any) {
						one, ok := body.(kept)
						switch {
						case ok && method == http.MethodPost && row.made != nil:
							return status, row.made(body)
						case ok && method == http.MethodGet && loses:
							return status, kept{row.key: one[row.key], "note": ""}
						}
						return status, body
					}
				})
				var want []string
				if loses {
					want = []string{"getFeature/state/created"}
				}
				if found := stateFindings(r); !slices.Equal(found, want) {
					t.Errorf("found %v, want %v%s", found, want, firstOf(r))
				}
				if r.Verdict == verdict.Nonconformant || r.Reached.Operations.Reached != 3 || len(left) > 0 {
					t.Errorf("%s: %+v, %d kept: %s", r.Headline, r.Reached, len(left), firstOf(r))
				}
			})
		}
	}
}
