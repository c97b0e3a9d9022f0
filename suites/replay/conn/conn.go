package conn

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// protocol is a connection, and the protocol that is spoken on it.
type protocol interface {
	// RoundTrip sends a request and reads the header of its response. The
	// error wraps [ErrUnsent] if the peer cannot act on the request, and
	// [ErrUnanswered] if the peer closed the connection before it sent one byte.
	RoundTrip(request *http.Request) (*http.Response, error)
	// rest reports whether the connection can be kept after that response, and
	// watches it from then on.
	rest(response *http.Response) bool
	// left is closed when the peer spoke on the connection at rest or ended it.
	// It is nil if the protocol itself tells an answer from other bytes.
	left() <-chan struct{}
	// usable reports whether the connection is still open, as far as is known.
	usable() bool
	// leave ends the connection in order after a response was read to its end.
	// It returns what the peer sent that no request asked for, and waits for
	// the peer to close its side, but not longer than that.
	leave(within time.Duration) (unasked []byte)
	io.Closer
}

// Conn is a connection to the target, for one exchange at a time.
type Conn struct {
	protocol
	used   bool          // kept from an earlier exchange
	took   time.Duration // the last exchange
	rested time.Time     // since when
	last   *Handover     // of the exchange that used it last, while it rests
}

// Used reports whether the connection was kept from an earlier exchange.
func (c *Conn) Used() bool { return c.used }

// settles is how long it takes to see what the peer does after its answer.
func (c *Conn) settles() time.Duration {
	return min(max(settle, perSettle*c.took), maxSettle)
}

// isWatched reports whether the peer may still do something after its answer.
func (c *Conn) isWatched() bool {
	return c.left() != nil && time.Since(c.rested) < c.settles() && c.usable()
}

// release hands the last exchange over, with what arrived after its answer.
func (c *Conn) release(unasked []byte) {
	if c.last != nil {
		c.last.Release(unasked)
		c.last = nil
	}
}

// Handover hands an exchange over as soon as nothing can be added to it.
//
// A target may send bytes that no request asked for, and it may send them
// late. A connection at rest therefore holds its last exchange until its next
// use or its end, so that those bytes always become part of an exchange.
type Handover struct {
	mu      sync.Mutex
	holders int
	unasked []byte
	give    func(unasked []byte)
}

// NewHandover has one holder, who makes the exchange.
func NewHandover(give func(unasked []byte)) *Handover {
	return &Handover{holders: 1, give: give}
}

// hold keeps the exchange back until one more release.
func (h *Handover) hold() *Handover {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holders++
	return h
}

// Release adds what came unasked. The last holder's call hands the exchange
// over before it returns.
func (h *Handover) Release(unasked []byte) {
	h.mu.Lock()
	if h.unasked == nil {
		h.unasked = unasked
	}
	h.holders--
	last := h.holders == 0
	h.mu.Unlock()
	if last {
		h.give(h.unasked)
	}
}

var (
	// ErrUnsent is why a connection did not serve: the peer cannot act on the
	// request, because it got nothing of it or said so.
	ErrUnsent = errors.New("nothing was sent")
	// ErrUnanswered is why there is no response: the peer closed the connection
	// before it sent one byte. On a connection that was kept this says nothing
	// about the request.
	ErrUnanswered = errors.New("closed before one byte of an answer")
	// errHeaderTooLong is why a response's header is not read to its end.
	errHeaderTooLong = errors.New("header too long")
)

// Unreached says in a sentence why there is no connection to a place, and what
// to do about it. err is that of [Pool.Dial].
func Unreached(err error, place string) string {
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
		return fmt.Sprintf("%s does not accept a connection in time; check the base URL", place)
	case errors.As(err, &dns):
		return fmt.Sprintf("the host %s is unknown; check the base URL", dns.Name)
	case isErrno(err, syscall.ECONNREFUSED, 10061):
		return fmt.Sprintf("nothing listens on %s; check the base URL, or whether the service runs", place)
	case errors.As(err, &record):
		return fmt.Sprintf("%s does not speak TLS; try http:// in the base URL", place)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the certificate of %s has expired or is not valid yet: %s; renew it, or check the clock", place, invalid.Detail)
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another host: %s; use the host that it names", place, name.Error())
	case errors.As(err, &authority):
		return fmt.Sprintf("the certificate of %s is signed by an unknown authority; give it with --ca-cert", place)
	case errors.As(err, &op) && op.Op == remoteAlert:
		return refusesTLS(place, op)
	case IsClosed(err):
		return fmt.Sprintf("%s closed the connection before it could be used; check the base URL", place)
	}
	return fmt.Sprintf("no connection to %s: %s", place, err)
}

// TLSFault says in a sentence that TLS was the obstacle to an answer, and what to
// do about it. It is empty if err has another cause.
func TLSFault(err error, place string) string {
	var op *net.OpError
	switch {
	case strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`): // an alert (RFC 8446 §5.1): type 21, version 3.x
		return ExpectsTLS(place)
	case errors.As(err, &op) && op.Op == remoteAlert && strings.Contains(op.Err.Error(), "certificate"):
		return refusesTLS(place, op) // TLS 1.3 refuses a client after the client's handshake
	}
	return ""
}

// ExpectsTLS says that a place answers plain HTTP as a server does that expects
// TLS.
func ExpectsTLS(place string) string { return place + " speaks TLS; try https:// in the base URL" }

// remoteAlert is how crypto/tls marks an alert that the peer sent.
const remoteAlert = "remote error"

func refusesTLS(place string, alert *net.OpError) string {
	return fmt.Sprintf("%s refuses the TLS connection: %s; it may want a certificate (--client-cert, --client-key) or another version of TLS", place, alert.Err)
}

// IsClosed reports whether the peer ended the connection, in order or not.
func IsClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		isErrno(err, syscall.ECONNRESET, 10054) || isErrno(err, syscall.EPIPE, 10053)
}

// isErrno looks for an error of the system, which has another number on
// Windows.
func isErrno(err error, number, windows syscall.Errno) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && (errno == number || errno == windows)
}

// IsHeaderTooLong reports whether a response's header exceeds the limit. The errors
// of HTTP/2 are not exported.
func IsHeaderTooLong(err error) bool {
	return errors.Is(err, errHeaderTooLong) || strings.Contains(err.Error(), "header list larger than advertised") ||
		strings.Contains(err.Error(), "1xx informational responses")
}
