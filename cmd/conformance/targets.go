package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

func (o *options) takeImplementation(g given) error {
	o.config.Implementation.Name, o.implementation = g.text, g
	return nil
}

// several says whether there is a list of targets to be tested. Where one is
// named as well, the flag counts before the variable, and this before the file.
func (o *options) several() (bool, error) {
	if o.list.text == "" {
		return false, nil
	}
	for _, single := range []given{o.baseURL, o.implementation} {
		if single.text != "" && single.from == o.list.from {
			return false, usagef("%s and %s exclude each other; give one of them, and what is about one target in its own lines of %[3]s", o.list.name, single.name, o.list.text)
		}
	}
	return o.baseURL.text == "" || o.list.from < o.baseURL.from, nil
}

// targetsRun is what the flags and the list make together.
type targetsRun struct {
	*options
	targets  []*target
	selected suites.Plan
}

// runTargets does what the flags say with every target of the list. Every
// mistake in it is told before anything is written or sent.
func (o *options) runTargets(ctx context.Context, s streams) error {
	var r *targetsRun
	if err := interruptibly(ctx, func() (err error) {
		r, err = o.prepareTargets(s.in)
		return err
	}); err != nil {
		return err
	}
	if err := r.prepareReports(); err != nil {
		return err
	}
	if o.dryRun {
		for _, t := range r.targets {
			if err := t.printRequests(t.name, r.selected, s); err != nil {
				return err
			}
		}
		return nil
	}
	if err := o.matrix.outputs.open(s.out, false); err != nil {
		return err
	}
	v := newTargetsView(r, s)
	v.begin()
	p := v.startProgress()
	outcomes := r.replay(ctx, p, v)
	p.end()
	return v.end(outcomes)
}

// prepareTargets reads the list and cuts the shard out of it. Mistakes are told
// by every shard, whichever of the targets they are in.
func (o *options) prepareTargets(stdin io.Reader) (*targetsRun, error) {
	shard := o.config.Shard
	o.config.Shard = suites.Shard{}
	r := &targetsRun{options: o}
	var err error
	if r.selected, err = selectFixtures(&o.config); err != nil {
		return nil, err
	}
	if err := o.checkReports(); err != nil {
		return nil, err
	}
	if err := o.takeSecretHeaders(); err != nil {
		return nil, err
	}
	if r.targets, err = o.loadTargets(stdin); err != nil {
		return nil, err
	}
	var faults []error
	for _, t := range r.targets {
		if err := suites.Validate(t.config); err != nil {
			faults = append(faults, t.fault(err))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if r.targets, err = cutTargets(r.targets, shard); err != nil {
		return nil, err
	}
	if list := o.matrix.outputs.list; len(list) > 0 {
		switch {
		case shard != (suites.Shard{}):
			return nil, usagef("%s is over all targets, and a shard has a part of them; leave it out, and let `conformance compare` make one of the reports in JSON of all shards", list[0].from.name)
		case len(r.targets) < 2:
			return nil, usagef("%s needs two targets to set side by side, and there is one; leave it out, and let `conformance compare` make one of reports in JSON", list[0].from.name)
		}
	}
	return r, nil
}

// cutTargets gives the shard's part of the targets, as a run's is cut.
func cutTargets(all []*target, shard suites.Shard) ([]*target, error) {
	var part []*target
	for _, place := range shard.Places(len(all)) {
		part = append(part, all[place])
	}
	if len(part) == 0 {
		return nil, usagef("--shard %d/%d has none of the %d targets; cut the list into fewer", shard.Index, shard.Of, len(all))
	}
	return part, nil
}

// targetOutcome is what became of a target.
type targetOutcome struct {
	report report.Report // with what a comparison needs of it
	text   string        // what is said of it on the console
	lost   error         // why a report could not be written
}

// replay runs against every target, so many exchanges at a time in all. Each of
// the targets that are under way has its own share of them, so that one that
// hangs holds up no other. A share that no target is left for is for all.
func (r *targetsRun) replay(ctx context.Context, p *progress, v *targetsView) []targetOutcome {
	outcomes := make([]targetOutcome, len(r.targets))
	ended := make([]chan struct{}, len(r.targets))
	next := make(chan int, len(r.targets))
	for i := range r.targets {
		ended[i] = make(chan struct{})
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	spare := make(chan struct{}, r.config.Limits.Concurrency)
	for _, share := range shares(r.config.Limits.Concurrency, len(r.targets)) {
		workers.Go(func() {
			for i := range next {
				out := r.replayOne(ctx, r.targets[i], share, spare, p)
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
	for i := range r.targets { // in the order of the list
		<-ended[i]
		p.aside(func() { v.print(outcomes[i].text) })
	}
	workers.Wait()
	return outcomes
}

// shares cuts a bound into as many parts as there can be targets under way.
func shares(bound, targets int) []int {
	list := make([]int, min(bound, targets))
	for i := range bound {
		list[i%len(list)]++
	}
	return list
}

// replayOne runs against one target and writes its reports. The others are not
// stopped by what goes wrong here, and neither is the run by a report that is
// lost.
func (r *targetsRun) replayOne(ctx context.Context, t *target, share int, spare chan struct{}, p *progress) targetOutcome {
	defer p.ended(t.name)
	outputs := &t.view.outputs
	unopened := outputs.open(nil, true)
	if unopened != nil {
		outputs.list = nil
	}
	c := t.config
	c.Limits.Concurrency, c.Limits.Spare = share, spare
	c.Waiting = func(reason string) { p.wait(t.name, reason) }
	c.Observe = func(e report.Event) {
		outputs.observe(e)
		p.observe(e)
	}
	result, err := suites.Run(ctx, c)
	if err != nil { // though it was validated
		outputs.discard()
		result.Verdict, result.Reason = judge.Inconclusive, message(err)
		return targetOutcome{report: result, lost: err}
	}
	return targetOutcome{report: result, lost: errors.Join(unopened, outputs.write(result, nil))}
}
