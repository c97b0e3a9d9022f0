//go:build unix

package baseline

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"runtime/metrics"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
)

// Send sends the messages with a bearer token, as a few lines of net/http would, and calls
// look with each response.
func Send(tb testing.TB, url, token string, messages []fixtures.Message, concurrency int, look func(fixtures.Message, *http.Response, []byte)) {
	tb.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}
	defer transport.CloseIdleConnections()
	next := make(chan fixtures.Message)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for m := range next {
				request, err := http.NewRequest(m.Method, url+m.Path, bytes.NewReader(m.Body))
				if err != nil {
					tb.Error(err)
					continue
				}
				request.Header.Set("Authorization", "Bearer "+token)
				for _, h := range m.Header {
					request.Header.Add(h.Name, h.Value)
				}
				response, err := transport.RoundTrip(request)
				if err != nil {
					tb.Error(err)
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

// Look ignores the response.
func Look(fixtures.Message, *http.Response, []byte) {}

// A Cost is the time and the memory that a call used.
type Cost struct {
	Wall, CPU time.Duration
	Heap      int64 // maximum growth of the heap in bytes, including garbage
}

// Of measures a call. The result includes other work in this process, such as a server.
func Of(f func()) Cost {
	runtime.GC()
	before, most := Heap(), int64(0)
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				most = max(most, Heap()-before)
			}
		}
	})
	begun, used := time.Now(), processor()
	f()
	c := Cost{Wall: time.Since(begun), CPU: processor() - used}
	close(done)
	watch.Wait()
	c.Heap = max(most, Heap()-before)
	return c
}

// Add adds the cost of another call.
func (c *Cost) Add(more Cost) {
	c.Wall, c.CPU, c.Heap = c.Wall+more.Wall, c.CPU+more.CPU, c.Heap+more.Heap
}

// Report reports the time per iteration of a benchmark, and the ratios to the baseline.
func (c *Cost) Report(b *testing.B, baseline Cost) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(c.Wall)/float64(b.N)/1e6, "ms")
	b.ReportMetric(float64(baseline.Wall)/float64(b.N)/1e6, "baseline-ms")
	b.ReportMetric(float64(c.Wall)/float64(baseline.Wall), "wall")
	b.ReportMetric(float64(c.CPU)/float64(baseline.CPU), "cpu")
}

// Heap returns the size of the objects on the heap in bytes, including garbage.
func Heap() int64 {
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
