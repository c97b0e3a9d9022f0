package proof

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/setting"
)

// The numbers of requests in trials.
const (
	perOperation = 60    // per operation in a variation
	inAll        = 3_000 // maximum in a variation, and maximum budget for deriving requests
	spare        = 3     // derive this many times more, for deviations that only few requests show
)

// trials are the runs of one proof.
type trials struct {
	*model
	config         suites.Config
	byID           map[string]fixtures.Fixture
	representative []fixtures.Fixture            // the planned fixtures, which variations use
	fixtures       map[string][]fixtures.Fixture // by operation
	kinds          map[string][]answeredFixture  // by operation, each kind of response
	uses           map[string]map[string]bool    // operations in the steps of fixtures, by operation
	sent           map[string]bool               // fixtures that the faithful service received
	unjudged       map[string]string             // why the suite did not judge the faithful service, by fixture
	flaws          map[string]string             // flawHeader of fixtures with exactly one flaw, by fixture
	differing      map[spec.ClauseID][]string    // fixtures with a finding on the faithful service, by clause
}

// answeredFixture is a fixture and the status that the faithful service sent.
type answeredFixture struct {
	fixture fixtures.Fixture
	status  int
}

// reportedFinding is the part of a finding that trials use.
type reportedFinding struct {
	fixture, operation string
	clause             spec.ClauseID
	violation          bool
	says               string
}

func newTrials(ctx context.Context, contract *spec.Contract, only []string) (*trials, error) {
	c := suites.NewConfig()
	c.Contract, c.Derive, c.Unsafe = contract, true, true // unsafe requests cannot harm this service
	// requests do not contain the fragment that identifies an operation
	told := lists.Filter(contract.Operations, func(op *spec.Operation) bool { return !strings.Contains(op.Path, "#") })
	ids := lists.Map(told, func(op *spec.Operation) string { return op.ID })
	matches := func(glob, id string) bool { return fixtures.NewPattern(glob).Match(id) }
	for _, glob := range only {
		if !slices.ContainsFunc(ids, func(id string) bool { return matches(glob, id) }) {
			return nil, &setting.Error{Name: "only", Problem: fmt.Sprintf("%q matches no operation", glob), Hint: spec.Nearest(glob, ids)}
		}
	}
	isChosen := func(id string) bool {
		return len(only) == 0 || slices.ContainsFunc(only, func(glob string) bool { return matches(glob, id) })
	}
	c.Only = lists.Map(lists.Filter(ids, isChosen), func(id string) string { return id + "/*" })
	most := min(perOperation*len(c.Only), inAll)
	c.Limits.MaxRequests = min(spare*most, inAll)
	c, err := c.Load()
	if err != nil {
		return nil, fmt.Errorf("deriving the fixtures: %w", err)
	}
	c.Only, c.Tries, c.Seed, c.Limits.MaxRequests = nil, 1, 1, most
	c.Target.BaseURL, c.Target.Handler = "http://service.example", http.NotFoundHandler()
	p, err := suites.Planned(c)
	if err != nil {
		return nil, err
	}
	c.Loaded = few(c.Loaded, p)
	c.Limits.Concurrency, c.Limits.Timeout, c.Limits.MaxPause, c.Limits.MaxRequests = 1, time.Minute, 0, math.MaxInt // the same requests in each trial
	c.Target.Credentials = map[string]string{}
	// Where the contract needs a credential that no message carries, the connection counts as one.
	c.Target.TLS = &tls.Config{Certificates: []tls.Certificate{{}}, MinVersion: tls.VersionTLS12}
	for _, s := range contract.Schemes {
		if s.IsCarried() {
			c.Target.Credentials[s.Name] = "selftest-user:selftest-" + s.Name
		}
	}
	m, err := newModel(contract, c.Target.Credentials)
	if err != nil {
		return nil, err
	}
	t := &trials{
		model: m, config: c, representative: p.Fixtures, byID: map[string]fixtures.Fixture{}, fixtures: map[string][]fixtures.Fixture{}, kinds: map[string][]answeredFixture{},
		uses: map[string]map[string]bool{}, differing: map[spec.ClauseID][]string{}, sent: map[string]bool{}, unjudged: map[string]string{}, flaws: map[string]string{},
	}
	for _, f := range c.Loaded {
		t.add(f)
	}
	for _, f := range c.Loaded {
		t.compare(f)
	}
	return t, ctx.Err()
}

// few returns some fixtures of each group and place of a clause, and the fixtures of the plan.
func few(all []fixtures.Fixture, p suites.Plan) []fixtures.Fixture {
	byID := lists.By(all, func(f fixtures.Fixture) string { return f.ID })
	chosen := slices.Concat(p.Fixtures, p.Controls)
	count := map[string]int{}
	for _, f := range all {
		most := 3
		if f.Clause.ID.IsAccepts() {
			most = 20
		}
		alone, _, _ := strings.Cut(f.ID, ".with")
		kind := string(f.Clause.ID) + " " + alone[:max(strings.LastIndexByte(alone, '.'), strings.LastIndexByte(alone, '/'))]
		if count[kind]++; count[kind] <= most {
			chosen = append(chosen, f)
		}
	}
	kept := lists.Set(needed(chosen, byID), func(f fixtures.Fixture) string { return f.ID })
	return lists.Filter(all, func(f fixtures.Fixture) bool { return kept[f.ID] })
}

