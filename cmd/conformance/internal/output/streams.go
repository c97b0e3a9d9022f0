// Package output is what a command prints and writes: the console, the reports
// in files, and the progress of a run.
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

// Streams are what the program reads and writes.
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

// Complain says on standard error what went wrong. The text quotes files and
// settings, which must not control a terminal or a CI system.
func (s Streams) Complain(err error) {
	fmt.Fprintln(s.Err, "conformance:", strings.Join(report.VisibleLines(Message(err)), "\n"))
}

// Conclude gives a verdict other than conformant as an error. It overrides what was
// lost on the way: that is only printed.
func (s Streams) Conclude(v verdict.Verdict, lost error) error {
	if v == verdict.Conformant {
		return lost
	}
	if lost != nil {
		s.Complain(lost)
	}
	return VerdictError(v)
}

// VerdictError carries a verdict other than conformant to the exit code. It was
// printed already.
type VerdictError verdict.Verdict

// Error is the verdict.
func (e VerdictError) Error() string { return string(e) }

// Message is the error as a user reads it, without the sentinel that is for
// programs, and with the way out of a full disk.
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

// View is what comes out of a command that ends in a report: files, and what
// is said on the console.
type View struct {
	Files    Files
	Color    string // one of the values of --color
	Detail   console.Detail
	detailBy cli.Given // the flag that asked for it
}

// NewView is a View of a run, with the defaults.
func NewView() View {
	return View{Files: Files{Formats: report.Formats()}, Color: colorAuto, Detail: console.Normal}
}

// ReportFlag asks for reports.
func (v *View) ReportFlag() cli.Flag {
	names := v.Files.FormatNames()
	usage := "write a report as " + cli.Enumerate(names, "or") + "; the path - is standard output"
	if slices.Contains(names, GitHub) {
		usage += "; " + GitHub + " alone writes annotations, Markdown to $" + SummaryVariable + ", and verdict and counts to $" + OutputVariable
	}
	f := cli.List("report", "FORMAT=PATH", usage, v.Files.Take)
	f.Locate = settings.NamedBeside // a mere github stays
	return f.Completed(v.Files.complete)
}

// ConsoleFlags say how much is printed, and how.
func (v *View) ConsoleFlags() cli.Flags {
	return cli.Flags{
		cli.Switch("quiet", "print only the verdict", v.TakeDetail(console.Quiet)),
		cli.Switch("verbose", "print every fixture", v.TakeDetail(console.Verbose)),
		v.ColorFlag(),
	}
}

// ColorFlag is the flag that says whether the console has colors.
func (v *View) ColorFlag() cli.Flag {
	return cli.Value("color", "WHEN", "auto (respects NO_COLOR), always or never", cli.Choice(&v.Color, colorAuto, colorAlways, colorNever)).DefaultsTo(colorAuto)
}

// IsTerminal reports whether what is written to w appears on a screen that
// understands control sequences.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// UsesColor decides on colour by --color, NO_COLOR (no-color.org) and who reads.
func (v *View) UsesColor(w io.Writer) bool {
	switch v.Color {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return IsTerminal(w) && os.Getenv("NO_COLOR") == ""
}

// TakeDetail is for the flags that say how much to print.
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

// Publish writes the reports and prints the verdict. A report that cannot be
// written keeps a run from being green, and changes nothing else.
func (v *View) Publish(r result.Report, s Streams) error {
	screen := v.Files.Console(s)
	lost := errors.Join(
		v.Files.Write(r),
		console.Printer{Color: v.UsesColor(screen), Detail: v.Detail}.Write(screen, r))
	return s.Conclude(r.Verdict, lost)
}
