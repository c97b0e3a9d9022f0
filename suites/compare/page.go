package compare

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/webpage"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

//go:embed page.html page.css
var assets embed.FS

// WriteHTML writes one page that needs no network and no script.
func WriteHTML(w io.Writer, c Comparison) error {
	p := &htmlPage{Comparison: c}
	p.Title = spoken(c.Outcome) + ": " + line(c.Contract)
	return webpage.Write(w, "the comparison as HTML", assets, template.FuncMap{
		"answer":    func(text string) string { return words.Cut(text, answerWidth) },
		"arrow":     arrow[verdict.ClauseStatus],
		"blanks":    Comparison.blanks,
		"capital":   func(text string) string { return strings.ToUpper(text[:1]) + text[1:] },
		"changes":   Comparison.changes,
		"groups":    groups,
		"harnesses": Comparison.harnesses,
		"levelAt":   words.LevelAt,
		"line":      line,
		"mark":      func(status verdict.ClauseStatus) string { return words.Mark(status).Text },
		"number":    judge.Number,
		"present":   Comparison.present,
		"same":      func(rows []Clause) int { return lists.Count(rows, func(c Clause) bool { return c.Same }) },
		"sentence":  Shift.sentence,
		"spoken":    spoken,
		"tally":     tally,
		"where":     words.Where,
	}, p, &p.Frame)
}

// htmlPage is the data of page.html. The template makes all text from other sources visible,
// with line or answer, and escapes markup.
type htmlPage struct {
	webpage.Frame
	Comparison
}

// line returns a value as one line of visible text.
func line(value any) string { return words.Line(fmt.Sprint(value)) }
