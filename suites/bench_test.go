//go:build unix

package suites_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/baseline"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// BenchmarkRun compares a run with its baseline: a plain net/http client that sends the same
// requests, with the same concurrency, to the same server in the same process. Both figures include
// the work of the server. A run also judges each response and sends an event for each result, as
// for a report that is written during the run.
//
// "wall" and "cpu" are ratios. "B/fixture" is how much more the heap grew in the run than in the
// plain loop, for each fixture, at the maximum and with garbage. "held-B/fixture" is what the
// report keeps for each fixture at the end.
func BenchmarkRun(b *testing.B) {
	for _, latency := range []time.Duration{0, 20 * time.Millisecond} {
		for _, n := range []int{129, 1000, 20_000, 200_000} {
			for _, concurrency := range []int{1, 8, 64, 256} {
				const longest = 30 * time.Second
				if time.Duration(n/concurrency)*max(latency, 60*time.Microsecond) > longest {
					continue
				}
				b.Run(fmt.Sprintf("latency=%s/fixtures=%d/concurrency=%d", latency, n, concurrency), func(b *testing.B) {
					benchmarkRun(b, latency, n, concurrency)
				})
			}
		}
	}
}

func benchmarkRun(b *testing.B, latency time.Duration, n, concurrency int) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		time.Sleep(latency)
		w.Header().Set("Content-Type", "application/json")
		_, name, _ := strings.Cut(string(body), ",") // the id comes before it
		io.WriteString(w, "{"+name)
	}))
	defer server.Close()
	c := configFor(server.URL)
	c.Quick, c.Tries, c.Seed, c.Limits.Concurrency = false, 1, 1, concurrency
	c.Loaded, c.Contract = copies(b, n)
	c.Observe = func(result.Event) {}
	var messages []fixtures.Message
	for i := range c.Loaded {
		messages = append(messages, c.Loaded[i].Message(c.MessageSeed(), 0))
	}
	var ran, bare baseline.Cost
	var held int64
	for b.Loop() {
		bare.Add(baseline.Of(func() {
			baseline.Send(b, server.URL, token, messages, concurrency, baseline.Look)
		}))
		var r result.Report
		runtime.GC()
		before := baseline.Heap()
		ran.Add(baseline.Of(func() {
			var err error
			if r, err = suites.Run(b.Context(), c); err != nil || r.Counts.Passed != n {
				b.Fatalf("%v: %+v %+v", err, r.Counts, r.Results[0].Findings)
			}
		}))
		runtime.GC()
		held += baseline.Heap() - before
		runtime.KeepAlive(r)
	}
	ran.Report(b, bare)
	b.ReportMetric(float64(ran.Heap-bare.Heap)/float64(b.N*n), "B/fixture")
	b.ReportMetric(float64(held)/float64(b.N*n), "held-B/fixture")
}

// BenchmarkBundled compares a run of the built-in fixtures with its baseline: a loop that sends the
// same requests, with the same concurrency, and validates each response with kin-openapi. The
// number of the plainest fixtures is about the same as when the targets were set.
func BenchmarkBundled(b *testing.B) {
	document, err := openapi3.NewLoader().LoadFromFile("../spec/openapi.yaml")
	if err != nil {
		b.Fatal(err)
	}
	router, err := legacy.NewRouter(document)
	if err != nil {
		b.Fatal(err)
	}
	for _, only := range []struct {
		name  string
		quick bool
	}{{"all", false}, {"quick", true}} {
		b.Run(only.name, func(b *testing.B) {
			service := reference.New(reference.Options{Tokens: []string{token}})
			server := httptest.NewServer(service)
			defer server.Close()
			c := suites.NewConfig()
			c.Quick = only.quick
			c.Target.BaseURL, c.Target.Token = server.URL, token
			var ran, bare baseline.Cost
			requests := 0
			for b.Loop() {
				c.Seed++ // otherwise the store knows the plants
				messages := sent(b, c)
				requests = len(messages)
				bare.Add(baseline.Of(func() {
					baseline.Send(b, server.URL, token, messages, c.Limits.Concurrency, func(m fixtures.Message, response *http.Response, body []byte) {
						request := httptest.NewRequest(m.Method, "/plants", http.NoBody)
						if route, path, err := router.FindRoute(request); err == nil {
							_ = openapi3filter.ValidateResponse(b.Context(), &openapi3filter.ResponseValidationInput{
								RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, PathParams: path, Route: route},
								Status:                 response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(body)),
							})
						}
					})
				}))
				c.Seed++
				ran.Add(baseline.Of(func() {
					if r, err := suites.Run(b.Context(), c); err != nil || r.Verdict != verdict.Conformant {
						b.Fatalf("%v: %s", err, r.Reason)
					}
				}))
			}
			ran.Report(b, bare)
			b.ReportMetric(float64(ran.Wall-bare.Wall)/float64(b.N)/1e6, "more-ms")
			b.ReportMetric(float64(requests), "requests")
		})
	}
}

// sent returns the messages of a run, in any order.
func sent(b *testing.B, c suites.Config) (list []fixtures.Message) {
	b.Helper()
	plan, err := suites.Planned(c)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range append(plan.Fixtures, plan.Controls...) {
		for try := range plan.Tries(f) {
			m := f.Message(c.MessageSeed(), try)
			for _, one := range []*fixtures.Message{m.After, m.Beside, &m} {
				if one != nil {
					list = append(list, *one)
				}
			}
			for range m.Times - 1 {
				list = append(list, m)
			}
		}
	}
	return list
}

// copies returns n fixtures with the same request, which the service must accept. Each has a fresh id.
func copies(tb testing.TB, n int) ([]fixtures.Fixture, *spec.Contract) {
	tb.Helper()
	c, err := suites.NewConfig().Load()
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range c.Loaded {
		if f.ID == "createPlant/valid/plain" {
			list := make([]fixtures.Fixture, n)
			for i := range list {
				list[i] = f
				list[i].ID = fmt.Sprintf("%s-%d", f.ID, i)
			}
			return list, c.Contract
		}
	}
	tb.Fatal("the fixture is gone")
	return nil, nil
}
