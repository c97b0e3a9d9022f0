//go:build long

package actiontest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v4"
)

// root is the folder of the repository, and folder is that of the action.
const (
	root   = "../../.."
	folder = root + "/.github/actions/conformance"
)

// step is a step of an action or a job.
type step struct {
	ID    string            `yaml:"id"`
	If    string            `yaml:"if"`
	Uses  string            `yaml:"uses"`
	Run   string            `yaml:"run"`
	Shell string            `yaml:"shell"`
	Env   map[string]string `yaml:"env"`
	With  map[string]string `yaml:"with"`
}

// input is an input of an action or a workflow.
type input struct {
	Type     string `yaml:"type"`
	Default  string `yaml:"default"`
	Required bool   `yaml:"required"`
}

// output is an output of an action or a workflow.
type output struct {
	Value string `yaml:"value"`
}

// action is the content of action.yml.
type action struct {
	Inputs  map[string]input  `yaml:"inputs"`
	Outputs map[string]output `yaml:"outputs"`
	Runs    struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

func readAction() (action, error) {
	var a action
	return a, readYAML(folder+"/action.yml", &a)
}

// theAction returns the action of this repository.
func theAction(t *testing.T) action {
	t.Helper()
	a, err := readAction()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// actionThatRuns returns the action, and its step that runs the harness.
func actionThatRuns(t *testing.T) (action, step) {
	t.Helper()
	a := theAction(t)
	run, err := a.step("run")
	if err != nil {
		t.Fatal(err)
	}
	return a, run
}

func readYAML(path string, into any) error {
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// step returns the step with the id.
func (a action) step(id string) (step, error) {
	for _, s := range a.Runs.Steps {
		if s.ID == id {
			return s, nil
		}
	}
	return step{}, fmt.Errorf("action.yml has no step %s", id)
}
