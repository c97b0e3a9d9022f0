package replay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// A server may end a connection after any response, and need not say so.
func TestServerThatEndsConnectionsUnannounced(t *testing.T) {
	var requests atomic.Int32
	target := serveRaw(t, func(conn net.Conn) {
		if _, err := readRequest(bufio.NewReader(conn)); err == nil {
			requests.Add(1)
			io.WriteString(conn, ok)
		}
	})
	const n = 200
	for i, x := range all(t.Context(), clientFor(t, target.URL), posts(n)) {
		if x.Failure != nil {
			t.Errorf("%d: %v", i, *x.Failure)
		}
	}
	if got := requests.Load(); got != n {
		t.Errorf("the target saw %d requests; sent were %d", got, n)
	}
}

func TestConnectionsAreKept(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			const messages = 200
			var conns, others atomic.Int32
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.ProtoMajor == 2 != http2 {
					others.Add(1)
				}
				io.Copy(io.Discard, r.Body)
				fmt.Fprint(w, "{}")
			}))
			server.EnableHTTP2 = http2
			server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
				if s == http.StateNew {
					conns.Add(1)
				}
			}
			server.StartTLS()
			t.Cleanup(server.Close)
			c := newClient(t, replay.Target{BaseURL: server.URL, Token: token, TLS: clientTLS(server)}, limits())
			for i, x := range all(t.Context(), c, posts(messages)) {
				if x.Failure != nil {
					t.Fatalf("%d: %v", i, *x.Failure)
				}
			}
			// One for each that is under way at a time, and some more where a busy
			// machine lets one rest for too long.
			if n := conns.Load(); n > messages/4 {
				t.Errorf("%d connections for %d exchanges", n, messages)
			}
			if others.Load() > 0 {
				t.Errorf("not all requests came as %s", name)
			}
		})
	}
}

// A kept connection on which a request is answered by closing it proves
// nothing about the peer's reasons, so that the request is not sent again.
func TestNothingIsSentTwice(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPost} {
		for name, end := range map[string]func(net.Conn){"closed": func(c net.Conn) { c.Close() }, "reset": reset} {
			t.Run(method+" "+name, func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				seen := map[string]int{}
				target := serveRaw(t, func(conn net.Conn) {
					r := bufio.NewReader(conn)
					for {
						request, err := readRequest(r)
						if err != nil {
							return
						}
						mu.Lock()
						seen[request.URL.Path]++
						mu.Unlock()
						if request.URL.Path == "/fatal" {
							end(conn)
							return
						}
						io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
					}
				})
				c := newClient(t, replay.Target{BaseURL: target.URL, Headers: []fixtures.Field{{Name: "Idempotency-Key", Value: "1"}}}, limits())
				for i, path := range []string{"/first", "/fatal", "/last"} {
					x := c.Exchange(t.Context(), fixtures.Message{Method: method, Path: path, Times: 1})
					if i == 1 {
						checkFailure(t, x, replay.Incomplete, "kept after an earlier answer, was closed without an answer")
					} else {
						checkFailure(t, x, "", "")
					}
				}
				for path, n := range seen {
					if n != 1 {
						t.Errorf("%s was sent %d times", path, n)
					}
				}
				if got := target.conns.Load(); got != 2 {
					t.Errorf("%d connections; the second request is to reuse the first one", got)
				}
			})
		}
	}
}
