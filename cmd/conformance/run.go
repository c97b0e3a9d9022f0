package main

import (
	"cmp"
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
		Usage:     "test a service and give the verdict",
		UsageText: "conformance run [--base-url URL --token-file FILE] [flags]",
		Description: `Without --base-url the bundled reference is started on a loopback port and
tested. With it, a run first says how many requests it sends, and how many of
them may create data. Most names begin with "conformance ", so that you can
find and remove what was created.

A rejection counts only if the service accepts the same request without the
fault. Requests that must be rejected are sent before and after valid ones.

[$VARIABLE] is the environment variable of a flag. Precedence: flag,
variable, configuration file. An unknown CONFORMANCE_* variable is an error.

` + exitCodes,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := interruptibly(ctx, func() error {
				all, err := list.takeSettings(c)
				o.view.outputs.inputs = inputsOf(all)
				return err
			}); err != nil {
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
	var selected suites.Plan
	if err := interruptibly(ctx, func() (err error) {
		if selected, err = o.check(); err != nil {
			return err
		}
		o.config.Target.Token, err = readToken(o.tokenFile, s.in)
		return err
	}); err != nil {
		return err
	}
	if o.dryRun {
		if err := o.view.outputs.check(); err != nil {
			return err
		}
		return o.printRequests("", selected, s)
	}
	if err := o.view.outputs.open(s.out, true); err != nil {
		return err
	}
	r, err := o.replay(ctx, selected, s)
	if err != nil {
		o.view.outputs.discard()
		return err
	}
	return o.view.publish(r, s)
}

// check makes sense of what the flags say together, but for the credential, and
// gives what they select.
func (o *options) check() (selected suites.Plan, err error) {
	for _, step := range []func() error{o.checkSingle, o.checkBundled, o.takeSecretHeaders} {
		if err := step(); err != nil {
			return selected, err
		}
	}
	if selected, err = selectFixtures(&o.config); err != nil {
		return selected, err
	}
	return selected, o.takeTLS()
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
		named := cmp.Or(o.implementation, o.implementationVersion, o.implementationURL)
		return usagef("%s needs --base-url: the bundled reference goes by its own name", named.name)
	}
	if name := o.credentialName(); name != "" {
		return usagef("%s needs --base-url: it is a credential, and without a base URL only the bundled reference is tested", name)
	}
	return nil
}

// credentialName is the first thing given that carries a credential; "" is none.
func (o *options) credentialName() string {
	switch {
	case o.tokenFile.text != "":
		return o.tokenFile.name
	case environmentToken() != "":
		return tokenVariable
	case len(secretHeaders()) > 0:
		return secretHeadersVariable
	case o.clientCert.text != "":
		return o.clientCert.name
	}
	return o.secretHeader.name
}

// replay sends the fixtures. On whose service it does so it says beforehand,
// and how much; the bundled reference is nobody's.
func (o *options) replay(ctx context.Context, selected suites.Plan, s streams) (report.Report, error) {
	bundled := o.config.Target.BaseURL == ""
	if bundled {
		testBundled(&o.config)
	}
	o.config.Observe = o.view.outputs.observe
	if o.view.detail != report.Quiet {
		p := startProgress(s.err, isTerminal(s.err))
		defer p.end()
		o.config.Waiting = func(reason string) { p.wait("the target", reason) }
		o.config.Observe = func(e report.Event) {
			if e.Begun != nil && !bundled {
				p.say(announcement(o.config, footprintOf(selected), e.Begun.Run.ID))
			}
			o.view.outputs.observe(e)
			p.observe(e)
		}
	}
	return suites.Run(ctx, o.config) //nolint:wrapcheck // worded for the user
}
