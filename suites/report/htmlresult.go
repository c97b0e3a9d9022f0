package report

import (
	"fmt"
	"path"
	"strconv"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// htmlGroup is the fixtures of one folder.
type htmlGroup struct {
	ID, Anchor string
	Status     string // the one to look at first
	Counts     []htmlCount
	Results    []htmlResult
}

// Large says that the group fills more than a screen or two.
func (g htmlGroup) Large() bool { return len(g.Results) > mostLinks }

// htmlResult is the entry of one fixture.
type htmlResult struct {
	ID, Anchor, Href string
	Title, Status    string
	Answer           string // in a few words
	Duration         string
	Clause           htmlLink
	Expect, Level    string
	Source, Reason   string
	Findings         []htmlFinding
	Answers          []htmlLink // questions that it answers
	Exchange         htmlExchange
}

type htmlFinding struct {
	Clause            htmlLink
	Severity, Message string
	Waived            string
	Expected, Actual  string
}

// htmlGroups are all fixtures, those that failed first.
func htmlGroups(r result.Report) []htmlGroup {
	var groups []htmlGroup
	at := map[string]int{}
	statuses := map[string][]string{}
	for _, result := range r.Results {
		id := path.Dir(result.Fixture)
		i, known := at[id]
		if !known {
			i = len(groups)
			at[id] = i
			groups = append(groups, htmlGroup{ID: Visible(id), Anchor: anchor("group", id)})
		}
		groups[i].Results = append(groups[i].Results, newHTMLResult(result))
		statuses[groups[i].ID] = append(statuses[groups[i].ID], string(result.Shown()))
	}
	for i := range groups {
		g := &groups[i]
		byStatus(g.Results, func(r htmlResult) string { return r.Status })
		g.Counts, g.Status = htmlCounts(statuses[g.ID]), g.Results[0].Status
	}
	byStatus(groups, func(g htmlGroup) string { return g.Status })
	return groups
}

func newHTMLResult(r result.Result) htmlResult {
	link := linkTo("fixture", r.Fixture)
	out := htmlResult{
		ID: link.Text, Anchor: anchor("fixture", r.Fixture), Href: link.Href,
		Title: cut(r.Title, evidenceWidth), Status: Visible(r.Shown()), Answer: answerInWords(r.Exchange),
		Duration: fmt.Sprintf("%.1f ms", r.Exchange.DurationMs),
		Clause:   linkTo("clause", r.Clause), Expect: Visible(r.Expect), Level: Visible(r.Level), Source: Visible(r.Source),
		Reason: cut(r.Reason, evidenceWidth),
	}
	var marked []judge.Finding
	for _, f := range r.Findings {
		if f.Severity == judge.Observation {
			out.Answers = append(out.Answers, linkTo("clause", f.Clause))
			continue
		}
		out.Findings = append(out.Findings, htmlFinding{
			Clause: linkTo("clause", f.Clause), Severity: Visible(string(f.Kind())), Waived: cut(f.Waived, evidenceWidth), Message: cut(sentence(f), evidenceWidth),
			Expected: cut(f.Expected, evidenceWidth), Actual: cut(f.Actual, evidenceWidth),
		})
		marked = append(marked, f)
	}
	out.Exchange = newHTMLExchange(r, marked, brief)
	return out
}

// answerInWords is the status and the media type.
func answerInWords(x result.Exchange) string {
	if x.Response == nil {
		return "no response"
	}
	status := strconv.Itoa(x.Response.Status)
	return cut(words(append([]string{status}, x.Response.Headers["Content-Type"]...)...), literalWidth)
}
