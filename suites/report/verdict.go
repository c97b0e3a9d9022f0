package report

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// coverage says what the verdict rests on: must-clauses by status, those that
// were not put to the test by name, and the fixtures.
func (p *page) coverage() {
	clauses, ids := countClauses(p.Report)
	p.Line()
	p.Line(terminal.Plain.Of(clauses))
	p.untested("vacuous: the condition never occurred", ids[judge.ClauseVacuous])
	p.untested("unexercised: no fixture of this run tests them", ids[judge.ClauseUnexercised])
	p.Line(terminal.Says("%s, in %.2f s", p.Counts.String(), p.Run.DurationMs/1000))
	p.excused()
	p.controls()
}

// countClauses tells of the must-clauses how many there are of each status,
// and which.
func countClauses(r result.Report) (string, map[judge.ClauseStatus][]string) {
	ids := map[judge.ClauseStatus][]string{}
	total := 0
	for _, c := range r.Clauses {
		if c.Level == spec.Must {
			total++
			status := c.Status
			ids[status] = append(ids[status], c.ID)
		}
	}
	words := []string{fmt.Sprintf("%d passed", len(ids[judge.ClausePassed]))}
	for _, status := range []judge.ClauseStatus{judge.ClauseFailed, judge.ClauseWaived, judge.ClauseWarned, judge.ClauseVacuous, judge.ClauseUnexercised} {
		if n := len(ids[status]); n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	return fmt.Sprintf("%s: %s", judge.Number(total, "must-clause"), strings.Join(words, ", ")), ids
}

func (p *page) untested(why string, clauses []string) {
	if len(clauses) > 0 {
		p.Line(terminal.Yellow.Of("? "), terminal.Plain.Of(why))
		p.ids(clauses)
	}
}

func (p *page) verdict() {
	colors := map[judge.Verdict]terminal.Color{judge.Conformant: terminal.Green, judge.Nonconformant: terminal.Red, judge.Inconclusive: terminal.Yellow}
	p.Line(colors[shade(p.Report)].Of(p.Headline), terminal.Plain.Of(": "+p.Reason))
}

// shade is the verdict whose color the headline has. A conformant one that is
// qualified is amber, as an inconclusive one is.
func shade(r result.Report) judge.Verdict {
	if r.Qualified {
		return judge.Inconclusive
	}
	return r.Verdict
}

func (p *page) hint() {
	if text := hint(p.Report); text != "" {
		p.Wrapped("hint: "+text, 0)
	}
}

// hint is the likely reason for a run that is not conformant and whose answers
// all have one and the same status.
func hint(r result.Report) string {
	if r.Verdict == judge.Conformant || len(r.Results) == 0 {
		return ""
	}
	var first *result.Response
	for _, result := range r.Results {
		response := result.Exchange.Response
		if response == nil || first != nil && first.Status != response.Status {
			return ""
		}
		first = response
	}
	request := r.Results[0].Exchange.Request
	address, _, _ := strings.Cut(request.URL, "?")
	switch status := first.Status; {
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("every answer was %d; is %s %s right? check the base URL", status, request.Method, address)
	case status >= 300 && status < 400:
		return fmt.Sprintf("every answer was %d; redirects are not followed: give the base URL they lead to", status)
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return fmt.Sprintf("every answer was %d, which a gateway sends if the service behind it is down", status)
	}
	return ""
}
