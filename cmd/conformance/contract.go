package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func takeSpec(c *suites.Config) func(given) error {
	return func(g given) error {
		contract, err := spec.LoadFile(g.text)
		if _, ok := errors.AsType[*fs.PathError](err); ok {
			return g.unreadable(err)
		}
		if err != nil {
			return usagef("%s: %w", g.name, err)
		}
		c.Contract = contract
		return nil
	}
}

func takeFixtures(c *suites.Config) func(given) error {
	return func(g given) error {
		info, err := os.Stat(g.text)
		switch {
		case err != nil:
			return g.unreadable(err)
		case !info.IsDir():
			return usagef("%s %s is a file; name the folder above <operationId>/<group>/<name>.yaml", g.name, g.text)
		}
		c.Fixtures = append(c.Fixtures, fixtures.Set{Name: g.text, FS: os.DirFS(g.text)})
		return nil
	}
}

// selectFixtures gives the fixtures that the flags select. Where they name no
// contract it is the one built in, and so are the first of the fixtures.
func selectFixtures(c *suites.Config) ([]fixtures.Fixture, error) {
	if c.Contract == nil {
		var err error
		if c.Contract, err = spec.PlantStore(); err != nil {
			return nil, err //nolint:wrapcheck // names its file
		}
		c.Fixtures = append([]fixtures.Set{fixtures.Bundled()}, c.Fixtures...)
	}
	if len(c.Fixtures) == 0 {
		return nil, usagef("--spec needs fixtures of its own; name their folder with --fixtures")
	}
	all, err := fixtures.Load(c.Contract, c.Fixtures...)
	if err != nil {
		return nil, usageError{err}
	}
	selected, err := suites.Select(c.Contract, all, c.Only, c.Skip)
	if err == nil {
		return selected, nil
	}
	// A pattern is told by the name of its setting, which is its flag's.
	if text := err.Error(); strings.HasPrefix(text, "only ") || strings.HasPrefix(text, "skip ") {
		return nil, usagef("--%w", err)
	}
	return nil, usageError{err}
}
