package suites_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// arrivals records the bodies of requests as they arrive, and their connections.
type arrivals struct {
	handler http.Handler
	mu      sync.Mutex
	bodies  []string
	from    []string
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	a.mu.Lock()
	a.bodies, a.from = append(a.bodies, string(body)), append(a.from, r.RemoteAddr)
	a.mu.Unlock()
	a.handler.ServeHTTP(w, r)
}

// at returns the place of a fixture's try among the requests. It must be there once.
func (a *arrivals) at(t *testing.T, f fixtures.Fixture, try int) int {
	t.Helper()
	body := string(f.Message(7, try).Body)
	i := slices.Index(a.bodies, body)
	if i < 0 {
		t.Fatalf("try %d of %s was not sent: %s", try, f.ID, body)
	}
	return i
}

// bundledFixtures returns the fixtures of the built-in contract, by id.
func bundledFixtures(t *testing.T) (suites.Config, map[string]fixtures.Fixture) {
	t.Helper()
	c := suites.NewConfig()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	all, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	c.Contract, c.Loaded, c.Seed = contract, all, 7
	byID := map[string]fixtures.Fixture{}
	for _, f := range all {
		byID[f.ID] = f
	}
	return c, byID
}

// The plainest valid request is sent first. Requests that must be rejected are sent before any
// other request is accepted and again afterwards, the third time on a separate connection. Requests
// with a known id are sent after it is created.
func TestOrder(t *testing.T) {
	c, byID := bundledFixtures(t)
	a := &arrivals{handler: store{}}
	c.Target.BaseURL, c.Target.Token = serve(t, a), token
	c.Limits.Concurrency = 1
	r := run(t, c)
	firstAccepted, lastAccepted, lastEither := len(a.bodies), 0, 0
	plain := byID["createPlant/valid/plain"]
	if at := a.at(t, plain, 0); at != 0 {
		t.Errorf("the plainest valid request is the request %d", at)
	}
	for _, f := range c.Loaded {
		if f.ID == plain.ID || f.NeedsKnown() || f.Times() > 1 || f.Requests() > 1 || !strings.Contains(string(f.Message(7, 0).Body), "1") {
			continue
		}
		switch at := slices.Index(a.bodies, string(f.Message(7, 0).Body)); f.Expect {
		case fixtures.Accepted:
			firstAccepted, lastAccepted = min(firstAccepted, at), max(lastAccepted, at)
		case fixtures.Either:
			lastEither = max(lastEither, at)
		}
	}
	if lastAccepted < firstAccepted || lastEither < lastAccepted {
		t.Fatalf("accepted from %d to %d, either until %d", firstAccepted, lastAccepted, lastEither)
	}
	name := byID["createPlant/missing-required/name"]
	if first := a.at(t, name, 0); first > firstAccepted {
		t.Errorf("the first try is the request %d, after the first that must be accepted, %d", first, firstAccepted)
	}
	if second := a.at(t, name, 1); second < lastEither {
		t.Errorf("the second try is the request %d, before the last that may be either, %d", second, lastEither)
	}
	if third := a.at(t, name, 2); third < a.at(t, name, 1) || slices.Contains(a.from[:third], a.from[third]) {
		t.Errorf("the third try is the request %d, over a connection that was used before", third)
	}
	known := byID["createPlant/wrong-type/tag-list.with-id-known"]
	if at := a.at(t, known, 0); at < lastAccepted {
		t.Errorf("the known id is sent with the request %d, before all that must be accepted", at)
	}
	for _, result := range r.Results {
		want := 0 // which says once
		switch f := byID[result.Fixture]; {
		case f.Level != "must" || !f.Quick():
		case f.Expect == fixtures.Rejected:
			want = 3
		case f.Expect == fixtures.Accepted:
			want = 2
		}
		if result.Tries != want {
			t.Errorf("%s was tried %d times, want %d", result.Fixture, result.Tries, want)
		}
	}
}

// Requests that must be accepted are sent again after all others: one of these may have left the
// service unable to accept any.
func TestAcceptedAtTheEnd(t *testing.T) {
	c, _ := bundledFixtures(t)
	var locked atomic.Bool
	c.Target.BaseURL, c.Target.Token = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if locked.Load() && r.Header.Get("Authorization") != "" {
			r.Body = http.NoBody // so it is refused
		}
		store{}.ServeHTTP(w, r)
		if bytes.Contains(body, []byte(`"__proto__":{"tag"`)) {
			locked.Store(true)
		}
	})), token
	r := run(t, c)
	i := slices.IndexFunc(r.Results, func(x result.Result) bool { return x.Fixture == "createPlant/valid/plain" })
	if x := r.Results[i]; r.Verdict != verdict.Nonconformant || x.Status != judge.Failed || x.Tries != 2 || x.Alike != 1 {
		t.Errorf("%s: %s, %d of %d tries: %+v", r.Verdict, x.Status, x.Alike, x.Tries, x.Findings)
	}
}

