package replay_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

const token = "Tr0ub4dor-and-3/xyz+ABC="

// ok is a complete response after which the connection stays open.
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

// post is a message as fixtures make them.
func post(body string) fixtures.Message {
	return fixtures.Message{
		Method: http.MethodPost, Path: "/plants", Body: []byte(body), HasBody: true, Times: 1,
		Header: []fixtures.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Authorization", Value: "Bearer $token"}},
	}
}

func posts(n int) []fixtures.Message {
	list := make([]fixtures.Message, n)
	for i := range list {
		list[i] = post("{}")
	}
	return list
}

// patience is longer than each of these tests takes. An exchange that hangs fails because
// of it, and so the test fails.
const patience = 20 * time.Second

func limits(change ...func(*replay.Limits)) replay.Limits {
	l := replay.DefaultLimits()
	l.Timeout = patience
	for _, f := range change {
		f(&l)
	}
	return l
}

func newClient(t testing.TB, target replay.Target, l replay.Limits) *replay.Client {
	t.Helper()
	c, err := replay.NewClient(target, l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func clientFor(t testing.TB, baseURL string, change ...func(*replay.Limits)) *replay.Client {
	t.Helper()
	return newClient(t, replay.Target{BaseURL: baseURL, Token: token}, limits(change...))
}

// called returns a client that calls a handler instead of a target, so that a test can
// use a fake clock.
func called(t testing.TB, handler http.HandlerFunc, change ...func(*replay.Limits)) *replay.Client {
	t.Helper()
	return newClient(t, replay.Target{BaseURL: "http://handler.example", Token: token, Handler: handler}, limits(change...))
}

// often returns how many times a test repeats something that may fail by chance. With
// LONG_TESTS this is the given number.
func often(times int) int {
	if os.Getenv("LONG_TESTS") == "" {
		return (times + 9) / 10
	}
	return times
}

// rawTarget is a TCP server that counts its connections.
type rawTarget struct {
	URL   string
	conns atomic.Int32
}

// serveRaw handles each connection in a separate goroutine. At the end of the test it
// closes all connections and waits for the goroutines.
func serveRaw(t testing.TB, handle func(net.Conn)) *rawTarget {
	t.Helper()
	return serveRawOn(t, "127.0.0.1:0", handle)
}

func serveRawOn(t testing.TB, address string, handle func(net.Conn)) *rawTarget {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	target := &rawTarget{URL: "http://" + listener.Addr().String()}
	var handlers sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	handlers.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			target.conns.Add(1)
			mu.Lock()
			open = append(open, conn)
			mu.Unlock()
			handlers.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		handlers.Wait()
	})
	return target
}

// wireRequest is a request as it came over the wire.
type wireRequest struct {
	Head string // request line and header, unchanged
	Body []byte // without its framing
	*http.Request
}

// readRequest reads one request with its body.
func readRequest(r *bufio.Reader) (*wireRequest, error) {
	var head bytes.Buffer
	for !bytes.HasSuffix(head.Bytes(), []byte("\r\n\r\n")) {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		head.Write(line)
	}
	request, err := http.ReadRequest(bufio.NewReader(io.MultiReader(bytes.NewReader(head.Bytes()), r)))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(request.Body)
	return &wireRequest{head.String(), body, request}, err
}

// answering sends the same response to each request, until the peer closes.
func answering(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for {
			if _, err := readRequest(r); err != nil {
				return
			}
			io.WriteString(conn, answer)
		}
	}
}

// reset ends a connection with a TCP reset instead of a normal close.
func reset(conn net.Conn) {
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// hang waits until the peer closes.
func hang(conn net.Conn) { io.Copy(io.Discard, conn) }

func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// all sends the messages and returns the exchanges in the order of the messages.
func all(ctx context.Context, c *replay.Client, messages []fixtures.Message) []replay.Exchange {
	exchanges := make([]replay.Exchange, len(messages))
	c.All(ctx, replay.OneBatch(messages...), func(_, i int, x replay.Exchange) { exchanges[i] = x })
	return exchanges
}

// quiet is the logger for servers whose errors are intended.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
