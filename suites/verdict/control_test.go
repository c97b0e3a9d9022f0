package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// A rejection is evidence only if the same request without the fault is accepted.
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
			o := verdict.Settle(*row.rejection, row.control)
			if o.Status != row.want || o.Excused != row.excused || !strings.Contains(o.Reason, row.reason) {
				t.Errorf("%s, excused %t: %s; want %s, %t: %s", o.Status, o.Excused, o.Reason, row.want, row.excused, row.reason)
			}
			if got := slices.Contains(o.Exercised, clause); got != row.evidence {
				t.Errorf("it is evidence: %t", got)
			}
		})
	}
}

// A control that is not a fixture of the run counts only for the rejections. If the control may be
// refused, the run can still be conformant.
func TestControls(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name                string
		exchanges, controls exchanges
		want                verdict.Verdict
		reason              string
	}{
		{"accepted", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": made}, verdict.Conformant, "one fixture was judged"},
		{"rejected", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": refused}, verdict.Inconclusive, "make/valid/plain got 400"},
		{"404", exchanges{"make/missing/name": {404, "", ""}}, exchanges{"make/valid/plain": {404, "", ""}}, verdict.Inconclusive, "make/valid/plain got 404"},
		{"unreachable", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": nil}, verdict.Inconclusive, "make/valid/plain: nothing listens"},
		{"not sent", exchanges{"make/missing/name": refused}, nil, verdict.Inconclusive, "was not accepted"},
		{"the credential refused", exchanges{"make/missing/name": unknown}, exchanges{"make/valid/plain": unknown}, verdict.Inconclusive, "check the token"},
		{"a twin refused by permission", exchanges{"make/valid/plain": made, "make/missing/large": refused}, exchanges{"make/open/huge": {413, "", ""}}, verdict.Conformant, ""},
		{"nothing but twins refused by permission", exchanges{"make/missing/large": refused}, exchanges{"make/open/huge": {413, "", ""}}, verdict.Inconclusive, "nothing was judged"},
		{"a twin failed on", exchanges{"make/valid/plain": made, "make/missing/large": refused}, exchanges{"make/open/huge": wrong}, verdict.Inconclusive, "make/open/huge got 500"},
		{"a violation of the control is none of the run", exchanges{"make/missing/name": refused}, exchanges{"make/valid/plain": {200, "text/plain", `{"name":"a"}`}}, verdict.Conformant, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := verdict.Summarize(verdict.Basis{Clauses: verdict.Clauses(w.Contract.Clauses(), ""), Complete: true, Controls: w.outcomes(t, row.controls)}, w.outcomes(t, row.exchanges))
			if s.Verdict != row.want || !strings.Contains(s.Reason, row.reason) {
				t.Errorf("%s: %s; want %s with %q", s.Verdict, s.Reason, row.want, row.reason)
			}
			if len(s.Outcomes) != len(row.exchanges) {
				t.Errorf("%d outcomes", len(s.Outcomes))
			}
		})
	}
}
