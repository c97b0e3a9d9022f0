package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fetch"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
)

func contractFlags(c *suites.Config) cli.Flags {
	return cli.In(contractHeading, slices.Concat(
		[]cli.Flag{cli.ConfigFlag()},
		specFlags(c, "judge by the OpenAPI document in FILE, or at an http(s) URL, instead of the built-in one; clauses.yaml in the same folder may give wording to its clauses"),
		[]cli.Flag{
			cli.List("fixtures", "DIR", "use the fixtures below DIR; without --spec, in addition to the built-in ones. With --spec alone, fixtures are derived from the document", takeFixtures(c)).Path(),
			workflowsFlag(c),
			cli.Switch("derive", "derive fixtures also for the clauses that no fixture of --fixtures tests", cli.OnOff(&c.Derive)),
		},
	)...).Filed()
}

// specFlags returns the flags that name the contract. The switch is first, because reading the
// document depends on it, and on --wait of the flags before these.
func specFlags(c *suites.Config, usage string) []cli.Flag {
	var remote bool
	document := cli.Value("spec", "FILE", usage, takeSpec(c, &remote)).Path()
	document.Locate = func(folder, text string) string {
		if fetch.IsURL(text) {
			return text
		}
		return settings.Beside(folder, text)
	}
	return []cli.Flag{
		cli.Switch("allow-remote-refs", "follow $refs of the document to http(s) addresses, which are read without a credential", cli.OnOff(&remote)),
		document,
	}
}

func filterFlags(c *suites.Config) cli.Flags {
	return cli.In(contractHeading,
		cli.List("only", "GLOB", "only fixtures or clauses whose id matches; * stands for any characters", cli.Texts(&c.Only)).Completed(bundledIDs),
		cli.List("skip", "GLOB", "exclude fixtures or clauses that match GLOB", cli.Texts(&c.Skip)).Completed(bundledIDs),
	)
}

// bundledIDs returns the ids of the built-in fixtures and clauses, for shell completion.
func bundledIDs() []string {
	var c suites.Config
	all, err := loadFixtures(&c)
	if err != nil {
		return nil
	}
	return idsOf(all, c.Contract)
}

// idsOf returns the ids of the fixtures and of the contract's clauses.
func idsOf(all []fixtures.Fixture, contract *spec.Contract) []string {
	return slices.Concat(
		lists.Map(all, func(f fixtures.Fixture) string { return f.ID }),
		lists.Map(contract.Clauses(), func(c spec.Clause) string { return string(c.ID) }))
}

func takeSpec(c *suites.Config, remote *bool) func(cli.Given) error {
	return func(g cli.Given) error {
		contract, err := fetch.Contract(context.Background(), g.Text, *remote, c.Wait)
		if err != nil {
			return g.Failed(err, cli.Usagef("%s: %w", g.Name, err))
		}
		c.Contract = contract
		return nil
	}
}

func takeFixtures(c *suites.Config) func(cli.Given) error {
	return func(g cli.Given) error {
		info, err := os.Stat(g.Text)
		switch {
		case err != nil:
			return g.Unreadable(err)
		case !info.IsDir():
			return cli.Usagef("%s %s is a file; name the folder above <operationId>/<group>/<name>.yaml", g.Name, g.Text)
		}
		set := fixtures.Set{Name: g.Text, FS: os.DirFS(g.Text)}
		if _, err := set.Files(); errors.Is(err, fixtures.ErrEmpty) { // other errors are reported when the files are loaded
			return cli.Usagef("%s %w", g.Name, err)
		}
		c.Fixtures = append(c.Fixtures, set)
		return nil
	}
}

// loadFixtures loads the contract and all fixtures. Without --spec, it uses the built-in contract
// and adds the built-in fixtures. With --spec and without other fixtures, it derives them.
func loadFixtures(c *suites.Config) ([]fixtures.Fixture, error) {
	if c.Contract == nil {
		c.Fixtures = append([]fixtures.Set{fixtures.Bundled()}, c.Fixtures...)
	}
	var err error
	if *c, err = c.Load(); err != nil {
		return nil, cli.Misuse(err)
	}
	return c.Loaded, nil
}

// selectFixtures returns the plan of a run with these flags. A plan has at least one fixture.
func selectFixtures(c *suites.Config) (selected suites.Plan, err error) {
	if _, err = loadFixtures(c); err != nil {
		return selected, err
	}
	if selected, err = suites.Planned(*c); err != nil {
		return selected, cli.Misuse(cli.Explained(err, cli.GiveToken))
	}
	return selected, nil
}

// contractOf returns the contract of --spec, or the built-in one.
func contractOf(c *suites.Config) (*spec.Contract, error) {
	if c.Contract != nil {
		return c.Contract, nil
	}
	return spec.PlantStore()
}
