package fault

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A delivery that breaks off ends the handler with http.ErrAbortHandler. The server then closes the
// connection, or resets the stream of HTTP/2, and does not complete the answer.

// HangUp closes the connection without an answer.
func HangUp(http.ResponseWriter, *http.Request, Answer) { panic(http.ErrAbortHandler) }

// HintAlone sends an informational response and nothing after it.
func HintAlone(w http.ResponseWriter, _ *http.Request, _ Answer) {
	w.WriteHeader(http.StatusEarlyHints)
	panic(http.ErrAbortHandler)
}

// Stall never answers. It ends when the client has gone, which the server notices
// only after it has read the body.
func Stall(_ http.ResponseWriter, r *http.Request, _ Answer) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// Drip sends the header and then spaces, one by one, until the client has gone.
func Drip(w http.ResponseWriter, r *http.Request, a Answer) {
	const pause = 20 * time.Millisecond
	_, _ = io.Copy(io.Discard, r.Body)
	a.begin(w, "")
	for sendPart(w, []byte(" ")) == nil {
		time.Sleep(pause)
	}
	panic(http.ErrAbortHandler)
}

// CutOff breaks off in the middle of a body whose length was announced.
func CutOff(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, strconv.Itoa(len(a.Body)))
	_ = sendPart(w, a.Body[:len(a.Body)/2])
	panic(http.ErrAbortHandler)
}

// CutOffChunks breaks off before the last chunk.
func CutOffChunks(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, "")
	_ = sendPart(w, a.Body)
	panic(http.ErrAbortHandler)
}

// InParts sends a body without its length: in chunks of one byte.
func InParts(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, "")
	for i := range a.Body {
		_ = sendPart(w, a.Body[i:i+1])
	}
}

// LaterBody sends the header at once and the body after a pause.
func LaterBody(pause time.Duration) Delivery {
	return func(w http.ResponseWriter, _ *http.Request, a Answer) {
		a.begin(w, "")
		_ = sendPart(w, nil)
		time.Sleep(pause)
		_, _ = w.Write(a.Body)
	}
}

// begin sends only the header, with this Content-Length. If length is empty, it sends no
// Content-Length.
func (a Answer) begin(w http.ResponseWriter, length string) {
	head := Answer{Status: a.Status, Header: a.Header}
	head.Header.Del("Content-Length")
	if length != "" {
		head.Header.Set("Content-Length", length)
	}
	head.writeTo(w)
}

// sendPart sends a part of a body at once.
func sendPart(w http.ResponseWriter, part []byte) error {
	if _, err := w.Write(part); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// Trailing sends a field after the body (RFC 9110 §6.5).
func Trailing(w http.ResponseWriter, _ *http.Request, a Answer) {
	const field = "X-Bytes"
	a.Header.Set("Trailer", field)
	a.begin(w, "")
	_, _ = w.Write(a.Body)
	w.Header().Set(field, strconv.Itoa(len(a.Body)))
}

// Hinting sends informational responses first (RFC 9110 §15.2, RFC 8297).
func Hinting(statuses ...int) Delivery {
	return func(w http.ResponseWriter, _ *http.Request, a Answer) {
		w.Header().Set("Link", "</>; rel=self")
		for _, s := range statuses {
			w.WriteHeader(s)
		}
		w.Header().Del("Link")
		a.writeTo(w)
	}
}

// Compressed sends the body as gzip to clients that accept it.
func Compressed(w http.ResponseWriter, r *http.Request, a Answer) {
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		CompressedForAll(w, r, a)
		return
	}
	a.writeTo(w)
}

// CompressedForAll sends the body as gzip, even if the client does not accept it.
func CompressedForAll(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.Header.Set("Content-Encoding", "gzip")
	a.WithBody(InGzip(string(a.Body))).writeTo(w)
}

// LateBy waits before the answer.
func LateBy(d time.Duration) Delivery {
	return func(w http.ResponseWriter, r *http.Request, a Answer) {
		pause(&Request{Request: r}, d)
		a.writeTo(w)
	}
}

// Reset resets the connection, as an operating system does for a process that died.
func Reset(w http.ResponseWriter, r *http.Request, _ Answer) {
	connection, _ := takeOver(w, r)
	reset(connection)
}

// ResetAfter sends the answer and resets the connection a moment later.
func ResetAfter(w http.ResponseWriter, r *http.Request, a Answer) {
	const pause = 2 * time.Millisecond
	connection, out := takeOver(w, r)
	defer reset(connection)
	_, _ = out.WriteString(Message("HTTP/1.1 %d OK")(a))
	_ = out.Flush()
	time.Sleep(pause)
}

func reset(connection net.Conn) {
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

// Verbatim sends these bytes as the whole answer and closes the connection. It needs HTTP/1: with
// HTTP/2, it breaks off without an answer.
func Verbatim(format func(a Answer) string) Delivery { return InTwoParts(format, nothingMore, 0) }

// ClosedAfter sends the answer and closes the connection a moment later.
func ClosedAfter(d time.Duration) Delivery {
	return InTwoParts(Message("HTTP/1.1 %d OK"), nothingMore, d)
}

func nothingMore(Answer) string { return "" }

// InTwoParts sends the answer, waits, and sends unrequested bytes. Then it closes the connection.
func InTwoParts(format, more func(a Answer) string, pause time.Duration) Delivery {
	return func(w http.ResponseWriter, r *http.Request, a Answer) {
		connection, out := takeOver(w, r)
		defer connection.Close()
		_, _ = out.WriteString(format(a))
		if out.Flush() != nil {
			return
		}
		time.Sleep(pause)
		_, _ = out.WriteString(more(a))
		_ = out.Flush()
	}
}

// takeOver takes the connection from the server. It reads the rest of the request
// first: if a connection is closed before everything is read, it is reset, and the
// client may lose the answer.
func takeOver(w http.ResponseWriter, r *http.Request) (net.Conn, *bufio.Writer) {
	_, _ = io.Copy(io.Discard, r.Body)
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil { // HTTP/2
		panic(http.ErrAbortHandler)
	}
	return connection, buffered.Writer
}

// Message formats the answer as HTTP/1. In the first line, %d is the status. The names of the
// header fields are in lower case. lines are added after them.
func Message(first string, lines ...string) func(a Answer) string {
	return func(a Answer) string {
		var b strings.Builder
		fmt.Fprintf(&b, first+"\r\n", a.Status)
		for _, name := range slices.Sorted(maps.Keys(a.Header)) {
			for _, value := range a.Header[name] {
				fmt.Fprintf(&b, "%s: %s\r\n", strings.ToLower(name), value)
			}
		}
		for _, line := range lines {
			b.WriteString(line + "\r\n")
		}
		b.WriteString("\r\n")
		b.Write(a.Body)
		return b.String()
	}
}
