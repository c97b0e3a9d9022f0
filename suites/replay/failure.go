package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/replay/conn"
)

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
