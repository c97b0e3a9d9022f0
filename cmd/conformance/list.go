package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func newList(s output.Streams) *cli.Command {
	return &cli.Command{
		Name:     "list",
		Usage:    "list fixtures, clauses, deviations or variations",
		Synopsis: "fixtures|clauses|deviations|variations [flags]",
		Commands: []*cli.Command{newListFixtures(s), newListClauses(s), newListDeviations(s), newListVariations(s)},
		Run: func(context.Context, *cli.Call) error {
			return cli.Usagef("list what? write `conformance list fixtures`, `conformance list clauses`, deviations or variations")
		},
	}
}

// row is one thing of a list: an object in JSON, two lines of text otherwise.
type row interface {
	head() string
	text() string
}

type fixtureRow struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Expect string `json:"expect"`
	Level  string `json:"level"`
	Source string `json:"source"`
}

func (r fixtureRow) head() string { return fmt.Sprintf("%s (%s)", r.ID, r.Expect) }
func (r fixtureRow) text() string { return r.Title }

type clauseRow struct {
	ID       string   `json:"id"`
	Level    string   `json:"level"`
	Section  string   `json:"section"`
	Text     string   `json:"text"`
	Fixtures []string `json:"fixtures"` // that put it to the test by name
}

func (r clauseRow) head() string { return fmt.Sprintf("%s (%s, %s)", r.ID, r.Level, r.Section) }
func (r clauseRow) text() string { return r.Text }

func newListFixtures(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "fixtures", "list the fixtures: id, expectation and title",
		slices.Concat(contractFlags(&c), filterFlags(&c)), func() ([]fixtureRow, error) {
			selected, _, err := selectFixtures(&c)
			return fixtureRows(selected.Fixtures), err
		})
}

func newListClauses(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "clauses", "list the clauses: id, level, section and text",
		contractFlags(&c), func() ([]clauseRow, error) {
			all, err := loadFixtures(&c)
			if err != nil {
				return nil, err
			}
			return clauseRows(c.Contract, all), nil
		})
}

// newListOf is a command that lists rows, which are made once the flags are
// taken.
func newListOf[R row](s output.Streams, name, usage string, list cli.Flags, rows func() ([]R, error)) *cli.Command {
	var asJSON bool
	return &cli.Command{
		Name:     name,
		Usage:    usage,
		Synopsis: "[flags]",
		Flags:    append(list, cli.JSON(&asJSON)),
		Run: func(context.Context, *cli.Call) error {
			made, err := rows()
			if err != nil {
				return err
			}
			if asJSON {
				return s.PrintJSON(made)
			}
			const indent = 4
			var b strings.Builder
			for _, r := range made {
				fmt.Fprintf(&b, "%s\n%s\n", r.head(), cli.Wrap(r.text(), indent, cli.Width(s.Out)))
			}
			return s.Print(b.String())
		},
	}
}

func fixtureRows(selected []fixtures.Fixture) []fixtureRow {
	rows := []fixtureRow{}
	for _, f := range selected {
		rows = append(rows, fixtureRow{f.ID, f.Title, f.Clause.ID, string(f.Expect), string(f.Level), fmt.Sprintf("%s:%d", f.File, f.Line)})
	}
	return rows
}

func clauseRows(contract *spec.Contract, all []fixtures.Fixture) []clauseRow {
	rows := []clauseRow{}
	for _, clause := range contract.Clauses {
		rows = append(rows, clauseRow{clause.ID, string(clause.Level), clause.Section, clause.Text, testedBy(clause.ID, all)})
	}
	return rows
}

// testedBy are the ids of the fixtures that put a clause to the test by name.
func testedBy(clause string, all []fixtures.Fixture) []string {
	ids := []string{}
	for _, f := range all {
		if f.Clause.ID == clause {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// deviationRow is a way in which the reference breaks the contract.
type deviationRow struct {
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Violates []string `json:"violates"`
	Warns    []string `json:"warns"`
}

func (r deviationRow) head() string { return r.Name }

func (r deviationRow) text() string {
	clauses := slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.Violates, r.Warns))))
	return r.Summary + ": " + strings.Join(clauses, ", ")
}

// variationRow is a way in which the reference uses a freedom.
type variationRow struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	Clause  string   `json:"clause"`
	Warns   []string `json:"warns"`
}

func (r variationRow) head() string { return r.Name }
func (r variationRow) text() string { return r.Summary + ": " + r.Clause }

func newListDeviations(s output.Streams) *cli.Command {
	return newListOf(s, "deviations", "list how the reference can break the contract", nil,
		func() ([]deviationRow, error) {
			rows := []deviationRow{}
			for _, d := range reference.Deviations() {
				rows = append(rows, deviationRow{d.Name, d.Summary, append([]string{}, d.Clauses...), append([]string{}, d.Warns...)})
			}
			return rows, nil
		})
}

func newListVariations(s output.Streams) *cli.Command {
	return newListOf(s, "variations", "list which freedoms the reference can use", nil,
		func() ([]variationRow, error) {
			rows := []variationRow{}
			for _, v := range reference.Variations() {
				rows = append(rows, variationRow{v.Name, v.Summary, v.Clause, append([]string{}, v.Warns...)})
			}
			return rows, nil
		})
}
