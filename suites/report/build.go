package report

import (
	"slices"
	"time"

	"github.com/plantstore/conformance/suites/judge"
)

// NewResult makes the report's view of one judged fixture, by itself. place is
// its place in the order of the run, curl the request as a command.
func NewResult(r judge.Judged, place int, curl string) Result {
	r.Place = place
	r.Answer, r.ServerError = 0, "" // the exchange has them
	return Result{Outcome: r.Outcome, Exchange: newExchange(r), Curl: curl}
}

func newExchange(r judge.Judged) Exchange {
	x := r.Exchange
	out := Exchange{
		Request:    Request{Method: x.Request.Method, URL: x.Request.URL, Headers: map[string][]string{}, Body: newBody(x.Request.Body, false)},
		DurationMs: Milliseconds(x.Duration),
	}
	for _, h := range x.Request.Header {
		out.Request.Headers[h.Name] = append(out.Request.Headers[h.Name], h.Value)
	}
	if x.Response != nil {
		out.Response = &Response{
			Status: x.Response.Status, Headers: map[string][]string{}, HeadersTruncated: x.Response.HeaderCut,
			Body: newBody(x.Response.Body, x.Response.Cut),
		}
		for name, values := range x.Response.Header {
			out.Response.Headers[judge.ValidText(name)] = validAll(values)
		}
	}
	if x.Failure != nil {
		out.Failure = judge.ValidText(x.Failure.Message)
	}
	return out
}

func count(results []Result) Counts {
	c := Counts{Fixtures: len(results)}
	for _, r := range results {
		switch r.Status {
		case judge.Passed:
			c.Passed++
		case judge.Failed:
			c.Failed++
		case judge.Waived:
			c.Waived++
		case judge.Warned:
			c.Warned++
		case judge.Unjudged:
			c.Unjudged++
		}
		if r.Excused {
			c.Excused++
		}
		for _, f := range r.Findings {
			switch f.Severity {
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

func validAll(texts []string) []string {
	out := slices.Clone(texts)
	for i := range out {
		out[i] = judge.ValidText(out[i])
	}
	return out
}
