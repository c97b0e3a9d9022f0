package suites

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/setting"
)

// A run with derived fixtures sends up to RequestsPerOperation for each operation of the
// contract, at least FewestRequests and at most MostRequests in all, unless
// [replay.Limits.MaxRequests] is set. Requests that clean up after a request which the
// service should have rejected are not counted.
const (
	RequestsPerOperation = 520
	FewestRequests       = 2000
	MostRequests         = 5000
)

// derivedRequests is that number. A run that may not send so many a second still has to end
// before its deadline.
func (c Config) derivedRequests() int {
	n := min(RequestsPerOperation*len(c.Contract.Operations), MostRequests)
	if rate, deadline := c.Limits.Rate, c.Deadline; rate > 0 && deadline > 0 {
		n = min(n, int(rate*deadline.Seconds()))
	}
	return cmp.Or(c.Limits.MaxRequests, max(n, FewestRequests))
}

// checkBudget refuses a run that could not come to its end.
func (p Plan) checkBudget() error {
	need := p.requests()
	if most := p.config.Limits.MaxRequests; most > 0 && need > most {
		return setting.Errorf("max-requests", "is %d, but the selected fixtures need %d requests; raise it, or select fewer fixtures (quick, only, skip or shard)", most, need)
	}
	if rate, deadline := p.config.Limits.Rate, p.config.Deadline; rate > 0 && deadline > 0 && float64(need-1)/rate > deadline.Seconds() {
		return setting.Errorf("rate", "is %g a second, which is too slow for %d requests before the deadline of %s; raise one of the two", rate, need, deadline)
	}
	return nil
}

// requests is how many requests the plan takes, controls included.
func (p Plan) requests() int {
	return lists.Sum(p.Fixtures, func(f fixtures.Fixture) int { return f.Requests() * p.Tries(f) }) +
		lists.Sum(p.Controls, fixtures.Fixture.Requests)
}

// withinBudget leaves out derived fixtures until the rest takes no more requests than
// it may. Those of files stay.
func (c Config) withinBudget(selected []fixtures.Fixture, byID map[string]*fixtures.Fixture) []fixtures.Fixture {
	left, requests := c.derivedRequests(), fixtures.Fixture.ExpectedRequests
	if most := c.Limits.MaxRequests; most > 0 { // which holds whatever the service answers; exploration has its share of it
		left, requests = most-min(most/2, c.Explore*len(explorable(selected))), fixtures.Fixture.Requests
	}
	cost := func(f *fixtures.Fixture) int { return requests(*f) * c.tries(*f) }
	kept := map[string]bool{}
	var derived []*fixtures.Fixture
	for i := range selected {
		f := &selected[i]
		if f.IsDerived() {
			derived = append(derived, f)
			continue
		}
		kept[f.ID] = true
		left -= cost(f)
	}
	fill := func(kept map[string]bool, left int) (all bool) {
		all = true
		for _, f := range derived {
			wanted := missing(f, kept, byID)
			need := lists.Sum(wanted, cost)
			if need > left {
				all = false
				continue
			}
			left -= need
			for _, one := range wanted {
				kept[one.ID] = true
			}
		}
		return all
	}
	if fill(maps.Clone(kept), left) {
		return selected // as most do, and to sort takes longer
	}
	sortByWorth(derived)
	fill(kept, left)
	return slices.DeleteFunc(slices.Clone(selected), func(f fixtures.Fixture) bool { return !kept[f.ID] })
}

// missing are a fixture and those that it needs, without those that are kept.
func missing(f *fixtures.Fixture, kept map[string]bool, byID map[string]*fixtures.Fixture) (all []*fixtures.Fixture) {
	for list := []*fixtures.Fixture{f}; len(list) > 0; list = list[1:] {
		if one := list[0]; !kept[one.ID] && !slices.ContainsFunc(all, func(other *fixtures.Fixture) bool { return other.ID == one.ID }) {
			all = append(all, one)
			for _, id := range one.Needs() {
				list = append(list, byID[id])
			}
		}
	}
	return all
}

// sortByWorth sorts derived fixtures so that the first of them, however many these are, tell
// most: first one for each clause, then one for each question, then one for each question
// of each operation that has it, then one in company of everything that may make a service
// check less, then a second one for each, and so on. In each of these rounds, the operations
// take turns, and in each operation what must be rejected and the rest.
func sortByWorth(derived []*fixtures.Fixture) {
	type turn struct{ round, place int }
	type row struct {
		operation string
		round     int
		rejected  bool
	}
	slices.SortStableFunc(derived, func(a, b *fixtures.Fixture) int { return cmp.Compare(a.Rank(), b.Rank()) })
	type asked struct {
		question
		operation string
	}
	clauses, questions, own, places := map[spec.ClauseID]bool{}, map[question]int{}, map[asked]bool{}, map[row]int{}
	turns := map[string]turn{}
	for _, f := range derived {
		q := questionOf(*f)
		here := asked{q, f.Operation.ID}
		round := 3 + questions[q]
		switch {
		case !clauses[f.Clause.ID]:
			round = 0
		case questions[q] == 0 && q.company == "":
			round = 1
		case !own[here] && q.company == "" && f.Expect == fixtures.Rejected:
			round = 2
		}
		clauses[f.Clause.ID], own[here] = true, true
		questions[q]++
		at := row{f.Operation.ID, round, f.Expect == fixtures.Rejected}
		turns[f.ID] = turn{round, places[at]}
		places[at]++
	}
	slices.SortStableFunc(derived, func(a, b *fixtures.Fixture) int {
		return cmp.Or(cmp.Compare(turns[a.ID].round, turns[b.ID].round), cmp.Compare(turns[a.ID].place, turns[b.ID].place))
	})
}

// question is what a fixture asks of a service. Operations that refer to the same rule of
// the document ask the same: a service that keeps it in one of them often does in all.
type question struct {
	file    string
	line    int
	part    string // of the clause
	name    string // of the fixture: its group, or if it is to be accepted, all of it
	company string // the form of the request and everything beside the fault, in which it is asked again; "" if it is asked alone
}

func questionOf(f fixtures.Fixture) question {
	q := question{file: f.Clause.File, line: f.Clause.Line, part: f.Clause.ID.Part(), name: f.Group()}
	// Many services fail for letters that they do not know: each text is asked for them.
	if f.Expect == fixtures.Accepted || strings.Contains(f.ID, ".text.") {
		_, q.name, _ = strings.Cut(f.ID, "/")
		q.name = fixtures.Bound(q.name)
	}
	// A service that knows the values may not know their case, and one that knows a pattern may not look at
	// what comes after the text that matches.
	for _, ending := range []string{".other-case", ".after"} {
		if strings.HasSuffix(f.ID, ending) {
			q.name += ending
		}
	}
	// Each credential of several that are needed together may be the one that nobody checks,
	// and a service that misses a credential may take an empty one, or one of another scheme.
	if _, name, _ := strings.Cut(f.ID, "/"); slices.Contains([]string{"empty", "other-scheme"}, strings.TrimPrefix(name, "no-credential/")) ||
		strings.HasPrefix(name, "no-credential/without.") || strings.HasPrefix(name, "no-credential/other.") {
		q.name = name
	}
	// A service may refuse the full body for what the contract does not say, and all faults in it.
	if strings.HasSuffix(f.ID, ".plainest") {
		q.company = ".plainest"
	}
	if with := strings.LastIndex(f.ID, fixtures.WithEverything); with > 0 {
		q.company = f.ID[with:]
		if form := strings.LastIndex(f.ID, ".beside."); form > 0 {
			q.company = f.ID[form:]
		}
	}
	return q
}
