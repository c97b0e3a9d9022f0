package hostiletest

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

const (
	answers = "createPlant/answers"

	// few are the fixtures of a row that costs the same whatever the fixture:
	// one to be accepted and one to be rejected.
	few = "--only=createPlant/valid/plain --only=createPlant/missing-required/name"
	// every fixture is what rows are about that might fill memory.
	every = ""
)

// slowly says one byte a second.
func slowly(text string) step {
	return func(conn net.Conn) {
		for i := range len(text) {
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				return
			}
			conn.SetReadDeadline(time.Now().Add(time.Second))
			if _, err := conn.Read(make([]byte, 1)); err == io.EOF {
				return
			}
		}
	}
}

// A row is a target that answers everything in the same way.
type row struct {
	name     string
	handle   func(net.Conn)
	flags    string // few or every, and others
	code     int
	violated []string
	says     []string // parts of standard output
}

func (r row) test(t *testing.T) {
	t.Parallel()
	server := serve(t, r.handle)
	begun := time.Now()
	o := child{args: append(strings.Fields(r.flags), "--verbose"), token: token, url: server.url()}.run(t)
	took := time.Since(begun)
	if took > runTime+10*time.Second {
		t.Errorf("it took %s", took)
	}
	checkStreams(t, o)
	checkVerdict(t, o, r.code, r.violated...)
	checkSays(t, o, r.says...)
	if server.conns.Load() == 0 {
		t.Error("the target was not asked")
	}
	t.Logf("%s, %.1f MiB", took.Round(time.Millisecond), float64(o.peak)/(1<<20))
	show(t, o)
}

func testRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, r.test)
	}
}

// soon is for rows that run into the timeout.
const soon = " --timeout=500ms"

// What never ends, ends by the timeout of the exchange; a target that answers
// nothing is given up.
func TestTargetsThatTakeTheirTime(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\n" + isJSON
	testRows(t, []row{
		{"never answers", does(hang), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"never answers any", does(hang), every + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms", "the target is given up after 10 exchanges without any response"}},
		{"stalls after the header", does(say(head+"Content-Length: 2\r\n\r\n"), hang), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"stalls in the header", does(say(head), hang), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"stalls in gzip", does(say(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", gzipped(noise(4096)))[:2000]), hang), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"one byte a second", does(slowly(framed("200 OK", isJSON, "{}"))), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"one byte of the body a second", does(say(head+"Content-Length: 60\r\n\r\n"), slowly(strings.Repeat(" ", 60))), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"one chunk a second", does(say(head+"Transfer-Encoding: chunked\r\n\r\n"), slowly(strings.Repeat("1\r\n \r\n", 60))), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"asks for patience for ever", says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 4294967295\r\nContent-Length: 0\r\n\r\n"), few, exitInconclusive, nil, []string{"answered with 429: asks for a pause of"}},
		{"asks for patience until the end of the world", says("HTTP/1.1 503 Later\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n"), few, exitInconclusive, nil, []string{"answered with 503: asks for a pause of"}},
	})
}

// What is sent without end is read up to the limits.
func TestTargetsThatSendTooMuch(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\n" + isJSON
	const longHeader, longBody = "the response header is longer than 65536 bytes", "the body is longer than 1048576 bytes"
	testRows(t, []row{
		{"body without end", does(say(head+"\r\n"), forever(strings.Repeat("x", 64<<10))), every, exitNonconformant, []string{answers}, []string{longBody}},
		{"chunks without end", does(say(head+"Transfer-Encoding: chunked\r\n\r\n"), forever(strings.Repeat("1\r\nx\r\n", 1000))), few, exitNonconformant, []string{answers}, []string{longBody}},
		{"a length without end", does(say(head+"Content-Length: 9223372036854775807\r\n\r\n"), forever(strings.Repeat("x", 64<<10))), every, exitNonconformant, []string{answers}, []string{longBody}},
		{"gzip of 1 GiB", says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", bomb())), every, exitNonconformant, []string{answers}, []string{longBody}},
		{"gzip of empty members without end", does(say(head+"Content-Encoding: gzip\r\n\r\n"), forever(gzipped(""))), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"gzip in gzip", says(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", bombInBomb())), every, exitNonconformant, nil, nil},
		{"gzip in gzip, and said so", says(framed("200 OK", isJSON+"Content-Encoding: gzip, gzip\r\n", bombInBomb())), every, exitNonconformant, nil, nil},
		{"gzip after the end of gzip", does(say(head+"Content-Encoding: gzip\r\n\r\n"), forever(gzipped(strings.Repeat("x", 1<<20)))), every, exitNonconformant, []string{answers}, []string{longBody}},
		{"2 MiB of header", says("HTTP/1.1 200 OK\r\n" + pieces(2<<20) + "\r\n"), every, exitNonconformant, []string{answers}, []string{longHeader}},
		{"one field of 2 MiB", says("HTTP/1.1 200 OK\r\nX: " + noise(2<<20) + "\r\n\r\n"), every, exitNonconformant, []string{answers}, []string{longHeader}},
		{"a header just within the limit", says(framed("200 OK", isJSON+pieces(65400), `{}`)), every, exitNonconformant, nil, nil},
		{"a header of one field just within the limit", says(framed("200 OK", isJSON+"X: "+noise(65000)+"\r\n", `{}`)), every, exitNonconformant, nil, nil},
		{"a body just within the limit", eachRequest(func(conn net.Conn, _ request) bool {
			say(framed("200 OK", isJSON, `{"name": "`+noise(1<<20-12)+`"}`))(conn)
			return true
		}), every, exitNonconformant, nil, nil},
		{"a thousand 100", says(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000) + framed("400 Bad Request", isJSON, `{"error": 1, "message": "no"}`)), few, exitNonconformant, []string{"createPlant/accepts"}, nil},
		{"a thousand 103 and nothing else", does(say(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", 1000))), few, exitNonconformant, []string{answers}, []string{"closed without an answer"}},
		{"100 without end", does(forever(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000))), every, exitNonconformant, []string{answers}, []string{longHeader}},
		{"trailers without end", does(say(head+"Transfer-Encoding: chunked\r\n\r\n0\r\n"), forever("X: y\r\n")), every, exitNonconformant, []string{answers}, []string{"trailer"}},
		{"a chunk extension without end", does(say(head+"Transfer-Encoding: chunked\r\n\r\n1;"), forever("x")), every, exitNonconformant, []string{answers}, []string{"no complete HTTP message"}},
		{"200,000 levels", says(framed("200 OK", isJSON, strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000))), every, exitNonconformant, nil, nil},
		{"200,000 levels of objects", says(framed("400 Bad Request", isJSON, strings.Repeat(`{"":`, 200_000)+"1"+strings.Repeat("}", 200_000))), every, exitNonconformant, nil, nil},
		{"a number of a million digits", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": `+strings.Repeat("7", 1_000_000)+"}")), every, exitNonconformant, nil, nil},
		{"1e1000001", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": 1e1000001}`)), every, exitNonconformant, nil, nil},
		{"1e-1000001", says(framed("400 Bad Request", isJSON, `{"message": "x", "error": 1e-1000001}`)), every, exitNonconformant, nil, nil},
		{"100,000 properties", says(framed("200 OK", isJSON, `{"name": "x"`+properties(100_000)+`}`)), every, exitNonconformant, nil, nil},
	})
}
