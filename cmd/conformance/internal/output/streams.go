// Package output prints and writes the output of a command: the console, report files, and the
// progress of a run.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Streams holds the standard streams of the program.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Print writes a whole text to standard output.
func (s Streams) Print(text string) error {
	if _, err := io.WriteString(s.Out, text); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}

// PrintJSON writes a value to standard output as JSON.
func (s Streams) PrintJSON(v any) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("writing as JSON: %w", err)
	}
	return s.Print(b.String())
}

// Complain prints an error on standard error. It makes control characters visible: the text quotes
// files and settings, which must not control a terminal or a CI system.
func (s Streams) Complain(err error) {
	fmt.Fprintln(s.Err, "conformance:", strings.Join(report.VisibleLines(Message(err)), "\n"))
}

// Conclude returns a verdict other than conformant as an error. Such a verdict overrides lost, the
// errors in writing output, which are then only printed.
func (s Streams) Conclude(v verdict.Verdict, lost error) error {
	if v == verdict.Conformant {
		return lost
	}
	if lost != nil {
		s.Complain(lost)
	}
	return VerdictError(v)
}

// VerdictError carries a verdict other than conformant to the exit code. The verdict is already
// printed.
type VerdictError verdict.Verdict

// Error returns the verdict.
func (e VerdictError) Error() string { return string(e) }

// Message returns the text of an error for a user: without the sentinel for programs, and with
// advice on a full disk.
func Message(err error) string {
	text := err.Error()
	if parts, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok && parts.Unwrap()[0] == suites.ErrConfig { //nolint:errorlint // the sentinel itself, and not what it may wrap
		text = parts.Unwrap()[1].Error()
	}
	if errors.Is(err, syscall.ENOSPC) {
		text += "; free some space, or write to another disk"
	}
	return text
}

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// View is the output of a command that ends in a report: files, and text on the console.
type View struct {
	Files    Files
	Color    string // one of the values of --color
	Detail   console.Detail
	detailBy cli.Given // the flag that set Detail
}

// NewView returns the View of a run, with the defaults.
func NewView() View {
	return View{Files: Files{Formats: report.Formats()}, Color: colorAuto, Detail: console.Normal}
}

// ReportFlag returns the flag for reports.
func (v *View) ReportFlag() cli.Flag {
	names := v.Files.FormatNames()
	usage := "write a report as " + cli.Enumerate(names, "or") + "; the path - is standard output"
	if slices.Contains(names, GitHub) {
		usage += "; " + GitHub + " alone writes annotations, Markdown to $" + SummaryVariable + ", and verdict and counts to $" + OutputVariable
	}
	f := cli.List("report", "FORMAT=PATH", usage, v.Files.Take)
	f.Locate = settings.NamedBeside // github without a path is not changed
	return f.Completed(v.Files.complete)
}

// ConsoleFlags returns the flags for how much is printed, and how.
func (v *View) ConsoleFlags() cli.Flags {
	return cli.Flags{
		cli.Switch("quiet", "print only the verdict", v.TakeDetail(console.Quiet)),
		cli.Switch("verbose", "print every fixture", v.TakeDetail(console.Verbose)),
		v.ColorFlag(),
	}
}

// ColorFlag returns the flag for colors on the console.
func (v *View) ColorFlag() cli.Flag {
	return cli.Value("color", "WHEN", "auto (respects NO_COLOR), always or never", cli.Choice(&v.Color, colorAuto, colorAlways, colorNever)).DefaultsTo(colorAuto)
}

// IsTerminal reports whether w is a terminal that supports control sequences.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// UsesColor reports whether to use color on w, by --color, NO_COLOR (no-color.org) and IsTerminal.
func (v *View) UsesColor(w io.Writer) bool {
	switch v.Color {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return IsTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// TakeDetail returns the function that takes a flag for how much is printed.
func (v *View) TakeDetail(detail console.Detail) func(cli.Given) error {
	return func(g cli.Given) error {
		var on bool
		if err := cli.OnOff(&on)(g); err != nil || !on {
			return err
		}
		switch {
		case v.detailBy == cli.Given{} || g.From < v.detailBy.From:
			v.Detail, v.detailBy = detail, g
		case g.From == v.detailBy.From:
			return cli.Usagef("%s and %s exclude each other; give one of them", v.detailBy.Name, g.Name)
		}
		return nil
	}
}

// Publish writes the reports and prints the verdict. If a report cannot be written, even a
// conformant run ends with an error. Other verdicts do not change.
func (v *View) Publish(r result.Report, s Streams) error {
	screen := v.Files.Console(s)
	lost := errors.Join(
		v.Files.Write(r),
		console.Printer{Color: v.UsesColor(screen), Detail: v.Detail}.Write(screen, r))
	return s.Conclude(r.Verdict, lost)
}
