package main

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fleet"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func newCompare(s output.Streams) *cli.Command {
	var comparison compare.Comparison // the report files are written from it
	view := output.NewView()
	view.Files.Formats = fleet.ComparisonFormats(&comparison)
	return &cli.Command{
		Name:     "compare",
		Usage:    "compare reports of implementations or versions",
		Synopsis: "REPORT REPORT... [flags]",
		Description: `Reads reports in JSON or NDJSON. For several implementations it shows which
one satisfies which clause, and how each behaves where the contract is
silent. For two reports of one implementation (the same name or, without
names, the same base URL) it shows regressions, fixes and changed behavior.
A fixture is compared if at least two reports judged it.

Exit codes: 0 compared, 1 a regression (a clause is newly broken), 2 wrong
usage, 3 inconclusive (a regression may be hidden).`,
		Flags: cli.In(outputHeading,
			view.ReportFlag(),
			cli.Switch("quiet", "print only the outcome", view.TakeDetail(console.Quiet)),
			cli.Switch("verbose", "also print every fixture, and what is the same for all", view.TakeDetail(console.Verbose)),
			view.ColorFlag()),
		Arguments: cli.Arguments(2, math.MaxInt, "which reports? name at least two that `conformance run --report json=FILE` or ndjson=FILE wrote", ""),
		Run: func(_ context.Context, call *cli.Call) error {
			view.Files.Inputs = output.InputsAt(call.Args)
			return compareReports(call.Args, &view, &comparison, s)
		},
	}
}

func compareReports(paths []string, view *output.View, comparison *compare.Comparison, s output.Streams) error {
	recordings, err := readReports(paths)
	if err != nil {
		return err
	}
	var sources []compare.Source
	for i, r := range recordings {
		sources = append(sources, compare.Source{File: paths[i], Report: result.Conclude(r)})
	}
	if *comparison, err = compare.New(sources); err != nil {
		return cli.Misuse(err)
	}
	if err := view.Files.Open(s.Out, false); err != nil {
		return err
	}
	screen := view.Files.Console(s)
	lost := errors.Join(
		view.Files.Write(result.Report{}),
		compare.Console{Color: view.UsesColor(screen), Detail: view.Detail}.Write(screen, *comparison))
	// A comparison has the exit codes of a verdict.
	verdicts := map[compare.Outcome]verdict.Verdict{compare.Regression: verdict.Nonconformant, compare.Inconclusive: verdict.Inconclusive}
	return s.Conclude(cmp.Or(verdicts[comparison.Outcome], verdict.Conformant), lost)
}
