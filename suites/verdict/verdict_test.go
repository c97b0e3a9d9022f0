package verdict_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/judgetest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// world has the contract of the tests and its fixtures.
type world struct{ judgetest.World }

func load(t *testing.T) world { return world{judgetest.Load(t, "")} }

// answer is the response of a target: status, media type and body.
type answer judgetest.Answer

const jsonType = judgetest.JSON

func (w world) judge(t *testing.T, id string, a answer, o judge.Options) judge.Judged {
	t.Helper()
	return w.Judge(t, id, (*judgetest.Answer)(&a), o)
}

// tried returns the results of several tries of one fixture; nil is an exchange without a connection.
func (w world) tried(t *testing.T, id string, answers ...*answer) []judge.Judged {
	t.Helper()
	var results []judge.Judged
	for _, a := range answers {
		results = append(results, w.Judge(t, id, (*judgetest.Answer)(a), judge.Options{}))
	}
	return results
}

// exchanges are responses by fixture; nil is an exchange without a connection.
type exchanges map[string]*answer

func (w world) summarize(t *testing.T, xs exchanges, complete bool) verdict.Summary {
	t.Helper()
	return verdict.Summarize(verdict.Basis{Clauses: verdict.Clauses(w.Contract.Clauses(), ""), Complete: complete}, w.outcomes(t, xs))
}

// outcomes returns the outcomes of the exchanges, by the ids of their fixtures.
func (w world) outcomes(t *testing.T, xs exchanges) []judge.Outcome {
	t.Helper()
	var outcomes []judge.Outcome
	for _, id := range slices.Sorted(maps.Keys(xs)) {
		outcomes = append(outcomes, w.tried(t, id, xs[id])[0].Outcome)
	}
	return outcomes
}

var (
	made    = &answer{200, jsonType, `{"name":"a"}`}
	refused = &answer{400, jsonType, `{"text":"no"}`}
	unknown = &answer{401, "", ""}
	denied  = &answer{403, "", ""}
	wrong   = &answer{500, "", ""}
)

