package reference

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

// Deliveries that break off end the handler with http.ErrAbortHandler: the
// server then closes the connection, or resets the stream of HTTP/2, without
// completing the answer.

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request, answer) { panic(http.ErrAbortHandler) }

// reset ends the connection as an operating system does for a process that has
// died.
func reset(w http.ResponseWriter, r *http.Request, _ answer) {
	connection, _ := takeOver(w, r)
	defer connection.Close()
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

// stall never answers. It ends when the client has gone, which the server
// notices only once the body has been read.
func stall(_ http.ResponseWriter, r *http.Request, _ answer) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// drip sends the header and then one space after the other, until the client
// has gone.
func drip(w http.ResponseWriter, r *http.Request, a answer) {
	const pause = 20 * time.Millisecond
	_, _ = io.Copy(io.Discard, r.Body)
	flow(w, a, func() string {
		time.Sleep(pause)
		return " "
	})
}

// flow sends the header and parts of a body until that fails.
func flow(w http.ResponseWriter, a answer, part func() string) {
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
func (a answer) begin(w http.ResponseWriter, length string) {
	head := answer{status: a.status, header: a.header}
	head.header.Del("Content-Length")
	if length != "" {
		head.header.Set("Content-Length", length)
	}
	head.writeTo(w)
}

// cutOff breaks off in the middle of a body whose length was announced.
func cutOff(w http.ResponseWriter, _ *http.Request, a answer) {
	a.begin(w, strconv.Itoa(len(a.body)))
	_, _ = w.Write(a.body[:len(a.body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// cutOffChunks breaks off where the last chunk is due.
func cutOffChunks(w http.ResponseWriter, _ *http.Request, a answer) {
	a.begin(w, "")
	_, _ = w.Write(a.body)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// inParts sends a body of unknown length: in chunks, each byte by itself.
func inParts(w http.ResponseWriter, _ *http.Request, a answer) {
	a.begin(w, "")
	for i := range a.body {
		_, _ = w.Write(a.body[i : i+1])
		_ = http.NewResponseController(w).Flush()
	}
}

// trailing sends a field after the body (RFC 9110 §6.5).
func trailing(w http.ResponseWriter, _ *http.Request, a answer) {
	const field = "X-Bytes"
	a.header.Set("Trailer", field)
	a.begin(w, "")
	_, _ = w.Write(a.body)
	w.Header().Set(field, strconv.Itoa(len(a.body)))
}

// hinting sends informational responses first (RFC 9110 §15.2, RFC 8297).
func hinting(statuses ...int) delivery {
	return func(w http.ResponseWriter, _ *http.Request, a answer) {
		w.Header().Set("Link", "</plants>; rel=self")
		for _, s := range statuses {
			w.WriteHeader(s)
		}
		w.Header().Del("Link")
		a.writeTo(w)
	}
}

// hintAlone sends an informational response and nothing after it.
func hintAlone(w http.ResponseWriter, _ *http.Request, _ answer) {
	w.WriteHeader(http.StatusEarlyHints)
	panic(http.ErrAbortHandler)
}

// compressed sends the body as gzip to clients that take it, so much of it as
// is told in percent.
func compressed(percent int) delivery {
	return func(w http.ResponseWriter, r *http.Request, a answer) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			a.writeTo(w)
			return
		}
		var b strings.Builder
		z := gzip.NewWriter(&b)
		_, _ = z.Write(a.body)
		_ = z.Close()
		a.header.Set("Content-Encoding", "gzip")
		a.withBody(b.String()[:b.Len()*percent/100]).writeTo(w)
	}
}

// lateBy waits before the answer.
func lateBy(d time.Duration) delivery {
	return func(w http.ResponseWriter, r *http.Request, a answer) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			a.writeTo(w)
		case <-r.Context().Done():
		}
	}
}

// verbatim sends these bytes as the whole answer and closes the connection.
// They are written as HTTP/1 whatever the client speaks.
func verbatim(format func(a answer) string) delivery {
	return func(w http.ResponseWriter, r *http.Request, a answer) {
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

// message is the answer as HTTP/1 has it, with a first line in which %d is the
// status, the names of its fields in lower case, and more lines.
func message(first string, lines ...string) func(a answer) string {
	return func(a answer) string {
		var b strings.Builder
		fmt.Fprintf(&b, first+"\r\n", a.status)
		for _, name := range slices.Sorted(maps.Keys(a.header)) {
			for _, value := range a.header[name] {
				fmt.Fprintf(&b, "%s: %s\r\n", strings.ToLower(name), value)
			}
		}
		for _, line := range lines {
			b.WriteString(line + "\r\n")
		}
		b.WriteString("\r\n")
		b.Write(a.body)
		return b.String()
	}
}
