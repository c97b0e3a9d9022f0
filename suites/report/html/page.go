// Package html writes a report as one HTML page.
//
// page.html is the template. page.go provides the data of the whole page. exchange.go provides
// the clauses with their causes, and the fixtures with their requests and responses. body.go
// shows a body and marks the places that findings are about.
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
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/webpage"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// The page is one file that contains all of these.
//
//go:embed page.html page.css page.js
var assets embed.FS

// Write writes one page that needs no network. Only its filter and copy buttons need a script.
func Write(w io.Writer, r result.Report) error {
	v := newView(r)
	public := words.PublishedIn(r)
	return webpage.Write(w, "the HTML report", assets, template.FuncMap{
		"anchor": anchor,
		"answer": words.AnswerInWords,
		"base":   path.Base,
		"counts": func(results []result.Result) []count { return counts(results, statusOf) },
		"clauses": func(list []verdict.Clause) []count {
			return counts(list, func(c verdict.Clause) string { return string(c.Status) })
		},
		"exchange": func(r result.Result) exchange { return newExchange(r, found(r), brief) },
		"folders":  words.Folders,
		"found":    found,
		"isWeb":    isWebAddress,
		"line":     line,
		"link":     linkTo,
		"many":     func(fixtures int) bool { return fixtures > mostLinks },
		"long":     func(command string) bool { return len(command) > fewLines },
		"noted":    noted,
		"number":   judge.Number,
		"reason":   func(text string) string { return words.Cut(text, reasonWidth) },
		"seconds":  func(ms float64) string { return fmt.Sprintf("%.2f", ms/1000) },
		"sentence": words.Sentence,
		"stated":   func(source string) string { return public.Address(words.PlaceOf(source)) },
		"trim":     strings.TrimSpace,
		"visible":  visible,
		"where":    words.Where,
		"why":      why,
	}, v, &v.Frame)
}

// line returns a value as one line of visible text, shortened. visible does not shorten it.
func line(value any) string    { return words.Line(fmt.Sprint(value)) }
func visible(value any) string { return words.Visible(fmt.Sprint(value)) }

const (
	reasonWidth = 600  // maximum characters of the verdict's reason
	fewLines    = 2000 // maximum bytes of a command that is shown in full
)

// view is the data of page.html. The template makes all text from other sources visible, and
// escapes markup.
type view struct {
	webpage.Frame
	result.Report

	Hint     string
	Shade    verdict.Verdict  // the verdict that sets the color of the headline
	Subject  string           // the contract and the implementation
	Musts    []verdict.Clause // the must-clauses, which the verdict is based on
	Statuses []string         // statuses that occur, for the filter
	Broken   []words.Broken
	Unjudged []words.Reason
	Clauses  []clause
	Silences []clause
	Groups   []lists.Group[string, result.Result]
}

type count struct {
	Count  int
	Status string
}

func newView(r result.Report) *view {
	p := &view{
		Report: r, Hint: words.Hint(r), Shade: words.Shade(r), Subject: line(r.Contract),
		Musts:  lists.Filter(r.Clauses, func(c verdict.Clause) bool { return c.Level == spec.Must }),
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
	p.Statuses = lists.Filter(statusOrder(), func(status string) bool { return seen[status] })
	return p
}

// statusOrder returns the order in which statuses are shown. Those that need attention come
// first.
func statusOrder() []string {
	return []string{
		string(judge.Failed), string(judge.Waived), string(judge.Warned), string(judge.Unjudged),
		string(verdict.ClauseVacuous), string(verdict.ClauseUnexercised), string(result.Skipped), string(judge.Passed),
	}
}

// byStatus sorts a list by statusOrder. The sort is stable.
func byStatus[T any](list []T, status func(T) string) {
	order := statusOrder()
	slices.SortStableFunc(list, func(a, b T) int {
		return cmp.Compare(slices.Index(order, status(a)), slices.Index(order, status(b)))
	})
}

// isWebAddress reports whether the address is an absolute HTTP or HTTPS URL. Readers of a web
// page expect only links to these.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func statusOf(r result.Result) string { return string(r.Shown()) }

func counts[T any](list []T, status func(T) string) (found []count) {
	counts := lists.Tally(list, status)
	for _, status := range statusOrder() {
		if counts[status] > 0 {
			found = append(found, count{counts[status], status})
		}
	}
	return found
}

func reasons(r result.Report) []words.Reason {
	list := lists.Map(words.Unreached(r, true), func(text string) words.Reason { return words.Reason{Text: text} })
	for _, why := range append(words.Unjudged(r), words.Excused(r)) {
		if why.Text != "" {
			why.Text = line(why.Text)
			list = append(list, why)
		}
	}
	return list
}
