package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Detail is how much the console says.
type Detail int

// The details: the verdict alone, what is wrong, or every fixture.
const (
	Quiet Detail = iota
	Normal
	Verbose
)

// Console writes a report for a person.
type Console struct {
	Out    io.Writer
	Color  bool
	Detail Detail
}

// Write writes the report: what matters most comes last, as that is what a
// terminal shows, and the verdict is the last line.
func (c Console) Write(r result.Report) error {
	p := &page{Printer: terminal.Printer{Color: c.Color}, Report: r, all: c.Detail == Verbose}
	if c.Detail > Quiet {
		p.head()
		p.broken()
		if c.Detail == Verbose {
			p.results()
		}
		p.observations()
		p.warnings()
		p.waived()
		p.unjudged()
		p.failures()
		p.coverage()
		p.hint()
	}
	p.verdict()
	if _, err := io.WriteString(c.Out, p.String()); err != nil {
		return fmt.Errorf("writing to the console: %w", err)
	}
	return nil
}

// page is a report on its way to the console.
type page struct {
	terminal.Printer
	result.Report
	all bool // every id is listed, however many there are
}

func (p *page) head() {
	what := strings.TrimSpace(p.Contract.Title + " " + p.Contract.Version)
	at := p.Target.BaseURL
	if who := strings.TrimSpace(p.Implementation.Name + " " + p.Implementation.Version); who != "" {
		at = who + " at " + at
	}
	rest := " · " + at
	if p.Run.Seed != 0 { // nothing is drawn where traffic was recorded
		rest += fmt.Sprintf(" · seed %d", p.Run.Seed)
	}
	if p.Run.Strict {
		rest += " · strict"
	}
	p.Line(terminal.Bold.Of(what), terminal.Plain.Of(rest))
}

func mark(status judge.Status) terminal.Span {
	switch status {
	case judge.Passed:
		return terminal.Green.Of("✓ ")
	case judge.Failed:
		return terminal.Red.Of("✗ ")
	case judge.Warned:
		return terminal.Yellow.Of("! ")
	case judge.Waived:
		return terminal.Yellow.Of("~ ")
	case result.Skipped:
		return terminal.Faint.Of("- ")
	}
	return terminal.Yellow.Of("? ")
}

// results lists every fixture.
func (p *page) results() {
	width := 0
	for _, result := range p.Results {
		width = max(width, len(result.Fixture))
	}
	p.Line()
	for _, result := range p.Results {
		status := "-"
		if result.Exchange.Response != nil {
			status = strconv.Itoa(result.Exchange.Response.Status)
		}
		p.Line(mark(result.Shown()), terminal.Says("%-*s  %-8s  %3s  %7.1f ms", width, result.Fixture, result.Expect, status, result.Exchange.DurationMs))
	}
}

// clause is a clause with what it weighs and where it stands.
func clauseOf(r result.Report, id string) string {
	for _, c := range r.Clauses {
		if c.ID == id {
			return weighed(id, c.Level, where(c))
		}
	}
	return id
}

func weighed(clause string, level spec.Level, section string) string {
	return fmt.Sprintf("%s (%s)", clause, strings.Trim(string(level)+", "+section, ", "))
}

// row is one line of evidence, under its name, if there is any.
func (p *page) row(name, text string) {
	if text != "" {
		p.Line(terminal.Faint.Of(fmt.Sprintf("    %-9s ", name)), terminal.Plain.Of(text))
	}
}
