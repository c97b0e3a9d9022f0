package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
)

const thingsContract = `openapi: 3.0.3
info: {title: Things, version: '1'}
security: [{key: []}]
paths:
  /things: {post: {operationId: add, responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: one, responses: {'200': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`

// TestCleanup: what a run left behind is removed later, also if the run was killed.
func TestCleanup(t *testing.T) {
	var mu sync.Mutex
	things, made, broken := map[string]bool{}, 0, true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, path, _ := strings.Cut(r.URL.Path, "/v1")
		switch {
		case r.Header.Get("X-Key") != "s3cret-key":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodPost:
			made++
			things[fmt.Sprintf("/things/%d", made)] = true
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, `{"id": %d}`, made)
		case !things[path]:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodDelete && broken:
			w.WriteHeader(http.StatusConflict)
		case r.Method == http.MethodDelete:
			delete(things, path)
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	defer server.Close()
	t.Chdir(t.TempDir())
	t.Setenv("CONFORMANCE_TOKEN", "s3cret-key")
	write(t, "api.yaml", thingsContract)
	got := conformance(t, "run", "--spec", "api.yaml", "--base-url", server.URL+"/v1", "--report", "ndjson=run.ndjson", "--report", "json=run.json")
	if len(things) == 0 || !strings.Contains(got.out, "what the run created may still be there:\n  curl -sS -i -X DELETE '"+server.URL+"/v1/things/") {
		t.Fatalf("%d things are left, and it says %s", len(things), got.out)
	}
	conformance(t, "cleanup", "run.json", "--spec", "api.yaml").wants(t, exitInconclusive, "got 409\n")
	whole, err := os.ReadFile("run.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var killed strings.Builder // before the first result
	for line := range strings.Lines(string(whole)) {
		if !strings.Contains(line, `"result"`) && !strings.Contains(line, `"control"`) && !strings.Contains(line, `"ended"`) {
			killed.WriteString(line)
		}
	}
	write(t, "killed.ndjson", killed.String())
	broken = false
	conformance(t, "cleanup", "killed.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "removed: DELETE "+server.URL+"/v1/things/")
	if len(things) > 0 {
		t.Errorf("left are %v", things)
	}
	conformance(t, "cleanup", "killed.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "removed: DELETE ") // it is gone already
	conformance(t, "run", "--spec", "api.yaml", "--base-url", server.URL+"/v1", "--report", "ndjson=clean.ndjson")
	conformance(t, "cleanup", "clean.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "the run left nothing behind\n")
	for _, row := range [][2]string{{"", "clean up after which run? name one report"}, {"a b", "clean up after which run?"}, {"nowhere.json", "nowhere.json"}, {"api.yaml", "is not a report"}} {
		conformance(t, append([]string{"cleanup"}, strings.Fields(row[0])...)...).wants(t, exitUsage, row[1])
	}
}
