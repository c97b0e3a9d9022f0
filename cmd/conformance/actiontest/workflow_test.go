//go:build long

package actiontest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// workflow is the content of .github/workflows/conformance.yml.
type workflow struct {
	On struct {
		Call struct {
			Inputs  map[string]input  `yaml:"inputs"`
			Secrets map[string]input  `yaml:"secrets"`
			Outputs map[string]output `yaml:"outputs"`
		} `yaml:"workflow_call"`
		Dispatch struct {
			Inputs map[string]input `yaml:"inputs"`
		} `yaml:"workflow_dispatch"`
	} `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Outputs     map[string]string `yaml:"outputs"`
		Steps       []step            `yaml:"steps"`
	} `yaml:"jobs"`
}

const workflowPath = root + "/.github/workflows/conformance.yml"

func readWorkflow(t *testing.T) workflow {
	t.Helper()
	var w workflow
	if err := readYAML(workflowPath, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// The workflow passes every input to the action or to the job, and nothing else. The linter cannot
// know whether the action has the input.
func TestWorkflowInputs(t *testing.T) {
	w := readWorkflow(t)
	a := theAction(t)
	steps := w.Jobs["run"].Steps
	last := steps[len(steps)-1]
	if !strings.HasSuffix(last.Uses, "/.github/actions/conformance") {
		t.Fatalf("the last step uses %q", last.Uses)
	}
	expected := map[string]string{
		"token":         "${{ secrets.CONFORMANCE_TOKEN }}",
		"secret-header": "${{ secrets.CONFORMANCE_SECRET_HEADERS }}",
		"strict":        "${{ inputs.strict || '' }}", // a configuration file may set it
		"artifact":      "${{ inputs.artifact || 'conformance-report' }}",
	}
	for name, value := range last.With {
		in, known := a.Inputs[name]
		if !known {
			t.Errorf("the action has no input %s", name)
		}
		if want, ok := expected[name]; value != want && (ok || value != "${{ inputs."+name+" }}") {
			t.Errorf("%s is %s", name, value)
		}
		// If the workflow is started by hand, inputs without a field are empty.
		taken, isInput := w.On.Call.Inputs[name]
		asked := w.On.Dispatch.Inputs[name]
		if isInput && name != "strict" && (taken.Default != in.Default || taken.Required != in.Required) {
			t.Errorf("the default of %s is %q, and the action's %q", name, taken.Default, in.Default)
		}
		if asked != (input{}) && (asked.Default != taken.Default || asked.Required != taken.Required) {
			t.Errorf("the default of %s is %q, and %q by hand", name, taken.Default, asked.Default)
		}
	}
	used := findAll(t, workflowPath, `inputs\.([a-z-]+)`)
	if names := slices.Sorted(maps.Keys(w.On.Call.Inputs)); !slices.Equal(used, names) {
		t.Errorf("taken are %v, and used %v", names, used)
	}
	for name := range w.On.Dispatch.Inputs {
		if _, ok := w.On.Call.Inputs[name]; !ok {
			t.Errorf("%s is asked for by hand alone", name)
		}
	}
	if names := findAll(t, workflowPath, `secrets\.(\w+)`); !slices.Equal(names, slices.Sorted(maps.Keys(w.On.Call.Secrets))) {
		t.Errorf("the secrets %v are used", names)
	}
}

// The outputs of the workflow are those of the action.
func TestWorkflowOutputs(t *testing.T) {
	w := readWorkflow(t)
	a := theAction(t)
	for name, out := range w.On.Call.Outputs {
		if out.Value != "${{ jobs.run.outputs."+name+" }}" || w.Jobs["run"].Outputs[name] != "${{ steps.conformance.outputs."+name+" }}" {
			t.Errorf("%s is %s, and that is %s", name, out.Value, w.Jobs["run"].Outputs[name])
		}
		if _, ok := a.Outputs[name]; !ok {
			t.Errorf("the action has no output %s", name)
		}
	}
	if len(w.On.Call.Outputs) != len(w.Jobs["run"].Outputs) {
		t.Errorf("the job puts out %v", w.Jobs["run"].Outputs)
	}
}

// A workflow may only read the repository. No script contains an expression, and checkouts keep no
// credential.
func TestWorkflowIsModest(t *testing.T) {
	w := readWorkflow(t)
	if !maps.Equal(w.Permissions, map[string]string{"contents": "read"}) || w.Jobs["run"].Permissions != nil {
		t.Errorf("it may %v and %v", w.Permissions, w.Jobs["run"].Permissions)
	}
	checkout := regexp.MustCompile(`^actions/checkout@`)
	for _, s := range w.Jobs["run"].Steps {
		if s.Run != "" {
			t.Errorf("a script that no test runs: %s", s.Run)
		}
		if checkout.MatchString(s.Uses) && s.With["persist-credentials"] != "false" {
			t.Errorf("%s keeps its credential", s.Uses)
		}
	}
}
