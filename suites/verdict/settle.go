package verdict

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// settleRejections removes what a rejection only seems to show. A rejection is evidence for the one
// fault in the request only if the service accepts its control, the same request without the fault.
// So a service that answers 404 or 401 to everything passes no clause.
func settleRejections(outcomes, controls []judge.Outcome) []judge.Outcome {
	byID := make(map[string]*judge.Outcome, len(outcomes)+len(controls))
	general := map[string]*judge.Outcome{} // by operation: a request that must be accepted, if possible one that was accepted
	all := slices.Concat(controls, outcomes)
	for i := range all {
		o := &all[i]
		if known := byID[o.Fixture]; known == nil || !isAccepted(*known) {
			byID[o.Fixture] = o
		}
		if known := general[o.Operation]; o.Expect == fixtures.Accepted && !o.Derived && (known == nil || !isAccepted(*known)) {
			general[o.Operation] = o
		}
	}
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		control, known := controlOf(o, byID, len(byID)), general[o.Operation]
		if o.Control == "" {
			control = known
		}
		o = Settle(o, control)
		if o.Excused && known != nil && !isAccepted(*known) {
			o.Excused = false // the service accepts no valid request
			o.Reason = refusedWrongly(*control)
		}
		return o
	})
}

// controlOf returns the control of an outcome, settled against its own control. most limits the
// length of this chain.
func controlOf(o judge.Outcome, byID map[string]*judge.Outcome, most int) *judge.Outcome {
	control := byID[o.Control]
	if control == nil || control.Control == "" || most == 0 {
		return control
	}
	settled := Settle(*control, controlOf(*control, byID, most-1))
	return &settled
}

// Settle compares the outcome of a rejection with that of its control, which is nil if it was not
// sent. If the control was not accepted, a rejection without a violation is unjudged. It is excused
// if the contract permits the service to refuse the control: its expectation is either, or it only
// should be accepted. A request that must be accepted may have a control too: its refusal shows
// nothing if the control is refused.
func Settle(o judge.Outcome, control *judge.Outcome) judge.Outcome {
	if showsNothing(o) {
		o.Status, o.Excused, o.Reason = judge.Unjudged, true, ShowsNothing
	}
	held := o.Expect == fixtures.Rejected || o.Expect == fixtures.Accepted && o.Control != ""
	if !held || isAccepted(o) || o.Answer == 0 || control != nil && isAccepted(*control) {
		return o
	}
	o = without(o, o.Clause)
	if o.Status == judge.Failed || o.Status == judge.Unjudged {
		return o
	}
	o.Status = judge.Unjudged
	switch {
	case control == nil:
		o.Reason = nothingAccepted
	case control.Answer == 0 && control.Reason != "":
		o.Excused = control.Excused // the control was not sent
		o.Reason = fmt.Sprintf(nothingAccepted+": %s: %s", control.Fixture, control.Reason)
	case control.Answer == 0:
		o.Reason = fmt.Sprintf(nothingAccepted+": %s got no answer", control.Fixture)
	case control.Status == judge.Passed || control.Status == judge.Warned || control.Excused:
		o.Excused, o.Reason = true, refusedFreely(*control)
	case control.Status == judge.Unjudged && control.Reason != "":
		o.Reason = control.Reason
	default:
		o.Reason = refusedWrongly(*control)
	}
	return o
}

// ShowsNothing is the reason of a derived result whose responses show nothing about its clause on
// stored data, such as a list that never showed the entry that was deleted.
const ShowsNothing = "the responses show nothing about what the fixture tests"

func showsNothing(o judge.Outcome) bool {
	return o.Derived && o.Status == judge.Passed && o.Clause.State() != "" && !slices.Contains(o.Exercised, o.Clause) &&
		!slices.ContainsFunc(o.Findings, func(f judge.Finding) bool { return f.Clause == o.Clause })
}

const nothingAccepted = "the valid request (control) was not accepted"

func refusedWrongly(control judge.Outcome) string {
	return fmt.Sprintf(nothingAccepted+": %s got %d", control.Fixture, control.Answer)
}

