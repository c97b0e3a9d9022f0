package main

import (
	"errors"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites/report"
)

// outputs are the reports that the flags ask for, each opened before anything
// is sent.
type outputs struct {
	files  []*report.File
	stdout []report.Format
}

// openReports prepares every report, or none.
func openReports(list []string) (outputs, error) {
	var o outputs
	for _, text := range list {
		if err := o.open(text); err != nil {
			o.discard()
			return outputs{}, err
		}
	}
	return o, nil
}

func (o *outputs) open(text string) error {
	name, path, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return usagef("--report is %q; write it as FORMAT=PATH, such as json=report.json", text)
	}
	format, err := report.FormatNamed(name)
	if err != nil {
		return usagef("--report: %w", err)
	}
	if path == "-" {
		if len(o.stdout) > 0 {
			return usagef("--report: only one report can go to standard output")
		}
		o.stdout = append(o.stdout, format)
		return nil
	}
	for _, f := range o.files {
		if f.Path() == path {
			return usagef("--report: two reports would be written to %s", path)
		}
	}
	f, err := report.Create(format, path)
	if err != nil {
		return usagef("--report: %w", err)
	}
	o.files = append(o.files, f)
	return nil
}

func (o *outputs) discard() {
	for _, f := range o.files {
		f.Discard()
	}
}

// write writes all of them, as many as can be.
func (o *outputs) write(r report.Report, stdout io.Writer) error {
	var faults []error
	for _, f := range o.files {
		faults = append(faults, f.Write(r))
	}
	for _, format := range o.stdout {
		faults = append(faults, format.Write(stdout, r))
	}
	return errors.Join(faults...)
}
