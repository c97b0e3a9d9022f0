package judge

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
)

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

// Clause is a clause of the contract, its outcome and the fixtures that exercised
// it.
type Clause struct {
	ID       string       `json:"id"`
	Level    spec.Level   `json:"level"`
	Section  string       `json:"section"`
	Text     string       `json:"text"`
	Status   ClauseStatus `json:"status"`
	Fixtures []string     `json:"fixtures"`         // ids, in the order of the outcomes
	Source   string       `json:"source,omitempty"` // file and line of the contract, if it states the clause
}

// Clauses are those of a contract before a run. The file is the name of the
// contract's document; "" is none.
func Clauses(clauses []spec.Clause, file string) []Clause {
	list := make([]Clause, 0, len(clauses))
	for _, c := range clauses {
		clause := Clause{ID: c.ID, Level: c.Level, Section: c.Section, Text: c.Text, Status: ClauseUnexercised, Fixtures: []string{}}
		if c.Line > 0 && file != "" {
			clause.Source = cmp.Or(c.File, file) + ":" + strconv.Itoa(c.Line)
		}
		list = append(list, clause)
	}
	return list
}

// stated is the clause as the contract has it.
func (c Clause) stated() spec.Clause {
	operation, _, _ := strings.Cut(c.ID, "/")
	return spec.Clause{ID: c.ID, Operation: operation, Level: c.Level, Section: c.Section, Text: c.Text}
}

func judgedClauses(clauses []Clause, outcomes []Outcome) []Clause {
	exercised := map[string][]string{}
	findings := map[string][]Finding{}
	selected := map[string]bool{} // operations and clauses that fixtures were selected for
	for _, o := range outcomes {
		selected[o.Operation] = true
		selected[o.Clause] = true
		for _, clause := range o.Exercised {
			exercised[clause] = append(exercised[clause], o.Fixture)
		}
		for _, f := range o.Findings {
			findings[f.Clause] = append(findings[f.Clause], f)
		}
	}
	list := make([]Clause, 0, len(clauses))
	for _, c := range clauses {
		clause := c.stated()
		c.Fixtures = append([]string{}, exercised[c.ID]...)
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