func refusedFreely(control judge.Outcome) string {
	return fmt.Sprintf("the service also rejects the valid request; the run cannot tell whether it may (%s got %d)", control.Fixture, control.Answer)
}

// settleRules turns refusals of valid requests into warnings if the service may have a rule that is
// not in the contract. It excuses fixtures whose control is such a request.
func settleRules(outcomes, controls []judge.Outcome) []judge.Outcome {
	all := slices.Concat(outcomes, controls)
	settled := settleUnless(settleReasons(all))
	permitted := map[string]string{} // reasons, by the reason that calls the refusal a violation
	for i, o := range settled {
		if all[i].Status == judge.Failed && o.Status != judge.Failed {
			permitted[refusedWrongly(o)] = refusedFreely(o)
		}
	}
	return lists.Map(settled[:len(outcomes)], func(o judge.Outcome) judge.Outcome {
		if reason := permitted[o.Reason]; o.Status == judge.Unjudged && reason != "" {
			o.Excused, o.Reason = true, reason
		}
		return o
	})
}

// isAccepted reports whether the request was accepted. If it is unjudged, one accepted try is
// enough: later ones may have come after a lockout.
func isAccepted(o judge.Outcome) bool {
	return (judge.Reply{Status: o.Answer}).IsAcceptance() || o.Status == judge.Unjudged && wasAccepted(o)
}

// wasAccepted reports whether the request was accepted in one of its tries.
func wasAccepted(o judge.Outcome) bool {
	return slices.ContainsFunc(o.Replies, judge.Reply.IsAcceptance)
}

// minFaults is how many faults an operation must answer with one status to show that this is its
// usual status for them.
const minFaults = 3

// settleReasons examines derived valid requests that the service refuses. A schema cannot express every rule of
// a service, such as one about two values together. If a service answers all faults in values with 422, but
// refuses a valid request with 400, or the other way round, it sees another reason (RFC 9110 §15.5.1 and
// §15.5.21). It is unknown whether this breaks the contract, so users
// get a warning, unless the description of the operation has such a rule.
func settleReasons(outcomes []judge.Outcome) []judge.Outcome {
	faults := answersToFaults(outcomes)
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		usual := map[int]int{http.StatusBadRequest: http.StatusUnprocessableEntity, http.StatusUnprocessableEntity: http.StatusBadRequest}[o.Answer]
		if !o.Derived || o.Expect != fixtures.Accepted || o.Status != judge.Failed || faults[answer{o.Operation, o.Answer}] > 0 || faults[answer{o.Operation, usual}] < minFaults {
			return o
		}
		says := fmt.Sprintf(" with %d, though faults in values get %d: ", o.Answer, usual)
		if o.Told {
			return eased(o, judge.Observation, says+"the description of the operation has a rule with this status")
		}
		return eased(o, judge.Warning, says+"the service may have a rule that the contract does not tell")
	})
}

type answer struct {
	operation string
	status    int
}

// answersToFaults counts how often an operation answers a fault in a value with each status.
func answersToFaults(outcomes []judge.Outcome) map[answer]int {
	return lists.Tally(lists.Filter(outcomes, isFault), func(o judge.Outcome) answer { return answer{o.Operation, o.Answer} })
}

func isFault(o judge.Outcome) bool {
	return o.Expect == fixtures.Rejected && o.Status != judge.Unjudged && o.Clause.OnValue()
}

