package judge_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// TestReached: an operation is reached once a request of it was accepted, be it a
// control. With fixtures that nobody wrote, a run that reaches none is no evidence.
func TestReached(t *testing.T) {
	type answers map[string]int // by operation
	for _, row := range []struct {
		name     string
		answers  answers
		controls answers
		gaps     map[string]string
		derived  bool
		missing  string // reasons, and the operations
		verdict  judge.Verdict
	}{
		{"all", answers{"a": 200, "b": 204}, nil, nil, true, "", judge.Conformant},
		{"by a control alone", answers{"a": 400}, answers{"a": 201, "b": 302}, nil, true, "", judge.Conformant},
		{"one of two", answers{"a": 200, "b": 404}, nil, nil, true, "the requests got 404: they need the id of something that exists, or another base URL: b", judge.Conformant},
		{"none", answers{"a": 404, "b": 404}, nil, nil, true, "the requests got 404: they need the id of something that exists, or another base URL: a b", judge.Inconclusive},
		{"none, by fixtures that somebody wrote", answers{"a": 404, "b": 404}, nil, nil, false, "the requests got 404: they need the id of something that exists, or another base URL: a b", judge.Conformant},
		{"a refused credential", answers{"a": 200, "b": 401}, nil, nil, true, "the credential was refused: b", judge.Conformant},
		{"one operation that is forbidden", answers{"a": 200, "b": 403}, nil, nil, true, "no request was accepted (403): b", judge.Conformant},
		{"all are forbidden", answers{"a": 403, "b": 403}, nil, nil, true, "the credential was refused: a b", judge.Inconclusive},
		{"no credential, as the document names none", answers{"a": 200, "b": 401}, nil, nil, true, "the requests got 401: the document names no security for it, so no token was sent; --header can send an Authorization: b", judge.Conformant},
		{"accepted as a step", answers{"a": 200, "b": 409, "by b": 200}, nil, nil, true, "", judge.Conformant},
		{"another refusal", answers{"a": 200, "b": 409}, nil, nil, true, "no request was accepted (409): b", judge.Conformant},
		{"no response", answers{"a": 200, "b": 0}, nil, nil, true, "no request got a response: b", judge.Conformant},
		{"nothing derived", answers{"a": 200}, nil, map[string]string{"b": "no value of x"}, true, "no value of x: b", judge.Conformant},
		{"nothing selected", answers{"a": 200}, nil, nil, true, "the run has no fixture for it: b", judge.Conformant},
	} {
		t.Run(row.name, func(t *testing.T) {
			outcomes := func(from answers) (list []judge.Outcome) {
				for _, op := range slices.Sorted(maps.Keys(from)) {
					var steps []string
					if step, ok := strings.CutPrefix(op, "by "); ok {
						steps = []string{step}
					}
					list = append(list, judge.Outcome{AcceptedSteps: steps, Operation: op, Fixture: op + "/valid/minimal", Expect: "either", Status: judge.Passed, Answer: from[op], Derived: row.derived, Credential: !strings.Contains(row.name, "names none")})
				}
				return list
			}
			s := judge.Summarize(judge.Basis{Clauses: []judge.Clause{{ID: "a/answers"}, {ID: "a/accepts"}, {ID: "b/answers"}}, Complete: true, Controls: outcomes(row.controls), Gaps: row.gaps}, outcomes(row.answers))
			var missing []string
			for _, m := range s.Reached.Missing {
				missing = append(missing, m.Reason+": "+strings.Join(m.Operations, " "))
			}
			if got := strings.Join(missing, "; "); got != row.missing || s.Verdict != row.verdict || s.Reached.Operations.Of != 2 {
				t.Errorf("%s, %q, %d operations; want %s, %q", s.Verdict, got, s.Reached.Operations.Of, row.verdict, row.missing)
			}
		})
	}
}
