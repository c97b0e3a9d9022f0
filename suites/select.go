package suites

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/setting"
)

// filter returns the fixtures that match one of only, or all if only is empty, and none of skip. A pattern is
// an id of a fixture or of a clause. * stands for any characters and ? for one. The id of a folder selects all
// fixtures in it. It is an error if a pattern matches nothing, or if no fixture is left.
func filter(contract *spec.Contract, all []fixtures.Fixture, only, skip []string) ([]fixtures.Fixture, error) {
	matchOnly, err := matcher("only", only, contract, all)
	if err != nil {
		return nil, err
	}
	matchSkip, err := matcher("skip", skip, contract, all)
	if err != nil {
		return nil, err
	}
	selected := without(all, func(f fixtures.Fixture) bool {
		return len(only) > 0 && !matchOnly(f) || len(skip) > 0 && matchSkip(f)
	})
	if len(selected) == 0 {
		return nil, setting.Errorf("skip", "excludes all selected fixtures; a run without fixtures would test nothing")
	}
	return selected, nil
}

// without returns the list without the fixtures to drop. The list itself does not change. It may be
// long, so it is copied only if something is dropped.
func without(list []fixtures.Fixture, drop func(fixtures.Fixture) bool) []fixtures.Fixture {
	if !slices.ContainsFunc(list, drop) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), drop)
}

func matcher(name string, patterns []string, contract *spec.Contract, all []fixtures.Fixture) (func(fixtures.Fixture) bool, error) {
	var list []fixtures.Pattern
	for _, text := range patterns {
		p := fixtures.NewPattern(text)
		if !slices.ContainsFunc(all, func(f fixtures.Fixture) bool { return p.Match(f.ID) || p.Match(string(f.Clause.ID)) }) {
			return nil, &setting.Error{Name: name, Problem: fmt.Sprintf("%q matches no fixture%s", text, clauseOnly(p, contract)), Hint: nearest(text, all)}
		}
		list = append(list, p)
	}
	return func(f fixtures.Fixture) bool {
		return slices.ContainsFunc(list, func(p fixtures.Pattern) bool { return p.Match(f.ID) || p.Match(string(f.Clause.ID)) })
	}, nil
}

// clauseOnly explains a pattern that matches a clause but none of its fixtures.
func clauseOnly(p fixtures.Pattern, contract *spec.Contract) string {
	for _, c := range contract.Clauses() {
		if p.Match(string(c.ID)) {
			return fmt.Sprintf(", and no fixture tests %s alone", c.ID)
		}
	}
	return ""
}

// nearest returns a hint with what the pattern probably means: ids, groups and clauses that match fixtures.
func nearest(text string, all []fixtures.Fixture) string {
	var ids []string
	for _, f := range all {
		ids = append(ids, f.ID, path.Dir(f.ID)+"/*", string(f.Clause.ID))
	}
	hint := "`conformance list fixtures` names all"
	if near := spec.Nearest(text, ids); near != "" {
		hint = near + "; " + hint
	}
	return hint
}

// Shard is one part of a run that is split up, for example over several machines.
// [result.Merge] merges the reports of all parts. Use the same seed for all.
type Shard struct {
	Index int // from 1 to Of
	Of    int
}

// Places returns which indexes below n belong to the shard: every Of-th one, from Index-1
// on. So all shards take about the same time. The zero Shard selects everything, an invalid
// one nothing.
func (s Shard) Places(n int) []int {
	first, step := s.Index-1, s.Of
	switch {
	case s == (Shard{}):
		first, step = 0, 1
	case !s.isPart():
		return nil
	}
	var places []int
	for i := first; i < n; i += step {
		places = append(places, i)
	}
	return places
}

func (s Shard) isPart() bool { return s.Index >= 1 && s.Index <= s.Of }

// check returns an error if the shard is invalid, or if it has none of the selected fixtures.
func (s Shard) check(selected int) error {
	switch {
	case s == (Shard{}):
		return nil
	case !s.isPart():
		return setting.Errorf("shard", "is %d/%d; it must be from 1/%d to %d/%d", s.Index, s.Of, s.Of, s.Of, s.Of)
	case s.Index > selected:
		return setting.Errorf("shard", "%d/%d has none of the %d fixtures; use fewer shards", s.Index, s.Of, selected)
	}
	return nil
}

// Why a run does not send the fixtures of an operation.
const (
	onlyReads  = "--read-only sends only requests that read"
	ofSomebody = "its requests could change resources that the run did not create; --unsafe sends them all the same"
)

// excluded returns, by id, why the run may not send a fixture or one that it needs. ReadOnly
// excludes all that may change something. Without Unsafe, derived ones that may change what the run
// did not create are excluded. gaps are the reasons of the operations without a useful fixture.
func (c Config) excluded(all []fixtures.Fixture) (excluded, gaps map[string]string) {
	excluded = map[string]string{}
	for _, f := range all {
		if why := c.forbids(f); why != "" {
			excluded[f.ID] = why
		}
	}
	for n := -1; n < len(excluded); {
		n = len(excluded)
		for _, f := range all {
			for _, needed := range f.Needs() {
				if excluded[f.ID] == "" && excluded[needed] != "" {
					excluded[f.ID] = excluded[needed]
				}
			}
		}
	}
	gaps = maps.Clone(c.gaps)
	if gaps == nil {
		gaps = map[string]string{}
	}
	for _, f := range all {
		if why := excluded[f.ID]; why != "" {
			gaps[f.Operation.ID] = why
		}
	}
	for _, f := range all {
		if excluded[f.ID] == "" && (f.Expect != fixtures.Either || gaps[f.Operation.ID] != ofSomebody) { // otherwise, the remaining fixtures may name resources that do not exist
			delete(gaps, f.Operation.ID)
		}
	}
	if len(gaps) == 0 {
		gaps = nil // absent from the report
	}
	return excluded, gaps
}

// forbids returns why the run may not send a fixture; "" if it may.
func (c Config) forbids(f fixtures.Fixture) string {
	switch {
	case c.ReadOnly && !f.OnlyReads():
		return onlyReads
	case !c.Unsafe && f.IsDerived() && f.MayChangeOthers():
		return ofSomebody
	}
	return ""
}

// unsafe returns the error of a run if ReadOnly, or the missing Unsafe, excludes all fixtures.
func (c Config) unsafe() error {
	if c.ReadOnly {
		return setting.Errorf("read-only", "excludes all selected fixtures; omit it")
	}
	return setting.Errorf("unsafe", "is needed: all selected fixtures could change resources that the run did not create")
}
