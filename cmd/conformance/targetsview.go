package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// targetsView is what the console shows of runs against several targets: a line
// for each, the matrix over all, and what they came to.
type targetsView struct {
	*targetsRun
	streams
	console io.Writer
	roll    compare.Roll
	lost    error // why something could not be printed
}

func newTargetsView(r *targetsRun, s streams) *targetsView {
	v := &targetsView{targetsRun: r, streams: s, console: s.out}
	if r.matrix.outputs.toStdout() {
		v.console = s.err
	}
	v.roll.Color = useColor(r.view.color, v.console)
	for _, t := range r.targets {
		v.roll.Names = append(v.roll.Names, t.name)
	}
	return v
}

// startProgress shows how far all of them are.
func (v *targetsView) startProgress() *progress {
	out := v.streams.err
	if v.view.detail == report.Quiet {
		out = io.Discard
	}
	p := startProgress(out, isTerminal(out))
	p.expect(v.roll.Names)
	return p
}

// begin says what will be run.
func (v *targetsView) begin() {
	if v.view.detail == report.Quiet {
		return
	}
	fmt.Fprintln(v.streams.err, announcementToAll(v.config, footprintOf(v.selected), v.targets))
	contract := report.Contract{Title: v.config.Contract.Title, Version: v.config.Contract.Version}
	v.print(v.roll.Head(contract, fmt.Sprintf("%s of %s, %s for each", number(len(v.targets), "target"), v.list.text, number(len(v.selected.Fixtures), "fixture"))))
}

// text is what is said of one target when it has ended: a line, and before it,
// where everything is wanted, what a run of its own would say.
func (v *targetsView) text(place int, r report.Report) string {
	var text bytes.Buffer
	switch v.view.detail {
	case report.Quiet:
		return ""
	case report.Verbose:
		text.WriteByte('\n')
		_ = report.Console{Out: &text, Color: v.roll.Color, Detail: report.Verbose}.Write(r) // which a buffer takes
	case report.Normal:
	}
	return text.String() + v.roll.Line(place, r)
}

func (v *targetsView) print(text string) {
	if _, err := io.WriteString(v.console, text); err != nil && v.lost == nil {
		v.lost = fmt.Errorf("writing to the console: %w", err)
	}
}

// end tells what all of them came to, and gives the worst of it as an error.
func (v *targetsView) end(outcomes []targetOutcome) error {
	var faults []error
	var sources []compare.Source
	var verdicts []judge.Verdict
	for i, out := range outcomes {
		faults = append(faults, out.lost)
		sources = append(sources, compare.Source{File: v.targets[i].file(), Report: out.report})
		verdicts = append(verdicts, out.report.Verdict)
	}
	faults = append(faults, v.matrix.write(sources, v.streams.out, compare.Console{Out: v.console, Color: v.roll.Color, Detail: v.view.detail, RowsOnly: true}))
	if v.view.detail != report.Quiet {
		v.print("\n")
	}
	v.print(v.roll.Foot("target", verdicts))
	lost := errors.Join(append(faults, v.lost)...)
	if lost != nil {
		lost = errors.New(message(lost)) // and wrong usage no more, for much was sent
	}
	var worst error
	for _, verdict := range []judge.Verdict{judge.Inconclusive, judge.Nonconformant} {
		if slices.Contains(verdicts, verdict) {
			worst = verdictError(verdict)
		}
	}
	return v.streams.conclude(worst, lost)
}
