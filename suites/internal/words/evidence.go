package words

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Widths in characters: of a whole line of evidence, and of parts of a line. Long parts
// are shortened separately, so that the text after them stays.
const (
	lineWidth    = 240
	excerptWidth = 80
	literalWidth = 60
)

// An Evidence is one line of the evidence for a finding.
type Evidence struct{ Name, Text string }

// EvidenceOf returns what was sent, what the contract requires and what was received. It
// omits empty lines.
func EvidenceOf(r result.Result, f judge.Finding) []Evidence {
	lines := []Evidence{{"sent", Sent(r)}, {"expected", f.Expected}, {"got", got(r, f)}}
	for i := range lines {
		lines[i].Text = Line(lines[i].Text)
	}
	return slices.DeleteFunc(lines, func(e Evidence) bool { return e.Text == "" })
}

// Sent returns the request in one line: its title, what is special about it apart from the
// body, and the body.
func Sent(r result.Result) string {
	request := r.Exchange.Request
	if x := r.Exchange; x.Response == nil && x.DurationMs == 0 && x.Failure != "" && len(r.Steps) > 0 {
		return r.Title + ": not sent, because " + x.Failure // it needs a value from a step
	}
	parts := special(r)
	switch body := request.Raw(); {
	case body != "":
		parts = append(parts, sentBody(request.Body))
	case !slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS"}, request.Method):
		parts = append(parts, "no body")
	}
	title := r.Title + after(r)
	switch r.Beside {
	case "":
	case r.Fixture:
		title += "; this is the other one of the two"
	default:
		title += "; this is the other request, " + r.Beside
	}
	if len(parts) == 0 {
		return title
	}
	return title + ": " + strings.Join(parts, ", ")
}

// sentBody returns a body in one line. It shortens a long body to its beginning, end and length.
func sentBody(b result.Body) string {
	text := counted(b.Whole())
	if b.Size == 0 {
		return text
	}
	if short := Cut(text, excerptWidth); strings.HasSuffix(short, "…") {
		text = short + strings.TrimPrefix(around(text, len(text)-excerptWidth/2, excerptWidth), "…")
	}
	return fmt.Sprintf("%s (%s bytes)", text, Grouped(b.Size))
}

// after returns the steps before a request, with the statuses that they got.
func after(r result.Result) string {
	var steps []string
	for _, s := range r.Steps {
		if status := s.Exchange.Status(); !s.Cleanup && status != 0 {
			steps = append(steps, fmt.Sprintf("%s (%d)", s.ID, status))
		}
	}
	if steps == nil {
		return ""
	}
	return ", after " + strings.Join(steps, " and ")
}

// Steps returns the requests that were sent before the request of a fixture, and the clean-up
// after it, each with its result.
func Steps(r result.Result) (before, cleanup []string) {
	for _, s := range r.Steps {
		text := s.Exchange.Request.Method + " " + s.Exchange.Request.URL + ": "
		if s.Exchange.Response != nil {
			text += strconv.Itoa(s.Exchange.Response.Status)
		} else {
			text += s.Exchange.Failure
		}
		if text = Line(s.ID + ": " + text); s.Cleanup {
			cleanup = append(cleanup, text)
		} else {
			before = append(before, text)
		}
	}
	return before, cleanup
}

// special returns the parts of a request outside its body that the fixture tests. These are
// the address (if it has a query or a tested path parameter, or if there is no body) and
// the header fields that the fixture's clause is about.
func special(r result.Result) []string {
	var parts []string
	request := r.Exchange.Request
	about := r.Clause
	in, name := about.Parameter()
	address := request.URL
	if u, err := url.Parse(request.URL); err == nil {
		address = u.RequestURI()
	}
	if strings.Contains(address, "?") || request.Body.Body == "" || in == "path" {
		parts = append(parts, request.Method+" "+address)
	}
	isHeader := in == "header"
	switch {
	case about.IsCredential() || strings.HasPrefix(about.Question(), "credential-"):
		// Any field may contain a credential, except the media type.
		return append(parts, Fields(request, func(n string) bool { return !strings.EqualFold(n, "Content-Type") })...)
	case about.IsRequestMediaType():
		name, isHeader = "Content-Type", true
	}
	if isHeader {
		found := Fields(request, func(n string) bool { return strings.EqualFold(n, name) })
		if len(found) == 0 {
			found = []string{"no " + name}
		}
		parts = append(parts, found...)
	}
	return parts
}

