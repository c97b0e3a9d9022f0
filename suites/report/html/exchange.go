package html

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// groups returns the fixtures by folder, failed ones first.
func groups(r result.Report) []lists.Group[string, result.Result] {
	list := lists.Groups(r.Results, func(r result.Result) string { return path.Dir(r.Fixture) })
	for _, g := range list {
		byStatus(g.Items, statusOf)
	}
	byStatus(list, func(g lists.Group[string, result.Result]) string { return statusOf(g.Items[0]) })
	return list
}

// found returns the findings of a result, except those that noted returns.
func found(r result.Result) []judge.Finding {
	return lists.Filter(r.Findings, func(f judge.Finding) bool { return f.Severity != judge.Observation })
}

// noted returns the answers of a result to questions that the contract leaves open.
func noted(r result.Result) []judge.Finding {
	return lists.Filter(r.Findings, func(f judge.Finding) bool { return f.Severity == judge.Observation })
}

// extent is how much of an exchange is shown: the maximum bytes of each body that is not JSON.
type extent int

const (
	brief extent = 240     // in the entry of a fixture; there may be thousands
	whole extent = 4 << 10 // where a cause is explained
)

// headerLines is the maximum number of header fields that are shown.
const headerLines = 40

// exchange is a request and its response, as the page shows them.
type exchange struct {
	Request message // empty in the entry of a passed fixture
	Answer  message
	Failure string   // why there is no complete response
	Before  []string // steps that were sent before the request, and clean-up steps after it
	Cleanup []string
	Curl    string
}

// message is a request or a response, as it is on the wire.
type message struct {
	Head []fragment // lines
	Body []fragment
	Note string // about the body
}

type fragment struct {
	Text   string
	Marked bool // a finding is about it
	Gap    bool // something is left out here
}

// newExchange returns the exchange of a result. It marks what the findings are about.
func newExchange(r result.Result, findings []judge.Finding, size extent) exchange {
	x := exchange{
		Failure: words.Line(r.Exchange.Failure),
		Curl:    terminal.VisibleText(r.Curl),
	}
	if size == whole || r.Status != judge.Passed {
		request := r.Exchange.Request
		lines := words.Fields(request, func(string) bool { return true })
		x.Request.Head = append([]fragment{{Text: words.Line(request.Method + " " + request.URL)}}, header(lines, nil)...)
		x.Request.body(request.Body, nil, int(size))
		x.Before, x.Cleanup = words.Steps(r)
	}
	if r.Exchange.Response != nil {
		x.Answer = responseMessage(*r.Exchange.Response, findings, size)
	}
	if size == brief && r.Status == judge.Passed {
		x.Answer.Head = nil // the first line of the entry already shows it
	}
	return x
}

func responseMessage(r result.Response, findings []judge.Finding, size extent) message {
	status := strconv.Itoa(r.Status)
	first := fragment{Text: strings.TrimSpace(status + " " + http.StatusText(r.Status))}
	var fieldNames []string // names of fields that findings are about
	for _, f := range findings {
		name, _, isField := strings.Cut(f.Actual, ":")
		switch {
		case f.Offset >= 0:
		case isField && r.Headers[http.CanonicalHeaderKey(name)] != nil:
			fieldNames = append(fieldNames, name)
		case strings.HasPrefix(f.Actual, status):
			first.Marked = true
		}
	}
	about := func(name string) bool {
		return slices.ContainsFunc(fieldNames, func(n string) bool { return strings.EqualFold(n, name) })
	}
	m := message{Head: []fragment{first}}
	lines := words.Fields(result.Request{Headers: r.Headers}, func(name string) bool { return size == whole || about(name) || name == "Content-Type" })
	m.Head = append(m.Head, header(lines, about)...)
	m.body(r.Body, findings, int(size))
	return m
}

// header returns header fields, and marks those that findings are about.
func header(lines []string, about func(name string) bool) []fragment {
	var parts []fragment
	for i, line := range lines {
		if i == headerLines {
			return append(parts, fragment{Text: fmt.Sprintf("and %d more", len(lines)-i), Gap: true})
		}
		name, _, _ := strings.Cut(line, ":")
		parts = append(parts, fragment{Text: words.Line(line), Marked: about != nil && about(name)})
	}
	return parts
}

// body sets the body and the note of a message. It shows at most the given bytes, except of
// JSON.
func (m *message) body(b result.Body, findings []judge.Finding, most int) {
	raw := b.Raw()
	places := placesIn(raw, findings)
	m.Body = excerpt(raw, places, most)
	switch {
	case raw == "":
		m.Note = "no body"
	case b.Size > 0:
		m.Note = fmt.Sprintf("the report keeps the first %s of %s bytes", words.Grouped(len(raw)), words.Grouped(b.Size))
	case b.Truncated:
		m.Note = fmt.Sprintf("the report keeps the first %s bytes of it", words.Grouped(len(raw)))
	}
	for _, f := range findings {
		if f.Offset > int64(len(raw)) {
			m.Note = fmt.Sprintf("the place is byte %s, beyond the %s that the report keeps", words.Grouped(int(f.Offset)), words.Grouped(len(raw)))
		}
	}
}

// mostWhole is how many causes are shown with the whole exchange. The others show as much as the
// entry of a fixture.
const mostWhole = 100

// mostAnswers is the maximum number of answers to a question that are shown.
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

// clauses returns all clauses, failed ones first.
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
	list := lists.Map(r.Clauses, func(c verdict.Clause) clause { return clause{c, found[c.ID], answers[c.ID]} })
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

// causes returns the causes of violations, waived or not, and of warnings, by clause.
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

// mostLinks is the maximum number of fixtures with links. Of more, the page names only the
// groups, because a link for each clause and fixture would make it too long.
const mostLinks = 60

type reference struct{ Text, Href string }

func linkTo(kind string, id any) reference {
	return reference{visible(id), "#" + anchor(kind, id)}
}

// anchor returns the id of an element: its kind and the id of a fixture, group or clause. Links
// into the page can thus be read, and work in later reports. An id must not contain white space
// (HTML §3.2.6), so spaces are replaced.
func anchor(kind string, id any) string {
	return kind + "/" + strings.ReplaceAll(visible(id), " ", "_")
}
