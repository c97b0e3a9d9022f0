package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/built"
	"github.com/plantstore/conformance/reference"
)

// BenchmarkProgram runs the built program against the bundled reference in another
// process, and tells how long it takes in all, when the first request arrives, and the
// largest size of the program.
func BenchmarkProgram(b *testing.B) {
	program, err := built.Program(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var first atomic.Int64 // when the first request came, in nanoseconds of Unix time
	service := reference.New(reference.Options{Tokens: []string{testToken}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first.CompareAndSwap(0, time.Now().UnixNano())
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, row := range []struct {
		name string
		args []string
	}{
		{"version", []string{"--version"}},
		{"bundled reference", []string{"run"}},
		{"service", []string{"run", "--base-url", server.URL}},
	} {
		b.Run(row.name, func(b *testing.B) {
			var before, peak, processor time.Duration
			var began time.Time
			for b.Loop() {
				first.Store(0)
				command := exec.CommandContext(context.Background(), program, row.args...)
				command.Env = append(command.Environ(), "CONFORMANCE_TOKEN="+testToken)
				began = time.Now()
				if out, err := command.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				if at := first.Load(); at > 0 {
					before += time.Unix(0, at).Sub(began)
				}
				if used, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
					peak += time.Duration(used.Maxrss)
				}
				processor += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/1e6, "wall-ms")
			b.ReportMetric(float64(processor)/float64(b.N)/1e6, "cpu-ms")
			b.ReportMetric(float64(before)/float64(b.N)/1e6, "first-request-ms")
			b.ReportMetric(float64(peak)/float64(b.N)/1024, "peak-MiB")
		})
	}
}