func TestVerdict(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name      string
		exchanges exchanges
		cut       bool
		want      verdict.Verdict
		reason    string // a part of it
	}{
		{"all as it must be", exchanges{"make/valid/plain": made, "make/missing/name": refused}, false, verdict.Conformant, "all 2 fixtures were judged, none found a violation, and 9 of 38 must-clauses passed"},
		{"a warning does not fail", exchanges{"make/valid/plain": {200, jsonType, `{"name":"b"}`}}, false, verdict.Conformant, "one fixture was judged and found no violation"},
		{"an observation does not fail", exchanges{"make/valid/plain": made, "make/missing/token": unknown}, false, verdict.Conformant, ""},
		{"one violation", exchanges{"make/valid/plain": made, "make/missing/name": made}, false, verdict.Nonconformant, "breaks 1 of 38 clauses (1 fault; 1 of 2 fixtures)"},
		{"a violation outweighs what could not be judged", exchanges{"make/valid/plain": nil, "make/missing/name": made}, false, verdict.Nonconformant, ""},
		{"a violation outweighs the cut", exchanges{"make/valid/plain": made, "make/missing/name": wrong}, true, verdict.Nonconformant, "breaks 1 of 38 clauses (1 fault; 1 of 2 fixtures), and the run was cut off when 2 of 2 fixtures were judged"},
		{"a valid twin refused as its control is", exchanges{"make/valid/plain": made, "make/open/huge": refused, "make/valid/twin": refused}, false, verdict.Conformant, ""},
		{"a twin of a twin, refused as all of them are", exchanges{"make/valid/plain": made, "make/open/huge": refused, "make/valid/twin": refused, "make/valid/twin-of-twin": refused}, false, verdict.Conformant, ""},
		{"a valid twin refused, and its control accepted", exchanges{"make/open/huge": {200, jsonType, `{"name":"a","size":99}`}, "make/valid/twin": refused}, false, verdict.Nonconformant, ""},
		{"cut off", exchanges{"make/valid/plain": made}, true, verdict.Inconclusive, "cut off"},
		{"one fixture unjudged", exchanges{"make/valid/plain": made, "make/missing/name": nil}, false, verdict.Inconclusive, "1 of 2 fixtures could not be judged: nothing listens"},
		{"nothing judged", exchanges{"make/valid/plain": nil}, false, verdict.Inconclusive, "nothing listens"},
		{"nothing at all", exchanges{}, false, verdict.Inconclusive, "nothing was judged"},

		{"the credential refused with 401", exchanges{"make/valid/plain": unknown, "make/valid/sized": unknown, "make/missing/name": unknown}, false, verdict.Inconclusive, "check the token"},
		{"the credential refused, but for what is turned away before it", exchanges{"make/valid/plain": unknown, "make/missing/body": refused}, false, verdict.Inconclusive, "check the token"},
		{"the credential refused, and one exchange without a connection", exchanges{"make/valid/plain": unknown, "make/valid/sized": nil}, false, verdict.Inconclusive, "check the token"},
		{"a credential in the wrong place is no refused one", exchanges{"make/valid/plain": made, "make/missing/basic": unknown}, false, verdict.Conformant, ""},
		{"the credential refused with 403", exchanges{"make/valid/plain": denied, "make/valid/sized": unknown}, false, verdict.Inconclusive, "credential was refused"},
		{"the credential taken once: the other refusal is a violation", exchanges{"make/valid/plain": unknown, "make/valid/sized": {200, jsonType, `{"name":"a","size":3}`}}, false, verdict.Nonconformant, ""},
		{"401 to all that must be rejected, and nothing that must be accepted", exchanges{"make/missing/name": unknown, "make/missing/body": denied}, false, verdict.Inconclusive, "credential was refused"},
		{"a missing credential is no refused one", exchanges{"make/valid/plain": made, "make/missing/token": unknown}, false, verdict.Conformant, ""},
		{"a rejection by itself is held against nothing", exchanges{"make/missing/token": unknown}, false, verdict.Inconclusive, "the valid request (control) was not accepted"},
		{"401 where no credential is asked for", exchanges{"find/valid/plain": {401, jsonType, `{"text":""}`}}, false, verdict.Nonconformant, ""},
		{"400 to everything is no refused credential", exchanges{"make/valid/plain": refused, "make/missing/name": refused}, false, verdict.Nonconformant, ""},
		{"a refused credential does not hide another violation", exchanges{"make/valid/plain": unknown, "make/missing/token": made}, false, verdict.Nonconformant, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := w.summarize(t, row.exchanges, !row.cut)
			if s.Verdict != row.want || !strings.Contains(s.Reason, row.reason) {
				t.Errorf("%s: %s; want %s with %q", s.Verdict, s.Reason, row.want, row.reason)
			}
		})
	}
}

// The verdict says what ended a run, if all unjudged fixtures have that one reason. A killed run has no reason.
func TestWhatEndedARun(t *testing.T) {
	const interrupted, deadline = "the run was interrupted", "the deadline ended the run"
	for _, row := range []struct {
		name     string
		fixtures int
		reasons  []string // of the outcomes; "" means passed
		want     string
	}{
		{"interrupted", 3, []string{"", interrupted, interrupted}, "the run was interrupted when 1 of 3 fixtures were judged"},
		{"interrupted at the last", 2, []string{"", interrupted}, "the run was interrupted when 1 of 2 fixtures were judged"},
		{"the deadline", 2, []string{deadline, deadline}, "the deadline ended the run when 0 of 2 fixtures were judged"},
		{"two reasons", 3, []string{"", interrupted, deadline}, "the run was cut off when 1 of 3 fixtures were judged"},
		{"killed", 3, []string{"", ""}, "the run was cut off when 2 of 3 fixtures were judged"},
		{"killed when one could not be judged", 3, []string{"", "nothing listens"}, "the run was cut off when 1 of 3 fixtures were judged"},
		{"killed when all was judged", 1, []string{""}, "the run was cut off when 1 of 1 fixtures were judged"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var outcomes []judge.Outcome
			for _, reason := range row.reasons {
				o := judge.Outcome{Status: judge.Passed, Reason: reason}
				if reason != "" {
					o.Status = judge.Unjudged
				}
				outcomes = append(outcomes, o)
			}
			if s := verdict.Summarize(verdict.Basis{Fixtures: row.fixtures}, outcomes); s.Verdict != verdict.Inconclusive || s.Reason != row.want {
				t.Errorf("%s: %s; want %s", s.Verdict, s.Reason, row.want)
			}
		})
	}
}

