package compare

import (
	"cmp"
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

// judged reports whether a fixture has a result that says something.
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
		answer += " " + judge.MediaType(values[0])
	}
	return strings.TrimSpace(answer)
}

// commonFixtures are those that two reports at least have judged, in the order
// of the first report, and those that not every report has judged with the
// reason. Of a report that has judged nothing that need not be said of each.
func commonFixtures(sheets []sheet) (common []string, gaps []Gap) {
	gaps = []Gap{}
	known := map[string]int{} // reason: its place in gaps
	left := blank(sheets)
	for _, fixture := range union(sheets, fixturesOf) {
		if judges(sheets, fixture) > 1 {
			common = append(common, fixture)
		}
		reason := whyNot(sheets, left, fixture)
		if reason == "" {
			continue
		}
		i, ok := known[reason]
		if !ok {
			i = len(gaps)
			known[reason] = i
			gaps = append(gaps, Gap{Reason: reason})
		}
		gaps[i].Fixtures = append(gaps[i].Fixtures, fixture)
	}
	return common, gaps
}

// blank says which reports have judged nothing, as of a target that was down. A
// comparison does without them, as long as two are left.
func blank(sheets []sheet) []bool {
	list := make([]bool, len(sheets))
	left := len(sheets)
	for i, s := range sheets {
		if s.Counts.Unjudged == s.Counts.Fixtures {
			list[i] = true
			left--
		}
	}
	if left < 2 {
		return make([]bool, len(sheets))
	}
	return list
}

// judges is how many reports have judged a fixture.
func judges(sheets []sheet, fixture string) int {
	n := 0
	for _, s := range sheets {
		if s.judged(fixture) {
			n++
		}
	}
	return n
}

// whyNot says why not all can be compared by a fixture, or "".
func whyNot(sheets []sheet, blank []bool, fixture string) string {
	var absent, skipped, unjudged []int
	for i, s := range sheets {
		switch one, known := s.results[fixture]; {
		case blank[i]:
		case !known:
			absent = append(absent, i)
		case one.Excused:
			skipped = append(skipped, i)
		case !s.judged(fixture):
			unjudged = append(unjudged, i)
		}
	}
	var reasons []string
	if len(absent) > 0 {
		reasons = append(reasons, "not in "+keys(absent))
	}
	if len(skipped) > 0 {
		reasons = append(reasons, "skipped in "+keys(skipped))
	}
	if len(unjudged) > 0 {
		reasons = append(reasons, "unjudged in "+keys(unjudged))
	}
	return strings.Join(reasons, "; ")
}

// union are the ids of all sheets: those of the first in its order, then what
// the others have in addition.
func union(sheets []sheet, ids func(sheet) []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, s := range sheets {
		for _, id := range ids(s) {
			if !seen[id] {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list
}

// clauseIDs are those of all sheets, in the contract's order.
func clauseIDs(sheets []sheet) []string {
	return union(sheets, func(s sheet) []string {
		var ids []string
		for _, c := range s.Clauses {
			ids = append(ids, c.ID)
		}
		return ids
	})
}