// settleConflicts examines faults in one value that get 409, though those in other values get 400 or 422. 409
// means a conflict with existing data (RFC 9110 §15.5.10), so the service has not seen the fault. It may take a
// missing id as 0, and create that resource if it does not exist. If faults in several values get 409, the
// conflict may be about a valid value. JSON:API requires 409 if the type or the id of a resource does not fit
// the place (JSON:API 1.1, Creating and Updating Resources).
func settleConflicts(outcomes []judge.Outcome, severity judge.Severity) []judge.Outcome {
	faults := answersToFaults(outcomes)
	isConflict := func(o judge.Outcome) bool {
		return isFault(o) && o.Answer == http.StatusConflict && !ofResource.MatchString(string(o.Clause))
	}
	conflicts := lists.Tally(lists.Filter(outcomes, isConflict), func(o judge.Outcome) spec.ClauseID { return o.Clause })
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		usual := http.StatusBadRequest
		if faults[answer{o.Operation, http.StatusUnprocessableEntity}] > faults[answer{o.Operation, usual}] {
			usual = http.StatusUnprocessableEntity
		}
		const most = 0.8 // the part of an operation's conflicts that must be about this value
		if !isConflict(o) || float64(conflicts[o.Clause]) < most*float64(faults[answer{o.Operation, o.Answer}]) || faults[answer{o.Operation, usual}] < minFaults {
			return o
		}
		o = without(o, o.Clause)
		o.Findings = append(o.Findings, judge.Finding{
			Clause: o.Clause, Severity: severity, Message: fmt.Sprintf("this says that the request conflicts with something that is there, though other faults get %d: the service may have taken the request for a valid one", usual),
			Expected: fmt.Sprintf("a rejection of the fault, such as %d", usual), Actual: strconv.Itoa(o.Answer), Offset: -1,
		})
		o.Status = judge.StatusOf(o.Findings)
		return o
	})
}

// ofResource matches the clauses about the type and the id of a JSON:API resource.
var ofResource = regexp.MustCompile(`/request/body/data/(type|id)$`)

// settleAnyOf settles the refusals in groups of requests. The service must accept at least one of a
// group: it may support only some values of a property. If one is accepted, the refusals show
// nothing. If all are refused, and the run has all of them, the first is a violation.
func settleAnyOf(outcomes []judge.Outcome, all bool) []judge.Outcome {
	groups := map[string][]int{}
	for i, o := range outcomes {
		if o.AnyOf != "" && o.Status != judge.Unjudged {
			group := o.Operation + "/" + o.AnyOf
			groups[group] = append(groups[group], i)
		}
	}
	settled := slices.Clone(outcomes)
	for _, group := range groups {
		some := slices.ContainsFunc(group, func(i int) bool { return isAccepted(outcomes[i]) })
		for _, i := range group {
			switch o := outcomes[i]; {
			case isAccepted(o):
			case some:
				settled[i] = without(o, o.Clause)
			case all && i == group[0]:
				settled[i] = altered(o, o.Clause, func(f *judge.Finding) {
					f.Severity, f.Message = judge.Violation, f.Message+", and so are all others of its kind"
					f.Expected = fmt.Sprintf("%s, to at least one of %d such requests: all are rejected", f.Expected, len(group))
				})
			}
		}
	}
	return settled
}

// settleBounds examines valid values at a bound, or within it, that get 413 (RFC 9110 §15.5.14). A service may
// limit how much it reads. But if it accepts the other value of the pair, its bound is not that of the contract.
func settleBounds(outcomes []judge.Outcome) []judge.Outcome {
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		if o.Answer != http.StatusRequestEntityTooLarge || !o.Derived || o.Expect != fixtures.Accepted || o.Level != spec.Must || o.Status == judge.Unjudged {
			return o
		}
		bound := fixtures.Bound(o.Fixture)
		at := slices.IndexFunc(outcomes, func(other judge.Outcome) bool { return fixtures.Bound(other.Fixture) == bound && isAccepted(other) })
		if bound == o.Fixture || at < 0 {
			return o
		}
		exercised := slices.Clone(o.Exercised)
		o = altered(o, spec.ClauseIDs(o.Operation).Accepts(), func(f *judge.Finding) {
			if f.Severity == judge.Observation {
				f.Severity, f.Message = judge.Violation, "a valid request is rejected as too large, though "+outcomes[at].Fixture+" is accepted"
				exercised = append(exercised, f.Clause)
			}
		})
		o.Exercised = exercised
		return o
	})
}

