package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
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

// thingStore is the service of thingsContract.
type thingStore struct {
	mu     sync.Mutex
	things map[string]bool
	made   int
	keeps  bool                      // it rejects every DELETE
	asked  func(method, path string) // called before each answer; may be nil
}

func (s *thingStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, path, _ := strings.Cut(r.URL.Path, "/v1")
	if s.asked != nil {
		s.asked(r.Method, path)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.Header.Get("X-Key") != "s3cret-key":
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodPost:
		s.made++
		s.things[fmt.Sprintf("/things/%d", s.made)] = true
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id": %d}`, s.made)
	case !s.things[path]:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete && s.keeps:
		w.WriteHeader(http.StatusConflict)
	case r.Method == http.MethodDelete:
		delete(s.things, path)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *thingStore) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.things)
}

func (s *thingStore) has(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.things[path]
}

func (s *thingStore) removable() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = false
}

// testKillAndCleanup: a run that is killed leaves a report that names all things that it created.
func (p program) testKillAndCleanup(t *testing.T) {
	third, release := make(chan struct{}), make(chan struct{})
	var reads atomic.Int64
	store := &thingStore{things: map[string]bool{}, keeps: true}
	store.asked = func(method, path string) {
		if method == http.MethodGet && store.has(path) && reads.Add(1) == 3 {
			close(third)
			<-release
		}
	}
	server := httptest.NewServer(store)
	defer server.Close()
	t.Chdir(t.TempDir())
	t.Setenv("CONFORMANCE_TOKEN", "s3cret-key")
	write(t, "api.yaml", thingsContract)
	c, _, said := p.command(t, "run", "--spec", "api.yaml", "--base-url", server.URL+"/v1", "--concurrency", "1", "--report", "ndjson=run.ndjson")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-third:
	case <-time.After(hangGuard):
		t.Fatal("it read nothing three times: ", said)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	close(release)
	if store.count() == 0 {
		t.Fatal("nothing is left to clean up")
	}
	store.removable()
	p.run(t, "cleanup", "run.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "removed: DELETE "+server.URL+"/v1/things/")
	if n := store.count(); n > 0 {
		t.Errorf("%d are left", n)
	}
}

// TestCleanup: what a run left behind is removed later, also if the run was killed.
func TestCleanup(t *testing.T) {
	store := &thingStore{things: map[string]bool{}, keeps: true}
	server := httptest.NewServer(store)
	defer server.Close()
	t.Chdir(t.TempDir())
	t.Setenv("CONFORMANCE_TOKEN", "s3cret-key")
	write(t, "api.yaml", thingsContract)
	got := conformance(t, "run", "--spec", "api.yaml", "--base-url", server.URL+"/v1", "--report", "ndjson=run.ndjson", "--report", "json=run.json")
	if store.count() == 0 || !strings.Contains(got.out, "what the run created may still be there:\n  curl -sS -i -X DELETE '"+server.URL+"/v1/things/") {
		t.Fatalf("%d things are left, and it says %s", store.count(), got.out)
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
	store.removable()
	conformance(t, "cleanup", "killed.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "removed: DELETE "+server.URL+"/v1/things/")
	if n := store.count(); n > 0 {
		t.Errorf("%d are left", n)
	}
	conformance(t, "cleanup", "killed.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "already gone: DELETE ")
	conformance(t, "run", "--spec", "api.yaml", "--base-url", server.URL+"/v1", "--report", "ndjson=clean.ndjson")
	conformance(t, "cleanup", "clean.ndjson", "--spec", "api.yaml").wants(t, exitConformant, "the run left nothing behind\n")
	for _, row := range [][2]string{{"", "clean up after which run? name one report"}, {"a b", `unexpected argument "b"; conformance cleanup takes one report`}, {"nowhere.json", "nowhere.json"}, {"api.yaml", "is not a report"}} {
		conformance(t, append([]string{"cleanup"}, strings.Fields(row[0])...)...).wants(t, exitUsage, row[1])
	}
}
