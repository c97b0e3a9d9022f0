package suites_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/internal/services/parcels"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// derivedRun returns the report of a run with only the service's document.
func derivedRun(t *testing.T, c suites.Config, s services.Service, o services.Options) result.Report {
	t.Helper()
	c.Target.Credentials = s.Credentials
	if o.Deviation.OnWire {
		c.Handler = s.New(o)
	} else {
		c.Target.BaseURL, c.Target.Handler = "http://service.example", s.New(o)
	}
	r := run(t, c)
	return r
}

func brokenBy(r result.Report, warned bool) []string {
	var ids []string
	for _, clause := range r.Clauses {
		if clause.Status == verdict.ClauseFailed || warned && clause.Status == verdict.ClauseWarned {
			ids = append(ids, string(clause.ID))
		}
	}
	return ids
}

// doubtful is a deviation that refuses only an example with a reference that may be taken.
const doubtful = "sender-refused"

// TestDerivedFixtures: fixtures that are derived from a document find all deviations of a service
// from it, and nothing else. LONG_TESTS=1 takes every third row, LONG_TESTS=all each.
func TestDerivedFixtures(t *testing.T) {
	sample := map[string]int{"": 100, "all": 1}[os.Getenv("LONG_TESTS")]
	if sample == 0 {
		sample = 3
	}
	for _, s := range []services.Service{parcels.Service(), books.Service()}[:sampled(1, 2)] {
		c := derivedConfig(t, s)
		t.Run(s.Name, func(t *testing.T) {
			for i, v := range append([]services.Variation{{Name: "faithful"}}, s.Variations...) {
				if i%sample != 0 {
					continue
				}
				t.Run(v.Name, func(t *testing.T) {
					t.Parallel()
					c := c
					c.Limits.MaxRequests = sampled(400, suites.FewestRequests) // less than the default
					r := derivedRun(t, c, s, services.Options{Variation: v})
					if ids := brokenBy(r, false); len(ids) > 0 {
						t.Errorf("alarm: %s breaks %v%s", v.Says, ids, first(r))
					}
				})
			}
			for i, d := range s.Deviations {
				if i%sample != 0 || d.Name == doubtful {
					continue
				}
				t.Run(d.Name, func(t *testing.T) {
					t.Parallel()
					checkDeviation(t, c, s, d)
				})
			}
		})
	}
}

// TestDerivedRunsLeaveNoTrace: after a run the service has the same data as before, a second run
// has the same result, and the report says what --unsafe adds.
func TestDerivedRunsLeaveNoTrace(t *testing.T) {
	needsLong(t, "runs the bookshop")
	s := books.Service()
	c, err := fewBooks()
	if err != nil {
		t.Fatal(err)
	}
	service := s.New(services.Options{})
	c.Target.BaseURL, c.Target.Handler, c.Target.Credentials = "http://service.example", service, s.Credentials
	held := func() string {
		r := httptest.NewRequest(http.MethodGet, "/books?limit=100", http.NoBody)
		r.Header.Set("X-Shop-Key", s.Credentials["shopKey"])
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		return w.Body.String()
	}
	before := held()
	var broken [2][]string
	for i := range broken {
		r := run(t, c)
		if after := held(); after != before || !strings.Contains(before, `"title"`) {
			t.Fatalf("it held %s, and now %s", before, after)
		}
		if left := r.Left(); len(left) > 0 || r.Verdict != verdict.Conformant || r.Reached.Operations.Reached != 6 {
			t.Errorf("%s, %s, %d left behind", r.Headline, r.Reached, len(left))
		}
		broken[i] = brokenBy(r, true) // what a list shows during the run depends on concurrent requests
	}
	if diff := cmp.Diff(broken[0], broken[1]); diff != "" {
		t.Errorf("the second run comes to something else: %s", diff)
	}
}

// TestSafety: which requests may be sent to a service that has data of others.
func TestSafety(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things: {post: {operationId: add, responses: {'201': {description: d}}}, get: {operationId: all, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, example: seven, schema: {type: string}}]
    get: {operationId: one, responses: {'200': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}}}
  /others/{id}:
    parameters: [{name: id, in: path, required: true, example: 7, schema: {type: integer, maximum: 9}}]
    put: {operationId: change, responses: {'200': {description: d}}}
  /settings: {put: {operationId: set, responses: {'200': {description: d}}}}
