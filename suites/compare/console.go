package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Console writes a comparison for a person.
type Console struct {
	Color  bool
	Detail console.Detail

	// RowsOnly leaves out the lines above and below the rows: what is compared, and the outcome.
	// It is for use after a [TargetSummary], which has shown the targets.
	RowsOnly bool
}

// Write writes the comparison. The outcome is the last line. With Verbose, it also shows the
// rows on which all reports agree, and each fixture separately.
func (c Console) Write(w io.Writer, comparison Comparison) error {
	p := &page{Printer: &terminal.Printer{Color: c.Color}, Comparison: comparison, all: c.Detail == console.Verbose}
	if c.Detail > console.Quiet {
		if !c.RowsOnly {
			p.head()
		}
		if p.Change == nil || p.all {
			p.matrix()
		}
		p.change()
		p.gaps()
	}
	if !c.RowsOnly {
		p.outcome(c.Detail)
	}
	return terminal.WriteText(w, "to the console", p.String())
}

// page builds the console text of a comparison.
type page struct {
	*terminal.Printer
	Comparison
	all bool
}

func (p *page) outcome(detail console.Detail) {
	if detail > console.Quiet {
		p.Line()
	}
	colors := map[Outcome]terminal.Color{Compared: terminal.Bold, NoRegression: terminal.Green, Regression: terminal.Red, Inconclusive: terminal.Yellow}
	p.Line(colors[p.Outcome].Of(spoken(p.Outcome)), terminal.Plain.Of(": "+p.Reason))
}

// spoken returns an outcome as people write it.
func spoken(o Outcome) string { return strings.ReplaceAll(string(o), "-", " ") }

// head prints what is compared, with one line for each column.
func (p *page) head() {
	p.Line(contractSpan(p.Contract), terminal.Says(" · %s", p.subject()))
	names := lists.Map(p.Columns, func(c Column) string { return c.Name })
	for i, c := range p.Columns {
		spans := append(label(i, names), words.ColorOf(c.Verdict).Of(string(c.Verdict)), terminal.Plain.Of(tally(c)))
		if p.Change != nil {
			spans = append([]terminal.Span{terminal.Says("%-8s", []string{"before", "after"}[i])}, spans...)
		}
		p.Line(spans...)
	}
	if text := p.harnesses(); text != "" {
		p.note(text)
	}
}

// note prints a warning, in as many lines as it needs.
func (p *page) note(text string) {
	p.Marked(terminal.Yellow.Of("? "), terminal.Folded(strings.Split(text, ", "), 2))
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

// tally returns the counts of fixtures that did not pass, and whether fixtures are missing.
func tally(c Column) string {
	parts := c.Counts.NotPassed()
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

// gaps prints the fixtures that not all reports judged, and why.
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
		if p.all {
			p.fixtures(g.Fixtures)
			continue
		}
		p.Wrapped(words.Some(words.ByFolder(g.Fixtures, 0)), 4)
	}
}

// fixtures prints the fixtures by folder, or one by one if Detail is Verbose.
func (p *page) fixtures(ids []string) {
	if !p.all {
		p.Wrapped(strings.Join(words.ByFolder(ids, 0), ", "), 4)
		return
	}
	for _, id := range ids {
		p.Line(terminal.Says("    %s", id))
	}
}

// names returns the folders with their number of fixtures, or all fixtures by folder if Detail
// is Verbose.
func (p *page) names(ids []string) []string {
	if !p.all {
		return words.ByFolder(ids, 0)
	}
	return slices.Concat(lists.Map(words.Folders(ids), func(f lists.Group[string, string]) []string { return f.Items })...)
}

