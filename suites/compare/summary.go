package compare

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

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
	line := append(label(column, s.Names), words.ColorOf(words.Shade(of)).Of(fmt.Sprintf("%-*s", len(judge.Nonconformant), of.Verdict)))
	taken := 2
	for _, span := range line {
		taken += utf8.RuneCountInString(span.Text)
	}
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
func (s TargetSummary) Footer(verdicts []judge.Verdict) string {
	counts := map[judge.Verdict]int{}
	for _, verdict := range verdicts {
		counts[verdict]++
	}
	var parts []string
	for _, verdict := range []judge.Verdict{judge.Conformant, judge.Nonconformant, judge.Inconclusive} {
		if n := counts[verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	return judge.Number(len(verdicts), "target") + ": " + strings.Join(parts, ", ") + "\n"
}

// basis is what a verdict rests on: the counts, or where they do not show it the
// reason.
func basis(r result.Report) string {
	if r.Verdict != judge.Conformant && r.Counts.Failed == 0 {
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
	width := 0
	for _, name := range names {
		width = max(width, utf8.RuneCountInString(words.Cut(name, nameWidth)))
	}
	short := key(column)
	gap := keyWidth(names) - len(short)
	return []terminal.Span{terminal.Bold.Of(short), terminal.Says("%*s%-*s  ", gap, "", width, words.Cut(names[column], nameWidth))}
}

// keyWidth is the width of the widest key, and of the gap after it.
func keyWidth(names []string) int { return len(key(len(names)-1)) + 2 }
