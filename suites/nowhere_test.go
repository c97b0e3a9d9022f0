package suites_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// tokenDocument has tokens, whose paths may have the name or the secret, and lists of the keys with a name.
const tokenDocument = `openapi: 3.1.0
info: {title: Tokens, version: '1'}
paths:
  /tokens:
    post: &post
      operationId: makeToken
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: &token {type: object, required: [name], properties: {name: {type: string}, secret: {type: string}}}}}}, '400': {description: invalid}}
  /tokens/{token}:
    parameters: [{name: token, in: path, required: true, schema: {type: string}}]
    get: {operationId: getToken, responses: {'200': {description: d, content: {application/json: {schema: *token}}}, '404': {description: none}}}
    delete: {operationId: deleteToken, responses: {'204': {description: gone}, '404': {description: none}}}
  /keys: {post: {<<: *post, operationId: makeKey}}
  /keys/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: getKeys, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {keys: {type: array, items: *token}}}}}}}}
    delete: {operationId: deleteKeys, responses: {'204': {description: gone}}}
`

// TestWhatLeadsNowhere: it is only a guess that a name leads to a created thing. A list that never
// had the thing shows nothing about its deletion.
func TestWhatLeadsNowhere(t *testing.T) {
	for name, row := range map[string]struct {
		bySecret, deletes, lists bool
		shows                    string
		want                     []string
	}{
		"paths have the name":               {deletes: true, lists: true},
		"paths have the secret":             {bySecret: true, deletes: true, lists: true},
		"lists are empty":                   {deletes: true},
		"nothing is deleted":                {lists: true, want: []string{"getKeys/state/deleted", "getToken/state/deleted"}},
		"another name is shown by the name": {deletes: true, lists: true, shows: "another", want: []string{"getToken/state/created"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, tokenDocument)
			var mu sync.Mutex
			kept := map[string]map[string]any{} // by path
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				one, isKey := kept[r.URL.Path], strings.HasPrefix(r.URL.Path, "/keys")
				var sent map[string]any
				body, _ := io.ReadAll(r.Body)
				text, isText := "", false
				if json.Unmarshal(body, &sent) == nil {
					text, isText = sent["name"].(string)
				}
				status, answer := http.StatusOK, any(one)
				switch {
				case r.Method == http.MethodPost && (!isText || !strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "application/json")):
					status, answer = http.StatusBadRequest, nil
				case r.Method == http.MethodPost:
					at := text
					if row.bySecret && !isKey {
						at = "secret of " + text
					}
					made := map[string]any{"name": text, "secret": "secret of " + text}
					kept[path.Join(r.URL.Path, at)] = map[string]any{"name": text + row.shows, "secret": made["secret"]}
					status, answer = http.StatusCreated, made
				case r.Method == http.MethodDelete && (one != nil || isKey):
					if row.deletes {
						delete(kept, r.URL.Path)
					}
					status, answer = http.StatusNoContent, nil
				case isKey && (one == nil || !row.lists):
					answer = map[string]any{"keys": []any{}}
				case isKey:
					answer = map[string]any{"keys": []any{one}}
				case one == nil:
					status, answer = http.StatusNotFound, nil
				}
				if answer == nil {
					w.WriteHeader(status)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_ = json.NewEncoder(w).Encode(answer)
			})
			r := run(t, c)
			found := stateFindings(r)
			slices.Sort(found)
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v%s", found, row.want, firstOf(r))
			}
			if broken := brokenBy(r, true); row.want == nil && (len(broken) > 0 || r.Verdict != verdict.Conformant) {
				t.Errorf("breaks %v: %s%s", broken, r.Reason, firstOf(r))
			}
		})
	}
}
