//go:build long

package actiontest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// temp is the runner's folder for temporary files.
var temp string

func TestMain(m *testing.M) {
	// No variable of the caller may change the scripts under test.
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		for _, prefix := range []string{"CONFORMANCE_", "GITHUB_", "INPUT_", "RUNNER_"} {
			if strings.HasPrefix(name, prefix) {
				_ = os.Unsetenv(name)
			}
		}
	}
	var err error
	if temp, err = os.MkdirTemp("", "actiontest-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(temp)
		os.Exit(code)
	}))
}

// installed returns the outputs of the steps before the run, as values of expressions.
var installed = sync.OnceValues(func() (map[string]string, error) { return putOut("go", "install") })

// putOut returns the outputs of these steps.
func putOut(steps ...string) (map[string]string, error) {
	a, err := readAction()
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, id := range steps {
		s, err := a.step(id)
		if err != nil {
			return nil, err
		}
		// A caller may set these variables for other code.
		env := []string{"GOFLAGS=-mod=vendor", "GOWORK=" + filepath.Join(temp, "go.work"), "GOOS=plan9", "GOARCH=mips"}
		end, err := execution{step: s, values: values, env: env}.run(context.Background())
		if err == nil && end.code != 0 {
			err = fmt.Errorf("exit code %d\n%s%s", end.code, end.out, end.err)
		}
		if err != nil {
			return nil, fmt.Errorf("the step %s: %w", id, err)
		}
		outputs, err := parseOutputs(end.outputs)
		if err != nil {
			return nil, err
		}
		for name, value := range outputs {
			values["steps."+id+".outputs."+name] = value
		}
	}
	return values, nil
}

// programValue is the output with the path of the harness.
const programValue = "steps.install.outputs.program"

// program returns the harness that the action has built.
func program(t *testing.T) string {
	t.Helper()
	values, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return values[programValue]
}
