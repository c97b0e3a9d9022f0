package compare

import (
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// changeOf tells what changed. Only fixtures that both reports have judged show
// that something changed; a violation that a new fixture finds may have been
// there for long.
func changeOf(before, after sheet, common []string) *Change {
	c := &Change{Worse: []Shift{}, Better: []Shift{}, Found: []Shift{}, Lost: []Move{}, Moved: []Move{}}
	for _, severity := range []judge.Severity{judge.Violation, judge.Warning} {
		for _, id := range clauseIDs([]sheet{before, after}) {
			for _, at := range places([]sheet{before, after}, id, severity) {
				was, is := before.findings[at], after.findings[at]
				c.Worse = appendShift(c.Worse, before, after, at, is, inAll(common, func(fixture string) bool {
					f, now := is[fixture]
					_, then := was[fixture]
					return now && f.Waived == "" && !then
				}))
				c.Better = appendShift(c.Better, before, after, at, was, inAll(common, func(fixture string) bool {
					_, now := is[fixture]
					_, then := was[fixture]
					return then && !now
				}))
				if severity == judge.Violation {
					c.Found = appendShift(c.Found, before, after, at, is, inAll(fixturesOf(after), func(fixture string) bool {
						f, now := is[fixture]
						return now && f.Waived == "" && !before.judged(fixture)
					}))
				}
			}
		}
	}
	c.addMoves(before, after)
	return c
}

// inAll are those fixtures of a list that are wanted.
func inAll(list []string, wanted func(string) bool) []string {
	var out []string
	for _, fixture := range list {
		if wanted(fixture) {
			out = append(out, fixture)
		}
	}
	return out
}

func fixturesOf(s sheet) []string {
	var ids []string
	for _, result := range s.Results {
		ids = append(ids, result.Fixture)
	}
	return ids
}

func appendShift(list []Shift, before, after sheet, at place, findings map[string]judge.Finding, fixtures []string) []Shift {
	if len(fixtures) == 0 {
		return list
	}
	c := describe([]sheet{before, after}, at.clause)
	return append(list, Shift{
		Clause: at.clause, Level: c.Level, Section: c.Section, Severity: at.severity,
		Before: before.statusAt(at), After: after.statusAt(at),
		Pointer: findings[fixtures[0]].Pointer, Message: findings[fixtures[0]].Message, Fixtures: fixtures,
	})
}

// addMoves adds the clauses whose status changed for another reason than
// findings that came or went.
func (c *Change) addMoves(before, after sheet) {
	told := map[string]bool{}
	for _, list := range [][]Shift{c.Worse, c.Better, c.Found} {
		for _, s := range list {
			told[s.Clause] = true
		}
	}
	for _, id := range clauseIDs([]sheet{before, after}) {
		switch m := (Move{id, before.status(id), after.status(id)}); {
		case m.Before == m.After:
		case tested(m.Before) && !tested(m.After):
			c.Lost = append(c.Lost, m)
		case !told[id] && describe([]sheet{before, after}, id).Level != spec.Silent:
			c.Moved = append(c.Moved, m)
		}
	}
}

// tested says whether a status rests on evidence.
func tested(status judge.ClauseStatus) bool {
	return status != judge.ClauseVacuous && status != judge.ClauseUnexercised && status != Absent
}
