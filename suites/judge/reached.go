package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// Reached says how much of a contract a run has reached.
type Reached struct {
	Operations  Part        `json:"operations"`  // at least one request was accepted
	MustClauses Part        `json:"mustClauses"` // that were tested
	Missing     []Unreached `json:"missing"`     // the operations that were not, each reason once
}

// Part is how many of all.
type Part struct {
	Reached int `json:"reached"`
	Of      int `json:"of"`
}

// Unreached is why operations were not reached.
type Unreached struct {
	Reason     string   `json:"reason"`
	Operations []string `json:"operations"` // ids
}

// reached counts by operation what was accepted. gaps are reasons why operations
// have no fixture.
func reached(clauses []Clause, outcomes, controls []Outcome, gaps map[string]string) Reached {
	answers := map[string]map[int]bool{} // statuses by operation
	accepted := map[string]bool{}
	lacking := map[string]string{} // why requests were not sent, by operation
	secured := map[string]bool{}   // operations that take a credential
	everywhere := true             // each answer refuses the credential, or seems to
	for _, list := range [][]Outcome{outcomes, controls} {
		for _, o := range list {
			if answers[o.Operation] == nil {
				answers[o.Operation] = map[int]bool{}
			}
			answers[o.Operation][o.Answer] = true
			accepted[o.Operation] = accepted[o.Operation] || isAccepted(o)
			for _, op := range o.AcceptedSteps {
				accepted[op], everywhere = true, false
			}
			secured[o.Operation] = secured[o.Operation] || o.Credential
			everywhere = everywhere && (o.Answer == 0 || refusesCredential(o))
			if o.Answer == 0 && (strings.HasPrefix(o.Reason, fixtures.NoCredential) || o.Excused) { // by a step before it
				lacking[o.Operation] = o.Reason
			}
		}
	}
	r := Reached{Missing: []Unreached{}}
	seen := map[string]bool{}
	for _, c := range clauses {
		secured[spec.ClauseID(c.ID).Operation()] = secured[spec.ClauseID(c.ID).Operation()] || spec.ClauseID(c.ID).IsCredential()
	}
	for _, c := range clauses {
		op := spec.ClauseID(c.ID).Operation()
		if seen[op] {
			continue
		}
		seen[op] = true
		r.Operations.Of++
		if accepted[op] {
			r.Operations.Reached++
			continue
		}
		r.Missing = missing(r.Missing, op, cmp.Or(lacking[op], whyUnreached(answers[op], gaps[op], secured[op], everywhere)))
	}
	return r
}

// missing adds an operation to those with the same reason.
func missing(list []Unreached, operation, reason string) []Unreached {
	i := slices.IndexFunc(list, func(u Unreached) bool { return u.Reason == reason })
	if i < 0 {
		i, list = len(list), append(list, Unreached{Reason: reason})
	}
	list[i].Operations = append(list[i].Operations, operation)
	return list
}

// whyUnreached is why no request of an operation was accepted, by the statuses that
// they got; 0 is no complete response. One operation that answers with 403 may be forbidden to
// this user: only if all do, everywhere, this is about the credential.
func whyUnreached(answers map[int]bool, gap string, secured, everywhere bool) string {
	statuses := slices.Sorted(maps.Keys(answers))
	only := func(allowed ...int) bool {
		return !slices.ContainsFunc(statuses, func(s int) bool { return !slices.Contains(allowed, s) })
	}
	switch {
	case len(statuses) == 0 && gap != "":
		return gap
	case len(statuses) == 0:
		return "the run has no fixture for it"
	case only(0):
		return "no request got a response"
	case answers[http.StatusNotFound] && only(0, http.StatusNotFound, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity):
		return "the requests got 404: they need the id of something that exists, or another base URL"
	case !only(0, http.StatusUnauthorized, http.StatusForbidden):
	case !secured && answers[http.StatusUnauthorized]:
		return "the requests got 401: the document names no security for it, so no token was sent; --header can send an Authorization"
	case secured && (everywhere || answers[http.StatusUnauthorized]):
		return "the credential was refused"
	}
	words := make([]string, 0, len(statuses))
	for _, s := range statuses {
		if s != 0 {
			words = append(words, strconv.Itoa(s))
		}
	}
	return fmt.Sprintf("no request was accepted (%s)", strings.Join(words, ", "))
}

// String says how much in one sentence: "reached 41 of 60 operations, 212 of 260
// must-clauses".
func (r Reached) String() string {
	return fmt.Sprintf("reached %d of %s, %d of %s", r.Operations.Reached, Number(r.Operations.Of, "operation"), r.MustClauses.Reached, Number(r.MustClauses.Of, "must-clause"))
}
