package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
)

// clauses shows who keeps what. Rows that are alike and hold nothing against
// anybody are only counted.
func (p *page) clauses() {
	var rows []Clause
	alike := map[judge.ClauseStatus]int{}
	for _, c := range p.Clauses {
		if c.Same && !c.held() && !p.all {
			alike[c.Cells[p.first()].Status]++
			continue
		}
		rows = append(rows, c)
	}
	if p.wide() {
		p.clauseLists(rows)
	} else {
		p.clauseGrid(rows)
	}
	p.alike(alike, len(rows) > 0)
	if len(rows) > 0 {
		p.legend(rows)
	}
}

func (p *page) clauseGrid(rows []Clause) {
	var cells [][]string
	for _, c := range rows {
		var texts []string
		for _, mark := range p.marks(c) {
			texts = append(texts, mark.Text)
		}
		cells = append(cells, texts)
	}
	g := newGrid(p.Printer, p.Columns, cells...)
	g.head("clauses")
	for _, c := range rows {
		g.row(terminal.Says("  %s (%s)", c.ID, where(c.Level, c.Section)), p.marks(c))
	}
}

// marks are the statuses, and in how many fixtures where findings rest on them.
func (p *page) marks(c Clause) []terminal.Span {
	var list []terminal.Span
	for i, cell := range c.Cells {
		s := mark(cell.Status)
		switch {
		case p.Columns[i].Blank:
			s = terminal.Faint.Of(unjudged)
		case cell.Findings > 0:
			s.Text += strconv.Itoa(cell.Findings)
		}
		list = append(list, s)
	}
	return list
}

func (p *page) alike(counts map[judge.ClauseStatus]int, others bool) {
	total := 0
	var words []string
	for _, status := range statuses() {
		if n := counts[status]; n > 0 {
			total += n
			words = append(words, fmt.Sprintf("%d %s", n, status))
		}
	}
	if total == 0 {
		return
	}
	rest := ""
	if others {
		rest = " other"
	}
	noun := "clauses are"
	if total == 1 {
		noun = "clause is"
	}
	p.Line(terminal.Faint.Of(fmt.Sprintf("  %d%s %s the same for all: %s", total, rest, noun, strings.Join(words, ", "))))
}

// statuses are those of a clause, the best first.
func statuses() []judge.ClauseStatus {
	return []judge.ClauseStatus{
		judge.ClausePassed, judge.ClauseWarned, judge.ClauseWaived, judge.ClauseFailed,
		judge.ClauseVacuous, judge.ClauseUnexercised, Absent,
	}
}

// legend explains the marks that are there.
func (p *page) legend(rows []Clause) {
	var words []string
	for _, status := range p.present(rows) {
		words = append(words, mark(status).Text+" "+string(status))
	}
	if !p.wide() && slices.ContainsFunc(rows, Clause.held) {
		words = append(words, "with the number of fixtures that found it")
	}
	p.Line(terminal.Faint.Of("  " + strings.Join(words, ", ")))
}

// present are the statuses that occur where something was judged.
func (c Comparison) present(rows []Clause) []judge.ClauseStatus {
	seen := map[judge.ClauseStatus]bool{}
	for _, row := range rows {
		for i, cell := range row.Cells {
			if !c.Columns[i].Blank {
				seen[cell.Status] = true
			}
		}
	}
	return slices.DeleteFunc(statuses(), func(status judge.ClauseStatus) bool { return !seen[status] })
}

// silences shows who answers how: of each question how often which answer was
// given, and then the fixtures that are not answered alike.
func (p *page) silences() {
	same := 0
	differ := false
	for _, s := range p.Silences {
		if s.Same && !p.all {
			same++
			continue
		}
		if p.wide() {
			p.silenceLists(s)
		} else {
			p.silenceGrid(s)
		}
		differ = differ || !s.Same
	}
	if differ && !p.wide() {
		p.Line(terminal.Faint.Of("  × fixtures that got this answer, ≠ fixtures with different answers"))
	}
	if same > 0 {
		p.Line()
		p.Line(terminal.Faint.Of(fmt.Sprintf("%s that the contract leaves open: all answer the same", judge.Number(same, "more question"))))
	}
}

