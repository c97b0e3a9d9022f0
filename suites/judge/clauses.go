package judge

import (
	"cmp"
	"fmt"
	"math"
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
		id := spec.ClauseID(c.ID)
		c.Fixtures = append([]string{}, exercised[c.ID]...)
		reachable := selected[c.ID] || selected[id.Operation()] && (id.Status() != "" || id.IsAnswers()) || asked(c, selected)
		switch worst := status(findings[c.ID]); {
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

// coverage counts how much of the contract a run has tested. A must-clause is
// tested when an exchange exercised it, whatever the outcome.
type coverage struct {
	musts  int
	tested int
	passed int // tested, without a violation
	waived int // clauses of any level whose violations are all waived
	warned int // clauses of any level with a warning and no violation
}

func (s Summary) coverage() coverage {
	var c coverage
	for _, clause := range s.Clauses {
		switch clause.Status {
		case ClauseWaived:
			c.waived++
		case ClauseWarned:
			c.warned++
		case ClausePassed, ClauseFailed, ClauseVacuous, ClauseUnexercised:
		}
		if clause.Level != spec.Must {
			continue
		}
		c.musts++
		switch clause.Status {
		case ClausePassed, ClauseWarned:
			c.tested++
			c.passed++
		case ClauseFailed, ClauseWaived:
			c.tested++
		case ClauseVacuous, ClauseUnexercised:
		}
	}
	return c
}

// percent of the must-clauses that were tested: all of them where there is none.
func (c coverage) percent() float64 {
	if c.musts == 0 {
		return 100
	}
	return 100 * float64(c.tested) / float64(c.musts)
}

// qualifies reports whether a conformant verdict needs a second look.
func (c coverage) qualifies() bool { return c.waived > 0 || 2*c.tested < c.musts }

// headline is the verdict as a person reads it. A conformant one says what it
// does not cover.
func (c coverage) headline(v Verdict, subject string) string {
	text := string(v)
	if subject != "" {
		text = subject + " is " + text
	}
	if v != Conformant {
		return text
	}
	waived := Number(c.waived, "waived clause")
	switch {
	case c.tested < c.musts && c.waived > 0:
		text += fmt.Sprintf(" in %d of %d must-clauses, with %s", c.passed, c.musts, waived)
	case c.tested < c.musts:
		text += fmt.Sprintf(" in %d of %d must-clauses", c.passed, c.musts)
	case c.waived > 0:
		text += " but for " + waived
	}
	return text
}

// evidence is what a conformant verdict on so many fixtures rests on.
func (c coverage) evidence(fixtures, waived, excused int) string {
	judged := fmt.Sprintf("all %d fixtures were judged, none found a violation", fixtures)
	if excused > 0 {
		judged = fmt.Sprintf("%d of %d fixtures were judged, none found a violation", fixtures-excused, fixtures)
	}
	if fixtures == 1 {
		judged = "one fixture was judged and found no violation"
	}
	var others []string
	if waived > 0 {
		judged += fmt.Sprintf(" that is not waived (%d found a waived one)", waived)
		others = append(others, Number(c.waived, "clause")+" waived")
	}
	if c.warned > 0 {
		others = append(others, Number(c.warned, "clause")+" with warnings")
	}
	if excused > 0 {
		others = append(others, Number(excused, "fixture")+" skipped")
	}
	if untested := c.musts - c.tested; untested > 0 {
		others = append(others, fmt.Sprintf("%d not tested", untested))
	}
	text := fmt.Sprintf("%s, and %d of %d must-clauses passed", judged, c.passed, c.musts)
	if len(others) > 0 {
		text += " (" + strings.Join(others, ", ") + ")"
	}
	return text
}

// tooLow says by how much the run missed the coverage that was asked for, and
// what to do.
func (c coverage) tooLow(percent float64) string {
	return fmt.Sprintf("%d of %d must-clauses were tested (%g%%), but --min-coverage requires %g%%; select more fixtures, or lower --min-coverage",
		c.tested, c.musts, math.Floor(10*c.percent())/10, percent) // rounded up, 99.96 would be the 100 that was asked for
}

// Number is a number of things: "1 clause", "2 clauses".
func Number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
