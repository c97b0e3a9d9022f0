package verdict_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// covered returns a run on a contract with that number of must-clauses, some of which were
// exercised. The first of these are violated and waived.
func covered(musts, exercised, waived int) (verdict.Basis, []judge.Outcome) {
	b := verdict.Basis{Complete: true, Waivers: waivers("make/waived")}
	if waived == 0 {
		b.Waivers = nil
	}
	var outcomes []judge.Outcome
	for i := range musts {
		clause := spec.Clause{ID: spec.ClauseID("make/200/" + strings.Repeat("x", i+1)), Operation: "make", Level: spec.Must}
		b.Clauses = append(b.Clauses, verdict.Clause{ID: clause.ID, Level: clause.Level})
		o := judge.Outcome{Fixture: "make/valid/" + strings.Repeat("x", i+1), Operation: "make", Status: judge.Passed, Exercised: []spec.ClauseID{clause.ID}}
		if i < waived {
			o.Fixture, o.Status = "make/waived/"+strings.Repeat("x", i+1), judge.Failed
			o.Findings = []judge.Finding{{Clause: clause.ID, Severity: judge.Violation}}
		}
		if i < exercised {
			outcomes = append(outcomes, o)
		}
	}
	b.Clauses = append(b.Clauses,
		verdict.Clause{ID: "make/200/echo", Level: spec.Should},
		verdict.Clause{ID: "make/silent/size", Level: spec.Silent})
	return b, outcomes
}

// A conformant verdict says what it does not cover, and is qualified if that is much.
func TestHeadline(t *testing.T) {
	for _, row := range []struct {
		name                     string
		musts, exercised, waived int
		subject                  string
		want                     string
		qualified                bool
		reason                   string // the end of the reason
	}{
		{"everything", 4, 4, 0, "", "conformant", false, "all 4 fixtures were judged, none found a violation, and 4 of 4 must-clauses passed"},
		{"a part", 4, 3, 0, "", "conformant in 3 of 4 must-clauses", false, "and 3 of 4 must-clauses passed (1 not tested)"},
		{"half", 4, 2, 0, "", "conformant in 2 of 4 must-clauses", false, "(2 not tested)"},
		{"less than half", 35, 3, 0, "", "conformant in 3 of 35 must-clauses", true, "and 3 of 35 must-clauses passed (32 not tested)"},
		{"one waived", 4, 4, 1, "", "conformant but for 1 waived clause", true, "(1 found a waived one), and 3 of 4 must-clauses passed (1 clause waived)"},
		{"all waived", 10, 10, 10, "", "conformant but for 10 waived clauses", true, "and 0 of 10 must-clauses passed (10 clauses waived)"},
		{"a part, and some of it waived", 15, 13, 2, "", "conformant in 11 of 15 must-clauses, with 2 waived clauses", true, "(2 clauses waived, 2 not tested)"},
		{"no must-clauses", 0, 0, 0, "", "inconclusive", false, "nothing was judged"},
		{"the bundled reference", 4, 4, 0, "the bundled reference", "the bundled reference is conformant", false, ""},
		{"a part of it", 4, 3, 0, "the bundled reference", "the bundled reference is conformant in 3 of 4 must-clauses", false, ""},
		{"nothing of it", 4, 0, 0, "the bundled reference", "the bundled reference is inconclusive", false, "nothing was judged"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b, outcomes := covered(row.musts, row.exercised, row.waived)
			b.Subject = row.subject
			s := verdict.Summarize(b, outcomes)
			if s.Headline != row.want || s.Qualified != row.qualified || !strings.HasSuffix(s.Reason, row.reason) {
				t.Errorf("%q, qualified: %t, because %q", s.Headline, s.Qualified, s.Reason)
			}
		})
	}
}

// TestWarnedClausesAreCounted: the last line alone shows that there are warnings.
func TestWarnedClausesAreCounted(t *testing.T) {
	b, outcomes := covered(4, 4, 0)
	for i := range 2 {
		outcomes[i].Status = judge.Warned
		outcomes[i].Findings = []judge.Finding{{Clause: outcomes[i].Exercised[0], Severity: judge.Warning}}
	}
	const want = "and 4 of 4 must-clauses passed (2 clauses with warnings)"
	if s := verdict.Summarize(b, outcomes); s.Verdict != verdict.Conformant || !strings.HasSuffix(s.Reason, want) {
		t.Errorf("%s, because %q", s.Verdict, s.Reason)
	}
}

