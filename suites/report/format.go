package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
)

// Format is a way to write a report.
type Format struct {
	Name  string
	Write func(io.Writer, Report) error
	// Event writes it piece by piece while the run goes on. It is nil where
	// that cannot be.
	Event func(io.Writer, Event) error
}

// Formats are those that a report file can have, by name.
func Formats() []Format {
	return []Format{
		{Name: "badge", Write: WriteBadge},
		{Name: "ctrf", Write: WriteCTRF},
		{Name: "github", Write: WriteGitHub},
		{Name: "har", Write: WriteHAR},
		{Name: "html", Write: WriteHTML},
		{Name: "json", Write: WriteJSON},
		{Name: "junit", Write: WriteJUnit},
		{Name: "markdown", Write: WriteMarkdown},
		{Name: "ndjson", Write: WriteNDJSON, Event: WriteEvent},
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

// WriteJSON writes the stable format, as report.schema.json describes it.
func WriteJSON(w io.Writer, r Report) error {
	return writeJSON(w, "JSON", "  ", r)
}

// writeJSON writes what a report of that name consists of. What a CI system
// would obey if it stood in a step's output is escaped, which a reader of JSON
// does not see. It is written in one piece.
func writeJSON(w io.Writer, name, indent string, content any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a report shows what was sent, not \u003c for it
	encoder.SetIndent("", indent)
	err := encoder.Encode(content)
	if err == nil {
		_, err = w.Write(terminal.Defuse(text.Bytes(), `\u005b`))
	}
	if err != nil {
		return fmt.Errorf("writing the %s report: %w", name, err)
	}
	return nil
}
