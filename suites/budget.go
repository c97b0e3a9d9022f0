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

// The request budget of a run with derived fixtures is RequestsPerOperation for each operation of
// the contract, but at least FewestRequests and at most MostRequests in all. If
// [replay.Limits.MaxRequests] is set, it is the budget. Requests that clean up after a request
// which the service should have rejected are not counted.
const (
	RequestsPerOperation = 520
	FewestRequests       = 2000
	MostRequests         = 5000
)

// derivedRequests returns this budget. A low rate reduces it, so that the run can end before its
// deadline, but not below FewestRequests.
func (c Config) derivedRequests() int {
	n := min(RequestsPerOperation*len(c.Contract.Operations), MostRequests)
	if rate, deadline := c.Limits.Rate, c.Deadline; rate > 0 && deadline > 0 {
		n = min(n, int(rate*deadline.Seconds()))
	}
	return cmp.Or(c.Limits.MaxRequests, max(n, FewestRequests))
}

// checkBudget returns an error if the run needs more requests or more time than its limits permit.
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

// requests returns the number of requests that the plan needs, including controls.
func (p Plan) requests() int {
	return lists.Sum(p.Fixtures, func(f fixtures.Fixture) int { return f.Requests() * p.Tries(f) }) +
		lists.Sum(p.Controls, fixtures.Fixture.Requests)
}

// withinBudget removes derived fixtures until the rest fits the budget. Fixtures from files stay.
func (c Config) withinBudget(selected []fixtures.Fixture, byID map[string]*fixtures.Fixture) []fixtures.Fixture {
	left, requests := c.derivedRequests(), fixtures.Fixture.ExpectedRequests
	if most := c.Limits.MaxRequests; most > 0 { // a hard limit, so the worst case counts; exploration gets a share of it
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
			if kept[f.ID] {
				continue
			}
			kept[f.ID] = true
			wanted := append(needed(f, kept, byID), f)
			need := lists.Sum(wanted, cost)
			if need <= left {
				left -= need
				continue
			}
			all = false
			for _, one := range wanted {
				delete(kept, one.ID)
			}
		}
		return all
	}
	if fill(maps.Clone(kept), left) {
		return selected // most runs fit, and sorting takes longer
	}
	sortByWorth(derived)
	fill(kept, left)
	return lists.Filter(selected, func(f fixtures.Fixture) bool { return kept[f.ID] })
}

// sortByWorth sorts derived fixtures so that any first part of the list tests as much as possible.
// First comes one fixture for each clause, then one for each question, then a rejection for each
// question of each operation. Then each question is asked with everything that may make a service
// check less, then a second time, and so on. In each round, the operations take turns, and in each
// operation the rejections and the rest.
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

// question is what a fixture tests, without its operation. Operations that refer to the same rule of the
// document have the same question: a service that keeps a rule in one of them often does in all.
type question struct {
	file    string
	line    int
	column  int    // a document may have only one line
	part    string // of the clause
	name    string // of the fixture: its group, or all of it if the request must be accepted
	company string // what the request has in addition to the fault, or the form of its body; "" if it is plain
}

func questionOf(f fixtures.Fixture) question {
	q := question{file: f.Clause.File, line: f.Clause.Line, column: f.Clause.Column, part: f.Clause.ID.Part(), name: f.Group()}
	// Many services fail for unusual characters, so each text with them is a question. A reader that stops at the end
	// of the JSON accepts the text after it, and nothing else that is malformed. A service may look for one of two
	// resources that a body names, and refuse an action in one of two states.
	if f.Expect == fixtures.Accepted || f.Clause.ID.State() != "" || strings.Contains(f.ID, ".with.text.") || strings.HasSuffix(f.ID, "/malformed/text-after") {
		_, q.name, _ = strings.Cut(f.ID, "/")
		q.name = fixtures.Bound(q.name)
	}
	// A service may compare listed values without their case, and may match a pattern without a
	// check of the text after the match.
	for _, ending := range []string{".other-case", ".after"} {
		if strings.HasSuffix(f.ID, ending) {
			q.name += ending
		}
	}
	// If several credentials are required together, the service may not check one of them. If it
	// rejects a missing credential, it may accept an empty one, or one of another scheme.
	if _, name, _ := strings.Cut(f.ID, "/"); slices.Contains([]string{"empty", "other-scheme"}, strings.TrimPrefix(name, "no-credential/")) ||
		strings.HasPrefix(name, "no-credential/without.") || strings.HasPrefix(name, "no-credential/other.") {
		q.name = name
	}
	// A service may reject the full body for a reason that is not in the contract. Then it rejects all faults in it.
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