func TestClauseStatus(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{
		"make/valid/plain":   made,
		"make/missing/name":  {422, "", ""},
		"make/missing/token": nil,
		"make/type/text":     made,
		"make/open/huge":     {200, "text/plain", `{"name":"a","size":99}`},
	}, true)
	want := map[string]verdict.ClauseStatus{
		"make/answers":                   verdict.ClausePassed,
		"make/accepts":                   verdict.ClausePassed,
		"make/request/body/name":         verdict.ClausePassed,
		"make/request/body":              verdict.ClauseUnexercised, // its fixture was not selected
		"make/request/credential":        verdict.ClauseVacuous,     // selected, but never judged
		"make/request/media-type":        verdict.ClauseWarned,
		"make/200/media-type":            verdict.ClauseFailed,
		"make/200/body/size":             verdict.ClausePassed,
		"make/400/body":                  verdict.ClauseVacuous, // no 400 was seen
		"make/silent/size":               verdict.ClausePassed,
		"make/silent/other-statuses":     verdict.ClausePassed,
		"make/silent/credential-missing": verdict.ClauseVacuous, // asked, and never answered
		"find/answers":                   verdict.ClauseUnexercised,
		"find/default/body":              verdict.ClauseUnexercised,
	}
	got := map[string]verdict.Clause{}
	for _, c := range s.Clauses {
		got[string(c.ID)] = c
	}
	for id, status := range want {
		if got[id].Status != status {
			t.Errorf("%s is %s, want %s", id, got[id].Status, status)
		}
	}
	if len(s.Clauses) != len(w.Contract.Clauses()) {
		t.Errorf("%d of %d clauses have a status", len(s.Clauses), len(w.Contract.Clauses()))
	}
	if by := got["make/answers"].Fixtures; !slices.Equal(by, []string{"make/missing/name", "make/open/huge", "make/type/text", "make/valid/plain"}) {
		t.Errorf("make/answers was exercised by %q", by)
	}
}

func TestObservationsAreGathered(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{
		"make/missing/body":  {422, jsonType, `{}`},
		"make/missing/name":  {422, jsonType, `{}`},
		"make/missing/token": {403, "", ""},
		"make/type/text":     {415, "", ""},
		"make/valid/plain":   {200, jsonType, `{"name":"b"}`}, // a warning is not an answer to a question
	}, true)
	want := []verdict.Answers{
		{Clause: "make/silent/other-statuses", Answers: []verdict.Answer{
			{Answer: "403", Fixtures: []string{"make/missing/token"}},
			{Answer: "415", Fixtures: []string{"make/type/text"}},
			{Answer: "422 application/json", Fixtures: []string{"make/missing/body", "make/missing/name"}},
		}},
		{Clause: "make/silent/credential-missing", Answers: []verdict.Answer{{Answer: "403", Fixtures: []string{"make/missing/token"}}}},
	}
	equal := slices.EqualFunc(s.Observations, want, func(a, b verdict.Answers) bool {
		return a.Clause == b.Clause && slices.EqualFunc(a.Answers, b.Answers, func(x, y verdict.Answer) bool {
			return x.Answer == y.Answer && slices.Equal(x.Fixtures, y.Fixtures)
		})
	})
	if !equal {
		t.Errorf("got  %+v\nwant %+v", s.Observations, want)
	}
}

// conclude summarizes the results of a run that was not cut off.
func (w world) conclude(results []judge.Judged) verdict.Summary {
	outcomes := make([]judge.Outcome, len(results))
	for i, r := range results {
		outcomes[i] = r.Outcome
	}
	return verdict.Summarize(verdict.Basis{Clauses: verdict.Clauses(w.Contract.Clauses(), ""), Complete: true}, outcomes)
}
