package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
)

// A pipe without a writer blocks. An interrupt ends the command, and nothing is sent.
func TestInterruptWhileAPipeIsRead(t *testing.T) {
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("there are no pipes with names here")
	}
	for _, line := range []string{
		"run --config pipe",
		"run --waivers pipe",
		"run --token-file pipe",
		"run --targets pipe",
		"run --spec pipe",
		"run --ca-cert pipe",
		"run --targets targets.yaml",
		"config --config pipe",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			serve(t, untouched(t))
			write(t, "targets.yaml", "targets: [{name: a, base-url: 'http://127.0.0.1:1', token-file: pipe}]")
			if err := exec.CommandContext(t.Context(), mkfifo, "pipe").Run(); err != nil {
				t.Fatal(err)
			}
			ctx, interrupt := context.WithCancel(t.Context())
			awaited := make(chan *os.File)
			go func() {
				writer, err := os.OpenFile("pipe", os.O_WRONLY, 0) // waits for a reader
				if err != nil {
					t.Error(err)
				}
				interrupt()
				awaited <- writer
			}()
			var out, err bytes.Buffer
			code := execute(ctx, append([]string{"conformance"}, strings.Fields(line)...), output.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
			(<-awaited).Close()
			outcome{code, out.String(), err.String()}.wants(t, exitInconclusive, "conformance: interrupted while settings and files were read; nothing was sent\n")
		})
	}
}
