package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Test sends the configured fixtures to the target and runs one subtest of t per fixture,
// named by its id. Only selected fixtures are sent: go test -run TestX/createThing/valid.
// A subtest fails if its fixture found a violation or could not be judged. The test t
// fails if the whole run is inconclusive or a waiver is stale.
//
// When Test returns, all subtests are done. They are parallel subtests: requests are sent
// while other subtests wait.
func Test(t *testing.T, config Config) {
	t.Helper()
	p, err := Planned(config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.open(t.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, op := range s.Contract.Operations {
		s.testOperation(t, op.ID)
	}
	if len(s.begun) == 0 {
		t.Fatal("-run selects none of the fixtures; a run without fixtures tests nothing")
	}
	if text := Shortcoming(s.report()); text != "" {
		t.Error(text)
	}
}

// Shortcoming returns why a run must fail although each fixture passed: the verdict is
// inconclusive, or a waiver is stale. It returns "" if neither is the case.
func Shortcoming(r result.Report) string {
	stale := slices.ContainsFunc(r.Waivers, func(w verdict.Waiver) bool { return w.Stale != "" })
	if stale || r.Verdict == verdict.Inconclusive {
		return string(r.Verdict) + ": " + r.Reason
	}
	return ""
}

// testOperation runs the subtests of one operation. go test tells which ones -run selects only
// after all were offered. Then their fixtures are sent, and the parallel subtests continue.
func (s *session) testOperation(t *testing.T, operation string) {
	t.Helper()
	t.Run(operation, func(t *testing.T) {
		var selected []int
		for i, f := range s.Fixtures {
			if f.Operation.ID != operation {
				continue
			}
			t.Run(strings.TrimPrefix(f.ID, operation+"/"), func(t *testing.T) {
				selected = append(selected, i)
				t.Parallel()
				r := s.result(i)
				t.Logf("%s:%d: %s", f.File, f.Line, f.Title)
				if r.Excused {
					t.Skip(r.Reason)
				}
				if text := words.Complaint(s.Contract, r); text != "" {
					t.Errorf("%s\n    replay    %s", text, r.Curl)
				}
			})
		}
		s.begin(t.Context(), selected)
	})
}
