package compare

import (
	"fmt"
	"slices"

	"github.com/plantstore/conformance/suites/judge"
)

// change tells what changed, the worst last, as that is what a terminal shows.
func (p *page) change() {
	if p.Change == nil {
		return
	}
	p.moves("other clauses whose status changed", p.Change.Moved)
	p.moves("no longer put to the test", p.Change.Lost)
	p.answers()
	p.shifts("mended", green.of("✓ "), was(p.Change.Better), "")
	p.shifts("newly warned", yellow.of("! "), p.Change.Worse, judge.Warning)
	p.shifts("broken in fixtures that are not compared", yellow.of("? "), p.Change.Found, "")
	p.shifts("newly broken", red.of("✗ "), p.Change.Worse, judge.Violation)
}

// shifts shows those of a severity, or all.
func (p *page) shifts(title string, sign span, list []Shift, severity judge.Severity) {
	for _, s := range list {
		if severity != "" && s.Severity != string(severity) {
			continue
		}
		if title != "" {
			p.section(title)
			title = ""
		}
		p.line(sign, bold.of(s.Clause), says(" (%s)  %s", where(s.Level, s.Section), arrow(s.Before, s.After)))
		p.wrapped(short(s.Message, textWidth), 4)
		p.fixtures(s.Fixtures)
	}
}

// was words what is mended as something that is over.
func was(list []Shift) []Shift {
	list = slices.Clone(list)
	for i := range list {
		list[i].Message = "was: " + list[i].Message
	}
	return list
}

func (p *page) moves(title string, list []Move) {
	if len(list) == 0 {
		return
	}
	p.section(title)
	for _, m := range list {
		p.line(yellow.of("? "), says("%s  %s", m.Clause, arrow(m.Before, m.After)))
	}
}

// answers shows those that moved.
func (p *page) answers() {
	moved := false
	for _, s := range p.Silences {
		if s.Same {
			continue
		}
		if !moved {
			p.section("answers that moved, where the contract is silent")
			moved = true
		}
		p.line(yellow.of("~ "), bold.of(s.Clause), says(" (%s)", s.Section))
		for _, group := range groups(s.Differences) {
			p.line(says("    %s", arrow(short(group.answers[0], answerWidth), short(group.answers[1], answerWidth))))
			p.fixtures(group.fixtures)
		}
	}
}

func arrow(before, after string) string {
	if before == after {
		return "still " + after
	}
	return fmt.Sprintf("%s → %s", before, after)
}
