//go:build long

package hostiletest

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// An incomplete or invalid HTTP message violates the clause on answers, and no other.
func TestTargetsThatSpeakNoHTTP(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n" + isJSON
	rows := []row{
		{name: "a banner of SSH", handle: func(conn net.Conn) { say("SSH-2.0-OpenSSH_9.9\r\n")(conn); hang(conn) }, says: []string{"not a complete HTTP message"}},
		{name: "a banner of SSH, and gone", handle: does(say("SSH-2.0-OpenSSH_9.9\r\n")), says: []string{"not a complete HTTP message"}},
		{name: "malformed status line", handle: does(say("HTTP/1.1 two hundred\r\n\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "status of four digits", handle: does(say("HTTP/1.1 2000 OK\r\n\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "length too long", handle: does(say(ok + "Content-Length: 100\r\n\r\n{}")), says: []string{"closed before the response was complete"}},
		{name: "length of nothing", handle: does(say(ok + "Content-Length: \r\n\r\n{}")), says: []string{"not a complete HTTP message"}},
		{name: "lengths that differ", handle: does(say(ok+"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), hang), says: []string{"not a complete HTTP message"}},
		{name: "negative length", handle: does(say(ok+"Content-Length: -2\r\n\r\n{}"), hang), says: []string{"not a complete HTTP message"}},
		{name: "length beyond int64", handle: does(say(ok+"Content-Length: 99999999999999999999\r\n\r\n{}"), hang), says: []string{"not a complete HTTP message"}},
		{name: "chunks of garbage", handle: does(say(ok+"Transfer-Encoding: chunked\r\n\r\n\x00\xff\x1b[2J garbage\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "chunk of a negative size", handle: does(say(ok+"Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "chunk beyond int64", handle: does(say(ok+"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "chunk that is longer than it says", handle: does(say(ok+"Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n"), hang), says: []string{"not a complete HTTP message"}},
		{name: "Content-Encoding: gzip, but not compressed", handle: says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", "{}, and no gzip")), violated: []string{"createPlant/200/body", "createPlant/request/body/name"}, says: []string{"gzip"}},
		{name: "reset instead of an answer", handle: does(reset), says: []string{"closed without an answer"}},
		{name: "101 and then anything", handle: does(say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), hang), says: []string{"status 101"}},
		{name: "NULs without end", handle: does(forever(strings.Repeat("\x00", 4096))), says: []string{"not a complete HTTP message"}},
		{name: "the request, echoed", handle: func(conn net.Conn) { mirror(conn) }, says: []string{"not a complete HTTP message"}},
	}
	for i := range rows {
		rows[i].flags, rows[i].code = few, exitNonconformant
		if rows[i].violated == nil {
			rows[i].violated = []string{answers}
		}
	}
	testRows(t, rows)
}

// Bytes after a complete answer are found, even if they come later. The answer itself is judged as
// usual.
func TestTargetsThatSayMore(t *testing.T) {
	rejects := framed("400 Bad Request", isJSON, `{"error": 1, "message": "no"}`)
	const found = "bytes after the response"
	for name, more := range map[string]string{"length too short": "}}}}", "a second answer": "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "noise": noise(1 << 20)} {
		for pause, d := range map[string]time.Duration{"": 0, ", later": 2 * time.Millisecond} {
			steps := does(say(rejects), func(conn net.Conn) { time.Sleep(d); say(more)(conn) }, hang)
			t.Run(name+pause, row{handle: steps, flags: "--only=createPlant/missing-required", code: exitNonconformant, violated: []string{"createPlant/accepts", answers}, says: []string{found}}.test)
		}
	}
}

// mirror sends back what it receives.
func mirror(conn net.Conn) { io.Copy(conn, conn) }
