package specs

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Register adds one spec per fixture to the Ginkgo suite of the caller. Call it at the top
// level or inside a container.
//
// Register reads the contract, the fixtures, the filters and the maximum number of
// requests. The rest of config is read when the first spec runs, so a BeforeSuite or
// BeforeAll can still set the target. If config is invalid, one spec says so and fails.
//
// If specs are focused, filtered or spread over processes, the limits, the deadline and
// the wait apply to each spec separately.
func Register(config *suites.Config) {
	plan, err := suites.Planned(*config)
	if err != nil {
		ginkgo.It("has a usable configuration", func() { ginkgo.Fail(err.Error()) })
		return
	}
	r := registration{plan: plan, config: config}
	ginkgo.Describe(plan.Contract.Title, r.describe)
	ginkgo.It("comes to a verdict on "+plan.Contract.Title, r.verdict)
}

type registration struct {
	plan   suites.Plan
	config *suites.Config

	once   sync.Once
	whole  *suites.Running // the run of all fixtures; nil if each spec is a separate run
	cancel context.CancelFunc
	failed error
}

// containerSize is the maximum number of specs in a container. The time that Ginkgo takes for
// one grows with the square of this number.
const containerSize = 100

// describe adds containers for the groups of fixtures, and a spec for each fixture. The location
// of a spec is the location of the fixture in its YAML file.
func (r *registration) describe() {
	list := r.plan.Fixtures
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && to-from < containerSize && folder(list[to]) == folder(list[from]) {
			to++
		}
		group, offset, operation := list[from:to], from, list[from].Operation.ID
		labels := ginkgo.Label(label("operation", operation), label("group", group[0].Group()))
		ginkgo.Context(folder(group[0]), labels, func() {
			for i, f := range group {
				ginkgo.It(f.ID, location(f), ginkgo.Label(label("level", string(f.Level))), func(ctx ginkgo.SpecContext) {
					found := r.result(ctx, offset+i)
					ginkgo.AddReportEntry("exchange", location(f), types.ReportEntryVisibilityFailureOrVerbose, exchange{found})
					if found.Excused {
						ginkgo.Skip(found.Reason)
					}
					if text := words.Complaint(r.plan.Contract, found); text != "" {
						ginkgo.Fail(text)
					}
				})
			}
		})
		from = to
	}
}

// exchange is a result in the reports of Ginkgo: JSON has the whole result, and text for people
// has only the request, as a curl command.
type exchange struct{ result.Result }

func (e exchange) String() string { return e.Curl }

func folder(f fixtures.Fixture) string { return f.Operation.ID + "/" + f.Group() }

func location(f fixtures.Fixture) types.CodeLocation {
	return types.NewCustomCodeLocation(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// label returns a label without the characters that filters of Ginkgo read as operators.
func label(key, value string) string {
	return key + ":" + strings.Map(func(c rune) rune {
		if strings.ContainsRune("&|!,()/", c) {
			return '-'
		}
		return c
	}, value)
}

// result returns the result of one fixture, from the run of all fixtures or from a separate run.
func (r *registration) result(ctx context.Context, place int) result.Result {
	if !isPartial() {
		whole := r.all(ctx)
		done := context.AfterFunc(ctx, r.cancel) // if Ginkgo interrupts the spec
		defer done()
		return whole.Result(place)
	}
	config := *r.config
	config.MinCoverage = 0 // a single fixture cannot reach it
	if config.Seed != 0 {
		config.Seed += uint64(place) //nolint:gosec // counts from 0; several runs must not send one control with the same id
	}
	alone, err := r.plan.Begin(ctx, config, ginkgo.GinkgoWriter, place)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	defer alone.Close()
	found, whole := alone.Result(place), alone.Report()
	if whole.Verdict == verdict.Inconclusive && !found.Excused {
		ginkgo.Fail(suites.Shortcoming(whole))
	}
	return found
}

// all returns the run of all fixtures. The first spec starts it.
func (r *registration) all(ctx context.Context) *suites.Running {
	r.once.Do(func() {
		run, cancel := context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // result calls it; else the run ends by itself
		r.cancel = cancel
		if r.whole, r.failed = r.plan.Begin(run, *r.config, ginkgo.GinkgoWriter); r.failed == nil {
			go r.whole.Close()
		}
	})
	if r.failed != nil {
		ginkgo.Fail(r.failed.Error())
	}
	return r.whole
}

// verdict fails if the run does not pass, even if all specs pass.
func (r *registration) verdict(ctx ginkgo.SpecContext) {
	if isPartial() {
		ginkgo.Skip("a verdict needs all fixtures, in one process")
	}
	if text := suites.Shortcoming(r.all(ctx).Report()); text != "" {
		ginkgo.Fail(text)
	}
}

// isPartial reports whether this process may not run every spec.
func isPartial() bool {
	c, _ := ginkgo.GinkgoConfiguration()
	return c.ParallelTotal > 1 || c.LabelFilter != "" || c.SemVerFilter != "" || len(c.FocusStrings)+len(c.SkipStrings)+len(c.FocusFiles)+len(c.SkipFiles) > 0
}
