package conn

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// maxUnasked is how much is read of what a peer sends unasked, in bytes.
const maxUnasked = 128

// http1 is a connection on which HTTP/1.1 is spoken, one exchange after the
// other. net/http's would send some requests a second time on its own, and
// write to the console what a target sends unasked.
type http1 struct {
	conn      net.Conn
	write     func(*http.Request, io.Writer) error
	maxHeader int64
	inflow    *inflow
	reader    *bufio.Reader // of inflow
	writer    *bufio.Writer // of sending
	sending   *counter      // of the bytes that were written
	written   chan error    // what came of writing the request
	sent      bool          // the request was written to its end
	heard     chan struct{} // closed when the peer spoke or left after the last answer
	release   func() bool   // of the request's context
}

// newHTTP1 takes a connection over. maxHeader bounds the header of a response
// and of those that come before the final one, in bytes.
func newHTTP1(conn net.Conn, write func(*http.Request, io.Writer) error, maxHeader int64) *http1 {
	in, out := &inflow{Reader: conn, limit: maxHeader}, &counter{Writer: conn}
	return &http1{
		conn: conn, write: write, maxHeader: maxHeader,
		inflow: in, reader: bufio.NewReader(in),
		sending: out, writer: bufio.NewWriter(out),
		written: make(chan error, 1),
	}
}

