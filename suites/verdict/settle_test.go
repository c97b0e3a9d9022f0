package verdict_test

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/verdict"
)

// clauseNamed returns the clause of a summary.
func clauseNamed(t *testing.T, s verdict.Summary, id spec.ClauseID) verdict.Clause {
	t.Helper()
	i := slices.IndexFunc(s.Clauses, func(c verdict.Clause) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no clause %s", id)
	}
	return s.Clauses[i]
}

// brokenOff returns an exchange that ended after the status, or with 0, before it.
func (w world) brokenOff(id string, status int) judge.Judged {
	x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Incomplete, Message: "broken off"}}
	if status != 0 {
		x.Response = &replay.Response{Status: status}
	}
	return judge.Exchange(context.Background(), w.Contract, w.Fixtures[id], x, judge.Options{})
}

// Findings that only come from a refused credential are removed.
func TestARefusedCredentialLeavesNoEvidence(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name      string
		exchanges exchanges
		vacuous   []string // clauses
	}{
		{"of what must be accepted", exchanges{"make/valid/plain": unknown, "make/valid/size": unknown, "make/missing/token": unknown}, []string{"make/accepts", "make/200/body/size"}},
		{"of what must be accepted, put to another test", exchanges{"make/valid/size": unknown, "make/missing/token": unknown}, []string{"make/accepts", "make/200/body/size"}},
		{"of what must be rejected", exchanges{"make/missing/name": unknown, "make/missing/token": unknown}, []string{"make/request/body/name"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := w.summarize(t, row.exchanges, true)
			for _, r := range s.Outcomes {
				if r.Status != judge.Unjudged || r.Excused {
					t.Errorf("%s is %s, excused %t", r.Fixture, r.Status, r.Excused)
				}
			}
			for _, id := range row.vacuous {
				if c := clauseNamed(t, s, spec.ClauseID(id)); c.Status != verdict.ClauseVacuous && c.Status != verdict.ClauseUnexercised || len(c.Fixtures) > 0 {
					t.Errorf("%s is %s by %q", id, c.Status, c.Fixtures)
				}
			}
		})
	}
}

// An incomplete response says nothing about the credential, whatever its status is.
func TestABrokenOffAnswerIsNoRefusal(t *testing.T) {
	w := load(t)
	for name, status := range map[string]int{"with 401 for its status": 401, "before a status": 0} {
		t.Run(name, func(t *testing.T) {
			results := []judge.Judged{w.brokenOff("make/valid/plain", status), w.judge(t, "make/valid/sized", *unknown, judge.Options{})}
			s := w.conclude(results)
			if c := clauseNamed(t, s, "make/accepts"); s.Verdict != verdict.Nonconformant || c.Status != verdict.ClauseFailed {
				t.Errorf("%s, and %s is %s", s.Verdict, c.ID, c.Status)
			}
		})
	}
}

// If nothing is accepted, a rejection says nothing about its reason.
func TestAServiceThatAcceptsNothingPassesNoClauseOnRequests(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name      string
		exchanges exchanges
		want      verdict.ClauseStatus
	}{
		{"404 to all", exchanges{"make/valid/plain": {404, "", ""}, "make/missing/name": {404, "", ""}}, verdict.ClauseVacuous},
		{"an Error to all", exchanges{"make/valid/plain": refused, "make/missing/name": refused}, verdict.ClauseVacuous},
		{"an interim status is no acceptance", exchanges{"make/valid/plain": {101, "", ""}, "make/missing/name": refused}, verdict.ClauseVacuous},
		{"one accepted", exchanges{"make/valid/plain": made, "make/valid/sized": refused, "make/missing/name": refused}, verdict.ClausePassed},
		{"one accepted, and one without a connection", exchanges{"make/valid/plain": made, "make/valid/sized": nil, "make/missing/name": refused}, verdict.ClausePassed},
		{"201 is wrong, but an acceptance", exchanges{"make/valid/plain": {201, "", ""}, "make/missing/name": refused}, verdict.ClausePassed},
		{"no request that must be accepted was sent", exchanges{"make/missing/name": refused}, verdict.ClauseVacuous},
		{"none that must be accepted got a connection", exchanges{"make/valid/plain": nil, "make/missing/name": refused}, verdict.ClauseVacuous},
		{"another operation accepts nothing", exchanges{"make/valid/plain": made, "make/missing/name": refused, "find/valid/plain": {404, jsonType, `{"text":""}`}}, verdict.ClausePassed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if c := clauseNamed(t, w.summarize(t, row.exchanges, true), "make/request/body/name"); c.Status != row.want {
				t.Errorf("%s is %s, want %s", c.ID, c.Status, row.want)
			}
		})
	}
	for name, status := range map[string]int{"an answer that broke off is no acceptance": 200, "nor is one without a status": 0} {
		t.Run(name, func(t *testing.T) {
			results := []judge.Judged{w.brokenOff("make/valid/plain", status), w.judge(t, "make/missing/name", *refused, judge.Options{})}
			if c := clauseNamed(t, w.conclude(results), "make/request/body/name"); c.Status != verdict.ClauseVacuous {
				t.Errorf("%s is %s", c.ID, c.Status)
			}
		})
	}
}

