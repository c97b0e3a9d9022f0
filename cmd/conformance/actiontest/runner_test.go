//go:build long

package actiontest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// patience is the time after which a step hangs. It is not a limit on speed.
const patience = 4 * time.Minute

// execution is a run of a step's script.
type execution struct {
	step      step
	values    map[string]string       // of expressions
	env       []string                // in addition to those of the step and the runner
	workspace string                  // "": an empty one
	during    func(process *exec.Cmd) // called while the script runs; may be nil
}

// ended is how a script ended, and its results.
type ended struct {
	code             int
	out, err         string
	outputs, summary string // the runner's files
}

// run runs the script as the runner does: it expands expressions, writes the script to a file for
// bash, and reads the results from files. Nothing else passes between steps.
func (e execution) run(ctx context.Context) (ended, error) {
	files, err := os.MkdirTemp(temp, "step-")
	if err != nil {
		return ended{}, err
	}
	script, err := expand(e.step.Run, e.values)
	if err != nil {
		return ended{}, err
	}
	file := func(name string) string { return filepath.Join(files, name) }
	for name, text := range map[string]string{"output": "", "summary": "", "script.sh": script} {
		if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
			return ended{}, err
		}
	}
	here, err := filepath.Abs(folder)
	if err != nil {
		return ended{}, err
	}

	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-eo", "pipefail", file("script.sh"))
	c.WaitDelay = time.Second
	c.Dir = e.workspace
	if c.Dir == "" {
		c.Dir = files
	}
	c.Env = append(append(os.Environ(), e.env...), "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+here, "GITHUB_WORKSPACE="+c.Dir,
		"GITHUB_OUTPUT="+file("output"), "GITHUB_STEP_SUMMARY="+file("summary"), "RUNNER_TEMP="+temp)
	for name, text := range e.step.Env {
		value, err := expand(text, e.values)
		if err != nil {
			return ended{}, err
		}
		c.Env = append(c.Env, name+"="+value)
	}
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	if err := c.Start(); err != nil {
		return ended{}, err
	}
	if e.during != nil {
		e.during(c)
	}
	if err := c.Wait(); ctx.Err() != nil {
		return ended{}, fmt.Errorf("it has not ended within %s\n%s%s", patience, &out, &stderr)
	} else if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		return ended{}, err
	}
	outputs, err := os.ReadFile(file("output"))
	if err != nil {
		return ended{}, err
	}
	summary, err := os.ReadFile(file("summary"))
	return ended{c.ProcessState.ExitCode(), out.String(), stderr.String(), string(outputs), string(summary)}, err
}

var expression = regexp.MustCompile(`\$\{\{ *([^}]*?) *\}\}`)

// expand replaces expressions by their values. A missing output of the run step is empty, as for
// the runner. Any other unknown expression is an error.
func expand(text string, values map[string]string) (string, error) {
	var faults []error
	text = expression.ReplaceAllStringFunc(text, func(whole string) string {
		name := expression.FindStringSubmatch(whole)[1]
		value, ok := values[name]
		if !ok && !strings.HasPrefix(name, "steps.run.outputs.") {
			faults = append(faults, fmt.Errorf("nothing is known of %s", whole))
		}
		return value
	})
	return text, errors.Join(faults...)
}

// parseOutputs reads a file of outputs as the runner does (actions/runner, FileCommandManager.cs).
// It returns an error for duplicate names, whose last value the runner would use, and for values of
// several lines, which these steps never write.
func parseOutputs(text string) (map[string]string, error) {
	outputs := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" || strings.Contains(name, "<<") {
			return nil, fmt.Errorf("the runner refuses the output %q", line)
		}
		if _, twice := outputs[name]; twice {
			return nil, fmt.Errorf("%s is put out twice", name)
		}
		outputs[name] = value
	}
	return outputs, nil
}

// commandsIn returns the names of the commands that the runner finds in the output of a step
// (actions/runner, ActionCommand.cs).
func commandsIn(text string) []string {
	var names []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok && strings.Contains(rest, "::") {
			name, _, _ := strings.Cut(rest, "::")
			name, _, _ = strings.Cut(name, " ")
			names = append(names, name)
		} else if _, rest, ok := strings.Cut(line, "##["); ok {
			name, _, _ := strings.Cut(rest, "]")
			names = append(names, "##["+name)
		}
	}
	return names
}
