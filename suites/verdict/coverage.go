package verdict

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
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// ClauseStatus is the outcome of one clause over a run.
type ClauseStatus string

// The statuses of a clause.
const (
	ClausePassed      ClauseStatus = "passed"      // exercised, without a violation or warning
	ClauseFailed      ClauseStatus = "failed"      // with a violation
	ClauseWaived      ClauseStatus = "waived"      // with violations that are all waived
	ClauseWarned      ClauseStatus = "warned"      // with a warning and no violation
	ClauseVacuous     ClauseStatus = "vacuous"     // its condition never arose
	ClauseUnexercised ClauseStatus = "unexercised" // no selected fixture could have reached it
)

// Clause is a clause of the contract, its outcome and the fixtures that exercised
// it.
type Clause struct {
	ID       spec.ClauseID `json:"id"`
	Level    spec.Level    `json:"level"`
	Section  string        `json:"section"`
	Text     string        `json:"text"`
	Status   ClauseStatus  `json:"status"`
	Fixtures []string      `json:"fixtures"`         // ids, in the order of the outcomes
	Source   string        `json:"source,omitempty"` // file and line of the contract, if it states the clause
}

// Clauses returns the clauses of a contract as they are before a run. The file is the name of the
// contract's document, or "".
func Clauses(clauses []spec.Clause, file string) []Clause {
	return lists.Map(clauses, func(c spec.Clause) Clause {
		clause := Clause{ID: c.ID, Level: c.Level, Section: c.Section, Text: c.Text, Status: ClauseUnexercised, Fixtures: []string{}}
		if c.Line > 0 && file != "" {
			clause.Source = cmp.Or(c.File, file) + ":" + strconv.Itoa(c.Line)
		}
		return clause
	})
}

// ClauseNamed returns the clause with that id, or the zero Clause if the list does not have it.
func ClauseNamed(list []Clause, id spec.ClauseID) Clause {
	clause, _ := lists.First(list, func(c Clause) bool { return c.ID == id })
	return clause
}

func judgedClauses(clauses []Clause, outcomes []judge.Outcome) []Clause {
	exercised := map[spec.ClauseID][]string{}
	findings := map[spec.ClauseID][]judge.Finding{}
	selected := map[string]bool{} // operations and clauses that fixtures were selected for
	for _, o := range outcomes {
		selected[o.Operation] = true
		selected[string(o.Clause)] = true
		for _, clause := range o.Exercised {
			exercised[clause] = append(exercised[clause], o.Fixture)
		}
		for _, f := range o.Findings {
			findings[f.Clause] = append(findings[f.Clause], f)
		}
	}
	return lists.Map(clauses, func(c Clause) Clause {
		id := c.ID
		c.Fixtures = append([]string{}, exercised[c.ID]...)
		reachable := selected[string(id)] || selected[id.Operation()] && (id.Status() != "" || id.IsAnswers()) || asked(c, selected)
		switch worst := judge.StatusOf(findings[c.ID]); {
		case worst != judge.Passed:
			c.Status = ClauseStatus(worst)
		case len(c.Fixtures) > 0:
			c.Status = ClausePassed
		case reachable:
			c.Status = ClauseVacuous
		default:
			c.Status = ClauseUnexercised
		}
		return c
	})
}

// coverage counts how much of the contract a run has tested. A must-clause is
// tested when an exchange exercised it, whatever the outcome.
type coverage struct {
	musts  int
	tested int
	passed int // tested, without a violation
	waived int // clauses of any level whose violations are all waived
	warned int // clauses of any level with a warning and no violation
}

func (s Summary) coverage() coverage {
	status := func(c Clause) ClauseStatus { return c.Status }
	musts := lists.Filter(s.Clauses, func(c Clause) bool { return c.Level == spec.Must })
	all, must := lists.Tally(s.Clauses, status), lists.Tally(musts, status)
	passed := must[ClausePassed] + must[ClauseWarned]
	return coverage{musts: len(musts), tested: passed + must[ClauseFailed] + must[ClauseWaived], passed: passed, waived: all[ClauseWaived], warned: all[ClauseWarned]}
}

// percent returns the percentage of the must-clauses that were tested. Without must-clauses, it is 100.
func (c coverage) percent() float64 {
	if c.musts == 0 {
		return 100
	}
	return 100 * float64(c.tested) / float64(c.musts)
}

