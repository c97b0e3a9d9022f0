package importertest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
)

const token = "a-token-of-the-importer"

// config is shared with the specs below, which are registered before there is
// a server to test.
var config = suites.NewConfig()

var _ = ginkgo.Describe("the service of another project", func() {
	ginkgo.BeforeEach(func() {
		if config.Target.BaseURL != "" {
			return
		}
		accepted := token
		if os.Getenv(childEnv) == "wrong token" {
			accepted = "another-token"
		}
		server := httptest.NewServer(oneRun(reference.New(reference.Options{Tokens: []string{accepted}})))
		config.Target.BaseURL, config.Target.Token = server.URL, token
	})
	suites.Register(&config)
	ginkgo.It("has specs of its own", func() { gomega.Expect(1 + 1).To(gomega.Equal(2)) })
})

// oneRun takes requests of the first run that it sees and fails those of any
// other: all specs go by one id, also where each sends its own request.
func oneRun(next http.Handler) http.Handler {
	var first atomic.Pointer[string]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent := r.UserAgent()
		if !first.CompareAndSwap(nil, &agent) && *first.Load() != agent || !strings.Contains(agent, "(run ") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// A suite of the project's own, with the fixtures as specs in it. Ginkgo runs
// one suite once per process, which -count=2 does not know; so this one runs
// in child processes, see TestSpecsInAChild.
func TestSpecs(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		t.Skip("it is run by TestSpecsInAChild, in a process of its own")
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	ginkgo.RunSpecs(t, "importer")
}

// The same fixtures as plain subtests against a handler.
func TestHandler(t *testing.T) {
	server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{token}}))
	defer server.Close()
	c := suites.NewConfig()
	c.Target.BaseURL, c.Target.Token = server.URL, token
	suites.Test(t, c)
}

// Run gives a report and leaves the package's own specs alone.
func TestRun(t *testing.T) {
	server := httptest.NewServer(reference.New(reference.Options{Tokens: []string{token}}))
	defer server.Close()
	c := suites.NewConfig()
	c.Target.BaseURL, c.Target.Token = server.URL, token
	r, err := suites.Run(t.Context(), c)
	if err != nil || r.Verdict != "conformant" {
		t.Errorf("%s: %s, %v", r.Verdict, r.Reason, err)
	}
}

const childEnv = "CONFORMANCE_IMPORTER_CHILD"

// Specs that fail, and specs that are filtered, in a process of their own.
func TestSpecsInAChild(t *testing.T) {
	for _, row := range []struct {
		name, service string
		tests         string
		flags         []string
		pass          bool
		want          []string
	}{
		{"all", "right", "^TestSpecs$", nil, true, []string{"the service of another project", "0 Failed", "has specs of its own"}},
		{"after a run", "right", "^(TestRun|TestSpecs)$", nil, true, []string{"the service of another project", "0 Failed", "has specs of its own"}},
		{"focused on one group", "right", "^TestSpecs$", []string{"-ginkgo.focus", "missing-required"}, true, []string{"0 Failed"}},
		{"a credential that is refused", "wrong token", "^TestSpecs$", nil, false, []string{"breaks createPlant/accepts", "fixtures/createPlant/valid/plain.yaml:"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			flags := append([]string{"-test.run", row.tests, "-ginkgo.v", "-ginkgo.no-color"}, row.flags...)
			child := exec.CommandContext(t.Context(), os.Args[0], flags...)
			child.Env = append(os.Environ(), childEnv+"="+row.service)
			out, err := child.CombinedOutput()
			if (err == nil) != row.pass {
				t.Errorf("passed: %t, want %t", err == nil, row.pass)
			}
			for _, want := range row.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}
