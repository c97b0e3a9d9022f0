package suites

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/setting"
	"github.com/plantstore/conformance/suites/verdict"
)

// Plan is what a run will send. It does not depend on the target. Nothing is sent before
// [Plan.Begin].
type Plan struct {
	Contract *spec.Contract
	Fixtures []fixtures.Fixture // the fixtures to judge, in order
	Controls []fixtures.Fixture // sent as well, so that rejections can be compared with an accepted request
	LeftOut  int                // number of derived fixtures beyond [replay.Limits.MaxRequests]

	clauses []spec.Clause                // of the operations that are in the run
	places  []int                        // of Fixtures, in the whole run of all shards
	byID    map[string]*fixtures.Fixture // also those that filters exclude: they may be controls
	partial bool                         // filters or the budget left fixtures out
	gaps    map[string]string            // by operation, why no fixture tests it
	shard   *result.Shard                // nil if the run is not split
	config  Config
	id      string // of every run of this plan
}

// Tries returns how often the run sends a fixture of the plan.
func (p Plan) Tries(f fixtures.Fixture) int { return p.config.tries(f) }

// Explored returns the operations that the run explores, and the maximum number of
// requests that it sends to each.
func (p Plan) Explored() (operations []*spec.Operation, most int) {
	operations, each := p.explored()
	return operations, each.all
}

// Planned returns the plan of a run with this configuration. The target may be missing.
// The error is an [ErrConfig]: an invalid contract or fixture, a filter or a waiver that
// matches nothing, a shard that does not exist, or more fixtures than the limit of
// requests permits.
func Planned(c Config) (Plan, error) {
	c, err := c.Load()
	if err != nil {
		return Plan{}, configError(err)
	}
	p, err := c.plan(c.Loaded)
	if err != nil {
		return Plan{}, configError(err)
	}
	return p, nil
}

// Validate returns the [ErrConfig] that [Run] would return for this configuration, or nil.
// It sends nothing.
func Validate(c Config) error {
	p, err := Planned(c)
	if err != nil {
		return err
	}
	if err := c.checkTested(); err != nil {
		return err
	}
	if c.Handler != nil {
		p.config.Target.BaseURL = "http://127.0.0.1" // the handler will be served here, on another port
	}
	return p.checkTarget()
}

// plan returns the plan for all fixtures, which were loaded with the contract.
func (c Config) plan(all []fixtures.Fixture) (Plan, error) {
	if c.Contract == nil {
		return Plan{}, errors.New("the contract of the fixtures is missing; give the one that they were loaded with")
	}
	if n := len(c.Contract.Notes); c.StrictSpec && n > 0 {
		return Plan{}, &setting.Error{Name: "strict-spec", Problem: "permits no flaw of the contract: " + c.Contract.Notes[0].Sentence(), Hint: fmt.Sprintf("`conformance list notes` lists all %d", n)}
	}
	isOpen := func(op *spec.Operation) bool { return !op.TestsAuthorization() }
	if _, set := fixtures.FindField(c.Target.Headers, "Authorization"); set && !slices.ContainsFunc(c.Contract.Operations, isOpen) {
		// No request would have this field, because fixtures about credentials need their own.
		return Plan{}, &setting.Error{Problem: "the header Authorization is what the suite tests", Hint: setting.GiveToken}
	}
	if c.ReadOnly && c.Unsafe {
		return Plan{}, setting.Errorf("unsafe", "and the setting read-only exclude each other; omit one of them")
	}
	if len(all) == 0 && len(c.Only) == 0 {
		return Plan{}, c.nothingDerived()
	}
	selected, err := filter(c.Contract, all, c.Only, c.Skip)
	if err != nil {
		return Plan{}, err
	}
	excluded, gaps := c.excluded(all)
	isExcluded := func(f fixtures.Fixture) bool { return excluded[f.ID] != "" }
	all = without(all, isExcluded)
	if selected = without(selected, isExcluded); len(selected) == 0 {
		return Plan{}, c.unsafe()
	}
	if c.Quick {
		if selected = without(selected, func(f fixtures.Fixture) bool { return !f.Quick() }); len(selected) == 0 {
			return Plan{}, setting.Errorf("quick", "excludes all selected fixtures; omit it")
		}
	}
	if err := checkWaivers(c.Waivers, c.Contract, all); err != nil {
		return Plan{}, err
	}
	byID := make(map[string]*fixtures.Fixture, len(all))
	for i := range all {
		byID[all[i].ID] = &all[i]
	}
	selected = without(selected, func(f fixtures.Fixture) bool { return f.IsDerived() && c.lacksAlternative(f) })
	wanted := len(selected)
	if slices.ContainsFunc(selected, fixtures.Fixture.IsDerived) {
		selected = c.withinBudget(selected, byID)
	}
	if err := c.Shard.check(len(selected)); err != nil {
		return Plan{}, err
	}
	p := Plan{
		Contract: c.Contract, Fixtures: selected, LeftOut: wanted - len(selected),
		clauses: c.clausesOf(all, selected), places: c.Shard.Places(len(selected)), byID: byID, partial: len(selected) < len(all), gaps: gaps,
		config: c, id: rand.Text(),
	}
	if c.Shard != (Shard{}) {
		p.Fixtures = lists.Map(p.places, func(place int) fixtures.Fixture { return selected[place] })
		p.shard = &result.Shard{Index: c.Shard.Index, Of: c.Shard.Of, Fixtures: len(selected)}
	}
	p.Controls = p.controls()
	return p, p.checkBudget()
}

