package words_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// TestGathered: a question of many operations is shown once, a question of a few for each of them.
func TestGathered(t *testing.T) {
	asked := func(clause string, answers ...verdict.Answer) verdict.Answers {
		return verdict.Answers{Clause: spec.ClauseID(clause), Answers: answers}
	}
	refused := func(fixtures ...string) verdict.Answer { return verdict.Answer{Answer: "401", Fixtures: fixtures} }
	var got []string
	for _, o := range words.Gathered([]verdict.Answers{
		asked("a/silent/credential-missing", refused("a/1", "a/2")),
		asked("a/silent/other-statuses", refused("a/3")),
		asked("b/silent/credential-missing", refused("b/1"), verdict.Answer{Answer: "200", Fixtures: []string{"b/2"}}),
		asked("c/silent/credential-missing", refused("c/1")),
		asked("b/silent/other-statuses", refused("b/3")),
		asked("d/silent/credential-missing", refused("d/1")),
	}) {
		for _, answer := range words.Answers(o, true) {
			got = append(got, string(o.Clause)+": "+answer)
		}
	}
	want := []string{
		"*/silent/credential-missing of 4 operations: 200 (1)",
		"*/silent/credential-missing of 4 operations: 401 (5)",
		"a/silent/other-statuses: 401 (1)",
		"b/silent/other-statuses: 401 (1)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestUnjudged: a reason is shown once, not for each control that could not be judged because of it.
func TestUnjudged(t *testing.T) {
	unjudged := func(fixture, control, reason string) result.Result {
		return result.Result{Outcome: judge.Outcome{Fixture: fixture, Control: control, Status: judge.Unjudged, Reason: reason}}
	}
	list := words.Unjudged(result.Report{Results: []result.Result{
		unjudged("op/valid/a", "", "too many requests"),
		unjudged("op/missing/a", "op/valid/a", "the valid request (control) was not accepted: op/valid/a: too many requests"),
		unjudged("op/missing/b", "op/valid/b", "the valid request (control) was not accepted: op/valid/b: too many requests"),
		unjudged("op/missing/c", "op/valid/c", "the valid request (control) was not accepted: op/valid/c got 404"),
		unjudged("op/missing/d", "op/valid/d", "the valid request (control) was not accepted: op/valid/d got 404"),
	}})
	if len(list) != 2 || list[0].Text != "too many requests" || len(list[0].Fixtures) != 3 || len(list[1].Fixtures) != 2 {
		t.Errorf("got %+v", list)
	}
}

// TestUnreached: reasons that differ only in the step or in the statuses are one line. The reasons of
// most operations come first. With all set, each reason is listed with all its operations.
func TestUnreached(t *testing.T) {
	r := result.Report{Clauses: []verdict.Clause{{ID: "d/accepts", Status: verdict.ClauseVacuous}, {ID: "a/accepts", Status: verdict.ClauseFailed}, {ID: "f/accepts", Status: verdict.ClauseVacuous}}}
	for fixture, status := range map[string]int{"a/valid/x": 400, "d/valid/x": 400, "f/valid/x": 401} {
		one := result.Result{Outcome: judge.Outcome{Fixture: fixture}}
		one.Exchange.Response = &result.Response{Status: status}
		r.Results = append(r.Results, one)
	}
	const example = "; to have this judged, give the document an example of a whole request, or write a fixture that must be accepted"
	missing := func(reason string, operations ...string) {
		r.Reached.Missing = append(r.Reached.Missing, verdict.Unreached{Reason: reason, Operations: operations})
	}
	missing("no request was accepted (400, 401)", "a")
	missing("the step addB (POST /b/{c}) got 400", "b1", "b2", "b3")
	missing("no request was accepted (400, 500)", "d")
	missing("the response to the step listE (GET /e) has no $response.body#/0/id", "e1", "e2")
	missing("the credential was refused", "f")
	for _, row := range []struct {
		all  bool
		want []string
	}{
		{false, []string{
			"not reached: 5 operations, because a step before them did not succeed (addB got 400, listE has no $response.body#/0/id): b1, b2, b3 and 2 more",
			"not reached: 2 operations, because no request was accepted (400, 401, 500): a, d" + example,
			"not reached: 1 operation, because the credential was refused: f",
		}},
		{true, []string{
			"not reached: 1 operation, because no request was accepted (400, 401): a",
			"not reached: 3 operations, because the step addB (POST /b/{c}) got 400: b1, b2, b3",
			"not reached: 1 operation, because no request was accepted (400, 500): d" + example,
			"not reached: 2 operations, because the response to the step listE (GET /e) has no $response.body#/0/id: e1, e2",
			"not reached: 1 operation, because the credential was refused: f",
		}},
	} {
		for _, r.Clauses[0].Status = range []verdict.ClauseStatus{verdict.ClauseVacuous, verdict.ClauseWarned} {
			if got := words.Unreached(r, row.all); !slices.Equal(got[1:], row.want) {
				t.Errorf("got %q\nwant %q", got[1:], row.want)
			}
		}
	}
	for i := range 8 {
		missing(fmt.Sprintf("the document lacks %d", i), fmt.Sprintf("g%d", i))
	}
	if got := words.Unreached(r, false); len(got) != 7 || got[6] != "not reached: 6 operations, because of 6 other reasons: g2, g3, g4 and 3 more" {
		t.Errorf("got %q", got)
	}
}
