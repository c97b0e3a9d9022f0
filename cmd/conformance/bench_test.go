package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/built"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/reference"
)

// BenchmarkProgram runs the built program against the bundled reference in another process. It
// reports the total time, the time until the first request, and the peak memory of the program.
func BenchmarkProgram(b *testing.B) {
	program, err := built.Program(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var first atomic.Int64 // time of the first request, in nanoseconds of Unix time
	service := reference.New(reference.Options{Tokens: []string{testToken}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first.CompareAndSwap(0, time.Now().UnixNano())
		service.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, row := range []struct {
		name string
		args []string
		env  []string
	}{
		{"version", []string{"--version"}, nil},
		{"bundled reference", []string{"run"}, nil},
		{"service", []string{"run", "--base-url", server.URL}, []string{"CONFORMANCE_TOKEN=" + testToken}},
	} {
		b.Run(row.name, func(b *testing.B) {
			before := time.Duration(0)
			measureProgram(b, program, row.args, row.env, func() { first.Store(0) }, func(began time.Time) {
				if at := first.Load(); at > 0 {
					before += time.Unix(0, at).Sub(began)
				}
			})
			b.ReportMetric(float64(before)/float64(b.N)/1e6, "first-request-ms")
		})
	}
}

// BenchmarkTargets tests many services in one run of the built program.
func BenchmarkTargets(b *testing.B) {
	program, err := built.Program(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{testToken}}))
	defer server.Close()
	for _, targets := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(targets), func(b *testing.B) {
			list := strings.Builder{}
			list.WriteString("targets:\n")
			for i := range targets {
				fmt.Fprintf(&list, "- {name: service-%d, base-url: '%s'}\n", i, server.URL)
			}
			file := filepath.Join(b.TempDir(), "targets.yaml")
			if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			nothing := func() {}
			measureProgram(b, program, []string{"run", "--targets", file}, []string{"CONFORMANCE_TOKEN=" + testToken}, nothing, func(time.Time) {})
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(targets)/1e6, "ms/target")
		})
	}
}

// measureProgram runs the program as a process. It reports the elapsed time, the CPU time, and the
// peak memory.
func measureProgram(b *testing.B, program string, args, env []string, before func(), after func(began time.Time)) {
	b.Helper()
	var processor time.Duration
	peak := 0
	for b.Loop() {
		before()
		command := exec.CommandContext(context.Background(), program, args...)
		command.Env = append(append(command.Environ(), "GOGC="), env...) // as the program sets it
		began := time.Now()
		if err := command.Start(); err != nil {
			b.Fatal(err)
		}
		largest := make(chan int)
		go func() { largest <- largestSize(command.Process.Pid) }()
		if err := command.Wait(); err != nil {
			b.Fatal(err)
		}
		peak += <-largest
		processor += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
		after(began)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/1e6, "wall-ms")
	b.ReportMetric(float64(processor)/float64(b.N)/1e6, "cpu-ms")
	b.ReportMetric(float64(peak)/float64(b.N)/1024, "peak-MiB")
}

// largestSize watches a process until it ends, and returns the peak of its memory in KiB, or 0
// without /proc. The system's value for an ended process is not usable: it includes the size of
// this process before exec.
func largestSize(pid int) (size int) {
	for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, ok := strings.Cut(string(status), "VmHWM:")
		if err != nil || !ok {
			tick.Stop()
			return size
		}
		_, _ = fmt.Sscan(rest, &size)
	}
}

// BenchmarkMerge merges the reports of 200 shards of one run.
func BenchmarkMerge(b *testing.B) {
	const shards = 200
	server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{testToken}}))
	defer server.Close()
	b.Chdir(b.TempDir())
	b.Setenv("CONFORMANCE_TOKEN", testToken)
	command := func(args ...string) {
		if code := execute(b.Context(), append([]string{"conformance"}, args...), output.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}); code != exitConformant {
			b.Fatalf("%v: exit code %d", args, code)
		}
	}
	merge := []string{"report", "--report", "json=whole.json"}
	for i := range shards {
		file := fmt.Sprintf("%d.json", i+1)
		command("run", "--base-url", server.URL, "--seed", "7", "--shard", fmt.Sprintf("%d/%d", i+1, shards), "--report", "json="+file)
		merge = append(merge, file)
	}
	for b.Loop() {
		command(merge...)
	}
}
