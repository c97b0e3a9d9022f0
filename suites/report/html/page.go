// Package html writes a report as one HTML page.
//
// page.html is the template. The files beside it fill a view: page.go the whole
// page, clause.go the clauses with their causes, exchange.go the fixtures and
// what was sent and answered. body.go shows a body with the places that findings are
// about.
package html

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/webpage"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// The page is written as one file, with all of these in it.
//
//go:embed page.html page.css page.js
var assets embed.FS

// Write writes one page that needs no network and, but for its filter and
// its copy buttons, no script.
func Write(w io.Writer, r result.Report) error {
	v := newView(r)
	v.Title = v.Headline + ": " + v.Subject
	return webpage.Write(w, "the HTML report", assets, nil, v, &v.Frame)
}

// reasonWidth is how long the verdict's reason may be, in characters.
const reasonWidth = 600

// view is a report as page.html shows it. Every text in it is visible
// already: the template only has to escape markup.
type view struct {
	webpage.Frame

	Verdict, Reason, Hint string
	Headline, Shade       string // the verdict in words, and the one whose color they have
	Subject               string // what was judged, and by what
	Facts                 []fact
	Tallies               []tally
	Statuses              []string // that occur, for the filter
	Broken                []brokenClause
	Unjudged              []listedText
	Clauses               []clause
	Silences              []clause
	Groups                []fixtureGroup
	Fixtures              int
}

// fact is one thing about the run.
type fact struct {
	Name, Text string
	Code       []string // what is to be read letter by letter
	Href       string   // of the text; "" where it is no link
}

// tally is a number of things, by status.
type tally struct {
	Total string
	Parts []count
}

type count struct {
	Count  int
	Status string
}

// brokenClause is a row of the table of broken clauses.
type brokenClause struct {
	Clause, Example    reference
	Level, Where, Text string
	Fixtures           int
}

// listedText is a reason or an answer, and the fixtures that have it.
type listedText struct {
	Text     string
	Fixtures fixtureList
}

func newView(r result.Report) *view {
	p := &view{
		Verdict: words.Visible(r.Verdict), Headline: words.Cut(r.Headline, reasonWidth), Shade: words.Visible(words.Shade(r)), Reason: words.Cut(r.Reason, reasonWidth), Hint: words.Cut(words.Hint(r), reasonWidth),
		Subject: words.Line(r.Contract.String()),
		Facts:   facts(r), Tallies: tallies(r), Unjudged: reasons(r),
		Groups: groups(r), Fixtures: len(r.Results),
	}
	if who := words.Line(r.Implementation.String()); who != "" {
		p.Subject += ", " + who
	}
	for _, row := range words.BrokenClauses(r) {
		p.Broken = append(p.Broken, brokenClause{
			Clause: linkTo("clause", row.ID), Example: linkTo("fixture", row.Example),
			Level: words.Visible(row.Level), Where: words.Visible(words.Where(row.Clause.Section, row.Clause.Source)), Text: words.Line(row.Text), Fixtures: row.Fixtures,
		})
	}
	seen := map[string]bool{}
	for _, c := range clauses(r) {
		if c.Level == string(spec.Silent) && len(c.Causes) == 0 {
			p.Silences = append(p.Silences, c)
		} else {
			p.Clauses = append(p.Clauses, c)
		}
		seen[c.Status] = true
	}
	for _, result := range r.Results {
		seen[words.Visible(result.Shown())] = true
	}
	p.Statuses = slices.DeleteFunc(statusOrder(), func(status string) bool { return !seen[status] })
	return p
}

// statusOrder is the order in which statuses are shown: what has to be looked at
// comes first.
func statusOrder() []string {
	return []string{
		string(judge.Failed), string(judge.Waived), string(judge.Warned), string(judge.Unjudged),
		string(judge.ClauseVacuous), string(judge.ClauseUnexercised), string(result.Skipped), string(judge.Passed),
	}
}

// byStatus sorts by what has to be looked at, and keeps the order otherwise.
func byStatus[T any](list []T, status func(T) string) {
	order := statusOrder()
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Compare(slices.Index(order, status(a)), slices.Index(order, status(b)))
	})
}

func facts(r result.Report) []fact {
	who := fact{Name: "Implementation", Text: r.Implementation.String()}
	switch address := r.Implementation.URL; {
	case isWebAddress(address):
		who.Href = words.Visible(address)
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
	seed := "no seed" // nothing is drawn where traffic was recorded
	if r.Run.Seed != 0 {
		seed = fmt.Sprintf("seed %d", r.Run.Seed)
	}
	facts := []fact{
		{Name: "Contract", Text: r.Contract.String(), Code: []string{"sha256 " + r.Contract.SHA256}},
		who,
		{Name: "Target", Code: []string{r.Target.BaseURL}},
		{Name: "Run", Text: how, Code: []string{seed, "run " + r.Run.ID}},
		{Name: "Harness", Text: "conformance " + r.Harness.Version, Code: []string{"commit " + r.Harness.Commit}},
	}
	for i := range facts {
		facts[i].Text = words.Line(facts[i].Text)
		for j, code := range facts[i].Code {
			facts[i].Code[j] = words.Line(code)
		}
	}
	return facts
}

// isWebAddress reports whether a link to it leads where a reader of a web page
// expects to be led.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// tallies count the must-clauses, on which the verdict rests, and the
// fixtures.
func tallies(r result.Report) []tally {
	var musts, fixtures []string
	for _, c := range r.Clauses {
		if c.Level == spec.Must {
			musts = append(musts, string(c.Status))
		}
	}
	for _, result := range r.Results {
		fixtures = append(fixtures, string(result.Shown()))
	}
	return []tally{
		{judge.Number(len(musts), "must-clause"), counts(musts)},
		{judge.Number(len(fixtures), "fixture"), counts(fixtures)},
	}
}

func counts(statuses []string) []count {
	counts := map[string]int{}
	for _, status := range statuses {
		counts[status]++
	}
	var list []count
	for _, status := range statusOrder() {
		if counts[status] > 0 {
			list = append(list, count{counts[status], status})
		}
	}
	return list
}

func reasons(r result.Report) []listedText {
	var list []listedText
	for _, text := range words.Unreached(r, true) {
		list = append(list, listedText{Text: words.Visible(text)})
	}
	for _, why := range append(words.Unjudged(r), words.Excused(r)) {
		if why.Text != "" {
			list = append(list, listedText{words.Line(why.Text), newFixtureList(why.Fixtures)})
		}
	}
	return list
}
