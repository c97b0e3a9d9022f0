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
	*options
	streams
	targets []*target
	console io.Writer
	color   bool
	width   int // of the longest name
}

func (o *options) newTargetsView(targets []*target, s streams) *targetsView {
	v := &targetsView{options: o, streams: s, targets: targets, console: s.out}
	if o.matrix.outputs.toStdout() {
		v.console = s.err
	}
	v.color = useColor(o.view.color, v.console)
	for _, t := range targets {
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
		terminal.Says(" · %s of %s, %s for each", number(len(v.targets), "target"), v.options.targets.text, number(len(v.targets[0].selected), "fixture")))
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
	if out.err != nil {
		p.Line(append(name, terminal.Yellow.Of("not run: "), terminal.Plain.Of(message(out.err)))...)
		return p.String()
	}
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
	counts := map[judge.Verdict]int{}
	for _, out := range outcomes {
		lost = append(lost, out.lost, out.err)
		if out.err == nil {
			counts[judge.Verdict(out.report.Verdict)]++
		}
	}
	sources := sources(v.targets, outcomes)
	lost = append(lost, v.matrix.write(sources, v.streams.out, compare.Console{
		Out: v.console, Color: v.color, Detail: v.view.detail, RowsOnly: len(sources) == len(v.targets),
	}))
	var words []string
	worst := judge.Conformant
	for _, verdict := range []judge.Verdict{judge.Conformant, judge.Inconclusive, judge.Nonconformant} { // from good to bad
		if counts[verdict] > 0 {
			worst = verdict
		}
	}
	for _, verdict := range []judge.Verdict{judge.Conformant, judge.Nonconformant, judge.Inconclusive} {
		if counts[verdict] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[verdict], verdict))
		}
	}
	if n := len(v.targets) - len(sources); n > 0 {
		words = append(words, fmt.Sprintf("%d not run", n))
	}
	if v.view.detail != report.Quiet {
		v.print("\n")
	}
	v.print(fmt.Sprintf("%s: %s\n", number(len(v.targets), "target"), strings.Join(words, ", ")))
	if worst == judge.Conformant {
		return errors.Join(lost...)
	}
	if err := errors.Join(lost...); err != nil {
		fmt.Fprintln(v.streams.err, "conformance:", err)
	}
	return verdictError(worst)
}
