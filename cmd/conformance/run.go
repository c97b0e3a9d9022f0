package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

func newRun(s streams) *cli.Command {
	o := &options{config: suites.NewConfig(), color: "auto", maxBody: "1MiB"}
	return &cli.Command{
		Name:      "run",
		Usage:     "replay the fixtures against a service and give the verdict",
		UsageText: "conformance run [--base-url URL --token-file FILE] [flags]",
		Description: `Without --base-url the bundled reference is started on a loopback port and
tested. Names of what is created begin with "conformance ", so that it can be
found and removed.

Exit codes: 0 conformant, 1 nonconformant, 2 wrong usage (nothing was sent),
3 inconclusive.`,
		Flags: o.flags(),
		Action: func(ctx context.Context, c *cli.Command) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return o.run(ctx, s)
		},
	}
}

func (o *options) run(ctx context.Context, s streams) error {
	if err := o.prepare(s); err != nil {
		return err
	}
	if o.dryRun {
		return o.printRequests(s.out)
	}
	// Whatever is wrong is to be said before anything is written or sent.
	if _, err := o.contract.load(&o.config); err != nil {
		return err
	}
	out, err := openReports(o.reports)
	if err != nil {
		return err
	}
	r, err := o.replay(ctx, s)
	if err != nil {
		out.discard()
		return err
	}
	return o.publish(r, out, s)
}

// prepare fills the configuration in from the flags.
func (o *options) prepare(s streams) error {
	if o.quiet && o.verbose {
		return usagef("--quiet and --verbose exclude each other")
	}
	if _, err := useColor(o.color, s.out); err != nil {
		return err
	}
	var err error
	if o.config.Limits.MaxBody, err = parseSize("max-body", o.maxBody); err != nil {
		return err
	}
	if err := o.contract.apply(&o.config); err != nil {
		return err
	}
	if o.config.Target.BaseURL == "" && o.contract.spec != "" && !o.dryRun {
		return usagef("--spec needs --base-url: the bundled reference serves the contract that is built in, and no other")
	}
	return o.target(s.in)
}

func (o *options) replay(ctx context.Context, s streams) (report.Report, error) {
	if o.config.Target.BaseURL == "" {
		stop, err := startBundled(ctx, &o.config)
		if err != nil {
			return report.Report{}, err
		}
		defer stop()
	}
	if !o.quiet {
		p := startProgress(s.err)
		defer p.end()
		o.config.Progress = p.count
	}
	return suites.Run(ctx, o.config) //nolint:wrapcheck // worded for the user
}

// publish writes the reports and then tells the verdict. A report that goes to
// standard output has it to itself.
func (o *options) publish(r report.Report, out outputs, s streams) error {
	console := s.out
	if len(out.stdout) > 0 {
		console = s.err
	}
	detail := report.Normal
	switch {
	case o.quiet:
		detail = report.Quiet
	case o.verbose:
		detail = report.Verbose
	}
	color, err := useColor(o.color, console)
	if err != nil {
		return err
	}
	lost := out.write(r, s.out)
	if err := (report.Console{Out: console, Color: color, Detail: detail}).Write(r); err != nil {
		return err //nolint:wrapcheck // worded for the user
	}
	if verdict := judge.Verdict(r.Verdict); verdict != judge.Conformant {
		if lost != nil {
			fmt.Fprintln(s.err, "conformance:", lost)
		}
		return verdictError{verdict}
	}
	return lost
}
