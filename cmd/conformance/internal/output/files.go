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

// Files are the reports that the flags ask for.
type Files struct {
	Formats []report.Format // that can be asked for
	List    []File
	Inputs  Inputs // which must not be overwritten
}

// File is one report that is asked for.
type File struct {
	From     cli.Given
	Format   report.Format
	Path     string
	appended bool         // to what is there
	file     *report.File // nil until it is opened
}

// What standard output and standard input are called where a path is expected.
const (
	Stdout = "-"
	Stdin  = "-"
)

// FormatNames are what the flag calls the formats.
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

// Take is for the flag that asks for a report.
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

// takeGitHub is for a step of a workflow: the annotations go to standard
// output, where the runner looks for them, and what the step has a file for
// goes there: the Markdown to its summary, verdict and counts to its outputs.
func (o *Files) takeGitHub(g cli.Given) error {
	if err := o.add(File{From: g, Format: report.Format{Name: GitHub, Write: github.Write}, Path: Stdout}); err != nil {
		return err
	}
	return errors.Join(
		o.appendTo(SummaryVariable, report.Format{Name: "markdown", Write: markdown.Write}),
		o.appendTo(OutputVariable, report.Format{Name: "output", Write: github.WriteOutput}),
	)
}

// appendTo adds to the file that the variable names, if it names one.
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

// Console is where the verdict is printed: on standard output, unless a report has
// that to itself.
func (o *Files) Console(s Streams) io.Writer {
	if slices.ContainsFunc(o.List, func(out File) bool { return out.Path == Stdout }) {
		return s.Err
	}
	return s.Out
}

// Open prepares every report, or none, so that what cannot be written is known
// before anything is sent.
//
// live says that there is a run going on to be observed; without, everything
// is written at once.
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

// Check says what would keep open from preparing every report, and leaves nothing
// behind. A device or a pipe is not opened: who reads from it would take that for
// the report's end.
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
	if at, ok := errors.AsType[*report.PathError](err); ok { // the path is as it is after {target} has its name
		return cli.Usagef("%s: %s %w", out.From.Name, at.Path, at.Err)
	}
	if err != nil {
		return out.From.Refused(err)
	}
	return nil
}

// Observe writes what is written while the run goes on.
func (o *Files) Observe(e result.Event) {
	for _, out := range o.List {
		out.file.Observe(e)
	}
}

// Discard leaves nothing of them behind.
func (o *Files) Discard() {
	for _, out := range o.List {
		if out.file != nil {
			out.file.Discard()
		}
	}
}

// Write writes all of them, as many as can be. They are open.
func (o *Files) Write(r result.Report) error {
	faults := lists.Map(o.List, func(out File) error { return out.file.Write(r) })
	return errors.Join(faults...)
}

// complete are what a shell may offer for the flag.
func (o *Files) complete() []string {
	var values []string
	for _, name := range o.FormatNames() {
		if name != GitHub {
			name += "="
		}
		values = append(values, name)
	}
	return values
}

// Inputs are the files and folders that a command reads, under the names by which
// it was given them. No report is written over one.
type Inputs []cli.Given

// InputsOf are those that settings name.
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

// InputsAt are those that are arguments.
func InputsAt(paths []string) Inputs {
	return lists.Map(paths, func(path string) cli.Given { return cli.Given{Text: path} })
}

// spare refuses a report that would be written over an input.
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
