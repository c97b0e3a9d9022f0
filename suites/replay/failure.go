package replay

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

// ErrGivenUp is the cause of a context that a replay ends because the target
// answers nothing.
var ErrGivenUp = errors.New("gave up on the target")

const deadlineWords = "the deadline ended the run"

// Ended is the failure of an exchange that the end of the run kept from being
// judged.
func Ended(ctx context.Context) *Failure { return broken(ctx) }

// broken is the failure of an exchange that the end of the run cut short or
// kept from being sent.
func broken(ctx context.Context) *Failure {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrGivenUp):
		return &Failure{GivenUp, cause.Error()}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Failure{Canceled, deadlineWords}
	}
	return &Failure{Canceled, "the run was interrupted"}
}

// unreached is the failure of an exchange without a connection. ctx is the
// run's: when it ended, the exchange did not fail but was broken off.
func (c *Client) unreached(ctx context.Context, err error) *Failure {
	if ctx.Err() != nil {
		return broken(ctx)
	}
	return &Failure{Unreachable, c.redactor.Text(unreachedWords(err, c.place()))}
}

// unreachedWords tells why there is no connection, and what to do about it.
func unreachedWords(err error, host string) string {
	var dns *net.DNSError
	var op *net.OpError
	var proxy proxyError
	var record tls.RecordHeaderError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &proxy):
		return fmt.Sprintf("the proxy that HTTP_PROXY or HTTPS_PROXY names cannot be used: %s; correct it, or add the target to NO_PROXY", proxy.error)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s does not accept a connection in time; check the base URL", host)
	case errors.As(err, &dns):
		return fmt.Sprintf("the host %s is unknown; check the base URL", dns.Name)
	case isErrno(err, syscall.ECONNREFUSED, 10061):
		return fmt.Sprintf("nothing listens on %s; check the base URL, or whether the service runs", host)
	case errors.As(err, &record):
		return fmt.Sprintf("%s does not speak TLS; try http:// in the base URL", host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the certificate of %s has expired or is not valid yet: %s; renew it, or check the clock", host, invalid.Detail)
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another host: %s; use the host that it names", host, name.Error())
	case errors.As(err, &authority):
		return fmt.Sprintf("the certificate of %s is signed by an unknown authority; give it with --ca-cert", host)
	case errors.As(err, &op) && op.Op == remoteAlert:
		return refusesTLS(host, op)
	case isClosed(err):
		return fmt.Sprintf("%s closed the connection before it could be used; check the base URL", host)
	}
	return fmt.Sprintf("no connection to %s: %s", host, err)
}

// incomplete is the failure of an exchange that had a connection. There may be
// a part of a response.
func (c *Client) incomplete(ctx context.Context, err error, part *Response) *Failure {
	if ctx.Err() != nil {
		return broken(ctx)
	}
	return c.unanswered(err, part)
}

// unanswered is the failure that the target is to answer for, or what stands
// before it.
func (c *Client) unanswered(err error, part *Response) *Failure {
	var op *net.OpError
	switch {
	case c.overLimit(err) != "":
		return &Failure{OverLimit, c.overLimit(err)}
	case isTLSRecord(err):
		return &Failure{Unreachable, expectsTLS(c.place())}
	case errors.As(err, &op) && op.Op == remoteAlert && strings.Contains(op.Err.Error(), "certificate"):
		// TLS 1.3 refuses a client after the client's handshake.
		return &Failure{Unreachable, c.redactor.Text(refusesTLS(c.place(), op))}
	}
	return &Failure{Incomplete, c.redactor.Text(c.incompleteWords(err, part))}
}

// overLimit tells which limit of the harness an answer exceeds, and how to
// raise it. It is empty if the answer exceeds none.
func (c *Client) overLimit(err error) string {
	says := func(words string) bool { return strings.Contains(err.Error(), words) } // of errors that are not exported
	switch {
	case errors.Is(err, errTooLong):
		return fmt.Sprintf("the body is longer than %d bytes; --max-body raises this limit", c.limits.MaxBody)
	case errors.Is(err, errHeaderTooLong), says("header list larger than advertised"), says("1xx informational responses"):
		return fmt.Sprintf("the response header is longer than %d bytes; --max-header raises this limit", c.limits.MaxHeader)
	case says("suspiciously long trailer"):
		return "the trailer of the response is longer than 4096 bytes, the limit of the HTTP library"
	}
	return ""
}

func (c *Client) incompleteWords(err error, part *Response) string {
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded) && part == nil:
		return fmt.Sprintf("no response within %s", c.limits.Timeout)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no complete response within %s", c.limits.Timeout)
	case isClosed(err) && part == nil:
		return "the connection was closed without an answer"
	case isClosed(err):
		return "the connection was closed before the response was complete"
	}
	return "the response is no complete HTTP message: " + text
}

// isClosed says whether the peer ended the connection, in order or not.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		isErrno(err, syscall.ECONNRESET, 10054) || isErrno(err, syscall.EPIPE, 10053)
}

// isErrno looks for an error of the system, which has another number on
// Windows.
func isErrno(err error, number, windows syscall.Errno) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && (errno == number || errno == windows)
}

// remoteAlert is how crypto/tls marks an alert that the peer sent.
const remoteAlert = "remote error"

func refusesTLS(host string, alert *net.OpError) string {
	return fmt.Sprintf("%s refuses the TLS connection: %s; it may want a certificate (--client-cert, --client-key) or another version of TLS", host, alert.Err)
}

func expectsTLS(host string) string { return host + " speaks TLS; try https:// in the base URL" }

// isTLSRecord says whether an answer was no HTTP but an alert of TLS (RFC 8446
// §5.1): type 21, version 3.x.
func isTLSRecord(err error) bool {
	return strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`)
}

// answersForTLS says whether a plain request was answered by a server that
// expects TLS, so that it reached no service.
func answersForTLS(base *url.URL, r *Response) bool {
	if base.Scheme != "http" || r.Status != http.StatusBadRequest {
		return false
	}
	for _, words := range []string{
		"Client sent an HTTP request to an HTTPS server",    // Go
		"The plain HTTP request was sent to HTTPS port",     // nginx
		"speaking plain HTTP to an SSL-enabled server port", // Apache
		"This combination of host and port requires TLS",    // Tomcat
	} {
		if bytes.Contains(r.Body, []byte(words)) {
			return true
		}
	}
	return false
}
