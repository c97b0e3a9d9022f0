package suites_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// importer is the module of another project.
const importer = "testdata/importer"

// goTest runs go test in the module of another project, as its developers do. It returns the output
// and whether the tests passed.
func goTest(t *testing.T, environment []string, args ...string) (out string, pass bool) {
	t.Helper()
	if _, err := os.Stat(importer + "/go.mod"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("a copy of this module out of the module cache has no other modules in it")
	}
	return inImporter(t, append(environment, "GOFLAGS=", "GOWORK=off"), "go", append([]string{"test"}, args...)...)
}

func inImporter(t *testing.T, environment []string, program string, args ...string) (out string, pass bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = importer
	command.Env = append(os.Environ(), environment...)
	printed, err := command.CombinedOutput()
	return string(printed), err == nil
}

// Another project tests its own handler in each of the ways.
func TestImporter(t *testing.T) {
	needsLong(t, "builds another module's tests and runs them eleven times")
	binary := filepath.Join(t.TempDir(), "garden.test.exe")
	out, pass := goTest(t, nil, "-v", "-o", binary, ".")
	if !pass || !strings.Contains(out, "ok  \texample.com/garden") {
		t.Fatal(out)
	}
	for _, row := range []struct {
		name        string
		environment []string
		args        []string
		pass        bool
		want        []string
		not         string
	}{
		{"subtests of a handler", nil, []string{"-test.v", "-test.run=TestHandler/createPlant/missing-required"}, true,
			[]string{"--- PASS: TestHandler/createPlant/missing-required/name"}, "TestHandler/createPlant/valid"},
		{"subtests that fail", []string{"GARDEN_URL=" + serve(t, store{nameMissing: true}), "GARDEN_TOKEN=" + token}, []string{"-test.run=TestService"}, false,
			[]string{"--- FAIL: TestService/createPlant/missing-required/name", "    replay    curl -sS -i -X POST 'http://"}, "panic"},
		{"two handlers", nil, []string{"-test.v", "-test.run=TestTwoGardens"}, true,
			[]string{"--- PASS: TestTwoGardens/the-token-of-the-first/createPlant/valid/tag", "--- PASS: TestTwoGardens/the-token-of-the-second/createPlant/valid/tag"}, ""},
		{"specs beside those of the project", nil, []string{"-test.run=TestSpecs", "-ginkgo.v", "-ginkgo.no-color"}, true,
			[]string{"answers as the contract says", "createPlant/valid/plain", "0 Failed"}, "Ran 0 of"},
		{"specs that are focused", nil, []string{"-test.run=TestSpecs", "-ginkgo.v", "-ginkgo.no-color", "-ginkgo.focus=missing-required"}, true,
			[]string{"0 Failed"}, "Ran 0 of"},
		{"specs of one run", []string{"GARDEN_URL=" + serve(t, oneRun(store{})), "GARDEN_TOKEN=" + token}, []string{"-test.run=TestSpecs", "-ginkgo.no-color"}, true, nil, ""},
		{"specs of one run that are focused", []string{"GARDEN_URL=" + serve(t, oneRun(store{})), "GARDEN_TOKEN=" + token}, []string{"-test.run=TestSpecs", "-ginkgo.no-color", "-ginkgo.focus=missing-required"}, true, nil, "Ran 0 of"},
		{"specs of which one would need all", nil, []string{"-test.run=TestSpecs", "-ginkgo.no-color", "-ginkgo.focus=missing-required|verdict"}, true, []string{" Skipped", "0 Failed"}, "Ran 0 of"},
		{"specs of a service that has another status for credentials, which is open", []string{"GARDEN_URL=" + serve(t, store{unknown: 401}), "GARDEN_TOKEN=" + token},
			[]string{"-test.run=TestSpecs", "-ginkgo.no-color"}, true, nil, "Ran 0 of"},
		{"specs of which none fails, and which prove nothing", []string{"GARDEN_URL=" + serve(t, store{unknown: 401}), "GARDEN_TOKEN=another", "GARDEN_ONLY=createPlant/missing-required"},
			[]string{"-test.run=TestSpecs", "-ginkgo.no-color"}, false, []string{"comes to a verdict on Plant Store", "inconclusive: the credential was refused", "createPlant/valid/plain got 401"}, "panic"},
		{"specs that fail", []string{"GARDEN_TOKEN=another"}, []string{"-test.run=TestSpecs", "-ginkgo.no-color"}, false,
			[]string{"breaks createPlant/accepts", "fixtures/createPlant/valid/plain.yaml:"}, "panic"},
	} {
		t.Run(row.name, func(t *testing.T) {
			out, pass := inImporter(t, row.environment, binary, row.args...)
			if pass != row.pass {
				t.Errorf("passed: %t, want %t", pass, row.pass)
			}
			for _, want := range row.want {
				if !strings.Contains(out, want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if row.not != "" && strings.Contains(out, row.not) {
				t.Errorf("the output holds %q", row.not)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// oneRun accepts requests of the first run that it sees and fails those of other runs. All specs
// have one run id, even if each sends its own request.
func oneRun(next http.Handler) http.Handler {
	var first atomic.Pointer[string]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent := r.UserAgent()
		if !strings.HasPrefix(agent, "conformance/") && !strings.HasPrefix(agent, "Go-http-client/") { // of a fixture about this header field
			next.ServeHTTP(w, r)
			return
		}
		if !first.CompareAndSwap(nil, &agent) && *first.Load() != agent || !strings.Contains(agent, "(run ") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// go test may reuse a cached result if it knows all inputs. It never reuses the verdict on a
// service that runs elsewhere.
func TestGoTestCache(t *testing.T) {
	needsLong(t, "runs go test five times")
	var requests atomic.Int64
	service := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		store{}.ServeHTTP(w, r)
	}))
	goTest := func(test string) (cached bool) {
		t.Helper()
		out, pass := goTest(t, []string{"GARDEN_URL=" + service, "GARDEN_TOKEN=" + token}, "-run", "^"+test+"$", "./...")
		if !pass {
			t.Fatal(out)
		}
		return strings.Contains(out, "(cached)")
	}
	if goTest("TestHandler"); !goTest("TestHandler") {
		t.Error("go test does not cache what it can know, or says so in another way")
	}
	for range 2 {
		before := requests.Load()
		if goTest("TestService") || requests.Load() == before {
			t.Error("the verdict on a service came out of the cache")
		}
	}
}
