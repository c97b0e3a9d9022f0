package words

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// CountClauses returns how many must-clauses have each status, as text, and their ids.
func CountClauses(r result.Report) (string, map[verdict.ClauseStatus][]string) {
	ids, counts, total := map[verdict.ClauseStatus][]string{}, map[verdict.ClauseStatus]int{}, 0
	for _, c := range r.Clauses {
		if c.Level == spec.Must {
			total++
			counts[c.Status]++
			ids[c.Status] = append(ids[c.Status], string(c.ID))
		}
	}
	others := judge.Numbers(counts, verdict.ClauseFailed, verdict.ClauseWaived, verdict.ClauseWarned, verdict.ClauseVacuous, verdict.ClauseUnexercised)
	passed := fmt.Sprintf("%d passed", counts[verdict.ClausePassed])
	return fmt.Sprintf("%s: %s", judge.Number(total, "must-clause"), strings.Join(append([]string{passed}, others...), ", ")), ids
}

// A Reason is why fixtures have no verdict.
type Reason struct {
	Text     string
	Fixtures []string
}

// Unjudged returns the reasons why fixtures could not be judged. For fixtures that were
// skipped because the service rejects the valid request, see [Excused].
func Unjudged(r result.Report) []Reason {
	unjudged := lists.Filter(r.Results, func(one result.Result) bool { return one.Shown() == judge.Unjudged || flawed(one) })
	alike := lists.Groups(unjudged, func(one result.Result) string {
		why := one.Reason
		if _, rest, named := strings.Cut(why, ": "+one.Control+": "); named && one.Control != "" {
			why = rest // why the control could not be judged either
		}
		if general, _, named := strings.Cut(why, ": "+one.Control+" got "); named && one.Control != "" {
			why = general // the same reason for every control
		}
		return why
	})
	return lists.Map(alike, func(g lists.Group[string, result.Result]) Reason {
		return Reason{g.Key, lists.Map(g.Items, func(one result.Result) string { return one.Fixture })}
	})
}

// flawed reports whether a result is excused because of a flaw of the contract, or because its
// responses are not evidence. The usual reason is that the service rejects the valid request.
func flawed(r result.Result) bool {
	return r.Excused && (strings.HasPrefix(r.Reason, judge.Flawed) || r.Reason == verdict.ShowsNothing)
}

// Unreached returns how much of the contract was not reached and why. If all is true, it lists
// each reason with all its operations. Otherwise it groups similar reasons, with a few operations
// each, the largest group first. It is empty if nothing is missing.
func Unreached(r result.Report, all bool) []string {
	var list []string
	if len(r.Reached.Missing) > 0 {
		list = append(list, r.Reached.String())
	}
	missing, name := r.Reached.Missing, func(ids []string) string { return strings.Join(ids, ", ") }
	if !all {
		missing, name = ofOneKind(missing), Some
	}
	for _, m := range missing {
		text := fmt.Sprintf("not reached: %s, because %s: %s", judge.Number(len(m.Operations), "operation"), m.Reason, name(m.Operations))
		if strings.HasPrefix(m.Reason, noneAccepted) && slices.ContainsFunc(m.Operations, func(op string) bool { return refusesValid(r, op) }) {
			text += "; to have this judged, give the document an example of a whole request, or write a fixture that must be accepted"
		}
		list = append(list, text)
	}
	if n := r.Run.LeftOut; n > 0 {
		list = append(list, judge.Number(n, "derived fixture")+" left out, because there are not enough requests for them; --max-requests allows more")
	}
	return list
}

// refusesValid reports whether an operation rejects the content of a valid request, and the
// document permits that.
func refusesValid(r result.Report, op string) bool {
	accepts := verdict.ClauseNamed(r.Clauses, spec.ClauseIDs(op).Accepts()).Status
	return (accepts == verdict.ClauseVacuous || accepts == verdict.ClauseWarned) && slices.ContainsFunc(r.Results, func(one result.Result) bool {
		return strings.HasPrefix(one.Fixture, op+"/valid/") &&
			slices.Contains([]int{http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}, one.Exchange.Status())
	})
}

// noneAccepted is the beginning of the reason for an operation that accepts nothing. After it
// come the statuses.
const noneAccepted = "no request was accepted"

