package suites

import (
	"context"
	"io"
	"sync"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/report"
)

// Run replays the configured fixtures against the target, judges them and
// gives the report. It may be called again, and from several goroutines.
//
// In a program it runs the Ginkgo suite, one run after the other. In a test
// binary the one suite that Ginkgo allows per process is the caller's, and
// Ginkgo ends the process where go test was given -count or -parallel; there
// Run is [Check].
//
// The error is of [ErrConfig] where the run could not begin, and then nothing
// was sent. A run that the context, or the deadline, cuts off still gives a
// report, with the verdict inconclusive.
func Run(ctx context.Context, config Config) (report.Report, error) {
	if testing.Testing() {
		return Check(ctx, config)
	}
	s, err := plannedSession(config, io.Discard)
	if err != nil {
		return report.Report{}, err
	}
	defer s.close()
	s.begin(ctx, s.all())
	runSpecs(s)
	return s.report(), nil
}

// Check does what [Run] does without Ginkgo, so that many may go on at the
// same time.
func Check(ctx context.Context, config Config) (report.Report, error) {
	s, err := plannedSession(config, io.Discard)
	if err != nil {
		return report.Report{}, err
	}
	defer s.close()
	s.begin(ctx, s.all())
	return s.report(), nil
}

// CheckLoaded does what [Check] does with fixtures that are loaded already: all
// are those of config.Contract, which must be given. Where there are many
// targets, they are read once.
func CheckLoaded(ctx context.Context, config Config, all []fixtures.Fixture) (report.Report, error) {
	p, err := newPlanOf(config, all)
	if err != nil {
		return report.Report{}, err
	}
	s, err := newSession(p, config, newRunID(), io.Discard)
	if err != nil {
		return report.Report{}, err
	}
	defer s.close()
	s.begin(ctx, s.all())
	return s.report(), nil
}

func plannedSession(config Config, notes io.Writer) (*session, error) {
	p, err := newPlan(config)
	if err != nil {
		return nil, err
	}
	return newSession(p, config, newRunID(), notes)
}

// ginkgoSuite guards Ginkgo's one suite per process.
var ginkgoSuite sync.Mutex //nolint:gochecknoglobals // what it guards is global

// runSpecs runs the Ginkgo suite of a session silently: what it has to say is
// in the session's results.
func runSpecs(s *session) {
	ginkgoSuite.Lock()
	defer ginkgoSuite.Unlock()
	globals.Reset()
	defer globals.Reset()
	console := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = console }()

	describe(s.contract, s.fixtures, s.result)
	suiteConfig := types.NewDefaultSuiteConfig()
	suiteConfig.Timeout = 0 // the session's limits end every spec
	ginkgo.RunSpecs(quiet{}, s.contract.Title, suiteConfig, types.NewDefaultReporterConfig())
}

// quiet is a test that takes note of nothing.
type quiet struct{}

func (quiet) Fail() {}
