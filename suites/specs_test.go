package suites_test

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// The suite of package specs, with the flags of Ginkgo.
func TestSpecs(t *testing.T) {
	needsLong(t, "builds the tests of the package specs and runs them nine times")
	binary := filepath.Join(t.TempDir(), "specs.test.exe")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", binary, "./specs").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	serviceAt := func(s store, token string) []string {
		return []string{"CONFORMANCE_BASE_URL=" + serve(t, s), "CONFORMANCE_TOKEN=" + token}
	}
	plan, err := suites.Planned(suites.NewConfig())
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for _, f := range plan.Fixtures {
		if f.Group() == "valid" && f.Level == spec.Must {
			valid++
		}
	}
	for _, row := range []struct {
		name        string
		environment []string
		flags       []string
		pass        bool
		want        []string
		ran, failed int // of the specs in the JUnit report; 0 is any number that ran
	}{
		{"the bundled reference", nil, nil, true, nil, 0, 0},
		{"a service", serviceAt(store{}, token), nil, true, nil, 0, 0},
		{"labels", nil, []string{"-ginkgo.label-filter=operation:createPlant && group:valid && level:must"}, true, nil, valid, 0},
		{"a label of a service that answers 401 where it may", serviceAt(store{unknown: 401}, token), []string{"-ginkgo.label-filter=group:open"}, true, nil, 0, 0},
		{"a label that no spec has", nil, []string{"-ginkgo.label-filter=level:may"}, false, []string{"no specs ran"}, 0, 0},
		{"focus", nil, []string{"-ginkgo.focus=createPlant/valid/plain$"}, true, nil, 1, 0},
		{"one that fails", serviceAt(store{success: 201}, token), []string{"-ginkgo.focus=createPlant/valid/plain$"}, false,
			[]string{"breaks createPlant/accepts", "fixtures/createPlant/valid/plain.yaml:"}, 1, 1},
		{"rejections that prove nothing", serviceAt(store{unknown: 401}, "another"), []string{"-ginkgo.focus=missing-required/name$"}, false,
			[]string{"inconclusive: the credential was refused"}, 1, 1},
		{"a token and no service", []string{"CONFORMANCE_TOKEN=" + token}, []string{"-ginkgo.focus=createPlant/valid/plain$"}, false, []string{"there is nothing to test"}, 1, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			junit := filepath.Join(t.TempDir(), "junit.xml")
			command := exec.CommandContext(t.Context(), binary, append(row.flags, "-ginkgo.no-color", "-ginkgo.succinct", "-ginkgo.junit-report="+junit)...)
			command.Env = append(append(os.Environ(), "CONFORMANCE_BASE_URL=", "CONFORMANCE_TOKEN="), row.environment...)
			out, err := command.CombinedOutput()
			if (err == nil) != row.pass {
				t.Errorf("passed: %t, want %t\n%s", err == nil, row.pass, out)
			}
			for _, want := range row.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("the output lacks %q:\n%s", want, out)
				}
			}
			if ran, failed := readJUnit(t, junit); row.ran > 0 && ran != row.ran || failed != row.failed {
				t.Errorf("in JUnit %d specs ran and %d failed, want %d and %d", ran, failed, row.ran, row.failed)
			}
		})
	}
}

// The ginkgo program runs the suite in two processes.
func TestSpecsInParallel(t *testing.T) {
	needsLong(t, "builds ginkgo")
	for _, row := range []struct {
		name    string
		service store
		filter  string
		pass    bool
	}{
		{"a service", store{}, "", true},
		{"one that breaks a clause", store{nameMissing: true}, "group:missing-required || group:valid", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			junit := filepath.Join(t.TempDir(), "junit.xml")
			command := exec.CommandContext(t.Context(), "go", "run", "github.com/onsi/ginkgo/v2/ginkgo", "-p", "--procs=2", "--label-filter="+row.filter, "--junit-report="+junit, "./specs")
			command.Env = append(os.Environ(), "CONFORMANCE_BASE_URL="+serve(t, row.service), "CONFORMANCE_TOKEN="+token)
			out, err := command.CombinedOutput()
			ran, failed := readJUnit(t, junit)
			if (err == nil) != row.pass || ran == failed || (failed > 0) == row.pass {
				t.Errorf("passed: %t, want %t; %d specs ran and %d failed\n%s", err == nil, row.pass, ran, failed, out)
			}
		})
	}
}

// readJUnit counts the specs that ran, and those that failed.
func readJUnit(t *testing.T, path string) (ran, failed int) {
	t.Helper()
	var read struct {
		Cases []struct {
			Status string `xml:"status,attr"`
		} `xml:"testsuite>testcase"`
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = xml.Unmarshal(data, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range read.Cases {
		switch c.Status {
		case "failed":
			failed++
			ran++
		case "passed":
			ran++
		}
	}
	return ran, failed
}
