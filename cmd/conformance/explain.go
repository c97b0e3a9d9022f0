package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
)

func newExplain(s streams) *cli.Command {
	var config suites.Config
	list := contractFlags(&config)
	return &cli.Command{
		Name:               "explain",
		Usage:              "explain a clause or a fixture",
		UsageText:          "conformance explain ID [flags]",
		Description:        "ID is the id of a clause or a fixture. `conformance list clauses` and\n`conformance list fixtures` list them.",
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		ArgValidator:       oneID,
		Action: func(_ context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			all, err := loadFixtures(&config)
			if err != nil {
				return err
			}
			text, err := explain(c.Args().First(), config.Contract, all)
			if err != nil {
				return err
			}
			return s.print(text)
		},
	}
}

func oneID(_ context.Context, c *cli.Command) error {
	switch c.NArg() {
	case 0:
		return usagef("explain what? name a clause or a fixture; `conformance list clauses` and `conformance list fixtures` list them")
	case 1:
		return nil
	}
	return usagef("unexpected argument %q; conformance explain takes one id", c.Args().Get(1))
}

// explain tells about the clause or the fixture of that id.
func explain(id string, contract *spec.Contract, all []fixtures.Fixture) (string, error) {
	var known []string
	for _, f := range all {
		if f.ID == id {
			return explainFixture(f), nil
		}
		known = append(known, f.ID)
	}
	if clause, ok := contract.Clause(id); ok {
		return explainClause(clause, all), nil
	}
	for _, c := range contract.Clauses {
		known = append(known, c.ID)
	}
	return "", usagef("%q is no clause and no fixture%s; `conformance list clauses` and `conformance list fixtures` list them", id, suggestion(id, known))
}

// explanation is a heading and, below it, named paragraphs.
type explanation struct{ strings.Builder }

const explanationIndent = 4

func newExplanation(id, text string) *explanation {
	var e explanation
	fmt.Fprintf(&e, "%s\n%s\n", id, wrap(text, explanationIndent))
	return &e
}

// add adds lines under a name; each is broken where it is too long.
func (e *explanation) add(name string, lines ...string) {
	fmt.Fprintf(e, "\n%s\n", name)
	for _, line := range lines {
		fmt.Fprintln(e, wrap(line, explanationIndent))
	}
}

func explainFixture(f fixtures.Fixture) string {
	e := newExplanation(f.ID, f.Title)
	e.add("tests", fmt.Sprintf("%s (%s, %s)", f.Clause.ID, f.Clause.Level, f.Clause.Section), f.Clause.Text)
	e.add("expects", expectation(f))
	if f.Because != "" {
		e.add("because", f.Because)
	}
	if f.Control != "" {
		e.add("control", f.Control, "the same request without the fault; the rejection counts only where this one is accepted")
	}
	e.add("stands in", fmt.Sprintf("%s:%d", f.File, f.Line))
	e.add("request")
	target := suites.NewConfig().Target
	target.BaseURL = exampleBaseURL
	fmt.Fprintln(e, replay.Curl(target, f.Message(exampleSeed, 0))) // in one line, to be copied
	return e.String()
}

func expectation(f fixtures.Fixture) string {
	switch {
	case f.Expect == fixtures.Accepted:
		return "accepted: a 2xx that the contract declares, answered as it declares"
	case f.Expect == fixtures.Either:
		return "either: the contract leaves it open; only the form of the answer is judged"
	case f.Level == spec.Should:
		return "rejected: any 4xx; to accept it is a warning"
	}
	return "rejected: any 4xx; to accept it is a violation"
}

func explainClause(clause spec.Clause, all []fixtures.Fixture) string {
	e := newExplanation(clause.ID, clause.Text)
	place := clause.Section
	if clause.Line > 0 && !strings.HasPrefix(place, "#") { // a pointer has the line with it
		place += fmt.Sprintf(", from line %d of the OpenAPI document", clause.Line)
	}
	e.add("stands in", place)
	e.add("level", levelText(clause.Level))
	e.add("tested by", testers(clause, all)...)
	return e.String()
}

func levelText(level spec.Level) string {
	switch level {
	case spec.Must:
		return "must: the contract states it; to break it is a violation"
	case spec.Should:
		return "should: it follows from the contract, which does not settle it; to break it is a warning"
	}
	return "silent: the contract leaves it open; answers are only reported"
}

// testers are what exercises a clause: the answers that it is about, or the
// fixtures that name it.
func testers(clause spec.Clause, all []fixtures.Fixture) []string {
	switch {
	case clause.Status() != "":
		return []string{"every fixture of " + clause.Operation + " that is answered with " + clause.Status()}
	case spec.ClauseID(clause.ID).IsAnswers():
		return []string{"every fixture of " + clause.Operation}
	}
	if ids := testedBy(clause.ID, all); len(ids) > 0 {
		return ids
	}
	return []string{"no fixture"}
}
