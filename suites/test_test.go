package suites_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestAsSubtests(t *testing.T) {
	suites.Test(t, configFor(serve(t, store{})))
}

// The operations of a contract run one after the other, but make one run: with one set of events,
// and over kept connections.
func TestSubtestsOfSeveralOperations(t *testing.T) {
	for _, row := range []struct {
		name string
		only []string
	}{
		{"all", nil},
		{"without the first", []string{"dropNote/*", "health/*"}},
		{"the last alone", []string{"health/*"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var connections atomic.Int64
			server := httptest.NewUnstartedServer(notes{})
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
			server.Start()
			defer server.Close()
			c := secondContract(t, notes{})
			c.Target.BaseURL, c.Only, c.Limits.Concurrency = server.URL+"/v2/", row.only, 1
			var begun, results, ended, afresh int
			c.Observe = func(e result.Event) {
				switch {
				case e.Begun != nil:
					begun++
				case e.Ended != nil:
					ended++
				default:
					results++
					if e.Result != nil && e.Result.Tries > 2 {
						afresh += e.Result.Tries - 2
					}
				}
			}
			suites.Test(t, c)
			if begun != 1 || ended != 1 || results == 0 {
				t.Errorf("told %d beginnings, %d results, %d ends", begun, results, ended)
			}
			if n := connections.Load(); n > int64(4+afresh) { // each operation begins with new ones, and fixtures may close them
				t.Errorf("%d connections for %d requests, one at a time", n, results)
			}
		})
	}
}

// childEnv is the variable with the service that a child process tests.
const childEnv = "CONFORMANCE_TEST_CHILD"

// TestChild is what TestSubtestsFail runs in a separate process, because a failing test cannot be
// part of a passing one.
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
		c.Tries = 3
	case "broken":
		c = handlerConfig(counted(store{success: 201}))
	case "wrong token":
		c = handlerConfig(counted(store{unknown: 401}))
		c.Target.Token = "another-token"
	case "stale waiver":
		c = handlerConfig(counted(store{}))
		c.Waivers = []verdict.Waiver{{Pattern: fixtures.NewPattern("createPlant/400/media-type"), Reason: "the gateway", Owner: "nobody"}}
	case "panics":
		c = handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of soil") }))
	case "nothing":
	}
	suites.Test(t, c)
	t.Logf("requests: %d", requests.Load())
}

func TestSubtestsFail(t *testing.T) {
	const sample = 4 // each row starts a process
	for i, row := range []struct {
		name, service, run string
		pass               bool
		want               []string
		not                string
	}{
		{"nothing to complain about", "right", "TestChild", true, []string{"--- PASS: TestChild/createPlant/valid/plain"}, "FAIL"},
		{"a violation fails its own subtest", "broken", "TestChild", false,
			[]string{"--- FAIL: TestChild/createPlant/valid/plain", "breaks createPlant/accepts", "--- PASS: TestChild/createPlant/missing-required/name", "fixtures/createPlant/valid/plain.yaml:"}, "panic"},
		{"one group", "right", "TestChild/createPlant/missing-required", true, []string{"TestChild/createPlant/missing-required/name"}, "TestChild/createPlant/valid"},
		{"one fixture, its tries and its control", "right", "TestChild/createPlant/missing-required/^name$", true, []string{"requests: 4"}, ""},
		{"what is not selected does not fail", "broken", "TestChild/createPlant/missing-required/^name$", true, nil, "FAIL"},
		{"a selection of nothing", "right", "TestChild/createPlant/no-such-group", false, []string{"selects none of the fixtures"}, "panic"},
		{"a credential that is refused", "wrong token", "TestChild/createPlant/missing-required", false, []string{"inconclusive: the credential was refused"}, "panic"},
		{"a waiver of what is no violation any more", "stale waiver", "TestChild", false, []string{"nonconformant: ", "--- PASS: TestChild/createPlant/valid/plain"}, "panic"},
		{"a handler that panics", "panics", "TestChild/createPlant/valid", false,
			[]string{"breaks createPlant/answers", "the handler panicked: out of soil", "suites_test.TestChild.func"}, "http: panic serving"},
		{"a configuration that cannot be", "nothing", "TestChild", false, []string{"nothing to test"}, "panic"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if i >= sample {
				needsLong(t, "starts a process")
			}
			t.Parallel()
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
