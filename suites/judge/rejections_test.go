package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// A schema cannot tell that the guests of a booking must be no more than the beds. A service
// that answers such a request with another status than a fault in a value has read the value
// and found no fault in it.
func TestSettleReasons(t *testing.T) {
	fault := func(answer int, clause string) judge.Outcome {
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
		strict  bool
		want    judge.Status
	}{
		{name: "422 where faults get 400", answer: 422, faults: faults(400), want: judge.Warned},
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
				Derived: !row.written, Control: "plain", Exercised: []string{"make/accepts"},
				Findings: []judge.Finding{{Clause: "make/accepts", Severity: judge.Violation, Message: "a valid request is rejected"}},
			}
			for i := range row.faults {
				row.faults[i].Control = "plain"
			}
			s := judge.Summarize(judge.Basis{Clauses: []judge.Clause{{ID: "make/accepts", Level: spec.Must}}, Complete: true, Strict: row.strict}, append(row.faults, control, valid))
			got := s.Outcomes[len(s.Outcomes)-1]
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

// TestSettleAnyOf: a service may know some values of a property alone, but not none.
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
			s := judge.Summarize(judge.Basis{Clauses: []judge.Clause{{ID: accepts, Level: spec.Must}}, Complete: true, Partial: row.partial}, outcomes)
			for i, o := range s.Outcomes[1:] {
				if o.Status != row.want[i] {
					t.Errorf("request %d: %s, want %s: %+v", i, o.Status, row.want[i], o.Findings)
				}
			}
			if want := slices.Contains(row.want, judge.Failed); want != (s.Verdict == judge.Nonconformant) {
				t.Errorf("the verdict is %s", s.Verdict)
			}
		})
	}
}

// TestSettleUnless: a valid value may be refused beside some others, but not beside all.
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
			s := judge.Summarize(judge.Basis{Clauses: []judge.Clause{{ID: accepts, Level: spec.Must}}, Complete: true, Strict: row.strict, Controls: row.controls}, append(row.elsewhere, answered("plain", 201), value))
			if got := s.Outcomes[len(s.Outcomes)-1]; got.Status != row.want {
				t.Errorf("%s: %+v", got.Status, got.Findings)
			}
			if value.Findings[0].Severity != judge.Violation {
				t.Error("what was given is changed")
			}
		})
	}
}
