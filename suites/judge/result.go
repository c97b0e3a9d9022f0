package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
)

// Severity says how serious a finding is.
type Severity string

// The severities. Only a violation fails a run.
const (
	Violation   Severity = "violation"
	Warning     Severity = "warning"
	Observation Severity = "observation"
)

// Finding is what an exchange shows about a clause, with the severity and the evidence.
type Finding struct {
	Clause   spec.ClauseID `json:"clause"`
	Severity Severity      `json:"severity"`
	Message  string        `json:"message"` // what is wrong, in one sentence
	Pointer  string        `json:"pointer"` // JSON pointer into the response body, if the place is in it
	Expected string        `json:"expected"`
	Actual   string        `json:"actual"`
	Offset   int64         `json:"offset"`           // in the response body, in bytes; -1 if there is none
	Waived   string        `json:"waived,omitempty"` // why the violation is accepted for now, by whom and until when; "" if it is not waived
}

// WaivedViolation is the [Finding.Kind] of a violation that is waived.
const WaivedViolation = Severity(Waived)

// Kind returns the severity of a finding, or [WaivedViolation] if it is waived.
func (f Finding) Kind() Severity {
	if f.Waived != "" {
		return WaivedViolation
	}
	return f.Severity
}

// Status is the outcome of one fixture.
type Status string

// The statuses of a result.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"   // with a violation
	Waived   Status = "waived"   // with violations that are all waived
	Warned   Status = "warned"   // with a warning and no violation
	Unjudged Status = "unjudged" // the exchange says nothing about the service
)

// Judged is an exchange with its outcome.
type Judged struct {
	Exchange replay.Exchange
	Outcome
}

// Outcome is what one result adds to the verdict, and the description of its request.
type Outcome struct {
	Fixture    string               `json:"fixture"` // id
	Place      int                  `json:"place"`   // in the order of the whole run, from 0
	Title      string               `json:"title"`
	Operation  string               `json:"operation"` // operationId
	Clause     spec.ClauseID        `json:"clause"`    // that the fixture tests
	Expect     fixtures.Expectation `json:"expect"`
	Level      spec.Level           `json:"level"`
	Credential bool                 `json:"credential"`        // the request has the target's own credential, and its clause is not about credentials
	Schemes    []string             `json:"schemes,omitempty"` // the security schemes of that credential, if the contract has several
	Source     string               `json:"source"`            // file and line of the fixture
	Status     Status               `json:"status"`
	Reason     string               `json:"reason,omitempty"`   // why it is unjudged
	Excused    bool                 `json:"excused,omitempty"`  // unjudged for a reason that the contract permits: the run can still be conformant
	Requests   int                  `json:"requests,omitempty"` // how many requests the fixture sends, if several
	Further    bool                 `json:"further,omitempty"`  // a quick run does not send the fixture
	Beside     string               `json:"beside,omitempty"`   // id of the companion whose exchange is shown: its request was sent at the same moment or directly before, and only it has a violation
	Derived    bool                 `json:"derived,omitempty"`  // the fixture was derived from the contract
	Control    string               `json:"control,omitempty"`  // id of the fixture that must be accepted for this rejection to be evidence; "" if there is none
	AnyOf      string               `json:"anyOf,omitempty"`    // a name: at least one of the operation's outcomes with this name must be an acceptance; "" if there is none
	Unless     []string             `json:"unless,omitempty"`   // ids of fixtures: if one is accepted, a refusal of this one is not a violation
	Replies    []Reply              `json:"replies,omitempty"`  // the complete responses to its tries; none if their times are unknown
	Tries      int                  `json:"tries,omitempty"`    // how often the run tried the fixture; 0 if once
	Alike      int                  `json:"alike,omitempty"`    // how many tries have the same status as this outcome; 0 if all
	Findings   []Finding            `json:"findings"`
	Exercised  []spec.ClauseID      `json:"exercised"` // the clauses that the exchange could have broken, or answers

	Told          bool     `json:"told,omitempty"`          // the description of the operation says that requests are rejected with this status
	AcceptedSteps []string `json:"acceptedSteps,omitempty"` // the operations of the other requests of the fixture that were accepted

	Answer      int    `json:"-"` // status of the complete response; 0 if there is none
	ServerError string `json:"-"` // description of a 5xx response, see [ServerError]
}

