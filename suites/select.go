package suites

import (
	"fmt"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// filter gives the fixtures that match one of only, or all where only is
// empty, and none of skip. A pattern is an id of a fixture or of a clause, in
// which * stands for any characters and ? for one; an id of a folder selects
// what is in it. A pattern that matches nothing is an error, and so is a
// selection of nothing.
func filter(contract *spec.Contract, all []fixtures.Fixture, only, skip []string) ([]fixtures.Fixture, error) {
	matchOnly, err := matcher("only", only, contract, all)
	if err != nil {
		return nil, err
	}
	matchSkip, err := matcher("skip", skip, contract, all)
	if err != nil {
		return nil, err
	}
	var selected []fixtures.Fixture
	for _, f := range all {
		if (len(only) == 0 || matchOnly(f)) && !matchSkip(f) {
			selected = append(selected, f)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("the filters leave none of the %d fixtures; a run without fixtures would test nothing", len(all))
	}
	return selected, nil
}

func matcher(flag string, patterns []string, contract *spec.Contract, all []fixtures.Fixture) (func(fixtures.Fixture) bool, error) {
	var list []fixtures.Pattern
	for _, text := range patterns {
		p := fixtures.NewPattern(text)
		matches := 0
		for _, f := range all {
			if p.Match(f.ID) || p.Match(f.Clause.ID) {
				matches++
			}
		}
		if matches == 0 {
			return nil, fmt.Errorf("%s %q matches no fixture%s; `conformance list fixtures` names them", flag, text, clauseOnly(p, contract))
		}
		list = append(list, p)
	}
	return func(f fixtures.Fixture) bool {
		return slices.ContainsFunc(list, func(p fixtures.Pattern) bool { return p.Match(f.ID) || p.Match(f.Clause.ID) })
	}, nil
}

// clauseOnly explains a pattern that names a clause which no fixture aims at.
func clauseOnly(p fixtures.Pattern, contract *spec.Contract) string {
	for _, c := range contract.Clauses {
		if p.Match(c.ID) {
			return fmt.Sprintf(", and no fixture tests %s alone", c.ID)
		}
	}
	return ""
}
