package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
)

func newExplain() *cli.Command {
	o := &listOptions{}
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain a clause or a fixture",
		UsageText: "conformance explain ID",
		ArgsUsage: "ID",
		Flags:     o.contract.flags(&o.config)[:2], // filters make no sense here
		Action: func(_ context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return usagef("explain takes one id, of a clause or a fixture; `conformance list clauses` and `conformance list fixtures` name them")
			}
			if err := noEmptyFlags(c); err != nil {
				return err
			}
			return o.explain(c.Root().Writer, c.Args().First())
		},
	}
}

func (o *listOptions) explain(w io.Writer, id string) error {
	all, err := o.contract.load(&o.config)
	if err != nil {
		return err
	}
	for _, f := range all {
		if f.ID == id {
			explainFixture(w, f)
			return nil
		}
	}
	if clause, ok := o.config.Contract.Clause(id); ok {
		explainClause(w, clause, all)
		return nil
	}
	var known []string
	for _, f := range all {
		known = append(known, f.ID)
	}
	for _, c := range o.config.Contract.Clauses {
		known = append(known, c.ID)
	}
	return usagef("%q is no clause and no fixture%s; `conformance list clauses` and `conformance list fixtures` name them", id, suggestion(id, known))
}

func explainFixture(w io.Writer, f fixtures.Fixture) {
	fmt.Fprintf(w, "%s\n  %s\n\n", f.ID, f.Title)
	fmt.Fprintf(w, "  tests     %s (%s, %s)\n", f.Clause.ID, f.Clause.Level, f.Clause.Section)
	fmt.Fprintf(w, "            %s\n", f.Clause.Text)
	fmt.Fprintf(w, "  expects   %s\n", expectation(f))
	fmt.Fprintf(w, "  source    %s:%d\n", f.File, f.Line)
	fmt.Fprintf(w, "  request   %s\n", replay.Curl(replay.Target{BaseURL: dryRunBaseURL}, f.Message(1)))
}

func expectation(f fixtures.Fixture) string {
	switch f.Expect {
	case fixtures.Accepted:
		return "accepted: a 2xx that the contract declares, and a response as declared"
	case fixtures.Rejected:
		if f.Level == spec.Should {
			return "rejected: any 4xx; acceptance is a warning"
		}
		return "rejected: any 4xx; acceptance is a violation"
	}
	return "either: the contract leaves it open; only the form of the response is judged"
}

func explainClause(w io.Writer, clause spec.Clause, all []fixtures.Fixture) {
	fmt.Fprintf(w, "%s (%s, %s)\n  %s\n\n", clause.ID, clause.Level, clause.Section, clause.Text)
	if clause.Line > 0 {
		fmt.Fprintf(w, "  stands    in line %d of the contract\n", clause.Line)
	}
	var by []string
	for _, f := range all {
		if f.Clause.ID == clause.ID {
			by = append(by, f.ID)
		}
	}
	switch {
	case len(by) > 0:
		fmt.Fprintf(w, "  tested by %s\n", strings.Join(by, "\n            "))
	case clause.Status() != "":
		fmt.Fprintf(w, "  tested by every fixture that is answered with %s\n", clause.Status())
	case clause.Part() == "answers":
		fmt.Fprintf(w, "  tested by every fixture\n")
	default:
		fmt.Fprintf(w, "  tested by no fixture\n")
	}
}
