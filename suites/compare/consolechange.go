package compare

import (
	"fmt"
	"slices"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
)

// change tells what changed, the worst last, as that is what a terminal shows.
func (p *page) change() {
	if p.Change == nil {
		return
	}
	p.moves("other clauses whose status changed", p.Change.Moved)
	p.moves("no longer tested", p.Change.Lost)
	p.answers()
	p.shifts("fixed", terminal.Green.Of("✓ "), was(p.Change.Better), "")
	p.shifts("newly warned", terminal.Yellow.Of("! "), p.Change.Worse, judge.Warning)
	p.shifts("broken in fixtures that are not compared", terminal.Yellow.Of("? "), p.Change.Found, "")
	p.shifts("newly broken", terminal.Red.Of("✗ "), p.Change.Worse, judge.Violation)
}

// shifts shows those of a severity, or all.
func (p *page) shifts(title string, sign terminal.Span, list []Shift, severity judge.Severity) {
	for _, s := range list {
		if severity != "" && s.Severity != severity {
			continue
		}
		if title != "" {
			p.Section(title)
			title = ""
		}
		p.Line(sign, terminal.Bold.Of(s.Clause), terminal.Says(" (%s)  %s", where(s.Level, s.Section), arrow(s.Before, s.After)))
		p.Wrapped(short(s.sentence(), textWidth), 4)
		p.fixtures(s.Fixtures)
	}
}

// was words what is mended as something that is over.
func was(list []Shift) []Shift {
	list = slices.Clone(list)
	for i := range list {
		list[i].Message, list[i].Pointer = "was: "+list[i].sentence(), ""
	}
	return list
}

func (p *page) moves(title string, list []Move) {
	if len(list) == 0 {
		return
	}
	p.Section(title)
	for _, m := range list {
		p.Line(terminal.Yellow.Of("? "), terminal.Says("%s  %s", m.Clause, arrow(m.Before, m.After)))
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
			p.Section("changed behavior, where the contract is silent")
			moved = true
		}
		p.Line(terminal.Yellow.Of("~ "), terminal.Bold.Of(s.Clause), terminal.Says(" (%s)", s.Section))
		for _, group := range groups(s.Differences) {
			p.Line(terminal.Says("    %s", arrow(short(group.answers[0], answerWidth), short(group.answers[1], answerWidth))))
			p.fixtures(group.fixtures)
		}
	}
}

func arrow[T ~string](before, after T) string {
	if before == after {
		return fmt.Sprintf("still %s", after)
	}
	return fmt.Sprintf("%s → %s", before, after)
}