// Some results of such a service remain: an invalid request that it accepts, and its answers to open questions.
func TestAServiceThatAcceptsNothingKeepsItsOtherEvidence(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{"make/valid/plain": refused, "make/missing/name": made, "make/open/huge": {413, "", ""}}, true)
	for id, want := range map[string]string{
		"make/accepts":           "make/valid/plain",
		"make/request/body/name": "make/missing/name",
		"make/silent/size":       "make/open/huge",
	} {
		if c := clauseNamed(t, s, spec.ClauseID(id)); !slices.Equal(c.Fixtures, []string{want}) {
			t.Errorf("%s was exercised by %q, want %q", id, c.Fixtures, want)
		}
	}
}

// TestTheWorstFindingSettlesAClause: the order of the findings does not matter.
func TestTheWorstFindingSettlesAClause(t *testing.T) {
	w := load(t)
	for _, order := range [][]string{{"make/missing/mild", "make/missing/name"}, {"make/missing/name", "make/missing/mild"}} {
		var results []judge.Judged
		for _, id := range order {
			results = append(results, w.judge(t, id, *made, judge.Options{}))
		}
		if c := clauseNamed(t, w.conclude(results), "make/request/body/name"); c.Status != verdict.ClauseFailed {
			t.Errorf("%q: %s is %s", order, c.ID, c.Status)
		}
	}
}

// TestAnswersAreWithinReachOfEveryFixture: this is so even if no fixture was judged.
func TestAnswersAreWithinReachOfEveryFixture(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{"make/missing/name": nil}, true)
	for id, want := range map[string]verdict.ClauseStatus{"make/answers": verdict.ClauseVacuous, "find/answers": verdict.ClauseUnexercised} {
		if c := clauseNamed(t, s, spec.ClauseID(id)); c.Status != want {
			t.Errorf("%s is %s, want %s", id, c.Status, want)
		}
	}
}

// TestTheCommonestReasonIsTold: of the reasons of unjudged exchanges, the most common is reported.
// If several are equally common, it is the first in alphabetical order.
func TestTheCommonestReasonIsTold(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		reasons []string
		want    string
	}{
		{[]string{"b", "a", "b"}, "3 of 3 fixtures could not be judged: b"},
		{[]string{"d", "c", "b", "c", "b", "d"}, "6 of 6 fixtures could not be judged: b"},
		{[]string{"b", "b"}, "b"}, // a reason of the whole run
	} {
		var results []judge.Judged
		for _, reason := range row.reasons {
			x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Unreachable, Message: reason}}
			results = append(results, judge.Exchange(t.Context(), w.Contract, w.Fixtures["make/valid/plain"], x, judge.Options{}))
		}
		if s := w.conclude(results); s.Reason != row.want {
			t.Errorf("%q: %s, want %s", row.reasons, s.Reason, row.want)
		}
	}
}

