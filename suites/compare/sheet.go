package compare

import (
	"cmp"
	"mime"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// sheet is a report in which things are found by their ids.
type sheet struct {
	result.Report
	clauses  map[string]judge.Clause
	results  map[string]result.Result
	findings map[place]map[string]judge.Finding // violations and warnings, the first of each fixture
	observed map[observation][]judge.Finding
}

// observation is where an answer to an open question belongs.
type observation struct{ clause, fixture string }

// place is where findings belong.
type place struct {
	clause   string
	severity judge.Severity
	within   string // the property in the body; see judge.Cause
}

func newSheet(r result.Report) sheet {
	s := sheet{r, map[string]judge.Clause{}, map[string]result.Result{}, map[place]map[string]judge.Finding{}, map[observation][]judge.Finding{}}
	for _, c := range r.Clauses {
		s.clauses[c.ID] = c
	}
	for _, result := range r.Results {
		s.results[result.Fixture] = result
		for _, f := range result.Findings {
			if f.Severity == judge.Observation {
				at := observation{f.Clause, result.Fixture}
				s.observed[at] = append(s.observed[at], f)
				continue
			}
			cause := judge.CauseOf(judge.Outcome{}, f)
			at := place{f.Clause, f.Severity, cause.Place}
			if s.findings[at] == nil {
				s.findings[at] = map[string]judge.Finding{}
			}
			if _, known := s.findings[at][result.Fixture]; !known {
				s.findings[at][result.Fixture] = f
			}
		}
	}
	return s
}

// places are those of a clause that findings of a severity are at, sorted.
func places(sheets []sheet, clause string, severity judge.Severity) []place {
	var list []place
	for _, s := range sheets {
		for at := range s.findings {
			if at.clause == clause && at.severity == severity {
				list = append(list, at)
			}
		}
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.within, b.within) })
	return slices.Compact(list)
}

// statusAt is that of a place: what the clause is at the others does not count.
func (s sheet) statusAt(at place) judge.ClauseStatus {
	status := s.status(at.clause)
	if !tested(status) {
		return status
	}
	worst := judge.ClausePassed
	for _, f := range s.findings[at] {
		switch {
		case at.severity == judge.Warning:
			worst = judge.ClauseWarned
		case f.Waived == "":
			return judge.ClauseFailed
		default:
			worst = judge.ClauseWaived
		}
	}
	return worst
}

// status is that of a clause.
func (s sheet) status(clause string) judge.ClauseStatus {
	c, known := s.clauses[clause]
	if !known {
		return Absent
	}
	return c.Status
}

// judged says whether a fixture has a result that says something.
func (s sheet) judged(fixture string) bool {
	one, known := s.results[fixture]
	return known && one.Status != judge.Unjudged
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
