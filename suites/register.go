package suites

import (
	"context"
	"sync"

	"github.com/onsi/ginkgo/v2"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/report"
)

// Register adds one spec per fixture to the Ginkgo suite of the caller. Call
// it where a container may be: at the top level or inside one.
//
// The contract, the fixtures, the filters and [replay.Limits.MaxRequests] are
// read at once; the rest of config is read when the first spec runs, so a
// BeforeSuite or BeforeAll may still set the target. A config with a flaw fails
// as a spec.
//
// Where the whole suite runs in one process, the exchanges run ahead in one
// pool, and one spec more fails where all of them together prove nothing (the
// credential was refused by every answer) or a waiver is out of date. Where
// specs are focused, filtered or spread over processes, each sends its own
// request when its turn comes, so that nothing is sent in vain; the limits, the
// deadline and the wait are then those of each spec by itself, and that last
// spec is skipped.
func Register(config *Config) {
	p, err := newPlan(*config)
	if err != nil {
		ginkgo.It("has a usable configuration", func() { ginkgo.Fail(err.Error()) })
		return
	}
	r := registration{plan: p, config: config, id: newRunID()}
	describe(p.contract, p.fixtures, r.result)
	ginkgo.It("comes to a verdict on "+p.contract.Title, r.verdict)
}

type registration struct {
	plan
	config *Config
	id     string // one for all specs
	once   sync.Once
	whole  *session // of all fixtures; nil where specs go one by one
	failed error
}

func (r *registration) result(i int) report.Result {
	if isPartial() {
		return r.single(i)
	}
	return r.all().result(i)
}

// all is the session of all fixtures, which the first spec begins.
func (r *registration) all() *session {
	r.once.Do(func() {
		if r.whole, r.failed = newSession(r.plan, *r.config, r.id, ginkgo.GinkgoWriter); r.failed == nil {
			r.whole.begin(context.Background(), r.whole.all())
			go r.whole.close()
		}
	})
	if r.failed != nil {
		ginkgo.Fail(r.failed.Error())
	}
	return r.whole
}

// verdict fails where the specs may all pass and the run does not.
func (r *registration) verdict() {
	if isPartial() {
		ginkgo.Skip("a verdict is on all fixtures: it takes a run of the whole suite, in one process")
	}
	if text := shortcoming(r.all().report()); text != "" {
		ginkgo.Fail(text)
	}
}

// single replays one fixture by itself.
func (r *registration) single(i int) report.Result {
	s, err := newSession(plan{contract: r.contract, fixtures: []fixtures.Fixture{r.fixtures[i]}, places: []int{0}, byID: r.byID, partial: true}, *r.config, r.id, ginkgo.GinkgoWriter)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	defer s.close()
	s.begin(context.Background(), s.all())
	return s.result(0)
}

// isPartial says whether this process may not run every spec.
func isPartial() bool {
	c, _ := ginkgo.GinkgoConfiguration()
	return c.ParallelTotal > 1 || c.LabelFilter != "" || c.SemVerFilter != "" || len(c.FocusStrings)+len(c.SkipStrings)+len(c.FocusFiles)+len(c.SkipFiles) > 0
}
