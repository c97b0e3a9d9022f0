package compare

import (
	"mime"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// sheet is a report in which things are found by their ids.
type sheet struct {
	report.Report
	clauses  map[string]report.Clause
	results  map[string]report.Result
	findings map[place]map[string]report.Finding // the first of each fixture
}

// place is where findings belong.
type place struct {
	clause   string
	severity judge.Severity
}

func newSheet(r report.Report) sheet {
	s := sheet{r, map[string]report.Clause{}, map[string]report.Result{}, map[place]map[string]report.Finding{}}
	for _, c := range r.Clauses {
		s.clauses[c.ID] = c
	}
	for _, result := range r.Results {
		s.results[result.Fixture] = result
		for _, f := range result.Findings {
			at := place{f.Clause, judge.Severity(f.Severity)}
			if s.findings[at] == nil {
				s.findings[at] = map[string]report.Finding{}
			}
			if _, known := s.findings[at][result.Fixture]; !known {
				s.findings[at][result.Fixture] = f
			}
		}
	}
	return s
}

// status is that of a clause.
func (s sheet) status(clause string) string {
	c, known := s.clauses[clause]
	if !known {
		return Absent
	}
	return c.Status
}

// judged says whether a fixture has a result that says something.
func (s sheet) judged(fixture string) bool {
	result, known := s.results[fixture]
	return known && result.Status != string(judge.Unjudged)
}

// answer is what a fixture got: the status, and the media type if there is one.
// Media types are the same whatever their parameters and their case (RFC 9110
// §8.3.1).
func (s sheet) answer(fixture string) string {
	x := s.results[fixture].Exchange
	if x.Response == nil {
		return "no answer"
	}
	answer := strconv.Itoa(x.Response.Status)
	if x.Failure != "" {
		return answer + ", cut off"
	}
	if values := x.Response.Headers["Content-Type"]; len(values) > 0 {
		answer += " " + mediaType(values[0])
	}
	return strings.TrimSpace(answer)
}

func mediaType(value string) string {
	if name, _, err := mime.ParseMediaType(value); err == nil {
		return name
	}
	return value
}
