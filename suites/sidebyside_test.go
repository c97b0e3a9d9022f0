package suites_test

import (
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// secondContract returns the configuration of a run of the second contract against that service.
func secondContract(t *testing.T, service http.Handler) suites.Config {
	t.Helper()
	contract, err := spec.LoadFile(t.Context(), "testdata/second/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c := configFor(serve(t, service) + "/v2/") // below a prefix, with a slash at its end
	c.Contract = contract
	c.Fixtures = []fixtures.Set{{Name: "testdata/second/fixtures", FS: os.DirFS("testdata/second/fixtures")}}
	return c
}

// Runs of two contracts are concurrent in one process, and each has its own verdict: neither
// service responds before the other gets a request.
func TestChecksSideBySide(t *testing.T) {
	plantsAsked, notesAsked := make(chan struct{}), make(chan struct{})
	meeting := func(service http.Handler, asked chan<- struct{}, other <-chan struct{}) http.Handler {
		var once sync.Once
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			once.Do(func() { close(asked) })
			select {
			case <-other:
				service.ServeHTTP(w, r)
			case <-r.Context().Done(): // the other run is not concurrent
			}
		})
	}
	plants := handlerConfig(meeting(store{nameMissing: true}, plantsAsked, notesAsked))
	second := secondContract(t, meeting(notes{}, notesAsked, plantsAsked))
	var reports [2]result.Report
	var errs [2]error
	var running sync.WaitGroup
	for i, c := range []suites.Config{plants, second} {
		running.Go(func() { reports[i], errs[i] = suites.Run(t.Context(), c) })
	}
	running.Wait()
	for i, want := range []verdict.Verdict{verdict.Nonconformant, verdict.Conformant} {
		if r := reports[i]; errs[i] != nil || r.Verdict != want {
			t.Errorf("%s: %s: %s, %v; want %s", r.Contract.Title, r.Verdict, r.Reason, errs[i], want)
		}
	}
	if got := broken(reports[0], judge.Violation); len(got) != 1 || got[0] != "createPlant/request/body/name" {
		t.Errorf("broken %q", got)
	}
}

// Their subtests are concurrent, too.
func TestSubtestsSideBySide(t *testing.T) {
	for name, c := range map[string]suites.Config{
		"plants":       handlerConfig(store{}),
		"other plants": handlerConfig(store{unknown: 401}),
		"notes":        secondContract(t, notes{}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			suites.Test(t, c)
		})
	}
}
