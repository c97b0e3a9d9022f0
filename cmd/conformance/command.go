package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
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

// The headings that the flags of several commands have.
const (
	contractHeading = "Contract"
	requestsHeading = "Requests"
	outputHeading   = "Output"
)

// execute runs the command line and gives the exit code.
func execute(ctx context.Context, args []string, s output.Streams) int {
	err := newProgram(s).Run(ctx, args) //nolint:contextcheck // a flag is taken where an interrupt ends the program, see cli.Interruptibly
	if _, told := errors.AsType[output.VerdictError](err); err != nil && !told {
		s.Complain(err)
	}
	return exitCode(err)
}

func newProgram(s output.Streams) *cli.Program {
	return &cli.Program{
		Name:  "conformance",
		Usage: "test whether a service conforms to its OpenAPI contract",
		Description: `Sends requests to a service, judges each response against the contract and
says conformant, nonconformant or inconclusive, with the evidence.

` + exitCodes,
		Commands:  []*cli.Command{newRun(s), newInit(s), newDerive(s), newConfig(s), newVerify(s), newReport(s), newCompare(s), newCleanup(s), newList(s), newExplain(s), newSelftest(s), newVersion(s)},
		Variables: []string{target.TokenVariable, target.SecretHeadersVariable, replay.CredentialPrefix + "*"},
		Version:   func() error { return printVersion(s) },
		Out:       s.Out,
		Err:       s.Err,
	}
}

// exitCode is what the process ends with.
func exitCode(err error) int {
	if err == nil {
		return exitConformant
	}
	if _, ok := errors.AsType[cli.UsageError](err); ok || errors.Is(err, suites.ErrConfig) {
		return exitUsage
	}
	if verdict, ok := errors.AsType[output.VerdictError](err); ok && judge.Verdict(verdict) == judge.Nonconformant {
		return exitNonconformant
	}
	return exitInconclusive
}

func newVersion(s output.Streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, and that of the built-in contract",
		Run:   func(context.Context, *cli.Call) error { return printVersion(s) },
	}
}

func printVersion(s output.Streams) error {
	contract, err := spec.PlantStore()
	if err != nil {
		return fmt.Errorf("reading the built-in contract: %w", err)
	}
	v := suites.Version()
	return s.Print(fmt.Sprintf("conformance %s (commit %s, %s %s/%s)\ncontract    %s %s\nsha256      %s\n",
		v.Version, v.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, contract.Title, contract.Version, contract.SHA256))
}
