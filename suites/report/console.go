package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
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
func (c Console) Write(r Report) error {
	p := &page{printer: printer{color: c.Color}, Report: r, all: c.Detail == Verbose}
	if c.Detail > Quiet {
		p.head()
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
	printer
	Report
	all bool // every id is listed, however many there are
}

func (p *page) head() {
	what := strings.TrimSpace(p.Contract.Title + " " + p.Contract.Version)
	at := p.Target.BaseURL
	if who := strings.TrimSpace(p.Implementation.Name + " " + p.Implementation.Version); who != "" {
		at = who + " at " + at
	}
	rest := fmt.Sprintf(" · %s · seed %d", at, p.Run.Seed)
	if p.Run.Strict {
		rest += " · strict"
	}
	p.line(bold.of(what), plain.of(rest))
}

func mark(status string) span {
	switch judge.Status(status) {
	case judge.Passed:
		return green.of("✓ ")
	case judge.Failed:
		return red.of("✗ ")
	case judge.Warned:
		return yellow.of("! ")
	case judge.Waived:
		return yellow.of("~ ")
	}
	return yellow.of("? ")
}

// results lists every fixture.
func (p *page) results() {
	width := 0
	for _, result := range p.Results {
		width = max(width, len(result.Fixture))
	}
	p.line()
	for _, result := range p.Results {
		status := "-"
		if result.Exchange.Response != nil {
			status = strconv.Itoa(result.Exchange.Response.Status)
		}
		p.line(mark(result.Status), says("%-*s  %-8s  %3s  %7.1f ms", width, result.Fixture, result.Expect, status, result.Exchange.DurationMs))
	}
}

// clause is a clause with what it weighs and where it stands.
func (r Report) clause(id string) string {
	for _, c := range r.Clauses {
		if c.ID == id {
			return fmt.Sprintf("%s (%s)", id, strings.Trim(c.Level+", "+c.Section, ", "))
		}
	}
	return id
}
