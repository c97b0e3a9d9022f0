package main

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// exampleSeed is for requests that are shown and not sent: they use nothing
// up, and look the same each time.
const exampleSeed = 1

// printRequests writes what a run would send, as commands, and sends nothing.
func (o *options) printRequests(selected []fixtures.Fixture, s streams) error {
	target, seed := o.config.Target, o.config.Seed
	target.Secret = o.config.Contract.SecretHeaders
	if target.BaseURL == "" {
		target.BaseURL = exampleBaseURL
	}
	if seed == 0 {
		seed = exampleSeed
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %d requests to %s, seed %d; nothing was sent\n", len(selected), target.BaseURL, seed)
	for _, f := range selected {
		fmt.Fprintf(&b, "\n# %s (%s)\n# %s\n%s\n", f.ID, f.Expect, f.Title, replay.Curl(target, f.Message(seed)))
	}
	return s.print(b.String())
}
