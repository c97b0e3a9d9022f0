package compare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// indexedReport is a report with maps of its clauses, results and findings by id.
type indexedReport struct {
	result.Report
	clauses  map[spec.ClauseID]verdict.Clause
	results  map[string]result.Result
	findings map[location]map[string]judge.Finding // violations and warnings, the first one of each fixture
	observed map[observation][]judge.Finding
	blank    bool // see markBlank
}

// observation identifies the answers of a fixture to an open question.
type observation struct {
	clause  spec.ClauseID
	fixture string
}

// location identifies where findings belong.
type location struct {
	clause   spec.ClauseID
	severity judge.Severity
	within   string // the property in the body; see verdict.Cause
}

func indexReport(r result.Report) indexedReport {
	indexed := indexedReport{
		Report: r, findings: map[location]map[string]judge.Finding{}, observed: map[observation][]judge.Finding{},
		clauses: lists.By(r.Clauses, func(c verdict.Clause) spec.ClauseID { return c.ID }),
		results: lists.By(r.Results, func(one result.Result) string { return one.Fixture }),
	}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity == judge.Observation {
				at := observation{f.Clause, result.Fixture}
				indexed.observed[at] = append(indexed.observed[at], f)
				continue
			}
			at := location{f.Clause, f.Severity, verdict.CauseOf(judge.Outcome{}, f).Place}
			if indexed.findings[at] == nil {
				indexed.findings[at] = map[string]judge.Finding{}
			}
			if _, known := indexed.findings[at][result.Fixture]; !known {
				indexed.findings[at][result.Fixture] = f
			}
		}
	}
	return indexed
}

// locationsOf returns the locations of a clause with findings of a severity, sorted.
func locationsOf(reports []indexedReport, clause spec.ClauseID, severity judge.Severity) []location {
	var list []location
	for _, r := range reports {
		for at := range r.findings {
			if at.clause == clause && at.severity == severity {
				list = append(list, at)
			}
		}
	}
	slices.SortFunc(list, func(a, b location) int { return cmp.Compare(a.within, b.within) })
	return slices.Compact(list)
}

// statusAt returns the status of a clause at one location. Findings at other locations do not
// count.
func (r indexedReport) statusAt(at location) verdict.ClauseStatus {
	status := r.status(at.clause)
	if !tested(status) {
		return status
	}
	worst := verdict.ClausePassed
	for _, f := range r.findings[at] {
		switch {
		case at.severity == judge.Warning:
			worst = verdict.ClauseWarned
		case f.Waived == "":
			return verdict.ClauseFailed
		default:
			worst = verdict.ClauseWaived
		}
	}
	return worst
}

func (r indexedReport) status(clause spec.ClauseID) verdict.ClauseStatus {
	c, known := r.clauses[clause]
	if !known {
		return Absent
	}
	return c.Status
}

// judged reports whether the report contains a judged result of the fixture.
func (r indexedReport) judged(fixture string) bool {
	one, known := r.results[fixture]
	return known && one.Status != judge.Unjudged
}

// answer returns what a fixture received: the status, and the media type if there is one. It is "" if the
// fixture was not judged.
// Parameters and case of media types do not matter (RFC 9110 §8.3.1).
func (r indexedReport) answer(fixture string) string {
	x := r.results[fixture].Exchange
	switch {
	case !r.judged(fixture):
		return ""
	case x.Response == nil:
		return "no answer"
	}
	answer := strconv.Itoa(x.Response.Status)
	if x.Failure != "" {
		return answer + ", cut off"
	}
	return strings.TrimSpace(answer + " " + judge.MediaType(x.Response.Headers.Get("Content-Type")))
}

// commonFixtures returns the fixtures that at least two reports judged, in the order of the
// first report. The gaps are the fixtures that not every report judged, by reason. Blank reports
// cause no gaps.
func commonFixtures(reports []indexedReport) (common []string, gaps []Gap) {
	all := lists.Unique(slices.Concat(lists.Map(reports, fixturesOf)...))
	common = lists.Filter(all, func(fixture string) bool {
		return lists.Count(reports, func(r indexedReport) bool { return r.judged(fixture) }) > 1
	})
	alike := lists.Groups(all, func(fixture string) string { return whyNot(reports, fixture) })
	gaps = lists.Map(alike, func(g lists.Group[string, string]) Gap { return Gap{Reason: g.Key, Fixtures: g.Items} })
	return common, slices.DeleteFunc(gaps, func(g Gap) bool { return g.Reason == "" })
}

// markBlank marks the reports in which nothing was judged, for example because a target was
// down. The comparison ignores them if at least two other reports are left.
func markBlank(reports []indexedReport) {
	nothing := func(r indexedReport) bool { return r.Counts.Unjudged == r.Counts.Fixtures }
	if len(reports)-lists.Count(reports, nothing) < 2 {
		return
	}
	for i, r := range reports {
		reports[i].blank = nothing(r)
	}
}

// whyNot says which reports did not judge a fixture, and why, or returns "".
func whyNot(reports []indexedReport, fixture string) string {
	var reasons []string
	for _, alike := range splitBy(lists.Map(reports, func(r indexedReport) string { return r.whyNot(fixture) })) {
		if alike.Key != "" {
			reasons = append(reasons, alike.Key+" in "+keys(alike.Items))
		}
	}
	slices.Sort(reasons)
	return strings.Join(reasons, "; ")
}

// whyNot says why the report did not judge a fixture, or returns "".
func (r indexedReport) whyNot(fixture string) string {
	operation, _, _ := strings.Cut(fixture, "/")
	switch one, known := r.results[fixture]; {
	case r.blank:
		return ""
	case !known && r.Run.Gaps[operation] != "":
		return "not derived (" + r.Run.Gaps[operation] + ")"
	case !known:
		return "not"
	case one.Excused:
		return "skipped"
	case !r.judged(fixture):
		return "unjudged"
	}
	return ""
}

// clauseIDs returns the clause ids of all reports, in the order of the contract.
func clauseIDs(reports []indexedReport) []spec.ClauseID {
	all := slices.Concat(lists.Map(reports, func(r indexedReport) []verdict.Clause { return r.Clauses })...)
	return lists.Unique(lists.Map(all, func(c verdict.Clause) spec.ClauseID { return c.ID }))
}
