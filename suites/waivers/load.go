package waivers

import (
	"errors"
	"fmt"
	"os"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/suites/judge"
)

// LoadFile reads the waivers of a file. The error names file, line and column
// of what is wrong.
func LoadFile(path string) ([]judge.Waiver, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	return Parse(path, data)
}

// Parse reads waivers. name is what the file is called in errors and reports.
// Every fault is told, not the first.
func Parse(name string, data []byte) ([]judge.Waiver, error) {
	root, err := document.Parse(name, data)
	if err != nil {
		return nil, err //nolint:wrapcheck // names its file
	}
	if root.Kind != document.Array {
		return nil, root.Errorf("expected a list of waivers (- match: …), found %s", root.Kind) //nolint:wrapcheck // names its file
	}
	var list []judge.Waiver
	var faults []error
	for _, item := range root.Items {
		w, err := decode(item)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, w)
	}
	return list, errors.Join(faults...)
}

func decode(item *document.Node) (judge.Waiver, error) {
	w := judge.Waiver{Source: fmt.Sprintf("%s:%d", item.File(), item.Line)}
	fields, err := item.Fields("match", "fixtures", "message", "place", "reason", "owner", "until")
	if err != nil {
		return w, err //nolint:wrapcheck // names its file
	}
	match, err := fields.Required("match")
	if err != nil {
		return w, err //nolint:wrapcheck // names its file
	}
	w.Pattern = fixtures.NewPattern(match)
	if w.Narrowing, err = decodeNarrowing(fields); err != nil {
		return w, err
	}
	if w.Reason, err = fields.Required("reason"); err != nil {
		return w, err //nolint:wrapcheck // names its file
	}
	if w.Owner, err = fields.Required("owner"); err != nil {
		return w, err //nolint:wrapcheck // names its file
	}
	w.Until, err = decodeUntil(fields)
	return w, err
}

// decodeNarrowing gives what narrows the waiver, each part of which may be left out.
func decodeNarrowing(fields document.Fields) (judge.Narrowing, error) {
	var c judge.Narrowing
	for _, part := range []struct {
		key  string
		into *fixtures.Pattern
	}{{"fixtures", &c.Fixtures}, {"message", &c.Message}, {"place", &c.Place}} {
		if fields.Get(part.key) == nil {
			continue
		}
		text, err := fields.Required(part.key)
		if err != nil {
			return c, err //nolint:wrapcheck // names its file
		}
		*part.into = fixtures.NewPattern(text)
	}
	return c, nil
}

// decodeUntil gives the last day, or zero where there is none.
func decodeUntil(fields document.Fields) (judge.Day, error) {
	text, err := fields.String("until")
	if err != nil || fields.Get("until") == nil {
		return judge.Day{}, err //nolint:wrapcheck // names its file
	}
	var until judge.Day
	if until.UnmarshalText([]byte(text)) != nil || until.IsZero() {
		return until, fields.Get("until").Errorf("until is %q; write the last day as 2027-03-31", text) //nolint:wrapcheck // names its file
	}
	return until, nil
}
