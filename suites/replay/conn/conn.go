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
	// [ErrUnanswered] if the peer closed the connection before the first byte.
	RoundTrip(request *http.Request) (*http.Response, error)
	// rest reports whether the connection can be kept after this response. If so,
	// it starts to watch the connection.
	rest(response *http.Response) bool
	// left returns a channel that is closed when the peer sends bytes on the idle
	// connection or closes it. It is nil if the protocol itself detects such bytes.
	left() <-chan struct{}
	// usable reports whether the connection is still open, as far as the client knows.
	usable() bool
	// leave closes the connection after a complete response. It waits at most
	// within for the peer to close its side, and returns the bytes that the peer
	// sent without a request.
	leave(within time.Duration) (unasked []byte)
	io.Closer
}

// A Conn is a connection to the target, for one exchange at a time.
type Conn struct {
	protocol
	used   bool          // kept from an earlier exchange
	took   time.Duration // duration of the last exchange
	rested time.Time     // when it became idle
	last   *Handover     // of the last exchange, while the connection is idle
}

// Used reports whether the connection was kept from an earlier exchange.
func (c *Conn) Used() bool { return c.used }

// settles returns how long to watch what the peer does after its response.
func (c *Conn) settles() time.Duration {
	return min(max(settle, perSettle*c.took), maxSettle)
}

// isWatched reports whether the connection is still being watched after its last response.
func (c *Conn) isWatched() bool {
	return c.left() != nil && time.Since(c.rested) < c.settles() && c.usable()
}

// release hands the last exchange over, with the bytes that arrived after its response.
func (c *Conn) release(unasked []byte) {
	if c.last != nil {
		c.last.Release(unasked)
		c.last = nil
	}
}

// A Handover hands an exchange over as soon as nothing can be added to it.
//
// A target may send bytes that no request asked for, and it may send them
// late. An idle connection therefore holds its last exchange until its next
// use or its end, so that those bytes always become part of an exchange.
type Handover struct {
	mu      sync.Mutex
	holders int
	unasked []byte
	give    func(unasked []byte)
}

// NewHandover returns a Handover with one holder, the code that does the exchange.
func NewHandover(give func(unasked []byte)) *Handover {
	return &Handover{holders: 1, give: give}
}

// hold adds a holder. The exchange then waits for one more Release.
func (h *Handover) hold() *Handover {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holders++
	return h
}

// Release removes a holder and adds the unasked bytes. The call of the last holder hands
// the exchange over before it returns.
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
	// ErrUnsent reports that the peer cannot act on the request, because it got
	// nothing of the request or refused it.
	ErrUnsent = errors.New("nothing was sent")
	// ErrUnanswered reports that the peer closed the connection before the first byte
	// of a response. On a kept connection the request need not be the cause.
	ErrUnanswered = errors.New("closed before one byte of an answer")
	// errHeaderTooLong reports a response header that exceeds the limit.
	errHeaderTooLong = errors.New("header too long")
)

// Unreached returns a sentence that says why there is no connection to a place, and
// what to do about it. err is the error of [Pool.Dial].
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

// TLSFault returns a sentence that says how TLS prevented a response, and what to do
// about it. It is empty if err has another cause.
func TLSFault(err error, place string) string {
	var op *net.OpError
	switch {
	case strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`): // an alert (RFC 8446 §5.1): type 21, version 3.x
		return ExpectsTLS(place)
	case errors.As(err, &op) && op.Op == remoteAlert && strings.Contains(op.Err.Error(), "certificate"):
		return refusesTLS(place, op) // a TLS 1.3 server refuses a client after the client's handshake
	}
	return ""
}

// ExpectsTLS returns a sentence that says that the server at a place expects TLS.
func ExpectsTLS(place string) string { return place + " speaks TLS; try https:// in the base URL" }

// remoteAlert is the Op with which crypto/tls marks an alert from the peer.
const remoteAlert = "remote error"

func refusesTLS(place string, alert *net.OpError) string {
	return fmt.Sprintf("%s refuses the TLS connection: %s; it may want a certificate (--client-cert, --client-key) or another version of TLS", place, alert.Err)
}

// IsClosed reports whether the peer closed or reset the connection.
func IsClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		isErrno(err, syscall.ECONNRESET, 10054) || isErrno(err, syscall.EPIPE, 10053)
}

// isErrno reports whether err is a system error. Windows uses another number for it.
func isErrno(err error, number, windows syscall.Errno) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && (errno == number || errno == windows)
}

// IsHeaderTooLong reports whether a response's header exceeds the limit. It compares
// texts for HTTP/2, because net/http does not export these errors.
func IsHeaderTooLong(err error) bool {
	return errors.Is(err, errHeaderTooLong) || strings.Contains(err.Error(), "header list larger than advertised") ||
		strings.Contains(err.Error(), "1xx informational responses")
}