// Untested clauses may prevent a conformant verdict. A violation takes precedence, and so do unjudged fixtures.
func TestMinCoverage(t *testing.T) {
	for _, row := range []struct {
		name                     string
		musts, exercised, waived int
		percent                  float64
		want                     verdict.Verdict
		reason                   string
	}{
		{"none asked for", 15, 1, 0, 0, verdict.Conformant, ""},
		{"as much as was asked for", 15, 12, 0, 80, verdict.Conformant, ""},
		{"all of it", 15, 15, 0, 100, verdict.Conformant, ""},
		{"less", 15, 11, 0, 80, verdict.Inconclusive, "11 of 15 must-clauses were tested (73.3%), but --min-coverage requires 80%; select more fixtures, or lower --min-coverage"},
		{"nearly all", 2500, 2499, 0, 100, verdict.Inconclusive, "2499 of 2500 must-clauses were tested (99.9%), but --min-coverage requires 100%"},
		{"a waived clause was tested", 4, 4, 2, 100, verdict.Conformant, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			b, outcomes := covered(row.musts, row.exercised, row.waived)
			b.MinCoverage = row.percent
			s := verdict.Summarize(b, outcomes)
			if s.Verdict != row.want || !strings.HasPrefix(s.Reason, row.reason) {
				t.Errorf("%s: %s", s.Verdict, s.Reason)
			}
		})
	}
	b, outcomes := covered(4, 2, 1)
	b.MinCoverage, b.Waivers = 100, nil
	if s := verdict.Summarize(b, outcomes); s.Verdict != verdict.Nonconformant {
		t.Errorf("with a violation it is %s: %s", s.Verdict, s.Reason)
	}
	outcomes[0].Findings, outcomes[0].Status, outcomes[0].Reason = nil, judge.Unjudged, "nothing listens"
	if s := verdict.Summarize(b, outcomes); s.Verdict != verdict.Inconclusive || !strings.Contains(s.Reason, "nothing listens") {
		t.Errorf("with an unjudged fixture it is %s: %s", s.Verdict, s.Reason)
	}
	empty := verdict.Basis{Complete: true, MinCoverage: 100, Clauses: []verdict.Clause{{ID: "make/200/echo", Level: spec.Should}}}
	if s := verdict.Summarize(empty, []judge.Outcome{{Fixture: "make/valid/x", Operation: "make", Status: judge.Passed}}); s.Verdict != verdict.Conformant {
		t.Errorf("without must-clauses it is %s: %s", s.Verdict, s.Reason)
	}
}

// TestReached: an operation is reached after a request of it was accepted, also if that is a
// control. A run with only derived fixtures that reaches no operation is not evidence.
func TestReached(t *testing.T) {
	type answers map[string]int // by operation
	for _, row := range []struct {
		name     string
		answers  answers
		controls answers
		gaps     map[string]string
		derived  bool
		missing  string // reasons, and the operations
		verdict  verdict.Verdict
	}{
		{"all", answers{"a": 200, "b": 204}, nil, nil, true, "", verdict.Conformant},
		{"by a control alone", answers{"a": 400}, answers{"a": 201, "b": 302}, nil, true, "", verdict.Conformant},
		{"one of two", answers{"a": 200, "b": 404}, nil, nil, true, "the requests got 404: they need the id of something that exists, or another base URL: b", verdict.Conformant},
		{"none", answers{"a": 404, "b": 404}, nil, nil, true, "the requests got 404: they need another base URL, or data that exists: a; the requests got 404: they need the id of something that exists, or another base URL: b", verdict.Inconclusive},
		{"none, by fixtures that somebody wrote", answers{"a": 404, "b": 404}, nil, nil, false, "the requests got 404: they need another base URL, or data that exists: a; the requests got 404: they need the id of something that exists, or another base URL: b", verdict.Conformant},
		{"a refused credential", answers{"a": 200, "b": 401}, nil, nil, true, "the credential was refused: b", verdict.Conformant},
		{"one operation that is forbidden", answers{"a": 200, "b": 403}, nil, nil, true, "no request was accepted (403): b", verdict.Conformant},
		{"all are forbidden", answers{"a": 403, "b": 403}, nil, nil, true, "the credential was refused: a b", verdict.Inconclusive},
		{"no credential, as the document names none", answers{"a": 200, "b": 401}, nil, nil, true, "the requests got 401: the document names no security for it, so no token was sent; --header can send an Authorization: b", verdict.Conformant},
		{"accepted as a step", answers{"a": 200, "b": 409, "by b": 200}, nil, nil, true, "", verdict.Conformant},
		{"another refusal", answers{"a": 200, "b": 409}, nil, nil, true, "no request was accepted (409): b", verdict.Conformant},
		{"no response", answers{"a": 200, "b": 0}, nil, nil, true, "no request got a response: b", verdict.Conformant},
		{"nothing derived", answers{"a": 200}, nil, map[string]string{"b": "no value of x"}, true, "no value of x: b", verdict.Conformant},
		{"not sent for safety", answers{"a": 200, "b": 404}, nil, map[string]string{"b": "--unsafe sends it"}, true, "--unsafe sends it: b", verdict.Conformant},
		{"only steps were sent, for safety", answers{"a": 200, "by b": 200}, nil, map[string]string{"b": "--unsafe sends it"}, true, "--unsafe sends it: b", verdict.Conformant},
		{"a valid request that is refused, and another one that got 404", answers{"a": 200, "b": 404}, answers{"b": 400}, nil, true, "the plainest valid request got 400: b", verdict.Conformant},
		{"nothing selected", answers{"a": 200}, nil, nil, true, "the run has no fixture for it: b", verdict.Conformant},
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
			s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: "a/answers"}, {ID: "a/accepts"}, {ID: "b/answers"}, {ID: "b/request/path/id"}}, Complete: true, Controls: outcomes(row.controls), Gaps: row.gaps}, outcomes(row.answers))
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

// If nothing was judged, the verdict gives the reason, and not only the fact that no request got a response.
func TestNothingReached(t *testing.T) {
	one := judge.Outcome{Operation: "a", Fixture: "a/valid/minimal", Expect: "either", Status: judge.Unjudged, Reason: "nothing listens on a:1", Derived: true}
	s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: "a/answers"}}, Complete: true}, []judge.Outcome{one})
	if want := "nothing listens on a:1"; s.Verdict != verdict.Inconclusive || s.Reason != want {
		t.Errorf("%s: %s; want %s", s.Verdict, s.Reason, want)
	}
}
