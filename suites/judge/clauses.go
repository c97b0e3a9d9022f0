package judge

import "github.com/plantstore/conformance/spec"

// ClauseStatus is the outcome of one clause over a run.
type ClauseStatus string

// The statuses of a clause.
const (
	ClausePassed      ClauseStatus = "passed"      // exercised, and none of its findings
	ClauseFailed      ClauseStatus = "failed"      // with a violation
	ClauseWaived      ClauseStatus = "waived"      // with violations that are all waived
	ClauseWarned      ClauseStatus = "warned"      // with a warning and no violation
	ClauseVacuous     ClauseStatus = "vacuous"     // its condition never arose
	ClauseUnexercised ClauseStatus = "unexercised" // no selected fixture could have reached it
)

// ClauseResult is a clause, its outcome and the fixtures that exercised it.
type ClauseResult struct {
	spec.Clause
	Status   ClauseStatus
	Fixtures []string // ids, in the order of the outcomes
}

func clauseResults(clauses []spec.Clause, outcomes []Outcome) []ClauseResult {
	exercised := map[string][]string{}
	findings := map[string][]Finding{}
	selected := map[string]bool{} // operations and clauses that fixtures were selected for
	for _, o := range outcomes {
		selected[o.Operation] = true
		selected[o.Clause] = true
		for _, clause := range o.Exercised {
			exercised[clause] = append(exercised[clause], o.ID)
		}
		for _, f := range o.Findings {
			findings[f.Clause] = append(findings[f.Clause], f)
		}
	}
	list := make([]ClauseResult, 0, len(clauses))
	for _, clause := range clauses {
		c := ClauseResult{Clause: clause, Fixtures: exercised[clause.ID]}
		reachable := selected[clause.ID] || selected[clause.Operation] && (clause.Status() != "" || spec.ClauseID(clause.ID).IsAnswers()) || asked(clause, selected)
		switch worst := status(findings[clause.ID]); {
		case worst != Passed:
			c.Status = ClauseStatus(worst)
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
