package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// matrix prints the clauses and the silences, if the columns fit a terminal.
func (p *page) matrix() {
	const fit = 10
	if n := len(p.Columns); n > fit {
		p.Line()
		p.Line(terminal.Says("%d columns do not fit a terminal; HTML shows the matrix", n))
		return
	}
	p.clauses()
	p.silences()
}

// clauses prints which report satisfies which clause. Rows with the same status in all columns
// and without findings are only counted.
func (p *page) clauses() {
	var rows []Clause
	var cells [][]terminal.Span
	alike := map[verdict.ClauseStatus]int{}
	judged := max(0, slices.IndexFunc(p.Columns, func(c Column) bool { return !c.Blank }))
	for _, c := range p.Clauses {
		if c.Same && !c.held() && !p.all {
			alike[c.Cells[judged].Status]++
			continue
		}
		rows, cells = append(rows, c), append(cells, p.marks(c))
	}
	g := newGrid(p.Printer, p.Columns, cells...)
	g.head("clauses")
	for i, c := range rows {
		g.row(terminal.Says("  %s (%s)", c.ID, words.LevelAt(c.Level, words.Where(c.Section, c.Source))), cells[i])
	}
	p.alike(alike, len(rows) > 0)
	if len(rows) > 0 {
		p.legend(rows)
	}
}

