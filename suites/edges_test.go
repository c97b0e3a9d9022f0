package suites_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

// TestDroppedEdges: a wrong inference costs a few requests, and the report says that its operations
// were not reached. The rest gets its verdict.
func TestDroppedEdges(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things: {post: {operationId: add, responses: {'201': {description: d}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, maxLength: 20}}]
    get: {operationId: one, parameters: [{name: n, in: query, schema: {type: integer, minimum: 1, maximum: 9}}, {name: b, in: query, schema: {type: boolean}}], responses: {'200': {description: d}}}
`
	c := suites.NewConfig()
	c.Contract = specOf(t, document)
	c.Only, c.Limits.Concurrency = []string{"one/*"}, 1
	var asked atomic.Int64
	c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked.Add(1)
			w.WriteHeader(http.StatusCreated) // without a way to find the thing
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
	r := run(t, c)
	const few = 5
	if missing := fmt.Sprint(words.Unreached(r, true)); asked.Load() != few || len(r.Results) < 3*few || !strings.Contains(missing, `the response to the step "add" (POST /things) has no`) {
		t.Errorf("asked %d times for %d fixtures: %s", asked.Load(), len(r.Results), missing)
	}
}

// TestVersionsOfAnother: an entry of a list of versions may show the id of the thing, which cannot
// be used to read a version. The service is not blamed for this, and each response is still judged.
func TestVersionsOfAnother(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things: {post: {operationId: add, responses: {'201': {description: d, content: {application/json: {schema: &thing {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
  /things/{id}/versions:
    get: {operationId: list, parameters: [&id {name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: *thing}}}}}}
  /things/{id}/versions/{vid}:
    get: {operationId: read, parameters: [*id, {name: vid, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: *thing}}}, '404': {description: d}}}
`
	contract := specOf(t, document)
	for version, want := range map[string]string{"": "", "{}": "read/200/body/id"} {
		c := suites.NewConfig()
		c.Contract, c.Only = contract, []string{"read/valid/minimal"}
		c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch {
			case r.Method == http.MethodPost:
				w.WriteHeader(http.StatusCreated)
				_, _ = w.Write([]byte(`{"id":"one"}`))
			case strings.HasSuffix(r.URL.Path, "/versions"):
				_, _ = w.Write([]byte(`[{"id":"one"}]`))
			case version == "":
				w.WriteHeader(http.StatusNotFound)
			default:
				_, _ = w.Write([]byte(version))
			}
		})
		r := run(t, c)
		if got := strings.Join(append(broken(r, judge.Violation), broken(r, judge.Warning)...), " "); got != want {
			t.Errorf("with the version %q it breaks %q, want %q: %s", version, got, want, r.Reason)
		}
	}
}
