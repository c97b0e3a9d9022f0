package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/suites"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/selftest"
)

func newSelftest(s output.Streams) *cli.Command {
	var asJSON, verbose bool
	return &cli.Command{
		Name:     "selftest",
		Usage:    "test the suite itself",
		Synopsis: "[flags]",
		Description: `Runs the whole suite against the bundled reference and all its variations
and deviations. A variation uses a freedom of the contract: the suite must
find no violation. A deviation breaks a clause: the suite must find it and
blame its own clauses only.

Exit codes: 0 all found and none blamed wrongly, 1 otherwise.`,
		Flags: cli.In(outputHeading,
			cli.Flag{Name: "json", Usage: "print the result of every trial as JSON", Take: cli.OnOff(&asJSON)},
			cli.Flag{Name: "verbose", Usage: "print every trial", Take: cli.OnOff(&verbose)}),
		Run: func(ctx context.Context, _ *cli.Call) error { return runSelftest(ctx, s, asJSON, verbose) },
	}
}

func runSelftest(ctx context.Context, s output.Streams, asJSON, verbose bool) error {
	const garbage = 400 // percent of what is in use: a million exchanges leave much, and little is kept
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	outcomes, err := selftest.Run(ctx, suites.NewConfig(), selftest.Trials())
	if err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	proof, err := selftest.Prove(outcomes)
	if err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	if asJSON {
		err = s.PrintJSON(trials{proof, outcomes})
	} else {
		err = s.Print(proofText(outcomes, proof, verbose))
	}
	if err != nil {
		return err
	}
	if !proof.Whole() {
		return output.VerdictError("nonconformant")
	}
	return nil
}

// proofText is what is wrong, or every trial, and the figures last.
func proofText(outcomes []selftest.Outcome, proof *selftest.Proof, verbose bool) string {
	var b strings.Builder
	for _, o := range outcomes {
		switch {
		case o.Fault != "":
			fmt.Fprintf(&b, "✗ %s %s: %s\n", o.Kind, o.Name, o.Fault)
		case verbose:
			fmt.Fprintf(&b, "✓ %s %s: %s\n", o.Kind, o.Name, o.Summary)
			for _, clause := range append(o.Violates, o.Warns...) {
				fmt.Fprintf(&b, "    %s\n", clause)
			}
		}
	}
	fmt.Fprintln(&b, proof)
	return b.String()
}

// trials is the proof as JSON.
type trials struct {
	Proof  *selftest.Proof    `json:"proof"`
	Trials []selftest.Outcome `json:"trials"`
}
