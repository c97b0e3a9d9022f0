// Package output is what a command prints and writes: the console, the reports
// in files, and the progress of a run.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
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
func (s Streams) Conclude(verdict judge.Verdict, lost error) error {
	if verdict == judge.Conformant {
		return lost
	}
	if lost != nil {
		s.Complain(lost)
	}
	return VerdictError(verdict)
}

// VerdictError carries a verdict other than conformant to the exit code. It was
// printed already.
type VerdictError judge.Verdict

// Error is the verdict.
func (e VerdictError) Error() string { return string(e) }

// Message is the error as a user reads it, without the sentinel that is for
// programs.
func Message(err error) string {
	if parts, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok && parts.Unwrap()[0] == suites.ErrConfig { //nolint:errorlint // the sentinel itself, and not what it may wrap
		return parts.Unwrap()[1].Error()
	}
	return err.Error()
}
