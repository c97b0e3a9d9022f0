package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// Exchange is a request as it was sent and the response as it was received, or why
// there is none. Everything but [Exchange.Raw] is free of secrets.
type Exchange struct {
	Request  Request
	Response *Response  // nil where not even a status arrived
	Failure  *Failure   // nil where the response is complete
	Resent   string     // why the request was sent once more, in a sentence; "" if it was not
	Beside   bool       // this is the request of the companion: it was sent at the same moment, or directly before
	Others   []Exchange // with the message: of its companion, and of its repetitions but the last
	Unasked  []byte     // the beginning of what the target sent after a response and no request asked for; nil if nothing
	Sent     time.Time  // when the request was sent; zero if it was not, or was recorded elsewhere
	Duration time.Duration
	Steps    []Step          // that were sent with the request: those before it, and clean-up after it
	Values   fixtures.Values // that the steps have put out, as they arrived
	redactor *redact.Redactor
}

// Request is what was sent.
type Request struct {
	Method string
	URL    string
	Header []fixtures.Field // what the fixture and the target asked for, in order
	Body   []byte

	Schemes []string // the security schemes whose credentials it carries

	own bool // the body has no value of an earlier response, which may hold a secret
}

// Response is what arrived: all of it, or as much as came before Failure.
type Response struct {
	Status    int
	Header    http.Header
	HeaderCut bool // the header is not all kept
	Body      []byte
	Cut       bool // the body is not all there: it did not all come, or is not all kept; a stream need not end
	Coded     bool // the body came in a content coding, which may be undone
	Refused   bool // the body came in gzip, and the request did not ask for that
	Unchunked bool // a server of HTTP/1.0 does not know the chunks that it was sent, and says so with 501 (RFC 9112 §6.1)
	raw       *raw
}

// Keep drops the body beyond its first bytes, and what only the judge needs. A run
// keeps many responses until it has sent their requests again.
func (r *Response) Keep(first int) {
	r.raw = nil
	if len(r.Body) > first {
		r.Body, r.Cut = slices.Clone(r.Body[:first]), true
	}
}

type raw struct {
	header http.Header
	body   []byte
}

// FailureKind separates failures of the target from those that say nothing about it.
type FailureKind string

// The kinds of failure. Only Incomplete speaks of the service: there was a
// connection, and no complete answer came over it.
const (
	Incomplete  FailureKind = "incomplete"
	OverLimit   FailureKind = "over-limit"  // an answer that exceeds a limit of the harness other than the timeout
	Unreachable FailureKind = "unreachable" // no connection over which a service can be asked
	Throttled   FailureKind = "throttled"   // still told to wait when the patience was used up
	StepFailed  FailureKind = "step-failed" // not sent: a step before it was not accepted
	Lacking     FailureKind = "lacking"     // not sent: the target lacks a credential that the message needs
	OverBudget  FailureKind = "over-budget" // not sent, or not again: no more requests may be sent
	GivenUp     FailureKind = "given-up"    // not sent, or broken off: the target answers nothing
	Canceled    FailureKind = "canceled"    // the run was cut off
	Unreadable  FailureKind = "unreadable"  // answered, but judging the answer panicked
)

// Failure is why there is no complete response.
type Failure struct {
	Kind    FailureKind
	Message string // one sentence
}

// Raw is the response as it arrived, secrets included, for the judge alone.
func (x Exchange) Raw() (header http.Header, body []byte) {
	if x.Response == nil || x.Response.raw == nil {
		return nil, nil
	}
	return x.Response.raw.header, x.Response.raw.body
}

// RequestBody is the body of the request without the target's secrets: it may have a value that
// the target gave in an earlier response.
func (x Exchange) RequestBody() []byte {
	if x.Request.own {
		return x.Request.Body
	}
	return x.redactor.Bytes(x.Request.Body)
}

// Redact masks the target's secrets in a text that was made from Raw.
func (x Exchange) Redact(text string) string { return x.redactor.Text(text) }

// Recorded makes an exchange of a request and a complete response that were
// recorded elsewhere. The secrets stay in [Exchange.Raw] and in the body of the
// request, which the judge compares with the response. A caller that keeps the
// exchange after that must redact the body.
func Recorded(r *redact.Redactor, request Request, status int, header http.Header, body []byte) Exchange {
	x := Unanswered(r, request, nil)
	x.Response = &Response{Status: status, Header: r.Header(header), Body: r.Bytes(body), raw: &raw{header, body}}
	return x
}

// Unanswered is Recorded for a request without a complete response. The failure
// says why.
func Unanswered(r *redact.Redactor, request Request, failure *Failure) Exchange {
	request.URL = r.Text(request.URL)
	request.Header = slices.Clone(request.Header)
	for i, h := range request.Header {
		request.Header[i] = fixtures.Field{Name: r.Text(h.Name), Value: r.Text(h.Value)}
	}
	if failure != nil {
		failure = &Failure{failure.Kind, r.Text(failure.Message)}
	}
	return Exchange{Request: request, Failure: failure, redactor: r}
}