`
	for _, row := range []struct {
		name             string
		readOnly, unsafe bool
		want             string
	}{
		{"by itself", false, false, "DELETE /things/new, DELETE /things/other, GET /things, GET /things/held, GET /things/new, GET /things/other, POST /things"},
		{"only reads", true, false, "GET /things, GET /things/held, GET /things/other"},
		{"unsafe", false, true, "DELETE /things/new, DELETE /things/other, GET /things, GET /things/held, GET /things/new, GET /things/other, POST /things, PUT /others/7, PUT /others/other, PUT /settings"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := suites.NewConfig()
			c.Contract = specOf(t, document)
			c.ReadOnly, c.Unsafe = row.readOnly, row.unsafe
			var mu sync.Mutex
			asked := map[string]bool{}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				path := r.URL.Path
				switch {
				case strings.HasPrefix(path, "/others/") && path != "/others/7":
					path = "/others/other"
				case strings.HasPrefix(path, "/things/conformance-"):
					path = "/things/other"
				}
				mu.Lock()
				asked[r.Method+" "+path] = true
				mu.Unlock()
				switch {
				case strings.HasSuffix(path, "/other"):
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodPost:
					w.Header().Set("Location", "/things/new")
					w.WriteHeader(http.StatusCreated)
				case r.Method == http.MethodDelete:
					w.WriteHeader(http.StatusNoContent)
				case path == "/things":
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(`[{"id": "held"}]`))
				}
			})
			r := run(t, c)
			if got := strings.Join(slices.Sorted(maps.Keys(asked)), ", "); got != row.want {
				t.Errorf("asked %s\nwant  %s", got, row.want)
			}
			missing := fmt.Sprint(words.Unreached(r, true))
			if strings.Contains(missing, "--unsafe sends them") == (row.unsafe || row.readOnly) || strings.Contains(missing, "--read-only sends only") != row.readOnly {
				t.Errorf("said is %s", missing)
			}
		})
	}
}

// TestAuthorizationBesideAScheme: the header field is sent only to operations without a scheme in
// the document. Without it, the report says why they were not reached.
func TestAuthorizationBesideAScheme(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {'200': {description: d}}}}, " +
		"/b: {get: {operationId: b, security: [{k: []}], responses: {'200': {description: d}}}}}\ncomponents: {securitySchemes: {k: {type: http, scheme: bearer}}}\n"
	for name, row := range map[string]struct {
		header  []fixtures.Field
		open    bool // b answers without a token
		verdict verdict.Verdict
		missing string
	}{
		"with the header":    {[]fixtures.Field{{Name: "Authorization", Value: "Basic s3cret"}}, false, verdict.Conformant, "[]"},
		"without the header": {nil, false, verdict.Conformant, "no token was sent"},
		"b takes any":        {[]fixtures.Field{{Name: "Authorization", Value: "Basic s3cret"}}, true, verdict.Nonconformant, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, document)
			c.Target.Headers, c.Target.Token = row.header, "t0ken"
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				given := strings.Join(r.Header.Values("Authorization"), ", ")
				if r.URL.Path == "/a" && given != "Basic s3cret" || r.URL.Path == "/b" && given != "Bearer t0ken" && !row.open {
					w.WriteHeader(http.StatusUnauthorized)
				}
			})
			r := run(t, c)
			if missing := fmt.Sprint(words.Unreached(r, true)); r.Verdict != row.verdict || !strings.Contains(missing, row.missing) {
				t.Errorf("%s: %s%s", r.Headline, missing, firstOf(r))
			}
		})
	}
}

// TestAuthorizationThatTheContractDoesNotKnow: the header field is sent with every request. No report has it.
func TestAuthorizationThatTheContractDoesNotKnow(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {'200': {description: d}}}}}\n"
	c := suites.NewConfig()
	c.Contract = specOf(t, document)
	c.Target.Headers = []fixtures.Field{{Name: "Authorization", Value: "Basic a3nown:s3cret="}}
	c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Basic a3nown:s3cret=" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = w.Write([]byte("you sent a3nown:s3cret="))
	})
	r := run(t, c)
	text, err := json.Marshal(r)
	if err != nil || r.Verdict != verdict.Conformant || strings.Contains(string(text), "s3cret") {
		t.Errorf("%s: %s", r.Headline, text)
	}
}

// derivedConfig returns the configuration of runs with all fixtures that can be derived.
func derivedConfig(t *testing.T, s services.Service) suites.Config {
	t.Helper()
	c, err := derivedConfigs[s.Name]()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var derivedConfigs = map[string]func() (suites.Config, error){
	books.Service().Name:   sync.OnceValues(func() (suites.Config, error) { return loadDerived(books.Service(), 100_000) }),
	parcels.Service().Name: sync.OnceValues(func() (suites.Config, error) { return loadDerived(parcels.Service(), 100_000) }),
}

// fewDerived returns the configuration of runs with some fixtures of each operation.
var fewDerived = sync.OnceValues(func() (suites.Config, error) { return loadDerived(parcels.Service(), 200) })

func loadDerived(s services.Service, most int) (suites.Config, error) {
	c := suites.NewConfig()
	c.Seed, c.Limits.MaxRequests = 1, most
	var err error
	if c.Contract, err = spec.Load(context.Background(), spec.Source{Name: "openapi.yaml", Data: s.Document}, nil); err != nil {
		return c, err
	}
	return c.Load()
}

// checkDeviation runs the fixtures that could find a deviation. For a clause on requests these are the fixtures
// that test it. For any other clause they are the groups of its operation that show each kind of response.
func checkDeviation(t *testing.T, c suites.Config, s services.Service, d services.Deviation) {
	t.Helper()
	theirs := append(slices.Clone(d.Also), d.Clause)
	c.Only = nil
	for _, group := range []string{"valid", "open", "required", "missing-body", "type", "format", "no-credential", "media-type", "malformed"} {
		pattern := spec.ClauseID(d.Clause).Operation() + "/" + group
		if slices.ContainsFunc(c.Loaded, func(f fixtures.Fixture) bool { return strings.HasPrefix(f.ID, pattern+"/") }) {
			c.Only = append(c.Only, pattern+"/*")
		}
	}
	if id := d.Clause; spec.ClauseID(id).OnRequest() && !spec.ClauseID(id).IsRequestMediaType() {
		c.Only = slices.DeleteFunc(slices.Clone(theirs), func(id string) bool { return !spec.ClauseID(id).OnRequest() })
	}
	r := derivedRun(t, c, s, services.Options{Deviation: d})
	blamed := brokenBy(r, false)
	others := slices.DeleteFunc(slices.Clone(blamed), func(id string) bool {
		return slices.Contains(theirs, id) || strings.HasPrefix(id, d.Clause+"/") // a part of the same body
	})
	found := slices.ContainsFunc(brokenBy(r, true), func(id string) bool { return slices.Contains(theirs, id) })
	switch {
	case !found:
		t.Errorf("missed: %s breaks %s; found %v%s", d.Says, d.Clause, blamed, first(r))
	case len(others) > 0:
		t.Errorf("blamed as well: %v for %s, which breaks %s%s", others, d.Says, d.Clause, first(r))
	}
}

// first returns the first findings of a report.
func first(r result.Report) string {
	var b strings.Builder
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Severity == judge.Violation && b.Len() < 1500 {
				fmt.Fprintf(&b, "\n%s (%s): %s: %s %s, expected %s, got %s", one.Fixture, one.Title, f.Clause, f.Pointer, f.Message, f.Expected, f.Actual)
			}
		}
	}
	return b.String()
}

// TestFlawOfOneOperation: parts that a flaw of the document affects are not judged, and the report
// says so. The rest gets its verdict.
func TestFlawOfOneOperation(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get: {operationId: a, responses: {'200': {description: d, content: {application/json: {schema: {type: integer}}}}}}
  /b:
    get: {operationId: b, responses: {'200': {description: d, content: {application/json: {schema: {type: integer, minimum: x}}}}}}
`
	for _, row := range []struct {
		body    string
		verdict verdict.Verdict
		reason  string
	}{
		{"1", verdict.Conformant, "must-clauses passed"},
		{`"1"`, verdict.Nonconformant, "a/200/body"},
	} {
		c := suites.NewConfig()
		c.Contract = specOf(t, document)
		c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(row.body))
		})
		r := run(t, c)
		if r.Verdict != row.verdict || !strings.Contains(r.Reason, row.reason) && !slices.Contains(brokenBy(r, false), row.reason) {
			t.Errorf("%s: %s, %s, breaks %v", row.body, r.Verdict, r.Reason, brokenBy(r, false))
		}
		unjudged := words.Unjudged(r)
		if row.verdict == verdict.Conformant && (len(unjudged) != 1 || !strings.HasPrefix(unjudged[0].Text, judge.Flawed+"x.yaml:7:") || r.Headline != "conformant in 7 of 8 must-clauses") {
			t.Errorf("unjudged: %v, and it is %s", unjudged, r.Headline)
		}
		if i := slices.IndexFunc(r.Clauses, func(c verdict.Clause) bool { return c.ID == "b/200/body" }); r.Clauses[i].Status == verdict.ClausePassed {
			t.Errorf("b/200/body is %s", r.Clauses[i].Status)
		}
	}
}
