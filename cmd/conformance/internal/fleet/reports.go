package fleet

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
)

// targetPlaceholder is replaced by the name of a target in the path of a report.
const targetPlaceholder = "{target}"

// CheckSingle returns an error for settings that need several targets. It ignores a matrix in a
// configuration file if the file's targets are overridden.
func (o *Options) CheckSingle() error {
	if list := o.Matrix.Files.List; len(list) > 0 && (o.List.Text == "" || list[0].From.From != cli.ByFile) {
		return cli.Usagef("%s needs --targets; use `conformance compare` for existing reports", list[0].From.Name)
	}
	missing := "--targets, which is not given"
	if o.List.Text != "" {
		missing = "the targets of " + o.List.Text + ", which " + o.BaseURL.Name + " overrides"
	}
	for _, out := range o.View.Files.List {
		if !strings.Contains(out.Path, targetPlaceholder) {
			continue
		}
		wayOut := ""
		if out.From.From == cli.ByFile {
			wayOut = "; --report overrides it"
		}
		return cli.Usagef("%s %s: %s stands for the name of one of %s%s", out.From.Name, out.From.Text, targetPlaceholder, missing, wayOut)
	}
	return nil
}

// checkReports returns an error if several targets would write to the same file, or to standard
// output.
func (o *Options) checkReports() error {
	for _, out := range o.View.Files.List {
		switch {
		case out.Format.Name == output.GitHub && out.Path == output.Stdout:
			return cli.Usagef("%s %s is about one target, whose run a step shows; with --targets give a file for each, such as markdown=%s.md", out.From.Name, out.From.Text, targetPlaceholder)
		case out.Path == output.Stdout:
			return cli.Usagef("%s %s: there is one standard output for all targets; give each a file, such as %s=%s.%[3]s", out.From.Name, out.From.Text, out.Format.Name, targetPlaceholder)
		case !strings.Contains(out.Path, targetPlaceholder):
			return cli.Usagef("%s %s: every target would write to that path; put %s into it, which stands for the target's name", out.From.Name, out.From.Text, targetPlaceholder)
		}
	}
	return nil
}

// prepareReports sets the paths of each target's reports. It checks that all reports and the matrix
// can be written, and overwrite neither each other nor an input. It does not keep them open,
// because a process can open only a limited number of files.
func (r *Fleet) prepareReports() error {
	o := r.Options
	for _, t := range r.Targets {
		o.View.Files.Inputs = append(o.View.Files.Inputs, t.inputs...)
	}
	o.Matrix.Files.Inputs = o.View.Files.Inputs
	if err := o.Matrix.Files.Check(); err != nil {
		return err
	}
	taken := lists.Set(o.Matrix.Files.List, func(out output.File) string { return filepath.Clean(out.Path) })
	for _, t := range r.Targets {
		t.view.Files.List = slices.Clone(o.View.Files.List)
		t.view.Files.Inputs = o.View.Files.Inputs
		for i := range t.view.Files.List {
			out := &t.view.Files.List[i]
			out.Path = strings.ReplaceAll(out.Path, targetPlaceholder, t.Name)
			path := filepath.Clean(out.Path)
			if taken[path] {
				return cli.Usagef("%s: two reports would be written to %s; give each its own file", out.From.Name, out.Path)
			}
			taken[path] = true
		}
		if err := t.view.Files.Check(); err != nil {
			return err
		}
	}
	return nil
}

// file returns the path of the target's JSON or NDJSON report, which `conformance compare` can
// read. It returns "" without such a report.
func (t *Target) file() string {
	for _, out := range t.view.Files.List {
		if out.Format.Name == "json" || out.Format.Name == "ndjson" {
			return out.Path
		}
	}
	return ""
}

// Matrix compares the runs against several targets, as `conformance compare` does.
type Matrix struct {
	Files      *output.Files
	comparison *compare.Comparison // Files are written from it
}

// Flag returns the flag for a matrix.
func (m Matrix) Flag() cli.Flag {
	f := cli.List("matrix", "FORMAT=PATH", "write a matrix over all --targets as "+strings.Join(m.Files.FormatNames(), " or ")+"; the path - is standard output", m.Files.Take)
	f.Locate = settings.NamedBeside
	return f
}

// ComparisonFormats returns the formats of a comparison. They write the current value of c, and
// ignore the report that they are given.
func ComparisonFormats(c *compare.Comparison) []report.Format {
	write := func(f func(io.Writer, compare.Comparison) error) func(io.Writer, result.Report) error {
		return func(w io.Writer, _ result.Report) error { return f(w, *c) }
	}
	return []report.Format{
		{Name: "json", Write: write(compare.WriteJSON)},
		{Name: "html", Write: write(compare.WriteHTML)},
	}
}

// write compares two or more reports, in files and on the console.
func (m Matrix) write(sources []compare.Source, screen io.Writer, view compare.Console) error {
	if len(sources) < 2 {
		return nil
	}
	var err error
	if *m.comparison, err = compare.New(sources); err != nil {
		return err
	}
	lost := m.Files.Write(result.Report{})
	if view.Detail > console.Quiet {
		lost = errors.Join(lost, view.Write(screen, *m.comparison))
	}
	return lost
}

// slim removes what a comparison does not need from a report. There may be hundreds of reports, and
// their size depends on what the targets send.
func slim(r result.Report) result.Report {
	results := make([]result.Result, len(r.Results))
	for i, kept := range r.Results {
		kept.Exchange.Request, kept.Curl, kept.Alone = result.Request{}, "", nil
		if response := kept.Exchange.Response; response != nil {
			kept.Exchange.Response = &result.Response{Status: response.Status, Headers: http.Header{"Content-Type": response.Headers["Content-Type"]}}
		}
		results[i] = kept
	}
	r.Results = results
	return r
}
