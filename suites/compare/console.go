package compare

import (
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/words"
)

// Console writes a comparison for a person.
type Console struct {
	Color  bool
	Detail words.Detail

	// RowsOnly leaves out what is above the rows and below them: who is
	// compared, and the outcome. A [Roll] has shown who.
	RowsOnly bool
}

// Write writes the comparison: the outcome is the last line. Verbose shows the
// rows on which all agree as well, and every fixture by itself.
func (c Console) Write(w io.Writer, comparison Comparison) error {
	p := &page{Printer: &terminal.Printer{Color: c.Color}, Comparison: comparison, all: c.Detail == words.Verbose}
	if c.Detail > words.Quiet {
		if !c.RowsOnly {
			p.head()
		}
		if p.Change == nil || p.all {
			p.clauses()
			p.silences()
		}
		p.change()
		p.gaps()
	}
	if !c.RowsOnly {
		p.outcome(c.Detail)
	}
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing to the console: %w", err)
	}
	return nil
}

// page is a comparison on its way to the console.
type page struct {
	*terminal.Printer
	Comparison
	all bool
}

// outcome is the last line.
func (p *page) outcome(detail words.Detail) {
	if detail > words.Quiet {
		p.Line()
	}
	colors := map[Outcome]terminal.Color{Compared: terminal.Bold, NoRegression: terminal.Green, Regression: terminal.Red, Inconclusive: terminal.Yellow}
	p.Line(colors[p.Outcome].Of(strings.ReplaceAll(string(p.Outcome), "-", " ")), terminal.Plain.Of(": "+p.Reason))
}

// head says what is compared: one line for each column.
func (p *page) head() {
	p.Line(contractSpan(p.Contract), terminal.Says(" · %s", p.subject()))
	width := 0
	names := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		names[i] = short(c.Name, nameWidth)
		width = max(width, len([]rune(names[i])))
	}
	for i, c := range p.Columns {
		spans := []terminal.Span{
			keySpan(i), terminal.Says("%s%-*s  ", gapAfter(i, len(p.Columns)), width, names[i]), verdictColor(c.Verdict).Of(string(c.Verdict)), terminal.Plain.Of(tally(c)),
		}
		if p.Change != nil {
			spans = append([]terminal.Span{terminal.Says("%-8s", []string{"before", "after"}[i])}, spans...)
		}
		p.Line(spans...)
	}
	if text := p.harnesses(); text != "" {
		p.note(text)
	}
}

// note is a warning, in as many lines as it takes.
func (p *page) note(text string) {
	lines := terminal.Folded(strings.Split(text, ", "), 2)
	p.Line(terminal.Yellow.Of("? "), terminal.Plain.Of(lines[0]))
	for _, line := range lines[1:] {
		p.Line(terminal.Says("  %s", line))
	}
}

func (p *page) subject() string {
	text := judge.Number(len(p.Columns), "implementation")
	if p.Change != nil {
		text = "what changed"
	}
	text += fmt.Sprintf(" · %s compared", judge.Number(p.Compared, "fixture"))
	if p.Strict {
		text += " · strict"
	}
	return text
}

// tally is what a run came to beside its verdict.
func tally(c Column) string {
	var parts []string
	for _, n := range []struct {
		count int
		word  string
	}{{c.Counts.Failed, "failed"}, {c.Counts.Waived, "waived"}, {c.Counts.Warned, "warned"}, {c.Counts.Excused, "skipped"}, {c.Counts.Unjudged - c.Counts.Excused, "unjudged"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	if !c.Complete {
		parts = append(parts, "cut off")
	}
	if c.Partial {
		parts = append(parts, "only some fixtures")
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// gaps tells what not all are compared by.
func (p *page) gaps() {
	nothing := p.blanks()
	if len(p.NotCompared) == 0 && nothing == "" {
		return
	}
	p.Section("not judged by all")
	if nothing != "" {
		p.note(nothing)
	}
	for _, g := range p.NotCompared {
		p.note(fmt.Sprintf("%s: %s", judge.Number(len(g.Fixtures), "fixture"), g.Reason))
		p.fixtures(g.Fixtures)
	}
}

// fixtures names them by folder, or one by one.
func (p *page) fixtures(ids []string) {
	if p.all {
		for _, id := range ids {
			p.Line(terminal.Says("    %s", id))
		}
		return
	}
	var names []string
	for _, f := range byFolder(ids) {
		names = append(names, f.String())
	}
	p.Wrapped(strings.Join(names, ", "), 4)
}

// where is a clause's weight and section.
func where(level spec.Level, section string) string {
	return strings.Trim(string(level)+", "+section, ", ")
}