// settleMinimum warns about a plainest request that is refused, if the service accepts only those requests that differ
// from it in one number, which is the minimum there. It may still be a rule across values.
func settleMinimum(outcomes []judge.Outcome) []judge.Outcome {
	accepted := map[string][]string{} // valid requests, by their control
	for _, o := range outcomes {
		if o.Derived && o.Expect == fixtures.Accepted && o.Control != "" && isAccepted(o) {
			accepted[o.Control] = append(accepted[o.Control], o.Fixture)
		}
	}
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		all := accepted[o.Fixture]
		at := slices.IndexFunc(all, func(id string) bool { return strings.HasSuffix(id, insideMinimum) })
		if at < 0 || o.Answer != http.StatusBadRequest && o.Answer != http.StatusUnprocessableEntity || o.Status == judge.Unjudged {
			return o
		}
		place := strings.TrimSuffix(all[at], insideMinimum) + "."
		if slices.ContainsFunc(all, func(id string) bool { return !strings.HasPrefix(id, place) }) {
			return o
		}
		o.Findings = append(slices.Clone(o.Findings), judge.Finding{
			Clause: spec.ClauseIDs(o.Operation).Accepts(), Severity: judge.Warning, Message: "a value at its minimum is rejected, though " + all[at] + " is accepted",
			Expected: "acceptance of the minimum", Actual: strconv.Itoa(o.Answer), Offset: -1,
		})
		return judgedAnew(o)
	})
}

const insideMinimum = ".minimum.inside"

// settleUnless turns the refusal of a valid value into a warning if the service accepts it with
// other values. The service may have a rule across values that a schema cannot express, such as
// that percentages are 100 at most. It is unknown whether this breaks the contract.
func settleUnless(outcomes []judge.Outcome) []judge.Outcome {
	accepted := map[string]bool{}
	for _, o := range outcomes {
		accepted[o.Fixture] = accepted[o.Fixture] || isAccepted(o)
	}
	return lists.Map(outcomes, func(o judge.Outcome) judge.Outcome {
		if at := slices.IndexFunc(o.Unless, func(id string) bool { return accepted[id] }); at >= 0 && o.Answer/100 == 4 {
			return eased(o, judge.Warning, fmt.Sprintf(", though %s is accepted: the service may have a rule across values that the contract does not tell", o.Unless[at]))
		}
		return o
	})
}

// eased returns the outcome with a lower severity of the violation that a valid request is rejected. It adds words to
// the message.
func eased(o judge.Outcome, severity judge.Severity, words string) judge.Outcome {
	return altered(o, spec.ClauseIDs(o.Operation).Accepts(), func(f *judge.Finding) {
		if f.Severity == judge.Violation {
			f.Severity, f.Message = severity, f.Message+words
		}
	})
}

// altered returns the outcome with changed findings of a clause.
func altered(o judge.Outcome, clause spec.ClauseID, change func(f *judge.Finding)) judge.Outcome {
	o.Findings = slices.Clone(o.Findings)
	for i := range o.Findings {
		if f := &o.Findings[i]; f.Clause == clause {
			change(f)
		}
	}
	return judgedAnew(o)
}

// withoutEvidence returns the outcome without what a refusal of the credential can explain. It is
// unjudged for this reason, unless it shows another violation.
func withoutEvidence(o judge.Outcome, reason string) judge.Outcome {
	o = without(o, spec.ClauseIDs(o.Operation).Accepts(), o.Clause)
	if o.Status = judge.StatusOf(o.Findings); o.Status != judge.Failed {
		o.Excused = false
		o.Status, o.Reason = judge.Unjudged, reason
	}
	return o
}

// without returns the outcome as if it had not tested these clauses.
func without(o judge.Outcome, clauses ...spec.ClauseID) judge.Outcome {
	o.Findings = slices.DeleteFunc(slices.Clone(o.Findings), func(f judge.Finding) bool { return slices.Contains(clauses, f.Clause) })
	o.Exercised = slices.DeleteFunc(slices.Clone(o.Exercised), func(id spec.ClauseID) bool { return slices.Contains(clauses, id) })
	return judgedAnew(o)
}

// judgedAnew returns the outcome with the status of its findings, unless it is unjudged.
func judgedAnew(o judge.Outcome) judge.Outcome {
	if o.Status != judge.Unjudged {
		o.Status = judge.StatusOf(o.Findings)
	}
	return o
}
