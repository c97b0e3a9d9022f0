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

// settleCredential finds out whether the service refused a credential itself: every request that
// needs it got 401 or 403. The service may be right, so these exchanges say nothing about the
// clauses that they test. They become unjudged, unless they violate another clause. Each
// combination of security schemes is settled by itself. refused reports that a credential was
// refused and that none was accepted.
func settleCredential(outcomes, controls []judge.Outcome) (settled []judge.Outcome, refused bool) {
	all := slices.Concat(outcomes, controls)
	accepted := false
	for schemes := range lists.Set(all, schemesOf) {
		places := carriers(all, fixtures.Accepted, schemes)
		if len(places) == 0 {
			// Without a request that must be accepted, a rejection because of the credential would
			// look like the expected one.
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

// schemesOf returns the combination of security schemes whose credentials were sent.
func schemesOf(o judge.Outcome) string { return strings.Join(o.Schemes, " and ") }

// carriers returns the indexes of the outcomes that show whether the service accepts the target's
// own credential. An incomplete response is one of them: it is not a refusal.
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

// lockout describes a service that stops accepting the caller during a run.
type lockout struct {
	schemes    string          // of the credential
	anonymous  bool            // no request of the run has a credential
	operations map[string]bool // those that need the credential; true if a request was refused after last
	last       time.Time       // when the last request was sent that shows that the service accepts the caller
	accepted   int             // accepted requests, without those that must be rejected
	refused    []int           // the statuses of the valid requests that were refused after last
}

// minRefused is how many valid requests must be refused at the end of a run to blame the
// credential, and not these requests.
const minRefused = 5

// settleLockout looks for a time after which the service refuses every valid request, though it
// accepted the same credential, or a caller without any, before. A token may expire, a quota may be
// used up, or the service may lock out a caller that sends many invalid requests. The contract does
// not forbid that. Nothing sent later is evidence: neither a refusal of a valid request, nor a
// rejection, which then has no accepted control. If a request was under way when the last accepted
// one was sent, it is earlier only if its response was complete by then.
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
			failed := r.Status >= http.StatusInternalServerError // a 5xx says nothing about the credential
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

// isSince reports whether a response was complete only after the last accepted request was sent,
// and may come from a lockout.
func (l lockout) isSince(o judge.Outcome, r judge.Reply) bool {
	return r.Ended.After(l.last) && (r.IsRefusal() || o.Expect == fixtures.Rejected && !r.IsAcceptance())
}

// settle returns the outcome without what a lockout can explain.
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

// inWords returns the statuses as texts, sorted and each once.
func inWords(statuses []int) []string {
	return lists.Map(slices.Compact(slices.Sorted(slices.Values(statuses))), strconv.Itoa)
}
