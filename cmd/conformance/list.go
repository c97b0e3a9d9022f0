package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/chain"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
)

func newList(s output.Streams) *cli.Command {
	return &cli.Command{
		Name:     "list",
		Usage:    "list fixtures, clauses, chains, notes and deviations",
		Synopsis: "fixtures|clauses|chains|notes|deviations|variations [flags]",
		Commands: []*cli.Command{
			newListFixtures(s), newListClauses(s), newListChains(s), newListNotes(s),
			newListAlterations(s, "deviations", "list how the reference can break the contract", reference.Deviations),
			newListAlterations(s, "variations", "list which freedoms the reference can use", reference.Variations),
		},
		Run: func(context.Context, *cli.Call) error {
			return cli.Usagef("list what? write `conformance list fixtures`, `conformance list clauses`, chains, notes, deviations or variations")
		},
	}
}

// row is one item of a list: an object in JSON, two lines of text otherwise.
type row struct {
	object     any
	head, text string
}

type fixtureRow struct {
	ID     string        `json:"id"`
	Title  string        `json:"title"`
	Clause spec.ClauseID `json:"clause"`
	Expect string        `json:"expect"`
	Level  string        `json:"level"`
	Source string        `json:"source"`
}

type clauseRow struct {
	ID       spec.ClauseID `json:"id"`
	Level    string        `json:"level"`
	Section  string        `json:"section"`
	Text     string        `json:"text"`
	Fixtures []string      `json:"fixtures,omitzero"` // ids of those that name the clause; omitted if no fixtures were loaded
}

type noteRow struct {
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Pointer    string   `json:"pointer"` // JSON pointer to the place; "" if it is unknown, or the whole document
	Message    string   `json:"message"`
	Operations []string `json:"operations"` // ids of the operations that are not fully judged because of it
}

// alterationRow is a way in which the reference breaks the contract, or uses a freedom.
type alterationRow struct {
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Violates []string `json:"violates,omitzero"` // for a deviation
	Clause   string   `json:"clause,omitempty"`  // for a variation
	Warns    []string `json:"warns"`
}

func newListFixtures(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "fixtures", "list the fixtures: id, expectation and title", slices.Concat(contractFlags(&c), filterFlags(&c)), func(ctx context.Context, add func(row)) error {
		selected, err := cli.Interruptibly(ctx, func() (suites.Plan, error) { return selectFixtures(&c) })
		for _, f := range selected.Fixtures {
			add(row{
				fixtureRow{f.ID, f.Title, f.Clause.ID, string(f.Expect), string(f.Level), fmt.Sprintf("%s:%d", f.File, f.Line)},
				fmt.Sprintf("%s (%s)", f.ID, f.Expect), f.Title,
			})
		}
		return err
	})
}

func newListClauses(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "clauses", "list the clauses: id, level, section and text", contractFlags(&c), func(ctx context.Context, add func(row)) error {
		var all []fixtures.Fixture
		if c.Contract == nil || len(c.Fixtures) > 0 || c.Derive { // deriving fixtures takes far longer than listing clauses
			var err error
			if all, err = cli.Interruptibly(ctx, func() ([]fixtures.Fixture, error) { return loadFixtures(&c) }); err != nil {
				return err
			}
		}
		for _, op := range c.Contract.Operations {
			for _, clause := range op.Clauses() {
				add(row{
					clauseRow{clause.ID, string(clause.Level), clause.Section, clause.Text, testedBy(clause.ID, all)},
					fmt.Sprintf("%s (%s, %s)", clause.ID, clause.Level, where(clause, c.Contract)), clause.Text,
				})
			}
		}
		return nil
	})
}

func newListNotes(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "notes", "list the flaws of the contract: place, operations and text", contractFlags(&c), func(ctx context.Context, add func(row)) error {
		contract, err := contractOf(&c)
		if err != nil {
			return err
		}
		notes, err := contract.Advice(ctx)
		for _, n := range notes {
			head := fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column)
			if len(n.Operations) > 0 {
				head += " (" + strings.Join(n.Operations, ", ") + ")"
			}
			add(row{noteRow{n.File, n.Line, n.Column, n.Pointer, n.Message, append([]string{}, n.Operations...)}, head, n.Message})
		}
		return err
	})
}

