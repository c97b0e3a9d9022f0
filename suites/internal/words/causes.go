package words

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// A Cause is one cause of the findings on a clause, from any number of fixtures. Reports
// show it with the plainest result.
type Cause struct {
	Finding  judge.Finding // the finding in the plainest result
	Result   result.Result // the plainest result
	Fixtures []string      // the fixture of the plainest result, then the others in the order of the run
	pointers []string      // places in bodies
	Why      string        // why it is only a warning, or ""
	also     []*Cause      // other causes of the same fault, see Faults
	shown    shown
}

// Also returns a text with the other clauses that a fault breaks, or "".
func (c *Cause) Also() string {
	others := lists.Filter(c.also, func(other *Cause) bool { return other.Finding.Clause != c.Finding.Clause })
	clauses := lists.Map(others, func(other *Cause) string { return string(other.Finding.Clause) })
	if clauses = slices.Compact(slices.Sorted(slices.Values(clauses))); len(clauses) == 0 {
		return ""
	}
	in := ""
	if n := c.operations(); n > 1 && n <= len(clauses) {
		in = fmt.Sprintf(", in %d operations", n)
	}
	return judge.Number(len(clauses), "more clause") + " with the same fault" + in + ": " + Some(clauses)
}

// ofClause returns what each cause of the fault in the same clause has.
func (c *Cause) ofClause(has func(*Cause) []string) []string {
	same := lists.Filter(c.also, func(other *Cause) bool { return other.Finding.Clause == c.Finding.Clause })
	return slices.Concat(lists.Map(append([]*Cause{c}, same...), has)...)
}

// Places returns the places in bodies of a cause, if there are several: "  at /a, /b".
func (c *Cause) Places() string {
	pointers := c.ofClause(func(one *Cause) []string { return one.pointers })
	if pointers = slices.Compact(slices.Sorted(slices.Values(pointers))); len(pointers) < 2 {
		return ""
	}
	return "  at " + Some(pointers)
}

// Others returns the fixtures that found the fault in the same clause, without the plainest one.
func (c *Cause) Others() []string {
	return lists.Unique(c.ofClause(func(one *Cause) []string { return one.Fixtures }))[1:]
}

// Likewise returns a text with the other fixtures of a cause, or "".
func (c *Cause) Likewise() string {
	others := c.Others()
	if len(others) == 0 {
		return ""
	}
	const few = 6 // maximum number of fixtures to list by name
	return fmt.Sprintf("%d more: %s", len(others), strings.Join(ByFolder(others, few), ", "))
}

// Lines describes a cause: the evidence, why it is only a warning, the other fixtures that
// found it, and the other clauses.
func (c *Cause) Lines() []string {
	lines := lists.Map(EvidenceOf(c.Result, c.Finding), func(e Evidence) string { return e.Name + ": " + e.Text })
	if c.Why != "" {
		lines = append(lines, c.Why)
	}
	if others := c.Likewise(); others != "" {
		lines = append(lines, "likewise: "+others)
	}
	if also := c.Also(); also != "" {
		lines = append(lines, "also: "+also)
	}
	return lines
}

// plainer orders results by how easy they are to understand. The criteria in order: few requests,
// the kind of request (a rejected invalid value, then valid, then invalid requests), a fault without
// another feature, the plainest form of a fault, a short request, few findings, a short id.
func plainer(a, b result.Result) int {
	validity := func(r result.Result) int {
		order := []fixtures.Expectation{fixtures.Accepted, fixtures.Either, fixtures.Rejected}
		rejected := r.Exchange.Status()/100 == 4 ||
			slices.ContainsFunc(r.Findings, func(f judge.Finding) bool { return f.Message == judge.SaysNo })
		switch {
		case rejected && r.Expect == fixtures.Rejected && r.Clause.OnValue():
			return -1
		case rejected && r.Expect == fixtures.Either:
			return len(order)
		}
		return slices.Index(order, r.Expect)
	}
	number := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.Requests, b.Requests),
		cmp.Compare(validity(a), validity(b)),
		cmp.Compare(number(fixtures.InCompany(a.Fixture)), number(fixtures.InCompany(b.Fixture))),
		cmp.Compare(number(a.Further), number(b.Further)),
		cmp.Compare(length(a.Exchange.Request), length(b.Exchange.Request)),
		cmp.Compare(len(a.Findings), len(b.Findings)),
		cmp.Compare(len(a.Fixture), len(b.Fixture)), // the id names companion requests
	)
}

// length returns the length of a request. Non-ASCII and invisible characters count as long
// as their escapes.
func length(r result.Request) int {
	fields := strings.Join(Fields(r, func(string) bool { return true }), "")
	return len(r.URL) + len(strconv.QuoteToASCII(r.Raw())) + len(fields)
}

// Causes groups the findings of one kind by cause, in the order of the clauses in the
// contract.
func Causes(r result.Report, kind judge.Severity) []*Cause {
	return gathered(r, kind, func(one result.Result, f judge.Finding) shown { return shown{cause: one.Cause(f)} })
}

