package judge

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/plantstore/conformance/fixtures"
)

// settleCredential finds out whether the credential itself was refused: every
// request that should get past it was answered with 401 or 403. The service
// may be right to do so, and then these exchanges say nothing about the
// clauses they were meant for. They become unjudged, unless they broke
// another clause.
func settleCredential(results []Result) (settled []Result, refused bool) {
	places := carriers(results, fixtures.Accepted)
	if places == nil {
		// With no request that must be accepted, a rejection because of the
		// credential would pass for the one that was asked for.
		places = carriers(results, fixtures.Rejected)
	}
	for _, i := range places {
		if !refusesCredential(results[i]) {
			return results, false
		}
	}
	settled = slices.Clone(results)
	for _, i := range places {
		settled[i] = withoutEvidence(settled[i])
	}
	return settled, places != nil
}

// carriers are the places of the judged results whose request carried the
// target's own credential where the contract wants it.
func carriers(results []Result, expect fixtures.Expectation) []int {
	var places []int
	for i, r := range results {
		if r.Status != Unjudged && r.Fixture.Expect == expect && r.Fixture.NeedsToken() && r.Fixture.Clause.Part() != "request/credential" {
			places = append(places, i)
		}
	}
	return places
}

func refusesCredential(r Result) bool {
	if r.Exchange.Failure != nil {
		return false
	}
	s := r.Exchange.Response.Status
	return s == http.StatusUnauthorized || s == http.StatusForbidden
}

// withoutEvidence takes back what a refused credential only seemed to show.
func withoutEvidence(r Result) Result {
	accepts := r.Fixture.Operation.ID + "/accepts"
	r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Clause == accepts })
	r.Exercised = slices.DeleteFunc(slices.Clone(r.Exercised), func(id string) bool { return id == accepts || id == r.Fixture.Clause.ID })
	if r.Status = status(r.Findings); r.Status != Failed {
		r.Status, r.Reason = Unjudged, fmt.Sprintf("the credential was refused with %d", r.Exchange.Response.Status)
	}
	return r
}
