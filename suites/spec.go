package suites

import (
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/report"
)

// containerSize bounds the specs of one container: Ginkgo takes time that
// grows with the square of it.
const containerSize = 100

// describe adds one container for each group of fixtures and in it one spec
// for each fixture, which stands where its YAML file does.
func describe(contract *spec.Contract, list []fixtures.Fixture, result func(i int) report.Result) {
	ginkgo.Describe(contract.Title, func() {
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
						if r.Excused {
							ginkgo.Skip(r.Reason)
						}
						if text := report.Complaint(contract, r); text != "" {
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
