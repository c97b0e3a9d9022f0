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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// BenchmarkAll compares a replay with the floor: the same requests at the same
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
	var wall, cpu [2]time.Duration
	for b.Loop() {
		for i, send := range []func(){
			func() {
				c := newClient(b, replay.Target{BaseURL: server.URL, Token: token}, limits(concurrency(most)))
				c.All(context.Background(), replay.OneBatch(messages...), func(_, _ int, x replay.Exchange) {
					if x.Failure != nil {
						b.Error(*x.Failure)
					}
				})
				c.Close()
			},
			func() { bareLoop(b, server.URL, n, most) },
		} {
			runtime.GC()
			begun, used := time.Now(), processor()
			send()
			wall[i] += time.Since(begun)
			cpu[i] += processor() - used
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(wall[0])/float64(b.N)/1e6, "replay-ms")
	b.ReportMetric(float64(wall[1])/float64(b.N)/1e6, "floor-ms")
	b.ReportMetric(float64(wall[0])/float64(wall[1]), "wall")
	b.ReportMetric(float64(cpu[0])/float64(cpu[1]), "cpu")
}

// BenchmarkSoak sends a million messages, and tells what the heap holds after the first
// tenth of them and after the last, and how many connections were open at a time.
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

func processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func bareLoop(b *testing.B, url string, n, concurrency int) {
	transport := &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}
	defer transport.CloseIdleConnections()
	next := make(chan struct{}, n)
	for range n {
		next <- struct{}{}
	}
	close(next)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for range next {
				request, _ := http.NewRequest(http.MethodPost, url+"/plants", strings.NewReader("{}"))
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Authorization", "Bearer "+token)
				response, err := transport.RoundTrip(request)
				if err != nil {
					b.Error(err)
					return
				}
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
	workers.Wait()
}
