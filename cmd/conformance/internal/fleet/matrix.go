package fleet

import (
	"errors"
	"io"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
)

// Matrix sets what the runs against several targets came to side by side, as
// `conformance compare` does.
type Matrix struct {
	Files      *output.Files
	comparison *compare.Comparison // that the outputs write
}

func newMatrix() Matrix {
	m := Matrix{Files: &output.Files{}, comparison: &compare.Comparison{}}
	m.Files.Formats = ComparisonFormats(m.comparison)
	return m
}

// Flag asks for a matrix.
func (m Matrix) Flag() cli.Flag {
	f := cli.List("matrix", "FORMAT=PATH", "write a matrix over all --targets as "+strings.Join(m.Files.FormatNames(), " or ")+"; the path - is standard output", m.Files.Take)
	f.Locate = settings.NamedBeside
	return f
}

// ComparisonFormats are those of a comparison. They write the one that there is
// by then, and ignore the report that they are given.
func ComparisonFormats(c *compare.Comparison) []report.Format {
	write := func(f func(io.Writer, compare.Comparison) error) func(io.Writer, result.Report) error {
		return func(w io.Writer, _ result.Report) error { return f(w, *c) }
	}
	return []report.Format{
		{Name: "json", Write: write(compare.WriteJSON)},
		{Name: "html", Write: write(compare.WriteHTML)},
	}
}

// write compares the reports, if there are several, in files and on the console.
func (m Matrix) write(sources []compare.Source, files, screen io.Writer, view compare.Console) error {
	if len(sources) < 2 {
		return nil
	}
	var err error
	if *m.comparison, err = compare.New(sources); err != nil {
		return err
	}
	lost := m.Files.Write(result.Report{}, files)
	if view.Detail > console.Quiet {
		lost = errors.Join(lost, view.Write(screen, *m.comparison))
	}
	return lost
}

// slim leaves of a report what a comparison rests on. There may be hundreds, and
// each might hold as much as its target cared to send.
func slim(r result.Report) result.Report {
	results := make([]result.Result, len(r.Results))
	for i, kept := range r.Results {
		kept.Exchange.Request, kept.Curl, kept.Alone = result.Request{}, "", nil
		if response := kept.Exchange.Response; response != nil {
			kept.Exchange.Response = &result.Response{Status: response.Status, Headers: map[string][]string{}}
			if types, ok := response.Headers["Content-Type"]; ok {
				kept.Exchange.Response.Headers["Content-Type"] = types
			}
		}
		results[i] = kept
	}
	r.Results = results
	return r
}