// Alone is what a result shows by itself, if the comparison with the other results changed it.
type Alone struct {
	Status    Status          `json:"status"`
	Findings  []Finding       `json:"findings"`
	Exercised []spec.ClauseID `json:"exercised"`
}

// Reply is a complete response to one try of a fixture.
type Reply struct {
	Sent   time.Time `json:"sent"`  // when the request was sent
	Ended  time.Time `json:"ended"` // when the response was complete
	Status int       `json:"status"`
}

// IsAcceptance reports whether the status accepts the request. 304 says nothing about the request
// (RFC 9110 §15.4.5).
func (r Reply) IsAcceptance() bool {
	return r.Status >= 200 && r.Status < 400 && r.Status != http.StatusNotModified
}

// IsRefusal reports whether the status may refuse the caller for any request: because of the
// credential, a quota or a payment (RFC 9110 §15.5.2 to §15.5.4).
func (r Reply) IsRefusal() bool {
	return slices.Contains([]int{http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden}, r.Status)
}

// StatusOf returns the status of a fixture with these findings.
func StatusOf(findings []Finding) Status {
	s := Passed
	for _, f := range findings {
		switch {
		case f.Severity == Violation && f.Waived == "":
			return Failed
		case f.Severity == Violation:
			s = Waived
		case f.Severity == Warning && s == Passed:
			s = Warned
		}
	}
	return s
}

// Tries combines the results of several tries of one fixture. It returns the first of the worst
// ones, with the findings of the others added. If tries differ, a finding says in how many tries it
// was made, because a service behind a balancer may have one broken instance.
func Tries(results []Judged) Judged {
	worst := slices.MaxFunc(results, func(a, b Judged) int { return cmp.Compare(weight(a.Status), weight(b.Status)) })
	if len(results) == 1 {
		return worst
	}
	worst.Tries, worst.Alike, worst.Replies = len(results), 0, nil
	for _, r := range results {
		worst.Replies = append(worst.Replies, r.Replies...)
		if r.Status == worst.Status {
			worst.Alike++
		}
	}
	if worst.Alike == worst.Tries {
		worst.Alike = 0
	}
	if worst.Status != Unjudged {
		worst.addAll(results)
	}
	return worst
}

// weight orders statuses: no other try can disprove what one shows.
func weight(s Status) int { return map[Status]int{Failed: 3, Waived: 3, Unjudged: 2, Warned: 1}[s] }

// addAll adds the findings and clauses of all tries.
func (o *Outcome) addAll(results []Judged) {
	o.Findings, o.Exercised = slices.Clone(o.Findings), slices.Clone(o.Exercised)
	for _, r := range results {
		for _, f := range r.Findings {
			if !slices.ContainsFunc(o.Findings, f.same) {
				f.Offset = -1 // its response is not shown
				o.Findings = append(o.Findings, f)
			}
		}
		for _, clause := range r.Exercised {
			o.exercise(clause)
		}
	}
	for i, f := range o.Findings {
		n := lists.Count(results, func(r Judged) bool { return slices.ContainsFunc(r.Findings, f.same) })
		if n < len(results) && f.Severity != Observation {
			o.Findings[i].Actual += fmt.Sprintf(" (in %d of %d tries)", n, len(results))
		}
	}
}

func (o *Outcome) exercise(clause spec.ClauseID) {
	if !slices.Contains(o.Exercised, clause) {
		o.Exercised = append(o.Exercised, clause)
	}
}

// same reports whether two tries found the same. Different answers to an open question differ.
func (f Finding) same(other Finding) bool {
	return f.Clause == other.Clause && f.Severity == other.Severity && f.Message == other.Message && f.Pointer == other.Pointer &&
		(f.Severity != Observation || f.Actual == other.Actual)
}