// ofOneKind groups reasons that differ only in the failed step or in the statuses.
func ofOneKind(list []verdict.Unreached) []verdict.Unreached {
	kind := func(m verdict.Unreached) string {
		text, _ := particular(m.Reason)
		return text
	}
	var kinds []verdict.Unreached
	for _, alike := range lists.Groups(list, kind) {
		one := alike.Items[0]
		if len(alike.Items) > 1 {
			one = verdict.Unreached{}
			var details []string
			for _, m := range alike.Items {
				_, detail := particular(m.Reason)
				details = append(details, detail...)
				one.Operations = append(one.Operations, m.Operations...)
			}
			slices.Sort(details)
			one.Reason = fmt.Sprintf("%s (%s)", alike.Key, Some(slices.Compact(details)))
		}
		kinds = append(kinds, one)
	}
	slices.SortStableFunc(kinds, func(a, b verdict.Unreached) int { return len(b.Operations) - len(a.Operations) })
	const most = 6
	if n := len(kinds) - (most - 1); n > 1 {
		rest := verdict.Unreached{Reason: fmt.Sprintf("of %d other reasons", n)}
		for _, m := range kinds[most-1:] {
			rest.Operations = append(rest.Operations, m.Operations...)
		}
		kinds = append(kinds[:most-1], rest)
	}
	return kinds
}

// failedStep matches a reason with the step that a fixture needs and the problem of that step.
var failedStep = regexp.MustCompile(`^(?:the response to )?the step (\S+) \(\S+ \S+\) (.+)$`)

// particular splits a reason into its general text and the details of some operations.
func particular(reason string) (text string, details []string) {
	if m := failedStep.FindStringSubmatch(reason); m != nil {
		return "a step before them did not succeed", []string{m[1] + " " + m[2]}
	}
	if text, statuses, ok := strings.Cut(reason, " ("); ok && text == noneAccepted {
		return text, strings.Split(strings.TrimSuffix(statuses, ")"), ", ")
	}
	return reason, nil
}

// Explored returns how many requests exploration sent, and what it found. It is empty if there
// was no exploration.
func Explored(r result.Report) string {
	if r.Run.Explored == 0 {
		return ""
	}
	finds := lists.Count(r.Results, func(one result.Result) bool {
		return one.Derived && strings.Contains(one.Fixture, "/"+fixtures.ExploredGroup+"/")
	})
	found := "no further violation"
	if finds > 0 {
		found = judge.Number(finds, "further violation")
	}
	return fmt.Sprintf("exploration sent %s and found %s", judge.Number(r.Run.Explored, "more request"), found)
}

// Reached returns in one line how much of the contract was reached, and why the rest was
// not.
func Reached(r result.Report) string {
	list := Unreached(r, false)
	if len(r.Reached.Missing) == 0 {
		list = append([]string{r.Reached.String()}, list...)
	}
	return strings.Join(list, "; ")
}

// Excused summarizes the excused results in one sentence, with the status of each control or
// the failed step. If there are no excused results, the Reason is empty.
func Excused(r result.Report) Reason {
	var excused []string
	answers := map[string]string{}
	for _, result := range slices.Concat(r.Controls, r.Results) {
		if status := result.Exchange.Status(); status != 0 {
			answers[result.Fixture] = fmt.Sprintf("%s got %d", result.Fixture, status)
		}
	}
	var refused []string
	for _, result := range r.Results {
		if !result.Excused || flawed(result) {
			continue
		}
		excused = append(excused, result.Fixture)
		answer := answers[result.Control]
		if result.Exchange.Response == nil {
			answer = result.Reason
		}
		if answer != "" && !slices.Contains(refused, answer) {
			refused = append(refused, answer)
		}
	}
	if len(excused) == 0 {
		return Reason{}
	}
	text := fmt.Sprintf("%s skipped: a valid request that they rest on was not accepted, which does not change the verdict", judge.Number(len(excused), "fixture"))
	if len(refused) > 0 {
		text += " (" + Some(refused) + ")"
	}
	return Reason{text, excused}
}

// Hint returns the likely reason why a run is not conformant: all responses have the same
// status, or valid requests are rejected. It is "" if no reason is likely.
func Hint(r result.Report) string {
	if r.Verdict == verdict.Conformant || len(r.Results) == 0 {
		return ""
	}
	var first *result.Exchange // the first one with a response
	for i, result := range r.Results {
		switch status := result.Exchange.Status(); {
		case status == 0:
		case first == nil:
			first = &r.Results[i].Exchange
		case status != first.Status():
			return refusedHint(r)
		}
	}
	if first == nil {
		return ""
	}
	address, _, _ := strings.Cut(first.Request.URL, "?")
	switch request, status := first.Request, first.Status(); {
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented,
		status == http.StatusOK && judge.MediaType(first.Response.Headers.Get("Content-Type")) == "text/html": // a web server, or the page of an app
		return fmt.Sprintf("every answer was %d; is %s %s right? check the base URL", status, request.Method, address)
	case status >= 300 && status < 400:
		return fmt.Sprintf("every answer was %d; redirects are not followed: give the base URL they lead to, or a credential if they lead to a login page", status)
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return fmt.Sprintf("every answer was %d, which a gateway sends if the service behind it is down", status)
	}
	return refusedHint(r)
}

