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

	// RowsOnly leaves out what is above the rows and below them: who is
	// compared, and the outcome. A [TargetSummary] has shown who.
	RowsOnly bool
}

// Write writes the comparison: the outcome is the last line. Verbose shows the
// rows on which all agree as well, and every fixture by itself.
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

// page is a comparison on its way to the console.
type page struct {
	*terminal.Printer
	Comparison
	all bool
}

// outcome is the last line.
func (p *page) outcome(detail console.Detail) {
	if detail > console.Quiet {
		p.Line()
	}
	colors := map[Outcome]terminal.Color{Compared: terminal.Bold, NoRegression: terminal.Green, Regression: terminal.Red, Inconclusive: terminal.Yellow}
	p.Line(colors[p.Outcome].Of(spoken(p.Outcome)), terminal.Plain.Of(": "+p.Reason))
}

// spoken is an outcome as people write it.
func spoken(o Outcome) string { return strings.ReplaceAll(string(o), "-", " ") }

// head says what is compared: one line for each column.
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

// note is a warning, in as many lines as it takes.
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

// tally is what a run came to, apart from its verdict.
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
	if !p.all {
		p.Wrapped(strings.Join(words.ByFolder(ids, 0), ", "), 4)
		return
	}
	for _, id := range ids {
		p.Line(terminal.Says("    %s", id))
	}
}

// names are those of folders with the number of fixtures, or of all fixtures by
// folder.
func (p *page) names(ids []string) []string {
	if !p.all {
		return words.ByFolder(ids, 0)
	}
	var list []string
	for _, f := range words.Folders(ids) {
		list = append(list, f.Items...)
	}
	return list
}

// change tells what changed, the worst last, as that is what a terminal shows.
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

// TargetSummary is what a console shows while the reports of targets come in: a row for
// each, under the key that it will have in the comparison of all.
type TargetSummary struct {
	Names []string // of all, in the order of the columns
	Color bool
}

// Header is the line above the rows: the contract, and what else there is to say.
func (s TargetSummary) Header(c result.Contract, subject string) string {
	p := terminal.Printer{Color: s.Color}
	p.Line(contractSpan(c), terminal.Says(" · %s", subject))
	return p.String()
}

// Row is that of one report: the verdict, and what it rests on, which goes below
// the name if the line has no room for it.
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

// Footer is the line below the rows: how many targets there are, and how many have which
// verdict.
func (s TargetSummary) Footer(verdicts []verdict.Verdict) string {
	counts := map[verdict.Verdict]int{}
	for _, v := range verdicts {
		counts[v]++
	}
	var parts []string
	for _, v := range []verdict.Verdict{verdict.Conformant, verdict.Nonconformant, verdict.Inconclusive} {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return judge.Number(len(verdicts), "target") + ": " + strings.Join(parts, ", ") + "\n"
}

// basis is what a verdict rests on: the counts, or where they do not show it the
// reason.
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

// label is the key and the name of one of the columns, as wide as the widest of them.
func label(column int, names []string) []terminal.Span {
	width := lists.Max(names, func(name string) int { return utf8.RuneCountInString(words.Cut(name, nameWidth)) })
	short := key(column)
	gap := keyWidth(names) - len(short)
	return []terminal.Span{terminal.Bold.Of(short), terminal.Says("%*s%-*s  ", gap, "", width, words.Cut(names[column], nameWidth))}
}

// keyWidth is the width of the widest key, and of the gap after it.
func keyWidth(names []string) int { return len(key(len(names)-1)) + 2 }
