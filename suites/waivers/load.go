package waivers

import (
	"errors"
	"fmt"
	"os"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/suites/verdict"
)

// LoadFile reads the waivers of a file. The error names file, line and column
// of what is wrong.
func LoadFile(path string) ([]verdict.Waiver, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	return Parse(path, data)
}

// Parse reads waivers. name is what the file is called in errors and reports.
// Every fault is told, not the first.
func Parse(name string, data []byte) ([]verdict.Waiver, error) {
	root, err := document.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if root.Kind != document.Array {
		return nil, root.Errorf("expected a list of waivers (- match: …), found %s", root.Kind)
	}
	var list []verdict.Waiver
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

func decode(item *document.Node) (verdict.Waiver, error) {
	w := verdict.Waiver{Source: fmt.Sprintf("%s:%d", item.File(), item.Line)}
	fields := item.Fields("match", "fixtures", "message", "place", "reason", "owner", "until")
	w.Pattern = fixtures.NewPattern(fields.Required("match"))
	w.Narrowing = verdict.Narrowing{Fixtures: optional(fields, "fixtures"), Message: optional(fields, "message"), Place: optional(fields, "place")}
	w.Reason = fields.Required("reason")
	w.Owner = fields.Required("owner")
	until := fields.String("until")
	if fields.Get("until") != nil && (w.Until.UnmarshalText([]byte(until)) != nil || w.Until.IsZero()) {
		fields.Errorf("until", "until is %q; write the last day as 2027-03-31", until)
	}
	return w, fields.Err()
}

// optional reads one of the patterns that narrow the waiver. It is zero if there is none.
func optional(fields *document.Fields, key string) (p fixtures.Pattern) {
	if fields.Get(key) != nil {
		p = fixtures.NewPattern(fields.Required(key))
	}
	return p
}