// refusedHint returns the likely reason if valid requests are rejected: ids that exist already,
// or a credential that the service does not accept.
func refusedHint(r result.Report) string {
	valid := lists.Filter(r.Results, func(one result.Result) bool { return one.Expect == fixtures.Accepted })
	got := func(one result.Result, statuses ...int) bool { return slices.Contains(statuses, one.Exchange.Status()) }
	exists := func(one result.Result) bool { return creates(one) && got(one, http.StatusConflict) }
	mayExist := func(one result.Result) bool {
		return exists(one) || creates(one) && got(one, http.StatusBadRequest, http.StatusUnprocessableEntity) && taken.MatchString(one.Exchange.Response.Raw())
	}
	if r.Run.SeedGiven && len(valid) > 0 && (!slices.ContainsFunc(valid, not(mayExist)) || slices.ContainsFunc(valid, exists)) {
		return fmt.Sprintf("ids of seed %d may exist from an earlier run: leave --seed out or use another one", r.Run.Seed)
	}
	valid = lists.Filter(valid, func(one result.Result) bool { return one.Credential })
	refused := func(one result.Result) bool {
		return got(one, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden)
	}
	if len(valid) == 0 || slices.ContainsFunc(valid, not(refused)) || !got(firstSent(valid), http.StatusUnauthorized, http.StatusForbidden) {
		return ""
	}
	return "every valid request was rejected; check whether the token is right, without the word Bearer before it"
}

// taken matches a rejection body that says that an id is taken, and an empty body.
var taken = regexp.MustCompile(`(?i)^$|already|duplicate|\bexists\b|\btaken\b`)

// creates reports whether a request probably creates a resource with a new id. A request after
// steps usually changes what the steps created.
func creates(r result.Result) bool {
	method := r.Exchange.Request.Method
	return (method == http.MethodPost || method == http.MethodPut) && !slices.ContainsFunc(r.Steps, func(s result.Step) bool { return !s.Cleanup })
}

func not(is func(result.Result) bool) func(result.Result) bool {
	return func(one result.Result) bool { return !is(one) }
}

// firstSent returns the result whose request was sent first, or the first result if that is not
// known.
func firstSent(list []result.Result) result.Result {
	return slices.MinFunc(list, func(a, b result.Result) int {
		if len(a.Replies) == 0 || len(b.Replies) == 0 {
			return 0
		}
		return a.Replies[0].Sent.Compare(b.Replies[0].Sent)
	})
}

// Answers returns all or a few answers to one question, with the number of fixtures that
// got them.
func Answers(o verdict.Answers, all bool) []string {
	const few = 4
	var list []string
	for i, a := range o.Answers {
		if i == few && !all {
			return append(list, fmt.Sprintf("and %d more", len(o.Answers)-few))
		}
		list = append(list, fmt.Sprintf("%s (%d)", Cut(a.Answer, literalWidth), len(a.Fixtures)))
	}
	return list
}

// Gathered merges a question that many operations have into one, with the answers of all.
func Gathered(list []verdict.Answers) []verdict.Answers {
	const many = 4
	asked := map[string][]verdict.Answers{}
	for _, o := range list {
		asked[o.Clause.Part()] = append(asked[o.Clause.Part()], o)
	}
	var gathered []verdict.Answers
	for _, o := range list {
		alike := asked[o.Clause.Part()]
		switch {
		case len(alike) < many:
			gathered = append(gathered, o)
		case alike[0].Clause == o.Clause:
			gathered = append(gathered, verdict.Answers{
				Clause:  spec.ClauseID(fmt.Sprintf("*/%s of %d operations", o.Clause.Part(), len(alike))),
				Answers: together(alike),
			})
		}
	}
	return gathered
}

// together returns the answers to a question, without duplicates after shortening.
func together(list []verdict.Answers) (answers []verdict.Answer) {
	found := map[string][]string{}
	for _, o := range list {
		for _, a := range o.Answers {
			told := Cut(a.Answer, literalWidth)
			found[told] = append(found[told], a.Fixtures...)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(found)) {
		answers = append(answers, verdict.Answer{Answer: text, Fixtures: found[text]})
	}
	return answers
}
