package main

import (
	"context"
	"errors"
	"io"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// compareOptions are what the flags of compare say.
type compareOptions struct {
	view       view
	comparison compare.Comparison // that the outputs write
}

func newCompare(s streams) *cli.Command {
	o := &compareOptions{view: newView()}
	o.view.outputs.formats = comparisonFormats(&o.comparison)
	list := in(outputHeading,
		o.view.reportFlag(),
		toggle("quiet", "print only the outcome", o.view.takeDetail(report.Quiet)),
		toggle("verbose", "also print every fixture, and what is the same for all", o.view.takeDetail(report.Verbose)),
		o.view.colorFlag())
	return &cli.Command{
		Name:      "compare",
		Usage:     "compare reports of implementations or versions",
		UsageText: "conformance compare REPORT REPORT... [flags]",
		Description: `Reads reports in JSON or NDJSON. For several implementations it shows which
one satisfies which clause, and how each behaves where the contract is
silent. For two reports of one implementation (the same name or, without
names, the same base URL) it shows regressions, fixes and changed behavior.
A fixture is compared if at least two reports judged it.

Exit codes: 0 compared, 1 a regression (a clause is newly broken), 2 wrong
usage, 3 inconclusive (a regression may be hidden).`,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		ArgValidator:       severalReports,
		Action: func(_ context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			o.view.outputs.inputs = inputsAt(c.Args().Slice())
			return o.run(c.Args().Slice(), s)
		},
	}
}

func severalReports(_ context.Context, c *cli.Command) error {
	if c.Args().Len() < 2 {
		return usagef("which reports? name two at least that `conformance run --report json=FILE` or ndjson=FILE wrote")
	}
	return nil
}

// comparisonFormats are those of a comparison. They write the one that there is
// by then, and the report that they are given is none.
func comparisonFormats(c *compare.Comparison) []report.Format {
	write := func(f func(io.Writer, compare.Comparison) error) func(io.Writer, report.Report) error {
		return func(w io.Writer, _ report.Report) error { return f(w, *c) }
	}
	return []report.Format{
		{Name: "json", Write: write(compare.WriteJSON)},
		{Name: "html", Write: write(compare.WriteHTML)},
	}
}

func (o *compareOptions) run(paths []string, s streams) error {
	recordings, err := readReports(paths)
	if err != nil {
		return err
	}
	var sources []compare.Source
	for i, r := range recordings {
		sources = append(sources, compare.Source{File: paths[i], Report: report.Conclude(r)})
	}
	if o.comparison, err = compare.New(sources); err != nil {
		return usageError{err}
	}
	if err := o.view.outputs.open(s.out, false); err != nil {
		return err
	}
	return o.publish(s)
}

// publish writes the comparison, and tells what it comes to by the exit codes of
// a run.
func (o *compareOptions) publish(s streams) error {
	console := s.out
	if o.view.outputs.toStdout() {
		console = s.err
	}
	lost := errors.Join(
		o.view.outputs.write(report.Report{}, s.out),
		compare.Console{Out: console, Color: useColor(o.view.color, console), Detail: o.view.detail}.Write(o.comparison))
	outcomes := map[compare.Outcome]judge.Verdict{compare.Regression: judge.Nonconformant, compare.Inconclusive: judge.Inconclusive}
	var outcome error
	if verdict, bad := outcomes[o.comparison.Outcome]; bad {
		outcome = verdictError(verdict)
	}
	return s.conclude(outcome, lost)
}
