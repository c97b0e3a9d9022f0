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
		set := fixtures.Set{Name: g.text, FS: os.DirFS(g.text)}
		if _, err := set.Files(); errors.Is(err, fixtures.ErrEmpty) { // what else is wrong shows when they are read
			return usagef("%s %w", g.name, err)
		}
		c.Fixtures = append(c.Fixtures, set)
		return nil
	}
}

// loadFixtures gives all fixtures, and puts them into the configuration. Where the flags name no contract it is the
// one built in, and so are the first of the fixtures; another contract may
// have none yet.
func loadFixtures(c *suites.Config) ([]fixtures.Fixture, error) {
	if c.Contract == nil {
		var err error
		if c.Contract, err = spec.PlantStore(); err != nil {
			return nil, err //nolint:wrapcheck // names its file
		}
		c.Fixtures = append([]fixtures.Set{fixtures.Bundled()}, c.Fixtures...)
	}
	var err error
	if c.Loaded, err = fixtures.Load(c.Contract, c.Fixtures...); err != nil {
		return nil, usageError{err}
	}
	return c.Loaded, nil
}

// selectFixtures gives what a run with these flags sends: at least one fixture.
func selectFixtures(c *suites.Config) (selected suites.Plan, err error) {
	if _, err = loadFixtures(c); err != nil {
		return selected, err
	}
	if len(c.Fixtures) == 0 {
		return selected, usagef("--spec needs fixtures of its own; name their folder with --fixtures")
	}
	if selected, err = suites.Planned(*c); err != nil {
		return selected, usagef("%s", inFlags(c, err))
	}
	return selected, nil
}

// inFlags words what the engine says against a choice of fixtures, which it names
// like the flag. What leaves none may stand in a file as well.
func inFlags(c *suites.Config, err error) string {
	text := message(err)
	if rest, ok := strings.CutPrefix(text, "the filters leave "); ok {
		if len(c.Only) == 0 {
			return "skip leaves " + rest
		}
		return "only and skip leave " + rest
	}
	if strings.HasPrefix(text, "only ") || strings.HasPrefix(text, "skip ") || strings.HasPrefix(text, "shard ") || strings.HasPrefix(text, "max-requests ") {
		return "--" + text
	}
	return text
}