// A schema cannot express that a booking must not have more guests than beds. If a service answers
// such a booking with another status than faults in values, it found no fault in the values.
func TestSettleReasons(t *testing.T) {
	fault := func(answer int, clause spec.ClauseID) judge.Outcome {
		return judge.Outcome{Operation: "make", Clause: "make/" + clause, Expect: fixtures.Rejected, Status: judge.Passed, Answer: answer}
	}
	faults := func(answer int) []judge.Outcome {
		return []judge.Outcome{fault(answer, "request/body/name"), fault(answer, "request/body/size"), fault(answer, "request/query/q")}
	}
	for _, row := range []struct {
		name    string
		answer  int // to the valid request
		faults  []judge.Outcome
		written bool // by a person, not derived
		told    bool // by the contract
		strict  bool
		want    judge.Status
	}{
		{name: "422 where faults get 400", answer: 422, faults: faults(400), want: judge.Warned},
		{name: "422 for a rule that the contract tells", answer: 422, faults: faults(400), told: true, want: judge.Passed},
		{name: "the contract tells a rule, but faults get the same status", answer: 422, faults: faults(422), told: true, want: judge.Failed},
		{name: "400 where faults get 422", answer: 400, faults: faults(422), want: judge.Warned},
		{name: "one status for all", answer: 400, faults: faults(400), want: judge.Failed},
		{name: "one fault gets it, too", answer: 422, faults: append(faults(400), fault(422, "request/body/kind")), want: judge.Failed},
		{name: "too few faults to know", answer: 422, faults: faults(400)[:2], want: judge.Failed},
		{name: "faults of the body itself are no faults in values", answer: 422, faults: []judge.Outcome{fault(400, "request/body"), fault(400, "request/body"), fault(400, "request/body")}, want: judge.Failed},
		{name: "415 is about the request and not about its values", answer: 415, faults: faults(400), want: judge.Failed},
		{name: "what a person wrote must be accepted", answer: 422, faults: faults(400), written: true, want: judge.Failed},
		{name: "strict", answer: 422, faults: faults(400), strict: true, want: judge.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			control := judge.Outcome{Fixture: "plain", Operation: "make", Clause: "make/accepts", Expect: fixtures.Accepted, Status: judge.Passed, Answer: 201}
			valid := judge.Outcome{
				Fixture: "valid", Operation: "make", Clause: "make/accepts", Expect: fixtures.Accepted, Status: judge.Failed, Answer: row.answer,
				Derived: !row.written, Told: row.told, Control: "plain", Exercised: []spec.ClauseID{"make/accepts"},
				Findings: []judge.Finding{{Clause: "make/accepts", Severity: judge.Violation, Message: "a valid request is rejected"}},
			}
			for i := range row.faults {
				row.faults[i].Control = "plain"
			}
			rests := fault(row.answer, "request/body/kind")
			rests.Fixture, rests.Control = "rests", "valid"
			further := rests
			further.Fixture, further.Control = "further", "rests"
			s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: "make/accepts", Level: spec.Must}}, Complete: true, Strict: row.strict}, append(row.faults, control, rests, further, valid))
			got := s.Outcomes[len(s.Outcomes)-1]
			for _, o := range s.Outcomes[len(s.Outcomes)-3 : len(s.Outcomes)-1] {
				if o.Status != judge.Unjudged || o.Excused != (row.want != judge.Failed) {
					t.Errorf("what rests on it is %s, excused %t: %s", o.Status, o.Excused, o.Reason)
				}
			}
			if inconclusive := s.Verdict == verdict.Inconclusive; inconclusive {
				t.Errorf("the verdict is %s: %s", s.Verdict, s.Reason)
			}
			if got.Status != row.want {
				t.Errorf("%s: %+v", got.Status, got.Findings)
			}
			if told := strings.Contains(got.Findings[0].Message, "a rule that the contract does not tell"); told != (row.want == judge.Warned) {
				t.Errorf("the message is %q", got.Findings[0].Message)
			}
			if valid.Findings[0].Severity != judge.Violation {
				t.Error("what was given is changed")
			}
		})
	}
}

