//go:build long

package hostiletest

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

const (
	answers = "createPlant/answers"

	// few selects one fixture to be accepted and one to be rejected, for rows in which more
	// fixtures would show the same.
	few = "--only=createPlant/valid/plain --only=createPlant/missing-required/name"
	// some selects more fixtures than are sent concurrently, for rows in which one answer might
	// fill the memory. atOnce selects fewer, for answers that take long to judge. every is for rows
	// in which many answers might fill it.
	some   = "--quick --tries=1 --only=createPlant/valid --only=createPlant/missing-required"
	atOnce = "--quick --tries=1 --only=createPlant/missing-required"
	every  = "--quick"
)

// slowly sends one byte per second.
func slowly(text string) step {
	return func(conn net.Conn) {
		for i := range len(text) {
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				return
			}
			conn.SetReadDeadline(time.Now().Add(time.Second))
			if _, err := conn.Read(make([]byte, 1)); errors.Is(err, io.EOF) {
				return
			}
		}
	}
}

// row is a target that gives every request the same answer.
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
	o := child{args: append(strings.Fields(r.flags), "--verbose"), token: token, url: server.url()}.run(t)
	if !checkReports(t, o).Run.Complete {
		t.Error("it came to an end by its deadline alone")
	}
	checkStreams(t, o)
	checkVerdict(t, o, r.code, r.violated...)
	checkSays(t, o, r.says...)
	if server.conns.Load() == 0 {
		t.Error("the target was not asked")
	}
	t.Logf("%s of the processor, %.1f MiB", o.cpu.Round(time.Millisecond), float64(o.peak)/(1<<20))
	show(t, o)
}

func testRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, r.test)
	}
}

// soon is for rows that reach the timeout.
const soon = " --timeout=500ms"

// An exchange without end ends by its timeout. A target that answers nothing is given up.
func TestTargetsThatTakeTheirTime(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\n" + isJSON
	testRows(t, []row{
		{"never answers", does(hang), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"never answers any", does(hang), every + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms", "gave up on the target after 10 requests without a complete response"}},
		{"stalls after the header", does(say(head+"Content-Length: 2\r\n\r\n"), hang), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"stalls in the header", does(say(head), hang), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"stalls in gzip", does(say(framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", gzipped(noise(4096)))[:2000]), hang), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"one byte a second", does(slowly(framed("200 OK", isJSON, "{}"))), few + soon, exitNonconformant, []string{answers}, []string{"no response within 500ms"}},
		{"one byte of the body a second", does(say(head+"Content-Length: 60\r\n\r\n"), slowly(strings.Repeat(" ", 60))), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"one chunk a second", does(say(head+"Transfer-Encoding: chunked\r\n\r\n"), slowly(strings.Repeat("1\r\n \r\n", 60))), few + soon, exitNonconformant, []string{answers}, []string{"no complete response within 500ms"}},
		{"one byte of the body a second, to all", does(say(head+"Content-Length: 60\r\n\r\n"), slowly(strings.Repeat(" ", 60))), every + soon, exitNonconformant, []string{answers}, []string{"gave up on the target after 10 requests without a complete response"}},
		{"asks for patience for ever", says("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 4294967295\r\nContent-Length: 0\r\n\r\n"), few, exitInconclusive, nil, []string{"answered with 429 and asks for a pause of"}},
		{"asks for patience until the end of the world", says("HTTP/1.1 503 Later\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n"), few, exitInconclusive, nil, []string{"answered with 503 and asks for a pause of"}},
	})
}

// A target may accept a connection and never read from it.
func TestTargetThatNeverReads(t *testing.T) {
	ended := make(chan struct{})
	server := serve(t, func(conn net.Conn) {
		<-ended
		hang(conn)
	})
	defer close(ended)
	o := child{args: strings.Fields("--only=createPlant/boundary/body-1-mib" + soon), token: token, url: server.url()}.run(t)
	checkVerdict(t, o, exitNonconformant, answers)
	checkSays(t, o, "no response within 4.5s") // as long as the body takes
}
