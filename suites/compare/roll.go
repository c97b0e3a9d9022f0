package compare

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// Roll is what a console shows of reports that come in one by one: a line for
// each, under the key that it will have in the comparison of all.
type Roll struct {
	Names []string // of all, in the order of the columns
	Color bool
}

// Head is the line above them: the contract, and what else there is to say.
func (r Roll) Head(c report.Contract, subject string) string {
	p := terminal.Printer{Color: r.Color}
	p.Line(contractSpan(c), terminal.Says(" · %s", subject))
	return p.String()
}

// Line is that of one report: the verdict, and what it rests on.
func (r Roll) Line(column int, of report.Report) string {
	width := 0
	for _, name := range r.Names {
		width = max(width, utf8.RuneCountInString(short(name, nameWidth)))
	}
	rest := fmt.Sprintf("%s, in %.2f s", of.Counts, of.Run.DurationMs/1000)
	if of.Verdict != string(judge.Conformant) && of.Counts.Failed == 0 {
		rest = of.Reason // which the counts do not show
	}
	p := terminal.Printer{Color: r.Color}
	p.Line(
		keySpan(column), terminal.Says("%s%-*s  ", gapAfter(column, len(r.Names)), width, short(r.Names[column], nameWidth)),
		verdictColor(of.Verdict).Of(fmt.Sprintf("%-*s", len(judge.Nonconformant), of.Verdict)),
		terminal.Says("  %s", rest))
	return p.String()
}

func contractSpan(c report.Contract) terminal.Span {
	return terminal.Bold.Of(strings.TrimSpace(short(c.Title+" "+c.Version, answerWidth)))
}

func keySpan(column int) terminal.Span { return terminal.Bold.Of(key(column)) }

// gapAfter is what follows a key, so that names stand below each other.
func gapAfter(column, columns int) string {
	return strings.Repeat(" ", len(key(columns-1))-len(key(column))+2)
}

func verdictColor(verdict string) terminal.Color {
	switch judge.Verdict(verdict) {
	case judge.Conformant:
		return terminal.Green
	case judge.Nonconformant:
		return terminal.Red
	case judge.Inconclusive:
	}
	return terminal.Yellow
}
