package fault

import (
	"bufio"
	"compress/gzip"
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

// InTwoParts sends the answer, and after a pause something that nobody asked
// for.
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

// ClosedAfter sends the answer and closes the connection a moment later.
func ClosedAfter(d time.Duration) Delivery {
	return InTwoParts(Message("HTTP/1.1 %d OK"), func(Answer) string { return "" }, d)
}

// ResetAfter sends the answer and resets the connection once it is read.
func ResetAfter(w http.ResponseWriter, r *http.Request, a Answer) {
	const pause = 2 * time.Millisecond
	connection, out := takeOver(w, r)
	_, _ = out.WriteString(Message("HTTP/1.1 %d OK")(a))
	_ = out.Flush()
	time.Sleep(pause)
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}

// LaterBody sends the header at once and the body after a pause.
func LaterBody(d time.Duration) Delivery {
	return func(w http.ResponseWriter, _ *http.Request, a Answer) {
		a.begin(w, "")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(d)
		_, _ = w.Write(a.Body)
	}
}

// Deliveries that break off end the handler with http.ErrAbortHandler: the
// server then closes the connection, or resets the stream of HTTP/2, without
// completing the answer.

// HangUp ends the connection without an answer.
func HangUp(http.ResponseWriter, *http.Request, Answer) { panic(http.ErrAbortHandler) }

// Reset ends the connection as an operating system does for a process that has
// died.
func Reset(w http.ResponseWriter, r *http.Request, _ Answer) {
	connection, _ := takeOver(w, r)
	defer connection.Close()
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

// Stall never answers. It ends when the client has gone, which the server
// notices only once the body has been read.
func Stall(_ http.ResponseWriter, r *http.Request, _ Answer) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// Drip sends the header and then one space after the other, until the client
// has gone.
func Drip(w http.ResponseWriter, r *http.Request, a Answer) {
	const pause = 20 * time.Millisecond
	_, _ = io.Copy(io.Discard, r.Body)
	flow(w, a, func() string {
		time.Sleep(pause)
		return " "
	})
}

// flow sends the header and parts of a body until that fails.
func flow(w http.ResponseWriter, a Answer, part func() string) {
	a.begin(w, "")
	for {
		if _, err := io.WriteString(w, part()); err != nil {
			panic(http.ErrAbortHandler)
		}
		if http.NewResponseController(w).Flush() != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// begin sends the header alone, with a Content-Length or, where that is empty,
// with none.
func (a Answer) begin(w http.ResponseWriter, length string) {
	head := Answer{Status: a.Status, Header: a.Header}
	head.Header.Del("Content-Length")
	if length != "" {
		head.Header.Set("Content-Length", length)
	}
	head.writeTo(w)
}

// CutOff breaks off in the middle of a body whose length was announced.
func CutOff(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, strconv.Itoa(len(a.Body)))
	_, _ = w.Write(a.Body[:len(a.Body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// CutOffChunks breaks off where the last chunk is due.
func CutOffChunks(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, "")
	_, _ = w.Write(a.Body)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// InParts sends a body of unknown length: in chunks, each byte by itself.
func InParts(w http.ResponseWriter, _ *http.Request, a Answer) {
	a.begin(w, "")
	for i := range a.Body {
		_, _ = w.Write(a.Body[i : i+1])
		_ = http.NewResponseController(w).Flush()
	}
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
		w.Header().Set("Link", "</plants>; rel=self")
		for _, s := range statuses {
			w.WriteHeader(s)
		}
		w.Header().Del("Link")
		a.writeTo(w)
	}
}

// HintAlone sends an informational response and nothing after it.
func HintAlone(w http.ResponseWriter, _ *http.Request, _ Answer) {
	w.WriteHeader(http.StatusEarlyHints)
	panic(http.ErrAbortHandler)
}

// Compressed sends the body as gzip to clients that take it, so much of it as
// is told in percent.
func Compressed(percent int) Delivery {
	return func(w http.ResponseWriter, r *http.Request, a Answer) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			a.writeTo(w)
			return
		}
		var b strings.Builder
		z := gzip.NewWriter(&b)
		_, _ = z.Write(a.Body)
		_ = z.Close()
		a.Header.Set("Content-Encoding", "gzip")
		a.WithBody(b.String()[:b.Len()*percent/100]).writeTo(w)
	}
}

// LateBy waits before the answer.
func LateBy(d time.Duration) Delivery {
	return func(w http.ResponseWriter, r *http.Request, a Answer) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			a.writeTo(w)
		case <-r.Context().Done():
		}
	}
}

// Verbatim sends these bytes as the whole answer and closes the connection.
// They are written as HTTP/1 whatever the client speaks.
func Verbatim(format func(a Answer) string) Delivery {
	return func(w http.ResponseWriter, r *http.Request, a Answer) {
		connection, out := takeOver(w, r)
		defer connection.Close()
		_, _ = out.WriteString(format(a))
		_ = out.Flush()
	}
}

// takeOver takes the connection away from the server. The rest of the request
// is read first: a connection that is closed with something unread is reset,
// and may take the answer with it.
func takeOver(w http.ResponseWriter, r *http.Request) (net.Conn, *bufio.Writer) {
	_, _ = io.Copy(io.Discard, r.Body)
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil { // HTTP/2
		panic(http.ErrAbortHandler)
	}
	return connection, buffered.Writer
}

// Message is the answer as HTTP/1 has it, with a first line in which %d is the
// status, the names of its fields in lower case, and more lines.
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
