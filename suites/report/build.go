package report

import (
	"fmt"
	"time"

	"github.com/plantstore/conformance/suites/judge"
)

// Head is what a report says beside its results.
type Head struct {
	Harness        Harness
	Contract       Contract
	Implementation Implementation
	Target         Target
	Run            Run
}

// New makes a report of a summary. curl gives each result's request as a
// command.
func New(head Head, s judge.Summary, curl func(judge.Result) string) Report {
	r := Report{
		Schema: SchemaID, Harness: head.Harness, Contract: head.Contract, Implementation: head.Implementation,
		Target: head.Target, Run: head.Run, Verdict: string(s.Verdict), Reason: s.Reason,
		Clauses: []Clause{}, Results: []Result{}, Observations: []Observation{},
	}
	for _, c := range s.Clauses {
		clause := Clause{ID: c.ID, Level: string(c.Level), Section: c.Section, Text: c.Text, Status: string(c.Status), Fixtures: list(c.Fixtures)}
		if c.Line > 0 && head.Contract.Source != "" {
			clause.Source = fmt.Sprintf("%s:%d", head.Contract.Source, c.Line)
		}
		r.Clauses = append(r.Clauses, clause)
	}
	for _, result := range s.Results {
		r.Results = append(r.Results, NewResult(result, curl(result)))
	}
	for _, o := range s.Observations {
		observation := Observation{Clause: o.Clause, Answers: []Answer{}}
		for _, a := range o.Answers {
			observation.Answers = append(observation.Answers, Answer{a.Answer, list(a.Fixtures)})
		}
		r.Observations = append(r.Observations, observation)
	}
	r.Counts = count(r.Results)
	return r
}

// NewResult makes the report's view of one judged fixture. curl is the request
// as a command.
func NewResult(r judge.Result, curl string) Result {
	out := Result{
		Fixture:   r.Fixture.ID,
		Title:     r.Fixture.Title,
		Operation: r.Fixture.Operation.ID,
		Clause:    r.Fixture.Clause.ID,
		Expect:    string(r.Fixture.Expect),
		Level:     string(r.Fixture.Level),
		Source:    fmt.Sprintf("%s:%d", r.Fixture.File, r.Fixture.Line),
		Status:    string(r.Status),
		Reason:    r.Reason,
		Findings:  []Finding{},
		Exchange:  newExchange(r),
		Curl:      curl,
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, Finding{f.Clause, string(f.Severity), f.Message, f.Pointer, f.Expected, f.Actual, f.Offset})
	}
	return out
}

func newExchange(r judge.Result) Exchange {
	x := r.Exchange
	out := Exchange{
		Request:    Request{Method: x.Request.Method, URL: x.Request.URL, Headers: map[string][]string{}, Body: newBody(x.Request.Body, false)},
		DurationMs: Milliseconds(x.Duration),
	}
	for _, h := range x.Request.Header {
		out.Request.Headers[h.Name] = append(out.Request.Headers[h.Name], h.Value)
	}
	if x.Response != nil {
		out.Response = &Response{Status: x.Response.Status, Headers: map[string][]string{}, Body: newBody(x.Response.Body, x.Response.Cut)}
		for name, values := range x.Response.Header {
			out.Response.Headers[name] = list(values)
		}
	}
	if x.Failure != nil {
		out.Failure = x.Failure.Message
	}
	return out
}

func count(results []Result) Counts {
	c := Counts{Fixtures: len(results)}
	for _, r := range results {
		switch judge.Status(r.Status) {
		case judge.Passed:
			c.Passed++
		case judge.Failed:
			c.Failed++
		case judge.Warned:
			c.Warned++
		case judge.Unjudged:
			c.Unjudged++
		}
		for _, f := range r.Findings {
			switch judge.Severity(f.Severity) {
			case judge.Violation:
				c.Violations++
			case judge.Warning:
				c.Warnings++
			case judge.Observation:
				c.Observations++
			}
		}
	}
	return c
}

// Milliseconds is a duration as reports write it: in milliseconds, to the
// microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// list is never null in JSON.
func list(texts []string) []string { return append([]string{}, texts...) }
