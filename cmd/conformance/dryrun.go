package main

import (
	"fmt"
	"io"

	"github.com/plantstore/conformance/suites/replay"
)

// dryRunBaseURL is where the reference listens unless it is told otherwise.
const dryRunBaseURL = "http://127.0.0.1:8080"

// printRequests writes what a run would send, as commands, and sends nothing.
func (o *options) printRequests(w io.Writer) error {
	selected, err := o.contract.load(&o.config)
	if err != nil {
		return err
	}
	target := o.config.Target
	if target.BaseURL == "" {
		target.BaseURL = dryRunBaseURL
	}
	if err := target.Validate(); err != nil {
		return usageError{err}
	}
	seed := o.config.Seed
	if seed == 0 {
		seed = 1 // nothing is sent, so nothing can be used up
	}
	fmt.Fprintf(w, "# %d requests, seed %d; no verdict, nothing was sent\n", len(selected), seed)
	for _, f := range selected {
		fmt.Fprintf(w, "\n# %s: %s (%s)\n%s\n", f.ID, f.Title, f.Expect, replay.Curl(target, f.Message(seed)))
	}
	return nil
}