// Fields returns the header fields whose name is wanted, sorted.
func Fields(r result.Request, wanted func(name string) bool) []string {
	var list []string
	for name, values := range r.Headers {
		for _, value := range values {
			switch {
			case !wanted(name):
			case value == "":
				list = append(list, "an empty "+name)
			default:
				list = append(list, name+": "+value)
			}
		}
	}
	slices.Sort(list)
	return list
}

// got returns the response, and what is wrong with it unless that is obvious.
func got(r result.Result, f judge.Finding) string {
	x := r.Exchange
	if x.Response == nil || x.Failure != "" {
		return fmt.Sprintf("%s  (%s)", f.Actual, f.Message)
	}
	status := strconv.Itoa(x.Response.Status)
	said := Sentence(f)
	if x.Response.Status/100 == 2 && f.Clause.Status() == "default" {
		said = status + " is not declared, except by default: " + said
	}
	if f.Offset >= 0 {
		return inBody(status, x.Response.Raw(), said, f)
	}
	text := f.Actual
	if strings.HasPrefix(text, status) {
		text = answer(status, strings.TrimSpace(x.Response.Raw()), 0)
	}
	if isAccepts := f.Clause.IsAccepts(); isAccepts && x.Response.Status >= 400 || !isAccepts && f.Clause == r.Clause && f.Pointer == "" && f.Message != judge.SaysNo {
		return text // the expected and the actual status say everything
	}
	return fmt.Sprintf("%s  (%s)", text, said)
}

// answer returns a status and the part of the body around the offset.
func answer(status, body string, offset int) string {
	if body == "" {
		return status + ", no body"
	}
	return status + " " + around(body, offset, excerptWidth)
}

// inBody describes a place in a response body: the text around it, and what is wrong
// with it.
func inBody(status, body, said string, f judge.Finding) string {
	offset := int(min(f.Offset, int64(len(body))))
	text := answer(status, body, offset)
	if f.Offset > int64(len(body)) {
		text = status + " " + Cut(f.Actual, excerptWidth) // the report does not contain the place
		if strings.HasPrefix(f.Actual, "…") {             // the place is in the middle of this excerpt
			text = status + " " + around(f.Actual, len(f.Actual)/2, excerptWidth)
		}
	}
	text += "  (" + said
	if f.Pointer != "" && f.Actual != "" && strings.HasPrefix(body[offset:], f.Actual) && !strings.HasSuffix(f.Message, " "+f.Actual) {
		text += ": " + Cut(f.Actual, literalWidth)
	}
	return text + ")"
}

// Stated returns the clause of a finding and its [Sentence].
func Stated(f judge.Finding) string { return string(f.Clause) + ": " + Sentence(f) }

// Sentence returns the message of a finding. If the finding is about the body or a place in
// it, the sentence begins with that.
func Sentence(f judge.Finding) string {
	switch {
	case f.Offset < 0 && f.Pointer == "":
		return f.Message
	case f.Pointer == "":
		return "the body " + f.Message
	}
	return Cut(f.Pointer, literalWidth) + " " + f.Message // a pointer may have 10,000 levels
}

// AnswerInWords returns the status and the media type of a response.
func AnswerInWords(x result.Exchange) string {
	if x.Response == nil {
		return "no response"
	}
	types := strings.Join(x.Response.Headers["Content-Type"], " ")
	return Cut(strings.TrimSpace(strconv.Itoa(x.Response.Status)+" "+types), literalWidth)
}
