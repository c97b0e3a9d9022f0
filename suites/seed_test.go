package suites_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httputil"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/result"
)

// recorder records each request as it was received. It records the run's id in User-Agent separately.
type recorder struct {
	handler  http.Handler
	mu       sync.Mutex
	requests []string
	runs     []string
}

var runID = regexp.MustCompile(`(User-Agent: conformance/\S+ \(run )(\w+)(; \+https://github\.com/plantstore/conformance\)\r\n)`)

func (rec *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	dump, err := httputil.DumpRequest(r, true)
	if err != nil {
		dump = []byte(err.Error())
	}
	rec.mu.Lock()
	if found := runID.FindSubmatch(dump); found != nil {
		rec.runs = append(rec.runs, string(found[2]))
	}
	rec.requests = append(rec.requests, string(runID.ReplaceAll(dump, []byte("${1}ID$3"))))
	rec.mu.Unlock()
	rec.handler.ServeHTTP(w, r)
}

// take returns the requests so far, sorted: concurrent requests arrive in any order.
func (rec *recorder) take() []string {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	requests := rec.requests
	rec.requests, rec.runs = nil, nil
	slices.Sort(requests)
	return requests
}

// settled returns the report as JSON without what may differ between two runs: the times and the run's id.
func settled(t *testing.T, r result.Report) string {
	t.Helper()
	r.Run.ID, r.Run.DurationMs = "", 0
	r.Run.Started = time.Time{}
	r.Results, r.Controls = slices.Clone(r.Results), slices.Clone(r.Controls)
	for _, list := range [][]result.Result{r.Results, r.Controls} {
		for i := range list {
			list[i].Replies = nil
		}
	}
	for _, x := range exchangesOf(&r) {
		x.DurationMs = 0
		if x.Response != nil {
			delete(x.Response.Headers, "Date")
		}
	}
	var b bytes.Buffer
	if err := result.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// exchangesOf returns the exchanges of the results and the controls.
func exchangesOf(r *result.Report) []*result.Exchange {
	var list []*result.Exchange
	for _, results := range [][]result.Result{r.Results, r.Controls} {
		for i := range results {
			list = append(list, &results[i].Exchange)
			for j := range results[i].Steps {
				list = append(list, &results[i].Steps[j].Exchange)
			}
		}
	}
	return list
}

func TestTheSameSeedSendsTheSameBytesAndReportsTheSame(t *testing.T) {
	rec := &recorder{handler: store{}}
	c := configFor(serve(t, rec))
	c.Seed = 42
	first := run(t, c)
	firstRequests := rec.take()
	second := run(t, c)
	secondRequests := rec.take()
	if !slices.Equal(firstRequests, secondRequests) {
		t.Error("the same seed sent other bytes, beside the id of the run")
	}
	if a, b := settled(t, first), settled(t, second); a != b {
		t.Errorf("the same seed gave another report:\n%s", firstDifference(a, b))
	}

	c.Seed = 43
	if r := run(t, c); settled(t, r) == settled(t, first) {
		t.Error("another seed gave the same report")
	}
	if slices.Equal(rec.take(), firstRequests) {
		t.Error("another seed sent the same bytes")
	}
}

// Every request names the run, and so does the request that waits for the target.
func TestTheRunIsNamedInEveryRequest(t *testing.T) {
	rec := &recorder{handler: store{}}
	c := configFor(serve(t, rec))
	c.Wait = time.Minute
	r := run(t, c)
	others := 0 // of fixtures about this header field
	for _, request := range rec.requests {
		if !runID.MatchString(strings.Replace(request, "(run ID;", "(run x;", 1)) {
			others++
		}
	}
	if len(rec.runs)+others != len(rec.requests) || len(rec.runs) < len(r.Results) || others > 20 {
		t.Errorf("%d of %d requests name a run, %d another agent", len(rec.runs), len(rec.requests), others)
	}
	if runs := slices.Compact(rec.runs); !slices.Equal(runs, []string{r.Run.ID}) {
		t.Errorf("they name %q, the report %s", runs, r.Run.ID)
	}
}

func TestAUserAgentOfOnesOwn(t *testing.T) {
	rec := &recorder{handler: store{}}
	c := configFor(serve(t, rec))
	c.Only = []string{"createPlant/valid/plain"}
	c.Target.UserAgent = "acme/1"
	id := run(t, c).Run.ID
	if got, want := strings.Join(rec.take(), ""), "User-Agent: acme/1 (run "+id+"; +https://"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
	c.Target.Headers = []fixtures.Field{{Name: "User-Agent", Value: "exact"}}
	run(t, c)
	if got, want := strings.Join(rec.take(), ""), "User-Agent: exact\r\n"; !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// A filter does not change the requests of the remaining fixtures.
func TestASelectionSendsTheSameBytesAsTheWhole(t *testing.T) {
	rec := &recorder{handler: store{}}
	c := configFor(serve(t, rec))
	c.Seed = 42
	run(t, c)
	whole := rec.take()
	c.Only = []string{"createPlant/valid"}
	run(t, c)
	for _, request := range rec.take() {
		if !slices.Contains(whole, request) {
			t.Errorf("only in the selection:\n%s", request)
		}
	}
}

func TestConcurrencyDoesNotChangeTheReport(t *testing.T) {
	rec := &recorder{handler: store{}}
	c := configFor(serve(t, rec))
	c.Seed = 42
	c.Limits.Concurrency = 1
	one := settled(t, run(t, c))
	c.Limits.Concurrency = 64
	if many := settled(t, run(t, c)); many != one {
		t.Errorf("concurrency 64 gave another report:\n%s", firstDifference(one, many))
	}
}

func TestASeedIsDrawnAndReported(t *testing.T) {
	c := configFor(serve(t, store{}))
	c.Only = []string{"createPlant/valid"}
	a, b := run(t, c), run(t, c)
	if a.Run.Seed == 0 || a.Run.Seed == b.Run.Seed {
		t.Errorf("seeds %d and %d", a.Run.Seed, b.Run.Seed)
	}
	if a.Run.ID == b.Run.ID {
		t.Error("two runs share an id")
	}
}

func firstDifference(a, b string) string {
	x, y := bytes.Split([]byte(a), []byte("\n")), bytes.Split([]byte(b), []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf("line %d\n< %s\n> %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// The report says whether an earlier run may have used the same seed.
func TestSeedGiven(t *testing.T) {
	for seed, want := range map[uint64]bool{0: false, 7: true} {
		c := handlerConfig(store{})
		c.Seed, c.Only = seed, []string{"createPlant/valid/plain"}
		if r := run(t, c); r.Run.SeedGiven != want || r.Run.Seed == 0 {
			t.Errorf("from %d the seed is %d, given %t", seed, r.Run.Seed, r.Run.SeedGiven)
		}
	}
}
