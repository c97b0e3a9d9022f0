package judge

import (
	"slices"

	"github.com/plantstore/conformance/fixtures"
)

// settleRejections takes back what the rejections of an operation only seemed
// to show that accepts nothing: where every request that must be accepted was
// not, the others were not rejected for what is wrong with them either, and
// the clauses they aim at were put to no test.
func settleRejections(outcomes []Outcome) []Outcome {
	accepts := map[string]bool{} // by operation that had a chance to
	for _, o := range outcomes {
		if o.Expect == fixtures.Accepted && o.Status != Unjudged {
			accepts[o.Operation] = accepts[o.Operation] || isAccepted(o)
		}
	}
	settled := slices.Clone(outcomes)
	for i, o := range settled {
		accepting, tried := accepts[o.Operation]
		if o.Expect == fixtures.Rejected && tried && !accepting && !isAccepted(o) {
			settled[i].Exercised = slices.DeleteFunc(slices.Clone(o.Exercised), func(id string) bool { return id == o.Clause })
		}
	}
	return settled
}

// isAccepted says whether the request was, with whatever status.
func isAccepted(o Outcome) bool { return o.Answer >= 200 && o.Answer < 400 }
