//go:build long

package hostiletest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/report"
)

const (
	exitConformant    = 0
	exitNonconformant = 1
	exitUsage         = 2
	exitInconclusive  = 3

	// runTime is the deadline of every run. After patience, a run that has not ended hangs. Neither
	// is a limit on speed.
	runTime  = time.Minute
	patience = runTime + 40*time.Second

	// maxPeak is the maximum memory that any target may cost, in bytes. Alone, a run takes at most
	// 95 MiB. While other tests run, garbage is collected later.
	maxPeak = 108 << 20
)

// child is one run of the binary.
type child struct {
	args  []string
	env   []string
	stdin string
	token string // written to the file of --token-file; "": none
	url   string
}

// outcome is the result of a run.
type outcome struct {
	code        int
	out, stderr string
	files       map[string]string // the reports, by format
	peak        int64             // in bytes; 0 if it is unknown
	cpu         time.Duration     // CPU time
}

// all returns everything that the run wrote, by name.
func (o outcome) all() map[string]string {
	texts := map[string]string{"standard output": o.out, "standard error": o.stderr}
	for format, text := range o.files {
		texts["the report as "+format] = text
	}
	return texts
}

// peaks remembers the highest peak.
var peaks struct {
	sync.Mutex
	most int64
	by   string
}

// run runs `conformance run` to its end, with a report in every format.
func (c child) run(t *testing.T) outcome {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"run", "--deadline", runTime.String()}, c.args...)
	if c.url != "" {
		args = append(args, "--base-url", c.url)
	}
	if c.token != "" {
		args = append(args, "--token-file", writeFile(t, filepath.Join(dir, "token"), c.token))
	}
	for _, format := range report.Formats() {
		args = append(args, "--report", format.Name+"="+filepath.Join(dir, "report."+format.Name))
	}
	o := c.start(t, dir, args)
	o.files = map[string]string{}
	for _, format := range report.Formats() {
		if data, err := os.ReadFile(filepath.Join(dir, "report."+format.Name)); err == nil {
			o.files[format.Name] = string(data)
		}
	}
	return o
}

// start runs the binary with exactly these arguments.
func (c child) start(t *testing.T, dir string, args []string) outcome {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{path}, args...)...)
	cmd.Dir = dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.stdin), &out, &stderr
	cmd.WaitDelay = time.Second
	peakFile := filepath.Join(dir, "peak")
	cmd.Env = append(environment(), launchVariable+"="+peakFile)
	cmd.Env = append(cmd.Env, c.env...)
	var exit *exec.ExitError
	if err := cmd.Run(); ctx.Err() != nil {
		t.Fatalf("it has not ended within %s", patience)
	} else if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o := outcome{code: cmd.ProcessState.ExitCode(), out: out.String(), stderr: stderr.String()}
	if o.peak, err = strconv.ParseInt(readFile(t, peakFile), 10, 64); err != nil {
		t.Fatal(err)
	}
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	checkPeak(t, o.peak)
	return o
}

func checkPeak(t *testing.T, peak int64) {
	t.Helper()
	if peak > maxPeak {
		t.Errorf("it held %.1f MiB", float64(peak)/(1<<20))
	}
	peaks.Lock()
	defer peaks.Unlock()
	if peak > peaks.most {
		peaks.most, peaks.by = peak, t.Name()
	}
}

// environment returns the environment of this process, without variables that change the binary's
// behavior.
func environment() []string {
	var kept []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		if !strings.HasPrefix(name, "CONFORMANCE_") && !strings.HasSuffix(name, "_PROXY") && name != "NO_COLOR" && name != "GODEBUG" {
			kept = append(kept, entry)
		}
	}
	return kept
}

func writeFile(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
