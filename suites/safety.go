package suites

import (
	"maps"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/setting"
)

// Why a run does not send the fixtures of an operation.
const (
	onlyReads  = "--read-only sends only requests that read"
	ofSomebody = "its requests could change things that the run did not create; --unsafe sends them all the same"
)

// excluded says, by id, why the run may not send some of the fixtures, or those that need one of
// them: with ReadOnly all that may change something, without Unsafe those derived ones that may
// change what the run did not create. gaps are the reasons, by operation that has no
// fixture left which tells anything.
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
		if excluded[f.ID] == "" && (f.Expect != fixtures.Either || gaps[f.Operation.ID] != ofSomebody) { // or all that is left may name what nobody has
			delete(gaps, f.Operation.ID)
		}
	}
	if len(gaps) == 0 {
		gaps = nil // as reports without any have it
	}
	return excluded, gaps
}

// forbids says why the run may not send a fixture; "" if it may.
func (c Config) forbids(f fixtures.Fixture) string {
	switch {
	case c.ReadOnly && !f.OnlyReads():
		return onlyReads
	case !c.Unsafe && f.IsDerived() && f.MayChangeOthers():
		return ofSomebody
	}
	return ""
}

// unsafe is the error of a run for which safety leaves nothing.
func (c Config) unsafe() error {
	if c.ReadOnly {
		return setting.Errorf("read-only", "excludes all selected fixtures; omit it")
	}
	return setting.Errorf("unsafe", "is needed: all selected fixtures could change things that the run did not create")
}
