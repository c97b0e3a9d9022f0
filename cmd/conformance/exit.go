package main

import (
	"errors"
	"fmt"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// The exit codes, and how the help tells them.
const (
	exitConformant    = 0
	exitNonconformant = 1
	exitUsage         = 2
	exitInconclusive  = 3

	exitCodes = `Exit codes: 0 conformant, 1 nonconformant, 2 wrong usage (nothing was sent),
3 inconclusive.`
)

// usageError is a mistake in how the command was called or in a file it was
// given. Nothing was sent.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (e usageError) Unwrap() error { return e.error }

// verdictError carries a verdict that is not conformant to the exit code; it
// was printed already.
type verdictError judge.Verdict

func (e verdictError) Error() string { return string(e) }

// verdictOf is the report's verdict as an error, or nil.
func verdictOf(r report.Report) error {
	if r.Verdict == judge.Conformant {
		return nil
	}
	return verdictError(r.Verdict)
}

// conclude gives the verdict, which counts before what was lost on the way: that
// is told.
func (s streams) conclude(verdict, lost error) error {
	if verdict == nil {
		return lost
	}
	if lost != nil {
		s.complain(message(lost))
	}
	return verdict
}

// exitCode is what the process ends with.
func exitCode(err error) int {
	if err == nil {
		return exitConformant
	}
	if _, ok := errors.AsType[usageError](err); ok || errors.Is(err, suites.ErrConfig) {
		return exitUsage
	}
	if verdict, ok := errors.AsType[verdictError](err); ok && judge.Verdict(verdict) == judge.Nonconformant {
		return exitNonconformant
	}
	return exitInconclusive
}
