package main

import (
	"errors"
	"fmt"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
)

// The exit codes.
const (
	exitConformant    = 0
	exitNonconformant = 1
	exitUsage         = 2
	exitInconclusive  = 3
)

// usageError is a mistake in how the command was called or in a file it was
// given. Nothing was sent.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (e usageError) Unwrap() error { return e.error }

// verdictError carries a verdict that is not conformant to the exit code; it
// was printed already.
type verdictError struct{ verdict judge.Verdict }

func (e verdictError) Error() string { return string(e.verdict) }

// exitCode is what the process ends with.
func exitCode(err error) int {
	var usage usageError
	var verdict verdictError
	switch {
	case err == nil:
		return exitConformant
	case errors.As(err, &usage), errors.Is(err, suites.ErrConfig):
		return exitUsage
	case errors.As(err, &verdict) && verdict.verdict == judge.Nonconformant:
		return exitNonconformant
	}
	return exitInconclusive
}
