package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// changeOf returns what changed. Only fixtures that both reports judged can show a change: a
// violation that a new fixture finds may be old.
func changeOf(reports []indexedReport, common []string) *Change {
	before, after := reports[0], reports[1]
	c := &Change{Worse: []Shift{}, Better: []Shift{}, Uncompared: []Shift{}, Untested: []Move{}, StatusChanged: []Move{}}
	for _, severity := range []judge.Severity{judge.Violation, judge.Warning} {
		for _, id := range clauseIDs(reports) {
			for _, at := range locationsOf(reports, id, severity) {
				was, is := before.findings[at], after.findings[at]
				then := func(fixture string) bool { _, found := was[fixture]; return found }
				now := func(fixture string) bool { _, found := is[fixture]; return found }
				counts := func(fixture string) bool { return now(fixture) && is[fixture].Waived == "" }
				c.Worse = appendShift(c.Worse, reports, at, is, lists.Filter(common, func(f string) bool { return counts(f) && !then(f) }))
				c.Better = appendShift(c.Better, reports, at, was, lists.Filter(common, func(f string) bool { return then(f) && !now(f) }))
				if severity == judge.Violation {
					c.Uncompared = appendShift(c.Uncompared, reports, at, is, lists.Filter(fixturesOf(after), func(f string) bool { return counts(f) && !before.judged(f) }))
				}
			}
		}
	}
	c.addMoves(reports)
	return c
}

func fixturesOf(r indexedReport) []string {
	return lists.Map(r.Results, func(one result.Result) string { return one.Fixture })
}

func appendShift(list []Shift, reports []indexedReport, at location, findings map[string]judge.Finding, fixtures []string) []Shift {
	if len(fixtures) == 0 {
		return list
	}
	c := describe(reports, at.clause)
	return append(list, Shift{
		Clause: at.clause, Level: c.Level, Section: c.Section, Source: c.Source, Severity: at.severity,
		Before: reports[0].statusAt(at), After: reports[1].statusAt(at),
		Pointer: findings[fixtures[0]].Pointer, Message: findings[fixtures[0]].Message, Fixtures: fixtures,
	})
}

// addMoves adds the clauses that are no longer tested, and those whose status changed although
// no shift names them.
func (c *Change) addMoves(reports []indexedReport) {
	told := lists.Set(slices.Concat(c.Worse, c.Better, c.Uncompared), func(s Shift) spec.ClauseID { return s.Clause })
	for _, id := range clauseIDs(reports) {
		switch m := (Move{id, reports[0].status(id), reports[1].status(id)}); {
		case m.Before == m.After:
		case tested(m.Before) && !tested(m.After):
			c.Untested = append(c.Untested, m)
		case !told[id] && describe(reports, id).Level != spec.Silent:
			c.StatusChanged = append(c.StatusChanged, m)
		}
	}
}

// tested reports whether a status rests on evidence.
func tested(status verdict.ClauseStatus) bool {
	return status != verdict.ClauseVacuous && status != verdict.ClauseUnexercised && status != Absent
}

// outcome returns the outcome of a change, and the reason. A regression is a violation that is
// not waived, in a fixture that both reports judged, at a place where this fixture had none
// before. New warnings, changed answers and lost evidence are reported, but are not regressions.
// If the second run did not judge what the first run judged, there may be an unseen regression:
// the outcome is inconclusive. This does not apply to fixtures that a filter left out, or that
// the contract excuses.
func (c *Change) outcome(before, after indexedReport, silences []Silence, common []string) (Outcome, string) {
	var broken []spec.ClauseID
	var fixtures []string
	for _, s := range c.Worse {
		if s.Severity == judge.Violation {
			broken, fixtures = append(broken, s.Clause), append(fixtures, s.Fixtures...)
		}
	}
	says := fmt.Sprintf("the verdict is still %s", after.Verdict)
	if before.Verdict != after.Verdict {
		says = fmt.Sprintf("the verdict was %s and is %s", before.Verdict, after.Verdict)
	}
	if len(broken) > 0 {
		return Regression, fmt.Sprintf("%s newly broken, in %s; %s", judge.Number(len(lists.Unique(broken)), "clause"), judge.Number(len(lists.Unique(fixtures)), "fixture"), says)
	}
	if why := unseen(before, after); why != "" {
		return Inconclusive, why + "; " + says
	}
	all := slices.Concat(lists.Map(silences, func(s Silence) []Difference { return s.Differences })...)
	moved := len(lists.Set(all, func(d Difference) string { return d.Fixture })) // a fixture may occur twice, for its status and for a value in the body
	parts := []string{fmt.Sprintf("%s compared, none newly broken", judge.Number(len(common), "fixture"))}
	if moved > 0 {
		parts = append(parts, judge.Number(moved, "answer")+" moved")
	}
	return NoRegression, strings.Join(append(parts, says), "; ")
}

// unseen says why the second run may have missed a regression, or returns "".
func unseen(before, after indexedReport) string {
	lost := 0
	for fixture, result := range after.results {
		if before.judged(fixture) && !after.judged(fixture) && !result.Excused {
			lost++
		}
	}
	switch {
	case !after.Run.Complete:
		return "the second run was cut off"
	case lost > 0:
		return fmt.Sprintf("the second run could not judge %s that the first one had judged", judge.Number(lost, "fixture"))
	case after.Verdict == verdict.Inconclusive:
		return "the second run is inconclusive"
	}
	return ""
}

// kindOfChange is a section of the views. At most one of its lists has entries.
type kindOfChange struct {
	Title    string
	Status   verdict.ClauseStatus // for HTML; "moved" if answers changed
	Mark     terminal.Span        // for the console
	Shifts   []Shift
	Moves    []Move
	Silences []Silence
}

// Some reports whether the section has entries.
func (k kindOfChange) Some() bool { return len(k.Shifts)+len(k.Moves)+len(k.Silences) > 0 }

// changes returns the sections, the worst first.
func (c Comparison) changes() []kindOfChange {
	if c.Change == nil {
		return nil
	}
	worse := func(severity judge.Severity) []Shift {
		return lists.Filter(c.Change.Worse, func(s Shift) bool { return s.Severity == severity })
	}
	fixed := slices.Clone(c.Change.Better)
	for i := range fixed {
		fixed[i].Message, fixed[i].Pointer = "was: "+fixed[i].sentence(), ""
	}
	moved := lists.Filter(c.Silences, func(s Silence) bool { return !s.Same })
	return []kindOfChange{
		{Title: "newly broken", Status: verdict.ClauseFailed, Mark: terminal.Red.Of("✗ "), Shifts: worse(judge.Violation)},
		{Title: "broken in fixtures that are not compared", Status: verdict.ClauseFailed, Mark: terminal.Yellow.Of("? "), Shifts: c.Change.Uncompared},
		{Title: "newly warned", Status: verdict.ClauseWarned, Mark: terminal.Yellow.Of("! "), Shifts: worse(judge.Warning)},
		{Title: "fixed", Status: verdict.ClausePassed, Mark: terminal.Green.Of("✓ "), Shifts: fixed},
		{Title: "changed behavior, where the contract is silent", Status: "moved", Mark: terminal.Yellow.Of("~ "), Silences: moved},
		{Title: "no longer tested", Status: verdict.ClauseVacuous, Mark: terminal.Yellow.Of("? "), Moves: c.Change.Untested},
		{Title: "other clauses whose status changed", Status: verdict.ClauseVacuous, Mark: terminal.Yellow.Of("? "), Moves: c.Change.StatusChanged},
	}
}
