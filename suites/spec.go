package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// containerSize bounds the specs of one container: Ginkgo takes time that
// grows with the square of it.
const containerSize = 100

// describe adds one container for each group of fixtures and in it one spec
// for each fixture, which stands where its YAML file does.
func describe(title string, list []fixtures.Fixture, result func(i int) report.Result) {
	ginkgo.Describe(title, func() {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && to-from < containerSize && folder(list[to]) == folder(list[from]) {
				to++
			}
			group, offset := list[from:to], from
			ginkgo.Context(folder(group[0]), func() {
				for i, f := range group {
					ginkgo.It(f.ID, location(f), func() {
						r := result(offset + i)
						ginkgo.AddReportEntry("exchange", location(f), types.ReportEntryVisibilityNever, r)
						if text := complaint(r); text != "" {
							ginkgo.Fail(text)
						}
					})
				}
			})
			from = to
		}
	})
}

func folder(f fixtures.Fixture) string { return f.Operation.ID + "/" + f.Group() }

func location(f fixtures.Fixture) types.CodeLocation {
	return types.NewCustomCodeLocation(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// complaint is why a fixture's test fails: every violation that is not waived, or why it could
// not be judged. It is empty where the test passes.
func complaint(r report.Result) string {
	if r.Status == string(judge.Unjudged) {
		return "unjudged: " + report.Visible(r.Reason)
	}
	var lines []string
	for _, f := range r.Findings {
		if f.Severity != string(judge.Violation) || f.Waived != "" {
			continue
		}
		lines = append(lines, fmt.Sprintf("breaks %s: %s\n    expected  %s\n    got       %s", f.Clause,
			report.Visible(strings.TrimSpace(f.Pointer+" "+f.Message)), report.Visible(f.Expected), report.Visible(f.Actual)))
	}
	return strings.Join(slices.Compact(lines), "\n")
}