// If one try in three is accepted, this is a violation, and the report says how often.
func TestAViolationInOneTry(t *testing.T) {
	c, byID := bundledFixtures(t)
	third := string(byID["createPlant/missing-required/name"].Message(7, 2).Body)
	c.Target.BaseURL, c.Target.Token = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		store{nameMissing: string(body) == third}.ServeHTTP(w, r)
	})), token
	c.Only = []string{"createPlant/missing-required"}
	r := run(t, c)
	i := slices.IndexFunc(r.Results, func(x result.Result) bool { return x.Fixture == "createPlant/missing-required/name" })
	x := r.Results[i]
	if r.Counts.Failed != 1 || x.Status != judge.Failed || x.Tries != 3 || x.Alike != 1 || !strings.Contains(x.Findings[0].Actual, "(in 1 of 3 tries)") {
		t.Errorf("%s: %s, %d of %d: %+v", r.Verdict, x.Status, x.Alike, x.Tries, x.Findings)
	}
	if x.Exchange.Request.Body.Body != third {
		t.Errorf("the exchange shown is that of %s, not of %s", x.Exchange.Request.Body.Body, third)
	}
}

// Controls that the selection excludes are sent in addition to it. They are counted separately, and
// the plan names them.
func TestControlsAreSent(t *testing.T) {
	for _, row := range []struct {
		name     string
		change   func(*suites.Config)
		fixtures int
		controls []string
		requests int
	}{
		{"a filter", func(c *suites.Config) { c.Only = []string{"createPlant/missing-required/name"} }, 1, []string{"createPlant/valid/plain"}, 4},
		{"one try", func(c *suites.Config) { c.Only, c.Tries = []string{"createPlant/missing-required/name"}, 1 }, 1, []string{"createPlant/valid/plain"}, 2},
		{"its control is selected", func(c *suites.Config) {
			c.Only = []string{"createPlant/missing-required/name", "createPlant/valid/plain"}
		}, 2, nil, 5},
		{"what it names is sent, too", func(c *suites.Config) { c.Only = []string{"createPlant/missing-required/name.with-id-known"} }, 1,
			[]string{"createPlant/valid/plain", "createPlant/valid/plain.with-id-known"}, 3},
		{"one that follows another", func(c *suites.Config) { c.Only = []string{"createPlant/missing-required/name.with-after-accepted"} }, 1,
			[]string{"createPlant/valid/plain.with-after-accepted"}, 4},
		{"a skip", func(c *suites.Config) {
			c.Only, c.Skip = []string{"createPlant/missing-required/name", "createPlant/valid/plain"}, []string{"createPlant/valid"}
		}, 1, []string{"createPlant/valid/plain"}, 4},
		{"a shard", func(c *suites.Config) {
			c.Only, c.Shard = []string{"createPlant/missing-required/name", "createPlant/valid/plain"}, suites.Shard{Index: 1, Of: 2}
		}, 1, []string{"createPlant/valid/plain"}, 4},
		{"no rejection", func(c *suites.Config) { c.Only = []string{"createPlant/valid/plain"} }, 1, nil, 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, _ := bundledFixtures(t)
			a := &arrivals{handler: store{}}
			c.Target.BaseURL, c.Target.Token = serve(t, a), token
			row.change(&c)
			planned, err := suites.Planned(c)
			if err != nil {
				t.Fatal(err)
			}
			if got := idsOf(planned.Controls); !slices.Equal(got, row.controls) || len(planned.Fixtures) != row.fixtures {
				t.Errorf("%d fixtures and the controls %q are planned, want %d and %q", len(planned.Fixtures), got, row.fixtures, row.controls)
			}
			c.Limits.MaxRequests = row.requests - 1
			if _, err := suites.Run(t.Context(), c); row.requests > 1 && (!errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), "need")) {
				t.Errorf("with a budget of one less: %v", err)
			}
			c.Limits.MaxRequests = row.requests
			a.bodies = nil
			r := run(t, c)
			if r.Verdict != verdict.Conformant || r.Counts.Fixtures != row.fixtures || len(r.Results) != row.fixtures {
				t.Errorf("%s: %s; %d results", r.Verdict, r.Reason, len(r.Results))
			}
			var controls []string
			for _, x := range r.Controls {
				controls = append(controls, x.Fixture)
			}
			if !slices.Equal(controls, row.controls) || len(a.bodies) != row.requests {
				t.Errorf("%d requests, controls %q; want %d, %q", len(a.bodies), controls, row.requests, row.controls)
			}
		})
	}
}

// If a control needs a credential, so does the run.
func TestControlsNeedACredential(t *testing.T) {
	c := handlerConfig(store{})
	c.Target.Token, c.Only = "", []string{"createPlant/no-token/no-header"}
	if _, err := suites.Run(t.Context(), c); !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), "(createPlant/valid/plain needs it)") {
		t.Error(err)
	}
}

