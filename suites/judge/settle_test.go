package judge_test

import (
	"context"
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// clauseNamed is what a summary says of one clause.
func clauseNamed(t *testing.T, s judge.Summary, id string) judge.Clause {
	t.Helper()
	i := slices.IndexFunc(s.Clauses, func(c judge.Clause) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no clause %s", id)
	}
	return s.Clauses[i]
}

// brokenOff is an exchange that ended with no more than a status, or nothing
// for 0.
func (w world) brokenOff(id string, status int) judge.Judged {
	x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Incomplete, Message: "broken off"}}
	if status != 0 {
		x.Response = &replay.Response{Status: status}
	}
	return judge.Exchange(context.Background(), w.contract, w.fixtures[id], x, judge.Options{})
}

// What a refused credential only seemed to show is taken back.
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
				if c := clauseNamed(t, s, id); c.Status != judge.ClauseVacuous && c.Status != judge.ClauseUnexercised || len(c.Fixtures) > 0 {
					t.Errorf("%s is %s by %q", id, c.Status, c.Fixtures)
				}
			}
		})
	}
}

// An exchange that broke off says nothing about the credential, whatever
// status it began with.
func TestABrokenOffAnswerIsNoRefusal(t *testing.T) {
	w := load(t)
	for name, status := range map[string]int{"with 401 for its status": 401, "before a status": 0} {
		t.Run(name, func(t *testing.T) {
			results := []judge.Judged{w.brokenOff("make/valid/plain", status), w.judge(t, "make/valid/sized", *unknown, judge.Options{})}
			s := w.conclude(results)
			if c := clauseNamed(t, s, "make/accepts"); s.Verdict != judge.Nonconformant || c.Status != judge.ClauseFailed {
				t.Errorf("%s, and %s is %s", s.Verdict, c.ID, c.Status)
			}
		})
	}
}

// Where nothing is accepted, a rejection says nothing about its reason.
func TestAServiceThatAcceptsNothingPassesNoClauseOnRequests(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name      string
		exchanges exchanges
		want      judge.ClauseStatus
	}{
		{"404 to all", exchanges{"make/valid/plain": {404, "", ""}, "make/missing/name": {404, "", ""}}, judge.ClauseVacuous},
		{"an Error to all", exchanges{"make/valid/plain": refused, "make/missing/name": refused}, judge.ClauseVacuous},
		{"an interim status is no acceptance", exchanges{"make/valid/plain": {101, "", ""}, "make/missing/name": refused}, judge.ClauseVacuous},
		{"one accepted", exchanges{"make/valid/plain": made, "make/valid/sized": refused, "make/missing/name": refused}, judge.ClausePassed},
		{"one accepted, and one without a connection", exchanges{"make/valid/plain": made, "make/valid/sized": nil, "make/missing/name": refused}, judge.ClausePassed},
		{"201 is wrong, but an acceptance", exchanges{"make/valid/plain": {201, "", ""}, "make/missing/name": refused}, judge.ClausePassed},
		{"no request that must be accepted was sent", exchanges{"make/missing/name": refused}, judge.ClauseVacuous},
		{"none that must be accepted got a connection", exchanges{"make/valid/plain": nil, "make/missing/name": refused}, judge.ClauseVacuous},
		{"another operation accepts nothing", exchanges{"make/valid/plain": made, "make/missing/name": refused, "find/valid/plain": {404, jsonType, `{"text":""}`}}, judge.ClausePassed},
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
			if c := clauseNamed(t, w.conclude(results), "make/request/body/name"); c.Status != judge.ClauseVacuous {
				t.Errorf("%s is %s", c.ID, c.Status)
			}
		})
	}
}

// What such a service shows by itself is not taken back: an invalid request
// that it does accept, and its answers to open questions.
func TestAServiceThatAcceptsNothingKeepsItsOtherEvidence(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{"make/valid/plain": refused, "make/missing/name": made, "make/open/huge": {413, "", ""}}, true)
	for id, want := range map[string]string{
		"make/accepts":           "make/valid/plain",
		"make/request/body/name": "make/missing/name",
		"make/silent/size":       "make/open/huge",
	} {
		if c := clauseNamed(t, s, id); !slices.Equal(c.Fixtures, []string{want}) {
			t.Errorf("%s was exercised by %q, want %q", id, c.Fixtures, want)
		}
	}
}

// TestTheWorstFindingSettlesAClause, in whichever order they come.
func TestTheWorstFindingSettlesAClause(t *testing.T) {
	w := load(t)
	for _, order := range [][]string{{"make/missing/mild", "make/missing/name"}, {"make/missing/name", "make/missing/mild"}} {
		var results []judge.Judged
		for _, id := range order {
			results = append(results, w.judge(t, id, *made, judge.Options{}))
		}
		if c := clauseNamed(t, w.conclude(results), "make/request/body/name"); c.Status != judge.ClauseFailed {
			t.Errorf("%q: %s is %s", order, c.ID, c.Status)
		}
	}
}

// TestAnswersAreWithinReachOfEveryFixture, though none was judged.
func TestAnswersAreWithinReachOfEveryFixture(t *testing.T) {
	w := load(t)
	s := w.summarize(t, exchanges{"make/missing/name": nil}, true)
	for id, want := range map[string]judge.ClauseStatus{"make/answers": judge.ClauseVacuous, "find/answers": judge.ClauseUnexercised} {
		if c := clauseNamed(t, s, id); c.Status != want {
			t.Errorf("%s is %s, want %s", id, c.Status, want)
		}
	}
}

// TestTheCommonestReasonIsTold of those why exchanges are unjudged; the first
// by the alphabet where several are as common.
func TestTheCommonestReasonIsTold(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		reasons []string
		want    string
	}{
		{[]string{"b", "a", "b"}, "3 of 3 fixtures could not be judged: b"},
		{[]string{"d", "c", "b", "c", "b", "d"}, "6 of 6 fixtures could not be judged: b"},
		{[]string{"b", "b"}, "b"}, // which is about the run
	} {
		var results []judge.Judged
		for _, reason := range row.reasons {
			x := replay.Exchange{Failure: &replay.Failure{Kind: replay.Unreachable, Message: reason}}
			results = append(results, judge.Exchange(t.Context(), w.contract, w.fixtures["make/valid/plain"], x, judge.Options{}))
		}
		if s := w.conclude(results); s.Reason != row.want {
			t.Errorf("%q: %s, want %s", row.reasons, s.Reason, row.want)
		}
	}
}
