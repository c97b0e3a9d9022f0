package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plantstore/conformance/fixtures"
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

// ClauseStatus is the outcome of one clause over a run.
type ClauseStatus string

// The statuses of a clause.
const (
	ClausePassed      ClauseStatus = "passed"      // exercised, and none of its findings
	ClauseFailed      ClauseStatus = "failed"      // with a violation
	ClauseWarned      ClauseStatus = "warned"      // with a warning and no violation
	ClauseVacuous     ClauseStatus = "vacuous"     // its condition never arose
	ClauseUnexercised ClauseStatus = "unexercised" // no selected fixture could have reached it
)

// ClauseResult is a clause, its outcome and the fixtures that exercised it.
type ClauseResult struct {
	spec.Clause
	Status   ClauseStatus
	Fixtures []string // ids, in the order of the results
}

// Answers are what a target gave to one question that the contract leaves
// open.
type Answers struct {
	Clause  string
	Answers []Answer // sorted by text
}

// Answer is one answer, and the fixtures that got it.
type Answer struct {
	Answer   string
	Fixtures []string
}

// Summary is what all results say together.
type Summary struct {
	Verdict      Verdict
	Reason       string // of the verdict, in one sentence
	Clauses      []ClauseResult
	Observations []Answers
	Results      []Result // as given, but for those whose credential was refused
}

// Summarize gives the verdict over the results of a run. complete says that
// the run was not cut off.
func Summarize(contract *spec.Contract, results []Result, complete bool) Summary {
	results, refused := settleCredential(results)
	s := Summary{
		Results:      results,
		Clauses:      clauseResults(contract, results),
		Observations: observations(results),
	}
	s.Verdict, s.Reason = verdict(results, refused, complete)
	return s
}

// settleCredential finds out whether the credential itself was refused: every
// valid request that carried it got 401 or 403. The service may be right to do
// so, and then none of these exchanges says anything about the clauses.
func settleCredential(results []Result) ([]Result, bool) {
	carriers := carriers(results, func(r Result) bool { return r.Fixture.Expect == fixtures.Accepted })
	if len(carriers) == 0 {
		carriers = carriersOfAny(results)
	}
	if len(carriers) == 0 {
		return results, false
	}
	for _, i := range carriers {
		if !refusesCredential(results[i]) {
			return results, false
		}
	}
	settled := slices.Clone(results)
	for _, i := range carriers {
		r := &settled[i]
		accepts := r.Fixture.Operation.ID + "/accepts"
		r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Clause == accepts })
		r.Exercised = slices.DeleteFunc(slices.Clone(r.Exercised), func(c string) bool { return c == accepts || c == r.Fixture.Clause.ID })
		if r.Status = status(r.Findings); r.Status == Passed {
			r.Status = Unjudged
			r.Reason = fmt.Sprintf("the credential was refused with %d", r.Exchange.Response.Status)
		}
	}
	return settled, true
}

func carriersOfAny(results []Result) []int {
	return carriers(results, func(r Result) bool { return r.Fixture.Expect == fixtures.Rejected })
}

// carriers are the places of the judged results whose request carried the
// target's credential.
func carriers(results []Result, match func(Result) bool) []int {
	var places []int
	for i, r := range results {
		if r.Status != Unjudged && r.Fixture.NeedsToken() && r.Fixture.Clause.Part() != "request/credential" && match(r) {
			places = append(places, i)
		}
	}
	return places
}

func refusesCredential(r Result) bool {
	return r.Exchange.Response != nil && r.Exchange.Failure == nil &&
		(r.Exchange.Response.Status == 401 || r.Exchange.Response.Status == 403)
}

func verdict(results []Result, refused, complete bool) (Verdict, string) {
	count := map[Status]int{}
	for _, r := range results {
		count[r.Status]++
	}
	judged := len(results) - count[Unjudged]
	switch {
	case count[Failed] > 0:
		return Nonconformant, fmt.Sprintf("%s", plural(count[Failed], "fixture", "of %d found a violation", len(results)))
	case !complete:
		return Inconclusive, fmt.Sprintf("the run was cut off after %d of %d fixtures were judged", judged, len(results))
	case refused:
		return Inconclusive, "the credential was refused, so that no request got past it; check the token"
	case judged == 0 && len(results) > 0:
		return Inconclusive, "nothing could be judged: " + commonReason(results)
	case len(results) == 0:
		return Inconclusive, "nothing was judged"
	case count[Unjudged] > 0:
		return Inconclusive, fmt.Sprintf("%d of %d fixtures could not be judged: %s", count[Unjudged], len(results), commonReason(results))
	}
	return Conformant, fmt.Sprintf("all %d fixtures were judged and none found a violation", len(results))
}

func plural(n int, noun, format string, args ...any) string {
	s := "s "
	if n == 1 {
		s = " "
	}
	return fmt.Sprintf("%d %s%s", n, noun, s) + fmt.Sprintf(format, args...)
}

// commonReason is why most of the unjudged fixtures are.
func commonReason(results []Result) string {
	count := map[string]int{}
	for _, r := range results {
		if r.Status == Unjudged {
			count[r.Reason]++
		}
	}
	best := ""
	for reason, n := range count {
		if n > count[best] || n == count[best] && reason < best {
			best = reason
		}
	}
	return best
}

func clauseResults(contract *spec.Contract, results []Result) []ClauseResult {
	exercised := map[string][]string{}
	worst := map[string]Severity{}
	selected := map[string]bool{} // operations and clauses that fixtures were selected for
	for _, r := range results {
		selected[r.Fixture.Operation.ID] = true
		selected[r.Fixture.Clause.ID] = true
		for _, clause := range r.Exercised {
			exercised[clause] = append(exercised[clause], r.Fixture.ID)
		}
		for _, f := range r.Findings {
			if f.Severity == Violation || worst[f.Clause] == "" || worst[f.Clause] == Observation {
				worst[f.Clause] = f.Severity
			}
		}
	}
	list := make([]ClauseResult, 0, len(contract.Clauses))
	for _, clause := range contract.Clauses {
		c := ClauseResult{Clause: clause, Fixtures: exercised[clause.ID]}
		reachable := selected[clause.ID] || selected[clause.Operation] && (clause.Status() != "" || clause.Part() == "answers")
		switch {
		case worst[clause.ID] == Violation:
			c.Status = ClauseFailed
		case worst[clause.ID] == Warning:
			c.Status = ClauseWarned
		case len(c.Fixtures) > 0:
			c.Status = ClausePassed
		case reachable:
			c.Status = ClauseVacuous
		default:
			c.Status = ClauseUnexercised
		}
		list = append(list, c)
	}
	return list
}

// observations gather the answers by clause, in the order of first sight.
func observations(results []Result) []Answers {
	var list []Answers
	place := map[string]int{}
	for _, r := range results {
		for _, f := range r.Findings {
			if f.Severity != Observation {
				continue
			}
			i, ok := place[f.Clause]
			if !ok {
				i = len(list)
				place[f.Clause] = i
				list = append(list, Answers{Clause: f.Clause})
			}
			list[i].add(f.Actual, r.Fixture.ID)
		}
	}
	for _, o := range list {
		slices.SortFunc(o.Answers, func(a, b Answer) int { return cmp.Compare(a.Answer, b.Answer) })
	}
	return list
}

func (o *Answers) add(answer, fixture string) {
	for i := range o.Answers {
		if o.Answers[i].Answer == answer {
			o.Answers[i].Fixtures = append(o.Answers[i].Fixtures, fixture)
			return
		}
	}
	o.Answers = append(o.Answers, Answer{answer, []string{fixture}})
}