// TestSettleConflicts: 409 for a fault shows that the service has not seen it, if other faults get
// another status and only this one gets 409.
func TestSettleConflicts(t *testing.T) {
	fault := func(answer int, name string) judge.Outcome {
		clause := "make/request/body/" + name
		return judge.Outcome{Operation: "make", Clause: spec.ClauseID(clause), Expect: fixtures.Rejected, Status: judge.Passed, Answer: answer, Control: "plain", Exercised: []spec.ClauseID{spec.ClauseID(clause)}}
	}
	for _, row := range []struct {
		name   string
		faults []judge.Outcome
		strict bool
		of     string // the value that gets 409; "" is id
		want   judge.Status
	}{
		{name: "others get 400", faults: []judge.Outcome{fault(400, "name"), fault(400, "name"), fault(400, "size")}, want: judge.Warned},
		{name: "others get 422", faults: []judge.Outcome{fault(422, "name"), fault(422, "name"), fault(422, "id")}, want: judge.Warned},
		{name: "strict", faults: []judge.Outcome{fault(400, "name"), fault(400, "name"), fault(400, "size")}, strict: true, want: judge.Failed},
		{name: "too few others to know", faults: []judge.Outcome{fault(400, "name"), fault(400, "size")}, want: judge.Passed},
		{name: "all get 409", faults: []judge.Outcome{fault(409, "id"), fault(409, "id"), fault(409, "id")}, want: judge.Passed},
		{name: "the type of a JSON:API resource", of: "data/type", faults: []judge.Outcome{fault(400, "name"), fault(400, "name"), fault(400, "size")}, want: judge.Passed},
		{name: "faults in other values get 409, too", faults: []judge.Outcome{fault(400, "name"), fault(400, "name"), fault(400, "size"), fault(409, "name")}, want: judge.Passed},
	} {
		t.Run(row.name, func(t *testing.T) {
			control := judge.Outcome{Fixture: "plain", Operation: "make", Clause: "make/accepts", Expect: fixtures.Accepted, Status: judge.Passed, Answer: 201}
			s := verdict.Summarize(verdict.Basis{Complete: true, Strict: row.strict}, append(row.faults, control, fault(409, cmp.Or(row.of, "id"))))
			got := s.Outcomes[len(s.Outcomes)-1]
			if isEvidence := len(got.Exercised) > 0; got.Status != row.want || isEvidence != (row.want == judge.Passed) {
				t.Errorf("%s, want %s: %+v", got.Status, row.want, got)
			}
		})
	}
}

// TestSettleAnyOf: a service may support only some values of a property, but not none.
func TestSettleAnyOf(t *testing.T) {
	const accepts = "make/accepts"
	for _, row := range []struct {
		name    string
		answers []int
		partial bool
		want    []judge.Status
	}{
		{name: "one is known", answers: []int{400, 200, 400}, want: []judge.Status{judge.Passed, judge.Passed, judge.Passed}},
		{name: "one is known, of a part of the run", answers: []int{400, 200}, partial: true, want: []judge.Status{judge.Passed, judge.Passed}},
		{name: "none is known", answers: []int{400, 400, 400}, want: []judge.Status{judge.Failed, judge.Warned, judge.Warned}},
		{name: "the others are not in this part of the run", answers: []int{400, 400}, partial: true, want: []judge.Status{judge.Warned, judge.Warned}},
	} {
		t.Run(row.name, func(t *testing.T) {
			outcomes := []judge.Outcome{{Fixture: "plain", Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Level: spec.Must, Status: judge.Passed, Answer: 200}}
			for _, answer := range row.answers {
				o := judge.Outcome{Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Level: spec.Should, Status: judge.Passed, Answer: answer, Control: "plain", AnyOf: "make/valid/tag"}
				if answer >= 400 {
					o.Status, o.Findings = judge.Warned, []judge.Finding{{Clause: accepts, Severity: judge.Warning, Message: "a valid request is rejected"}}
				}
				outcomes = append(outcomes, o)
			}
			s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: accepts, Level: spec.Must}}, Complete: true, Partial: row.partial}, outcomes)
			for i, o := range s.Outcomes[1:] {
				if o.Status != row.want[i] {
					t.Errorf("request %d: %s, want %s: %+v", i, o.Status, row.want[i], o.Findings)
				}
			}
			if want := slices.Contains(row.want, judge.Failed); want != (s.Verdict == verdict.Nonconformant) {
				t.Errorf("the verdict is %s", s.Verdict)
			}
		})
	}
}

