package suites_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// features is a service whose things are named by what is sent, which has to go into a URL.
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

// featureService keeps features by name. It takes what fits into a URL, and each name once.
type featureService struct {
	mu     sync.Mutex
	kept   map[string]map[string]any
	key    string                // what the name is called
	made   func(name string) any // what a creation answers
	loses  bool                  // the note
	status int                   // of a creation
}

var friendly = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)

func (s *featureService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		var sent map[string]any
		body, _ := io.ReadAll(r.Body)
		err := json.Unmarshal(body, &sent)
		name, _ = sent[s.key].(string)
		value, hasNote := sent["note"]
		note, isText := value.(string)
		switch {
		case err != nil || !friendly.MatchString(name) || hasNote && !isText:
			w.WriteHeader(http.StatusBadRequest)
			return
		case s.kept[name] != nil:
			w.WriteHeader(http.StatusConflict)
			return
		}
		s.kept[name] = map[string]any{s.key: name, "note": note}
		answer := any(s.kept[name])
		if s.made != nil {
			answer = s.made(name)
		}
		if s.loses {
			s.kept[name]["note"] = ""
		}
		w.WriteHeader(cmp.Or(s.status, http.StatusCreated))
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	one := s.kept[name]
	switch {
	case one == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(s.kept, name)
		w.WriteHeader(http.StatusNoContent)
	default:
		_ = json.NewEncoder(w).Encode(one)
	}
}

// TestNamesWithoutSpaces: a service whose names go into URLs is reached, by a name that looks like
// the document's example.
func TestNamesWithoutSpaces(t *testing.T) {
	for name, row := range map[string]struct {
		loses bool
		want  []string
	}{"faithful": {}, "a note is lost": {true, []string{"getFeature/state/created"}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFeatures(t, features, &featureService{key: "name", loses: row.loses}, row.want)
		})
	}
}

// testFeatures runs a service, all of whose operations are reached, and which is cleaned up.
func testFeatures(t *testing.T, document string, s *featureService, want []string) {
	t.Helper()
	c, err := shelfContract(document)
	if err != nil {
		t.Fatal(err)
	}
	s.kept = map[string]map[string]any{}
	c.Target.BaseURL, c.Target.Handler = "http://service.example", s
	r := run(t, c)
	if found := stateFindings(r); !slices.Equal(found, want) {
		t.Errorf("found %v, want %v%s", found, want, firstOf(r))
	}
	if r.Verdict == judge.Nonconformant || r.Reached.Operations.Reached != 3 || len(s.kept) > 0 {
		t.Errorf("%s: %+v, %d kept: %s", r.Headline, r.Reached, len(s.kept), firstOf(r))
	}
}

// TestIDsOfExamples: the id of what is created is another one in each request, even if the document
// has an example of it: a service takes each once.
func TestIDsOfExamples(t *testing.T) {
	document := strings.NewReplacer(`name: {type: string, example: my-feature-3}`, `featureId: {type: string, pattern: '^.+$', example: '"my-group"'}`,
		"required: [name]", "required: [featureId]", "{name}", "{featureId}", "name: name", "name: featureId").Replace(features)
	for name, row := range map[string]struct {
		loses bool
		want  []string
	}{"faithful": {}, "a note is lost": {true, []string{"getFeature/state/created"}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFeatures(t, document, &featureService{key: "featureId", loses: row.loses}, row.want)
		})
	}
}

// TestIDsThatWereSent: what is created may have its id from the request alone. A thing that is shown
// with another note is another matter.
func TestIDsThatWereSent(t *testing.T) {
	document := strings.Replace(features, "{'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Feature'}}}}", "{'200': {description: made, content: {application/json: {schema: {type: object}}}}", 1)
	for name, row := range map[string]struct {
		loses bool
		made  func(name string) any
		want  []string
	}{
		"faithful":                 {false, func(string) any { return map[string]any{} }, nil},
		"shows an id all the same": {false, func(name string) any { return map[string]any{"name": name} }, nil},
		"a note is lost":           {true, func(string) any { return map[string]any{} }, []string{"getFeature/state/created"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFeatures(t, document, &featureService{key: "name", made: row.made, loses: row.loses, status: http.StatusOK}, row.want)
		})
	}
}
