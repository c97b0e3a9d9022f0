package console

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

// Limits that apply unless Detail is Verbose. With them, a run against a poor service of 100
// operations fits on two pages.
const (
	mostTexts     = 5  // broken clauses with their text
	mostRows      = 12 // broken clauses with one line each
	mostFaults    = 10
	mostWarnings  = 4
	mostWaived    = 10
	mostQuestions = 6
	mostReasons   = 4 // why fixtures are unjudged
)

// few returns the beginning of a list, or all of it if Detail is Verbose.
func few[T any](p *page, list []T, most int) []T {
	if p.all {
		return list
	}
	return list[:min(len(list), most)]
}

// more prints how many entries are left out, and how to see them.
func (p *page) more(count int, what string) {
	if count > 0 {
		p.Wrapped(fmt.Sprintf("and %s; see all with --verbose, or with --report html=FILE", judge.Number(count, "more "+what)), 2)
	}
}

// broken prints a table of the broken clauses: how many fixtures found each, the plainest of
// them, and the text of the clause. If there are many clauses, each has one line.
func (p *page) broken() {
	rows := words.BrokenClauses(p.Report)
	if len(rows) == 0 {
		return
	}
	if len(rows) > mostTexts && !p.all {
		p.Section("  operations  fixtures  broken clauses")
		for _, row := range few(p, rows, mostRows) {
			p.Line(terminal.Red.Of("✗ "), terminal.Says("%10d  %8d  %s", row.Operations, row.Fixtures, row.ID))
		}
		p.more(len(rows)-mostRows, "broken clause")
		return
	}
	width := lists.Max(rows, func(row words.Broken) int { return len(row.ID) })
	longest := lists.Max(rows, func(row words.Broken) int { return len(row.Example) })
	const count = len("  fixtures  ")
	beside := 2+width+count+longest <= terminal.Columns // the examples fit on the first line
	title := fmt.Sprintf("%-*s  fixtures", width+2, "broken clauses")
	if beside {
		title += "  for example"
	}
	p.Section(title)
	for _, row := range rows {
		example, line := "", terminal.Says("%-*s  %8d", width, row.ID, row.Fixtures)
		if beside {
			line.Text += "  " + row.Example
		} else {
			example = "for example " + row.Example
		}
		p.Line(terminal.Red.Of("✗ "), line)
		p.Wrapped(words.Line(row.Text), 4)
		if example != "" {
			p.Line(terminal.Says("    %s", example))
		}
	}
}

// failures prints the faults that are violations. If it leaves some out, it prefers faults of
// different clauses.
func (p *page) failures() {
	list := words.Faults(p.Report, judge.Violation)
	told := list
	if !p.all {
		told = words.Foremost(list, mostFaults)
	}
	for _, c := range told {
		p.cause(terminal.Red.Of("✗ "), "breaks", c)
	}
	if n := len(list) - len(told); n > 0 {
		p.Line()
		p.more(n, "fault")
	}
}

// cause prints one cause with its plainest fixture. It uses at most six lines, not counting the
// continuation of long ones.
func (p *page) cause(mark terminal.Span, verb string, c *words.Cause) {
	p.Line()
	p.Line(mark, terminal.Bold.Of(c.Result.Fixture), terminal.Says("   %s %s%s", verb, c.Clause(p.Report), c.Places()))
	for _, e := range words.EvidenceOf(c.Result, c.Finding) {
		p.row(e.Name, e.Text)
	}
	p.row("why", c.Why)
	// The command is never cut, because people copy it. Its line breaks stay.
	command := terminal.VisibleLines(c.Result.Curl)
	p.lines("replay", command[:1])
	for _, line := range command[1:] {
		p.Line(terminal.Plain.Of(line))
	}
	likewise := c.Likewise()
	if p.all {
		likewise = strings.Join(c.Others(), ", ")
	}
	p.row("likewise", likewise)
	p.row("also", c.Also())
}

// warnings prints the faults that are warnings: what was sent, expected and received, and why
// each is only a warning. With Verbose it prints them like violations.
func (p *page) warnings() {
	list := words.Faults(p.Report, judge.Warning)
	if len(list) == 0 {
		return
	}
	if p.all {
		for _, c := range list {
			p.cause(terminal.Yellow.Of("! "), "departs from", c)
		}
		return
	}
	p.Section("warnings")
	for _, c := range few(p, list, mostWarnings) {
		p.brief(terminal.Yellow.Of("! "), c)
		p.row("fixture", c.Result.Fixture)
		for _, e := range words.EvidenceOf(c.Result, c.Finding) {
			p.row(e.Name, e.Text)
		}
		p.row("also", c.Also())
		p.row("why", c.Why)
	}
	p.more(len(list)-mostWarnings, "warning")
}

// waived prints the waived violations, each fault in two lines.
func (p *page) waived() {
	list := words.Faults(p.Report, judge.WaivedViolation)
	if len(list) == 0 {
		return
	}
	p.Section("waived")
	told := few(p, list, mostWaived)
	for _, c := range told {
		p.brief(terminal.Yellow.Of("~ "), c)
		p.Line(terminal.Says("    %s: %s", c.Result.Fixture, words.Line(c.Finding.Waived)))
	}
	p.more(len(list)-len(told), "waived fault")
}

// brief prints a cause in one line: the clause, and how many fixtures found it.
func (p *page) brief(mark terminal.Span, c *words.Cause) {
	p.Line(mark, terminal.Says("%s%s", c.Clause(p.Report), c.Places()), terminal.Faint.Of(" "+words.Several(c.Fixtures)))
}
