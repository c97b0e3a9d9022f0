package compare

import (
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/report/words"
)

// grid is a table with one narrow column for each report, at the right.
type grid struct {
	*terminal.Printer
	keys []string
	cell int // width of a cell, the gap before it included
}

func newGrid(p *terminal.Printer, columns []Column, cells ...[]string) grid {
	g := grid{Printer: p}
	for _, c := range columns {
		g.keys = append(g.keys, c.Key)
	}
	const gap = 2
	for _, row := range append(cells, g.keys) {
		for _, text := range row {
			g.cell = max(g.cell, utf8.RuneCountInString(text)+gap)
		}
	}
	return g
}

// label is how wide the names of the rows may be.
func (g grid) label() int {
	const least = 20
	return max(terminal.Columns-len(g.keys)*g.cell, least)
}

// head names the columns.
func (g grid) head(title string) {
	g.Line()
	spans := g.named(terminal.Bold.Of(title))
	for _, k := range g.keys {
		spans = append(spans, g.right(terminal.Bold.Of(k)))
	}
	g.Line(spans...)
}

// row is a name and a cell for each column. A name that is too long has a line
// of its own.
func (g grid) row(name terminal.Span, cells []terminal.Span) {
	spans := g.named(name)
	for _, c := range cells {
		spans = append(spans, g.right(c))
	}
	g.Line(spans...)
}

func (g grid) named(name terminal.Span) []terminal.Span {
	name.Text = words.Visible(name.Text)
	width := utf8.RuneCountInString(name.Text)
	if width > g.label() {
		g.Line(name)
		name, width = terminal.Span{}, 0
	}
	return []terminal.Span{name, terminal.Plain.Of(strings.Repeat(" ", g.label()-width))}
}

func (g grid) right(s terminal.Span) terminal.Span {
	s.Text = strings.Repeat(" ", max(g.cell-utf8.RuneCountInString(s.Text), 0)) + s.Text
	return s
}
