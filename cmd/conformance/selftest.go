package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/cmd/conformance/selftest"
)

func newSelftest(s streams) *cli.Command {
	var asJSON, verbose bool
	list := in(outputHeading,
		flag{name: "json", usage: "print the result of every trial as JSON", take: takeSwitch(&asJSON)},
		flag{name: "verbose", usage: "print every trial", take: takeSwitch(&verbose)})
	return &cli.Command{
		Name:      "selftest",
		Usage:     "test the suite itself",
		UsageText: "conformance selftest [flags]",
		Description: `Runs the whole suite against the bundled reference and all its variations
and deviations. A variation uses a freedom of the contract: the suite must
find no violation. A deviation breaks a clause: the suite must find it and
blame its own clauses only.

Exit codes: 0 all found and none blamed wrongly, 1 otherwise.`,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			return runSelftest(ctx, s, asJSON, verbose)
		},
	}
}

func runSelftest(ctx context.Context, s streams, asJSON, verbose bool) error {
	const garbage = 400 // percent of what is in use: a million exchanges leave much, and little is kept
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	outcomes, err := selftest.Run(ctx, selftest.Trials())
	if err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	proof, err := selftest.Prove(outcomes)
	if err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	text := proofText(outcomes, proof, verbose)
	if asJSON {
		if text, err = proofJSON(outcomes, proof); err != nil {
			return err
		}
	}
	if err := s.print(text); err != nil {
		return err
	}
	if !proof.Whole() {
		return verdictError("nonconformant")
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

// trialRow is one trial as JSON.
type trialRow struct {
	Kind     string   `json:"kind"`
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Violates []string `json:"violates"`
	Warns    []string `json:"warns"`
	Fault    string   `json:"fault"` // why it failed; empty where it did not
}

func proofJSON(outcomes []selftest.Outcome, proof *selftest.Proof) (string, error) {
	rows := []trialRow{}
	for _, o := range outcomes {
		rows = append(rows, trialRow{
			string(o.Kind), o.Name, o.Summary, append([]string{}, o.Violates...), append([]string{}, o.Warns...), o.Fault,
		})
	}
	data, err := json.MarshalIndent(struct {
		Proof  *selftest.Proof `json:"proof"`
		Trials []trialRow      `json:"trials"`
	}{proof, rows}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("writing the proof: %w", err)
	}
	return string(data) + "\n", nil
}
