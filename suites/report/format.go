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
	// Event writes one event during the run. It is nil if the format has no events.
	Event func(io.Writer, result.Event) error
}

// Formats returns the formats of report files, sorted by name.
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

// FormatNamed returns the format with that name, or an error that lists the names.
func FormatNamed(name string, formats []Format) (Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		names := lists.Map(formats, func(f Format) string { return f.Name })
		return Format{}, fmt.Errorf("report format %q is unknown; there are %s", name, strings.Join(names[:len(names)-1], ", ")+" and "+names[len(names)-1])
	}
	return formats[i], nil
}

// Visible makes text from a target harmless on a screen and in the log of a CI system.
// Characters that cannot be seen become escapes, as in \n, \x1b or \u202e.
func Visible(text string) string { return words.Visible(text) }

// VisibleLines applies [Visible] to each line of a text.
func VisibleLines(text string) []string { return terminal.VisibleLines(text) }
