package main

import (
	"crypto/rand"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
)

// testBundled has the run test the bundled reference.
func testBundled(c *suites.Config) {
	if c.Target.Token == "" {
		c.Target.Token = rand.Text()
	}
	c.Implementation = report.Implementation{Name: "bundled reference", Version: c.Harness.Version, Bundled: true}
	c.Handler = reference.New(reference.Options{Tokens: []string{c.Target.Token}})
}
