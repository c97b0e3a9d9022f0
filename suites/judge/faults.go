package judge

import (
	"fmt"

	"github.com/plantstore/conformance/spec"
)

// faults counts what a nonconformant run found: "breaks 10 of 15 clauses (11
// faults; 96 of 129 fixtures)". It is empty if there is no violation, or all
// are waived. The clauses counted are the must-clauses, and others that a
// violation was found of.
func (s Summary) faults() string {
	causes := map[Cause]bool{}
	broken := map[string]bool{}
	failed := 0
	for _, o := range s.Outcomes {
		if o.Status == Failed {
			failed++
		}
		for _, f := range o.Findings {
			if f.Severity == Violation && f.Waived == "" {
				causes[CauseOf(o, f)], broken[f.Clause] = true, true
			}
		}
	}
	if len(causes) == 0 {
		return ""
	}
	clauses := len(broken)
	for _, c := range s.Clauses {
		if c.Level == spec.Must && !broken[c.ID] {
			clauses++
		}
	}
	return fmt.Sprintf("breaks %d of %s (%s; %d of %s)",
		len(broken), Number(clauses, "clause"), Number(len(causes), "fault"), failed, Number(len(s.Outcomes), "fixture"))
}
