package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/report"
)

// outputs are the reports that the flags ask for.
type outputs struct {
	formats []report.Format // that can be asked for
	list    []output
	inputs  inputs // which must not be written over
}

type output struct {
	from     given
	format   report.Format
	path     string
	appended bool           // to what is there
	file     *report.File   // nil for standard output, and until it is opened
	stream   *report.Stream // instead of file, for what is written while the run goes on
}

// stdoutPath is what standard output is called where a path is expected.
const stdoutPath = "-"

func (o *outputs) formatNames() []string {
	var names []string
	for _, format := range o.formats {
		names = append(names, format.Name)
	}
	return names
}

// The format that needs no path, because GitHub Actions says where it goes.
const (
	githubFormat    = "github"
	summaryVariable = "GITHUB_STEP_SUMMARY"
	outputVariable  = "GITHUB_OUTPUT"
)

func (o *outputs) take(g given) error {
	if g.text == githubFormat && slices.Contains(o.formatNames(), githubFormat) {
		return o.takeGitHub(g)
	}
	name, path, ok := strings.Cut(g.text, "=")
	if !ok || path == "" {
		return usagef("%s is %q; write it as FORMAT=PATH, such as json=report.json", g.name, g.text)
	}
	format, err := report.FormatNamed(name, o.formats)
	if err != nil {
		return g.refused(err, "report")
	}
	return o.add(output{from: g, format: format, path: path})
}

// takeGitHub is for a step of a workflow: the annotations go to standard
// output, where the runner looks for them, and what the step has a file for
// goes there: the Markdown to its summary, verdict and counts to its outputs.
func (o *outputs) takeGitHub(g given) error {
	if err := o.add(output{from: g, format: report.Format{Name: githubFormat, Write: report.WriteGitHub}, path: stdoutPath}); err != nil {
		return err
	}
	return errors.Join(
		o.appendTo(summaryVariable, report.Format{Name: "markdown", Write: report.WriteMarkdown}),
		o.appendTo(outputVariable, report.Format{Name: "output", Write: report.WriteGitHubOutput}),
	)
}

// appendTo adds to the file that the variable names, if it names one.
func (o *outputs) appendTo(variable string, format report.Format) error {
	path := os.Getenv(variable)
	if path == "" {
		return nil
	}
	return o.add(output{from: given{name: variable, text: path}, format: format, path: path, appended: true})
}

func (o *outputs) add(out output) error {
	for _, other := range o.list {
		switch {
		case out.path == stdoutPath && other.path == stdoutPath:
			return usagef("%s: two reports would go to standard output; give one of them a file", out.from.name)
		case filepath.Clean(out.path) == filepath.Clean(other.path):
			return usagef("%s: two reports would be written to %s; give each a file of its own", out.from.name, out.path)
		}
	}
	o.list = append(o.list, out)
	return nil
}

// toStdout says whether a report has standard output to itself.
func (o *outputs) toStdout() bool {
	for _, out := range o.list {
		if out.path == stdoutPath {
			return true
		}
	}
	return false
}

// open prepares every report, or none, so that what cannot be written is known
// before anything is sent.
//
// live says that there is a run going on to be observed; without, everything
// is written at once.
func (o *outputs) open(stdout io.Writer, live bool) error {
	for i := range o.list {
		out := &o.list[i]
		err := o.inputs.spare(*out)
		if err == nil {
			err = out.open(stdout, live)
		}
		if err != nil {
			o.discard()
			return err
		}
	}
	return nil
}

// check says what would keep open from preparing every report, and leaves nothing
// behind. A device or a pipe is not opened: who reads from it would take that for
// the report's end.
func (o *outputs) check() error {
	for _, out := range o.list {
		if err := o.inputs.spare(out); err != nil {
			return err
		}
		there, err := os.Stat(out.path)
		if out.path == stdoutPath || err == nil && !there.Mode().IsRegular() && !there.IsDir() {
			continue
		}
		if err := out.open(nil, true); err != nil {
			return err
		}
		out.discard()
	}
	return nil
}

func (out *output) open(stdout io.Writer, live bool) (err error) {
	switch live := live && out.format.Event != nil; {
	case live && out.path == stdoutPath:
		out.stream = report.NewStream(stdout)
	case live:
		out.stream, err = report.OpenStream(out.path)
	case out.appended:
		out.file, err = report.Append(out.format, out.path)
	case out.path != stdoutPath:
		out.file, err = report.Create(out.format, out.path)
	}
	if err != nil {
		return out.from.refused(err, "report")
	}
	return nil
}

// observe writes what is written while the run goes on.
func (o *outputs) observe(e report.Event) {
	for _, out := range o.list {
		if out.stream != nil {
			out.stream.Observe(e)
		}
	}
}

// discard leaves nothing of them behind.
func (o *outputs) discard() {
	for _, out := range o.list {
		out.discard()
	}
}

func (out *output) discard() {
	if out.file != nil {
		out.file.Discard()
	}
	if out.stream != nil {
		out.stream.Discard()
	}
}

// write writes all of them, as many as can be.
func (o *outputs) write(r report.Report, stdout io.Writer) error {
	var faults []error
	for _, out := range o.list {
		switch {
		case out.stream != nil:
			faults = append(faults, out.stream.Close())
		case out.file != nil:
			faults = append(faults, out.file.Write(r))
		default:
			faults = append(faults, out.format.Write(stdout, r))
		}
	}
	return errors.Join(faults...)
}
