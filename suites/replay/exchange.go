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

// An Exchange is a request as it was sent, and the response as it was received or the
// failure. Only [Exchange.Raw] and the body of the request may contain secrets.
type Exchange struct {
	Request  Request
	Response *Response  // nil if no response header arrived
	Failure  *Failure   // nil if the response is complete
	Resent   string     // why the request was retried, in a sentence; "" if it was not
	Beside   bool       // the exchange of a companion request, sent at the same moment or directly before
	Others   []Exchange // of the companion request, and of all repetitions but the last
	Unasked  []byte     // the first bytes that the target sent after a response without a request; nil if none
	Sent     time.Time  // when the request was sent; zero if it was not sent or was recorded elsewhere
	Duration time.Duration
	Steps    []Step          // the steps before the request and the clean-up after it
	Values   fixtures.Values // the outputs of the steps, not redacted
	redactor *redact.Redactor
}

// Request is what was sent.
type Request struct {
	Method string
	URL    string
	Header []fixtures.Field // the fields that the target's settings and the fixture set, in order
	Body   []byte

	Schemes []string // the security schemes whose credentials the request carries

	own bool // the body has no value from an earlier response, which may contain a secret
}

// A Response is what arrived: the whole response, or the part before the Failure.
type Response struct {
	Status    int
	Header    http.Header
	HeaderCut bool // some header fields were dropped
	Body      []byte
	Cut       bool // the body is incomplete: not all of it arrived or is kept, or it is a stream
	Coded     bool // the response has Content-Encoding; Body may be decoded
	Refused   bool // the body came in gzip, but the request did not accept gzip
	Unchunked bool // an HTTP/1.0 server answered a chunked request with 501 (RFC 9112 §6.1)
	raw       *raw
}

// Keep drops the body after its first bytes, and the data that only the judge needs. A
// run keeps many responses until it has sent their requests again.
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

// A FailureKind separates failures of the target from failures that have other causes.
type FailureKind string

// The kinds of failure. Only Incomplete is a fault of the service: there was a
// connection, but no complete response came over it.
const (
	Incomplete  FailureKind = "incomplete"
	OverLimit   FailureKind = "over-limit"  // the response exceeds a limit of the harness other than the timeout
	Unreachable FailureKind = "unreachable" // no usable connection to the service
	Throttled   FailureKind = "throttled"   // the target still asked for a pause when the maximum pause was used up
	StepFailed  FailureKind = "step-failed" // not sent: an earlier step was not accepted
	Lacking     FailureKind = "lacking"     // not sent: the target lacks a credential that the message needs
	OverBudget  FailureKind = "over-budget" // not sent, or not retried: --max-requests is reached
	GivenUp     FailureKind = "given-up"    // not sent, or aborted: the target does not answer
	Canceled    FailureKind = "canceled"    // the run was interrupted or reached its deadline
	Unreadable  FailureKind = "unreadable"  // there is a response, but the judge panicked on it
)

// Failure is why there is no complete response.
type Failure struct {
	Kind    FailureKind
	Message string // one sentence
}

// Raw returns the response as it arrived, with its secrets. Only the judge may use it.
func (x Exchange) Raw() (header http.Header, body []byte) {
	if x.Response == nil || x.Response.raw == nil {
		return nil, nil
	}
	return x.Response.raw.header, x.Response.raw.body
}

// RequestBody returns the request body with the target's secrets redacted. The body may
// contain a value from an earlier response, and so a secret.
func (x Exchange) RequestBody() []byte {
	if x.Request.own {
		return x.Request.Body
	}
	return x.redactor.Bytes(x.Request.Body)
}

// Redact redacts the target's secrets in a text that was made from Raw.
func (x Exchange) Redact(text string) string { return x.redactor.Text(text) }

// Recorded returns an exchange for a request and a complete response that were
// recorded elsewhere. [Exchange.Raw] and the request body still contain secrets, because
// the judge compares the two. A caller that keeps the exchange must redact the body.
func Recorded(r *redact.Redactor, request Request, status int, header http.Header, body []byte) Exchange {
	x := Unanswered(r, request, nil)
	x.Response = &Response{Status: status, Header: r.Header(header), Body: r.Bytes(body), raw: &raw{header, body}}
	return x
}

// Unanswered is like Recorded, for a request without a complete response. The failure
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

// How many bytes of a response are kept after the judge is done, as evidence for people.
// Without these limits a run would keep everything that the target sent.
const (
	maxKept       = 64 << 10 // of a body
	maxKeptHeader = 8 << 10  // of the names and values in a header, with maxFieldCost for each value
	maxFieldCost  = 64       // overhead of each value, so that many small values are not free
)

// Forget returns a copy without Raw, without Others, and with the body and the header cut
// to the limits above.
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

// Beginning returns a copy of the first bytes of a body. It does not end within a UTF-8 character.
func Beginning(body []byte, most int) []byte {
	body = body[:min(len(body), most)]
	for i := len(body) - 1; i >= max(0, len(body)-utf8.UTFMax); i-- {
		if utf8.RuneStart(body[i]) {
			if !utf8.FullRune(body[i:]) {
				body = body[:i]
			}
			break
		}
	}
	return bytes.Clone(body)
}

// keepHeader returns the fields that fit into maxKeptHeader. The fields that tell how to
// read a response come first, then the others by name.
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

// ErrGivenUp is the cause of the context when a replay ends because the target does
// not answer.
var ErrGivenUp = errors.New("gave up on the target")

const deadlineWords = "the deadline ended the run"

// Ended returns the failure of an exchange that was interrupted, not sent or not judged
// because the run ended.
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

// unanswered returns the failure of an exchange that had a connection. limit is the time that
// it had. part is the part of the response that arrived, or nil.
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

// answersForTLS reports whether the response to a plain HTTP request comes from a server
// that expects TLS. Such a request does not reach the service.
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
