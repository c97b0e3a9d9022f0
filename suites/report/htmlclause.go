package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// mostWhole is how many causes are shown with the whole exchange. Of the
// others there is what the entry of the fixture shows.
const mostWhole = 100

// mostAnswers is how many answers to a question are shown.
const mostAnswers = 30

// htmlClause is a clause with what the run says about it.
type htmlClause struct {
	ID, Anchor, Href             string
	Level, Section, Text, Status string
	Stated                       htmlLink // the line of the document; no address for a file of the user's own
	Why                          string   // it has neither passed nor failed
	Exercised                    htmlList
	Causes                       []htmlCause
	Answers                      []htmlAnswer
}

// htmlCause is one way in which a clause was broken, with the plainest fixture
// that found it.
type htmlCause struct {
	Severity, Message string
	Waived            string // why it is accepted for now
	Why               string // it is only a warning
	Places            string // in bodies, if it shows in several
	Fixture           htmlLink
	Title             string
	Count             int
	Expected, Actual  string
	Exchange          htmlExchange
	Likewise          htmlList // all but the first
}

// htmlAnswer is an answer to a question that the contract leaves open.
type htmlAnswer struct {
	Text     string
	Fixtures htmlList
}

// htmlClauses are all clauses, those that failed first.
func htmlClauses(r result.Report) []htmlClause {
	found := htmlCauses(r)
	answers := map[string][]htmlAnswer{}
	for _, o := range r.Observations {
		for i, a := range o.Answers {
			if i == mostAnswers {
				answers[o.Clause] = append(answers[o.Clause], htmlAnswer{Text: fmt.Sprintf("and %d more answers", len(o.Answers)-i)})
				break
			}
			answers[o.Clause] = append(answers[o.Clause], htmlAnswer{cut(a.Answer, evidenceWidth), newHTMLList(a.Fixtures)})
		}
	}
	public := publishedIn(r)
	var list []htmlClause
	for _, c := range r.Clauses {
		link := linkTo("clause", c.ID)
		list = append(list, htmlClause{
			ID: link.Text, Anchor: anchor("clause", c.ID), Href: link.Href,
			Level: Visible(c.Level), Section: Visible(where(c)), Stated: htmlLink{Visible(c.Source), public.address(placeOf(c.Source))}, Text: cut(c.Text, evidenceWidth), Status: Visible(c.Status),
			Why: why(c), Exercised: newHTMLList(c.Fixtures), Causes: found[c.ID], Answers: answers[c.ID],
		})
	}
	byStatus(list, func(c htmlClause) string { return c.Status })
	return list
}

// why says what the statuses mean that a clause has without evidence.
func why(c judge.Clause) string {
	switch c.Status {
	case judge.ClauseVacuous:
		return "its condition never occurred"
	case judge.ClauseUnexercised:
		return "no fixture of this run tests it"
	case judge.ClausePassed, judge.ClauseFailed, judge.ClauseWaived, judge.ClauseWarned:
	}
	return ""
}

// htmlCauses are the causes of violations, waived or not, and of warnings, by
// clause.
func htmlCauses(r result.Report) map[string][]htmlCause {
	all := slices.Concat(causes(r, judge.Violation), causes(r, judge.WaivedViolation), causes(r, judge.Warning))
	found := map[string][]htmlCause{}
	for i, c := range all {
		size := whole
		if i >= mostWhole {
			size = brief
		}
		id, mild := c.finding.Clause, ""
		if c.finding.Kind() == judge.Warning {
			mild = whyWarning(r, c.result, c.finding)
		}
		found[id] = append(found[id], htmlCause{
			Severity: Visible(c.finding.Kind()), Why: mild, Waived: cut(c.finding.Waived, evidenceWidth), Message: cut(sentence(c.finding), evidenceWidth), Places: cut(strings.TrimSpace(places(c)), evidenceWidth),
			Fixture: linkTo("fixture", c.result.Fixture), Title: cut(c.result.Title, evidenceWidth), Count: len(c.fixtures),
			Expected: cut(c.finding.Expected, evidenceWidth), Actual: cut(c.finding.Actual, evidenceWidth),
			Exchange: newHTMLExchange(c.result, []judge.Finding{c.finding}, size),
			Likewise: newHTMLList(c.fixtures[1:]),
		})
	}
	return found
}
