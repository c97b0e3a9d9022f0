package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is a way to write a report.
type Format struct {
	Name  string
	Write func(io.Writer, Report) error
}

// Formats are those that a report file can have, by name.
func Formats() []Format {
	return []Format{
		{"html", WriteHTML},
		{"json", WriteJSON},
		{"junit", WriteJUnit},
	}
}

// FormatNamed finds a format, or says which there are.
func FormatNamed(name string) (Format, error) {
	formats := Formats()
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		var names []string
		for _, f := range formats {
			names = append(names, f.Name)
		}
		return Format{}, fmt.Errorf("report format %q is unknown; there are %s", name, strings.Join(names, " and "))
	}
	return formats[i], nil
}

// WriteJSON writes the stable format, as report.schema.json describes it.
func WriteJSON(w io.Writer, r Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // a report shows what was sent, not \u003c for it
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("writing the JSON report: %w", err)
	}
	return nil
}
