//go:build unix

package replay_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/baseline"
	"github.com/plantstore/conformance/suites/replay"
)

// BenchmarkAll compares a replay with the baseline: the same requests at the same
// concurrency by a bare net/http client. "wall" and "cpu" are ratios, and both sides of
// each contain the work of the server, which is in this process.
func BenchmarkAll(b *testing.B) {
	for _, latency := range []time.Duration{0, 20 * time.Millisecond} {
		for _, n := range []int{129, 1000, 20_000, 200_000} {
			for _, most := range []int{1, 8, 64, 256} {
				const longest = 20 * time.Second
				if time.Duration(n/most)*max(latency, 60*time.Microsecond) > longest {
					continue
				}
				b.Run(fmt.Sprintf("latency=%s/messages=%d/concurrency=%d", latency, n, most), func(b *testing.B) {
					benchmarkAll(b, latency, n, most)
				})
			}
		}
	}
}

func benchmarkAll(b *testing.B, latency time.Duration, n, most int) {
	server := serve(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(latency)
		io.WriteString(w, `{"name":"plant"}`)
	})
	messages := posts(n)
	var replayed, bare baseline.Cost
	for b.Loop() {
		replayed.Add(baseline.Of(func() {
			c := newClient(b, replay.Target{BaseURL: server.URL, Token: token}, limits(concurrency(most)))
			c.All(context.Background(), replay.OneBatch(messages...), func(_, _ int, x replay.Exchange) {
				if x.Failure != nil {
					b.Error(*x.Failure)
				}
			})
			c.Close()
		}))
		bare.Add(baseline.Of(func() { baseline.Send(b, server.URL, token, messages, most, baseline.Look) }))
	}
	replayed.Report(b, bare)
}

// BenchmarkSoak sends a million messages. It reports the size of the heap after the first
// tenth of them and after the last one, and how many connections were open at a time.
func BenchmarkSoak(b *testing.B) {
	const all = 1_000_000
	var counting sync.Mutex
	open, most := 0, 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"name":"plant"}`)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		counting.Lock()
		defer counting.Unlock()
		switch state {
		case http.StateNew:
			open++
		case http.StateClosed, http.StateHijacked:
			open--
		}
		most = max(most, open)
	}
	server.Start()
	defer server.Close()
	messages := func(yield func(fixtures.Message) bool) {
		for range all {
			if !yield(post("{}")) {
				return
			}
		}
	}
	held := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	for b.Loop() {
		c := newClient(b, replay.Target{BaseURL: server.URL, Token: token}, limits())
		var ended, failed atomic.Int64
		var tenth float64
		c.All(context.Background(), []iter.Seq[fixtures.Message]{messages}, func(_, _ int, x replay.Exchange) {
			if x.Failure != nil {
				failed.Add(1)
			}
			if ended.Add(1) == all/10 {
				tenth = held()
			}
		})
		b.ReportMetric(tenth, "tenth-MiB")
		b.ReportMetric(held(), "end-MiB")
		b.ReportMetric(float64(failed.Load()), "failures")
		c.Close()
	}
	b.ReportMetric(float64(most), "connections")
	b.ReportMetric(float64(all*b.N)/b.Elapsed().Seconds(), "exchanges/s")
}
