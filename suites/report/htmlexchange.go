package report

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// htmlSize is how much of an exchange is shown.
type htmlSize int

const (
	brief htmlSize = iota // in the entry of a fixture, of which there may be thousands
	whole                 // where a cause is explained
)

// Limits of what is shown of a message: bytes of its body, in lines of its
// header.
const (
	wholeBody   = 4 << 10
	briefBody   = 240
	headerLines = 40
)

func (s htmlSize) body() int {
	if s == whole {
		return wholeBody
	}
	return briefBody
}

// htmlExchange is what was sent and what came back.
type htmlExchange struct {
	Request htmlMessage // not shown of what has passed
	Answer  htmlMessage
	Failure string // why there is no complete answer
	Curl    string
	Long    bool // the command fills more than a few lines
}

// htmlMessage is a request or an answer, as it looks on the wire.
type htmlMessage struct {
	Head []htmlPart // lines
	Body []htmlPart
	Note string // about the body
}

// htmlPart is a piece of a message.
type htmlPart struct {
	Text   string
	Marked bool // a finding is about it
	Gap    bool // something is left out here
}

// newHTMLExchange shows the exchange of a result. Marked is what the findings
// are about.
func newHTMLExchange(r result.Result, findings []judge.Finding, size htmlSize) htmlExchange {
	x := htmlExchange{
		Failure: cut(r.Exchange.Failure, evidenceWidth),
		Curl:    strings.Join(terminal.VisibleLines(r.Curl), "\n"),
	}
	const fewLines = 2000
	x.Long = len(x.Curl) > fewLines
	if size == whole || r.Status != judge.Passed {
		x.Request = htmlRequest(r.Exchange.Request, size)
	}
	if r.Exchange.Response != nil {
		x.Answer = htmlResponse(*r.Exchange.Response, findings, size)
	}
	if size == brief && r.Status == judge.Passed {
		x.Answer.Head = nil // the entry's first line says it already
	}
	return x
}

func htmlRequest(r result.Request, size htmlSize) htmlMessage {
	m := htmlMessage{Head: []htmlPart{{Text: cut(r.Method+" "+r.URL, evidenceWidth)}}}
	lines := fields(r, func(string) bool { return true })
	m.Head = append(m.Head, htmlHeader(lines, nil)...)
	m.body(r.Body, nil, size.body())
	return m
}

func htmlResponse(r result.Response, findings []judge.Finding, size htmlSize) htmlMessage {
	status := strconv.Itoa(r.Status)
	first := htmlPart{Text: words(status, http.StatusText(r.Status))}
	var fieldNames []string // that findings are about
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
	m := htmlMessage{Head: []htmlPart{first}}
	lines := fields(result.Request{Headers: r.Headers}, func(name string) bool { return size == whole || about(name) || name == "Content-Type" })
	m.Head = append(m.Head, htmlHeader(lines, about)...)
	m.body(r.Body, findings, size.body())
	return m
}

// htmlHeader shows header fields, and marks those that findings are about.
func htmlHeader(lines []string, about func(name string) bool) []htmlPart {
	var parts []htmlPart
	for i, line := range lines {
		if i == headerLines {
			return append(parts, htmlPart{Text: fmt.Sprintf("and %d more", len(lines)-i), Gap: true})
		}
		name, _, _ := strings.Cut(line, ":")
		parts = append(parts, htmlPart{Text: cut(line, evidenceWidth), Marked: about != nil && about(name)})
	}
	return parts
}

// body shows at most so many bytes of a body.
func (m *htmlMessage) body(b result.Body, findings []judge.Finding, most int) {
	raw := b.Raw()
	places := placesIn(raw, findings)
	m.Body = htmlExcerpt(raw, places, most)
	switch {
	case raw == "":
		m.Note = "no body"
	case b.Size > 0:
		m.Note = fmt.Sprintf("the report keeps the first %s of %s bytes", grouped(len(raw)), grouped(b.Size))
	case b.Truncated:
		m.Note = fmt.Sprintf("the report keeps the first %s bytes of it", grouped(len(raw)))
	}
	for _, f := range findings {
		if f.Offset > int64(len(raw)) {
			m.Note = fmt.Sprintf("the place is byte %s, beyond the %s that the report keeps", grouped(int(f.Offset)), grouped(len(raw)))
		}
	}
}