func (p *page) silenceGrid(s Silence) {
	rows := p.differing(s)
	cells := [][]string{}
	for _, a := range s.Answers {
		cells = append(cells, times(a.Fixtures))
	}
	for _, r := range rows {
		cells = append(cells, r.cells)
	}
	g := newGrid(p.Printer, p.Columns, cells...)
	g.head(strings.TrimSpace(fmt.Sprintf("%s (%s)", s.Clause, s.Section)))
	p.Wrapped(s.Text, 2)
	for i, a := range s.Answers {
		if !p.all && uniform(s) {
			break
		}
		g.row(terminal.Says("  %s", short(a.Answer, answerWidth)), spans(cells[i]))
	}
	for _, r := range rows {
		g.row(terminal.Says("  ≠ %s", r.name), spans(r.cells))
		if r.note != "" {
			p.Wrapped(r.note, 6)
		}
	}
}

// uniform says whether all fixtures of a question got the same answers, so that
// to count them says no more than the fixtures do.
func uniform(s Silence) bool {
	return len(s.Differences) == s.Fixtures && len(groups(s.Differences)) == 1
}

func times(counts []int) []string {
	var texts []string
	for _, n := range counts {
		text := "·"
		if n > 0 {
			text = strconv.Itoa(n) + "×"
		}
		texts = append(texts, text)
	}
	return texts
}

func spans(texts []string) []terminal.Span {
	var list []terminal.Span
	for _, text := range texts {
		if text == "·" {
			list = append(list, terminal.Faint.Of(text))
		} else {
			list = append(list, terminal.Plain.Of(text))
		}
	}
	return list
}

// differingRow is a number of fixtures of one folder that got the same answers.
type differingRow struct {
	name  string
	cells []string // the status of each answer
	note  string   // the answers in full, where the statuses do not tell them apart
}

func (p *page) differing(s Silence) []differingRow {
	var rows []differingRow
	for _, group := range groups(s.Differences) {
		row := differingRow{cells: codes(group.answers)}
		if !sameSplit(row.cells, group.answers) {
			row.note = p.inFull(group.answers)
		}
		for _, f := range byFolder(group.fixtures) {
			row.name = f.String()
			if !p.all {
				rows = append(rows, row)
				continue
			}
			for _, id := range f.ids {
				row.name = id
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// differences are fixtures that got the same answers.
type differences struct {
	answers  []string
	fixtures []string
}

func groups(list []Difference) []differences {
	var out []differences
	for _, d := range list {
		i := slices.IndexFunc(out, func(g differences) bool { return slices.Equal(g.answers, d.Answers) })
		if i < 0 {
			i = len(out)
			out = append(out, differences{answers: d.Answers})
		}
		out[i].fixtures = append(out[i].fixtures, d.Fixture)
	}
	return out
}

// codes are the statuses alone, which fit into a cell.
func codes(answers []string) []string {
	var list []string
	for _, answer := range answers {
		code, _, _ := strings.Cut(cmp.Or(answer, unjudged), " ")
		list = append(list, strings.TrimSuffix(code, ","))
	}
	return list
}

// unjudged stands where a report has not judged a fixture.
const unjudged = "-"

// sameSplit says whether two lists tell the columns apart in the same way.
func sameSplit(a, b []string) bool {
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return true
}

// inFull tells who gave which answer.
func (p *page) inFull(answers []string) string {
	var parts []string
	for _, a := range splitBy(answers) {
		if a.text != "" {
			parts = append(parts, fmt.Sprintf("%s: %s", keys(a.columns), short(a.text, answerWidth)))
		}
	}
	return strings.Join(parts, "; ")
}
