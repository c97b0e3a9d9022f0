package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
)

// exampleSeed is for requests that are shown and not sent: they use nothing
// up, and look the same each time.
const exampleSeed = 1

// printRequests writes what a run would send, as commands, and sends nothing.
// The heading is of one target among several, or empty.
func (o *options) printRequests(heading string, selected suites.Plan, s streams) error {
	c := o.config
	c.Target.Secret = slices.Concat(c.Target.Secret, c.Contract.SecretHeaders)
	if c.Target.BaseURL == "" {
		c.Target.BaseURL = exampleBaseURL
	}
	if c.Seed == 0 {
		c.Seed = exampleSeed
	}
	var b strings.Builder
	if heading != "" {
		fmt.Fprintf(&b, "\n# %s\n", heading)
	}
	b.WriteString(dryRunHead(c, footprintOf(selected)))
	for _, f := range selected.Fixtures {
		fmt.Fprintf(&b, "\n# %s (%s%s)\n# %s\n%s\n", f.ID, f.Expect, repetition(selected, f), f.Title, replay.Curl(c.Target, f.Message(c.MessageSeed(), 0)))
	}
	for _, f := range selected.Controls {
		fmt.Fprintf(&b, "\n# %s (control: it is sent so that rejections can be compared with it)\n# %s\n%s\n", f.ID, f.Title, replay.Curl(c.Target, f.Message(c.MessageSeed(), 0)))
	}
	return s.print(b.String())
}

// dryRunHead says what all the requests come to, and how to find what they leave
// behind.
func dryRunHead(c suites.Config, p footprint) string {
	left := p.left()
	head := fmt.Sprintf("# %s seed %d; nothing was sent\n# %s; fresh ids are drawn from the seed\n",
		requestsTo(c.Target.BaseURL, c, p), c.Seed, strings.ToUpper(left[:1])+left[1:])
	if !slices.ContainsFunc(c.Target.Headers, func(h fixtures.Field) bool { return strings.EqualFold(h.Name, "User-Agent") }) {
		head += fmt.Sprintf("# A log tells a run by its User-Agent: %s (run ID; …), where ID is the run.id of the report\n", c.Target.UserAgent)
	}
	return head
}

// repetition says how often a fixture is sent where that is not once.
func repetition(p suites.Plan, f fixtures.Fixture) string {
	n := p.Tries(f) * f.Times()
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(", sent %d times", n)
}
