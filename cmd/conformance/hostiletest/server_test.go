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

// token is the token for tests that are not about the token.
const token = "a-token-of-the-hostile-test"

// target is a TCP server.
type target struct {
	address string
	conns   atomic.Int32 // total number of connections
}

func (s *target) url() string { return "http://" + s.address }

// serve handles each connection in a goroutine. When the test ends, the clients have disconnected:
// the test fails if a handler still runs.
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

// request is a received request.
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

// eachRequest calls answer for every request of a connection, until the client disconnects or
// answer returns false.
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

// does runs the steps, and then closes the connection.
func does(steps ...step) func(net.Conn) {
	return eachRequest(func(conn net.Conn, _ request) bool {
		for _, s := range steps {
			s(conn)
		}
		return false
	})
}

// says returns a handler that gives every request the same answer.
func says(answer string) func(net.Conn) {
	return eachRequest(func(conn net.Conn, _ request) bool {
		_, err := io.WriteString(conn, answer)
		return err == nil
	})
}

func say(text string) step { return func(conn net.Conn) { io.WriteString(conn, text) } }

// forever sends a text until the client disconnects.
func forever(text string) step {
	return func(conn net.Conn) {
		for {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
		}
	}
}

// hang waits until the client disconnects.
func hang(conn net.Conn) { io.Copy(io.Discard, conn) }

// reset ends the connection with a TCP reset.
func reset(conn net.Conn) {
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// framed returns an answer with this status line, header and body.
func framed(status, header, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n%s\r\n%s", status, len(body), header, body)
}

// isJSON is the header of a valid answer.
const isJSON = "Content-Type: application/json\r\n"
