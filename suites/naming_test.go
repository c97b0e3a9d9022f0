package suites_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// labelsDocument has parameters that name things: for reads, and for actions.
const labelsDocument = `openapi: 3.0.3
info: {title: Labels, version: '1'}
paths:
  /projects:
    post: {operationId: addProject, responses: {'201': {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}
  /projects/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    delete: {operationId: removeProject, responses: {'204': {description: gone}, '404': {description: none}}}
  /predictions:
    get:
      operationId: predictions
      parameters:
        - {name: task, in: query, schema: {type: integer}, description: Filter predictions by task ID}
        - {name: width, in: query, schema: {type: integer, minimum: 1}}
      responses: {'204': {description: none}, '400': &refused {description: refused}}
  /actions:
    post:
      operationId: act
      parameters: [{name: project, in: query, required: true, schema: {type: integer}, description: Project ID}]
      responses: {'204': {description: done}, '400': *refused, '404': {description: no such project}}
`

// labels is a service with a project 1 that the run did not create.
type labels struct {
	mu     sync.Mutex
	made   []string // projects of the run
	acted  []string // the projects of accepted actions
	narrow bool     // refuses a width
	lax    bool     // accepts each number, and another text for 1
}

func (l *labels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	query := r.URL.Query()
	isNumber := func(name string) bool {
		n, err := strconv.Atoi(query.Get(name))
		return !query.Has(name) || err == nil && (name != "width" || n > 0 && !l.narrow)
	}
	project := query.Get("project")
	if l.lax && !isNumber("project") {
		project = "1"
	}
	status := http.StatusNoContent
	switch {
	case r.URL.Path == "/projects":
		l.made = append(l.made, strconv.Itoa(len(l.made)+2))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":%s}`, l.made[len(l.made)-1])
		return
	case r.Method == http.MethodDelete && slices.Contains(l.made, strings.TrimPrefix(r.URL.Path, "/projects/")):
	case r.URL.Path == "/predictions" && isNumber("task") && isNumber("width"):
		if query.Has("task") { // "not one of the available choices"
			status = http.StatusBadRequest
		}
	case r.URL.Path == "/actions" && (project == "1" || slices.Contains(l.made, project)):
		l.acted = append(l.acted, project)
	case r.URL.Path == "/actions" && isNumber("project"):
		status = http.StatusNotFound
	case r.URL.Path == "/actions", r.URL.Path == "/predictions":
		status = http.StatusBadRequest
	default:
		status = http.StatusNotFound
	}
	w.WriteHeader(status)
}

// TestParametersThatName: a service may not know the name, and a run acts only on things that it created.
func TestParametersThatName(t *testing.T) {
	for _, row := range []struct {
		name    string
		service *labels
		want    string
	}{
		{"permitted", &labels{}, ""},
		{"refuses a width", &labels{narrow: true}, "predictions/accepts"},
		{"takes a text for a project", &labels{lax: true}, "act/request/query/project"},
	} {
		c := contractOf(t, labelsDocument)
		c.Loaded = nil // also the fixtures that aboutValues removes
		c.Handler = row.service
		r := run(t, c)
		if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
			t.Errorf("%s: breaks %q, want %q%s", row.name, got, row.want, firstOf(r))
		}
		if acted := row.service.acted; len(acted) == 0 || !row.service.lax && slices.Contains(acted, "1") {
			t.Errorf("%s: acted on %q", row.name, acted)
		}
	}
}
