package conn

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxBuffered is the number of body bytes that net/http buffers before it writes the
// header. A body that is not longer gets a Content-Length.
const maxBuffered = 2048

// handled is a protocol that calls a handler instead of using a connection. It responds
// as net/http does over HTTP/1.1, without Date. A panic of the handler looks like a
// closed connection. The handler cannot hijack the connection, and it must return soon
// after its request's context ends.
type handled struct {
	handler http.Handler
	maxBody int64 // bytes that it may write
}

// RoundTrip calls the handler in this goroutine.
func (h *handled) RoundTrip(request *http.Request) (*http.Response, error) {
	received, err := receivedRequest(request)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(request.Context())
	defer cancel()
	w := &recorder{ctx: ctx, head: request.Method == http.MethodHead, room: h.maxBody, length: -1, sniffed: -1, header: http.Header{}}
	panicked := w.serve(h.handler, received.WithContext(ctx))
	end := error(nil)
	switch {
	case request.Context().Err() != nil:
		end = context.Cause(request.Context())
	case panicked && w.flushed:
		end = io.ErrUnexpectedEOF
	case panicked:
		end = io.EOF
	}
	if end != nil && !w.flushed {
		return nil, end
	}
	return w.response(request, end), nil
}

func (h *handled) rest(*http.Response) bool   { return true }
func (h *handled) left() <-chan struct{}      { return nil }
func (h *handled) usable() bool               { return true }
func (h *handled) leave(time.Duration) []byte { return nil }
func (h *handled) Close() error               { return nil }

// receivedRequest returns the request as a server receives it.
func receivedRequest(sent *http.Request) (*http.Request, error) {
	var wire bytes.Buffer
	if err := sent.Write(&wire); err != nil {
		return nil, err
	}
	received, err := http.ReadRequest(bufio.NewReaderSize(&wire, min(wire.Len(), 4<<10)))
	if err != nil {
		return nil, err
	}
	received.RemoteAddr = "127.0.0.1:65535"
	return received, nil
}

// recorder is the [http.ResponseWriter] of a handler without a connection.
type recorder struct {
	ctx     context.Context // of the request, until the handler returns
	head    bool            // the method is HEAD
	room    int64           // bytes of the body that may still be written
	header  http.Header
	status  int         // 0 until the header is written
	sent    http.Header // the header when WriteHeader was called
	length  int64       // Content-Length that the handler set; -1 if none, -2 if invalid
	written int64       // bytes that the handler passed to Write
	sniffed int         // length of the body at the first flush, or -1
	body    bytes.Buffer
	flushed bool // a server would already have sent bytes
}

// serve reports whether the handler panicked.
func (w *recorder) serve(handler http.Handler, r *http.Request) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	handler.ServeHTTP(w, r)
	return false
}

func (w *recorder) Header() http.Header { return w.header }

// WriteHeader records the status and a copy of the header. It ignores an informational
// status other than 101.
func (w *recorder) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("invalid WriteHeader code %d", status)) // as net/http does
	}
	if w.status != 0 || status < 200 && status != http.StatusSwitchingProtocols {
		return
	}
	w.status = status
	w.sent = make(http.Header, len(w.header)+2)
	for name, values := range w.header {
		name = http.CanonicalHeaderKey(name)
		w.sent[name] = append(w.sent[name], values...)
	}
	if text := w.sent.Get("Content-Length"); text != "" {
		if length, err := strconv.ParseInt(text, 10, 64); err == nil && length >= 0 {
			w.length = length
		} else {
			w.sent.Del("Content-Length")
			w.length = -2 // so that complete does not set another one
		}
	}
}

// Write fails in the same cases as the Write of a server, and when the body exceeds the
// limit of the client.
func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if !hasBody(w.status) {
		return 0, http.ErrBodyNotAllowed
	}
	w.written += int64(len(p))
	switch {
	case w.ctx.Err() != nil:
		return 0, w.ctx.Err()
	case w.length >= 0 && w.written > w.length:
		return 0, http.ErrContentLength
	case w.room == 0:
		panic(http.ErrAbortHandler) // the handler ignored the error of the last Write
	}
	taken := p[:min(int64(len(p)), w.room)]
	w.room -= int64(len(taken))
	w.body.Write(taken)
	w.flushed = w.flushed || w.body.Len() > maxBuffered
	if len(taken) < len(p) {
		return len(taken), errors.New("the client reads no more")
	}
	return len(p), nil
}

// FlushError marks the bytes that are written so far as sent.
func (w *recorder) FlushError() error {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.flushed {
		w.flushed, w.sniffed = true, w.body.Len()
	}
	return w.ctx.Err()
}

func (w *recorder) Flush() { _ = w.FlushError() }

// response returns the response that a client gets. Its body ends with an error if the
// handler panicked or wrote too little.
func (w *recorder) response(request *http.Request, end error) *http.Response {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	body := w.body.Bytes()
	w.complete(body)
	if w.head {
		body = nil
	}
	var reader io.Reader = bytes.NewReader(body)
	if int64(len(body)) < w.length {
		end = cmp.Or(end, io.ErrUnexpectedEOF)
	}
	if !w.head && hasBody(w.status) && end != nil {
		reader = io.MultiReader(reader, brokenOff{end})
	}
	return &http.Response{StatusCode: w.status, Header: w.sent, ContentLength: max(-1, w.length), Body: io.NopCloser(reader), Request: request}
}

// complete adds and removes header fields as a server does.
func (w *recorder) complete(body []byte) {
	if !hasBody(w.status) {
		w.sent.Del("Content-Length")
		if w.status == http.StatusNotModified {
			w.sent.Del("Content-Type")
		}
		return
	}
	coded := w.sent.Get("Transfer-Encoding") != ""
	w.sent.Del("Transfer-Encoding")
	if w.length == -1 && !w.flushed && !coded && (!w.head || len(body) > 0) {
		w.sent["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	_, typed := w.sent["Content-Type"]
	if w.sniffed >= 0 {
		body = body[:w.sniffed]
	}
	if !typed && !coded && len(body) > 0 && w.sent.Get("Content-Encoding") == "" {
		w.sent["Content-Type"] = []string{http.DetectContentType(body)}
	}
}

func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// brokenOff is a reader that ends an incomplete body with an error.
type brokenOff struct{ err error }

func (b brokenOff) Read([]byte) (int, error) { return 0, b.err }
