//go:build long

package actiontest

import (
	"cmp"
	"encoding/base64"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
)

const token = "a-secret-token-of-the-tests"

// inputs are the inputs in the `with` of a workflow.
type inputs map[string]string

// and returns the inputs with additional ones, as pairs.
func (in inputs) and(pairs ...string) inputs {
	in = maps.Clone(in)
	for i := 0; i+1 < len(pairs); i += 2 {
		in[pairs[i]] = pairs[i+1]
	}
	return in
}

// serve starts a server, and returns the inputs that make it the target.
func serve(t *testing.T, handler http.Handler) inputs {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return inputs{"base-url": server.URL, "token": token}
}

func plantStore() http.Handler { return reference.New(reference.Options{Tokens: []string{token}}) }

// acceptEverything breaks every clause about requests that must be rejected.
func acceptEverything(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"name":"a"}`))
}

// job is a job that uses the action.
type job struct {
	inputs    inputs
	env       []string
	workspace string // "": an empty one
	program   string // "": the one that the action has built
	during    func(process *exec.Cmd)
}

// outcome is how the action ended, and its results.
type outcome struct {
	ended
	outputs   map[string]string // of the action
	workspace string
}

// run uses the action. It checks for every run that the runner understands the outputs, that the
// action declares all of them, that the only commands to the runner are errors and warnings, and
// that the token is nowhere.
func (j job) run(t *testing.T) outcome {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	a, run := actionThatRuns(t)
	o := outcome{workspace: cmp.Or(j.workspace, t.TempDir())}
	values := j.values(t, a)
	var err error
	o.ended, err = execution{run, values, j.env, o.workspace, j.during}.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("exit code %d\nstandard output:\n%s\nstandard error:\n%s\noutputs:\n%s", o.code, o.out, o.err, o.ended.outputs)
		}
	})
	o.outputs = a.outputs(t, o.ended.outputs, values)
	for _, name := range append(commandsIn(o.out), commandsIn(o.err)...) {
		if name != "error" && name != "warning" && name != "notice" {
			t.Errorf("the runner obeys %s", name)
		}
	}
	o.holdsNo(t, token)
	return o
}

// values returns the values of expressions before the run step.
func (j job) values(t *testing.T, a action) map[string]string {
	t.Helper()
	before, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	values := maps.Clone(before)
	if j.program != "" {
		values[programValue] = j.program
	}
	for name, in := range a.Inputs {
		values["inputs."+name] = in.Default
	}
	for name, value := range j.inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %s", name)
		}
		values["inputs."+name] = value
	}
	return values
}

// outputs returns the outputs of the action, from those of its run step.
func (a action) outputs(t *testing.T, text string, values map[string]string) map[string]string {
	t.Helper()
	put, err := parseOutputs(text)
	if err != nil {
		t.Error(err)
	}
	for name, value := range put {
		values["steps.run.outputs."+name] = value
	}
	outputs := map[string]string{}
	for name, out := range a.Outputs {
		if outputs[name], err = expand(out.Value, values); err != nil {
			t.Error(err)
		}
		delete(put, name)
	}
	if len(put) > 0 {
		t.Errorf("put out, but no output of the action: %v", put)
	}
	return outputs
}

// holdsNo checks that nothing that the step printed or wrote contains a secret.
func (o outcome) holdsNo(t *testing.T, secret string) {
	t.Helper()
	texts := map[string]string{"standard output": o.out, "standard error": o.err, "the outputs": o.ended.outputs, "the summary": o.summary}
	err := filepath.WalkDir(o.workspace, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			texts[path] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret))} {
			if strings.Contains(text, form) {
				t.Errorf("the secret is in %s", name)
			}
		}
	}
}

// wants checks the exit code, and outputs as pairs.
func (o outcome) wants(t *testing.T, code int, pairs ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d", o.code, code)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := o.outputs[pairs[i]]; got != pairs[i+1] {
			t.Errorf("the output %s is %q, want %q", pairs[i], got, pairs[i+1])
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