// lacksAlternative reports whether a derived fixture tests an alternative of the security
// requirements for which the target has no named credentials. A token without a name may belong to
// another scheme, unless all others have a named credential.
func (c Config) lacksAlternative(f fixtures.Fixture) bool {
	unnamed := func(scheme string) bool { return c.Target.Credentials[scheme] == "" }
	isToken := func(scheme string) bool {
		isOther := func(s spec.Scheme) bool { return s.Name != scheme && unnamed(s.Name) }
		return c.Target.Token != "" && len(c.Target.Credentials) > 0 && !slices.ContainsFunc(c.Contract.Schemes, isOther)
	}
	return f.LeavesOut() && !f.Sendable(c.Target.Has) ||
		slices.ContainsFunc(f.Alternative(), func(scheme string) bool { return unnamed(scheme) && !isToken(scheme) })
}

// clausesOf returns the clauses of the operations in the run, the same for each shard. Operations
// without any fixture are included, so that the report shows them as untested, unless Only is set.
func (c Config) clausesOf(all, selected []fixtures.Fixture) []spec.Clause {
	inRun := map[string]bool{}
	for _, f := range all {
		inRun[f.Operation.ID] = false
	}
	for _, f := range selected {
		inRun[f.Operation.ID] = true
	}
	var list []spec.Clause
	for _, op := range c.Contract.Operations {
		if left, tested := inRun[op.ID]; left || !tested && len(c.Only) == 0 {
			list = append(list, op.Clauses()...)
		}
	}
	return list
}

// controls returns the fixtures that the plan's fixtures need and that are not among them.
func (p Plan) controls() []fixtures.Fixture {
	sent := lists.Set(p.Fixtures, func(f fixtures.Fixture) string { return f.ID })
	var list []fixtures.Fixture
	for _, f := range p.Fixtures {
		for _, other := range needed(&f, sent, p.byID) {
			list = append(list, *other)
		}
	}
	return list
}

// Load sets Contract and Loaded: it reads the files of Fixtures, derives fixtures, or takes
// the built-in ones. If Only names operations, fixtures are derived only for these. Load
// does not change a configuration whose Loaded is set.
func (c Config) Load() (Config, error) {
	if c.Loaded != nil {
		return c, nil
	}
	if c.Contract == nil {
		var err error
		if c.Contract, err = spec.PlantStore(); err != nil {
			return c, err
		}
		if c.Fixtures == nil {
			c.Fixtures = []fixtures.Set{fixtures.Bundled()}
		}
	}
	var derived []fixtures.Text
	c.gaps = map[string]string{}
	const least, spare = 16, 4 // more than a fair share of the requests, because not all fixtures can be proven
	most := max(least, spare*c.derivedRequests()/max(1, len(c.Contract.Operations)))
	if len(c.Fixtures) == 0 || c.Derive {
		files, err := fixtures.Load(c.Contract, c.Fixtures...)
		if err != nil && len(c.Fixtures) > 0 {
			return c, err
		}
		source := derive.New(c.Contract, c.ReadOnly, files...)
		for _, op := range c.Contract.Operations {
			if mayMatch(c.Only, op.ID) {
				texts, gaps := source.Operation(op, most)
				derived = append(derived, texts...)
				for _, gap := range gaps {
					c.gaps[gap.Operation] = gap.Reason
				}
			}
		}
	}
	loaded, unproven, err := fixtures.LoadDerived(c.Contract, derived, c.Fixtures...)
	for _, one := range unproven { // reported if no other fixture of the operation is left
		if op, _, _ := strings.Cut(one.ID, "/"); c.gaps[op] == "" {
			c.gaps[op], _, _ = strings.Cut(one.Reason, "\n")
		}
	}
	c.Loaded = loaded
	return c, err
}

// nothingDerived returns the error of a run without fixtures.
func (c Config) nothingDerived() error {
	problem := "there is no fixture; a run without fixtures would test nothing"
	if operations := slices.Sorted(maps.Keys(c.gaps)); len(operations) > 0 {
		problem = fmt.Sprintf("no request can be derived from the contract: of %s, because %s", operations[0], c.gaps[operations[0]])
	}
	return &setting.Error{Problem: problem, Hint: "give fixtures of your own"}
}

// mayMatch reports whether one of the patterns can match an id that begins with the operation.
// Without patterns, all ids match.
func mayMatch(patterns []string, operation string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool {
		fixed, _, _ := strings.Cut(strings.ReplaceAll(pattern, "?", "*"), "*")
		return strings.HasPrefix(operation+"/", fixed) || strings.HasPrefix(fixed, operation+"/")
	})
}

// checkWaivers returns an error for a waiver that can never waive anything.
func checkWaivers(waivers []verdict.Waiver, contract *spec.Contract, all []fixtures.Fixture) error {
	for _, w := range waivers {
		if !slices.ContainsFunc(all, func(f fixtures.Fixture) bool { return w.Pattern.Match(f.ID) }) &&
			!slices.ContainsFunc(contract.Clauses(), func(c spec.Clause) bool { return w.Pattern.Match(string(c.ID)) }) {
			return fmt.Errorf("%s: the waiver %s matches no fixture and no clause; `conformance list clauses` and `conformance list fixtures` list the ids", w.Source, w.Pattern)
		}
		if !slices.ContainsFunc(all, func(f fixtures.Fixture) bool { return w.Narrowing.Fixtures.Match(f.ID) }) {
			return fmt.Errorf("%s: fixtures %s of the waiver %s matches no fixture; `conformance list fixtures` names them", w.Source, w.Narrowing.Fixtures, w.Pattern)
		}
	}
	return nil
}
