package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
)

func newRun(s streams) *cli.Command {
	o := newOptions()
	list := o.flags()
	return &cli.Command{
		Name:      "run",
		Usage:     "replay the fixtures against a service and give the verdict",
		UsageText: "conformance run [--base-url URL --token-file FILE] [flags]",
		Description: `Without --base-url the bundled reference is started on a loopback port and
tested. Names of what is created begin with "conformance ", so that it can be
found and removed.

A flag with a [$VARIABLE] may be given by that environment variable instead;
where both are, the flag counts.

` + exitCodes,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			return o.run(ctx, s)
		},
	}
}

// run does what the flags say. Every mistake in them is told before anything
// is written or sent.
func (o *options) run(ctx context.Context, s streams) error {
	several, err := o.several()
	if err != nil {
		return err
	}
	if several {
		return o.runTargets(ctx, s)
	}
	if err := o.checkSingle(); err != nil {
		return err
	}
	if err := o.checkBundled(); err != nil {
		return err
	}
	selected, err := selectFixtures(&o.config)
	if err != nil {
		return err
	}
	if o.config.Target.Token, err = readToken(ctx, o.tokenFile, s.in); err != nil {
		return err
	}
	if o.config.Target.TLS, err = o.tls(); err != nil {
		return err
	}
	if o.dryRun {
		return o.printRequests(selected, s)
	}
	if err := o.view.outputs.open(s.out, true); err != nil {
		return err
	}
	r, err := o.replay(ctx, s)
	if err != nil {
		o.view.outputs.discard()
		return err
	}
	return o.view.publish(r, s)
}

// checkBundled refuses what is about a service of the user's where none is
// named, so that nobody takes the verdict on the bundled reference for theirs.
func (o *options) checkBundled() error {
	switch {
	case o.config.Target.BaseURL != "" || o.dryRun:
		return nil
	case o.config.Contract != nil:
		return usagef("--spec needs --base-url: the bundled reference serves the contract that is built in, and no other")
	case o.config.Implementation != report.Implementation{}:
		return usagef("--implementation, its version and its URL need --base-url: the bundled reference goes by its own name")
	}
	return nil
}

func (o *options) replay(ctx context.Context, s streams) (report.Report, error) {
	if o.config.Target.BaseURL == "" {
		stop, err := startBundled(ctx, &o.config)
		if err != nil {
			return report.Report{}, err
		}
		defer stop()
	}
	o.config.Observe = o.view.outputs.observe
	if o.view.detail != report.Quiet {
		p := startProgress(s.err, isTerminal(s.err))
		defer p.end()
		o.config.Observe = func(e report.Event) {
			o.view.outputs.observe(e)
			p.observe(e)
		}
	}
	return suites.Run(ctx, o.config) //nolint:wrapcheck // worded for the user
}
