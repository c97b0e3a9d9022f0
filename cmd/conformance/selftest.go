package main

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/selftest"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/proof"
	"github.com/plantstore/conformance/suites/verdict"
)

func newSelftest(s output.Streams) *cli.Command {
	var asJSON, verbose bool
	var c suites.Config
	return &cli.Command{
		Name:     "selftest",
		Usage:    "test the suite itself",
		Synopsis: "[--spec FILE] [flags]",
		Description: `Runs the whole suite against the bundled reference and all its variations
and deviations. A variation uses a freedom of the contract: the suite must
find no violation. A deviation breaks a clause: the suite must find it and
blame its own clauses only.

With --spec it does the same for any contract, with fixtures derived from it.
The service is then made from the document. It rejects what kin-openapi
rejects; the suite uses its own validator. The output lists where the two
differ, and the deviations that no derived request can find.

Exit codes: 0 all found and none blamed wrongly, 1 otherwise.`,
		Flags: slices.Concat(
			cli.In(contractHeading, append(specFlags(&c, "prove the suite on the OpenAPI document in FILE, or at an http(s) URL"),
				cli.List("only", "GLOB", "with --spec: only operations whose id matches; * stands for any characters", cli.Texts(&c.Only)))...),
			cli.In(outputHeading,
				cli.Flag{Name: "json", Usage: "print the result of every trial as JSON", Take: cli.OnOff(&asJSON)},
				cli.Flag{Name: "verbose", Usage: "print every trial; with --spec, what no request can show", Take: cli.OnOff(&verbose)})),
		Run: func(ctx context.Context, _ *cli.Call) error {
			const garbage = 400 // percent: a million exchanges leave much garbage and keep little memory in use
			defer debug.SetGCPercent(debug.SetGCPercent(garbage))
			switch {
			case c.Contract != nil:
				return proveContract(ctx, s, c, asJSON, verbose)
			case len(c.Only) > 0:
				return cli.Usagef("--only selects operations of --spec FILE; the built-in contract is proven as a whole")
			}
			return runSelftest(ctx, s, asJSON, verbose)
		},
	}
}

func proveContract(ctx context.Context, s output.Streams, c suites.Config, asJSON, verbose bool) error {
	p, err := proof.Run(ctx, c.Contract, c.Only...)
	switch {
	case err != nil && ctx.Err() == nil:
		return cli.Misuse(cli.Explained(fmt.Errorf("%s: %w", c.Contract.File, err), cli.GiveToken))
	case err != nil:
		return err
	}
	return printProof(s, asJSON, p, p.Text(verbose), p.Whole())
}

func runSelftest(ctx context.Context, s output.Streams, asJSON, verbose bool) error {
	outcomes, err := selftest.Run(ctx, suites.NewConfig(), selftest.Trials())
	if err != nil {
		return err
	}
	p, err := selftest.Prove(outcomes)
	if err != nil {
		return err
	}
	return printProof(s, asJSON, trials{p, outcomes}, proofText(outcomes, p, verbose), p.Whole())
}

// printProof prints a proof as JSON or as text. It returns a verdict as the error if the proof is
// incomplete.
func printProof(s output.Streams, asJSON bool, object any, text string, whole bool) error {
	var err error
	if asJSON {
		err = s.PrintJSON(object)
	} else {
		err = s.Print(text)
	}
	if err == nil && !whole {
		err = output.VerdictError(verdict.Nonconformant)
	}
	return err
}

// proofText returns the faults, with verbose also every other trial, and then the figures.
func proofText(outcomes []selftest.Outcome, p *selftest.Proof, verbose bool) string {
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
	fmt.Fprintln(&b, p)
	return b.String()
}

type trials struct {
	Proof  *selftest.Proof    `json:"proof"`
	Trials []selftest.Outcome `json:"trials"`
}
