package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// cause is one fault of a service, which any number of fixtures found. It is
// shown by the plainest of them.
type cause struct {
	finding  judge.Finding // of the plainest
	result   result.Result // the plainest
	fixtures []string      // the plainest, then the others in the order of the run
	pointers []string      // places in bodies, sorted
}

// plainer orders results by how easy they are to understand: a valid request
// comes before an invalid one, a fault alone before one in company, a short
// request before a long one, an answer with few findings before one with many.
func plainer(a, b result.Result) int {
	validity := func(r result.Result) int {
		return slices.Index([]fixtures.Expectation{fixtures.Accepted, fixtures.Either, fixtures.Rejected}, r.Expect)
	}
	company := func(r result.Result) int {
		if fixtures.InCompany(r.Fixture) {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(validity(a), validity(b)),
		cmp.Compare(company(a), company(b)),
		cmp.Compare(weight(a.Exchange.Request), weight(b.Exchange.Request)),
		cmp.Compare(len(a.Findings), len(b.Findings)),
		cmp.Compare(len(a.Fixture), len(b.Fixture)), // what is sent before or beside a request is in the id
	)
}

// weight is the length of a request, in which characters beyond ASCII and
// those that do not show count as much as their escapes.
func weight(r result.Request) int {
	n := len(r.URL) + len(strconv.QuoteToASCII(r.Raw()))
	for _, line := range fields(r, func(string) bool { return true }) {
		n += len(line)
	}
	return n
}

// causes gathers the findings of one kind, in the order in which the
// contract states its clauses.
func causes(r result.Report, kind judge.Severity) []*cause {
	var list []*cause
	known := map[judge.Cause]*cause{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Kind() != kind {
				continue
			}
			key := result.Cause(f)
			c := known[key]
			switch {
			case c == nil:
				c = &cause{finding: f, result: result}
				known[key], list = c, append(list, c)
			case plainer(result, c.result) < 0:
				c.finding, c.result = f, result
			}
			c.fixtures = append(c.fixtures, result.Fixture)
			if f.Pointer != "" {
				c.pointers = append(c.pointers, f.Pointer)
			}
		}
	}
	for _, c := range list {
		c.fixtures = slices.Compact(c.fixtures) // a fixture may come across it twice
		i := slices.Index(c.fixtures, c.result.Fixture)
		c.fixtures = slices.Insert(slices.Delete(c.fixtures, i, i+1), 0, c.result.Fixture)
		slices.Sort(c.pointers)
		c.pointers = slices.Compact(c.pointers)
	}
	rank := map[string]int{}
	for i, clause := range r.Clauses {
		rank[clause.ID] = i + 1
	}
	slices.SortStableFunc(list, func(a, b *cause) int {
		return cmp.Or(cmp.Compare(rank[a.finding.Clause], rank[b.finding.Clause]), cmp.Compare(a.finding.Clause, b.finding.Clause))
	})
	return list
}

// broken is a clause that a violation was found of: one row of the table that
// reports begin with.
type broken struct {
	judge.Clause
	example  string // the plainest fixture that shows it
	fixtures int    // that found it
	faults   int
}

// brokenClauses are the rows of that table, in the contract's order.
func brokenClauses(r result.Report) []broken {
	stated := map[string]judge.Clause{}
	for _, c := range r.Clauses {
		stated[c.ID] = c
	}
	var rows []broken
	for _, list := range byClause(causes(r, judge.Violation)) {
		id := list[0].finding.Clause
		row := broken{Clause: stated[id], faults: len(list)}
		row.ID = id // also of a clause that the report does not list
		found := map[string]bool{}
		for _, c := range list {
			for _, fixture := range c.fixtures {
				found[fixture] = true
			}
		}
		row.fixtures = len(found)
		row.example = slices.MinFunc(list, func(a, b *cause) int { return plainer(a.result, b.result) }).result.Fixture
		rows = append(rows, row)
	}
	return rows
}

// byClause splits causes that are in the contract's order.
func byClause(list []*cause) [][]*cause {
	var split [][]*cause
	for i, c := range list {
		if i == 0 || c.finding.Clause != list[i-1].finding.Clause {
			split = append(split, nil)
		}
		split[len(split)-1] = append(split[len(split)-1], c)
	}
	return split
}

// whyWarning says why a finding is not a violation.
func whyWarning(r result.Report, result result.Result, f judge.Finding) string {
	var level spec.Level
	for _, c := range r.Clauses {
		if c.ID == f.Clause {
			level = c.Level
		}
	}
	switch {
	case level == spec.Should:
		return "only a warning: this follows from the contract, but the contract does not state it"
	case f.Clause == result.Clause && result.Level == spec.Should:
		return "only a warning: the contract does not settle this case"
	}
	return "only a warning: the contract does not forbid it"
}
