package conn

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// http2 is a connection on which HTTP/2 is spoken, one exchange after the
// other.
type http2 struct {
	*http.ClientConn
	conn    *tls.Conn
	release func() bool // of the request's context
}

// window is how many bytes of a response may be under way: at a round trip of
// 20 ms it lets 12 MB a second through.
const window = 256 << 10

// newHTTP2 takes over a connection whose handshake chose HTTP/2. maxHeader
// bounds the header of a response, in bytes.
func newHTTP2(ctx context.Context, conn *tls.Conn, maxHeader int64) (*http2, error) {
	transport := &http.Transport{
		DialTLSContext:         func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // see gunzip
		MaxResponseHeaderBytes: maxHeader,
		// The library's own, 4 MiB, may lie unread on every connection when
		// what is read of a body ends at its limit.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: window},
	}
	c, err := transport.NewClientConn(ctx, "https", conn.RemoteAddr().String())
	return &http2{ClientConn: c, conn: conn}, err
}

// RoundTrip ends the connection when the request's context ends, until rest is
// called. To end the stream alone is not enough: a response whose body does not
// end, or a request whose body the peer does not take, can keep it busy.
func (h *http2) RoundTrip(request *http.Request) (*http.Response, error) {
	h.release = context.AfterFunc(request.Context(), func() { abort(h.conn) })
	response, err := h.ClientConn.RoundTrip(request)
	switch {
	case err == nil:
		return response, nil
	case strings.Contains(err.Error(), "client conn not usable"), strings.Contains(err.Error(), "graceful shutdown GOAWAY"):
		// The connection was shut down before the request counted: by this side's knowledge,
		// or by the peer's word (RFC 9113 §6.8). The errors are not exported.
		return nil, fmt.Errorf("%w: %w", ErrUnsent, err)
	case strings.Contains(err.Error(), "client conn could not be established"):
		if _, why := h.conn.Read([]byte{0}); why != nil { // which it was told first
			err = why
		}
	case IsClosed(err):
		err = fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return response, err
}

func (h *http2) rest(*http.Response) bool { return h.release() }

// left is nil: the end of an HTTP/2 connection is announced, and usable knows.
func (h *http2) left() <-chan struct{} { return nil }

func (h *http2) usable() bool { return h.Err() == nil && h.Available() > 0 }

// leave closes the connection. A frame without a request is not an answer, so nothing
// counts as unasked.
func (h *http2) leave(time.Duration) []byte {
	_ = h.Close()
	return nil
}

// heard is a connection whose end is learnt by reading alone, once mute is set.
// TLS 1.3 refuses a client when that may be sending already, and a write that
// fails would make HTTP/2 close the connection before it has read why.
type heard struct {
	net.Conn
	mute bool
}

func (h *heard) Write(p []byte) (int, error) {
	n, err := h.Conn.Write(p)
	if h.mute && err != nil && IsClosed(err) {
		return len(p), nil // the peer has closed, so reading ends as well
	}
	return n, err
}
