package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites"
)

func newList() *cli.Command {
	return &cli.Command{
		Name:     "list",
		Usage:    "list the fixtures or the clauses",
		Commands: []*cli.Command{newListFixtures(), newListClauses()},
		Action: func(_ context.Context, c *cli.Command) error {
			if !c.Args().Present() {
				return usagef("list what? fixtures or clauses")
			}
			name := c.Args().First()
			return usagef("cannot list %q%s; there are fixtures and clauses", name, suggestion(name, []string{"fixtures", "clauses"}))
		},
	}
}

// listOptions are the flags of what lists.
type listOptions struct {
	contract contractOptions
	config   suites.Config
	json     bool
}

func (o *listOptions) flags() []cli.Flag {
	return append(o.contract.flags(&o.config),
		&cli.BoolFlag{Name: "json", Usage: "list as JSON", Destination: &o.json, HideDefault: true})
}

// fixtureRow and clauseRow are what list prints as JSON.
type fixtureRow struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Clause string `json:"clause"`
	Expect string `json:"expect"`
	Level  string `json:"level"`
	Source string `json:"source"`
}

type clauseRow struct {
	ID       string   `json:"id"`
	Level    string   `json:"level"`
	Section  string   `json:"section"`
	Text     string   `json:"text"`
	Fixtures []string `json:"fixtures"` // that put it to the test by name
}

func newListFixtures() *cli.Command {
	o := &listOptions{}
	return &cli.Command{
		Name:  "fixtures",
		Usage: "list the fixtures: id, expectation and title",
		Flags: o.flags(),
		Action: func(_ context.Context, c *cli.Command) error {
			if err := noArguments(c); err != nil {
				return err
			}
			selected, err := o.contract.load(&o.config)
			if err != nil {
				return err
			}
			rows := []fixtureRow{}
			for _, f := range selected {
				rows = append(rows, fixtureRow{f.ID, f.Title, f.Clause.ID, string(f.Expect), string(f.Level), fmt.Sprintf("%s:%d", f.File, f.Line)})
			}
			return o.print(c.Root().Writer, rows, func(w io.Writer) {
				for _, r := range rows {
					fmt.Fprintf(w, "%s\t%s\t%s\n", r.ID, r.Expect, r.Title)
				}
			})
		},
	}
}

func newListClauses() *cli.Command {
	o := &listOptions{}
	return &cli.Command{
		Name:  "clauses",
		Usage: "list the clauses: id, level, section and text",
		Flags: o.flags(),
		Action: func(_ context.Context, c *cli.Command) error {
			if err := noArguments(c); err != nil {
				return err
			}
			selected, err := o.contract.load(&o.config)
			if err != nil {
				return err
			}
			rows := []clauseRow{}
			for _, clause := range o.config.Contract.Clauses {
				row := clauseRow{clause.ID, string(clause.Level), clause.Section, clause.Text, []string{}}
				for _, f := range selected {
					if f.Clause.ID == clause.ID {
						row.Fixtures = append(row.Fixtures, f.ID)
					}
				}
				rows = append(rows, row)
			}
			return o.print(c.Root().Writer, rows, func(w io.Writer) {
				for _, r := range rows {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Section, r.Text)
				}
			})
		},
	}
}

func (o *listOptions) print(w io.Writer, rows any, table func(io.Writer)) error {
	if o.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows) //nolint:wrapcheck // writing to standard output
	}
	const gap = 2
	t := tabwriter.NewWriter(w, 0, 0, gap, ' ', 0)
	table(t)
	return t.Flush() //nolint:wrapcheck // writing to standard output
}
