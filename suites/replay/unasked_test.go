package replay_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
)

// Bytes that no request asked for are always found, at whatever time they come.
func TestUnaskedBytes(t *testing.T) {
	const second = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Second: 1\r\n\r\n{}"
	late := func(d time.Duration, text string) step {
		return func(conn net.Conn) { time.Sleep(d); io.WriteString(conn, text) }
	}
	closing := "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
	for _, row := range []struct {
		name  string
		steps []step
		ends  bool // the target then closes the connection
		want  string
	}{
		{"nothing", []step{say(ok)}, false, ""},
		{"nothing, and closed", []step{say(ok)}, true, ""},
		{"nothing, and said to close but left open", []step{say(closing)}, false, ""},
		{"a second answer", []step{say(ok + second)}, false, second},
		{"a second answer at once, written apart", []step{say(ok), say(second)}, false, second},
		{"a second answer, later", []step{say(ok), late(2*time.Millisecond, second)}, false, second},
		{"a second answer, later, and closed", []step{say(ok), late(2*time.Millisecond, second)}, true, second},
		{"a second answer, and said to close", []step{say(closing), late(time.Millisecond, second)}, true, second},
		{"more than the length says", []step{say(ok + "}}")}, false, "}}"},
		{"a body after 204", []step{say("HTTP/1.1 204 No Content\r\n\r\n{}")}, false, "{}"},
		{"a body after 400, closed", []step{say("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n{}")}, true, "{}"},
		{"more after the last chunk", []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx")}, false, "x"},
		{"without end", []step{say(ok), forever(strings.Repeat("x", 4096))}, true, strings.Repeat("x", 512)},
		{"the token", []step{say(ok + token)}, false, "[redacted]"},
		// A server may announce that it closes a connection because no request came.
		{"408 and closed", []step{say(ok), late(2*time.Millisecond, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")}, true, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			target := serveRaw(t, eachOf(func(conn net.Conn, _ int, _ *wireRequest) bool {
				for _, s := range row.steps {
					s(conn)
				}
				return !row.ends
			}))
			for i, x := range all(t.Context(), clientFor(t, target.URL), posts(40)) {
				if x.Failure != nil || x.Response.Header.Get("X-Second") != "" {
					t.Errorf("%d: %v %v: takes another answer for its own", i, x.Failure, x.Response)
				}
				if got := string(x.Unasked); got == "" != (row.want == "") || !strings.HasPrefix(row.want, got) {
					t.Errorf("%d: %q came unasked, want %q", i, got, row.want)
				}
			}
		})
	}
}

// The last exchange of a connection is held until the connection ends.
func TestUnaskedAfterTheLastAnswer(t *testing.T) {
	target := serveRaw(t, eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
		io.WriteString(conn, ok)
		if n == 20 {
			time.Sleep(5 * time.Millisecond)
			io.WriteString(conn, "more")
		}
		return true
	}))
	found := 0
	for _, x := range all(t.Context(), clientFor(t, target.URL, concurrency(1)), posts(20)) {
		found += len(x.Unasked)
	}
	if found != len("more") {
		t.Errorf("%d bytes were found", found)
	}
}

// After a 101 response, the bytes belong to another protocol.
func TestNothingIsUnaskedAfter101(t *testing.T) {
	target := serveRaw(t, answering("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nxxx"))
	for _, x := range all(t.Context(), clientFor(t, target.URL), posts(3)) {
		if x.Failure != nil || len(x.Unasked) > 0 {
			t.Errorf("%v %q", x.Failure, x.Unasked)
		}
	}
}

// Unasked bytes together with the response are also recorded for a single exchange.
func TestUnaskedOfOneExchange(t *testing.T) {
	target := serveRaw(t, answering(ok+"more"))
	c := clientFor(t, target.URL)
	x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"})
	if string(x.Unasked) != "more" {
		t.Errorf("%q", x.Unasked)
	}
}
