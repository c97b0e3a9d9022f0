package report

import (
	"fmt"
	"io"
	"slices"
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

// evidenceWidth is how many characters of a body or an answer a line shows.
const evidenceWidth = 160

// Write writes the report, failures first, the verdict last.
func (c Console) Write(r Report) error {
	p := &printer{color: c.Color}
	if c.Detail > Quiet {
		p.head(r)
		if c.Detail == Verbose {
			p.results(r)
		}
		p.failures(r)
		p.unjudged(r)
		p.warnings(r)
		p.observations(r)
		p.coverage(r)
	}
	p.verdict(r)
	if _, err := io.WriteString(c.Out, p.String()); err != nil {
		return fmt.Errorf("writing to the console: %w", err)
	}
	return nil
}

type printer struct {
	strings.Builder
	color bool
}

// The colours, as SGR parameters (ECMA-48 §8.3.117).
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
	bold   = "1"
)

func (p *printer) paint(sgr, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *printer) head(r Report) {
	who := r.Target.BaseURL
	if r.Implementation.Name != "" {
		who = strings.TrimSpace(r.Implementation.Name+" "+r.Implementation.Version) + " at " + who
	}
	p.line("%s %s · %s · seed %d", p.paint(bold, r.Contract.Title), r.Contract.Version, Visible(who), r.Run.Seed)
}

func (p *printer) results(r Report) {
	p.line("")
	marks := map[string]string{
		string(judge.Passed): p.paint(green, "✓"), string(judge.Failed): p.paint(red, "✗"),
		string(judge.Warned): p.paint(yellow, "!"), string(judge.Unjudged): p.paint(yellow, "?"),
	}
	for _, result := range r.Results {
		answer := "-"
		if result.Exchange.Response != nil {
			answer = fmt.Sprint(result.Exchange.Response.Status)
		}
		p.line("%s %-46s %-8s %4s %8.1f ms", marks[result.Status], result.Fixture, result.Expect, answer, result.Exchange.DurationMs)
	}
}

func (p *printer) failures(r Report) {
	clauses := clausesByID(r)
	for _, result := range r.Results {
		violations := bySeverity(result, judge.Violation)
		if len(violations) == 0 {
			continue
		}
		first := violations[0]
		p.line("")
		p.line("%s %s   breaks %s", p.paint(red, "✗"), p.paint(bold, result.Fixture), label(clauses[first.Clause]))
		p.row("sent", sent(result))
		if place := first.place(); place != "" {
			p.row("at", place)
		}
		p.row("expected", first.Expected)
		p.row("got", got(first, result))
		for _, f := range violations[1:] {
			p.row("also", fmt.Sprintf("%s: %s; got %s", label(clauses[f.Clause]), finding(f), f.Actual))
		}
		p.command(result.Curl)
	}
}

// row is one line of a failure. What a target sent is made harmless here.
func (p *printer) row(name, text string) {
	p.line("    %s %s", p.paint(faint, fmt.Sprintf("%-9s", name)), cut(Visible(text), evidenceWidth))
}

// command is a row that is never cut: it is there to be copied.
func (p *printer) command(curl string) {
	p.line("    %s %s", p.paint(faint, fmt.Sprintf("%-9s", "replay")), Visible(curl))
}

func sent(r Result) string {
	switch body := r.Exchange.Request.Body; {
	case body.Encoding != "":
		return fmt.Sprintf("%s: %d bytes that are no text", r.Title, len(body.Body)*3/4)
	case body.Body == "":
		return r.Title
	default:
		return r.Title + ": " + body.Body
	}
}

// got says what came, with the message where the evidence needs one.
func got(f Finding, r Result) string {
	if r.Exchange.Response == nil {
		return f.Message
	}
	if r.Exchange.Failure != "" || f.Offset >= 0 {
		return f.Actual + "  (" + finding(f) + ")"
	}
	return f.Actual
}

// finding is the message with its place as the subject.
func finding(f Finding) string {
	switch {
	case f.Pointer != "":
		return f.Pointer + " " + f.Message
	case f.Offset >= 0:
		return "the body " + f.Message
	}
	return f.Message
}

func (p *printer) unjudged(r Report) {
	p.list(r, "unjudged", yellow, "?", func(result Result) []string {
		if result.Status != string(judge.Unjudged) {
			return nil
		}
		return []string{result.Reason}
	})
}

func (p *printer) warnings(r Report) {
	p.list(r, "warnings", yellow, "!", func(result Result) []string {
		var lines []string
		for _, f := range bySeverity(result, judge.Warning) {
			lines = append(lines, f.Clause+": "+finding(f)+"; got "+f.Actual)
		}
		return lines
	})
}

// list prints lines about fixtures, those that say the same once.
func (p *printer) list(r Report, title, sgr, mark string, lines func(Result) []string) {
	var order []string
	fixtures := map[string][]string{}
	for _, result := range r.Results {
		for _, line := range lines(result) {
			if fixtures[line] == nil {
				order = append(order, line)
			}
			fixtures[line] = append(fixtures[line], result.Fixture)
		}
	}
	if len(order) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint(bold, title))
	for _, line := range order {
		p.line("%s %s", p.paint(sgr, mark), cut(Visible(line), evidenceWidth))
		p.line("    %s", p.paint(faint, some(fixtures[line])))
	}
}

// some names a few fixtures and counts the rest.
func some(ids []string) string {
	const shown = 3
	if len(ids) <= shown {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:shown], ", "), len(ids)-shown)
}

func (p *printer) observations(r Report) {
	if len(r.Observations) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint(bold, "where the contract is silent"))
	for _, o := range r.Observations {
		var answers []string
		for _, a := range o.Answers {
			answers = append(answers, fmt.Sprintf("%s (%d)", Visible(a.Answer), len(a.Fixtures)))
		}
		p.line("· %-44s %s", o.Clause, cut(strings.Join(answers, ", "), evidenceWidth))
	}
}

// coverage says what the verdict rests on: must-clauses by status.
func (p *printer) coverage(r Report) {
	count := map[string]int{}
	total := 0
	for _, c := range r.Clauses {
		if c.Level == "must" {
			total++
			count[c.Status]++
		}
	}
	var words []string
	for _, status := range []judge.ClauseStatus{judge.ClausePassed, judge.ClauseFailed, judge.ClauseVacuous, judge.ClauseUnexercised} {
		if n := count[string(status)]; n > 0 || status == judge.ClausePassed {
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	p.line("")
	p.line("%d must-clauses: %s", total, strings.Join(words, ", "))
	c := r.Counts
	p.line("%d fixtures: %d passed, %d failed, %d warned, %d unjudged, in %.2f s", c.Fixtures, c.Passed, c.Failed, c.Warned, c.Unjudged, r.Run.DurationMs/1000)
}

func (p *printer) verdict(r Report) {
	sgr := map[string]string{string(judge.Conformant): green, string(judge.Nonconformant): red, string(judge.Inconclusive): yellow}[r.Verdict]
	p.line("%s: %s", p.paint(sgr+";"+bold, r.Verdict), Visible(r.Reason))
}

func clausesByID(r Report) map[string]Clause {
	clauses := map[string]Clause{}
	for _, c := range r.Clauses {
		clauses[c.ID] = c
	}
	return clauses
}

func label(c Clause) string { return fmt.Sprintf("%s (%s, %s)", c.ID, c.Level, c.Section) }

func bySeverity(r Result, severity judge.Severity) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Severity != string(severity) })
}
