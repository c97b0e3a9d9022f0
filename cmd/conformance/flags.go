package main

import (
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites"
)

// options are what the flags of run hold. Those that are part of the engine's
// configuration are bound to its fields, so that each default stands in one
// place.
type options struct {
	config suites.Config

	tokenFile             string
	headers               []string
	caCert                string
	clientCert, clientKey string
	insecure              bool
	contract              contractOptions
	reports               []string
	maxBody               string
	dryRun                bool
	color                 string
	quiet, verbose        bool
}

// The categories under which the help lists the flags.
const (
	categoryTarget    = "What is tested"
	categoryContract  = "By what"
	categoryOutput    = "What comes out"
	categoryTransport = "How it is sent"
)

// env is the environment variable that stands in for a flag.
func env(flag string) cli.ValueSourceChain {
	return cli.EnvVars("CONFORMANCE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_")))
}

func text(category, name string, into *string, usage string) cli.Flag {
	return &cli.StringFlag{Name: name, Category: category, Usage: usage, Value: *into, Destination: into, Sources: env(name)}
}

func file(category, name string, into *string, usage string) cli.Flag {
	return &cli.StringFlag{Name: name, Category: category, Usage: usage, Value: *into, Destination: into, Sources: env(name), TakesFile: true}
}

func texts(category, name string, into *[]string, usage string) cli.Flag {
	return &cli.StringSliceFlag{Name: name, Category: category, Usage: usage, Destination: into}
}

func yes(category, name string, into *bool, usage string) cli.Flag {
	return &cli.BoolFlag{Name: name, Category: category, Usage: usage, Destination: into, Sources: env(name), HideDefault: true}
}

func (o *options) flags() []cli.Flag {
	c := &o.config
	return append([]cli.Flag{
		text(categoryTarget, "base-url", &c.Target.BaseURL, "test the service at `URL`; without it the bundled reference is started and tested"),
		file(categoryTarget, "token-file", &o.tokenFile, "send the credential in `FILE` (- is standard input); or set CONFORMANCE_TOKEN to the credential itself"),
		texts(categoryTarget, "header", &o.headers, "send the header `'K: V'` with every request (repeatable)"),
		&cli.DurationFlag{Name: "wait", Category: categoryTarget, Usage: "wait up to `TIME` for the service to answer at all", Value: c.Wait, Destination: &c.Wait, Sources: env("wait")},
		text(categoryTarget, "implementation", &c.Implementation.Name, "`NAME` of what is tested, for the report"),
		text(categoryTarget, "implementation-version", &c.Implementation.Version, "its `VERSION`"),
		text(categoryTarget, "implementation-url", &c.Implementation.URL, "its `URL`"),

		yes(categoryContract, "strict", &c.Strict, "make warnings and undeclared statuses violations"),
		&cli.Uint64Flag{Name: "seed", Category: categoryContract, Usage: "draw ids from the seed `N`; the same seed sends the same bytes", DefaultText: "drawn", Destination: &c.Seed, Sources: env("seed")},

		texts(categoryOutput, "report", &o.reports, "write a report as `FORMAT=PATH` (json or junit; - is standard output; repeatable)"),
		yes(categoryOutput, "dry-run", &o.dryRun, "print the requests as curl commands and send nothing"),
		text(categoryOutput, "color", &o.color, "colour the output: auto, always or never"),
		yes(categoryOutput, "quiet", &o.quiet, "print the verdict only"),
		yes(categoryOutput, "verbose", &o.verbose, "print every fixture"),

		file(categoryTransport, "ca-cert", &o.caCert, "trust the certificates in `FILE` (PEM) too"),
		file(categoryTransport, "client-cert", &o.clientCert, "present the certificate in `FILE` (PEM)"),
		file(categoryTransport, "client-key", &o.clientKey, "with the private key in `FILE` (PEM)"),
		yes(categoryTransport, "insecure-skip-verify", &o.insecure, "do not check the service's certificate"),
		&cli.IntFlag{Name: "concurrency", Category: categoryTransport, Usage: "send `N` requests at a time", Value: c.Limits.Concurrency, Destination: &c.Limits.Concurrency, Sources: env("concurrency")},
		&cli.FloatFlag{Name: "rate", Category: categoryTransport, Usage: "send at most `N` requests per second", DefaultText: "no limit", Destination: &c.Limits.Rate, Sources: env("rate")},
		&cli.DurationFlag{Name: "timeout", Category: categoryTransport, Usage: "give one request `TIME` until its answer is complete", Value: c.Limits.Timeout, Destination: &c.Limits.Timeout, Sources: env("timeout")},
		&cli.DurationFlag{Name: "deadline", Category: categoryTransport, Usage: "give the whole run `TIME`", Value: c.Deadline, Destination: &c.Deadline, Sources: env("deadline")},
		text(categoryTransport, "max-body", &o.maxBody, "read bodies up to `SIZE` (such as 64KiB or 2MiB)"),
	}, o.contract.flags(c)...)
}

// contractOptions are the flags that say by what contract and with which
// fixtures; list and explain have them too.
type contractOptions struct {
	spec     string
	fixtures []string
}

func (o *contractOptions) flags(c *suites.Config) []cli.Flag {
	return []cli.Flag{
		file(categoryContract, "spec", &o.spec, "judge by the OpenAPI document in `FILE` instead of the one built in; clauses.yaml beside it words its clauses"),
		texts(categoryContract, "fixtures", &o.fixtures, "replay the fixtures below `DIR` (repeatable); without --spec, beside those built in"),
		texts(categoryContract, "only", &c.Only, "replay only what matches `GLOB`, an id of fixtures or clauses (repeatable)"),
		texts(categoryContract, "skip", &c.Skip, "leave out what matches `GLOB` (repeatable)"),
	}
}
