package result

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// NewResult makes the report's view of one judged fixture, by itself. place is
// its place in the order of the run, curl the request as a command.
func NewResult(r judge.Judged, place int, curl string) Result {
	r.Place = place
	r.Answer, r.ServerError = 0, "" // the exchange has them
	return Result{Outcome: r.Outcome, Exchange: newExchange(r.Exchange), Curl: curl}
}

// NewStep makes the report's view of a step, and of it as a command.
func NewStep(s replay.Step, curl string) Step {
	return Step{ID: s.ID, Cleanup: s.Cleanup, Left: s.Left(), Exchange: newExchange(s.Exchange), Curl: curl}
}

func newExchange(x replay.Exchange) Exchange {
	out := Exchange{
		Request:    Request{Method: x.Request.Method, URL: x.Request.URL, Headers: map[string][]string{}, Body: newBody(x.RequestBody(), false)},
		DurationMs: Milliseconds(x.Duration),
	}
	for _, h := range x.Request.Header {
		out.Request.Headers[h.Name] = append(out.Request.Headers[h.Name], h.Value)
	}
	if x.Response != nil {
		out.Response = &Response{
			Status: x.Response.Status, Headers: map[string][]string{}, HeadersTruncated: x.Response.HeaderCut,
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

// Milliseconds is a duration as reports write it: in milliseconds, to the
// microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// MaxBody is how much of a body a report keeps, in bytes.
const MaxBody = 16 << 10

const encodingBase64 = "base64"

// newBody keeps a body, or its beginning. truncated says that what is given
// is not all of it already.
func newBody(data []byte, truncated bool) Body {
	b := Body{Truncated: truncated}
	if len(data) > MaxBody {
		if !truncated {
			b.Size = len(data)
		}
		data, b.Truncated = data[:MaxBody], true
	}
	if b.Truncated {
		data = withoutPartialRune(data)
	}
	b.Body = string(data)
	if !utf8.Valid(data) {
		b.Body, b.Encoding = base64.StdEncoding.EncodeToString(data), encodingBase64
	}
	return b
}

// withoutPartialRune leaves out a character at the end that a cut went
// through, so that a text stays a text.
func withoutPartialRune(data []byte) []byte {
	for i := len(data) - 1; i >= 0 && i > len(data)-utf8.UTFMax; i-- {
		if !utf8.RuneStart(data[i]) {
			continue
		}
		if !utf8.FullRune(data[i:]) {
			return data[:i]
		}
		break
	}
	return data
}

// Raw is the body as it was on the wire, as far as it was kept.
func (b Body) Raw() string {
	if b.Encoding == encodingBase64 {
		if data, err := base64.StdEncoding.DecodeString(b.Body); err == nil {
			return string(data)
		}
	}
	return b.Body
}
