//go:build long

package actiontest

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// When a workflow is cancelled, the runner signals only the step's shell. The harness must get the
// signal, and report what it found so far.
func TestCancelled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			asked := make(chan struct{}, 1)
			aim := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				select {
				case asked <- struct{}{}:
				default:
				}
				// It never answers. A server notices that the client has gone only after it has
				// read the body.
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}))
			o := job{inputs: aim.and("timeout", "10m", "deadline", "10m"), during: func(c *exec.Cmd) {
				<-asked
				if err := c.Process.Signal(signal); err != nil {
					t.Error(err)
				}
			}}.run(t)
			o.wants(t, 3, "verdict", "inconclusive", "exit-code", "3", "json", "conformance-report/report.json", "markdown", "conformance-report/report.md")
			if o.summary == "" {
				t.Error("there is no summary")
			}
		})
	}
}

// A harness that is killed gives no verdict, and fails the step even with fail-on: never.
func TestKilled(t *testing.T) {
	aim := serve(t, plantStore()).and("fail-on", "never")
	for what, fails := range map[string]string{"killed": "kill -KILL $$", "ended without a report": "exit 3"} {
		t.Run(what, func(t *testing.T) {
			program := write(t, filepath.Join(t.TempDir(), "program"), "#!/bin/sh\n"+fails+"\n")
			if err := os.Chmod(program, 0o700); err != nil {
				t.Fatal(err)
			}
			o := job{inputs: aim, program: program}.run(t)
			if o.code == 0 || o.outputs["verdict"] != "" || o.outputs["json"] != "" {
				t.Errorf("exit code %d, outputs %v", o.code, o.outputs)
			}
		})
	}
}
