package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/internal/collect"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// mostWhole is how many causes are shown with the whole exchange. Of the
// others there is what the entry of the fixture shows.
const mostWhole = 100

// mostAnswers is how many answers to a question are shown.
const mostAnswers = 30

// clause is a clause with what the run says about it.
type clause struct {
	verdict.Clause
	Causes  []cause
	Answers []words.Reason // to a question that the contract leaves open
}

// cause is one way in which a clause was broken, with the exchange of the plainest
// fixture that found it.
type cause struct {
	*words.Cause
	Exchange exchange
}

// clauses are all clauses, those that failed first.
func clauses(r result.Report) []clause {
	found := causes(r)
	answers := map[spec.ClauseID][]words.Reason{}
	for _, o := range r.Observations {
		for i, a := range o.Answers {
			if i == mostAnswers {
				answers[o.Clause] = append(answers[o.Clause], words.Reason{Text: fmt.Sprintf("and %d more answers", len(o.Answers)-i)})
				break
			}
			answers[o.Clause] = append(answers[o.Clause], words.Reason{Text: a.Answer, Fixtures: a.Fixtures})
		}
	}
	list := collect.Of(r.Clauses, func(c verdict.Clause) clause { return clause{c, found[c.ID], answers[c.ID]} })
	byStatus(list, func(c clause) string { return string(c.Status) })
	return list
}

// why says why a clause has neither passed nor failed.
func why(status verdict.ClauseStatus) string {
	return map[verdict.ClauseStatus]string{
		verdict.ClauseVacuous:     "its condition never occurred",
		verdict.ClauseUnexercised: "no fixture of this run tests it",
	}[status]
}

// causes are the causes of violations, waived or not, and of warnings, by
// clause.
func causes(r result.Report) map[spec.ClauseID][]cause {
	all := slices.Concat(words.Causes(r, judge.Violation), words.Causes(r, judge.WaivedViolation), words.Causes(r, judge.Warning))
	found := map[spec.ClauseID][]cause{}
	for i, c := range all {
		size := whole
		if i >= mostWhole {
			size = brief
		}
		id := c.Finding.Clause
		found[id] = append(found[id], cause{c, newExchange(c.Result, []judge.Finding{c.Finding}, size)})
	}
	return found
}

// mostLinks is how many fixtures are linked to one by one. Of more the groups
// are named, or a page would have a link for each clause and fixture.
const mostLinks = 60

// reference leads to a place in the page.
type reference struct{ Text, Href string }

func linkTo(kind string, id any) reference {
	return reference{visible(id), "#" + anchor(kind, id)}
}

// anchor is the id of an element: a word and an id of ours, so that links into
// the page can be read and outlive the run. White space ends an id in HTML
// (§3.2.6), so that there is none.
func anchor(kind string, id any) string {
	return kind + "/" + strings.ReplaceAll(visible(id), " ", "_")
}
