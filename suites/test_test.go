package suites_test

import (
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/suites"
)

func TestAsSubtests(t *testing.T) {
	suites.Test(t, configFor(serve(t, store{})))
}

// childEnv names the service that a child process tests.
const childEnv = "CONFORMANCE_TEST_CHILD"

// TestChild is what TestSubtestsFail runs in a process of its own, since a
// failing test cannot be part of a passing one.
func TestChild(t *testing.T) {
	var requests atomic.Int64
	counted := func(handler http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			handler.ServeHTTP(w, r)
		})
	}
	c := suites.NewConfig()
	switch os.Getenv(childEnv) {
	case "":
		t.Skip("it is run by TestSubtestsFail, in a process of its own")
	case "right":
		c = handlerConfig(counted(store{}))
	case "broken":
		c = handlerConfig(counted(store{success: 201}))
	case "wrong token":
		c = handlerConfig(counted(store{unknown: 401}))
		c.Target.Token = "another-token"
	case "panics":
		c = handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of soil") }))
	case "nothing":
	}
	suites.Test(t, c)
	t.Logf("requests: %d", requests.Load())
}

func TestSubtestsFail(t *testing.T) {
	for _, row := range []struct {
		name, service, run string
		pass               bool
		want               []string
		not                string
	}{
		{"nothing to complain about", "right", "TestChild", true, []string{"--- PASS: TestChild/createPlant/valid/plain"}, "FAIL"},
		{"a violation fails its own subtest", "broken", "TestChild", false,
			[]string{"--- FAIL: TestChild/createPlant/valid/plain", "breaks createPlant/accepts", "--- PASS: TestChild/createPlant/missing-required/name", "fixtures/createPlant/valid/plain.yaml:"}, "panic"},
		{"one group", "right", "TestChild/createPlant/missing-required", true, []string{"TestChild/createPlant/missing-required/name"}, "TestChild/createPlant/valid"},
		{"one fixture, one request", "right", "TestChild/createPlant/missing-required/name$", true, []string{"requests: 1"}, ""},
		{"what is not selected does not fail", "broken", "TestChild/createPlant/missing-required", true, nil, "FAIL"},
		{"a selection of nothing", "right", "TestChild/createPlant/no-such-group", false, []string{"selects none of the fixtures"}, "panic"},
		{"a credential that is refused", "wrong token", "TestChild/createPlant/missing-required", false, []string{"inconclusive: the credential was refused"}, "panic"},
		{"a handler that panics", "panics", "TestChild/createPlant/valid", false,
			[]string{"breaks createPlant/answers", "the handler panicked: out of soil", "suites_test.TestChild.func"}, "http: panic serving"},
		{"a configuration that cannot be", "nothing", "TestChild", false, []string{"nothing to test"}, "panic"},
	} {
		t.Run(row.name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", row.run)
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
			if row.not != "" && strings.Contains(string(out), row.not) {
				t.Errorf("the output holds %q", row.not)
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}
