package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Complaint is why a test of that result fails, as lines for its log: every
// violation that is not waived, or why the result is unjudged. It is empty
// where the test passes.
func Complaint(contract *spec.Contract, r result.Result) string {
	if r.Excused {
		return ""
	}
	if r.Status == judge.Unjudged {
		return "unjudged: " + Visible(r.Reason)
	}
	var lines []string
	for _, f := range r.Findings {
		if f.Kind() != judge.Violation {
			continue
		}
		clause, _ := contract.Clause(f.Clause)
		lines = append(lines, fmt.Sprintf("breaks %s: %s\n    expected  %s\n    got       %s", weighed(f.Clause, clause.Level, clause.Section),
			Visible(strings.TrimSpace(f.Pointer+" "+f.Message)), Visible(f.Expected), Visible(f.Actual)))
	}
	return strings.Join(slices.Compact(lines), "\n")
}