// shown is the key of findings that a report shows once.
type shown struct {
	cause, fault verdict.Cause
	follows      bool // from another finding
}

func gathered(r result.Report, kind judge.Severity, of func(result.Result, judge.Finding) shown) []*Cause {
	var list []*Cause
	known := map[shown]*Cause{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Kind() != kind {
				continue
			}
			key := of(result, f)
			c := known[key]
			switch {
			case c == nil:
				c = &Cause{Finding: f, Result: result, shown: key}
				known[key], list = c, append(list, c)
			case plainer(result, c.Result) < 0:
				c.Finding, c.Result = f, result
			}
			c.Fixtures = append(c.Fixtures, result.Fixture)
			if f.Pointer != "" {
				c.pointers = append(c.pointers, f.Pointer)
			}
		}
	}
	for _, c := range list {
		c.Fixtures = lists.Unique(slices.Insert(c.Fixtures, 0, c.Result.Fixture)) // a fixture may find it twice
		if kind == judge.Warning {
			c.Why = whyWarning(r, c.Result, c.Finding)
		}
	}
	rank := map[spec.ClauseID]int{}
	for i, clause := range r.Clauses {
		rank[clause.ID] = i + 1
	}
	slices.SortStableFunc(list, func(a, b *Cause) int {
		return cmp.Or(cmp.Compare(rank[a.Finding.Clause], rank[b.Finding.Clause]), cmp.Compare(a.Finding.Clause, b.Finding.Clause))
	})
	return list
}

// Faults groups causes that are one fault: the same fault in several operations, or a cause
// that follows from another one. A fault is represented by its first cause that does not
// follow from another one. The faults in most operations come first.
func Faults(r result.Report, kind judge.Severity) []*Cause {
	causes := gathered(r, kind, func(one result.Result, f judge.Finding) (s shown) {
		s.cause = one.Cause(f)
		s.fault, s.follows = one.Fault(f)
		return s
	})
	if causes == nil {
		return nil
	}
	faults := verdict.NewFaults(r.Clauses)
	for _, c := range causes {
		if !c.shown.follows {
			faults.Add(c.shown.fault, c.Finding.Clause, len(c.Fixtures))
		}
	}
	var list []*Cause
	known := map[verdict.Cause]int{}
	for _, c := range causes {
		fault := faults.Of(c.shown.fault)
		at, ok := known[fault]
		switch {
		case !ok:
			known[fault], list = len(list), append(list, c)
		case list[at].shown.follows && !c.shown.follows:
			former := list[at]
			c.also, former.also = former.also, nil
			c.also = append(c.also, former)
			list[at] = c
		default:
			list[at].also = append(list[at].also, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *Cause) int { return cmp.Compare(b.operations(), a.operations()) })
	return list
}

// Foremost returns at most this number of faults. It selects one fault of each clause before a
// second one of any clause.
func Foremost(list []*Cause, most int) []*Cause {
	if len(list) <= most {
		return list
	}
	place, ofClause := map[*Cause]int{}, map[spec.ClauseID]int{}
	for _, c := range list {
		place[c] = ofClause[c.Finding.Clause]
		ofClause[c.Finding.Clause]++
	}
	first := slices.Clone(list)
	slices.SortStableFunc(first, func(a, b *Cause) int { return cmp.Compare(place[a], place[b]) })
	return lists.Filter(list, func(c *Cause) bool { return slices.Contains(first[:most], c) })
}

// operations returns how many operations have the fault.
func (c *Cause) operations() int {
	all := append([]*Cause{c}, c.also...)
	return len(lists.Unique(lists.Map(all, func(c *Cause) string { return c.Finding.Clause.Operation() })))
}

// A Broken is a clause with a violation, and the other clauses with the same fault. It is
// one row of the table at the beginning of reports.
type Broken struct {
	verdict.Clause
	Example    string // the plainest fixture that shows it
	Fixtures   int    // number of fixtures that found it
	Operations int    // number of operations that have it
}

// BrokenClauses returns the rows of that table, in the order of [Faults].
func BrokenClauses(r result.Report) []Broken {
	var rows []Broken
	clauseOf := func(c *Cause) spec.ClauseID { return c.Finding.Clause }
	for _, faults := range lists.Groups(Faults(r, judge.Violation), clauseOf) {
		row := Broken{Clause: verdict.ClauseNamed(r.Clauses, faults.Key)}
		row.ID = faults.Key // the report may not list the clause
		all := &Cause{Finding: faults.Items[0].Finding}
		for _, c := range faults.Items {
			all.also = append(append(all.also, c), c.also...)
		}
		found := slices.Concat(lists.Map(all.also, func(c *Cause) []string { return c.Fixtures })...)
		if also := all.Also(); also != "" {
			row.Text = strings.TrimSpace(row.Text + " (" + also + ")")
		}
		row.Fixtures, row.Operations = len(lists.Unique(found)), all.operations()
		row.Example = slices.MinFunc(faults.Items, func(a, b *Cause) int { return plainer(a.Result, b.Result) }).Result.Fixture
		rows = append(rows, row)
	}
	return rows
}
