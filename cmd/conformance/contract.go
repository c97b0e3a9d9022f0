package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// apply loads the contract and names the sets of fixtures that the flags ask
// for.
func (o contractOptions) apply(c *suites.Config) error {
	var err error
	if o.spec == "" {
		c.Contract, err = spec.PlantStore()
		c.Fixtures = []fixtures.Set{fixtures.Bundled()}
	} else {
		c.Contract, err = spec.LoadFile(o.spec)
	}
	if err != nil {
		return usagef("--spec: %w", plain(err))
	}
	for _, dir := range o.fixtures {
		info, err := os.Stat(dir)
		switch {
		case err != nil:
			return usagef("--fixtures %s: %w", dir, plain(err))
		case !info.IsDir():
			return usagef("--fixtures %s is a file; name the folder that holds <operationId>/<group>/<name>.yaml", dir)
		}
		c.Fixtures = append(c.Fixtures, fixtures.Set{Name: dir, FS: os.DirFS(dir)})
	}
	if len(c.Fixtures) == 0 {
		return usagef("--spec needs fixtures of its own; name their folder with --fixtures")
	}
	return nil
}

// load gives the selected fixtures and the contract.
func (o contractOptions) load(c *suites.Config) ([]fixtures.Fixture, error) {
	if err := o.apply(c); err != nil {
		return nil, err
	}
	all, err := fixtures.Load(c.Contract, c.Fixtures...)
	if err != nil {
		return nil, usageError{err}
	}
	selected, err := suites.Select(c.Contract, all, c.Only, c.Skip)
	if err != nil {
		return nil, usageError{err}
	}
	return selected, nil
}

// plain drops the operation from an error about a file that is named already.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return errors.New(path.Path + ": " + path.Err.Error())
	}
	return err
}
