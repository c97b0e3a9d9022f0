package judge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// tried are the results of several tries of one fixture; nil is an exchange
// without a connection.
func (w world) tried(t *testing.T, id string, answers ...*answer) []judge.Judged {
	t.Helper()
	var results []judge.Judged
	for _, a := range answers {
		if a == nil {
			x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Unreachable, Message: "nothing listens"}}
			results = append(results, judge.Exchange(t.Context(), w.contract, w.fixtures[id], x, judge.Options{}))
			continue
		}
		results = append(results, w.judge(t, id, *a, judge.Options{}))
	}
	return results
}

// The worst of several tries counts, and what is found says in how many.
func TestTries(t *testing.T) {
	w := load(t)
	const id = "make/missing/name"
	noText := &answer{400, jsonType, `{}`}
	extra := &answer{400, jsonType, `{"text":"no","x":1}`}
	for _, row := range []struct {
		name    string
		answers []*answer
		want    judge.Status
		alike   int      // 0 where all are
		broken  []string // findings, as "clause message"
	}{
		{"one", []*answer{refused}, judge.Passed, 0, nil},
		{"all alike", []*answer{refused, refused, refused}, judge.Passed, 0, nil},
		{"all let through", []*answer{made, made}, judge.Failed, 0, []string{"make/request/body/name the service accepts a request that the contract forbids"}},
		{"the last let through", []*answer{refused, refused, made}, judge.Failed, 1, []string{"(in 1 of 3 tries)"}},
		{"the first let through", []*answer{made, refused, made}, judge.Failed, 2, []string{"(in 2 of 3 tries)"}},
		{"two violations in two tries", []*answer{made, noText, refused}, judge.Failed, 2, []string{
			"(in 1 of 3 tries)", "make/400/body/text is missing"}},
		{"a warning in one", []*answer{refused, extra}, judge.Warned, 1, []string{"make/400/body/undeclared"}},
		{"a violation in all and a warning in one", []*answer{made, made, extra}, judge.Failed, 2, []string{"(in 2 of 3 tries)", "make/400/body/undeclared"}},
		{"one without a connection among passed", []*answer{refused, nil, refused}, judge.Unjudged, 1, nil},
		{"one without a connection among warned", []*answer{extra, nil}, judge.Unjudged, 1, nil},
		{"one without a connection among failed", []*answer{nil, made, nil}, judge.Failed, 1, []string{"(in 1 of 3 tries)"}},
		{"none with a connection", []*answer{nil, nil}, judge.Unjudged, 0, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := judge.Tries(w.tried(t, id, row.answers...))
			tries := len(row.answers)
			if tries == 1 {
				tries = 0
			}
			if r.Status != row.want || r.Tries != tries || r.Alike != row.alike {
				t.Errorf("%s, %d of %d; want %s, %d", r.Status, r.Alike, r.Tries, row.want, row.alike)
			}
			var got []string
			for _, f := range r.Findings {
				if f.Severity != judge.Observation && f.Clause != "make/200/echo" {
					got = append(got, string(f.Clause)+" "+f.Message+" "+f.Actual)
				}
			}
			if len(got) != len(row.broken) {
				t.Fatalf("got %q, want %q", got, row.broken)
			}
			for i, want := range row.broken {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
			if r.Status == judge.Unjudged && (len(r.Findings)+len(r.Exercised) > 0 || r.Reason == "") {
				t.Errorf("unjudged, it says %+v", r.Outcome)
			}
		})
	}
}

// Both answers to an open question are told, and every clause that one of the
// tries put to the test.
func TestTriesAnswerEveryQuestion(t *testing.T) {
	w := load(t)
	r := judge.Tries(w.tried(t, "make/missing/name", &answer{422, "", ""}, &answer{404, "", ""}, &answer{422, "", ""}, refused))
	var answers []string
	for _, f := range r.Findings {
		answers = append(answers, f.Actual)
	}
	if !slices.Contains(answers, "422") || !slices.Contains(answers, "404") || !slices.Contains(r.Exercised, "make/400/body/text") {
		t.Errorf("%q; exercised %q", answers, r.Exercised)
	}
}

