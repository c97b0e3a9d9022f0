package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/plantstore/conformance/spec"
)

// Verdict is the outcome of a run.
type Verdict string

// The verdicts.
const (
	Conformant    Verdict = "conformant"
	Nonconformant Verdict = "nonconformant"
	Inconclusive  Verdict = "inconclusive"
)

// Summary is what all results say together.
type Summary struct {
	Verdict      Verdict
	Reason       string // of the verdict, in one sentence
	Clauses      []ClauseResult
	Observations []Answers
	Results      []Result // as given, but for what others show to be no evidence
}

// Summarize gives the verdict over the results of a run. complete says that
// the run was not cut off.
func Summarize(contract *spec.Contract, results []Result, complete bool) Summary {
	results, refused := settleCredential(settleRejections(results))
	s := Summary{
		Results:      results,
		Clauses:      clauseResults(contract, results),
		Observations: observations(results),
	}
	s.Verdict, s.Reason = verdict(results, s.Clauses, refused, complete)
	return s
}

func verdict(results []Result, clauses []ClauseResult, refused, complete bool) (Verdict, string) {
	count := map[Status]int{}
	for _, r := range results {
		count[r.Status]++
	}
	all, unjudged := len(results), count[Unjudged]
	switch {
	case count[Failed] > 0:
		return Nonconformant, fmt.Sprintf("%d of %d fixtures found a violation", count[Failed], all)
	case !complete:
		return Inconclusive, fmt.Sprintf("the run was cut off when %d of %d fixtures were judged", all-unjudged, all)
	case all == 0:
		return Inconclusive, "nothing was judged"
	case refused:
		return Inconclusive, "the credential was refused, so that nothing got past it; check the token"
	case unjudged > 0:
		return Inconclusive, fmt.Sprintf("%d of %d fixtures could not be judged: %s", unjudged, all, commonReason(results))
	}
	passed, musts := 0, 0
	for _, c := range clauses {
		if c.Level == spec.Must {
			musts++
		}
		if c.Level == spec.Must && c.Status == ClausePassed {
			passed++
		}
	}
	judged := fmt.Sprintf("all %d fixtures were judged, none found a violation", all)
	if all == 1 {
		judged = "one fixture was judged and found no violation"
	}
	return Conformant, fmt.Sprintf("%s, and %d of %d must-clauses passed", judged, passed, musts)
}

// commonReason is why most of the unjudged fixtures are, the first by the
// alphabet where several are as common.
func commonReason(results []Result) string {
	count := map[string]int{}
	for _, r := range results {
		if r.Status == Unjudged {
			count[r.Reason]++
		}
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return cmp.Compare(count[a], count[b]) })
}
