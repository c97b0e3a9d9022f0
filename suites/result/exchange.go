package result

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// NewResult returns one judged fixture as reports have it, before the comparison with others. place
// is its place in the order of the run, curl is the request as a command.
func NewResult(r judge.Judged, place int, curl string) Result {
	r.Place = place
	r.Answer, r.ServerError = 0, "" // the exchange has them
	return Result{Outcome: r.Outcome, Exchange: newExchange(r.Exchange), Curl: curl}
}

// NewStep returns a step as reports have it. curl is its request as a command.
func NewStep(s replay.Step, curl string) Step {
	return Step{ID: s.ID, Cleanup: s.Cleanup, Left: s.Left(), Exchange: newExchange(s.Exchange), Curl: curl}
}

// Status returns the status of the response; 0 if nothing arrived.
func (x Exchange) Status() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

func newExchange(x replay.Exchange) Exchange {
	out := Exchange{
		Request:    Request{Method: x.Request.Method, URL: x.Request.URL, Headers: http.Header{}, Body: newBody(x.RequestBody(), false)},
		DurationMs: Milliseconds(x.Duration),
	}
	for _, h := range x.Request.Header {
		out.Request.Headers[h.Name] = append(out.Request.Headers[h.Name], h.Value)
	}
	if x.Response != nil {
		out.Response = &Response{
			Status: x.Response.Status, Headers: http.Header{}, HeadersTruncated: x.Response.HeaderCut,
			Body: newBody(x.Response.Body, x.Response.Cut),
		}
		for name, values := range x.Response.Header {
			name = judge.ValidText(name)
			for _, value := range values {
				out.Response.Headers[name] = append(out.Response.Headers[name], judge.ValidText(value))
			}
		}
	}
	if x.Failure != nil {
		out.Failure = judge.ValidText(x.Failure.Message)
	}
	return out
}

// Milliseconds returns a duration as reports have it: in milliseconds, to the microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// MaxBody is the maximum length of a body in a report, in bytes.
const MaxBody = 16 << 10

// maxEnd is how much of the end of a longer body the console shows, in bytes.
const maxEnd = 128

const encodingBase64 = "base64"

// newBody keeps a body, or its beginning. truncated says that data is already only the beginning.
func newBody(data []byte, truncated bool) Body {
	b := Body{Truncated: truncated}
	if len(data) > MaxBody {
		if !truncated {
			rest := bytes.TrimLeft(data[MaxBody:], " ")
			b.Size, b.Spaces = len(data), len(data)-MaxBody-len(rest)
			b.End = strings.ToValidUTF8(string(rest[max(0, len(rest)-maxEnd):]), "")
		}
		b.Truncated = true
	}
	if b.Truncated {
		data = replay.Beginning(data, MaxBody)
	}
	b.Body = string(data)
	if !utf8.Valid(data) {
		b.Body, b.Encoding = base64.StdEncoding.EncodeToString(data), encodingBase64
	}
	return b
}

// Raw returns the body as it was sent, as far as it was kept.
func (b Body) Raw() string {
	if b.Encoding == encodingBase64 {
		if data, err := base64.StdEncoding.DecodeString(b.Body); err == nil {
			return string(data)
		}
	}
	return b.Body
}

// Whole returns Raw with what is known of the rest of a longer body. It is for people.
func (b Body) Whole() string {
	raw := b.Raw()
	raw += strings.Repeat(" ", b.Spaces)
	if len(raw)+len(b.End) < b.Size {
		raw += "…"
	}
	return raw + b.End
}

// Left returns the clean-up requests that did not remove what the run created.
func (r Report) Left() []Step { return r.Recording().Left() }

// Left returns the clean-up requests that did not remove what the run created, or that a killed run
// did not send.
func (r Recording) Left() []Step {
	removed := map[string]bool{}
	var failed []Step
	for _, one := range slices.Concat(r.Controls, r.Results) {
		for _, step := range append(slices.Clone(one.Steps), Step{Exchange: one.Exchange}) {
			switch {
			case step.Left:
				failed = append(failed, step)
			case step.removes():
				removed[address(step)] = true
			}
		}
	}
	for _, step := range r.removed {
		removed[address(step)] = true
	}
	var left []Step
	for _, step := range append(failed, r.created...) {
		if !removed[address(step)] {
			removed[address(step)] = true // each once
			left = append(left, step)
		}
	}
	return left
}

// Removals returns the requests of a result that removed what the run created.
func (r Result) Removals() []Step {
	all := append(slices.Clone(r.Steps), Step{Exchange: r.Exchange, Curl: r.Curl})
	return slices.DeleteFunc(all, func(s Step) bool { return s.Left || !s.removes() })
}

func (s Step) removes() bool {
	status := s.Exchange.Status()
	return s.Cleanup || s.Exchange.Request.Method == http.MethodDelete && status >= 200 && status < 400
}

// address returns the method and the URL of a request, without the query.
func address(s Step) string {
	url, _, _ := strings.Cut(s.Exchange.Request.URL, "?")
	return s.Exchange.Request.Method + " " + url
}
