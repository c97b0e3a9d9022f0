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

	"golang.org/x/sync/errgroup"

	"github.com/plantstore/conformance/fixtures"
)

// Send sends the messages with that bearer token, as a few lines of net/http would, and
// has each response looked at.
func Send(tb testing.TB, url, token string, messages []fixtures.Message, concurrency int, look func(fixtures.Message, *http.Response, []byte)) {
	tb.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: concurrency, MaxConnsPerHost: concurrency}
	defer transport.CloseIdleConnections()
	var workers errgroup.Group
	workers.SetLimit(concurrency)
	for _, m := range messages {
		workers.Go(func() error {
			request, err := http.NewRequest(m.Method, url+m.Path, bytes.NewReader(m.Body))
			if err != nil {
				return err
			}
			request.Header.Set("Authorization", "Bearer "+token)
			for _, h := range m.Header {
				request.Header.Add(h.Name, h.Value)
			}
			response, err := transport.RoundTrip(request)
			if err != nil {
				return err
			}
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			look(m, response, body)
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		tb.Error(err)
	}
}

// Look looks at nothing.
func Look(fixtures.Message, *http.Response, []byte) {}

// Cost is what something took.
type Cost struct {
	Wall, CPU time.Duration
	Heap      int64 // bytes by which it grew at most, with its garbage
}

// Of measures a call. What runs beside it in this process, such as a server, counts.
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

// Add adds what another call took.
func (c *Cost) Add(more Cost) {
	c.Wall, c.CPU, c.Heap = c.Wall+more.Wall, c.CPU+more.CPU, c.Heap+more.Heap
}

// Report tells the times of all calls of a benchmark, and their ratios to the baseline.
func (c *Cost) Report(b *testing.B, baseline Cost) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(c.Wall)/float64(b.N)/1e6, "ms")
	b.ReportMetric(float64(baseline.Wall)/float64(b.N)/1e6, "baseline-ms")
	b.ReportMetric(float64(c.Wall)/float64(baseline.Wall), "wall")
	b.ReportMetric(float64(c.CPU)/float64(baseline.CPU), "cpu")
}

// Heap is what the heap holds, garbage included, in bytes.
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
