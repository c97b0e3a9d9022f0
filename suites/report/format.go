package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/report/badge"
	"github.com/plantstore/conformance/suites/report/ctrf"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/report/har"
	"github.com/plantstore/conformance/suites/report/html"
	"github.com/plantstore/conformance/suites/report/junit"
	"github.com/plantstore/conformance/suites/report/markdown"
	"github.com/plantstore/conformance/suites/report/sarif"
	"github.com/plantstore/conformance/suites/result"
)

// Format is a way to write a report.
type Format struct {
	Name  string
	Write func(io.Writer, result.Report) error
	// Event writes it piece by piece while the run goes on. It is nil where
	// that cannot be.
	Event func(io.Writer, result.Event) error
}

// Formats are those that a report file can have, by name.
func Formats() []Format {
	return []Format{
		{Name: "badge", Write: badge.Write},
		{Name: "ctrf", Write: ctrf.Write},
		{Name: "github", Write: github.Write},
		{Name: "har", Write: har.Write},
		{Name: "html", Write: html.Write},
		{Name: "json", Write: result.WriteJSON},
		{Name: "junit", Write: junit.Write},
		{Name: "markdown", Write: markdown.Write},
		{Name: "ndjson", Write: result.WriteNDJSON, Event: result.WriteEvent},
		{Name: "sarif", Write: sarif.Write},
	}
}

// FormatNamed finds a format among some, or says which there are.
func FormatNamed(name string, formats []Format) (Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		names := lists.Map(formats, func(f Format) string { return f.Name })
		return Format{}, fmt.Errorf("report format %q is unknown; there are %s", name, strings.Join(names[:len(names)-1], ", ")+" and "+names[len(names)-1])
	}
	return formats[i], nil
}

// Visible makes a text that came from a target harmless to look at, on a screen
// and in the log of a CI system: what does not show as a character of its own
// becomes an escape, as in \n, \x1b or \u202e.
func Visible(text string) string { return words.Visible(text) }

// VisibleLines does so with each line of a text.
func VisibleLines(text string) []string { return terminal.VisibleLines(text) }