// headline returns the verdict as text for people. If it is conformant, it says what is not covered.
func (c coverage) headline(v Verdict, subject string) string {
	text := string(v)
	if subject != "" {
		text = subject + " is " + text
	}
	if v != Conformant {
		return text
	}
	waived := judge.Number(c.waived, "waived clause")
	switch {
	case c.tested < c.musts && c.waived > 0:
		text += fmt.Sprintf(" in %d of %d must-clauses, with %s", c.passed, c.musts, waived)
	case c.tested < c.musts:
		text += fmt.Sprintf(" in %d of %d must-clauses", c.passed, c.musts)
	case c.waived > 0:
		text += " but for " + waived
	}
	return text
}

// evidence returns the reason of a conformant verdict.
func (c coverage) evidence(all, waived, excused int) string {
	judged := fmt.Sprintf("all %d fixtures were judged, none found a violation", all)
	if excused > 0 {
		judged = fmt.Sprintf("%d of %d fixtures were judged, none found a violation", all-excused, all)
	}
	if all == 1 {
		judged = "one fixture was judged and found no violation"
	}
	var others []string
	if waived > 0 {
		judged += fmt.Sprintf(" that is not waived (%d found a waived one)", waived)
		others = append(others, judge.Number(c.waived, "clause")+" waived")
	}
	if c.warned > 0 {
		others = append(others, judge.Number(c.warned, "clause")+" with warnings")
	}
	if excused > 0 {
		others = append(others, judge.Number(excused, "fixture")+" skipped")
	}
	if untested := c.musts - c.tested; untested > 0 {
		others = append(others, fmt.Sprintf("%d not tested", untested))
	}
	text := fmt.Sprintf("%s, and %d of %d must-clauses passed", judged, c.passed, c.musts)
	if len(others) > 0 {
		text += " (" + strings.Join(others, ", ") + ")"
	}
	return text
}

// Reached says how much of a contract a run has reached.
type Reached struct {
	Operations  Part        `json:"operations"`  // at least one request was accepted
	MustClauses Part        `json:"mustClauses"` // that were tested
	Missing     []Unreached `json:"missing"`     // the operations that were not reached, by reason
}

// Part is a number out of a total.
type Part struct {
	Reached int `json:"reached"`
	Of      int `json:"of"`
}

// Unreached is a reason why operations were not reached, with these operations.
type Unreached struct {
	Reason     string   `json:"reason"`
	Operations []string `json:"operations"` // ids
}

// reached counts the operations with an accepted request. gaps are the reasons why operations have no fixture.
func reached(clauses []Clause, outcomes, controls []judge.Outcome, gaps map[string]string) Reached {
	answers := map[string][]int{} // statuses by operation
	plainest := map[string]int{}  // the status that the plainest valid request got
	accepted := map[string]bool{}
	lacking := map[string]string{} // by operation, why requests were not sent
	secured := map[string]bool{}   // operations that take a credential
	everywhere := true             // each response refuses the credential, or seems to
	for _, o := range slices.Concat(outcomes, controls) {
		answers[o.Operation] = append(answers[o.Operation], o.Answer)
		accepted[o.Operation] = accepted[o.Operation] || isAccepted(o)
		if fixtures.IsPlainest(o.Fixture) {
			plainest[o.Operation] = o.Answer
		}
		for _, op := range o.AcceptedSteps {
			accepted[op], everywhere = true, false
		}
		secured[o.Operation] = secured[o.Operation] || o.Credential
		everywhere = everywhere && (o.Answer == 0 || refusesCredential(o))
		if o.Answer == 0 && (strings.HasPrefix(o.Reason, fixtures.NoCredential) || o.Excused) { // excused: an earlier step failed
			lacking[o.Operation] = o.Reason
		}
	}
	r := Reached{Missing: []Unreached{}}
	for _, op := range lists.Unique(lists.Map(clauses, func(c Clause) string { return c.ID.Operation() })) {
		r.Operations.Of++
		if accepted[op] && (gaps[op] == "" || len(answers[op]) > 0) { // accepted steps alone are not judged
			r.Operations.Reached++
			continue
		}
		isSecured := secured[op] || slices.ContainsFunc(clauses, func(c Clause) bool { return c.ID == spec.ClauseIDs(op).Credential() })
		hasID := slices.ContainsFunc(clauses, func(c Clause) bool { return strings.HasPrefix(string(c.ID), op+"/request/path/") })
		reason := cmp.Or(lacking[op], whyUnreached(answers[op], plainest[op], gaps[op], hasID, isSecured, everywhere))
		i := slices.IndexFunc(r.Missing, func(u Unreached) bool { return u.Reason == reason })
		if i < 0 {
			i, r.Missing = len(r.Missing), append(r.Missing, Unreached{Reason: reason})
		}
		r.Missing[i].Operations = append(r.Missing[i].Operations, op)
	}
	return r
}

