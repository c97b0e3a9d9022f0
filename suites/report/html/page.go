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
	"html/template"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

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
	public := words.PublishedIn(r)
	return webpage.Write(w, "the HTML report", assets, template.FuncMap{
		"anchor":   anchor,
		"answer":   words.AnswerInWords,
		"base":     path.Base,
		"counts":   func(results []result.Result) []count { return counts(results, statusOf) },
		"exchange": func(r result.Result) exchange { return newExchange(r, found(r), brief) },
		"folders":  words.Folders,
		"found":    found,
		"line":     line,
		"link":     linkTo,
		"many":     func(fixtures int) bool { return fixtures > mostLinks },
		"long":     func(command string) bool { return len(command) > fewLines },
		"noted":    noted,
		"number":   judge.Number,
		"reason":   func(text string) string { return words.Cut(text, reasonWidth) },
		"sentence": words.Sentence,
		"stated":   func(source string) string { return public.Address(words.PlaceOf(source)) },
		"trim":     strings.TrimSpace,
		"visible":  visible,
		"where":    words.Where,
		"why":      why,
	}, v, &v.Frame)
}

// line is a value as a line of visible text, and visible all of it.
func line(value any) string    { return words.Line(fmt.Sprint(value)) }
func visible(value any) string { return words.Visible(fmt.Sprint(value)) }

const (
	reasonWidth = 600  // characters of the verdict's reason
	fewLines    = 2000 // bytes of a command that is shown in full
)

// view is a report as page.html shows it. The template makes every text of others
// visible, and escapes markup.
type view struct {
	webpage.Frame
	result.Report

	Hint     string
	Shade    judge.Verdict // whose color the headline has
	Subject  string        // what was judged, and by what
	Facts    []fact
	Tallies  []tally
	Statuses []string // that occur, for the filter
	Broken   []words.Broken
	Unjudged []words.Reason
	Clauses  []clause
	Silences []clause
	Groups   []words.Group[string, result.Result]
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

func newView(r result.Report) *view {
	p := &view{
		Report: r, Hint: words.Hint(r), Shade: words.Shade(r), Subject: line(r.Contract), Facts: facts(r), Tallies: tallies(r),
		Broken: words.BrokenClauses(r), Unjudged: reasons(r), Groups: groups(r),
	}
	if who := line(r.Implementation); who != "" {
		p.Subject += ", " + who
	}
	p.Title = words.Cut(r.Headline, reasonWidth) + ": " + p.Subject
	seen := map[string]bool{}
	for _, c := range clauses(r) {
		if c.Level == spec.Silent && len(c.Causes) == 0 {
			p.Silences = append(p.Silences, c)
		} else {
			p.Clauses = append(p.Clauses, c)
		}
		seen[string(c.Status)] = true
	}
	for _, result := range r.Results {
		seen[statusOf(result)] = true
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
		who.Href = address
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
	return []fact{
		{Name: "Contract", Text: r.Contract.String(), Code: []string{"sha256 " + r.Contract.SHA256}},
		who,
		{Name: "Target", Code: []string{r.Target.BaseURL}},
		{Name: "Run", Text: how, Code: []string{seed, "run " + r.Run.ID}},
		{Name: "Harness", Text: "conformance " + r.Harness.Version, Code: []string{"commit " + r.Harness.Commit}},
	}
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
	musts := slices.DeleteFunc(slices.Clone(r.Clauses), func(c judge.Clause) bool { return c.Level != spec.Must })
	return []tally{
		{judge.Number(len(musts), "must-clause"), counts(musts, func(c judge.Clause) string { return string(c.Status) })},
		{judge.Number(len(r.Results), "fixture"), counts(r.Results, statusOf)},
	}
}

// statusOf is the status of a result.
func statusOf(r result.Result) string { return string(r.Shown()) }

func counts[T any](list []T, status func(T) string) (found []count) {
	counts := map[string]int{}
	for _, one := range list {
		counts[status(one)]++
	}
	for _, status := range statusOrder() {
		if counts[status] > 0 {
			found = append(found, count{counts[status], status})
		}
	}
	return found
}

func reasons(r result.Report) []words.Reason {
	var list []words.Reason
	for _, text := range words.Unreached(r, true) {
		list = append(list, words.Reason{Text: text})
	}
	for _, why := range append(words.Unjudged(r), words.Excused(r)) {
		if why.Text != "" {
			why.Text = line(why.Text)
			list = append(list, why)
		}
	}
	return list
}