// needed returns the fixtures and all fixtures that they need, each once.
func needed(selected []fixtures.Fixture, byID map[string]fixtures.Fixture) (all []fixtures.Fixture) {
	there := map[string]bool{}
	for list := slices.Clone(selected); len(list) > 0; list = list[1:] {
		f := list[0]
		if there[f.ID] {
			continue
		}
		there[f.ID] = true
		all = append(all, f)
		list = append(list, lists.Map(f.Needs(), func(id string) fixtures.Fixture { return byID[id] })...)
	}
	return all
}

// add adds a fixture, and the operations that its steps use.
func (t *trials) add(f fixtures.Fixture) {
	id := f.Operation.ID
	t.byID[f.ID] = f
	t.fixtures[id] = append(t.fixtures[id], f)
	if t.uses[id] == nil {
		t.uses[id], t.controls[id] = map[string]bool{}, map[string]bool{}
	}
	m := f.Message(1, 0)
	for _, step := range slices.Concat(m.Steps, m.Cleanup) {
		if op := f.StepOperation(step.ID); op != nil && op.ID != id {
			t.uses[id][op.ID] = true
		}
	}
}

// compare records the shapes of the requests that a fixture is compared with.
func (t *trials) compare(f fixtures.Fixture) {
	for _, id := range append([]string{f.Control}, f.Unless...) {
		other, ok := t.byID[id]
		if !ok {
			continue
		}
		m := other.Message(1, 0)
		_, raw, _ := strings.Cut(m.Path, "?") // styled values are already in the path
		query, _ := url.ParseQuery(raw)
		for _, field := range m.Query {
			query.Add(field.Name, field.Value)
		}
		t.controls[f.Operation.ID][shape(query, string(m.Body))] = true
	}
}

// showing returns the fixtures that can show a deviation. If the deviation wants a status, a few
// fixtures with this status suffice. The others test its clause, have no other flaw than the
// ignored one, and are not rejected for another reason.
func (t *trials) showing(d deviation) []fixtures.Fixture {
	const most = 4
	if d.wants != nil {
		such := lists.Filter(t.kinds[d.operation], func(one answeredFixture) bool { return d.wants(one.status) })
		return lists.Map(such[:min(len(such), most)], func(one answeredFixture) fixtures.Fixture { return one.fixture })
	}
	return slices.DeleteFunc(slices.Clone(t.fixtures[d.operation]), func(f fixtures.Fixture) bool {
		return !t.sent[f.ID] || !within(f.Clause.ID, d.clause) || d.clause.IsAccepts() && f.MayBeTaken() || d.ignores != (flaw{}) && t.flaws[f.ID] != d.ignores.header()
	})
}

// run tries one service with these fixtures and the fixtures that they need. It returns the
// findings that the faithful service does not get.
func (t *trials) run(ctx context.Context, s *service, selected []fixtures.Fixture) ([]reportedFinding, result.Report, error) {
	c := t.config
	c.Loaded = needed(selected, t.byID)
	for _, f := range c.Loaded {
		if only := f.Operation.ID + "/*"; len(selected) < len(t.config.Loaded) && !slices.Contains(c.Only, only) { // to keep the report small
			c.Only = append(c.Only, only)
		}
	}
	if len(c.Loaded) == 0 {
		return nil, result.Report{}, nil
	}
	c.Target.Handler = s
	r, err := suites.Run(ctx, c)
	if err = cmp.Or(err, ctx.Err()); err != nil { // an interrupted run proves nothing
		return nil, r, err
	}
	var list []reportedFinding
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Severity != judge.Observation && !slices.Contains(t.differing[f.Clause], one.Fixture) {
				list = append(list, reportedFinding{one.Fixture, one.Operation, f.Clause, f.Severity == judge.Violation, fmt.Sprintf("%s: %s, got %s", one.Fixture, f.Message, f.Actual)})
			}
		}
	}
	return list, r, nil
}

// batches groups deviations of different operations, so that one run tries them together. In a
// batch, no fixture of one operation uses another operation.
func (t *trials) batches(all map[string][]deviation) [][]deviation {
	left := maps.Clone(all)
	var list [][]deviation
	for len(left) > 0 {
		var batch []deviation
		order := slices.SortedFunc(maps.Keys(left), func(a, b string) int {
			return cmp.Or(cmp.Compare(len(left[b]), len(left[a])), strings.Compare(a, b))
		})
		for _, id := range order {
			if slices.ContainsFunc(batch, func(d deviation) bool { return t.uses[id][d.operation] || t.uses[d.operation][id] }) {
				continue
			}
			batch = append(batch, left[id][0])
			if left[id] = left[id][1:]; len(left[id]) == 0 {
				delete(left, id)
			}
		}
		list = append(list, batch)
	}
	return list
}

// inParallel calls do for each entry of a list, with one goroutine for each processor.
func inParallel[T any](list []T, do func(i int, one T) error) error {
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, one := range list {
		all.Go(func() error { return do(i, one) })
	}
	return all.Wait()
}
