//go:build long

package actiontest

import (
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every input reaches the scripts under its name, or another action. Only inputs reach them.
func TestInputsAreWired(t *testing.T) {
	a, run := actionThatRuns(t)
	wanted := map[string]string{"PROGRAM": "${{ " + programValue + " }}"}
	for name := range a.Inputs {
		if !usesInput(a.Runs.Steps, name) {
			t.Errorf("no step uses the input %s", name)
		}
		if name != "artifact" && name != "retention-days" {
			wanted[variableOf(name)] = "${{ inputs." + name + " }}"
		}
	}
	if !maps.Equal(run.Env, wanted) {
		t.Errorf("the environment of the run step is %v, want %v", run.Env, wanted)
	}
	read := findAll(t, folder+"/run.sh", `\$\{?(INPUT_\w+|PROGRAM)\b`)
	if names := slices.Sorted(maps.Keys(wanted)); !slices.Equal(read, names) {
		t.Errorf("run.sh reads %v, want %v", read, names)
	}
}

func usesInput(steps []step, name string) bool {
	for _, s := range steps {
		for _, texts := range []map[string]string{s.Env, s.With} {
			for _, text := range texts {
				if text == "${{ inputs."+name+" }}" {
					return true
				}
			}
		}
	}
	return false
}

// Every flag that run.sh uses is a flag of the harness, and comes from the input of that name.
func TestFlagsAreThere(t *testing.T) {
	help, err := exec.CommandContext(t.Context(), program(t), "run", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	given := regexp.MustCompile(`(?m)^flags? (?:--)?([a-z-]+)=? "\$(INPUT_\w+)"`).FindAllStringSubmatch(read(t, folder+"/run.sh"), -1)
	if len(given) < 10 {
		t.Errorf("run.sh gives only %v", given)
	}
	flags := findAll(t, folder+"/run.sh", `--([a-z-]+)=`)
	for _, match := range given {
		if flags = append(flags, match[1]); match[2] != variableOf(match[1]) {
			t.Errorf("--%s is given %s", match[1], match[2])
		}
	}
	for _, name := range flags {
		if !regexp.MustCompile(`--` + name + `\s`).Match(help) {
			t.Errorf("there is no flag --%s", name)
		}
	}
}

// variableOf returns the variable in which run.sh reads an input.
func variableOf(input string) string {
	return "INPUT_" + strings.ToUpper(strings.ReplaceAll(input, "-", "_"))
}

// findAll returns the first groups of all matches in a file, sorted, without duplicates.
func findAll(t *testing.T, path, pattern string) []string {
	t.Helper()
	var found []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, path), -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// An output of the action is the output of that name of the run step. Other tests check that the
// step sets exactly these.
func TestOutputsAreWired(t *testing.T) {
	a := theAction(t)
	for name, out := range a.Outputs {
		if out.Value != "${{ steps.run.outputs."+name+" }}" {
			t.Errorf("the output %s is %s", name, out.Value)
		}
	}
	if a.Runs.Using != "composite" {
		t.Errorf("the action is a %s", a.Runs.Using)
	}
}

// The shell of a step is the one that the tests use. A script contains no expression, because the
// value of an input would be executed.
func TestScripts(t *testing.T) {
	a := theAction(t)
	scripts := 0
	for _, s := range a.Runs.Steps {
		if s.Run == "" {
			continue
		}
		scripts++
		if s.Shell != "bash" || s.ID == "" || strings.Contains(s.Run, "${{") {
			t.Errorf("the step %q: %s: %s", s.ID, s.Shell, s.Run)
		}
		if shellcheck, err := exec.LookPath("shellcheck"); err == nil {
			c := exec.CommandContext(t.Context(), shellcheck, "--shell", "bash", "-")
			c.Stdin = strings.NewReader(s.Run)
			if said, err := c.CombinedOutput(); err != nil {
				t.Errorf("the step %s: %v\n%s", s.ID, err, said)
			}
		}
	}
	if scripts != 3 {
		t.Errorf("%d steps have scripts, of which these tests know three", scripts)
	}
}

// Actions of others are pinned to a commit, with their version in a comment.
func TestActionsArePinned(t *testing.T) {
	uses, pinned := regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(.*)$`), regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	files, err := filepath.Glob(root + "/.github/workflows/*.yml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	versions := map[string]string{}
	for _, path := range append(files, folder+"/action.yml") {
		for _, match := range uses.FindAllStringSubmatch(read(t, path), -1) {
			switch name, version, _ := strings.Cut(match[1], "@"); {
			case strings.HasPrefix(match[1], "./"):
			case !pinned.MatchString(match[1]):
				t.Errorf("%s uses %s, which is not pinned", path, match[1])
			case versions[name] != "" && versions[name] != version:
				t.Errorf("%s uses %s of %s, and another file of %s", path, name, version, versions[name])
			default:
				versions[name] = version
			}
		}
	}
	if len(versions) < 4 {
		t.Errorf("only %v are used", versions)
	}
}

// The action installs the Go version of go.mod, with any patch release.
func TestGoVersion(t *testing.T) {
	values, err := putOut("go")
	if err != nil {
		t.Fatal(err)
	}
	version := values["steps.go.outputs.version"]
	if wanted := findAll(t, root+"/go.mod", `(?m)^go (\d+\.\d+)`); !slices.Equal(wanted, []string{version}) {
		t.Errorf("%q is asked for, want %v", version, wanted)
	}
}