// Each first part of the events of a killed run leads to a valid report. It is never conformant,
// and it is nonconformant if a violation was seen.
func TestAKilledRun(t *testing.T) {
	for _, row := range []struct {
		name   string
		server http.Handler
		broken string
	}{
		{"a clause broken", store{nameMissing: true}, "createPlant/request/body/name"},
		{"nothing broken", store{}, ""},
		{"404 to all", always(404, "", ""), "createPlant/accepts"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := configFor(serve(t, row.server))
			c.Only = []string{"createPlant/missing-required", "createPlant/valid"}
			c.Skip = []string{"createPlant/valid/plain"}
			c.Quick = true
			var events bytes.Buffer
			c.Observe = func(e result.Event) { _ = result.WriteEvent(&events, e) }
			whole := run(t, c)
			lines := bytes.SplitAfter(events.Bytes(), []byte("\n"))
			for n := 1; n < len(lines)-1; n++ {
				for _, extra := range []int{0, len(lines[n]) / 2} {
					text := append(bytes.Join(lines[:n], nil), lines[n][:extra]...)
					recording, err := result.Read(bytes.NewReader(text))
					if err != nil {
						t.Fatalf("after %d lines: %v", n, err)
					}
					r := result.Conclude(recording)
					if r.Verdict == verdict.Conformant || r.Run.Complete || n <= len(r.Results) {
						t.Errorf("after %d lines it is %s, complete %t", n, r.Verdict, r.Run.Complete)
					}
					for _, clause := range broken(r, judge.Violation) {
						if clause != row.broken {
							t.Errorf("after %d lines %s is broken", n, clause)
						}
					}
					for _, x := range r.Results {
						i := slices.IndexFunc(whole.Results, func(y result.Result) bool { return x.Fixture == y.Fixture })
						if passed := judge.Passed; x.Status == passed && x.Expect == "rejected" && whole.Results[i].Status != passed {
							t.Errorf("after %d lines %s passed, and in the whole it is %s", n, x.Fixture, whole.Results[i].Status)
						}
					}
				}
			}
		})
	}
}

// A quick run sends the plainest fixtures.
func TestQuick(t *testing.T) {
	c, _ := bundledFixtures(t)
	c.Quick = true
	planned, err := suites.Planned(c)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(planned.Fixtures); n < 100 || n > 160 {
		t.Errorf("%d fixtures, want about 130", n)
	}
	c.Only = []string{"createPlant/missing-required/name.with-tag"}
	if _, err := suites.Planned(c); err == nil || !strings.Contains(err.Error(), "quick excludes all selected fixtures") {
		t.Error(err)
	}
}

func idsOf(list []fixtures.Fixture) []string {
	var ids []string
	for _, f := range list {
		ids = append(ids, f.ID)
	}
	return ids
}

// A request that neither creates a thing nor names one of the run may change the service for all
// others, such as this change of its mode. It is sent last, so that earlier results are evidence.
func TestWhatMayChangeTheServiceComesLast(t *testing.T) {
	const answers = "responses: {'200': {description: d}, '201': {description: d}, '400': {description: d}}"
	const body = "requestBody: {required: true, content: {application/json: {schema: {type: object, required: [enabled], properties: {enabled: {type: boolean}}}}}}"
	contract := specOf(t, `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /maintenance: {post: {operationId: maintain, `+body+`, `+strings.Replace(answers, "'201': {description: d}, ", "", 1)+`}}
  /mode: {put: {operationId: setMode, `+body+`, `+answers+`}}
  /things: {post: {operationId: createThing, `+body+`, `+answers+`}}
  /things/{id}: {get: {operationId: showThing, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], `+answers+`}}
`)
	for _, changes := range []string{"/maintenance", "/mode"} {
		var off atomic.Bool
		c := suites.NewConfig()
		c.Contract, c.Unsafe, c.Limits.Concurrency = contract, true, 1
		c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var sent struct{ Enabled *bool }
			err := json.NewDecoder(r.Body).Decode(&sent)
			switch {
			case r.Method == http.MethodGet:
			case off.Load() && r.URL.Path == "/things":
				w.WriteHeader(http.StatusServiceUnavailable)
			case err != nil || sent.Enabled == nil || r.Header.Get("Content-Type") != "application/json":
				w.WriteHeader(http.StatusBadRequest)
			case r.URL.Path == changes:
				off.Store(true)
			}
		})
		for _, x := range run(t, c).Results {
			if x.Operation == "createThing" && x.Exchange.Response != nil && x.Exchange.Response.Status == http.StatusServiceUnavailable {
				t.Errorf("%s: %s came after the service was changed", changes, x.Fixture)
			}
		}
		if !off.Load() {
			t.Errorf("%s was never accepted", changes)
		}
	}
}
