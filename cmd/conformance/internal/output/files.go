package output

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/report/markdown"
	"github.com/plantstore/conformance/suites/result"
)

// Files holds the reports that the flags ask for.
type Files struct {
	Formats []report.Format // formats that the flag accepts
	List    []File
	Inputs  Inputs // files that must not be overwritten
}

// File is one report to write.
type File struct {
	From     cli.Given
	Format   report.Format
	Path     string
	appended bool         // to an existing file
	file     *report.File // nil until it is opened
}

// The paths that mean standard output and standard input.
const (
	Stdout = "-"
	Stdin  = "-"
)

// FormatNames returns the names of the formats, as in the flag.
func (o *Files) FormatNames() []string {
	return lists.Map(o.Formats, func(format report.Format) string { return format.Name })
}

// GitHub is the format that needs no path: these variables of GitHub Actions name
// its files.
const (
	GitHub          = "github"
	SummaryVariable = "GITHUB_STEP_SUMMARY"
	OutputVariable  = "GITHUB_OUTPUT"
)

// Take takes the flag for a report.
func (o *Files) Take(g cli.Given) error {
	if g.Text == GitHub && slices.Contains(o.FormatNames(), GitHub) {
		return o.takeGitHub(g)
	}
	name, path, ok := strings.Cut(g.Text, "=")
	if !ok || path == "" {
		return cli.Usagef("%s is %q; write it as FORMAT=PATH, such as json=report.json", g.Name, g.Text)
	}
	format, err := report.FormatNamed(name, o.Formats)
	if err != nil {
		return g.Refused(err)
	}
	return o.add(File{From: g, Format: format, Path: path})
}

// takeGitHub adds the output of a step in a GitHub workflow: annotations on standard output,
// Markdown in the file of the step's summary, and verdict and counts in the file of its outputs.
func (o *Files) takeGitHub(g cli.Given) error {
	if err := o.add(File{From: g, Format: report.Format{Name: GitHub, Write: github.Write}, Path: Stdout}); err != nil {
		return err
	}
	return errors.Join(
		o.appendTo(SummaryVariable, report.Format{Name: "markdown", Write: markdown.Write}),
		o.appendTo(OutputVariable, report.Format{Name: "output", Write: github.WriteOutput}),
	)
}

// appendTo adds a report to append to the file that the variable names, if it names one.
func (o *Files) appendTo(variable string, format report.Format) error {
	path := os.Getenv(variable)
	if path == "" {
		return nil
	}
	return o.add(File{From: cli.Given{Name: variable, Text: path}, Format: format, Path: path, appended: true})
}

func (o *Files) add(out File) error {
	for _, other := range o.List {
		switch {
		case out.Path == Stdout && other.Path == Stdout:
			return cli.Usagef("%s: two reports would go to standard output; give one of them a file", out.From.Name)
		case filepath.Clean(out.Path) == filepath.Clean(other.Path):
			return cli.Usagef("%s: two reports would be written to %s; give each its own file", out.From.Name, out.Path)
		}
	}
	o.List = append(o.List, out)
	return nil
}

// Console returns the writer for the verdict: standard output, or standard error if a report is
// written to standard output.
func (o *Files) Console(s Streams) io.Writer {
	if slices.ContainsFunc(o.List, func(out File) bool { return out.Path == Stdout }) {
		return s.Err
	}
	return s.Out
}

// Open opens every report before anything is sent, and so finds those that cannot be written. After
// an error, no report is open.
//
// live means that a run follows, whose events are observed. Otherwise everything is written at
// once.
func (o *Files) Open(stdout io.Writer, live bool) error {
	for i := range o.List {
		out := &o.List[i]
		err := o.Inputs.spare(*out)
		if err == nil {
			err = out.open(stdout, live)
		}
		if err != nil {
			o.Discard()
			return err
		}
	}
	return nil
}

// Check returns the error that Open would return, and leaves nothing behind. It does not open a
// device or a pipe, because closing it would end the report for its reader.
func (o *Files) Check() error {
	for i := range o.List {
		out := &o.List[i]
		if err := o.Inputs.spare(*out); err != nil {
			return err
		}
		there, err := os.Stat(out.Path)
		if out.Path == Stdout || err == nil && !there.Mode().IsRegular() && !there.IsDir() {
			continue
		}
		if err := out.open(nil, true); err != nil {
			return err
		}
		out.file.Discard()
	}
	return nil
}

func (out *File) open(stdout io.Writer, live bool) (err error) {
	switch {
	case out.Path == Stdout:
		out.file = report.Standard(out.Format, stdout, live)
	case out.appended:
		out.file, err = report.Append(out.Format, out.Path)
	default:
		out.file, err = report.Open(out.Format, out.Path, live)
	}
	if at, ok := errors.AsType[*report.PathError](err); ok { // its path has the name of the target instead of {target}
		return cli.Usagef("%s: %s %w", out.From.Name, at.Path, at.Err)
	}
	if err != nil {
		return out.From.Refused(err)
	}
	return nil
}

// Observe passes an event to the reports, some of which are written during the run.
func (o *Files) Observe(e result.Event) {
	for _, out := range o.List {
		out.file.Observe(e)
	}
}

// Discard discards all reports and leaves nothing behind.
func (o *Files) Discard() {
	for _, out := range o.List {
		if out.file != nil {
			out.file.Discard()
		}
	}
}

// Write writes all reports, even if some of them fail. They must be open.
func (o *Files) Write(r result.Report) error {
	faults := lists.Map(o.List, func(out File) error { return out.file.Write(r) })
	return errors.Join(faults...)
}

func (o *Files) complete() []string {
	return lists.Map(o.FormatNames(), func(name string) string {
		if name == GitHub {
			return name
		}
		return name + "="
	})
}

// Inputs are the files and folders that a command reads, with the names under which they were
// given. No report may overwrite one.
type Inputs []cli.Given

// InputsOf returns the inputs that settings name.
func InputsOf(all []cli.Setting) Inputs {
	var list Inputs
	for _, s := range all {
		if s.Reads == nil {
			continue
		}
		for _, g := range s.Given {
			g.Text = s.Reads(g.Text)
			list = append(list, g)
		}
	}
	return list
}

// InputsAt returns the inputs that arguments name.
func InputsAt(paths []string) Inputs {
	return lists.Map(paths, func(path string) cli.Given { return cli.Given{Text: path} })
}

// spare returns an error if a report would overwrite an input.
func (list Inputs) spare(out File) error {
	if out.Path == Stdout || out.appended {
		return nil
	}
	there, err := os.Stat(out.Path)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to be written over
	}
	for _, in := range list {
		read, err := os.Stat(in.Text)
		if in.Text == Stdin || err != nil {
			continue
		}
		isYAML := slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(out.Path)))
		if os.SameFile(there, read) || read.IsDir() && isYAML && isBelow(in.Text, out.Path) {
			name := cmp.Or(in.Name, in.Text) // not the text of a flag, which may be secret
			return cli.Usagef("%s %s would overwrite a file that is read (%s); give the report another path", out.From.Name, out.From.Text, name)
		}
	}
	return nil
}

func isBelow(folder, path string) bool {
	from, err := filepath.Abs(folder)
	to, fault := filepath.Abs(path)
	return err == nil && fault == nil && strings.HasPrefix(to, from+string(filepath.Separator))
}
