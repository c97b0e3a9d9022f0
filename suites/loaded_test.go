package suites_test

import (
	"errors"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// A run with fixtures that were loaded before gives the same report as one that loads them. Faults
// are found before anything is sent.
func TestLoaded(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	all, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	c := configFor(serve(t, store{}))
	c.Contract, c.Fixtures, c.Seed = contract, []fixtures.Set{fixtures.Bundled()}, 42
	whole := run(t, c)
	c.Fixtures, c.Loaded = nil, all
	if err := suites.Validate(c); err != nil {
		t.Fatal(err)
	}
	loaded := run(t, c)
	if a, b := settled(t, whole), settled(t, loaded); a != b {
		t.Errorf("it is another report:\n%s", firstDifference(a, b))
	}
	handled := c
	handled.Target.BaseURL, handled.Handler = "", store{}
	if err := suites.Validate(handled); err != nil {
		t.Errorf("a handler: %v", err)
	}
	for what, change := range map[string]func(*suites.Config){
		"no credential":               func(c *suites.Config) { c.Target.Token = "" },
		"no base URL":                 func(c *suites.Config) { c.Target.BaseURL = "" },
		"a handler beside it":         func(c *suites.Config) { c.Handler = store{} },
		"no contract":                 func(c *suites.Config) { c.Contract = nil },
		"a filter of nothing":         func(c *suites.Config) { c.Only = []string{"nothing"} },
		"a concurrency that is none":  func(c *suites.Config) { c.Limits.Concurrency = 0 },
		"a shard that does not exist": func(c *suites.Config) { c.Shard.Index, c.Shard.Of = 2, 1 },
	} {
		bad := c
		change(&bad)
		if err := suites.Validate(bad); !errors.Is(err, suites.ErrConfig) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := suites.Run(t.Context(), bad); !errors.Is(err, suites.ErrConfig) {
			t.Errorf("%s: %v when it is run", what, err)
		}
	}
}