// whyUnreached returns why no request of an operation was accepted, according to their statuses; 0
// means no complete response. If only one operation answers 403, the user may lack a permission.
// Only if all do, the reason is the credential.
func whyUnreached(answers []int, plainest int, gap string, hasID, secured, everywhere bool) string {
	only := func(allowed ...int) bool {
		return !slices.ContainsFunc(answers, func(s int) bool { return !slices.Contains(allowed, s) })
	}
	isMissing, isUnauthorized := slices.Contains(answers, http.StatusNotFound), slices.Contains(answers, http.StatusUnauthorized)
	switch {
	case gap != "" && (len(answers) == 0 || isMissing):
		return gap
	case len(answers) == 0:
		return "the run has no fixture for it"
	case only(0):
		return "no request got a response"
	case isMissing && (plainest == http.StatusBadRequest || plainest == http.StatusUnprocessableEntity): // the request itself is refused, whether or not the data exists
		return fmt.Sprintf("the plainest valid request got %d", plainest)
	case isMissing && only(0, http.StatusNotFound, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity):
		if !hasID { // a body may name something, too
			return "the requests got 404: they need another base URL, or data that exists"
		}
		return "the requests got 404: they need the id of something that exists, or another base URL"
	case !only(0, http.StatusUnauthorized, http.StatusForbidden):
	case !secured && isUnauthorized:
		return "the requests got 401: the document names no security for it, so no token was sent; --header can send an Authorization"
	case secured && (everywhere || isUnauthorized):
		return "the credential was refused"
	}
	complete := lists.Filter(answers, func(status int) bool { return status != 0 })
	return fmt.Sprintf("no request was accepted (%s)", strings.Join(inWords(complete), ", "))
}

// String returns the counts in one sentence: "reached 41 of 60 operations, 212 of 260 must-clauses".
func (r Reached) String() string {
	return fmt.Sprintf("reached %d of %s, %d of %s", r.Operations.Reached, judge.Number(r.Operations.Of, "operation"), r.MustClauses.Reached, judge.Number(r.MustClauses.Of, "must-clause"))
}

// Answers are the answers of a target to one question that the contract leaves open.
type Answers struct {
	Clause  spec.ClauseID `json:"clause"`
	Answers []Answer      `json:"answers"` // sorted by text
}

// Answer is one answer, and the fixtures that got it.
type Answer struct {
	Answer   string   `json:"answer"`
	Fixtures []string `json:"fixtures"` // ids
}

// observations returns the answers by clause, in the order in which the clauses first occur.
func observations(outcomes []judge.Outcome) []Answers {
	list := []Answers{}
	got := map[spec.ClauseID]map[string][]string{} // by clause and answer
	for _, outcome := range outcomes {
		for _, f := range outcome.Findings {
			if f.Severity != judge.Observation {
				continue
			}
			if got[f.Clause] == nil {
				got[f.Clause] = map[string][]string{}
				list = append(list, Answers{Clause: f.Clause})
			}
			got[f.Clause][f.Actual] = append(got[f.Clause][f.Actual], outcome.Fixture)
		}
	}
	for i, one := range list {
		for _, answer := range slices.Sorted(maps.Keys(got[one.Clause])) {
			list[i].Answers = append(list[i].Answers, Answer{answer, got[one.Clause][answer]})
		}
	}
	return list
}

// asked reports whether a selected fixture also asks this question, although it tests another clause.
func asked(question Clause, selected map[string]bool) bool {
	id := question.ID
	if question.Level != spec.Silent || !selected[id.Operation()] {
		return false
	}
	switch name := id.Question(); name {
	case spec.CredentialMissing:
		return selected[string(spec.ClauseIDs(id.Operation()).Credential())]
	case spec.OtherStatuses, spec.RejectionConditions:
		return true
	default:
		return spec.IsValueQuestion(name)
	}
}
