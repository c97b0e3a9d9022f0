// Package fleet tests several services at once: it reads their list, and writes their reports, the
// matrix over all and the console output.
package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Options holds the values of the flags for all services.
type Options struct {
	target.Options
	View   output.View
	Matrix Matrix
}

// NewOptions returns the defaults.
func NewOptions() Options {
	o := Options{Options: target.New(), View: output.NewView(), Matrix: Matrix{&output.Files{}, &compare.Comparison{}}}
	o.Matrix.Files.Formats = ComparisonFormats(o.Matrix.comparison)
	return o
}

// Fleet is a list of services that is ready to be tested.
type Fleet struct {
	*Options
	Targets  []*Target
	selected suites.Plan
}

// Prepare reads the list, checks all of it, and selects the shard's part. It also checks that all
// reports can be written.
func (o *Options) Prepare(stdin io.Reader, shard suites.Shard, selected suites.Plan) (*Fleet, error) {
	r := &Fleet{Options: o, selected: selected}
	if err := o.checkReports(); err != nil {
		return nil, err
	}
	if err := o.TakeSecretHeaders(); err != nil {
		return nil, err
	}
	var err error
	if r.Targets, err = o.loadTargets(stdin); err != nil {
		return nil, err
	}
	var faults []error
	for _, t := range r.Targets {
		if err := suites.Validate(t.Config); err != nil {
			faults = append(faults, t.fault(err))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	all := r.Targets
	r.Targets = lists.Map(shard.Places(len(all)), func(place int) *Target { return all[place] })
	if len(r.Targets) == 0 {
		return nil, cli.Usagef("--shard %d/%d has none of the %d targets; use fewer shards", shard.Index, shard.Of, len(all))
	}
	if list := o.Matrix.Files.List; len(list) > 0 {
		switch {
		case shard != (suites.Shard{}):
			return nil, cli.Usagef("%s covers all targets, but a shard has only some of them; omit it, and use `conformance compare` on the JSON reports of all shards", list[0].From.Name)
		case len(r.Targets) < 2:
			return nil, cli.Usagef("%s needs at least two targets, but there is one; omit it, and use `conformance compare` on JSON reports", list[0].From.Name)
		}
	}
	return r, r.prepareReports()
}

// PrintRequests prints the requests to each service, and sends nothing.
func (r *Fleet) PrintRequests(s output.Streams) error {
	for _, t := range r.Targets {
		if err := PrintRequests(s, t.Name, t.Config, r.selected); err != nil {
			return err
		}
	}
	return nil
}

// Run tests all services.
func (r *Fleet) Run(ctx context.Context, s output.Streams) error {
	if err := r.Matrix.Files.Open(s.Out, false); err != nil {
		return err
	}
	v := &view{Fleet: r, streams: s, console: r.Matrix.Files.Console(s)}
	v.summary.Color = r.View.UsesColor(v.console)
	v.summary.Names = lists.Map(r.Targets, func(t *Target) string { return t.Name })
	v.begin()
	screen := s.Err
	if r.View.Detail == console.Quiet {
		screen = io.Discard
	}
	p := output.StartProgress(screen, output.IsTerminal(screen), Requests(r.selected)*len(r.Targets))
	p.Expect(v.summary.Names)
	outcomes := r.replay(ctx, p, v)
	p.End()
	return v.end(outcomes)
}

type outcome struct {
	report result.Report // only what a comparison needs
	text   string        // its console output
	lost   error         // why a report could not be written
}

// replay tests every target. The limit on concurrent exchanges is for all targets together. Each
// running target has a fixed share of it, so that a hanging target does not delay the others. When
// no target is left for a share, all others may use it.
func (r *Fleet) replay(ctx context.Context, p *output.Progress, v *view) []outcome {
	outcomes := make([]outcome, len(r.Targets))
	ended := make([]chan struct{}, len(r.Targets))
	next := make(chan int, len(r.Targets))
	for i := range r.Targets {
		ended[i] = make(chan struct{})
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	spare := make(chan struct{}, r.Config.Limits.Concurrency)
	for _, share := range shares(r.Config.Limits.Concurrency, len(r.Targets)) {
		workers.Go(func() {
			for i := range next {
				out := r.replayOne(ctx, r.Targets[i], share, spare, p)
				out.text = v.text(i, out.report)
				out.report = slim(out.report)
				outcomes[i] = out
				close(ended[i])
			}
			for range share {
				spare <- struct{}{}
			}
		})
	}
	for i := range r.Targets { // in the order of the list
		<-ended[i]
		p.Aside(func() { v.print(outcomes[i].text) })
	}
	workers.Wait()
	return outcomes
}

// shares divides a limit among the targets that can run at the same time.
func shares(bound, targets int) []int {
	list := make([]int, min(bound, targets))
	for i := range bound {
		list[i%len(list)]++
	}
	return list
}

// replayOne tests one target and writes its reports. An error does not stop the other targets. A
// report that cannot be written does not stop the run.
func (r *Fleet) replayOne(ctx context.Context, t *Target, share int, spare chan struct{}, p *output.Progress) outcome {
	defer p.Ended(t.Name)
	files := &t.view.Files
	unopened := files.Open(nil, true)
	if unopened != nil {
		files.List = nil
	}
	c := t.Config
	c.Limits.Concurrency, c.Limits.Spare = share, spare
	c.Answered = p.Answer
	c.Waiting = func(reason string) { p.Wait(t.Name, reason) }
	c.Observe = func(e result.Event) {
		files.Observe(e)
		p.Observe(e)
	}
	report, err := suites.Run(ctx, c)
	if err != nil { // unlikely, because Prepare has validated it
		files.Discard()
		report.Verdict, report.Reason = verdict.Inconclusive, output.Message(err)
		return outcome{report: report, lost: err}
	}
	return outcome{report: report, lost: errors.Join(unopened, files.Write(report))}
}

// view prints runs against several targets on the console: a line for each, the matrix over all,
// and a summary.
type view struct {
	*Fleet
	streams output.Streams
	console io.Writer
	summary compare.TargetSummary
	lost    error // why something could not be printed
}

func (v *view) begin() {
	if v.View.Detail == console.Quiet {
		return
	}
	fmt.Fprintln(v.streams.Err, Announcement(v.Config, v.selected, v.summary.Names, "the run that its report names (run.id)", cli.Width(v.streams.Err)))
	contract := result.Contract{Title: v.Config.Contract.Title, Version: v.Config.Contract.Version}
	v.print(v.summary.Header(contract, fmt.Sprintf("%s of %s, %s for each", judge.Number(len(v.Targets), "target"), v.List.Text, judge.Number(len(v.selected.Fixtures), "fixture"))))
}

// text returns the line of one target that has ended. With --verbose, the output of a run against a
// single target comes before it.
func (v *view) text(place int, r result.Report) string {
	var text bytes.Buffer
	switch v.View.Detail {
	case console.Quiet:
		return ""
	case console.Verbose:
		text.WriteByte('\n')
		_ = console.Printer{Color: v.summary.Color, Detail: console.Verbose}.Write(&text, r) // a buffer returns no error
	}
	return text.String() + v.summary.Row(place, r)
}

func (v *view) print(text string) {
	if _, err := io.WriteString(v.console, text); err != nil && v.lost == nil {
		v.lost = fmt.Errorf("writing to the console: %w", err)
	}
}

// end prints the matrix and the summary, and returns the worst verdict as an error.
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
		lost = errors.New(output.Message(lost)) // not a UsageError, because requests were sent
	}
	worst := verdict.Conformant
	for _, one := range []verdict.Verdict{verdict.Inconclusive, verdict.Nonconformant} {
		if slices.Contains(verdicts, one) {
			worst = one
		}
	}
	return v.streams.Conclude(worst, lost)
}
