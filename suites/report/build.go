package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// NewResult makes the report's view of one judged fixture, by itself. place is
// its place in the order of the run, curl the request as a command.
func NewResult(r judge.Result, place int, curl string) Result {
	out := Result{
		Fixture:    r.Fixture.ID,
		Place:      place,
		Title:      r.Fixture.Title,
		Operation:  r.Fixture.Operation.ID,
		Clause:     r.Fixture.Clause.ID,
		Expect:     string(r.Fixture.Expect),
		Level:      string(r.Fixture.Level),
		Credential: r.Credential,
		Source:     fmt.Sprintf("%s:%d", r.Fixture.File, r.Fixture.Line),
		Status:     string(r.Status),
		Reason:     valid(r.Reason),
		Findings:   newFindings(r.Findings),
		Exercised:  list(r.Exercised),
		Exchange:   newExchange(r),
		Curl:       curl,
		Control:    r.Control,
	}
	if r.Tries > 1 {
		out.Tries = r.Tries
	}
	if r.Alike < r.Tries {
		out.Alike = r.Alike
	}
	return out
}

// NewClauses makes the report's view of a contract's clauses before a run.
// source is the name of its document; "" is none.
func NewClauses(clauses []spec.Clause, source string) []Clause {
	out := make([]Clause, 0, len(clauses))
	for _, c := range clauses {
		clause := Clause{ID: c.ID, Level: string(c.Level), Section: c.Section, Text: c.Text, Status: string(judge.ClauseUnexercised), Fixtures: []string{}}
		if c.Line > 0 && source != "" {
			clause.Source = fmt.Sprintf("%s:%d", source, c.Line)
		}
		out = append(out, clause)
	}
	return out
}

// NewWaivers makes the report's view of waivers before a run.
func NewWaivers(waivers []judge.Waiver) []Waiver {
	out := make([]Waiver, 0, len(waivers))
	for _, w := range waivers {
		out = append(out, newWaiver(judge.WaiverResult{Waiver: w}))
	}
	return out
}

func newWaiver(w judge.WaiverResult) Waiver {
	until := ""
	if !w.Until.IsZero() {
		until = w.Until.Format(time.DateOnly)
	}
	return Waiver{
		Match: w.Pattern.String(), Fixtures: w.Narrowing.Fixtures.String(), Message: w.Narrowing.Message.String(), Place: w.Narrowing.Place.String(),
		Reason: w.Reason, Owner: w.Owner, Until: until, Source: w.Source, Waived: w.Waived, Stale: w.Stale,
	}
}

func newFindings(findings []judge.Finding) []Finding {
	out := make([]Finding, 0, len(findings))
	for _, f := range findings {
		out = append(out, Finding{
			f.Clause, string(f.Severity), valid(f.Message), valid(f.Pointer), valid(f.Expected), valid(f.Actual), f.Offset, f.Waived,
		})
	}
	return out
}

func newObservation(o judge.Answers) Observation {
	observation := Observation{Clause: o.Clause, Answers: []Answer{}}
	for _, a := range o.Answers {
		observation.Answers = append(observation.Answers, Answer{a.Answer, list(a.Fixtures)})
	}
	return observation
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
		out.Response = &Response{
			Status: x.Response.Status, Headers: map[string][]string{}, HeadersTruncated: x.Response.HeaderCut,
			Body: newBody(x.Response.Body, x.Response.Cut),
		}
		for name, values := range x.Response.Header {
			out.Response.Headers[valid(name)] = validAll(values)
		}
	}
	if x.Failure != nil {
		out.Failure = valid(x.Failure.Message)
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

// valid is a text as JSON can hold it: bytes that are no UTF-8 are spelled out
// as \xe9, so that what is read is what was written.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

func validAll(texts []string) []string {
	out := list(texts)
	for i := range out {
		out[i] = valid(out[i])
	}
	return out
}

// list is never null in JSON.
func list(texts []string) []string { return append([]string{}, texts...) }
