package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/terminal"
)

// targetsView is what the console shows of runs against several targets: a line
// for each, the matrix over all, and what they came to.
type targetsView struct {
	*targetsRun
	streams
	console io.Writer
	color   bool
	width   int // of the longest name
}

func newTargetsView(r *targetsRun, s streams) *targetsView {
	v := &targetsView{targetsRun: r, streams: s, console: s.out}
	if r.matrix.outputs.toStdout() {
		v.console = s.err
	}
	v.color = useColor(r.view.color, v.console)
	for _, t := range r.targets {
		v.width = max(v.width, len(t.name))
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
	p.expect(len(v.targets))
	return p
}

// begin says what will be run.
func (v *targetsView) begin() {
	if v.view.detail == report.Quiet {
		return
	}
	contract := v.config.Contract
	p := terminal.Printer{Color: v.color}
	p.Line(terminal.Bold.Of(strings.TrimSpace(contract.Title+" "+contract.Version)),
		terminal.Says(" · %s of %s, %s for each", number(len(v.targets), "target"), v.list.text, number(len(v.selected), "fixture")))
	v.print(p.String())
}

// text is what is said of one target when it has ended: a line, and before it,
// where everything is wanted, what a run of its own would say.
func (v *targetsView) text(place int, out targetOutcome) string {
	if v.view.detail == report.Quiet {
		return ""
	}
	p := terminal.Printer{Color: v.color}
	key, longest := compare.Key(place), compare.Key(len(v.targets)-1)
	name := []terminal.Span{terminal.Bold.Of(key), terminal.Says("%*s%-*s  ", len(longest)-len(key)+2, "", v.width, v.targets[place].name)}
	var full bytes.Buffer
	if v.view.detail == report.Verbose {
		full.WriteByte('\n')
		_ = report.Console{Out: &full, Color: v.color, Detail: report.Verbose}.Write(out.report) // which a buffer takes
	}
	r := out.report
	color := map[judge.Verdict]terminal.Color{judge.Conformant: terminal.Green, judge.Nonconformant: terminal.Red, judge.Inconclusive: terminal.Yellow}[judge.Verdict(r.Verdict)]
	p.Line(append(name, color.Of(fmt.Sprintf("%-*s", len(judge.Nonconformant), r.Verdict)), terminal.Says("  %s, in %.2f s", tally(r), r.Run.DurationMs/1000))...)
	return full.String() + p.String()
}

// tally is what a run came to: the counts, or the reason where they do not show
// it.
func tally(r report.Report) string {
	if r.Verdict == string(judge.Conformant) || r.Counts.Failed > 0 {
		return r.Counts.String()
	}
	return r.Reason
}

func (v *targetsView) print(text string) {
	// What cannot be printed is missed by nobody but who reads it.
	_, _ = io.WriteString(v.console, text)
}

// end tells what all of them came to, and gives the worst of it as an error.
func (v *targetsView) end(outcomes []targetOutcome) error {
	var lost []error
	var sources []compare.Source
	counts := map[judge.Verdict]int{}
	for i, out := range outcomes {
		lost = append(lost, out.lost)
		sources = append(sources, compare.Source{File: v.targets[i].file(), Report: out.report})
		counts[judge.Verdict(out.report.Verdict)]++
	}
	lost = append(lost, v.matrix.write(sources, v.streams.out, compare.Console{Out: v.console, Color: v.color, Detail: v.view.detail, RowsOnly: true}))
	var words []string
	for _, verdict := range []judge.Verdict{judge.Conformant, judge.Nonconformant, judge.Inconclusive} {
		if counts[verdict] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[verdict], verdict))
		}
	}
	if v.view.detail != report.Quiet {
		v.print("\n")
	}
	v.print(fmt.Sprintf("%s: %s\n", number(len(v.targets), "target"), strings.Join(words, ", ")))
	for _, bad := range []judge.Verdict{judge.Nonconformant, judge.Inconclusive} {
		if counts[bad] == 0 {
			continue
		}
		if err := errors.Join(lost...); err != nil {
			fmt.Fprintln(v.streams.err, "conformance:", err)
		}
		return verdictError(bad)
	}
	return errors.Join(lost...)
}
