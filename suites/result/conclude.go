package result

import (
	"cmp"
	"slices"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// Recording is all that a report is computed from: what is known before a run, and its results.
type Recording struct {
	Head
	Clauses  []verdict.Clause `json:"clauses"`
	Waivers  []verdict.Waiver `json:"waivers"`
	Results  []Result         `json:"results"`
	Controls []Result         `json:"controls,omitempty"`

	created []Step // from events: the clean-up requests for what a run created
	removed []Step // from events: what removed some of this, if it is not among the results
}

// Recording returns what the report is computed from. [Conclude] returns the same report for it.
func (r Report) Recording() Recording {
	return Recording{Head: r.Head, Clauses: r.Clauses, Waivers: r.Waivers, Results: r.Results, Controls: r.Controls}
}

// Conclude compares the results with each other and returns the report with the verdict. If results
// are missing, the run is not complete, even if the recording says so.
func Conclude(recording Recording) Report {
	r := Report{Schema: SchemaID, Head: recording.Head, Results: lists.Map(recording.Results, Result.byItself), Controls: recording.Controls}
	slices.SortStableFunc(r.Results, func(a, b Result) int { return cmp.Compare(a.Place, b.Place) })
	r.Run.Complete = r.Run.Complete && len(r.Results) >= r.Run.Fixtures
	basis := verdict.Basis{
		Clauses: recording.Clauses, Waivers: recording.Waivers, Started: r.Run.Started,
		Fixtures: r.Run.Fixtures, Complete: r.Run.Complete, Partial: r.Run.Partial || r.Run.Shard != nil, Strict: r.Run.Strict,
		Controls: lists.Map(r.Controls, Result.outcome), Gaps: r.Run.Gaps, MinCoverage: r.Run.MinCoverage,
	}
	if r.Run.Shard != nil {
		basis.MinCoverage = 0 // a shard tests only some clauses; the minimum applies to the merged report
	}
	if r.Implementation.Bundled {
		basis.Subject = "the bundled reference" // so that users do not take this for the verdict on their own service
	}
	s := verdict.Summarize(basis, lists.Map(r.Results, Result.outcome))
	r.Verdict, r.Headline, r.Qualified, r.Reason = s.Verdict, s.Headline, s.Qualified, s.Reason
	for i, o := range s.Outcomes {
		r.Results[i] = r.Results[i].settled(o)
	}
	r.Clauses, r.Waivers, r.Observations, r.Reached = s.Clauses, s.Waivers, s.Observations, s.Reached
	r.Counts = count(r.Results)
	return r
}

// byItself returns the result as it was before the comparison with others.
func (r Result) byItself() Result {
	if r.Alone != nil {
		r.Excused = false
		r.Status, r.Reason, r.Findings, r.Exercised, r.Alone = r.Alone.Status, "", r.Alone.Findings, r.Alone.Exercised, nil
	}
	r.Findings = slices.Clone(r.Findings)
	for i := range r.Findings {
		r.Findings[i].Waived = ""
	}
	if r.Status == judge.Waived {
		r.Status = judge.Failed
	}
	return r
}

// settled returns the result with its outcome after the comparison with others.
func (r Result) settled(o judge.Outcome) Result {
	alone := judge.Alone{Status: r.Status, Findings: r.Findings, Exercised: r.Exercised}
	o.Answer, o.ServerError = 0, "" // the exchange has them
	r.Outcome = o
	tookBack := r.Status == judge.Unjudged && alone.Status != r.Status
	weighsAlike := func(a, b judge.Finding) bool { return a.Severity == b.Severity }
	if tookBack || !slices.EqualFunc(r.Findings, alone.Findings, weighsAlike) || !slices.Equal(r.Exercised, alone.Exercised) {
		r.Alone = &alone
	}
	return r
}

// Against returns the result compared with its control, which is nil if it was not sent. The result
// is the same as from [Conclude] if the credential is accepted.
func (r Result) Against(control *Result) Result {
	var o *judge.Outcome
	if control != nil {
		o = new(control.outcome())
	}
	return r.settled(verdict.Settle(r.outcome(), o))
}

// outcome returns what the verdict needs of the result.
func (r Result) outcome() judge.Outcome {
	o := r.Outcome
	o.Answer, o.ServerError = r.answer()
	return o
}

// answer returns what identifies the complete response: its status, and the description of a server
// error. Both are zero if there is none.
func (r Result) answer() (status int, serverError string) {
	x := r.Exchange
	if x.Response == nil || x.Failure != "" {
		return 0, ""
	}
	return x.Response.Status, judge.ServerError(x.Response.Status, x.Response.Headers.Get("Content-Type"), x.Response.Raw())
}

// Cause identifies the cause of a finding of the result.
func (r Result) Cause(f judge.Finding) verdict.Cause {
	return verdict.CauseOf(r.outcome(), f)
}

// Fault identifies the fault that a finding of the result shows. follows reports whether
// the finding follows from another one of the result.
func (r Result) Fault(f judge.Finding) (fault verdict.Cause, follows bool) {
	o := r.outcome()
	return verdict.FaultOf(o, f), verdict.Origin(o, f).Clause != f.Clause
}