// RoundTrip sends the request and reads the header of the response. The body
// is to be read before rest or Close is called. When the request's context
// ends, so does the connection. The error wraps ErrUnsent if the peer cannot
// have got anything of the request, and ErrUnanswered if it closed the
// connection instead of an answer.
func (h *http1) RoundTrip(request *http.Request) (*http.Response, error) {
	if !h.usable() {
		return nil, ErrUnsent
	}
	h.sent = false
	h.release = context.AfterFunc(request.Context(), func() { abort(h.conn) })
	// The peer may answer, or leave, before it has read the whole request
	// (RFC 9112 §9.3): what can be read decides, not what could be written.
	h.sending.n = 0
	go func() {
		err := write(request, h.writer, h.write)
		if err == nil {
			err = h.writer.Flush()
		}
		h.written <- err
	}()
	response, err := h.receive(request)
	if err == nil {
		return response, nil
	}
	silent := h.inflow.limit == h.maxHeader
	abort(h.conn)
	switch failed := <-h.written; {
	case failed != nil && h.sending.n == 0:
		err = fmt.Errorf("%w: %w", ErrUnsent, err)
	case silent && IsClosed(err):
		err = fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return nil, err
}

// receive reads up to the end of the final response's header.
func (h *http1) receive(request *http.Request) (*http.Response, error) {
	if h.heard != nil {
		<-h.heard // its read is the first one of this response
	}
	begin, _ := h.reader.Peek(len("HTTP/"))
	isHTTP := string(begin) == "HTTP/"[:len(begin)] // also if the limit leaves less of it
	for {
		var framing error
		if isHTTP {
			framing = h.framing()
		}
		response, err := http.ReadResponse(h.reader, request)
		switch {
		case errors.Is(h.inflow.err, errHeaderTooLong) && !isHTTP:
			return nil, fmt.Errorf("malformed HTTP response %q", begin)
		case err != nil && h.inflow.err != nil:
			return nil, fmt.Errorf("%w (%w)", h.inflow.err, err) // the second follows from the first
		case err != nil:
			return nil, err
		case response.ProtoMajor != 1: // net/http reads on, and other clients do not
			return nil, fmt.Errorf("malformed HTTP response: the version %s on a connection of HTTP/1.1", response.Proto)
		case framing != nil:
			return nil, framing
		case response.StatusCode == http.StatusRequestTimeout && h.heard != nil:
			// The peer has waited too long for a request, and did not see this one (RFC 9110 §15.5.9).
			return nil, fmt.Errorf("%w, but 408: %w", ErrUnanswered, io.EOF)
		case response.StatusCode >= 200 || response.StatusCode == http.StatusSwitchingProtocols:
			h.inflow.limit = math.MaxInt64
			response.Body = io.NopCloser(response.Body) // its Close would read to the end
			return response, nil
		}
	}
}

var endOfHead = regexp.MustCompile(`\n\r?\n`)

// framing looks at the header of the next response, if it is no longer than the reader's
// buffer, for what net/http keeps to itself: two lengths of one body, which no sender may
// send (RFC 9112 §6.2) and over which clients fail.
func (h *http1) framing() error {
	for n := 1; ; n = max(n+1, h.reader.Buffered()) {
		head, err := h.reader.Peek(n)
		if end := endOfHead.FindIndex(head); end != nil {
			head = bytes.ToLower(head[:end[0]])
			if bytes.Contains(head, []byte("\ntransfer-encoding:")) && bytes.Contains(head, []byte("\ncontent-length:")) {
				return errors.New("malformed HTTP response: both Transfer-Encoding and Content-Length")
			}
			return nil
		}
		if err != nil {
			return nil //nolint:nilerr // who reads the response gets it as well
		}
	}
}

// rest keeps the connection for a next exchange, if that can be, now that the
// response was read to its end.
func (h *http1) rest(response *http.Response) bool {
	const patience = 50 * time.Millisecond // with a target that has answered and still reads
	if !h.release() || response.StatusCode < 200 {
		return false
	}
	select {
	case err := <-h.written:
		if h.sent = err == nil; !h.sent {
			return false
		}
	case <-time.After(patience):
		return false
	}
	if response.Close || response.Request.Close || h.reader.Buffered() > 0 {
		return false
	}
	h.inflow.limit = h.maxHeader
	h.heard = make(chan struct{})
	go func() {
		_, _ = h.reader.Peek(1) // whatever comes of it, it comes unasked
		close(h.heard)
	}()
	return true
}

// leave closes this side of the connection and reads until the peer has closed
// the other: what it still sends, no request asked for. A connection on which
// the request was not written to its end, or that cannot be closed on one side,
// is closed at once.
func (h *http1) leave(within time.Duration) []byte {
	defer abort(h.conn)
	timer := time.AfterFunc(within, func() { abort(h.conn) })
	defer timer.Stop()
	half, ok := h.conn.(interface{ CloseWrite() error })
	if !ok || !h.sent || half.CloseWrite() != nil {
		abort(h.conn)
	}
	if h.heard != nil {
		<-h.heard
	}
	if h.reader.Buffered() == 0 {
		h.inflow.limit = maxUnasked
		_, _ = h.reader.Peek(1)
	}
	unasked, _ := h.reader.Peek(min(h.reader.Buffered(), maxUnasked))
	if bytes.HasPrefix(unasked, []byte("HTTP/1.1 408 ")) || bytes.HasPrefix(unasked, []byte("HTTP/1.0 408 ")) {
		return nil // it only says that no request came (RFC 9110 §15.5.9)
	}
	return bytes.Clone(unasked)
}

// left is closed when the peer spoke or left while the connection rested.
func (h *http1) left() <-chan struct{} { return h.heard }

// usable reports whether a next request can be sent, as far as is known.
func (h *http1) usable() bool {
	select {
	case <-h.heard:
		return false
	default:
		return true
	}
}

// Close ends the connection.
func (h *http1) Close() error {
	return h.conn.Close()
}

// abort ends a connection without a word: TLS would say goodbye first, and wait
// for a peer that takes nothing.
func abort(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	conn.Close()
}

// inflow reads up to a limit, and remembers why it reads no more.
type inflow struct {
	io.Reader
	limit int64 // bytes that may still be read
	err   error
}

func (f *inflow) Read(p []byte) (int, error) {
	if f.limit <= 0 {
		f.err = errHeaderTooLong
		return 0, f.err
	}
	n, err := f.Reader.Read(p[:min(int64(len(p)), f.limit)])
	f.limit -= int64(n)
	f.err = err
	return n, err
}

// counter counts the bytes that were written.
type counter struct {
	io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += n
	return n, err
}

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
