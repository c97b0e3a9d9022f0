// Package console writes a report for a person who reads a terminal or the log of a CI system.
package console

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Detail is how much the console shows.
type Detail int

// The details: only the verdict, the problems, or every fixture as well.
const (
	Quiet Detail = iota
	Normal
	Verbose
)

// Printer writes reports for a person.
type Printer struct {
	Color  bool
	Detail Detail
}

// Write writes the report. What matters most comes last, because a terminal shows the end. The
// verdict is the last line.
func (c Printer) Write(w io.Writer, r result.Report) error {
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
		if text := words.Hint(r); text != "" {
			p.Wrapped("hint: "+text, 0)
		}
	}
	p.Line(words.ColorOf(words.Shade(r)).Of(r.Headline), terminal.Plain.Of(": "+r.Reason))
	return terminal.WriteText(w, "to the console", p.String())
}

// page builds the console text of a report.
type page struct {
	terminal.Printer
	result.Report
	all bool // Detail is Verbose: no list is shortened
}

func (p *page) head() {
	what := cmp.Or(p.Contract.String(), "a contract without a title")
	at := p.Target.BaseURL
	if who := p.Implementation.String(); who != "" {
		at = who + " at " + at
	}
	rest := " · " + at
	if p.Run.Seed != 0 { // recorded traffic has no seed
		rest += fmt.Sprintf(" · seed %d", p.Run.Seed)
	}
	if p.Run.Strict {
		rest += " · strict"
	}
	p.Line(terminal.Bold.Of(what), terminal.Plain.Of(rest))
}

func (p *page) results() {
	width := lists.Max(p.Results, func(one result.Result) int { return len(one.Fixture) })
	p.Line()
	for _, result := range p.Results {
		status := "-"
		if result.Exchange.Response != nil {
			status = strconv.Itoa(result.Exchange.Response.Status)
		}
		sign := words.Mark(result.Shown())
		sign.Text += " "
		p.Line(sign, terminal.Says("%-*s  %-8s  %3s  %7.1f ms", width, result.Fixture, result.Expect, status, result.Exchange.DurationMs))
	}
}

// row prints evidence after its name, if there is any.
func (p *page) row(name, text string) {
	p.lines(name, terminal.Broken(terminal.Visible(text), rowIndent))
}

const rowIndent = len("    123456789 ")

// lines prints the lines of a text, the first one after its name.
func (p *page) lines(name string, lines []string) {
	for _, line := range lines {
		p.Line(terminal.Faint.Of(fmt.Sprintf("    %-9s ", name)), terminal.Plain.Of(line))
		name = ""
	}
}

// coverage prints what the verdict is based on: the must-clauses by status, the names of the
// untested ones, and the fixtures.
func (p *page) coverage() {
	clauses, ids := words.CountClauses(p.Report)
	p.Line()
	p.Line(terminal.Plain.Of(clauses))
	p.untested("vacuous: the condition never occurred", ids[verdict.ClauseVacuous])
	p.untested("unexercised: no fixture of this run tests them", ids[verdict.ClauseUnexercised])
	p.Line(terminal.Says("%s, in %.2f s", p.Counts.String(), p.Run.DurationMs/1000))
	if why := words.Excused(p.Report); why.Text != "" { // no mark, because excused results do not change the verdict
		p.Wrapped(why.Text, 0)
		if p.all {
			p.ids(why.Fixtures)
		}
	}
	p.controls()
	p.left()
	unreached := words.Unreached(p.Report, p.all)
	for _, text := range unreached {
		if strings.HasPrefix(text, "not reached: ") {
			p.Marked(terminal.Yellow.Of("? "), terminal.Filled(text, 2))
		} else {
			p.Wrapped(text, 0)
		}
	}
	if !slices.Equal(unreached, words.Unreached(p.Report, true)) {
		p.Line(terminal.Says("--verbose lists all operations that were not reached"))
	}
}

// left prints the clean-up commands that failed: what the run created may still exist.
func (p *page) left() {
	steps := p.Left()
	if len(steps) == 0 {
		return
	}
	answers := map[string]int{}
	for _, step := range steps {
		answers[words.AnswerInWords(step.Exchange)]++
	}
	got := slices.Sorted(maps.Keys(answers))
	if len(got) > 1 {
		got = lists.Map(got, func(answer string) string { return fmt.Sprintf("%s (%d)", answer, answers[answer]) })
	}
	p.Line(terminal.Yellow.Of("! "), terminal.Says("%s got %s; what the run created may still be there:", judge.Number(len(steps), "clean-up request"), strings.Join(got, ", ")))
	const few = 10
	for i, step := range steps {
		if i == few && !p.all {
			p.Line(terminal.Says("  and %d more, which --verbose lists", len(steps)-few))
			return
		}
		for _, line := range terminal.VisibleLines(step.Curl) {
			p.Line(terminal.Says("  %s", line))
		}
	}
}

func (p *page) untested(why string, clauses []string) {
	if len(clauses) > 0 {
		p.Line(terminal.Yellow.Of("? "), terminal.Plain.Of(why))
		p.ids(clauses)
	}
}

// observations prints how the target answers where the contract is silent. Unless Detail is
// Verbose, it shows the answers of several operations together.
func (p *page) observations() {
	list := p.Observations
	if !p.all {
		list = words.Gathered(list)
	}
	if len(list) == 0 {
		return
	}
	told := few(p, list, mostQuestions)
	width := lists.Max(told, func(o verdict.Answers) int { return len(o.Clause) })
	p.Section("where the contract is silent")
	for _, o := range told {
		if width > terminal.Columns/2 {
			p.Marked(terminal.Plain.Of("· "), terminal.Filled(string(o.Clause)+": "+strings.Join(words.Answers(o, p.all), ", "), 2))
			continue
		}
		clause, taken := fmt.Sprintf("· %-*s  ", width, o.Clause), width+4 // with the dot and the spaces
		for _, line := range terminal.Folded(words.Answers(o, p.all), taken) {
			p.Line(terminal.Says("%-*s%s", taken, clause, line))
			clause = ""
		}
	}
	p.more(len(list)-len(told), "question")
}

// unjudged prints why fixtures could not be judged, each reason once.
func (p *page) unjudged() {
	list := words.Unjudged(p.Report)
	told := few(p, list, mostReasons)
	for i, why := range told {
		if i == 0 {
			p.Section("unjudged")
		}
		p.Marked(terminal.Yellow.Of("? "), terminal.Filled(why.Text+words.Several(why.Fixtures), 2))
		p.ids(why.Fixtures)
	}
	p.more(len(list)-len(told), "reason")
}

// ids prints some of the ids, or all of them if Detail is Verbose.
func (p *page) ids(list []string) {
	text := words.Some(list)
	if p.all {
		text = strings.Join(list, ", ")
	}
	p.Wrapped(text, 4)
}

// controls prints the requests that were sent in addition to the fixtures.
func (p *page) controls() {
	list := lists.Map(p.Controls, func(c result.Result) string { return c.Fixture })
	if len(list) > 0 {
		p.Wrapped("sent as controls, not counted: "+words.Some(list), 0)
	}
	if text := words.Explored(p.Report); text != "" {
		p.Wrapped(text, 0)
	}
}
