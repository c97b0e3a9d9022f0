//go:build long

package actiontest

import (
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// caller is a workflow, or a configuration of GitLab CI, that uses the harness.
type caller struct {
	Jobs map[string]struct {
		Steps []step
		// For a job that calls a workflow.
		Uses          string
		With, Secrets map[string]string
	}
	Contract struct {
		Image     string
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	}
}

// callers returns the examples in the action's README, and the one in the top README, which also
// calls the action. The key is a part of the example.
func callers(t *testing.T) map[string]caller {
	t.Helper()
	found := map[string]caller{}
	text := read(t, root+"/.github/actions/conformance/README.md") + read(t, root+"/README.md")
	for _, match := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n").FindAllStringSubmatch(text, -1) {
		for _, part := range []string{"/.github/actions/conformance@", "/.github/workflows/conformance.yml@", "artifacts:"} {
			if !strings.Contains(match[1], part) {
				continue
			}
			var c caller
			if err := yaml.Unmarshal([]byte(match[1]), &c); err != nil {
				t.Fatalf("%v\n%s", err, match[1])
			}
			if _, ok := found[part]; ok {
				part = "short"
			}
			found[part] = c
		}
	}
	if len(found) != 4 {
		t.Fatalf("the READMEs have other examples: %v", slices.Collect(maps.Keys(found)))
	}
	return found
}

// The action and the workflow have the inputs, outputs and secrets that the
// examples use.
func TestExamplesForGitHub(t *testing.T) {
	a := theAction(t)
	examples, w := callers(t), readWorkflow(t)
	for _, example := range []string{"/.github/actions/conformance@", "short"} {
		steps := examples[example].Jobs["contract"].Steps
		i := slices.IndexFunc(steps, func(s step) bool {
			return strings.HasPrefix(s.Uses, "plantstore/conformance/.github/actions/conformance@")
		})
		if i < 0 {
			t.Fatalf("no step uses the action: %v", steps)
		}
		checkWith(t, steps[i].With, a.Inputs)
		for _, s := range steps[i+1:] {
			for _, match := range regexp.MustCompile(`steps\.(\w+)\.outputs\.([\w-]+)`).FindAllStringSubmatch(s.If, -1) {
				if _, ok := a.Outputs[match[2]]; !ok || match[1] != steps[i].ID {
					t.Errorf("there is no %s", match[0])
				}
			}
		}
	}
	called := examples["/.github/workflows/conformance.yml@"].Jobs["contract"]
	if !strings.HasPrefix(called.Uses, "plantstore/conformance/.github/workflows/conformance.yml@") {
		t.Errorf("the job uses %q", called.Uses)
	}
	checkWith(t, called.With, w.On.Call.Inputs)
	for name := range called.Secrets {
		if _, ok := w.On.Call.Secrets[name]; !ok {
			t.Errorf("there is no secret %s", name)
		}
	}
}

func checkWith(t *testing.T, with map[string]string, known map[string]input) {
	t.Helper()
	for name := range with {
		if _, ok := known[name]; !ok {
			t.Errorf("there is no input %s", name)
		}
	}
	for name, in := range known {
		if in.Required && with[name] == "" {
			t.Errorf("the input %s is missing", name)
		}
	}
}

// The example for GitLab gives the expected output, with and without a violation, and leaves the
// files that GitLab keeps.
func TestExampleForGitLab(t *testing.T) {
	c := callers(t)["artifacts:"].Contract
	if version := findAll(t, root+"/go.mod", `(?m)^go (.*)$`)[0]; !strings.HasPrefix(version+".", strings.TrimPrefix(c.Image, "golang:")+".") {
		t.Errorf("the image is %s, and Go's version is %s", c.Image, version)
	}
	if len(c.Script) != 2 || !strings.HasPrefix(c.Script[0], "go install ") {
		t.Fatalf("the script is %q", c.Script)
	}
	path := filepath.Dir(program(t)) + string(filepath.ListSeparator) + os.Getenv("PATH")
	for code, handler := range []http.Handler{plantStore(), http.HandlerFunc(acceptEverything)} {
		cmd := exec.CommandContext(t.Context(), "bash", "-c", c.Script[1])
		cmd.Dir = t.TempDir()
		cmd.Env = append(os.Environ(), "PATH="+path, "PLANTS_URL="+serve(t, handler)["base-url"], "CONFORMANCE_TOKEN="+token)
		said, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != code {
			t.Errorf("exit code %d, want %d\n%s", cmd.ProcessState.ExitCode(), code, said)
		}
		for _, name := range append(slices.Collect(maps.Values(c.Artifacts.Reports)), c.Artifacts.Paths...) {
			if info, err := os.Stat(filepath.Join(cmd.Dir, name)); err != nil || info.Size() == 0 {
				t.Errorf("the report %s: %v", name, err)
			}
		}
	}
}