// TestSettleUnless: a valid value may be refused together with some other values, but not with all.
func TestSettleUnless(t *testing.T) {
	const accepts = "make/accepts"
	answered := func(id string, answer int) judge.Outcome {
		return judge.Outcome{Fixture: id, Operation: "make", Clause: "make/answers", Expect: fixtures.Either, Status: judge.Passed, Answer: answer}
	}
	for _, row := range []struct {
		name      string
		answer    int // to the value
		elsewhere []judge.Outcome
		controls  []judge.Outcome
		strict    bool
		want      judge.Status
	}{
		{name: "accepted elsewhere", answer: 400, elsewhere: []judge.Outcome{answered("other", 201)}, want: judge.Warned},
		{name: "accepted elsewhere, beside the run", answer: 400, controls: []judge.Outcome{answered("other", 201)}, want: judge.Warned},
		{name: "refused elsewhere", answer: 400, elsewhere: []judge.Outcome{answered("other", 400)}, want: judge.Failed},
		{name: "not sent elsewhere", answer: 400, want: judge.Failed},
		{name: "accepted elsewhere, and strict", answer: 400, elsewhere: []judge.Outcome{answered("other", 201)}, strict: true, want: judge.Failed},
		{name: "accepted with a wrong status", answer: 299, elsewhere: []judge.Outcome{answered("other", 201)}, want: judge.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			value := judge.Outcome{
				Fixture: "value", Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Level: spec.Must, Status: judge.Failed, Answer: row.answer, Control: "plain", Unless: []string{"other"},
				Findings: []judge.Finding{{Clause: accepts, Severity: judge.Violation, Message: "a valid request is rejected"}},
			}
			s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: accepts, Level: spec.Must}}, Complete: true, Strict: row.strict, Controls: row.controls}, append(row.elsewhere, answered("plain", 201), value))
			if got := s.Outcomes[len(s.Outcomes)-1]; got.Status != row.want {
				t.Errorf("%s: %+v", got.Status, got.Findings)
			}
			if value.Findings[0].Severity != judge.Violation {
				t.Error("what was given is changed")
			}
		})
	}
}

// TestSettleBounds: a service may limit the size of bodies, but not between a bound and the value inside it.
func TestSettleBounds(t *testing.T) {
	const accepts = "make/accepts"
	for name, row := range map[string]struct {
		answer, inside int
		want           judge.Status
	}{
		"too large by one":   {413, 201, judge.Failed},
		"both too large":     {413, 413, judge.Passed},
		"for another reason": {409, 201, judge.Passed},
	} {
		one := func(id string, answer int) judge.Outcome {
			return judge.Outcome{
				Fixture: id, Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Level: spec.Must, Derived: true, Status: judge.Passed, Answer: answer, Control: "plain",
				Findings: []judge.Finding{{Clause: accepts, Severity: judge.Observation, Message: "a valid request is rejected"}},
			}
		}
		plain := judge.Outcome{Fixture: "plain", Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Status: judge.Passed, Answer: 201}
		s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: accepts, Level: spec.Must}}, Complete: true},
			[]judge.Outcome{plain, one("name.at", row.answer), one("name.inside", row.inside)})
		if got := s.Outcomes[1]; got.Status != row.want {
			t.Errorf("%s: %s: %+v", name, got.Status, got.Findings)
		}
	}
}

// TestSettleMinimum: if only requests with another number are accepted, the service refuses the minimum.
func TestSettleMinimum(t *testing.T) {
	const accepts = "make/accepts"
	for name, row := range map[string]struct {
		plain, inside, other int
		want                 judge.Status
	}{
		"only more than the minimum":   {422, 201, 422, judge.Warned},
		"another fixture, too":         {422, 201, 201, judge.Passed},
		"refused for the stored state": {409, 201, 409, judge.Passed},
		"all refused":                  {422, 422, 422, judge.Passed},
	} {
		one := func(id string, answer int) judge.Outcome {
			return judge.Outcome{Fixture: id, Operation: "make", Clause: accepts, Expect: fixtures.Accepted, Level: spec.Must, Derived: true, Status: judge.Passed, Answer: answer, Control: "plain"}
		}
		plain := judge.Outcome{Fixture: "plain", Operation: "make", Clause: "make/answers", Expect: fixtures.Either, Derived: true, Status: judge.Passed, Answer: row.plain}
		s := verdict.Summarize(verdict.Basis{Clauses: []verdict.Clause{{ID: accepts, Level: spec.Must}}, Complete: true},
			[]judge.Outcome{plain, one("make/valid/body.size.minimum.inside", row.inside), one("make/valid/body.size.maximum.at", row.inside), one("make/valid/body.name.present", row.other)})
		if got := s.Outcomes[0]; got.Status != row.want {
			t.Errorf("%s: %s: %+v", name, got.Status, got.Findings)
		}
	}
}
