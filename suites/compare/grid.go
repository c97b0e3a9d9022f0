package compare

import (
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/report"
)

// grid is a table with one narrow column for each report, at the right.
type grid struct {
	*printer
	keys []string
	cell int // width of a cell, the gap before it included
}

func newGrid(p *printer, columns []Column, cells ...[]string) grid {
	g := grid{printer: p}
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
	return max(lineWidth-len(g.keys)*g.cell, least)
}

// head names the columns.
func (g grid) head(title string) {
	g.line()
	spans := g.named(bold.of(title))
	for _, k := range g.keys {
		spans = append(spans, g.right(bold.of(k)))
	}
	g.line(spans...)
}

// row is a name and a cell for each column. A name that is too long has a line
// of its own.
func (g grid) row(name span, cells []span) {
	spans := g.named(name)
	for _, c := range cells {
		spans = append(spans, g.right(c))
	}
	g.line(spans...)
}

func (g grid) named(name span) []span {
	name.text = report.Visible(name.text)
	width := utf8.RuneCountInString(name.text)
	if width > g.label() {
		g.line(name)
		name, width = span{}, 0
	}
	return []span{name, plain.of(strings.Repeat(" ", g.label()-width))}
}

func (g grid) right(s span) span {
	s.text = strings.Repeat(" ", max(g.cell-utf8.RuneCountInString(s.text), 0)) + s.text
	return s
}
