package main

import (
	"errors"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/report"
)

// matrix sets what the runs against several targets came to side by side, as
// `conformance compare` does.
type matrix struct {
	outputs    *outputs
	comparison *compare.Comparison // that the outputs write
}

func newMatrix() matrix {
	m := matrix{outputs: &outputs{}, comparison: &compare.Comparison{}}
	m.outputs.formats = comparisonFormats(m.comparison)
	return m
}

func (m matrix) flag() flag {
	f := repeated("matrix", "FORMAT=PATH", "write a matrix over all --targets as "+strings.Join(m.outputs.formatNames(), " or ")+"; the path - is standard output", m.outputs.take)
	f.locate = locateReport
	return f
}

// write compares the reports, if there are several, in files and on the console.
func (m matrix) write(sources []compare.Source, files io.Writer, console compare.Console) error {
	if len(sources) < 2 {
		return nil
	}
	var err error
	if *m.comparison, err = compare.New(sources); err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	lost := m.outputs.write(report.Report{}, files)
	if console.Detail > report.Quiet {
		lost = errors.Join(lost, console.Write(*m.comparison))
	}
	return lost
}

// slim leaves of a report what a comparison rests on. There may be hundreds, and
// each might hold as much as its target cared to send.
func slim(r report.Report) report.Report {
	results := make([]report.Result, len(r.Results))
	for i, result := range r.Results {
		result.Exchange.Request, result.Curl, result.Alone = report.Request{}, "", nil
		if response := result.Exchange.Response; response != nil {
			result.Exchange.Response = &report.Response{Status: response.Status, Headers: map[string][]string{}}
			if types, ok := response.Headers["Content-Type"]; ok {
				result.Exchange.Response.Headers["Content-Type"] = types
			}
		}
		results[i] = result
	}
	r.Results = results
	return r
}
