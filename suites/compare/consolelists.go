package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/report/terminal"
)

// wide says whether there are more columns than fit a terminal. Then each row
// has a line for each answer, which names those who gave it, and the most common
// one needs no names.
func (p *page) wide() bool {
	const fit = 10
	return len(p.Columns) > fit
}

// first is the first column in which something was judged.
func (p *page) first() int {
	return max(0, slices.IndexFunc(p.Columns, func(c Column) bool { return !c.Blank }))
}

func (p *page) clauseLists(rows []Clause) {
	p.Section("clauses")
	for _, c := range rows {
		p.Line(terminal.Says("  %s (%s)", c.ID, where(c.Level, c.Section)))
		statuses := make([]string, len(c.Cells))
		for i, cell := range c.Cells {
			if !p.Columns[i].Blank {
				statuses[i] = cell.Status
			}
		}
		p.list(statuses, 4, func(status string) (terminal.Span, string) { return mark(status), "" })
	}
}

func (p *page) silenceLists(s Silence) {
	p.Section(strings.TrimSpace(fmt.Sprintf("%s (%s)", s.Clause, s.Section)))
	p.Wrapped(s.Text, 2)
	if s.Same {
		for _, a := range s.Answers {
			p.Line(terminal.Says("  %s in %s", short(a.Answer, answerWidth), number(a.Fixtures[p.first()], "fixture")))
		}
	}
	for _, g := range groups(s.Differences) {
		for _, f := range byFolder(g.fixtures) {
			p.folder(f)
		}
		p.list(g.answers, 5, func(answer string) (terminal.Span, string) {
			return terminal.Span{}, short(answer, answerWidth) + ": "
		})
	}
}

func (p *page) folder(f folder) {
	if !p.all {
		p.Line(terminal.Says("  ≠ %s", f))
		return
	}
	for _, id := range f.ids {
		p.Line(terminal.Says("  ≠ %s", id))
	}
}

// list says who has which text: the rarest first, as that is where to look, and
// the most common last. An empty text is none.
func (p *page) list(texts []string, indent int, head func(string) (terminal.Span, string)) {
	split := slices.DeleteFunc(splitBy(texts), func(a agreeing) bool { return a.text == "" })
	slices.SortStableFunc(split, func(a, b agreeing) int { return cmp.Compare(len(a.columns), len(b.columns)) })
	for i, a := range split {
		who := keys(a.columns)
		switch {
		case len(split) == 1:
			who = "all"
		case i == len(split)-1:
			who = fmt.Sprintf("%d others", len(a.columns))
			if len(a.columns) == 1 {
				who = keys(a.columns)
			}
		}
		span, text := head(a.text)
		lines := terminal.Folded(strings.Split(text+who, ", "), indent+2)
		p.Line(terminal.Plain.Of(strings.Repeat(" ", indent)), span, terminal.Says(" %s", lines[0]))
		for _, line := range lines[1:] {
			p.Line(terminal.Says("%*s%s", indent+2, "", line))
		}
	}
}
