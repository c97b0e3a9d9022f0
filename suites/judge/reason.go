package judge

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// minFaults is how many faults of an operation have to be answered to know with which status
// it answers them.
const minFaults = 3

// settleReasons looks at what a service says of valid requests that were derived and that it
// refuses. A schema cannot tell each rule of a service, such as one about two values together.
// One that answers all faults in values with 422 and refuses a valid request with 400, or the
// other way round, sees no such fault in it (RFC 9110 §15.5.1 and §15.5.21): its users should
// know, and whether the contract is broken nobody can say.
func settleReasons(outcomes []Outcome) []Outcome {
	faults := map[string]map[int]int{} // how often each status answers a fault, by operation
	for _, o := range outcomes {
		if o.Expect != fixtures.Rejected || o.Status == Unjudged || !spec.ClauseID(o.Clause).OnValue() {
			continue
		}
		if faults[o.Operation] == nil {
			faults[o.Operation] = map[int]int{}
		}
		faults[o.Operation][o.Answer]++
	}
	settled := slices.Clone(outcomes)
	for i, o := range outcomes {
		usual := map[int]int{http.StatusBadRequest: http.StatusUnprocessableEntity, http.StatusUnprocessableEntity: http.StatusBadRequest}[o.Answer]
		told := faults[o.Operation]
		if !o.Derived || o.Expect != fixtures.Accepted || o.Status != Failed || told[o.Answer] > 0 || told[usual] < minFaults {
			continue
		}
		accepts := spec.ClauseIDs(o.Operation).Accepts()
		o.Findings = slices.Clone(o.Findings)
		for n, f := range o.Findings {
			if f.Clause == accepts && f.Severity == Violation {
				f.Severity = Warning
				f.Message += fmt.Sprintf(" with %d, though faults in values get %d: the service may have a rule that the contract does not tell", o.Answer, usual)
				o.Findings[n] = f
			}
		}
		o.Status = status(o.Findings)
		settled[i] = o
	}
	return settled
}
