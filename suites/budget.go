package suites

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/setting"
)

// DerivedRequests is how many requests a run with derived fixtures sends at most,
// unless [replay.Limits.MaxRequests] says otherwise.
const DerivedRequests = 2000

// derivedPerOperation is how many fixtures are derived for each operation: more than
// a fair share of the requests, because not all of them can be proven.
func (c Config) derivedPerOperation() int {
	const least, spare = 30, 3
	return max(least, spare*cmp.Or(c.Limits.MaxRequests, DerivedRequests)/max(1, len(c.Contract.Operations)))
}

// checkBudget refuses a run that could not come to its end.
func (c Config) checkBudget(p plan) error {
	need := c.requests(p)
	if most := c.Limits.MaxRequests; most > 0 && need > most {
		return &setting.Error{Name: "max-requests", Problem: fmt.Sprintf("is %d, but the selected fixtures need %d requests; raise it, or select fewer fixtures (quick, only, skip or shard)", most, need)}
	}
	return nil
}

// requests is how many requests the plan takes, controls included.
func (c Config) requests(p plan) int {
	need := 0
	for _, f := range p.fixtures {
		need += f.Requests() * c.tries(f)
	}
	for _, f := range p.controls() {
		need += f.Requests()
	}
	return need
}

// withinBudget leaves out derived fixtures until the rest takes no more requests than
// it may. Those of files stay. Of the derived ones each operation in turn gives its
// next, and of its clauses each in turn the one that tells most.
func (c Config) withinBudget(selected []fixtures.Fixture, byID map[string]*fixtures.Fixture) []fixtures.Fixture {
	left := cmp.Or(c.Limits.MaxRequests, DerivedRequests)
	if most := c.Limits.MaxRequests; most > 0 { // of which exploration has its share
		left -= min(most/2, c.Explore*len(explorable(selected)))
	}
	kept := map[string]bool{}
	cost := func(f fixtures.Fixture) int { return f.Requests() * c.tries(f) }
	var queues []*queue
	byOperation := map[string]*queue{}
	for _, f := range selected {
		if !f.IsDerived() {
			kept[f.ID] = true
			left -= cost(f)
			continue
		}
		q := byOperation[f.Operation.ID]
		if q == nil {
			q = &queue{clauses: map[string][]fixtures.Fixture{}}
			queues, byOperation[f.Operation.ID] = append(queues, q), q
		}
		q.add(f)
	}
	// keep takes a fixture and those it needs, if the requests that are left allow it.
	keep := func(f fixtures.Fixture) {
		var wanted []fixtures.Fixture
		need := 0
		for list := []fixtures.Fixture{f}; len(list) > 0; list = list[1:] {
			if one := list[0]; !kept[one.ID] && !slices.ContainsFunc(wanted, func(w fixtures.Fixture) bool { return w.ID == one.ID }) {
				wanted, need = append(wanted, one), need+cost(one)
				for _, id := range one.Needs() {
					list = append(list, *byID[id])
				}
			}
		}
		if need > left {
			return
		}
		left -= need
		for _, one := range wanted {
			kept[one.ID] = true
		}
	}
	for len(queues) > 0 && left > 0 {
		for _, q := range queues {
			keep(q.next())
		}
		queues = slices.DeleteFunc(queues, func(q *queue) bool { return len(q.order) == 0 })
	}
	return slices.DeleteFunc(slices.Clone(selected), func(f fixtures.Fixture) bool { return !kept[f.ID] })
}

// queue is what one operation has to give.
type queue struct {
	order   []string // clauses that have something left, the next one first
	clauses map[string][]fixtures.Fixture
}

func (q *queue) add(f fixtures.Fixture) {
	list := q.clauses[f.Clause.ID]
	if list == nil {
		q.order = append(q.order, f.Clause.ID)
	}
	at, _ := slices.BinarySearchFunc(list, f.Rank(), func(other fixtures.Fixture, rank int) int { return cmp.Compare(other.Rank(), rank) })
	q.clauses[f.Clause.ID] = slices.Insert(list, at, f)
}

// next takes the first fixture of the next clause.
func (q *queue) next() fixtures.Fixture {
	clause := q.order[0]
	f := q.clauses[clause][0]
	q.clauses[clause], q.order = q.clauses[clause][1:], q.order[1:]
	if len(q.clauses[clause]) > 0 {
		q.order = append(q.order, clause)
	}
	return f
}
