package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
)

// first is the first column in which something was judged.
func (p *page) first() int {
	return max(0, slices.IndexFunc(p.Columns, func(c Column) bool { return !c.Blank }))
}

// clauseLists are for a wide comparison: each row has a line for each answer,
// which names those who gave it, and the most common one needs no names.
func (p *page) clauseLists(rows []Clause) {
	p.Section("clauses")
	for _, c := range rows {
		p.Line(terminal.Says("  %s (%s)", c.ID, where(c.Level, c.Section)))
		statuses := make([]string, len(c.Cells))
		for i, cell := range c.Cells {
			if !p.Columns[i].Blank {
				statuses[i] = string(cell.Status)
			}
		}
		p.list(statuses, 4, func(status string) (terminal.Span, string) { return mark(judge.ClauseStatus(status)), "" })
	}
}

func (p *page) silenceLists(s Silence) {
	p.Section(strings.TrimSpace(fmt.Sprintf("%s (%s)", s.Clause, s.Section)))
	p.Wrapped(s.Text, 2)
	if s.Same {
		for _, a := range s.Answers {
			p.Line(terminal.Says("  %s in %s", short(a.Answer, answerWidth), judge.Number(a.Fixtures[p.first()], "fixture")))
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

// list has a line for each text that the columns have.
func (p *page) list(texts []string, indent int, head func(string) (terminal.Span, string)) {
	for _, s := range sharesOf(texts) {
		span, text := head(s.text)
		lines := terminal.Folded(strings.Split(text+s.who, ", "), indent+2)
		p.Line(terminal.Plain.Of(strings.Repeat(" ", indent)), span, terminal.Says(" %s", lines[0]))
		for _, line := range lines[1:] {
			p.Line(terminal.Says("%*s%s", indent+2, "", line))
		}
	}
}
