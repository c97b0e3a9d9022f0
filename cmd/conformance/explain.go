package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fleet"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/chain"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay/curl"
)

func newExplain(s output.Streams) *cli.Command {
	var config suites.Config
	return &cli.Command{
		Name:        "explain",
		Usage:       "explain a clause or a fixture",
		Synopsis:    "ID [flags]",
		Description: "ID is the id of a clause or a fixture. `conformance list clauses` and\n`conformance list fixtures` list them.",
		Flags:       contractFlags(&config),
		Arguments:   cli.Arguments(1, 1, "explain what? name a clause or a fixture; `conformance list clauses` and `conformance list fixtures` list them", "conformance explain takes one id"),
		Complete:    bundledIDs,
		Run: func(ctx context.Context, call *cli.Call) error {
			all, err := cli.Interruptibly(ctx, func() ([]fixtures.Fixture, error) { return loadFixtures(&config) })
			if err != nil {
				return err
			}
			text, err := explain(call.Args[0], config.Contract, all, cli.Width(s.Out))
			if err != nil {
				return err
			}
			return s.Print(text)
		},
	}
}

// explain returns the explanation of the clause or the fixture with the id.
func explain(id string, contract *spec.Contract, all []fixtures.Fixture, width int) (string, error) {
	if f, ok := lists.First(all, func(f fixtures.Fixture) bool { return f.ID == id }); ok {
		return explainFixture(f, contract, width), nil
	}
	if clause, ok := contract.Clause(spec.ClauseID(id)); ok {
		return explainClause(clause, contract, all, width), nil
	}
	near := spec.Nearest(id, idsOf(all, contract))
	if near != "" {
		near += "; "
	}
	return "", cli.Usagef("%q is not the id of a clause or a fixture of %s; %s`conformance list clauses` and `conformance list fixtures` list them", id, cmp.Or(contract.Title, "the contract"), near)
}

// explanation is a heading and, below it, named paragraphs.
type explanation struct {
	strings.Builder
	width int
}

const explanationIndent = 4

func newExplanation(id, text string, width int) *explanation {
	e := explanation{width: width}
	fmt.Fprintf(&e, "%s\n%s\n", id, cli.Wrap(text, explanationIndent, width))
	return &e
}

// add adds lines under a name, and wraps each line that is too long.
func (e *explanation) add(name string, lines ...string) {
	fmt.Fprintf(e, "\n%s\n", name)
	for _, line := range lines {
		fmt.Fprintln(e, cli.Wrap(line, explanationIndent, e.width))
	}
}

// addChain adds where an operation gets the values of its path parameters from.
func (e *explanation) addChain(contract *spec.Contract, operation string) {
	op, ok := contract.Operation(operation)
	if !ok {
		return
	}
	if _, text := chainOf(chain.Infer(contract, false), op); text != nil {
		e.add("chain", text...)
	}
}

func explainFixture(f fixtures.Fixture, contract *spec.Contract, width int) string {
	e := newExplanation(f.ID, f.Title, width)
	e.add("tests", fmt.Sprintf("%s (%s, %s)", f.Clause.ID, f.Clause.Level, where(f.Clause, contract)), f.Clause.Text)
	e.add("expects", expectation(f))
	if f.Because != "" {
		e.add("because", f.Because)
	}
	if f.Control != "" {
		e.add("control", f.Control, "the same request without the fault; the rejection counts only if the service accepts this one")
	}
	if f.Unless != nil {
		e.add("unless", strings.Join(f.Unless, ", "), "the same value beside other ones; if the service accepts one of these, a refusal is a warning")
	}
	e.addChain(contract, f.Operation.ID)
	e.add("defined in", fmt.Sprintf("%s:%d", f.File, f.Line))
	e.add("request")
	service := suites.NewConfig().Target
	service.BaseURL = target.ExampleFor(contract.ServerPaths)
	fmt.Fprintln(e, curl.Script(service, f.Message(fleet.ExampleSeed, 0))) // on one line, so that it can be copied
	return e.String()
}

func expectation(f fixtures.Fixture) string {
	switch {
	case f.Expect == fixtures.Accepted:
		return "accepted: a declared 2xx status, with the declared response"
	case f.Expect == fixtures.Either:
		return "either: the contract leaves it open; only the form of the response is judged"
	case f.Level == spec.Should:
		return "rejected: any 4xx; acceptance is a warning"
	}
	return "rejected: any 4xx; acceptance is a violation"
}

func explainClause(clause spec.Clause, contract *spec.Contract, all []fixtures.Fixture, width int) string {
	e := newExplanation(string(clause.ID), clause.Text, width)
	place := where(clause, contract)
	if clause.Line > 0 && !strings.HasPrefix(clause.Section, "#") {
		place += fmt.Sprintf(", from line %d of the OpenAPI document", clause.Line)
	}
	e.add("defined in", place)
	e.add("level", map[spec.Level]string{
		spec.Must:   "must: the contract states it; a breach is a violation",
		spec.Should: "should: it follows from the contract, but the contract does not state it; a breach is a warning",
		spec.Silent: "silent: the contract leaves it open; responses are only reported",
	}[clause.Level])
	e.add("tested by", testers(clause, all)...)
	e.addChain(contract, clause.Operation)
	return e.String()
}

// where returns the place of a clause as a report shows it: a section, or a line of the document.
func where(c spec.Clause, contract *spec.Contract) string {
	if c.Line > 1 && strings.HasPrefix(c.Section, "#") { // a whole document may be on one line
		return fmt.Sprintf("%s:%d", filepath.Base(cmp.Or(c.File, contract.File)), c.Line)
	}
	return c.Section
}

// testers returns what tests a clause: the responses that it applies to, or its fixtures.
func testers(clause spec.Clause, all []fixtures.Fixture) []string {
	switch {
	case clause.ID.Status() != "":
		return []string{"every fixture of " + clause.Operation + " that gets a " + clause.ID.Status() + " response"}
	case clause.ID.IsAnswers():
		return []string{"every fixture of " + clause.Operation}
	}
	if ids := testedBy(clause.ID, all); len(ids) > 0 {
		return ids
	}
	if clause.Level == spec.Silent {
		return []string{"any response of " + clause.Operation + " may answer it"}
	}
	return []string{"no fixture"}
}
