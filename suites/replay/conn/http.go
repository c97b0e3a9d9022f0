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

// maxUnasked is the maximum number of bytes to read of what a peer sends without a request.
const maxUnasked = 128

// http1 is an HTTP/1.1 connection for one exchange after the other. The client of
// net/http would retry some requests by itself, and log the bytes that a target sends
// without a request.
type http1 struct {
	conn      net.Conn
	write     func(*http.Request, io.Writer) error
	maxHeader int64
	inflow    *inflow
	reader    *bufio.Reader // of inflow
	writer    *bufio.Writer // of sending
	sending   *counter      // counts the bytes that were written
	written   chan error    // the result of writing the request
	sent      bool          // the request was written completely
	heard     chan struct{} // closed when the peer sent bytes or closed after the last response
	release   func() bool   // stops watching the request's context
}

// newHTTP1 takes a connection over. maxHeader limits the total bytes of the headers of
// the final response and of the informational responses before it.
func newHTTP1(conn net.Conn, write func(*http.Request, io.Writer) error, maxHeader int64) *http1 {
	in, out := &inflow{Reader: conn, limit: maxHeader}, &counter{Writer: conn}
	return &http1{
		conn: conn, write: write, maxHeader: maxHeader,
		inflow: in, reader: bufio.NewReader(in),
		sending: out, writer: bufio.NewWriter(out),
		written: make(chan error, 1),
	}
}

// RoundTrip sends the request and reads the header of the response. The caller reads
// the body before it calls rest or Close. The end of the request's context closes the
// connection. The error wraps ErrUnsent if the peer received nothing of the request,
// and ErrUnanswered if it closed the connection without a response.
func (h *http1) RoundTrip(request *http.Request) (*http.Response, error) {
	if !h.usable() {
		return nil, ErrUnsent
	}
	h.sent = false
	h.release = context.AfterFunc(request.Context(), func() { abort(h.conn) })
	// The peer may respond or close before it has read the whole request
	// (RFC 9112 §9.3). So reading decides the result, not writing.
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

// receive reads to the end of the header of the final response.
func (h *http1) receive(request *http.Request) (*http.Response, error) {
	if h.heard != nil {
		<-h.heard // its Peek reads the first byte of this response
	}
	begin, _ := h.reader.Peek(len("HTTP/"))
	isHTTP := string(begin) == "HTTP/"[:len(begin)] // begin may be shorter
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
			return nil, fmt.Errorf("%w (%w)", h.inflow.err, err) // the first caused the second
		case err != nil:
			return nil, err
		case response.ProtoMajor != 1 || response.ProtoMinor > 1: // other clients reject this, net/http does not
			return nil, fmt.Errorf("malformed HTTP response: the version %s on a connection of HTTP/1.1", response.Proto)
		case framing != nil:
			return nil, framing
		case response.StatusCode == http.StatusRequestTimeout && h.heard != nil:
			// The peer timed out before it saw this request (RFC 9110 §15.5.9).
			return nil, fmt.Errorf("%w, but 408: %w", ErrUnanswered, io.EOF)
		case response.StatusCode >= 200 || response.StatusCode == http.StatusSwitchingProtocols:
			h.inflow.limit = math.MaxInt64
			response.Body = io.NopCloser(response.Body) // hide Close, which would read to the end
			return response, nil
		}
	}
}

var endOfHead = regexp.MustCompile(`\n\r?\n`)

