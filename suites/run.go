package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/plantstore/conformance/suites/report"
)

// ginkgoSuite guards Ginkgo's one suite per process.
var ginkgoSuite sync.Mutex //nolint:gochecknoglobals // what it guards is global

// errForeignSuite is returned where Run would take the place of another suite.
var errForeignSuite = errors.New("this process has a Ginkgo suite of its own, which Run would replace; use Register or Test")

// Run replays the configured fixtures against the target, judges them and
// gives the report. It runs the Ginkgo suite by itself, outside go test, and
// may be called again; calls at the same time wait for each other, because
// Ginkgo has one suite per process. Where a Ginkgo suite of the caller's is
// registered or running it returns an error.
//
// The error is of [ErrConfig] where the run could not begin, and then nothing
// was sent. A run that the context, or the deadline, cuts off still gives a
// report, with the verdict inconclusive.
func Run(ctx context.Context, config Config) (report.Report, error) {
	p, err := newPlan(config)
	if err != nil {
		return report.Report{}, err
	}
	s, err := newSession(p, config)
	if err != nil {
		return report.Report{}, err
	}
	ginkgoSuite.Lock()
	defer ginkgoSuite.Unlock()
	if hasForeignSuite() {
		s.client.Close()
		return report.Report{}, fmt.Errorf("%w: %w", ErrConfig, errForeignSuite)
	}
	s.begin(ctx, s.all())
	runSpecs(s)
	return s.report(), nil
}

// runSpecs runs the Ginkgo suite of a session silently: what it has to say is
// in the session's results.
func runSpecs(s *session) {
	globals.Reset()
	defer globals.Reset()
	console := formatter.ColorableStdOut
	formatter.ColorableStdOut = io.Discard
	defer func() { formatter.ColorableStdOut = console }()

	describe(s.contract.Title, s.fixtures, s.result)
	suiteConfig := types.NewDefaultSuiteConfig()
	suiteConfig.Timeout = 0 // the session's limits end every spec
	ginkgo.RunSpecs(quiet{}, s.contract.Title, suiteConfig, types.NewDefaultReporterConfig())
}

// quiet is a test that takes note of nothing.
type quiet struct{}

func (quiet) Fail() {}

// hasForeignSuite says whether the caller's own Ginkgo specs are registered or
// running. Only a test binary can have some.
func hasForeignSuite() bool {
	if !testing.Testing() {
		return false
	}
	if ginkgo.CurrentSpecReport().LeafNodeType != types.NodeTypeInvalid {
		return true
	}
	return len(ginkgo.PreviewSpecs("").SpecReports) > 0
}
