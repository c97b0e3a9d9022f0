package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
		{Name: "badge", Write: WriteBadge},
		{Name: "ctrf", Write: WriteCTRF},
		{Name: "github", Write: WriteGitHub},
		{Name: "har", Write: WriteHAR},
		{Name: "html", Write: WriteHTML},
		{Name: "json", Write: result.WriteJSON},
		{Name: "junit", Write: WriteJUnit},
		{Name: "markdown", Write: WriteMarkdown},
		{Name: "ndjson", Write: result.WriteNDJSON, Event: result.WriteEvent},
		{Name: "sarif", Write: WriteSARIF},
	}
}

// FormatNamed finds a format among some, or says which there are.
func FormatNamed(name string, formats []Format) (Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		var names []string
		for _, f := range formats {
			names = append(names, f.Name)
		}
		return Format{}, fmt.Errorf("report format %q is unknown; there are %s", name, strings.Join(names[:len(names)-1], ", ")+" and "+names[len(names)-1])
	}
	return formats[i], nil
}