// newListAlterations returns the command that lists the deviations or the variations of the
// reference.
func newListAlterations(s output.Streams, name, usage string, all func() []reference.Deviation) *cli.Command {
	return newListOf(s, name, usage, nil, func(_ context.Context, add func(row)) error {
		for _, a := range all() {
			r, clauses := alterationRow{Name: a.Name, Summary: a.Summary, Clause: a.Clause, Warns: append([]string{}, a.Warns...)}, a.Clause
			if clauses == "" {
				r.Violates = append([]string{}, a.Clauses...)
				clauses = strings.Join(slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Clauses, a.Warns)))), ", ")
			}
			add(row{r, a.Name, a.Summary + ": " + clauses})
		}
		return nil
	})
}

// newListOf returns a command that lists rows. It calls rows after it has read the flags.
func newListOf(s output.Streams, name, usage string, list cli.Flags, rows func(context.Context, func(row)) error) *cli.Command {
	var asJSON bool
	return &cli.Command{
		Name:     name,
		Usage:    usage,
		Synopsis: "[flags]",
		Flags:    append(list, cli.JSON(&asJSON)),
		Run: func(ctx context.Context, _ *cli.Call) error {
			objects := []any{}
			out := bufio.NewWriterSize(s.Out, 1<<16) // Flush returns write errors
			const indent = 4
			isEmpty := true
			err := rows(ctx, func(r row) {
				isEmpty = false
				if asJSON {
					objects = append(objects, r.object)
					return
				}
				fmt.Fprintf(out, "%s\n%s\n", r.head, cli.Wrap(r.text, indent, cli.Width(s.Out)))
			})
			switch {
			case err != nil:
				return err
			case asJSON:
				return s.PrintJSON(objects)
			case isEmpty:
				fmt.Fprintln(s.Err, "the contract has no", name)
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("writing to standard output: %w", err)
			}
			return nil
		},
	}
}

// testedBy returns the ids of the fixtures that name the clause. It returns nil if no fixtures were
// loaded.
func testedBy(clause spec.ClauseID, all []fixtures.Fixture) []string {
	if all == nil {
		return nil
	}
	those := lists.Filter(all, func(f fixtures.Fixture) bool { return f.Clause.ID == clause })
	return lists.Map(those, func(f fixtures.Fixture) string { return f.ID })
}

// chainRow says where an operation gets the values of its path parameters from.
type chainRow struct {
	Operation  string    `json:"operation"`
	Path       string    `json:"path"`
	Parameters []edgeRow `json:"parameters"`
	Removes    string    `json:"removes,omitempty"` // the operation that removes what this one creates
}

// edgeRow says where the value of a path parameter comes from.
type edgeRow struct {
	Name    string   `json:"name"`
	From    string   `json:"from,omitempty"`   // the operation that is called before; "" if none
	Output  []string `json:"output,omitempty"` // where the value may be in its response; omitted if the client chooses it
	Because string   `json:"because"`          // how the harness found the operation
}

func newListChains(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "chains", "list which operation supplies each path parameter", contractFlags(&c), func(_ context.Context, add func(row)) error {
		contract, err := contractOf(&c)
		if err != nil {
			return err
		}
		chains := chain.Infer(contract, false)
		for _, op := range contract.Operations {
			if r, text := chainOf(chains, op); text != nil {
				add(row{r, op.ID + " (" + r.Path + ")", strings.Join(text, "; ")})
			}
		}
		return nil
	})
}

// chainOf returns where an operation gets the values of its path parameters from, and which
// operation removes what it creates. text is nil if there is neither.
func chainOf(chains *chain.Chains, op *spec.Operation) (r chainRow, text []string) {
	r = chainRow{Operation: op.ID, Path: op.Method + " " + op.Path, Parameters: []edgeRow{}}
	edges, _ := chains.Edges(op)
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		one := edgeRow{Name: p.Name, Because: "no operation creates it; the run sends a value from the contract"}
		if i := slices.IndexFunc(edges, func(e chain.Edge) bool { return e.Parameter == p.Name }); i >= 0 {
			one = edgeRow{p.Name, edges[i].From.ID, edges[i].Output, edges[i].Because}
		}
		r.Parameters = append(r.Parameters, one)
		text = append(text, one.String())
	}
	if remove, _, ok := chains.Removal(op); ok {
		r.Removes = remove.ID
		text = append(text, remove.ID+" removes what it creates")
	}
	return r, text
}

// String describes the edge in words.
func (e edgeRow) String() string {
	switch {
	case e.From == "":
		return e.Name + ": " + e.Because
	case e.Output == nil:
		return fmt.Sprintf("%s: chosen by the client, created by %s (%s)", e.Name, e.From, e.Because)
	}
	return fmt.Sprintf("%s: %s of %s (%s)", e.Name, strings.Join(e.Output, " or "), e.From, e.Because)
}