// framing returns an error if RFC 9112 forbids the header of the next response and clients fail
// on it, although net/http reads it: a line that does not end with CR LF (§2.2), which Node.js
// rejects, white space in the name of a field (§5.1), which makes Python wait, or both
// Transfer-Encoding and Content-Length (§6.2). framing sees only a header that fits into the
// reader's buffer.
func (h *http1) framing() error {
	for n := 1; ; n = max(n+1, h.reader.Buffered()) {
		head, err := h.reader.Peek(n)
		if end := endOfHead.FindIndex(head); end != nil {
			if err := checkLines(head[:end[1]]); err != nil {
				return err
			}
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

// checkLines returns an error for the first line of a header that does not end with CR LF, or that
// has white space in the name of its field. A line that begins with white space continues the field
// before it.
func checkLines(head []byte) error {
	for line := range bytes.Lines(head) {
		text, ends := bytes.CutSuffix(line, []byte("\r\n"))
		name, _, _ := bytes.Cut(line, []byte(":")) // part of a value could be part of a secret, which is not redacted
		space := bytes.IndexAny(text, " \t:")
		switch {
		case !ends || bytes.IndexByte(text, '\r') >= 0:
			return fmt.Errorf("malformed HTTP response: the line of the header that begins with %q does not end with CR LF", name)
		case space > 0 && text[space] != ':' && !bytes.HasPrefix(text, []byte("HTTP/")):
			return fmt.Errorf("malformed HTTP response: the line of the header that begins with %q has white space in the name of its field", name)
		}
	}
	return nil
}

// rest reports whether the connection can be kept, after the response was read
// completely. If so, it starts to watch for unasked bytes.
func (h *http1) rest(response *http.Response) bool {
	const patience = 50 * time.Millisecond // the target has answered, but may still be reading the request
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
	// A server that reads no chunks rejects the request, and takes the chunks for the next one.
	isUnread := len(response.Request.TransferEncoding) > 0 && response.StatusCode/100 == 4
	if isUnread || response.Close || response.Request.Close || h.reader.Buffered() > 0 {
		return false
	}
	h.inflow.limit = h.maxHeader
	h.heard = make(chan struct{})
	go func() {
		_, _ = h.reader.Peek(1) // no request asked for these bytes
		close(h.heard)
	}()
	return true
}

// leave closes this side of the connection and reads until the peer closes the other
// side. It returns the bytes that no request asked for. It closes both sides at once if
// the request was not written completely, or if one side cannot be closed alone.
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
		return nil // 408 only says that no request came (RFC 9110 §15.5.9)
	}
	return bytes.Clone(unasked)
}

// left returns a channel that is closed when the peer sends bytes or closes while the
// connection is idle.
func (h *http1) left() <-chan struct{} { return h.heard }

// usable reports whether another request can be sent, as far as the client knows.
func (h *http1) usable() bool {
	select {
	case <-h.heard:
		return false
	default:
		return true
	}
}

// Close closes the connection.
func (h *http1) Close() error {
	return h.conn.Close()
}

// abort closes a connection without the close message of TLS, which would wait for a
// peer that does not read.
func abort(conn net.Conn) {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	conn.Close()
}

// inflow reads up to a limit, and keeps the last error.
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

type counter struct {
	io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += n
	return n, err
}

// http2 is an HTTP/2 connection for one exchange after the other.
type http2 struct {
	*http.ClientConn
	conn    *tls.Conn
	release func() bool // stops watching the request's context
}

// window is the flow-control window of a response, in bytes. At a round-trip time of
// 20 ms it allows 12 MB per second.
const window = 256 << 10

// newHTTP2 takes over a connection whose handshake chose HTTP/2. maxHeader
// limits the header of a response, in bytes.
func newHTTP2(ctx context.Context, conn *tls.Conn, maxHeader int64) (*http2, error) {
	transport := &http.Transport{
		DialTLSContext:         func(context.Context, string, string) (net.Conn, error) { return conn, nil },
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // see gunzip
		MaxResponseHeaderBytes: maxHeader,
		// The library's default of 4 MiB could stay unread on every connection
		// when a body exceeds its limit.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: window},
	}
	c, err := transport.NewClientConn(ctx, "https", conn.RemoteAddr().String())
	return &http2{ClientConn: c, conn: conn}, err
}

// RoundTrip closes the connection if the request's context ends before rest is called.
// It does not suffice to reset the stream: an endless response body, or a request body
// that the peer does not read, can keep the connection busy.
func (h *http2) RoundTrip(request *http.Request) (*http.Response, error) {
	h.release = context.AfterFunc(request.Context(), func() { abort(h.conn) })
	response, err := h.ClientConn.RoundTrip(request)
	switch {
	case err == nil:
		return response, nil
	case strings.Contains(err.Error(), "client conn not usable"), strings.Contains(err.Error(), "graceful shutdown GOAWAY"):
		// The connection was closed before the peer processed the request, as this side knows
		// or as the peer says (RFC 9113 §6.8). net/http does not export these errors.
		return nil, fmt.Errorf("%w: %w", ErrUnsent, err)
	case strings.Contains(err.Error(), "client conn could not be established"):
		if _, why := h.conn.Read([]byte{0}); why != nil { // the read reports the cause
			err = why
		}
	case IsClosed(err):
		err = fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	return response, err
}

func (h *http2) rest(*http.Response) bool { return h.release() }

// left returns nil: usable already detects the end of an HTTP/2 connection.
func (h *http2) left() <-chan struct{} { return nil }

func (h *http2) usable() bool { return h.Err() == nil && h.Available() > 0 }

// leave closes the connection. It returns nil, because HTTP/2 assigns each response to a
// request.
func (h *http2) leave(time.Duration) []byte {
	_ = h.Close()
	return nil
}

// heard is a connection that hides failed writes to a closed peer once mute is set.
// A TLS 1.3 server may refuse a client that is already sending. A failed write would
// make HTTP/2 close the connection before it reads the reason.
type heard struct {
	net.Conn
	mute bool
}

func (h *heard) Write(p []byte) (int, error) {
	n, err := h.Conn.Write(p)
	if h.mute && err != nil && IsClosed(err) {
		return len(p), nil // the peer has closed, so reading ends too
	}
	return n, err
}
