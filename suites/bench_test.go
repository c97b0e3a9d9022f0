//go:build unix

package suites_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// BenchmarkRun compares a run with its floor: a bare net/http client that sends the same
// requests, as many at a time, to the same server in the same process. Both figures
// contain the server's own work. A run also judges each response and tells of each
// result, as the report does that is written while the run goes on.
//
// "wall" and "cpu" are ratios. "B/fixture" is by how much more the heap grew in the run
// than in the bare loop, at most and with its garbage, for each fixture. "held-B/fixture"
// is what the report holds of each in the end.
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
		_, name, _ := strings.Cut(string(body), ",") // what is before it is the id
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
	var ran, floor cost
	var held int64
	for b.Loop() {
		floor.add(costOf(func() {
			bareLoop(b, server.URL, messages, concurrency, func(fixtures.Message, *http.Response, []byte) {})
		}))
		var r result.Report
		runtime.GC()
		before := heap()
		ran.add(costOf(func() {
			var err error
			if r, err = suites.Run(b.Context(), c); err != nil || r.Counts.Passed != n {
				b.Fatalf("%v: %+v %+v", err, r.Counts, r.Results[0].Findings)
			}
		}))
		runtime.GC()
		held += heap() - before
		runtime.KeepAlive(r)
	}
	reportCosts(b, ran, floor)
	b.ReportMetric(float64(ran.heap-floor.heap)/float64(b.N*n), "B/fixture")
	b.ReportMetric(float64(held)/float64(b.N*n), "held-B/fixture")
}

// BenchmarkBundled compares a run of the built-in fixtures with its floor: a loop that
// sends the same requests, as many at a time, and has kin-openapi check each response.
func BenchmarkBundled(b *testing.B) {
	service := reference.New(reference.Options{Tokens: []string{token}})
	server := httptest.NewServer(service)
	defer server.Close()
	document, err := openapi3.NewLoader().LoadFromFile("../spec/openapi.yaml")
	if err != nil {
		b.Fatal(err)
	}
	router, err := legacy.NewRouter(document)
	if err != nil {
		b.Fatal(err)
	}
	c := suites.NewConfig()
	c.Target.BaseURL, c.Target.Token = server.URL, token
	var ran, floor cost
	requests := 0
	for b.Loop() {
		c.Seed++ // or the store would know the plants
		messages := sent(b, c)
		requests = len(messages)
		floor.add(costOf(func() {
			bareLoop(b, server.URL, messages, c.Limits.Concurrency, func(m fixtures.Message, response *http.Response, body []byte) {
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
		ran.add(costOf(func() {
			if r, err := suites.Run(b.Context(), c); err != nil || r.Verdict != judge.Conformant {
				b.Fatalf("%v: %s", err, r.Reason)
			}
		}))
	}
	reportCosts(b, ran, floor)
	b.ReportMetric(float64(ran.wall-floor.wall)/float64(b.N)/1e6, "more-ms")
	b.ReportMetric(float64(requests), "requests")
}

// sent are the messages of a run, in any order.
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

func reportCosts(b *testing.B, ran, floor cost) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(ran.wall)/float64(b.N)/1e6, "run-ms")
	b.ReportMetric(float64(floor.wall)/float64(b.N)/1e6, "floor-ms")
	b.ReportMetric(float64(ran.wall)/float64(floor.wall), "wall")
	b.ReportMetric(float64(ran.cpu)/float64(floor.cpu), "cpu")
}

// copies are n fixtures with the same request, which the service must accept, and of
// which each has a fresh id.
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

// cost is what something took.
type cost struct {
	wall, cpu time.Duration
	heap      int64 // bytes by which it grew at most
}

func (c *cost) add(more cost) {
	c.wall, c.cpu, c.heap = c.wall+more.wall, c.cpu+more.cpu, c.heap+more.heap
}

func costOf(f func()) cost {
	runtime.GC()
	var most int64
	before := heap()
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				most = max(most, heap()-before)
			}
		}
	})
	begun, used := time.Now(), processor()
	f()
	c := cost{wall: time.Since(begun), cpu: processor() - used}
	close(done)
	watch.Wait()
	c.heap = max(most, heap()-before)
	return c
}

// heap is what the heap holds, garbage included.
func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

func processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// bareLoop sends the messages as a few lines of net/http would, and has each response
// looked at.
func bareLoop(b *testing.B, url string, messages []fixtures.Message, concurrency int, look func(fixtures.Message, *http.Response, []byte)) {
	b.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}
	defer transport.CloseIdleConnections()
	next := make(chan fixtures.Message)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for m := range next {
				request, err := http.NewRequest(m.Method, url+m.Path, bytes.NewReader(m.Body))
				if err != nil {
					b.Error(err)
					continue
				}
				request.Header.Set("Authorization", "Bearer "+token)
				for _, h := range m.Header {
					request.Header.Add(h.Name, h.Value)
				}
				response, err := transport.RoundTrip(request)
				if err != nil {
					b.Error(err)
					continue
				}
				body, _ := io.ReadAll(response.Body)
				response.Body.Close()
				look(m, response, body)
			}
		})
	}
	for _, m := range messages {
		next <- m
	}
	close(next)
	workers.Wait()
}
