package judge

import "github.com/plantstore/conformance/spec"

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

func clauseResults(contract *spec.Contract, results []Result) []ClauseResult {
	exercised := map[string][]string{}
	failed, warned := map[string]bool{}, map[string]bool{}
	selected := map[string]bool{} // operations and clauses that fixtures were selected for
	for _, r := range results {
		selected[r.Fixture.Operation.ID] = true
		selected[r.Fixture.Clause.ID] = true
		for _, clause := range r.Exercised {
			exercised[clause] = append(exercised[clause], r.Fixture.ID)
		}
		for _, f := range r.Findings {
			switch f.Severity {
			case Violation:
				failed[f.Clause] = true
			case Warning:
				warned[f.Clause] = true
			}
		}
	}
	list := make([]ClauseResult, 0, len(contract.Clauses))
	for _, clause := range contract.Clauses {
		c := ClauseResult{Clause: clause, Fixtures: exercised[clause.ID]}
		reachable := selected[clause.ID] || selected[clause.Operation] && (clause.Status() != "" || clause.Part() == "answers")
		switch {
		case failed[clause.ID]:
			c.Status = ClauseFailed
		case warned[clause.ID]:
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
