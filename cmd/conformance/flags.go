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
		in("What is tested",
			valued("base-url", "URL", "the service; without it the bundled reference is started and tested", o.takeBaseURL),
			valued("targets", "FILE", "the services listed in FILE, each with reports of its own ({target} in the path of --report is its name), and a matrix over all", takeGiven(&o.list)).path(),
			valued("token-file", "FILE", "send the credential in FILE (- is standard input); or set "+tokenVariable+" to the credential itself", takeGiven(&o.tokenFile)).path().hidden(hideTokenFile),
			repeated("header", "'K: V'", "send this header with every request; those whose values nobody may see can be lines of "+secretHeadersVariable+" instead", o.takeHeader).expanded().hidden(o.hideHeader),
			valued("resolve", "HOST:ADDRESS", "for the base URL's host connect to this IP address (with a port of its own, if need be), and by no proxy; Host header and certificate stay those of the URL", o.takeResolve),
			valued("wait", "TIME", "wait so long for the service to answer, and to answer with anything but 502, 503 and 504; if nothing answers in time, nothing is sent", takeTime(&c.Wait)).defaultsTo(c.Wait.String()),
			valued("implementation", "NAME", "what is tested, for the report", o.takeImplementation),
			valued("implementation-version", "VERSION", "its version, for the report", takeNamed(&c.Implementation.Version, &o.implementationVersion)),
			valued("implementation-url", "URL", "where it comes from, for the report", takeNamed(&c.Implementation.URL, &o.implementationURL)),
		),
		contractFlags(c),
		filterFlags(c),
		in(byWhat,
			toggle("strict", "make warnings and undeclared statuses violations", takeSwitch(&c.Strict)),
			valued("min-coverage", "PERCENT", "make the verdict inconclusive if less than PERCENT of the must-clauses was tested (passed or failed)", takePercent(&c.MinCoverage)).or("no minimum"),
			toggle("quick", "send only the plainest fixtures (about 130 requests)", takeSwitch(&c.Quick)),
			valued("tries", "N", "send each request that must be rejected N times over the run", takeCount(&c.Tries)).defaultsTo(strconv.Itoa(suites.DefaultTries)),
			valued("waivers", "FILE", "the known violations listed in FILE do not fail the run", takeWaivers(&c.Waivers)).path(),
			valued("shard", "I/N", "only the I-th of N parts: of the fixtures, whose reports `conformance report` merges if they have one seed, or of the --targets; index:I/N counts from 0", takeShard(&c.Shard)),
			valued("seed", "N", "draw the ids to be sent from N; the same seed sends the same bytes, but for the id of the run in User-Agent", takeSeed(&c.Seed)).or("a new one"),
		),
		in("How it is sent",
			valued("concurrency", "N", "so many requests at a time, to all targets together", takeCount(&c.Limits.Concurrency)).defaultsTo(strconv.Itoa(c.Limits.Concurrency)),
			valued("rate", "N", "at most so many requests per second, to each target", takeRate(&c.Limits.Rate)).or("no limit"),
			valued("max-requests", "N", "never send more than so many requests to a target; what is sent again counts, what --wait asks does not", takeCount(&c.Limits.MaxRequests)).or("no limit"),
			valued("timeout", "TIME", "for one request, until its answer is complete", takeTimeout(&c.Limits.Timeout)).defaultsTo(c.Limits.Timeout.String()),
			valued("deadline", "TIME", "for the whole run, of each target, once --wait is over; 0s is none", takeTime(&c.Deadline)).defaultsTo(c.Deadline.String()),
			valued("max-body", "SIZE", "read the body of a response up to this size, such as 2MiB; a longer one is unjudged", takeSize(&c.Limits.MaxBody)).defaultsTo(fmt.Sprintf("%dMiB", c.Limits.MaxBody>>20)),
			valued("max-header", "SIZE", "read the header of a response up to this size, such as 1MiB; a longer one is unjudged", takeSize(&c.Limits.MaxHeader)).defaultsTo(fmt.Sprintf("%dKiB", c.Limits.MaxHeader>>10)),
			depthFlag(&c.JSON),
			numberFlag(&c.JSON),
			valued("ca-cert", "FILE", "trust the certificates in FILE (PEM) too", takeGiven(&o.caCert)).path(),
			valued("client-cert", "FILE", "present the certificate in FILE (PEM)", takeGiven(&o.clientCert)).path(),
			valued("client-key", "FILE", "with the private key in FILE (PEM)", takeGiven(&o.clientKey)).path(),
			toggle("insecure-skip-verify", "do not check the certificate of the service", takeSwitch(&o.insecure)),
		),
		in(comesOut,
			o.view.reportFlag(),
			o.matrix.flag(),
			toggle("dry-run", "print the requests as curl commands and send nothing", takeSwitch(&o.dryRun)),
		),
		in(comesOut, o.view.consoleFlags()...),
	).filed()
}

// The headings that several commands have.
const (
	byWhat   = "By what"
	comesOut = "What comes out"
)

// depthFlag and numberFlag bound what is read of a JSON body.
func depthFlag(l *spec.Limits) flag {
	return valued("max-depth", "N", "judge JSON of up to N levels of objects and lists; a deeper body is unjudged", takeDepth(&l.Depth)).defaultsTo(strconv.Itoa(spec.DefaultLimits().Depth))
}

func numberFlag(l *spec.Limits) flag {
	return valued("max-number", "N", "judge JSON with numbers of up to N characters; a body with a longer one is unjudged", takeCount(&l.NumberLength)).defaultsTo(strconv.Itoa(spec.DefaultLimits().NumberLength))
}

// contractFlags say by which contract to judge and with which fixtures.
func contractFlags(c *suites.Config) flags {
	return in(byWhat,
		configFlag(),
		valued("spec", "FILE", "judge by the OpenAPI document in FILE, not by the one built in; clauses.yaml beside it words its clauses", takeSpec(c)).path(),
		repeated("fixtures", "DIR", "the fixtures below DIR; without --spec, beside those built in", takeFixtures(c)).path(),
	).filed()
}

// filterFlags choose among the fixtures.
func filterFlags(c *suites.Config) flags {
	return in(byWhat,
		repeated("only", "GLOB", "only the fixtures whose id, or whose clause's id, matches; * stands for any characters", takeTexts(&c.Only)),
		repeated("skip", "GLOB", "all fixtures but those", takeTexts(&c.Skip)),
	)
}
