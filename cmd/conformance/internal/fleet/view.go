package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// view is what the console shows of runs against several targets: a line
// for each, the matrix over all, and what they came to.
type view struct {
	*Fleet
	streams output.Streams
	console io.Writer
	summary compare.TargetSummary
	lost    error // why something could not be printed
}

// begin says what will be run.
func (v *view) begin() {
	if v.View.Detail == console.Quiet {
		return
	}
	fmt.Fprintln(v.streams.Err, Announcement(v.Config, v.selected, v.summary.Names, "the run that its report names (run.id)", cli.Width(v.streams.Err)))
	contract := result.Contract{Title: v.Config.Contract.Title, Version: v.Config.Contract.Version}
	v.print(v.summary.Header(contract, fmt.Sprintf("%s of %s, %s for each", judge.Number(len(v.Targets), "target"), v.List.Text, judge.Number(len(v.selected.Fixtures), "fixture"))))
}

// text is what is said of one target when it has ended: a line, and before it,
// where everything is wanted, what a run of its own would say.
func (v *view) text(place int, r result.Report) string {
	var text bytes.Buffer
	switch v.View.Detail {
	case console.Quiet:
		return ""
	case console.Verbose:
		text.WriteByte('\n')
		_ = console.Printer{Color: v.summary.Color, Detail: console.Verbose}.Write(&text, r) // which a buffer takes
	}
	return text.String() + v.summary.Row(place, r)
}

func (v *view) print(text string) {
	if _, err := io.WriteString(v.console, text); err != nil && v.lost == nil {
		v.lost = fmt.Errorf("writing to the console: %w", err)
	}
}

// end tells what all of them came to, and gives the worst of it as an error.
func (v *view) end(outcomes []outcome) error {
	var faults []error
	var sources []compare.Source
	var verdicts []verdict.Verdict
	for i, out := range outcomes {
		faults = append(faults, out.lost)
		sources = append(sources, compare.Source{File: v.Targets[i].file(), Report: out.report})
		verdicts = append(verdicts, out.report.Verdict)
	}
	faults = append(faults, v.Matrix.write(sources, v.console, compare.Console{Color: v.summary.Color, Detail: v.View.Detail, RowsOnly: true}))
	if v.View.Detail != console.Quiet {
		v.print("\n")
	}
	v.print(v.summary.Footer(verdicts))
	lost := errors.Join(append(faults, v.lost)...)
	if lost != nil {
		lost = errors.New(output.Message(lost)) // and wrong usage no more, for much was sent
	}
	worst := verdict.Conformant
	for _, one := range []verdict.Verdict{verdict.Inconclusive, verdict.Nonconformant} {
		if slices.Contains(verdicts, one) {
			worst = one
		}
	}
	return v.streams.Conclude(worst, lost)
}
