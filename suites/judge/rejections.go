package judge

import (
	"slices"

	"github.com/plantstore/conformance/fixtures"
)

// settleRejections takes back what the rejections of an operation only seemed
// to show that accepts nothing: where every request that must be accepted was
// not, the others were not rejected for what is wrong with them either, and
// the clauses they aim at were put to no test.
func settleRejections(results []Result) []Result {
	accepts := map[string]bool{} // by operation that had a chance to
	for _, r := range results {
		if r.Fixture.Expect == fixtures.Accepted && r.Status != Unjudged {
			accepts[r.Fixture.Operation.ID] = accepts[r.Fixture.Operation.ID] || isAccepted(r)
		}
	}
	settled := slices.Clone(results)
	for i, r := range settled {
		accepting, tried := accepts[r.Fixture.Operation.ID]
		if r.Fixture.Expect == fixtures.Rejected && tried && !accepting && !isAccepted(r) {
			settled[i].Exercised = slices.DeleteFunc(slices.Clone(r.Exercised), func(id string) bool { return id == r.Fixture.Clause.ID })
		}
	}
	return settled
}

// isAccepted says whether the request was, with whatever status.
func isAccepted(r Result) bool {
	return r.Exchange.Failure == nil && r.Exchange.Response.Status >= 200 && r.Exchange.Response.Status < 400
}
