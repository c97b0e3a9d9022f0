package reference_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/reference"
)

// BenchmarkLoad adds plants from 32 concurrent clients, with each store, and with a minimal handler
// that reads the request and gives the same answer. It reports plants per second, the 99th
// percentile of the response time, and the heap per plant. It checks that each acknowledged plant
// is kept.
func BenchmarkLoad(b *testing.B) {
	for name, store := range map[string]func(b *testing.B) reference.Store{
		"memory": func(*testing.B) reference.Store { return reference.NewMemoryStore() },
		"file": func(b *testing.B) reference.Store {
			store, err := reference.OpenFileStore(filepath.Join(b.TempDir(), "plants"))
			if err != nil {
				b.Fatal(err)
			}
			return store
		},
	} {
		b.Run(name, func(b *testing.B) {
			store := store(b)
			defer store.Close()
			benchmarkLoad(b, reference.New(reference.Options{Tokens: []string{"t"}, Store: store}), true)
		})
	}
	b.Run("bare handler", func(b *testing.B) {
		benchmarkLoad(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"name":"Monstera"}`)
		}), false)
	})
}

func benchmarkLoad(b *testing.B, handler http.Handler, keeps bool) {
	const clients = 32
	server := httptest.NewServer(handler)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	add := func(id int64) int {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server.URL+"/plants", bytes.NewReader(fmt.Appendf(nil, `{"id":%d,"name":"Monstera"}`, id)))
		if err != nil {
			b.Error(err)
			return 0
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer t")
		response, err := client.Do(request)
		if err != nil {
			b.Error(err)
			return 0
		}
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	runtime.GC()
	before := held()
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var working sync.WaitGroup
	b.ResetTimer()
	for range clients {
		working.Go(func() {
			for id := next.Add(1); id <= int64(b.N); id = next.Add(1) {
				begun := time.Now()
				if status := add(id); status != http.StatusOK {
					b.Errorf("plant %d: %d", id, status)
				}
				took[id-1] = time.Since(begun)
			}
		})
	}
	working.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plants/s")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	runtime.GC()
	b.ReportMetric(max(0, float64(held()-before))/float64(b.N), "B/plant")
	for id := int64(1); keeps && id <= int64(b.N); id += max(1, int64(b.N)/100) {
		if status := add(id); status != http.StatusBadRequest {
			b.Errorf("plant %d was acknowledged and is not known: %d", id, status)
		}
	}
}

func held() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
