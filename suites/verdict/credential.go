package verdict

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// settleCredential finds out whether a credential itself was refused: every request
// that should get past it was answered with 401 or 403. The service may be right to
// do so, and then these exchanges say nothing about the clauses they were meant for.
// They become unjudged, unless they broke another clause. Each combination of security
// schemes is settled by itself; refused says that none was accepted.
func settleCredential(outcomes, controls []judge.Outcome) (settled []judge.Outcome, refused bool) {
	all := slices.Concat(outcomes, controls)
	accepted := false
	for schemes := range lists.Set(all, schemesOf) {
		places := carriers(all, fixtures.Accepted, schemes)
		if len(places) == 0 {
			// With no request that must be accepted, a rejection because of the
			// credential would pass for the one that was asked for.
			places = carriers(outcomes, fixtures.Rejected, schemes)
		}
		isOther := slices.ContainsFunc(places, func(i int) bool { return !refusesCredential(all[i]) })
		accepted = accepted || isOther
		if len(places) == 0 || isOther {
			continue
		}
		refused = true
		subject := strings.TrimSuffix("the credential for "+schemes, " for ")
		for _, i := range places {
			all[i] = withoutEvidence(all[i], fmt.Sprintf("%s was refused with %d", subject, all[i].Answer))
		}
	}
	return all[:len(outcomes)], refused && !accepted
}

// schemesOf is the combination of security schemes whose credentials were sent.
func schemesOf(o judge.Outcome) string { return strings.Join(o.Schemes, " and ") }

// carriers are the places of the outcomes that show what became of the
// target's own credential, where the contract wants it: of an answer, or of one
// that broke off, which is no refusal.
func carriers(outcomes []judge.Outcome, expect fixtures.Expectation, schemes string) []int {
	var places []int
	for i, o := range outcomes {
		if (o.Answer != 0 || o.Status == judge.Failed) && o.Expect == expect && o.Credential && schemesOf(o) == schemes {
			places = append(places, i)
		}
	}
	return places
}

func refusesCredential(o judge.Outcome) bool {
	return (o.Answer == http.StatusUnauthorized || o.Answer == http.StatusForbidden) && !wasAccepted(o)
}

// lockout is what a run shows of a service that stops accepting the caller.
type lockout struct {
	schemes    string          // of the credential
	anonymous  bool            // no request of the run has one
	operations map[string]bool // that need the credential; true if a request was refused since
	last       time.Time       // when the last request was sent that shows the service accepting the caller
	accepted   int             // requests, but for those that must be rejected
	refused    []int           // the statuses that valid requests got since
}

// minRefused is how many valid requests must be refused until the end of a run to blame the
// credential, and not these requests.
const minRefused = 5

// settleLockout looks for a point in time from which on the service refuses every valid request,
// though it accepted the same credential, or a caller without any, before. A token may expire, a quota may be used up, or the
// service may lock out a caller that sends many invalid requests. The contract does not forbid that,
// and nothing sent later is evidence: neither a refusal of a valid request nor a rejection, which has
// no accepted control then. A request that was on its way when the last one was accepted counts to
// the time before only if its response was complete by then.
func settleLockout(outcomes, controls []judge.Outcome) (settled, settledControls []judge.Outcome) {
	all := slices.Concat(outcomes, controls)
	for schemes := range lists.Set(all, schemesOf) {
		l := lockoutOf(schemes, slices.Clone(all))
		if l.accepted == 0 || len(l.refused) < minRefused || slices.Contains(slices.Collect(maps.Values(l.operations)), false) {
			continue
		}
		all = lists.Map(all, l.settle)
	}
	return all[:len(outcomes)], all[len(outcomes):]
}

func lockoutOf(schemes string, outcomes []judge.Outcome) lockout {
	l := lockout{schemes: schemes, operations: map[string]bool{}}
	l.anonymous = !slices.ContainsFunc(outcomes, func(o judge.Outcome) bool { return o.Credential })
	outcomes = slices.DeleteFunc(outcomes, func(o judge.Outcome) bool { return !o.Credential && !l.anonymous || schemesOf(o) != schemes })
	for _, o := range outcomes {
		for _, r := range o.Replies {
			if r.IsAcceptance() && o.Expect != fixtures.Rejected {
				l.accepted++
			}
			failed := r.Status >= http.StatusInternalServerError // which says nothing about the credential
			if (r.IsAcceptance() || o.Expect == fixtures.Accepted && !r.IsRefusal() && !failed) && r.Sent.After(l.last) {
				l.last = r.Sent
			}
		}
	}
	for _, o := range outcomes {
		for _, r := range o.Replies {
			refused := r.IsRefusal() && l.isSince(o, r)
			l.operations[o.Operation] = l.operations[o.Operation] || refused
			if refused && o.Expect == fixtures.Accepted {
				l.refused = append(l.refused, r.Status)
			}
		}
	}
	return l
}

// isSince reports whether a reply came after the last request was sent that the service accepted, and
// can follow from that.
func (l lockout) isSince(o judge.Outcome, r judge.Reply) bool {
	return r.Ended.After(l.last) && (r.IsRefusal() || o.Expect == fixtures.Rejected && !r.IsAcceptance())
}

// settle is the outcome without what it only seems to show.
func (l lockout) settle(o judge.Outcome) judge.Outcome {
	before := slices.DeleteFunc(slices.Clone(o.Replies), func(r judge.Reply) bool { return l.isSince(o, r) })
	isRejection := func(r judge.Reply) bool { return !r.IsAcceptance() }
	switch _, needsCredential := l.operations[o.Operation]; {
	case !needsCredential || schemesOf(o) != l.schemes || len(before) == len(o.Replies),
		!o.Credential && !l.anonymous && o.Expect != fixtures.Rejected:
		return o
	case o.Expect == fixtures.Accepted && !slices.ContainsFunc(before, isRejection):
	case len(before) > 0:
		return o
	}
	why := "the token may have expired, a quota may be used up, or the caller may be locked out"
	if l.anonymous {
		why = "a quota may be used up, or the caller may be locked out"
	}
	return withoutEvidence(o, fmt.Sprintf("the service accepted %s and then refused all %d valid ones with %s: %s",
		judge.Number(l.accepted, "request"), len(l.refused), strings.Join(inWords(l.refused), " or "), why))
}

// inWords are statuses as texts, each once and in their order.
func inWords(statuses []int) []string {
	return lists.Map(slices.Compact(slices.Sorted(slices.Values(statuses))), strconv.Itoa)
}