// marks returns the status of each cell, with the number of fixtures that have findings.
func (p *page) marks(c Clause) []terminal.Span {
	var list []terminal.Span
	for i, cell := range c.Cells {
		s := words.Mark(cell.Status)
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

func (p *page) alike(counts map[verdict.ClauseStatus]int, others bool) {
	total := lists.Sum(statuses(), func(status verdict.ClauseStatus) int { return counts[status] })
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
	p.Line(terminal.Faint.Of(fmt.Sprintf("  %d%s %s the same for all: %s", total, rest, noun, strings.Join(judge.Numbers(counts, statuses()...), ", "))))
}

// statuses returns the statuses of a clause, the best first.
func statuses() []verdict.ClauseStatus {
	return []verdict.ClauseStatus{
		verdict.ClausePassed, verdict.ClauseWarned, verdict.ClauseWaived, verdict.ClauseFailed,
		verdict.ClauseVacuous, verdict.ClauseUnexercised, Absent,
	}
}

func (p *page) legend(rows []Clause) {
	parts := lists.Map(p.present(rows), func(s verdict.ClauseStatus) string { return words.Mark(s).Text + " " + string(s) })
	if slices.ContainsFunc(rows, Clause.held) {
		parts = append(parts, "with the number of fixtures that found it")
	}
	p.Line(terminal.Faint.Of("  " + strings.Join(parts, ", ")))
}

// present returns the statuses that occur in columns that are not blank.
func (c Comparison) present(rows []Clause) []verdict.ClauseStatus {
	seen := map[verdict.ClauseStatus]bool{}
	for _, row := range rows {
		for i, cell := range row.Cells {
			if !c.Columns[i].Blank {
				seen[cell.Status] = true
			}
		}
	}
	return lists.Filter(statuses(), func(status verdict.ClauseStatus) bool { return seen[status] })
}

// silences prints the answers to open questions. For each question, it shows how often each
// answer was given, and then the fixtures with different answers.
func (p *page) silences() {
	same := 0
	differ := false
	for _, s := range p.Silences {
		if s.Same && !p.all {
			same++
			continue
		}
		p.silenceGrid(s)
		differ = differ || !s.Same
	}
	if differ {
		p.Line(terminal.Faint.Of("  × fixtures that got this answer, ≠ fixtures with different answers"))
	}
	if same > 0 {
		p.Line()
		p.Line(terminal.Faint.Of(fmt.Sprintf("%s that the contract leaves open: all answer the same", judge.Number(same, "more question"))))
	}
}

func (p *page) silenceGrid(s Silence) {
	rows := p.differing(s)
	cells := lists.Map(s.Answers, Answer.times)
	for _, r := range rows {
		cells = append(cells, r.cells)
	}
	g := newGrid(p.Printer, p.Columns, cells...)
	g.head(strings.TrimSpace(fmt.Sprintf("%s (%s)", s.Clause, words.Where(s.Section, s.Source))))
	p.Wrapped(s.Text, 2)
	// If all fixtures got the same answers, counts add nothing to the list of fixtures.
	uniform := len(s.Differences) == s.Fixtures && len(groups(s.Differences)) == 1
	for i, a := range s.Answers {
		if !p.all && uniform {
			break
		}
		g.row(terminal.Says("  %s", words.Cut(a.Answer, answerWidth)), cells[i])
	}
	for _, r := range rows {
		g.row(terminal.Says("  ≠ %s", r.name), r.cells)
		if r.note != "" {
			p.Wrapped(r.note, 6)
		}
	}
}

// times returns the cells of an answer: how many fixtures got it, by column.
func (a Answer) times() []terminal.Span {
	return lists.Map(a.Fixtures, func(n int) terminal.Span {
		if n == 0 {
			return terminal.Faint.Of("·")
		}
		return terminal.Plain.Of(strconv.Itoa(n) + "×")
	})
}

// differingRow is a row for a folder of fixtures that got the same answers, or for one of them.
type differingRow struct {
	name  string
	cells []terminal.Span // the status of each answer
	note  string          // the answers in full, if the statuses alone do not distinguish them
}

func (p *page) differing(s Silence) []differingRow {
	var rows []differingRow
	for _, group := range groups(s.Differences) {
		row := differingRow{cells: lists.Map(group.Codes(), terminal.Plain.Of)}
		if group.InFull() {
			row.note = p.inFull(group.Answers)
		}
		for _, row.name = range p.names(group.Fixtures) {
			rows = append(rows, row)
		}
	}
	return rows
}

// differences is a group of fixtures that got the same answers.
type differences struct {
	Answers  []string
	Fixtures []string
}

func groups(list []Difference) []differences {
	alike := lists.Groups(list, func(d Difference) string { return strings.Join(d.Answers, "\n") })
	return lists.Map(alike, func(g lists.Group[string, Difference]) differences {
		return differences{g.Items[0].Answers, lists.Map(g.Items, func(d Difference) string { return d.Fixture })}
	})
}

// Codes returns the statuses without the rest of the answers, because they fit into a cell.
func (d differences) Codes() []string {
	return lists.Map(d.Answers, func(answer string) string {
		code, _, _ := strings.Cut(cmp.Or(answer, unjudged), " ")
		return strings.TrimSuffix(code, ",")
	})
}

// InFull reports whether the statuses alone do not distinguish the answers.
func (d differences) InFull() bool {
	return len(lists.Unique(d.Codes())) < len(lists.Unique(d.Answers))
}

// First returns the first answer that is not empty.
func (d differences) First() string { return cmp.Or(d.Answers...) }

// unjudged is shown if a report did not judge a fixture.
const unjudged = "-"

// inFull returns which columns gave which answer.
func (p *page) inFull(answers []string) string {
	var parts []string
	for _, a := range splitBy(answers) {
		if a.Key != "" {
			parts = append(parts, fmt.Sprintf("%s: %s", keys(a.Items), words.Cut(a.Key, answerWidth)))
		}
	}
	return strings.Join(parts, "; ")
}

// grid is a table with one narrow column for each report, at the right.
type grid struct {
	*terminal.Printer
	keys []terminal.Span
	cell int // width of a cell, including the gap before it
}

func newGrid(p *terminal.Printer, columns []Column, cells ...[]terminal.Span) grid {
	g := grid{Printer: p, keys: lists.Map(columns, func(c Column) terminal.Span { return terminal.Bold.Of(c.Key) })}
	const gap = 2
	for _, row := range append(cells, g.keys) {
		for _, cell := range row {
			g.cell = max(g.cell, utf8.RuneCountInString(cell.Text)+gap)
		}
	}
	return g
}

// label returns the maximum width of a row name.
func (g grid) label() int {
	const least = 20
	return max(terminal.Columns-len(g.keys)*g.cell, least)
}

func (g grid) head(title string) {
	g.Line()
	g.row(terminal.Bold.Of(title), g.keys)
}

// row prints a name and a cell for each column. A name that is too long goes on a separate line.
func (g grid) row(name terminal.Span, cells []terminal.Span) {
	name.Text = words.Visible(name.Text)
	width := utf8.RuneCountInString(name.Text)
	if width > g.label() {
		g.Line(name)
		name, width = terminal.Span{}, 0
	}
	spans := []terminal.Span{name, terminal.Plain.Of(strings.Repeat(" ", g.label()-width))}
	for _, c := range cells {
		c.Text = strings.Repeat(" ", max(g.cell-utf8.RuneCountInString(c.Text), 0)) + c.Text
		spans = append(spans, c)
	}
	g.Line(spans...)
}
