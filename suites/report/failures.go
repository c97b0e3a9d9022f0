package report

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
)

// broken is a table of the broken clauses: how many fixtures found it, the
// plainest of them, and what the clause says.
func (p *page) broken() {
	rows := brokenClauses(p.Report)
	if len(rows) == 0 {
		return
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row.ID))
	}
	const count = len("  fixtures  ")
	beside := true // the examples have room on the first line
	for _, row := range rows {
		beside = beside && 2+width+count+len(row.example) <= terminal.Columns
	}
	title := fmt.Sprintf("%-*s  fixtures", width+2, "broken clauses")
	if beside {
		title += "  for example"
	}
	p.Section(title)
	for i, row := range rows {
		if i == mostBroken && !p.all {
			p.Line(terminal.Says("  and %d more", len(rows)-i))
			return
		}
		example, line := "", terminal.Says("%-*s  %8d", width, row.ID, row.fixtures)
		if beside {
			line.Text += "  " + row.example
		} else {
			example = "for example " + row.example
		}
		p.Line(terminal.Red.Of("✗ "), line)
		p.Wrapped(cut(row.Text, evidenceWidth), 4)
		if example != "" {
			p.Line(terminal.Says("    %s", example))
		}
	}
}

// mostBroken is how many broken clauses the table lists.
const mostBroken = 40

// failures tells of every cause of a violation.
func (p *page) failures() {
	for _, c := range causes(p.Report, judge.Violation) {
		p.cause(terminal.Red.Of("✗ "), "breaks", c)
	}
}

// cause tells of one by the plainest fixture that found it, in six lines at
// most.
func (p *page) cause(mark terminal.Span, verb string, c *cause) {
	p.Line()
	p.Line(mark, terminal.Bold.Of(c.result.Fixture), terminal.Says("   %s %s%s", verb, clauseOf(p.Report, c.finding.Clause), places(c)))
	for _, e := range evidenceOf(c.result, c.finding) {
		p.row(e.name, e.text)
	}
	if c.finding.Severity == judge.Warning {
		p.row("why", whyWarning(p.Report, c.result, c.finding))
	}
	p.replay(c.result.Curl)
	p.likewise(c.fixtures[1:])
}

// places tells where in bodies a cause shows, if in several places.
func places(c *cause) string {
	if len(c.pointers) < 2 {
		return ""
	}
	return "  at " + some(c.pointers)
}

// replay shows the command, which is never cut: it is there to be copied. A
// line break in it stays one.
func (p *page) replay(curl string) {
	lines := terminal.VisibleLines(curl)
	p.row("replay", lines[0])
	for _, line := range lines[1:] {
		p.Line(terminal.Plain.Of(line))
	}
}

// few is how many fixtures of a cause are named one by one.
const few = 12

// likewise names the other fixtures of a cause.
func (p *page) likewise(ids []string) {
	switch {
	case len(ids) == 0:
	case p.all:
		name := "likewise"
		for _, line := range byFolder(ids, len(ids)) {
			p.row(name, line)
			name = ""
		}
	default:
		p.row("likewise", fmt.Sprintf("%d more: %s", len(ids), strings.Join(byFolder(ids, few), ", ")))
	}
}
