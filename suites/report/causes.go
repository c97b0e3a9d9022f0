package report

import (
	"cmp"
	"path"
	"regexp"
	"slices"

	"github.com/plantstore/conformance/suites/judge"
)

// cause is one way in which a clause was broken. A service that is broken in
// one place has one, however many fixtures come across it.
type cause struct {
	finding  Finding // the first
	result   Result  // in which that was made
	fixtures []string
	pointers []string // places in bodies, sorted
}

// causeKey tells causes apart.
type causeKey struct {
	clause  string
	message string
	status  int
	request string // the kind of request, where that is what is wrong
}

func keyOf(r Result, f Finding) causeKey {
	key := causeKey{clause: f.Clause, message: detail.ReplaceAllString(f.Message, "")}
	if r.Exchange.Response != nil {
		key.status = r.Exchange.Response.Status
	}
	if f.Clause == r.Clause {
		key.request = path.Dir(r.Fixture)
	}
	return key
}

// detail is what differs in a message from case to case: what it quotes, and
// what comes after its colon, and the number of tries.
var detail = regexp.MustCompile(`"[^"]*"|: .*|, in \d+ of \d+ tries$`)

// waived is the kind of a violation that is.
const waived = judge.Severity(judge.Waived)

// kind is what a finding counts as: its severity, unless it is waived.
func (f Finding) kind() judge.Severity {
	if f.Waived != "" {
		return waived
	}
	return judge.Severity(f.Severity)
}

// causes gathers the findings of one kind, in the order in which the
// contract states its clauses.
func causes(r Report, kind judge.Severity) []*cause {
	var list []*cause
	known := map[causeKey]*cause{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.kind() != kind {
				continue
			}
			key := keyOf(result, f)
			c := known[key]
			if c == nil {
				c = &cause{finding: f, result: result}
				known[key], list = c, append(list, c)
			}
			c.fixtures = append(c.fixtures, result.Fixture)
			if f.Pointer != "" {
				c.pointers = append(c.pointers, f.Pointer)
			}
		}
	}
	for _, c := range list {
		c.fixtures = slices.Compact(c.fixtures) // a fixture may come across it twice
		slices.Sort(c.pointers)
		c.pointers = slices.Compact(c.pointers)
	}
	rank := map[string]int{}
	for i, clause := range r.Clauses {
		rank[clause.ID] = i
	}
	slices.SortStableFunc(list, func(a, b *cause) int { return cmp.Compare(rank[a.finding.Clause], rank[b.finding.Clause]) })
	return list
}
