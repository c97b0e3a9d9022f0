package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// Recording is all that a report follows from: what is known before a run, and
// the results that there are.
type Recording struct {
	Head
	Clauses  []Clause `json:"clauses"`
	Waivers  []Waiver `json:"waivers"`
	Results  []Result `json:"results"`
	Controls []Result `json:"controls,omitempty"`
}

// Recording is what the report follows from: [Conclude] makes the same report
// of it again.
func (r Report) Recording() Recording {
	return Recording{Head: r.Head, Clauses: r.Clauses, Waivers: r.Waivers, Results: r.Results, Controls: r.Controls}
}

// Conclude holds the results against each other and gives the verdict. A run
// of which results are missing is not complete, whatever it says.
func Conclude(recording Recording) Report {
	r := Report{Schema: SchemaID, Head: recording.Head, Clauses: []Clause{}, Waivers: []Waiver{}, Results: slices.Clone(recording.Results), Controls: recording.Controls, Observations: []Observation{}}
	if r.Results == nil {
		r.Results = []Result{}
	}
	slices.SortStableFunc(r.Results, func(a, b Result) int { return cmp.Compare(a.Place, b.Place) })
	r.Run.Complete = r.Run.Complete && len(r.Results) >= r.Run.Fixtures
	outcomes := make([]judge.Outcome, len(r.Results))
	for i, result := range r.Results {
		r.Results[i] = result.byItself()
		outcomes[i] = r.Results[i].outcome()
	}
	controls := make([]judge.Outcome, len(r.Controls))
	for i, control := range r.Controls {
		controls[i] = control.outcome()
	}
	s := judge.Summarize(judge.Basis{
		Clauses: clausesOf(recording.Clauses), Waivers: waiversOf(recording.Waivers), Started: r.Run.Started,
		Fixtures: r.Run.Fixtures, Complete: r.Run.Complete, Partial: r.Run.Partial || r.Run.Shard != nil,
		Controls:    controls,
		MinCoverage: r.Run.minCoverage(), Subject: r.Implementation.subject(),
	}, outcomes)
	r.Verdict, r.Headline, r.Qualified, r.Reason = string(s.Verdict), s.Headline, s.Qualified, s.Reason
	for i, o := range s.Outcomes {
		r.Results[i] = r.Results[i].settled(o)
	}
	for i, c := range s.Clauses {
		clause := recording.Clauses[i]
		clause.Status, clause.Fixtures = string(c.Status), list(c.Fixtures)
		r.Clauses = append(r.Clauses, clause)
	}
	for _, w := range s.Waivers {
		r.Waivers = append(r.Waivers, newWaiver(w))
	}
	for _, o := range s.Observations {
		r.Observations = append(r.Observations, newObservation(o))
	}
	r.Counts = count(r.Results)
	return r
}

// minCoverage is what the verdict asks for. One shard tests a part of the
// clauses: only the report of all of them can reach it.
func (r Run) minCoverage() float64 {
	if r.Shard != nil {
		return 0
	}
	return r.MinCoverage
}

// subject is what the headline must name, so that nobody takes the verdict for
// that on a service of theirs.
func (i Implementation) subject() string {
	if i.Bundled {
		return "the bundled reference"
	}
	return ""
}

// byItself is the result before others had a say in it.
func (r Result) byItself() Result {
	if r.Alone != nil {
		r.Excused = false
		r.Status, r.Reason, r.Findings, r.Exercised, r.Alone = r.Alone.Status, "", r.Alone.Findings, r.Alone.Exercised, nil
	}
	r.Findings = slices.Clone(r.Findings)
	for i := range r.Findings {
		r.Findings[i].Waived = ""
	}
	if r.Status == string(judge.Waived) {
		r.Status = string(judge.Failed)
	}
	return r
}

// settled is the result as the others leave it.
func (r Result) settled(o judge.Outcome) Result {
	alone := Alone{r.Status, r.Findings, r.Exercised}
	r.Status, r.Reason, r.Findings, r.Exercised = string(o.Status), o.Reason, newFindings(o.Findings), list(o.Exercised)
	r.Excused = o.Excused
	tookBack := r.Status == string(judge.Unjudged) && alone.Status != r.Status
	if tookBack || len(r.Findings) != len(alone.Findings) || !slices.Equal(r.Exercised, alone.Exercised) {
		r.Alone = &alone
	}
	return r
}

// Against is the result held against its control, which is nil where that was
// not sent: what [Conclude] makes of it where the credential is accepted.
func (r Result) Against(control *Result) Result {
	var o *judge.Outcome
	if control != nil {
		answered := control.outcome()
		o = &answered
	}
	return r.settled(judge.Settle(r.outcome(), o))
}

// outcome is what the verdict needs of the result.
func (r Result) outcome() judge.Outcome {
	o := judge.Outcome{
		ID: r.Fixture, Operation: r.Operation, Clause: r.Clause, Expect: fixtures.Expectation(r.Expect), Credential: r.Credential,
		Exercised: r.Exercised, Status: judge.Status(r.Status), Reason: r.Reason, Control: r.Control,
	}
	o.Answer, o.ServerError = r.answer()
	for _, f := range r.Findings {
		o.Findings = append(o.Findings, judge.Finding{
			Clause: f.Clause, Severity: judge.Severity(f.Severity), Message: f.Message, Pointer: f.Pointer,
			Expected: f.Expected, Actual: f.Actual, Offset: f.Offset,
		})
	}
	return o
}

func clausesOf(clauses []Clause) []spec.Clause {
	out := make([]spec.Clause, 0, len(clauses))
	for _, c := range clauses {
		operation, _, _ := strings.Cut(c.ID, "/")
		out = append(out, spec.Clause{ID: c.ID, Operation: operation, Level: spec.Level(c.Level), Section: c.Section, Text: c.Text})
	}
	return out
}

func waiversOf(waivers []Waiver) []judge.Waiver {
	out := make([]judge.Waiver, 0, len(waivers))
	for _, w := range waivers {
		until, err := time.Parse(time.DateOnly, w.Until)
		if err != nil {
			until = time.Time{} // there is no end
		}
		out = append(out, judge.Waiver{
			Pattern: fixtures.NewPattern(w.Match), Narrowing: judge.Narrowing{Fixtures: narrowing(w.Fixtures), Message: narrowing(w.Message), Place: narrowing(w.Place)},
			Reason: w.Reason, Owner: w.Owner, Until: until, Source: w.Source,
		})
	}
	return out
}

// narrowing is the pattern of a waiver's key that may be left out.
func narrowing(text string) fixtures.Pattern {
	if text == "" {
		return fixtures.Pattern{}
	}
	return fixtures.NewPattern(text)
}