// change prints what changed. The worst comes last, because a terminal shows the end.
func (p *page) change() {
	for _, c := range slices.Backward(p.changes()) {
		if c.Some() {
			p.Section(c.Title)
		}
		for _, s := range c.Shifts {
			p.Line(c.Mark, terminal.Bold.Of(string(s.Clause)), terminal.Says(" (%s)  %s", words.LevelAt(s.Level, words.Where(s.Section, s.Source)), arrow(s.Before, s.After)))
			p.Wrapped(words.Line(s.sentence()), 4)
			p.fixtures(s.Fixtures)
		}
		for _, m := range c.Moves {
			p.Line(c.Mark, terminal.Says("%s  %s", m.Clause, arrow(m.Before, m.After)))
		}
		for _, s := range c.Silences {
			p.Line(c.Mark, terminal.Bold.Of(string(s.Clause)), terminal.Says(" (%s)", words.Where(s.Section, s.Source)))
			for _, group := range groups(s.Differences) {
				p.Line(terminal.Says("    %s → %s", words.Cut(group.Answers[0], answerWidth), words.Cut(group.Answers[1], answerWidth)))
				p.fixtures(group.Fixtures)
			}
		}
	}
}

func arrow[T ~string](before, after T) string {
	if before == after {
		return fmt.Sprintf("still %s", after)
	}
	return fmt.Sprintf("%s → %s", before, after)
}

// TargetSummary prints a row for each target while the reports arrive. The key of a row is the
// key of the column in the comparison of all targets.
type TargetSummary struct {
	Names []string // of all targets, in the order of the columns
	Color bool
}

// Header returns the line above the rows: the contract and the subject.
func (s TargetSummary) Header(c result.Contract, subject string) string {
	p := terminal.Printer{Color: s.Color}
	p.Line(contractSpan(c), terminal.Says(" · %s", subject))
	return p.String()
}

// Row returns the row of one report: the verdict and its basis. If the basis does not fit on the
// line, it goes below the name.
func (s TargetSummary) Row(column int, of result.Report) string {
	line := append(label(column, s.Names), words.ColorOf(words.Shade(of)).Of(fmt.Sprintf("%-*s", len(verdict.Nonconformant), of.Verdict)))
	taken := 2 + lists.Sum(line, func(span terminal.Span) int { return utf8.RuneCountInString(span.Text) })
	p := terminal.Printer{Color: s.Color}
	rest := basis(of)
	if taken+utf8.RuneCountInString(rest) <= terminal.Columns {
		p.Line(append(line, terminal.Says("  %s", rest))...)
		return p.String()
	}
	p.Line(line...)
	p.Wrapped(rest, keyWidth(s.Names))
	return p.String()
}

// Footer returns the line below the rows: how many targets there are, in total and by verdict.
func (s TargetSummary) Footer(verdicts []verdict.Verdict) string {
	counts := lists.Tally(verdicts, func(v verdict.Verdict) verdict.Verdict { return v })
	parts := judge.Numbers(counts, verdict.Conformant, verdict.Nonconformant, verdict.Inconclusive)
	return judge.Number(len(verdicts), "target") + ": " + strings.Join(parts, ", ") + "\n"
}

// basis returns what a verdict is based on: the counts, or the reason if they do not explain it.
func basis(r result.Report) string {
	if r.Verdict != verdict.Conformant && r.Counts.Failed == 0 {
		return r.Reason
	}
	text := fmt.Sprintf("%s, in %.2f s", r.Counts, r.Run.DurationMs/1000)
	if !r.Run.Complete {
		text += ", cut off"
	}
	return text
}

func contractSpan(c result.Contract) terminal.Span {
	return terminal.Bold.Of(words.Cut(c.String(), answerWidth))
}

// label returns the key and the name of a column, padded to the width of the widest.
func label(column int, names []string) []terminal.Span {
	width := lists.Max(names, func(name string) int { return utf8.RuneCountInString(words.Cut(name, nameWidth)) })
	short := key(column)
	gap := keyWidth(names) - len(short)
	return []terminal.Span{terminal.Bold.Of(short), terminal.Says("%*s%-*s  ", gap, "", width, words.Cut(names[column], nameWidth))}
}

// keyWidth returns the width of the widest key, including the gap after it.
func keyWidth(names []string) int { return len(key(len(names)-1)) + 2 }
