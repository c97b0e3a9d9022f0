package main

import (
	"crypto/rand"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
)

// testBundled has the run test the bundled reference.
func testBundled(c *suites.Config) {
	if c.Target.Token == "" {
		c.Target.Token = rand.Text()
	}
	c.Implementation.Name, c.Implementation.Version = "bundled reference", c.Harness.Version
	c.Handler = reference.New(reference.Options{Tokens: []string{c.Target.Token}})
}