// How much of a response outlives the judgement, in bytes: evidence for people.
// A run would otherwise hold all that a target ever sent.
const (
	maxKept       = 64 << 10 // of a body
	maxKeptHeader = 8 << 10  // of a header; of names and values, with maxFieldCost for each value
	maxFieldCost  = 64       // what a value costs beside its text, or many small ones would be free
)

// Forget drops Raw, the end of a long body, and the fields of a long header that
// exceed a limit. It drops the other exchanges too.
func (x Exchange) Forget() Exchange {
	x.Others = nil
	if x.Response == nil {
		return x
	}
	kept := *x.Response
	kept.raw = nil
	var cut bool
	kept.Header, cut = keepHeader(kept.Header)
	kept.HeaderCut = kept.HeaderCut || cut
	if len(kept.Body) > maxKept {
		kept.Body, kept.Cut = Beginning(kept.Body, maxKept), true
	}
	x.Response = &kept
	return x
}

// Beginning is a copy of the first bytes of a longer body, without a part of a character
// at the end.
func Beginning(body []byte, most int) []byte {
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(body[n]) {
		n--
	}
	return bytes.Clone(body[:n])
}

// keepHeader gives as many of the fields as there is room for: first those that
// say how to read a response, then the others by name.
func keepHeader(header http.Header) (kept http.Header, cut bool) {
	kept, room := http.Header{}, maxKeptHeader
	first := func(name string) int { return slices.Index([]string{"Retry-After", "Location", "Content-Type"}, name) }
	names := slices.SortedFunc(maps.Keys(header), func(a, b string) int {
		return cmp.Or(cmp.Compare(first(b), first(a)), cmp.Compare(a, b))
	})
	for _, name := range names {
		cost := 0
		for _, value := range header[name] {
			cost += len(name) + len(value) + maxFieldCost
		}
		if cost > room {
			cut = true
			continue
		}
		kept[name] = header[name]
		room -= cost
	}
	return kept, cut
}

// ErrGivenUp is the cause of a context that a replay ends because the target
// answers nothing.
var ErrGivenUp = errors.New("gave up on the target")

const deadlineWords = "the deadline ended the run"

// Ended is the failure of an exchange that the end of the run interrupted, or
// kept from being sent or judged.
func Ended(ctx context.Context) *Failure {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrGivenUp):
		return &Failure{GivenUp, cause.Error()}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Failure{Canceled, deadlineWords}
	}
	return &Failure{Canceled, "the run was interrupted"}
}

// unanswered is the failure of an exchange that had a connection, and that much time. There may
// be a part of a response.
func (c *Client) unanswered(ctx context.Context, err error, part *Response, limit time.Duration) *Failure {
	tlsFault, late, closed := conn.TLSFault(err, c.connections.Place()), errors.Is(err, context.DeadlineExceeded), conn.IsClosed(err)
	kind := Incomplete
	var message string
	switch {
	case ctx.Err() != nil:
		return Ended(ctx)
	case errors.Is(err, errTooLong):
		kind, message = OverLimit, fmt.Sprintf("the body is longer than %d bytes; --max-body raises this limit", c.limits.MaxBody)
	case conn.IsHeaderTooLong(err):
		kind, message = OverLimit, fmt.Sprintf("the response header is longer than %d bytes; --max-header raises this limit", c.limits.MaxHeader)
	case strings.Contains(err.Error(), "suspiciously long trailer"):
		kind, message = OverLimit, "the trailer of the response is longer than 4096 bytes, the limit of the HTTP library"
	case tlsFault != "":
		kind, message = Unreachable, tlsFault
	case late && part == nil:
		message = fmt.Sprintf("no response within %s", limit)
	case late:
		message = fmt.Sprintf("no complete response within %s", limit)
	case closed && part == nil:
		message = "the connection was closed without an answer"
	case closed:
		message = "the connection was closed before the response was complete"
	default:
		message = "the response is not a complete HTTP message: " + err.Error()
	}
	return &Failure{kind, c.redactor.Text(message)}
}

// answersForTLS reports whether a plain request was answered by a server that
// expects TLS, so that it reached no service.
func answersForTLS(base *url.URL, r *Response) bool {
	if base.Scheme != "http" || r.Status != http.StatusBadRequest {
		return false
	}
	return slices.ContainsFunc([]string{
		"Client sent an HTTP request to an HTTPS server",    // Go
		"The plain HTTP request was sent to HTTPS port",     // nginx
		"speaking plain HTTP to an SSL-enabled server port", // Apache
		"This combination of host and port requires TLS",    // Tomcat
	}, func(words string) bool { return bytes.Contains(r.Body, []byte(words)) })
}
