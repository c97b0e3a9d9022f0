package compare

import (
	"github.com/plantstore/conformance/suites/internal/words"

	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Roll is what a console shows of reports that come in one by one: a line for
// each, under the key that it will have in the comparison of all.
type Roll struct {
	Names []string // of all, in the order of the columns
	Color bool
}

// Head is the line above them: the contract, and what else there is to say.
func (r Roll) Head(c result.Contract, subject string) string {
	p := terminal.Printer{Color: r.Color}
	p.Line(contractSpan(c), terminal.Says(" · %s", subject))
	return p.String()
}

// Line is that of one report: the verdict, and what it rests on, which goes below
// the name where the line has no room for it.
func (r Roll) Line(column int, of result.Report) string {
	width := 0
	for _, name := range r.Names {
		width = max(width, utf8.RuneCountInString(words.Cut(name, nameWidth)))
	}
	gap := gapAfter(column, len(r.Names))
	line := []terminal.Span{
		keySpan(column), terminal.Says("%s%-*s  ", gap, width, words.Cut(r.Names[column], nameWidth)),
		words.ColorOf(words.Shade(of)).Of(fmt.Sprintf("%-*s", len(judge.Nonconformant), of.Verdict)),
	}
	taken := 2
	for _, s := range line {
		taken += utf8.RuneCountInString(s.Text)
	}
	p := terminal.Printer{Color: r.Color}
	rest := basis(of)
	if taken+utf8.RuneCountInString(rest) <= terminal.Columns {
		p.Line(append(line, terminal.Says("  %s", rest))...)
		return p.String()
	}
	p.Line(line...)
	p.Wrapped(rest, len(key(column))+len(gap))
	return p.String()
}

// Foot is the line below them: how many things of that noun there are, and how
// many have which verdict.
func (r Roll) Foot(noun string, verdicts []judge.Verdict) string {
	return countVerdicts(noun, verdicts) + "\n"
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

func keySpan(column int) terminal.Span { return terminal.Bold.Of(key(column)) }

// gapAfter is what follows a key, so that names stand below each other.
func gapAfter(column, columns int) string {
	return strings.Repeat(" ", len(key(columns-1))-len(key(column))+2)
}
