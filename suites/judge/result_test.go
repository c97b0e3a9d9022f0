package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/judgetest"
	"github.com/plantstore/conformance/suites/judge"
)

// tried returns the results of several tries of one fixture; nil is an exchange without a connection.
func (w world) tried(t *testing.T, id string, answers ...*answer) []judge.Judged {
	t.Helper()
	var results []judge.Judged
	for _, a := range answers {
		results = append(results, w.Judge(t, id, (*judgetest.Answer)(a), judge.Options{}))
	}
	return results
}

var (
	made    = &answer{200, jsonType, `{"name":"a"}`}
	refused = &answer{400, jsonType, `{"text":"no"}`}
)

// The worst of several tries counts, and findings say in how many tries they were made.
func TestTries(t *testing.T) {
	w := load(t)
	const id = "make/missing/name"
	noText := &answer{400, jsonType, `{}`}
	extra := &answer{400, jsonType, `{"text":"no","x":1}`}
	for _, row := range []struct {
		name    string
		answers []*answer
		want    judge.Status
		alike   int      // 0 if all are
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

// Both answers to an open question are reported, and every clause that one of the tries exercised.
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

// If only the clause answers is judged, an open question is still answered.
func TestOnlyAnswersAnswersItsQuestion(t *testing.T) {
	w := load(t)
	r := w.judge(t, "make/open/gateway", answer{400, "text/html", "<p>no"}, judge.Options{})
	if len(r.Findings) != 1 || r.Findings[0].Clause != "make/silent/size" || r.Findings[0].Severity != judge.Observation {
		t.Errorf("%+v", r.Findings)
	}
}
