package replay_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/replay"
)

// A step is an action of a hostile target on a connection after it has read a
// request.
type step func(net.Conn)

func say(text string) step { return func(conn net.Conn) { io.WriteString(conn, text) } }

// forever sends the text repeatedly, until the peer closes.
func forever(text string) step {
	return func(conn net.Conn) {
		for {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}
}

// drip sends the text byte by byte, too slowly for every timeout.
func drip(text string) step {
	return func(conn net.Conn) {
		for i := range len(text) {
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func framed(header, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n%s", len(body), header, body)
}

// anyBody is the body of a row in which the body depends on the timing.
const anyBody = "*"

// quick is the timeout for rows that exceed it.
const quick = 400 * time.Millisecond

// Each row is a target that treats every request in the same way. The exchange must end,
// with the recorded result in the row.
var hostile = []struct {
	name    string
	before  step // done instead of reading the request
	steps   []step
	timeout time.Duration
	limit   int64 // of body or header; 0 means the default

	kind    replay.FailureKind // "" means a complete response
	message string             // a part of the message
	status  int                // 0 means no response
	body    string             // or anyBody
	streams []string           // media types of streams that the contract permits
	cut     bool               // complete, but without the end of the body
}{
	// Complete, but unusual.
	{name: "HTTP/1.0", steps: []step{say("HTTP/1.0 200 OK\r\n\r\n{}")}, status: 200, body: "{}"},
	{name: "no reason phrase", steps: []step{say("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}")}, status: 200, body: "{}"},
	{name: "body until the end of the connection", steps: []step{say("HTTP/1.1 200 OK\r\n\r\n{}")}, status: 200, body: "{}"},
	{name: "a field in two lines", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Folded: a\r\n b c: d\r\n\r\n{}"), hang}, status: 200, body: "{}"},
	{name: "a length beside another field", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Transfer-Encoding: chunked\r\n\r\n{}"), hang}, status: 200, body: "{}"},
	{name: "no body", steps: []step{say("HTTP/1.1 204 No Content\r\n\r\n"), hang}, status: 204},
	{name: "chunked", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nTrailer: 1\r\n\r\n"), hang}, status: 200, body: "{}"},
	{name: "the same length twice", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), hang}, status: 200, body: "{}"},
	{name: "more than the length says", steps: []step{say(ok + "HTTP/1.1 500 Later\r\n\r\n"), hang}, status: 200, body: "{}"},
	{name: "100 before the answer", steps: []step{say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok), hang}, status: 200, body: "{}"},
	{name: "101", steps: []step{say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nxxx"), hang}, status: 101},
	{name: "redirect", steps: []step{say("HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"), hang}, status: 307},
	{name: "status 999", steps: []step{say("HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n"), hang}, status: 999},
	{name: "body of the limit", limit: 10, steps: []step{say(framed("", "0123456789")), hang}, status: 200, body: "0123456789"},
	{name: "gzip", steps: []step{say(framed("Content-Encoding: GZip\r\n", gzipped("{}"))), hang}, status: 200, body: "{}"},
	{name: "x-gzip", steps: []step{say(framed("Content-Encoding: x-gzip\r\n", gzipped("{}"))), hang}, status: 200, body: "{}"},
	{name: "gzip of nothing", steps: []step{say(framed("Content-Encoding: gzip\r\n", gzipped(""))), hang}, status: 200},
	{name: "nothing, called gzip", steps: []step{say(framed("Content-Encoding: gzip\r\n", "")), hang}, status: 200},
	{name: "another coding", steps: []step{say(framed("Content-Encoding: br\r\n", "br")), hang}, status: 200, body: "br"},
	{name: "answer before the request is read, in order", before: func(conn net.Conn) {
		say("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")(conn)
		conn.(*net.TCPConn).CloseWrite()
		hang(conn)
	}, status: 413, body: "{}"},
	{name: "event stream that goes on", streams: []string{"text/event-stream", "application/x-ndjson"}, timeout: quick, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n:\n\n"), hang}, status: 200, body: ":\n\n", cut: true},
	{name: "event stream in chunks", streams: []string{"text/event-stream", "application/x-ndjson"}, timeout: quick, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n:\r\n"), hang}, status: 200, body: ":", cut: true},
	{name: "event stream that ends", streams: []string{"text/event-stream", "application/x-ndjson"}, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n")}, status: 200, body: ":\n\n"},
	{name: "records without end", streams: []string{"text/event-stream", "application/x-ndjson"}, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"), forever("{}\n")}, limit: 6, status: 200, body: "{}\n{}\n", cut: true},

	// Does not end, or ends too late.
	{name: "event stream of a length", streams: []string{"text/event-stream", "application/x-ndjson"}, timeout: quick, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\n:\n\n"), hang}, kind: replay.Incomplete, message: "no complete response within", status: 200, body: ":\n\n"},
	{name: "event stream that breaks off", streams: []string{"text/event-stream", "application/x-ndjson"}, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n:")}, kind: replay.Incomplete, message: "closed before the response was complete", status: 200, body: ":"},
	{name: "event stream that the contract does not know", timeout: quick, steps: []step{say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:"), hang}, kind: replay.Incomplete, message: "no complete response within", status: 200, body: ":"},
	{name: "refusal as an event stream", streams: []string{"text/event-stream", "application/x-ndjson"}, timeout: quick, steps: []step{say("HTTP/1.1 400 Bad Request\r\nContent-Type: text/event-stream\r\n\r\n:"), hang}, kind: replay.Incomplete, message: "no complete response within", status: 400, body: ":"},
	{name: "no answer", steps: []step{hang}, timeout: quick, kind: replay.Incomplete, message: "no response within 400ms"},
	{name: "request not read", before: func(conn net.Conn) { conn.Read(make([]byte, 1)); time.Sleep(2 * quick) }, timeout: quick, kind: replay.Incomplete, message: "no response within"},
	{name: "header drips", steps: []step{drip("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 100))}, timeout: quick, kind: replay.Incomplete, message: "no response within"},
	{name: "body drips", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), drip(strings.Repeat("x", 1000))}, timeout: quick, kind: replay.Incomplete, message: "no complete response within", status: 200, body: anyBody},
	{name: "stall after the header", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), hang}, timeout: quick, kind: replay.Incomplete, message: "no complete response within", status: 200},
	{name: "stall in a chunk", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), hang}, timeout: quick, kind: replay.Incomplete, message: "no complete response within", status: 200, body: "{"},
	{name: "stall before the last chunk", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"), hang}, timeout: quick, kind: replay.Incomplete, message: "no complete response within", status: 200, body: "{}"},
	{name: "stall in gzip", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f"), hang}, timeout: quick, kind: replay.Incomplete, message: "no complete response within", status: 200},
	{name: "100 and nothing else", steps: []step{say("HTTP/1.1 100 Continue\r\n\r\n"), hang}, timeout: quick, kind: replay.Incomplete, message: "no response within"},
	{name: "100 without end", steps: []step{forever("HTTP/1.1 100 Continue\r\n\r\n")}, kind: replay.OverLimit, message: "header is longer than 65536 bytes"},
	{name: "header without end", steps: []step{say("HTTP/1.1 200 OK\r\n"), forever("X-Y: z\r\n")}, kind: replay.OverLimit, message: "header is longer than 65536 bytes"},
	{name: "status line without end", steps: []step{say("HTTP/1.1 200 "), forever("OK")}, kind: replay.OverLimit, message: "header is longer than 65536 bytes"},
	{name: "field without end", steps: []step{say("HTTP/1.1 200 OK\r\nX: "), forever("y")}, kind: replay.OverLimit, message: "header is longer than 65536 bytes"},
	{name: "no HTTP without end", steps: []step{forever("\x00")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "trailer without end", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"), forever("X: y\r\n")}, kind: replay.OverLimit, message: "trailer", status: 200},
	{name: "body without end", steps: []step{say("HTTP/1.1 200 OK\r\n\r\n"), forever("x")}, limit: 4, kind: replay.OverLimit, message: "body is longer than 4 bytes", status: 200, body: "xxxx"},
	{name: "chunks without end", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), forever("1\r\nx\r\n")}, limit: 4, kind: replay.OverLimit, message: "body is longer than 4 bytes", status: 200, body: "xxxx"},
	{name: "chunk extension without end", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"), forever("x")}, kind: replay.Incomplete, message: "not a complete HTTP message", status: 200},
	{name: "body of one more than the limit", steps: []step{say(framed("", "01234567890")), hang}, limit: 10, kind: replay.OverLimit, message: "body is longer than 10 bytes", status: 200, body: "0123456789"},
	{name: "gzip bomb", steps: []step{say(framed("Content-Encoding: gzip\r\n", gzipped(strings.Repeat("x", 8<<20)))), hang}, limit: 4, kind: replay.OverLimit, message: "body is longer than 4 bytes", status: 200, body: "xxxx"},

	// Cut off.
	{name: "closed before the request", before: func(net.Conn) {}, kind: replay.Incomplete, message: "without an answer"},
	{name: "reset in the request", before: func(conn net.Conn) { conn.Read(make([]byte, 1)); reset(conn) }, kind: replay.Incomplete, message: "without an answer"},
	{name: "closed instead of an answer", kind: replay.Incomplete, message: "without an answer"},
	{name: "reset instead of an answer", steps: []step{reset}, kind: replay.Incomplete, message: "without an answer"},
	{name: "closed in the status line", steps: []step{say("HTTP/1.1 2")}, kind: replay.Incomplete, message: "closed"},
	{name: "closed in the header", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Le")}, kind: replay.Incomplete, message: "closed"},
	{name: "closed in the body", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}")}, kind: replay.Incomplete, message: "closed before the response was complete", status: 200, body: "{}"},
	{name: "closed in a chunk", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{")}, kind: replay.Incomplete, message: "closed before the response was complete", status: 200, body: "{"},
	{name: "closed before the last chunk", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")}, kind: replay.Incomplete, message: "closed before the response was complete", status: 200, body: "{}"},
	{name: "closed in gzip", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped("{}")[:11])}, status: 200, body: gzipped("{}")[:11]},
	{name: "closed between gzip and the last chunk", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
		fmt.Sprintf("%x\r\n%s\r\n", len(gzipped("{}")), gzipped("{}")))}, kind: replay.Incomplete, message: "closed before the response was complete", status: 200, body: "{}"},

	// Not HTTP.
	{name: "no status line", steps: []step{say("hello\r\n\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "status of letters", steps: []step{say("HTTP/1.1 abc OK\r\n\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "status of two digits", steps: []step{say("HTTP/1.1 20 OK\r\n\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "HTTP/3.7", steps: []step{say("HTTP/x.7 200 OK\r\n\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "HTTP/2.0 in a status line", steps: []step{say("HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "HTTP/1.2 in a status line", steps: []step{say("HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\n{}"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "lines that end with LF", steps: []step{say("HTTP/1.1 200 OK\nContent-Length: 2\n\n{}"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "a line with a second CR before its end", steps: []step{say("HTTP/1.1 200 OK\r\r\nContent-Length: 2\r\n\r\n{}"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "white space before a colon", steps: []step{say("HTTP/1.1 200 OK\r\nX-Field : x\r\nContent-Length: 2\r\n\r\n{}"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "a length beside chunks", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), hang}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "field without a colon", steps: []step{say("HTTP/1.1 200 OK\r\nfield\r\n\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "two lengths", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "negative length", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "length of letters", steps: []step{say("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "chunk size of letters", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n")}, kind: replay.Incomplete, message: "not a complete HTTP message", status: 200},
	{name: "unknown transfer coding", steps: []step{say("HTTP/1.1 200 OK\r\nTransfer-Encoding: brotli\r\n\r\n{}")}, kind: replay.Incomplete, message: "not a complete HTTP message"},
	{name: "called gzip, and is none", steps: []step{say(framed("Content-Encoding: gzip\r\n", "plain text, no gzip")), hang}, status: 200, body: "plain text, no gzip"},
	{name: "gzip, and then text", steps: []step{say(framed("Content-Encoding: gzip\r\n", gzipped("{}")+"plain text")), hang}, status: 200, body: gzipped("{}") + "plain text"},
	{name: "an alert of TLS", steps: []step{say("\x15\x03\x01\x00\x02\x02\x46")}, kind: replay.Unreachable, message: "speaks TLS; try https://"},
	{name: "400 of a TLS port", steps: []step{say("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")}, kind: replay.Unreachable, message: "speaks TLS; try https://", status: 400, body: "Client sent an HTTP request to an HTTPS server.\n"},
}

func TestHostileTargets(t *testing.T) {
	for _, row := range hostile {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			target := serveRaw(t, func(conn net.Conn) {
				r := bufio.NewReader(conn)
				if row.before != nil {
					row.before(conn)
					return
				}
				if _, err := readRequest(r); err != nil {
					return
				}
				for _, step := range row.steps {
					step(conn)
				}
			})
			c := clientFor(t, target.URL, func(l *replay.Limits) {
				if row.timeout > 0 {
					l.Timeout = row.timeout
				}
				if row.limit > 0 {
					l.MaxBody = row.limit
				}
			})
			m := post(`{"name":"x"}`)
			m.Streams = row.streams
			x := c.Exchange(t.Context(), m)
			checkFailure(t, x, row.kind, row.message)
			status, body := 0, ""
			if x.Response != nil {
				status, body = x.Response.Status, string(x.Response.Body)
				if cut := row.kind == replay.Incomplete || row.kind == replay.OverLimit || row.cut; x.Response.Cut != cut {
					t.Errorf("cut is %t, is to be %t", x.Response.Cut, cut)
				}
			}
			if status != row.status || body != row.body && row.body != anyBody {
				t.Errorf("got %d %q, want %d %q", status, body, row.status, row.body)
			}
		})
	}
}

func checkFailure(t *testing.T, x replay.Exchange, kind replay.FailureKind, message string) {
	t.Helper()
	got := replay.Failure{}
	if x.Failure != nil {
		got = *x.Failure
	}
	if got.Kind != kind || !strings.Contains(got.Message, message) {
		t.Errorf("failed as %q: %q\nis to be %q: … %s …", got.Kind, got.Message, kind, message)
	}
}

// A target may respond before it has read a long body, and then close at once. The
// connection is reset during the request, but there is a response.
func TestAnswerToHalfARequest(t *testing.T) {
	target := serveRaw(t, func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for line := ""; line != "\r\n"; {
			var err error
			if line, err = r.ReadString('\n'); err != nil {
				return
			}
		}
		io.WriteString(conn, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
	})
	c := clientFor(t, target.URL)
	for range often(10) {
		x := c.Exchange(t.Context(), post(strings.Repeat("x", 4<<20)))
		if x.Failure != nil || x.Response.Status != 413 || string(x.Response.Body) != "{}" {
			t.Fatalf("%+v %v", x.Response, x.Failure)
		}
	}
}
