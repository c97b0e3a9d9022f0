package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// settleCredential finds out whether a credential itself was refused: every request
// that should get past it was answered with 401 or 403. The service may be right to
// do so, and then these exchanges say nothing about the clauses they were meant for.
// They become unjudged, unless they broke another clause. Each combination of security
// schemes is settled by itself; refused says that none was accepted.
func settleCredential(outcomes, controls []Outcome) (settled []Outcome, refused bool) {
	settled = slices.Clone(outcomes)
	accepted := false
	for _, schemes := range usedSchemes(outcomes, controls) {
		places, elsewhere := carriers(outcomes, fixtures.Accepted, schemes), carriers(controls, fixtures.Accepted, schemes)
		if len(places)+len(elsewhere) == 0 {
			// With no request that must be accepted, a rejection because of the
			// credential would pass for the one that was asked for.
			places = carriers(outcomes, fixtures.Rejected, schemes)
		}
		switch {
		case len(places)+len(elsewhere) == 0:
			continue
		case slices.ContainsFunc(places, func(i int) bool { return !refusesCredential(outcomes[i]) }),
			slices.ContainsFunc(elsewhere, func(i int) bool { return !refusesCredential(controls[i]) }):
			accepted = true
			continue
		}
		refused = true
		for _, i := range places {
			subject := strings.TrimSuffix("the credential for "+schemesOf(outcomes[i]), " for ")
			settled[i] = outcomes[i].withoutEvidence(fmt.Sprintf("%s was refused with %d", subject, outcomes[i].Answer))
		}
	}
	return settled, refused && !accepted
}

// usedSchemes are the combinations of security schemes whose credentials were sent.
func usedSchemes(outcomes, controls []Outcome) []string {
	var used []string
	for _, o := range slices.Concat(outcomes, controls) {
		if !slices.Contains(used, schemesOf(o)) {
			used = append(used, schemesOf(o))
		}
	}
	return used
}

func schemesOf(o Outcome) string { return strings.Join(o.Schemes, " and ") }

// carriers are the places of the outcomes that show what became of the
// target's own credential, where the contract wants it: of an answer, or of one
// that broke off, which is no refusal.
func carriers(outcomes []Outcome, expect fixtures.Expectation, schemes string) []int {
	var places []int
	for i, o := range outcomes {
		if (o.Answer != 0 || o.Status == Failed) && o.Expect == expect && o.Credential && schemesOf(o) == schemes {
			places = append(places, i)
		}
	}
	return places
}

func refusesCredential(o Outcome) bool {
	return (o.Answer == http.StatusUnauthorized || o.Answer == http.StatusForbidden) && !wasAccepted(o)
}

// withoutEvidence is the outcome without what a refusal of the credential only seems to show. It is
// unjudged for that reason, unless it shows another violation.
func (o Outcome) withoutEvidence(reason string) Outcome {
	accepts := spec.ClauseIDs(o.Operation).Accepts()
	o.Findings = slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return f.Clause == accepts || f.Clause == o.Clause })
	o = o.without(accepts, o.Clause)
	if o.Status = status(o.Findings); o.Status != Failed {
		o.Excused = false
		o.Status, o.Reason = Unjudged, reason
	}
	return o
}

// without is the outcome as one that did not put those clauses to the test.
func (o Outcome) without(clauses ...string) Outcome {
	o.Exercised = slices.DeleteFunc(slices.Clone(o.Exercised), func(id string) bool { return slices.Contains(clauses, id) })
	return o
}
