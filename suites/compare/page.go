package compare

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/internal/webpage"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
)

//go:embed page.html page.css
var assets embed.FS

// WriteHTML writes one page that needs no network and no script.
func WriteHTML(w io.Writer, c Comparison) error {
	view := newHTMLPage(c)
	return webpage.Write(w, "the comparison as HTML", assets, view, &view.Frame)
}

// htmlPage is a comparison as page.html shows it. Every text in it is visible
// already: the template only has to escape markup.
type htmlPage struct {
	webpage.Frame

	Outcome, Reason, Contract string
	Judges                    string // a warning, or ""
	Columns                   []htmlColumn
	Changes                   []htmlChange
	Clauses                   []htmlClause
	Silences                  []htmlSilence
	Gaps                      []htmlList
	Blanks                    string     // the columns in which nothing was judged, or ""
	Marks                     []htmlCell // the legend of the matrix
	Same                      int        // rows of the matrix
}

type htmlColumn struct {
	Key, Name, Role, Verdict, Tally, File, At, Started string
}

type htmlChange struct {
	Title, Status string
	Items         []htmlItem
}

type htmlItem struct {
	ID, Where, Arrow, Message string
	Fixtures                  htmlList
}

// htmlList is a number of fixtures behind a line that says how many.
type htmlList struct {
	Title string
	IDs   []string
}

type htmlClause struct {
	ID, Where, Text string
	Same            bool
	Cells           []htmlCell
}

type htmlCell struct {
	Status, Label string
	Findings      int
	Differs       bool // from the first column
}

type htmlSilence struct {
	ID, Section, Text string
	Same              bool
	Answers           []Answer
	Rows              []htmlDifference
}

type htmlDifference struct {
	Fixtures []string
	Cells    []htmlCell // Label is the answer, or its status where that tells the columns apart
	Full     bool
}

func newHTMLPage(c Comparison) *htmlPage {
	p := &htmlPage{
		Outcome: strings.ReplaceAll(string(c.Outcome), "-", " "), Reason: words.Line(c.Reason),
		Judges: c.harnesses(), Blanks: c.blanks(),
		Contract: words.Line(c.Contract.String()),
	}
	p.Title = p.Outcome + ": " + p.Contract
	for i, column := range c.Columns {
		h := htmlColumn{
			Key: column.Key, Name: words.Line(column.Name), Verdict: words.Line(column.Verdict), Tally: tally(column),
			File: words.Line(column.File), At: words.Line(column.BaseURL), Started: column.Started.UTC().Format("2006-01-02 15:04 UTC"),
		}
		if c.Kind == Since {
			h.Role = []string{"before", "after"}[i]
		}
		p.Columns = append(p.Columns, h)
	}
	for _, clause := range c.Clauses {
		p.Clauses = append(p.Clauses, newHTMLClause(c, clause))
		if clause.Same {
			p.Same++
		}
	}
	for _, status := range c.present(c.Clauses) {
		p.Marks = append(p.Marks, htmlCell{Status: string(status), Label: words.Mark(status).Text})
	}
	for _, s := range c.Silences {
		p.Silences = append(p.Silences, newHTMLSilence(s))
	}
	for _, g := range c.NotCompared {
		p.Gaps = append(p.Gaps, newHTMLList(g.Reason+": ", g.Fixtures))
	}
	p.Changes = htmlChanges(c)
	return p
}

func newHTMLClause(comparison Comparison, c Clause) htmlClause {
	h := htmlClause{ID: words.Line(c.ID), Where: words.Line(words.LevelAt(c.Level, words.Where(c.Section, c.Source))), Text: words.Line(c.Text), Same: c.Same}
	for i, cell := range c.Cells {
		if comparison.Columns[i].Blank {
			h.Cells = append(h.Cells, htmlCell{Status: string(judge.Unjudged), Label: unjudged})
			continue
		}
		h.Cells = append(h.Cells, htmlCell{Status: words.Line(cell.Status), Label: words.Mark(cell.Status).Text, Findings: cell.Findings})
	}
	return h
}

func newHTMLSilence(s Silence) htmlSilence {
	h := htmlSilence{ID: words.Line(s.Clause), Section: words.Line(words.Where(s.Section, s.Source)), Text: words.Line(s.Text), Same: s.Same}
	for _, a := range s.Answers {
		h.Answers = append(h.Answers, Answer{words.Cut(a.Answer, answerWidth), a.Fixtures})
	}
	for _, g := range groups(s.Differences) {
		row := htmlDifference{}
		for _, id := range g.fixtures {
			row.Fixtures = append(row.Fixtures, words.Line(id))
		}
		labels := codes(g.answers)
		if row.Full = distinct(labels) < distinct(g.answers); row.Full {
			labels = g.answers
		}
		first := slices.IndexFunc(g.answers, func(answer string) bool { return answer != "" })
		for i, answer := range g.answers {
			row.Cells = append(row.Cells, htmlCell{Label: words.Cut(cmp.Or(labels[i], unjudged), answerWidth), Differs: answer != "" && answer != g.answers[first]})
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

func newHTMLList(before string, ids []string) htmlList {
	l := htmlList{Title: words.Line(before) + judge.Number(len(ids), "fixture")}
	for _, id := range ids {
		l.IDs = append(l.IDs, words.Line(id))
	}
	return l
}

// htmlChanges are what changed, the worst first, as a page is read from its top.
func htmlChanges(c Comparison) []htmlChange {
	var list []htmlChange
	for _, kind := range c.changes() {
		change := htmlChange{Title: strings.ToUpper(kind.title[:1]) + kind.title[1:], Status: kind.status}
		for _, s := range kind.shifts {
			change.Items = append(change.Items, htmlItem{
				ID: words.Line(s.Clause), Where: words.Line(words.LevelAt(s.Level, words.Where(s.Section, s.Source))), Arrow: words.Line(arrow(s.Before, s.After)),
				Message: words.Line(s.sentence()), Fixtures: newHTMLList("in ", s.Fixtures),
			})
		}
		for _, m := range kind.moves {
			change.Items = append(change.Items, htmlItem{ID: words.Line(m.Clause), Arrow: words.Line(arrow(m.Before, m.After))})
		}
		for _, s := range kind.silences {
			for _, g := range groups(s.Differences) {
				change.Items = append(change.Items, htmlItem{
					ID: words.Line(s.Clause), Where: words.Line(words.Where(s.Section, s.Source)),
					Arrow:    fmt.Sprintf("%s → %s", words.Cut(g.answers[0], answerWidth), words.Cut(g.answers[1], answerWidth)),
					Fixtures: newHTMLList("in ", g.fixtures),
				})
			}
		}
		list = append(list, change)
	}
	return list
}
