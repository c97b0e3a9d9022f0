package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func newList(s streams) *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "list fixtures, clauses, deviations or variations",
		UsageText: "conformance list fixtures|clauses|deviations|variations [flags]",
		Commands:  []*cli.Command{newListFixtures(s), newListClauses(s), newListDeviations(s), newListVariations(s)},
		Action: func(context.Context, *cli.Command) error {
			return usagef("list what? write `conformance list fixtures`, `conformance list clauses`, deviations or variations")
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

func newListFixtures(s streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "fixtures", "list the fixtures: id, expectation and title",
		slices.Concat(contractFlags(&c), filterFlags(&c)), func() ([]fixtureRow, error) {
			selected, err := selectFixtures(&c)
			return fixtureRows(selected.Fixtures), err
		})
}

func newListClauses(s streams) *cli.Command {
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
func newListOf[R row](s streams, name, usage string, list flags, rows func() ([]R, error)) *cli.Command {
	var asJSON bool
	list = append(list, in(outputHeading, flag{name: "json", usage: "print JSON", take: takeSwitch(&asJSON)})...)
	return &cli.Command{
		Name:               name,
		Usage:              usage,
		UsageText:          "conformance list " + name + " [flags]",
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		Action: func(_ context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			made, err := rows()
			if err != nil {
				return err
			}
			return printRows(s, made, asJSON)
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

func printRows[R row](s streams, rows []R, asJSON bool) error {
	const indent = 4
	if asJSON {
		return s.printJSON(rows)
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s\n%s\n", r.head(), wrap(r.text(), indent))
	}
	return s.print(b.String())
}

// printJSON writes a value to standard output as JSON.
func (s streams) printJSON(v any) error {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("writing as JSON: %w", err)
	}
	return s.print(b.String())
}
