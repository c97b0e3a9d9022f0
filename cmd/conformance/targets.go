package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/report"
)

func (o *options) takeImplementation(g given) error {
	o.config.Implementation.Name, o.implementation = g.text, g
	return nil
}

// several says whether there is a list of targets to be tested. Where one is
// named as well, the flag counts before the variable, and this before the file.
func (o *options) several() (bool, error) {
	if o.targets.text == "" {
		return false, nil
	}
	for _, single := range []given{o.baseURL, o.implementation} {
		if single.text != "" && single.from == o.targets.from {
			return false, usagef("%s and %s exclude each other; give one of them, and what is about one target in its own lines of %[3]s", o.targets.name, single.name, o.targets.text)
		}
	}
	return o.baseURL.text == "" || o.targets.from < o.baseURL.from, nil
}

// runTargets does what the flags say with every target of the list. Every
// mistake in it is told before anything is written or sent.
func (o *options) runTargets(ctx context.Context, s streams) error {
	targets, err := o.prepareTargets(ctx, s)
	if err != nil {
		return err
	}
	if o.dryRun {
		for _, t := range targets {
			if err := t.printRequests(t.selected, s); err != nil {
				return err
			}
		}
		return nil
	}
	if err := o.matrix.outputs.open(s.out, false); err != nil {
		return err
	}
	if err := o.prepareReports(targets); err != nil {
		o.matrix.outputs.discard()
		return err
	}
	v := o.newTargetsView(targets, s)
	v.begin()
	p := v.startProgress()
	outcomes := replayTargets(ctx, targets, o.config.Limits.Concurrency, p, v)
	p.end()
	return v.end(outcomes)
}

// prepareTargets reads the list and cuts the shard out of it. Mistakes are told
// by every shard, whichever of the targets they are in.
func (o *options) prepareTargets(ctx context.Context, s streams) ([]*target, error) {
	shard := o.config.Shard
	o.config.Shard = suites.Shard{}
	selected, err := selectFixtures(&o.config)
	if err != nil {
		return nil, err
	}
	if err := o.checkReports(); err != nil {
		return nil, err
	}
	targets, err := o.loadTargets(ctx, s.in)
	if err != nil {
		return nil, err
	}
	all, err := loadFixtures(&o.config)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, t := range targets {
		t.selected = selected
		if err := suites.Validate(t.config, all); err != nil {
			faults = append(faults, t.fault(err))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if targets, err = cutTargets(targets, shard); err != nil {
		return nil, err
	}
	if list := o.matrix.outputs.list; len(targets) < 2 && len(list) > 0 {
		return nil, usagef("%s needs two targets to set side by side, and there is one; leave it out, and let `conformance compare` make one of reports in JSON", list[0].from.name)
	}
	return targets, nil
}

// cutTargets gives the shard's part of the targets, as a run's is cut.
func cutTargets(all []*target, shard suites.Shard) ([]*target, error) {
	if shard == (suites.Shard{}) {
		return all, nil
	}
	var part []*target
	for i := shard.Index - 1; i < len(all); i += shard.Of {
		part = append(part, all[i])
	}
	if len(part) == 0 {
		return nil, usagef("--shard %d/%d has none of the %d targets; cut the list into fewer", shard.Index, shard.Of, len(all))
	}
	return part, nil
}

// outcome is what became of a target.
type targetOutcome struct {
	report report.Report // with what a comparison needs of it
	text   string        // what is said of it on the console
	lost   error         // why a report could not be written
	err    error         // why it could not be run at all
}

// replayTargets replays against every target, so many exchanges at a time in
// all. Each of those that go on at the same time has its own share of them, so
// that one that hangs holds up no other.
func replayTargets(ctx context.Context, targets []*target, concurrency int, p *progress, v *targetsView) []targetOutcome {
	outcomes := make([]targetOutcome, len(targets))
	ended := make([]chan struct{}, len(targets))
	next := make(chan int, len(targets))
	for i := range targets {
		ended[i] = make(chan struct{})
		next <- i
	}
	close(next)
	var workers sync.WaitGroup
	at := min(len(targets), concurrency) // the same time
	for w := range at {
		share := concurrency / at
		if w < concurrency%at {
			share++
		}
		workers.Go(func() {
			for i := range next {
				targets[i].config.Limits.Concurrency = share
				outcomes[i] = targets[i].replayAndReport(ctx, p)
				outcomes[i].text = v.text(i, outcomes[i])
				outcomes[i].report = slim(outcomes[i].report)
				close(ended[i])
			}
		})
	}
	for i := range targets { // in the order of the list
		<-ended[i]
		p.aside(func() { v.print(outcomes[i].text) })
	}
	workers.Wait()
	return outcomes
}

// replayAndReport runs against one target and writes its reports.
func (t *target) replayAndReport(ctx context.Context, p *progress) targetOutcome {
	outputs := &t.view.outputs
	lost := outputs.open(nil, true)
	if lost != nil {
		outputs.list = nil // the others are not stopped by it, and neither is this one
	}
	t.config.Observe = func(e report.Event) {
		outputs.observe(e)
		p.observe(e)
	}
	r, err := suites.Check(ctx, t.config)
	if err != nil { // as when a fixture was changed since
		outputs.discard()
		return targetOutcome{err: fmt.Errorf("the target %s: %w", t.name, err)}
	}
	return targetOutcome{report: r, lost: errors.Join(lost, outputs.write(r, nil))}
}

// sources are the reports that there are.
func sources(targets []*target, outcomes []targetOutcome) []compare.Source {
	var list []compare.Source
	for i, out := range outcomes {
		if out.err == nil {
			list = append(list, compare.Source{File: targets[i].file(), Report: out.report})
		}
	}
	return list
}
