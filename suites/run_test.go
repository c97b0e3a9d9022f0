package suites_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// configFor returns the configuration of a run against that base URL: with the plainest fixtures,
// each sent once, unless the long tests are requested.
func configFor(baseURL string) suites.Config {
	c := suites.NewConfig()
	c.Target.BaseURL, c.Target.Token, c.Quick = baseURL, token, !long
	if !long {
		c.Tries = 1
	}
	return c
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// specOf returns the contract of a document.
func specOf(t *testing.T, document string) *spec.Contract {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

func run(t *testing.T, c suites.Config) result.Report {
	t.Helper()
	r, err := suites.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// broken returns the clauses with a finding of that severity, sorted, each once.
func broken(r result.Report, severity judge.Severity) []string {
	var list []string
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity == severity {
				list = append(list, string(f.Clause))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// The report shows the line of the document for each clause.
func TestReportNamesTheDocument(t *testing.T) {
	c := configFor(serve(t, reference.New(reference.Options{Tokens: []string{token}})))
	c.Only = []string{"createPlant/valid/plain"}
	r := run(t, c)
	if r.Contract.Source != "spec/openapi.yaml" {
		t.Errorf("the document is %q", r.Contract.Source)
	}
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	for i, clause := range contract.Clauses() {
		want := ""
		if clause.Line > 0 {
			want = fmt.Sprintf("spec/openapi.yaml:%d", clause.Line)
		}
		if got := r.Clauses[i].Source; got != want {
			t.Errorf("%s is at %q, want %q", clause.ID, got, want)
		}
	}
}

func TestReferenceIsConformant(t *testing.T) {
	r := run(t, configFor(serve(t, reference.New(reference.Options{Tokens: []string{token}}))))
	if r.Verdict != verdict.Conformant {
		t.Fatalf("%s: %s", r.Verdict, r.Reason)
	}
	if r.Counts.Fixtures < 60 || r.Counts.Passed+r.Counts.Unjudged != r.Counts.Fixtures {
		t.Errorf("counts %+v", r.Counts)
	}
	for _, result := range r.Results { // it refuses a known id, and gzip, which the contract permits
		isFree := strings.HasSuffix(result.Fixture, ".with-id-known") || strings.HasSuffix(result.Fixture, ".with-gzip")
		if result.Status != judge.Passed && !(result.Excused && isFree) {
			t.Errorf("%s is %s: %s", result.Fixture, result.Status, result.Reason)
		}
	}
	for _, c := range r.Clauses {
		if c.Level == spec.Must && c.Status != verdict.ClausePassed {
			t.Errorf("%s is %s", c.ID, c.Status)
		}
	}
}

// Six services, each of which differs in one point.
func TestServices(t *testing.T) {
	for _, row := range []struct {
		name    string
		handler http.Handler
		want    verdict.Verdict
		broken  []string
		silence string // a clause with an observation
		answer  string // and the answer observed
	}{
		{"right in everything", store{}, verdict.Conformant, nil, "createPlant/silent/same-id", "200 application/json"},
		{"201 for 200", store{success: 201}, verdict.Nonconformant, []string{"createPlant/accepts"}, "", ""},
		{"a missing name accepted", store{nameMissing: true}, verdict.Nonconformant, []string{"createPlant/request/body/name"}, "", ""},
		{"400 as text", store{badType: "text/plain", badBody: "bad request"}, verdict.Nonconformant,
			[]string{"createPlant/400/body", "createPlant/400/media-type"}, "", ""},
		{"400 with an Error that is called text", store{badType: "text/plain"}, verdict.Nonconformant, []string{"createPlant/400/media-type"}, "", ""},
		{"no token asked for", store{anonymous: true}, verdict.Nonconformant, []string{"createPlant/request/credential"}, "", ""},
		{"401 to a missing token", store{unknown: 401}, verdict.Conformant, nil, "createPlant/silent/credential-missing", "401"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, configFor(serve(t, row.handler)))
			if r.Verdict != row.want {
				t.Errorf("%s: %s; want %s", r.Verdict, r.Reason, row.want)
			}
			if got := broken(r, judge.Violation); !slices.Equal(got, row.broken) {
				t.Errorf("broken %q, want %q", got, row.broken)
			}
			if row.silence != "" && !observed(r, spec.ClauseID(row.silence), row.answer) {
				t.Errorf("no observation %q of %s in %+v", row.answer, row.silence, r.Observations)
			}
		})
	}
}

func observed(r result.Report, clause spec.ClauseID, answer string) bool {
	return slices.ContainsFunc(r.Observations, func(o verdict.Answers) bool {
		return o.Clause == clause && slices.ContainsFunc(o.Answers, func(a verdict.Answer) bool { return a.Answer == answer })
	})
}

// Servers without an implementation pass nothing.
func TestNullServers(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() }) // connections wait in its queue and get no response

	for _, row := range []struct {
		name    string
		baseURL string
		want    verdict.Verdict
		reason  string
	}{
		{"200 {} to all", serve(t, always(200, "application/json", `{}`)), verdict.Nonconformant, ""},
		{"a valid Error to all", serve(t, always(400, "application/json", `{"error":400,"message":"no"}`)), verdict.Nonconformant, ""},
		{"404 to all", serve(t, always(404, "", "")), verdict.Nonconformant, ""},
		{"401 to all", serve(t, always(401, "", "")), verdict.Inconclusive, "credential was refused"},
		{"a valid plant to all", serve(t, always(200, "application/json", `{"name":"a"}`)), verdict.Nonconformant, ""},
		{"200 and nothing to all", serve(t, always(200, "", "")), verdict.Nonconformant, ""},
		{"500 to all", serve(t, always(500, "", "")), verdict.Nonconformant, ""},
		{"a closed port", "http://127.0.0.1:1", verdict.Inconclusive, "nothing listens"},
		{"accepts and never answers", "http://" + silent.Addr().String(), verdict.Nonconformant, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := configFor(row.baseURL)
			if row.baseURL == "http://"+silent.Addr().String() {
				c.Limits.Timeout = 300 * time.Millisecond
			}
			r := run(t, c)
			if r.Verdict != row.want || !strings.Contains(r.Reason, row.reason) {
				t.Errorf("%s: %s; want %s with %q", r.Verdict, r.Reason, row.want, row.reason)
			}
			for _, clause := range r.Clauses {
				if strings.Contains(string(clause.ID), "/request/") && clause.Status == verdict.ClausePassed {
					t.Errorf("%s passed", clause.ID)
				}
			}
		})
	}
}

