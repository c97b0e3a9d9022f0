//go:build long

package hostiletest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// token is what the targets get where the token is not what the test is about.
const token = "a-token-of-the-hostile-test"

// target is a server below HTTP.
type target struct {
	address string
	conns   atomic.Int32 // that were made, all in all
}

func (s *target) url() string { return "http://" + s.address }

// serve handles every connection in a goroutine of its own. At the end of the
// test all have ended by themselves, because the client left, or the test
// fails.
func serve(t *testing.T, handle func(net.Conn)) *target {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &target{address: listener.Addr().String()}
	var handlers sync.WaitGroup
	handlers.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.conns.Add(1)
			handlers.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		ended := make(chan struct{})
		go func() { handlers.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(patience):
			t.Error("a connection is still open")
		}
	})
	return s
}

// request is one as it came.
type request struct {
	*http.Request
	body []byte
}

func readRequest(r *bufio.Reader) (request, error) {
	got, err := http.ReadRequest(r)
	if err != nil {
		return request{}, err
	}
	body, err := io.ReadAll(got.Body)
	return request{got, body}, err
}

// eachRequest calls answer for every request of a connection until one of the
// two sides leaves: the answer by returning false.
func eachRequest(answer func(net.Conn, request) bool) func(net.Conn) {
	return func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for {
			got, err := readRequest(r)
			if err != nil || !answer(conn, got) {
				return
			}
		}
	}
}

// step is what a target does on a connection after it has read a request.
type step func(net.Conn)

// does takes the steps, and then leaves.
func does(steps ...step) func(net.Conn) {
	return eachRequest(func(conn net.Conn, _ request) bool {
		for _, s := range steps {
			s(conn)
		}
		return false
	})
}

// says gives every request the same answer.
func says(answer string) func(net.Conn) {
	return eachRequest(func(conn net.Conn, _ request) bool {
		_, err := io.WriteString(conn, answer)
		return err == nil
	})
}

func say(text string) step { return func(conn net.Conn) { io.WriteString(conn, text) } }

// forever says it until the client leaves.
func forever(text string) step {
	return func(conn net.Conn) {
		for {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}
}

// hang waits until the client leaves.
func hang(conn net.Conn) { io.Copy(io.Discard, conn) }

// reset ends the connection with a TCP reset instead of in order.
func reset(conn net.Conn) {
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// framed is an answer of this status line, header and body.
func framed(status, header, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n%s", status, len(body), header, body)
}

// isJSON is the header of an answer that keeps the contract.
const isJSON = "Content-Type: application/json\r\n"
