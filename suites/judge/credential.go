package judge

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// settleCredential finds out whether the credential itself was refused: every
// request that should get past it was answered with 401 or 403. The service
// may be right to do so, and then these exchanges say nothing about the
// clauses they were meant for. They become unjudged, unless they broke
// another clause.
func settleCredential(outcomes, controls []Outcome) (settled []Outcome, refused bool) {
	expect := fixtures.Accepted
	places, elsewhere := carriers(outcomes, expect), carriers(controls, expect)
	if len(places)+len(elsewhere) == 0 {
		// With no request that must be accepted, a rejection because of the
		// credential would pass for the one that was asked for.
		places = carriers(outcomes, fixtures.Rejected)
	}
	for _, i := range places {
		if !refusesCredential(outcomes[i]) {
			return outcomes, false
		}
	}
	for _, i := range elsewhere {
		if !refusesCredential(controls[i]) {
			return outcomes, false
		}
	}
	settled = slices.Clone(outcomes)
	for _, i := range places {
		settled[i] = withoutEvidence(settled[i])
	}
	return settled, len(places)+len(elsewhere) > 0
}

// carriers are the places of the outcomes that show what became of the
// target's own credential, where the contract wants it: of an answer, or of one
// that broke off, which is no refusal.
func carriers(outcomes []Outcome, expect fixtures.Expectation) []int {
	var places []int
	for i, o := range outcomes {
		if (o.Answer != 0 || o.Status == Failed) && o.Expect == expect && o.Credential {
			places = append(places, i)
		}
	}
	return places
}

func refusesCredential(o Outcome) bool {
	return o.Answer == http.StatusUnauthorized || o.Answer == http.StatusForbidden
}

// withoutEvidence takes back what a refused credential only seemed to show.
func withoutEvidence(o Outcome) Outcome {
	accepts := spec.ClauseIDs(o.Operation).Accepts()
	o.Findings = slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return f.Clause == accepts })
	o = o.without(accepts, o.Clause)
	if o.Status = status(o.Findings); o.Status != Failed {
		o.Status, o.Reason = Unjudged, fmt.Sprintf("the credential was refused with %d", o.Answer)
	}
	return o
}

// without is the outcome as one that did not put those clauses to the test.
func (o Outcome) without(clauses ...string) Outcome {
	o.Exercised = slices.DeleteFunc(slices.Clone(o.Exercised), func(id string) bool { return slices.Contains(clauses, id) })
	return o
}