// A waiver of one violation does not cover another that one try in three finds;
// and what it waives may show in some tries only.
func TestTriesAndWaivers(t *testing.T) {
	w := load(t)
	noText := &answer{400, jsonType, `{}`}
	message := judge.Waiver{Pattern: fixtures.NewPattern("make/400/body/text"), Narrowing: judge.Narrowing{Message: fixtures.NewPattern("is missing")}, Reason: "known", Owner: "us"}
	for _, row := range []struct {
		name    string
		answers []*answer
		want    judge.Status
	}{
		{"in all tries", []*answer{noText, noText}, judge.Waived},
		{"in one try", []*answer{refused, noText}, judge.Waived},
		{"beside another violation", []*answer{noText, noText, made}, judge.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := judge.Tries(w.tried(t, "make/missing/name", row.answers...))
			if text := r.Findings[0].Message; !strings.HasPrefix(text, "is missing") {
				t.Fatalf("the message is %q", text)
			}
			if got := judge.Waive(r.Outcome, []judge.Waiver{message}, time.Now()).Status; got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}

// A rejection is evidence only where the same request without the fault is
// accepted.
func TestSettle(t *testing.T) {
	w := load(t)
	outcome := func(id string, a *answer) *judge.Outcome {
		o := w.tried(t, id, a)[0].Outcome
		return &o
	}
	unsent := *outcome("make/valid/plain", nil)
	unsent.Excused = true
	brokenOff := w.brokenOff("make/valid/plain", 200).Outcome
	const clause = "make/request/body/name"
	for _, row := range []struct {
		name      string
		rejection *judge.Outcome
		control   *judge.Outcome
		want      judge.Status
		excused   bool
		evidence  bool
		reason    string
	}{
		{"the twin accepted", outcome("make/missing/name", refused), outcome("make/valid/plain", made), judge.Passed, false, true, ""},
		{"the twin accepted with the wrong status", outcome("make/missing/name", refused), outcome("make/valid/plain", &answer{201, "", ""}), judge.Passed, false, true, ""},
		{"the twin not sent", outcome("make/missing/name", refused), nil, judge.Unjudged, false, false, "the valid request (control) was not accepted"},
		{"the twin rejected", outcome("make/missing/name", refused), outcome("make/valid/plain", refused), judge.Unjudged, false, false, "make/valid/plain got 400"},
		{"the twin without an answer", outcome("make/missing/name", refused), outcome("make/valid/plain", nil), judge.Unjudged, false, false, "make/valid/plain: nothing listens"},
		{"the twin not sent, as nothing leads to it", outcome("make/missing/name", refused), &unsent, judge.Unjudged, true, false, "make/valid/plain: nothing listens"},
		{"the twin's answer broken off", outcome("make/missing/name", refused), &brokenOff, judge.Unjudged, false, false, "make/valid/plain got no answer"},
		{"the twin failed on", outcome("make/missing/name", refused), outcome("make/valid/plain", wrong), judge.Unjudged, false, false, "make/valid/plain got 500"},
		{"the twin not modified", outcome("find/type/q", &answer{404, jsonType, `{"text":""}`}), outcome("find/valid/plain", &answer{304, "", ""}), judge.Unjudged, true, false, "find/valid/plain got 304"},
		{"a twin that may be refused is", outcome("make/missing/large", refused), outcome("make/open/huge", &answer{413, "", ""}), judge.Unjudged, true, false, "the service also rejects the valid request"},
		{"a twin that may be refused gets a 500", outcome("make/missing/large", refused), outcome("make/open/huge", wrong), judge.Unjudged, false, false, "make/open/huge got 500"},
		{"a twin that may be refused gets no answer", outcome("make/missing/large", refused), outcome("make/open/huge", nil), judge.Unjudged, false, false, "make/open/huge: nothing listens"},
		{"a twin that only should be accepted is not", outcome("make/missing/mildly", refused), outcome("make/valid/should", refused), judge.Unjudged, true, false, "the service also rejects the valid request"},
		{"a twin refused, and refused wrongly in form", outcome("make/missing/large", refused), outcome("make/open/huge", &answer{400, jsonType, `{}`}), judge.Unjudged, false, false, "make/open/huge got 400"},
		{"let through, whatever became of the twin", outcome("make/missing/name", made), outcome("make/valid/plain", refused), judge.Failed, false, true, ""},
		{"let through, and no twin", outcome("make/missing/name", made), nil, judge.Failed, false, true, ""},
		{"another violation stays", outcome("make/missing/name", &answer{400, jsonType, `{}`}), nil, judge.Failed, false, false, ""},
		{"what could not be judged keeps its reason", outcome("make/missing/name", nil), nil, judge.Unjudged, false, false, "nothing listens"},
		{"what is no rejection needs no twin", outcome("make/valid/plain", made), nil, judge.Passed, false, false, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			o := judge.Settle(*row.rejection, row.control)
			if o.Status != row.want || o.Excused != row.excused || !strings.Contains(o.Reason, row.reason) {
				t.Errorf("%s, excused %t: %s; want %s, %t: %s", o.Status, o.Excused, o.Reason, row.want, row.excused, row.reason)
			}
			if got := slices.Contains(o.Exercised, clause); got != row.evidence {
				t.Errorf("it is evidence: %t", got)
			}
		})
	}
}

// A control that is no fixture of the run counts for the rejections and for
// nothing else; one whose twin may be refused leaves a run conformant.
func TestControls(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name                string
		exchanges, controls exchanges
		want                judge.Verdict
		reason              string
	}{
		{"accepted", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": made}, judge.Conformant, "one fixture was judged"},
		{"rejected", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": refused}, judge.Inconclusive, "make/valid/plain got 400"},
		{"404", exchanges{"make/missing/name": {404, "", ""}}, exchanges{"make/valid/plain": {404, "", ""}}, judge.Inconclusive, "make/valid/plain got 404"},
		{"unreachable", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": nil}, judge.Inconclusive, "make/valid/plain: nothing listens"},
		{"not sent", exchanges{"make/missing/name": refused}, nil, judge.Inconclusive, "was not accepted"},
		{"the credential refused", exchanges{"make/missing/name": unknown}, exchanges{"make/valid/plain": unknown}, judge.Inconclusive, "check the token"},
		{"a twin refused by permission", exchanges{"make/valid/plain": made, "make/missing/large": refused}, exchanges{"make/open/huge": {413, "", ""}}, judge.Conformant, ""},
		{"nothing but twins refused by permission", exchanges{"make/missing/large": refused}, exchanges{"make/open/huge": {413, "", ""}}, judge.Inconclusive, "nothing was judged"},
		{"a twin failed on", exchanges{"make/valid/plain": made, "make/missing/large": refused}, exchanges{"make/open/huge": wrong}, judge.Inconclusive, "make/open/huge got 500"},
		{"a violation of the control is none of the run", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": {200, "text/plain", `{"name":"a"}`}}, judge.Conformant, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := judge.Summarize(judge.Basis{Clauses: judge.Clauses(w.contract.Clauses(), ""), Complete: true, Controls: w.outcomes(t, row.controls)}, w.outcomes(t, row.exchanges))
			if s.Verdict != row.want || !strings.Contains(s.Reason, row.reason) {
				t.Errorf("%s: %s; want %s with %q", s.Verdict, s.Reason, row.want, row.reason)
			}
			if len(s.Outcomes) != len(row.exchanges) {
				t.Errorf("%d outcomes", len(s.Outcomes))
			}
		})
	}
}

// Where nothing but the answer is judged, an open question is answered all the
// same.
func TestOnlyAnswersAnswersItsQuestion(t *testing.T) {
	w := load(t)
	r := w.judge(t, "make/open/gateway", answer{400, "text/html", "<p>no"}, judge.Options{})
	if len(r.Findings) != 1 || r.Findings[0].Clause != "make/silent/size" || r.Findings[0].Severity != judge.Observation {
		t.Errorf("%+v", r.Findings)
	}
}
