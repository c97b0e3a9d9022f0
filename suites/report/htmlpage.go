package report

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// reasonWidth is how long the verdict's reason may be, in characters.
const reasonWidth = 600

// htmlPage is a report as page.html shows it. Every text in it is visible
// already: the template only has to escape markup.
type htmlPage struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Verdict, Reason, Hint string
	Headline, Shade       string // the verdict in words, and the one whose color they have
	Subject               string // what was judged, and by what
	Facts                 []htmlFact
	Tallies               []htmlTally
	Statuses              []string // that occur, for the filter
	Broken                []htmlBroken
	Unjudged              []htmlReason
	Clauses               []htmlClause
	Silences              []htmlClause
	Groups                []htmlGroup
	Fixtures              int
}

// htmlFact is one thing about the run.
type htmlFact struct {
	Name, Text string
	Code       []string // what is to be read letter by letter
	Href       string   // of the text; "" where it is no link
}

// htmlTally is a number of things, by status.
type htmlTally struct {
	Total string
	Parts []htmlCount
}

type htmlCount struct {
	Count  int
	Status string
}

// htmlBroken is a row of the table of broken clauses.
type htmlBroken struct {
	Clause, Example    htmlLink
	Level, Where, Text string
	Fixtures           int
}

func htmlBrokenClauses(r result.Report) []htmlBroken {
	var rows []htmlBroken
	for _, row := range brokenClauses(r) {
		rows = append(rows, htmlBroken{
			Clause: linkTo("clause", row.ID), Example: linkTo("fixture", row.example),
			Level: Visible(row.Level), Where: Visible(where(row.Clause)), Text: cut(row.Text, evidenceWidth), Fixtures: row.fixtures,
		})
	}
	return rows
}

// htmlReason is a reason why fixtures are unjudged.
type htmlReason struct {
	Text     string
	Fixtures htmlList
}

func newHTMLPage(r result.Report) *htmlPage {
	p := &htmlPage{
		Verdict: Visible(r.Verdict), Headline: cut(r.Headline, reasonWidth), Shade: Visible(shade(r)), Reason: cut(r.Reason, reasonWidth), Hint: cut(hint(r), reasonWidth),
		Subject: cut(words(r.Contract.Title, r.Contract.Version), evidenceWidth),
		Facts:   htmlFacts(r), Tallies: htmlTallies(r), Broken: htmlBrokenClauses(r), Unjudged: htmlUnjudged(r),
		Groups: htmlGroups(r), Fixtures: len(r.Results),
	}
	if who := cut(words(r.Implementation.Name, r.Implementation.Version), evidenceWidth); who != "" {
		p.Subject += ", " + who
	}
	seen := map[string]bool{}
	for _, c := range htmlClauses(r) {
		if c.Level == string(spec.Silent) && len(c.Causes) == 0 {
			p.Silences = append(p.Silences, c)
		} else {
			p.Clauses = append(p.Clauses, c)
		}
		seen[c.Status] = true
	}
	for _, result := range r.Results {
		seen[Visible(result.Shown())] = true
	}
	for _, status := range htmlOrder() {
		if seen[status] {
			p.Statuses = append(p.Statuses, status)
		}
	}
	return p
}

// htmlOrder is the order in which statuses are shown: what has to be looked at
// comes first.
func htmlOrder() []string {
	return []string{
		string(judge.Failed), string(judge.Waived), string(judge.Warned), string(judge.Unjudged),
		string(judge.ClauseVacuous), string(judge.ClauseUnexercised), string(result.Skipped), string(judge.Passed),
	}
}

// byStatus sorts by what has to be looked at, and keeps the order otherwise.
func byStatus[T any](list []T, status func(T) string) {
	order := htmlOrder()
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Compare(slices.Index(order, status(a)), slices.Index(order, status(b)))
	})
}

func htmlFacts(r result.Report) []htmlFact {
	who := htmlFact{Name: "Implementation", Text: words(r.Implementation.Name, r.Implementation.Version)}
	switch address := r.Implementation.URL; {
	case isWebAddress(address):
		who.Href = Visible(address)
		if who.Text == "" {
			who.Text = address
		}
	case address != "":
		who.Code = []string{address}
	case who.Text == "":
		who.Text = "not named"
	}
	how := fmt.Sprintf("%s, %.2f s", r.Run.Started.UTC().Format("2006-01-02 15:04:05 UTC"), r.Run.DurationMs/1000)
	if r.Run.Strict {
		how += ", strict"
	}
	if !r.Run.Complete {
		how += ", cut off"
	}
	facts := []htmlFact{
		{Name: "Contract", Text: words(r.Contract.Title, r.Contract.Version), Code: []string{"sha256 " + r.Contract.SHA256}},
		who,
		{Name: "Target", Code: []string{r.Target.BaseURL}},
		{Name: "Run", Text: how, Code: []string{drawnFrom(r.Run), "run " + r.Run.ID}},
		{Name: "Harness", Text: "conformance " + r.Harness.Version, Code: []string{"commit " + r.Harness.Commit}},
	}
	for i := range facts {
		facts[i].Text = cut(facts[i].Text, evidenceWidth)
		for j, code := range facts[i].Code {
			facts[i].Code[j] = cut(code, evidenceWidth)
		}
	}
	return facts
}

// drawnFrom names the seed, if there is one.
func drawnFrom(r result.Run) string {
	if r.Seed == 0 { // nothing is drawn where traffic was recorded
		return "no seed"
	}
	return fmt.Sprintf("seed %d", r.Seed)
}

// isWebAddress says whether a link to it leads where a reader of a web page
// expects to be led.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// htmlTallies count the must-clauses, on which the verdict rests, and the
// fixtures.
func htmlTallies(r result.Report) []htmlTally {
	var musts, fixtures []string
	for _, c := range r.Clauses {
		if c.Level == spec.Must {
			musts = append(musts, string(c.Status))
		}
	}
	for _, result := range r.Results {
		fixtures = append(fixtures, string(result.Shown()))
	}
	return []htmlTally{
		{judge.Number(len(musts), "must-clause"), htmlCounts(musts)},
		{judge.Number(len(fixtures), "fixture"), htmlCounts(fixtures)},
	}
}

func htmlCounts(statuses []string) []htmlCount {
	counts := map[string]int{}
	for _, status := range statuses {
		counts[status]++
	}
	var list []htmlCount
	for _, status := range htmlOrder() {
		if counts[status] > 0 {
			list = append(list, htmlCount{counts[status], status})
		}
	}
	return list
}

func htmlUnjudged(r result.Report) []htmlReason {
	reasons, fixtures := unjudged(r)
	var list []htmlReason
	for _, reason := range reasons {
		list = append(list, htmlReason{cut(reason, evidenceWidth), newHTMLList(fixtures[reason])})
	}
	if text, skipped := excused(r); text != "" {
		list = append(list, htmlReason{cut(text, evidenceWidth), newHTMLList(skipped)})
	}
	return list
}

// words joins those that are there.
func words(texts ...string) string {
	return strings.TrimSpace(strings.Join(texts, " "))
}