// A second run works against a store that keeps the data of the first.
func TestTwoRunsAgainstOneDurableStore(t *testing.T) {
	durable, err := reference.OpenFileStore(filepath.Join(t.TempDir(), "plants.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { durable.Close() })
	baseURL := serve(t, reference.New(reference.Options{Tokens: []string{token}, Store: durable}))
	for range 2 {
		if r := run(t, configFor(baseURL)); r.Verdict != verdict.Conformant {
			t.Fatalf("%s: %s", r.Verdict, r.Reason)
		}
	}
}

func TestRunThatCannotBegin(t *testing.T) {
	baseURL := serve(t, always(500, "", ""))
	contract := func(path string) *spec.Contract {
		t.Helper()
		return specOf(t, "openapi: 3.0.3\ninfo: {title: None, version: '1'}\npaths:\n  "+path)
	}
	unsatisfiable := contract(`/a: {post: {operationId: add, responses: {'200': {description: d}}, requestBody: {required: true, content: {application/json: {schema: {type: string, minLength: 5, maxLength: 2}}}}}}`)
	others := contract("/settings: {put: {operationId: set, responses: {'204': {description: d}}}}")
	for _, row := range []struct {
		name   string
		change func(*suites.Config)
		want   string
	}{
		{"no base URL", func(c *suites.Config) { c.Target.BaseURL = "" }, "nothing to test"},
		{"a filter that matches nothing", func(c *suites.Config) { c.Only = []string{"nothing*"} }, `only "nothing*" matches no fixture`},
		{"a clause that no fixture aims at", func(c *suites.Config) { c.Only = []string{"createPlant/400/body"} }, "no fixture tests createPlant/400/body alone; the nearest ids are createPlant/request/body, "},
		{"everything skipped", func(c *suites.Config) { c.Skip = []string{"*"} }, "skip excludes all selected fixtures"},
		{"nothing can be derived", func(c *suites.Config) { c.Contract, c.Fixtures = unsatisfiable, nil }, "no request can be derived from the contract: of add, because no body in the media type application/json can be written"},
		{"nothing but changes of what others made", func(c *suites.Config) { c.Contract, c.Fixtures, c.Derive = others, nil, true }, "unsafe is needed: all selected fixtures could change resources that the run did not create"},
		{"no credential", func(c *suites.Config) { c.Target.Token = "" }, "requires a credential"},
		{"no concurrency", func(c *suites.Config) { c.Limits.Concurrency = 0 }, "concurrency is 0"},
		{"an empty folder of fixtures", func(c *suites.Config) { c.Fixtures = []fixtures.Set{{Name: "empty", FS: emptyFS{}}} }, ""},
		{"a negative deadline", func(c *suites.Config) { c.Deadline = -1 }, "deadline"},
		{"a coverage beyond all", func(c *suites.Config) { c.MinCoverage = 100.5 }, "min-coverage is 100.5; it must be a percentage from 0 to 100"},
		{"a coverage that is no number", func(c *suites.Config) { c.MinCoverage = math.NaN() }, "min-coverage"},
		{"negative tries", func(c *suites.Config) { c.Tries = -1 }, "tries is -1; it must be 0 (the default of 3) or more"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := configFor(baseURL)
			row.change(&c)
			_, err := suites.Run(t.Context(), c)
			if !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want ErrConfig with %q", err, row.want)
			}
		})
	}
}

