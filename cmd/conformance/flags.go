package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// options are what the flags of run say. What belongs to the engine's
// configuration goes straight there, and the defaults come from there.
type options struct {
	config                suites.Config
	baseURL               given
	implementation        given // its name
	implementationVersion given
	implementationURL     given
	list                  given // the file of --targets
	matrix                matrix
	tokenFile             given
	caCert                given
	clientCert, clientKey given
	secretHeader          given // the first header that carries a credential
	insecure              bool
	view                  view
	dryRun                bool
}

func newOptions() *options {
	return &options{config: suites.NewConfig(), matrix: newMatrix(), view: newView()}
}

func (o *options) flags() flags {
	c := &o.config
	return slices.Concat(
		in(targetHeading,
			valued("base-url", "URL", "the service; without it, the bundled reference is started and tested", o.takeBaseURL),
			valued("targets", "FILE", "test all services listed in FILE; {target} in the path of --report is a service's name", takeGiven(&o.list)).path(),
			valued("token-file", "FILE", "send the credential in FILE (- is standard input); or set "+tokenVariable+" to the credential itself", takeGiven(&o.tokenFile)).path().hidden(hideTokenFile),
			repeated("header", "'K: V'", "send this header with every request; put secret headers into "+secretHeadersVariable+" instead, one a line", o.takeHeader).expanded().hidden(o.hideHeader),
			valued("resolve", "HOST:ADDRESS", "connect to this IP address (and port, if given) for the base URL's host, without a proxy; Host header and certificate check still use the URL", o.takeResolve),
			valued("wait", "TIME", "wait up to TIME for a response other than 502, 503 or 504; without one, nothing is sent", takeTime(&c.Wait)).defaultsTo(c.Wait.String()),
			valued("implementation", "NAME", "name of the service, for the report", o.takeImplementation),
			valued("implementation-version", "VERSION", "its version, for the report", takeNamed(&c.Implementation.Version, &o.implementationVersion)),
			valued("implementation-url", "URL", "its home page, for the report", takeNamed(&c.Implementation.URL, &o.implementationURL)),
		),
		contractFlags(c),
		filterFlags(c),
		in(contractHeading,
			toggle("strict", "make warnings and undeclared statuses violations", takeSwitch(&c.Strict)),
			valued("min-coverage", "PERCENT", "make the verdict inconclusive if less than PERCENT of the must-clauses was tested (passed or failed)", takePercent(&c.MinCoverage)).or("no minimum"),
			toggle("quick", "send only the plainest fixtures", takeSwitch(&c.Quick)),
			valued("tries", "N", "try each request that must be rejected N times; those that --quick leaves out, at most twice", takeCount(&c.Tries)).defaultsTo(strconv.Itoa(suites.DefaultTries)),
			valued("waivers", "FILE", "known violations listed in FILE do not fail the run", takeWaivers(&c.Waivers)).path(),
			valued("shard", "I/N", "run part I of N, of the fixtures or of --targets; use the same --seed for all parts, and merge their reports by `conformance report`; index:I/N counts from 0", takeShard(&c.Shard)),
			valued("seed", "N", "draw ids from N; the same seed sends the same bytes, except for the run's id in User-Agent", takeSeed(&c.Seed)).or("a new one"),
		),
		in(requestsHeading,
			valued("concurrency", "N", "maximum concurrent requests, over all targets", takeCount(&c.Limits.Concurrency)).defaultsTo(strconv.Itoa(c.Limits.Concurrency)),
			valued("rate", "N", "maximum requests per second, to each target", takeRate(&c.Limits.Rate)).or("no limit"),
			valued("max-requests", "N", "maximum requests to each target, including retries, but not those of --wait", takeCount(&c.Limits.MaxRequests)).or("no limit"),
			valued("timeout", "TIME", "time limit for one request, until its response is complete; a response that exceeds it is a violation", takeTimeout(&c.Limits.Timeout)).defaultsTo(c.Limits.Timeout.String()),
			valued("deadline", "TIME", "time limit for the run against each target, after --wait; 0s means none", takeTime(&c.Deadline)).defaultsTo(c.Deadline.String()),
			valued("max-body", "SIZE", "maximum size of a response body, such as 2MiB; a larger one is unjudged", takeSize(&c.Limits.MaxBody)).defaultsTo(fmt.Sprintf("%dMiB", c.Limits.MaxBody>>20)),
			valued("max-header", "SIZE", "maximum size of response headers, such as 1MiB; larger ones are unjudged", takeSize(&c.Limits.MaxHeader)).defaultsTo(fmt.Sprintf("%dKiB", c.Limits.MaxHeader>>10)),
			depthFlag(&c.JSON),
			numberFlag(&c.JSON),
			valued("ca-cert", "FILE", "also trust the certificates in FILE (PEM)", takeGiven(&o.caCert)).path(),
			valued("client-cert", "FILE", "present the certificate in FILE (PEM)", takeGiven(&o.clientCert)).path(),
			valued("client-key", "FILE", "private key of --client-cert, in FILE (PEM)", takeGiven(&o.clientKey)).path(),
			toggle("insecure-skip-verify", "do not verify the certificate of the service", takeSwitch(&o.insecure)),
		),
		in(outputHeading,
			o.view.reportFlag(),
			o.matrix.flag(),
			toggle("dry-run", "print the requests as curl commands and send nothing", takeSwitch(&o.dryRun)),
		),
		in(outputHeading, o.view.consoleFlags()...),
	).filed()
}

// The headings that several commands have.
const (
	targetHeading   = "Target"
	contractHeading = "Contract"
	requestsHeading = "Requests"
	outputHeading   = "Output"
)

// depthFlag and numberFlag bound what is read of a JSON body.
func depthFlag(l *spec.Limits) flag {
	return valued("max-depth", "N", "maximum nesting of JSON in a response; a deeper body is unjudged", takeDepth(&l.Depth)).defaultsTo(strconv.Itoa(spec.DefaultLimits().Depth))
}

func numberFlag(l *spec.Limits) flag {
	return valued("max-number", "N", "maximum length of a JSON number in a response, in characters; a body with a longer one is unjudged", takeCount(&l.NumberLength)).defaultsTo(strconv.Itoa(spec.DefaultLimits().NumberLength))
}

// contractFlags say by which contract to judge and with which fixtures.
func contractFlags(c *suites.Config) flags {
	return in(contractHeading,
		configFlag(),
		valued("spec", "FILE", "judge by the OpenAPI document in FILE instead of the built-in one; clauses.yaml in the same folder may give wording to its clauses", takeSpec(c)).path(),
		repeated("fixtures", "DIR", "use the fixtures below DIR; without --spec, in addition to the built-in ones", takeFixtures(c)).path(),
	).filed()
}

// filterFlags choose among the fixtures.
func filterFlags(c *suites.Config) flags {
	return in(contractHeading,
		repeated("only", "GLOB", "only fixtures or clauses whose id matches; * stands for any characters", takeTexts(&c.Only)),
		repeated("skip", "GLOB", "exclude fixtures or clauses that match GLOB", takeTexts(&c.Skip)),
	)
}