// hanging sends no response until the test ends, and reports each request.
func hanging(t *testing.T) (baseURL string, asked <-chan struct{}) {
	t.Helper()
	first, end := make(chan struct{}, 1000), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		first <- struct{}{}
		<-end
	}))
	t.Cleanup(func() {
		close(end)
		server.Close()
	})
	return server.URL, first
}

func TestAnInterruptedRunIsInconclusiveAndKeepsItsResults(t *testing.T) {
	baseURL, asked := hanging(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-asked
		cancel()
	}()
	r, err := suites.Run(ctx, configFor(baseURL))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Inconclusive || r.Run.Complete || r.Counts.Unjudged != r.Counts.Fixtures || !strings.HasPrefix(r.Reason, "the run was interrupted when 0 of ") {
		t.Errorf("%s: %s; complete %t, counts %+v", r.Verdict, r.Reason, r.Run.Complete, r.Counts)
	}
}

func TestTheDeadlineEndsARun(t *testing.T) {
	baseURL, _ := hanging(t)
	c := configFor(baseURL)
	c.Deadline = 50 * time.Millisecond
	r := run(t, c)
	if r.Verdict != verdict.Inconclusive || r.Run.Complete || !strings.HasPrefix(r.Reason, "the deadline ended the run when 0 of ") {
		t.Errorf("%s: %s; complete %t", r.Verdict, r.Reason, r.Run.Complete)
	}
}

func TestAnInterruptedWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := configFor("http://127.0.0.1:1")
	c.Wait = time.Hour
	c.Waiting = func(string) { cancel() }
	r, err := suites.Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Inconclusive || r.Run.Complete || r.Results[0].Reason != "the run was interrupted" {
		t.Errorf("%s: %s; complete %t; %q", r.Verdict, r.Reason, r.Run.Complete, r.Results[0].Reason)
	}
}

// The events of a run agree with its report.
func TestObserveTellsTheRun(t *testing.T) {
	c := configFor(serve(t, store{nameMissing: true}))
	var events bytes.Buffer
	c.Observe = func(e result.Event) {
		if err := result.WriteEvent(&events, e); err != nil {
			t.Error(err)
		}
	}
	var answered atomic.Int64
	c.Answered = func() { answered.Add(1) }
	want := run(t, c)
	if n := answered.Load(); n < int64(len(want.Results)) {
		t.Errorf("told of %d responses, with %d results", n, len(want.Results))
	}
	recording, err := result.Read(&events)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range exchangesOf(&want) { // only the console of the run has the ends of long bodies
		x.Request.Spaces, x.Request.End = 0, ""
		if x.Response != nil {
			x.Response.Spaces, x.Response.End = 0, ""
		}
	}
	if got := result.Conclude(recording); !reflect.DeepEqual(got, want) {
		t.Errorf("the events lead to another report:\n%s", firstDifference(settled(t, want), settled(t, got)))
	}
}
