package replay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/suites/replay"
)

// A server may close a connection after any response without an announcement. If it keeps
// no connections, there is no warning, even if the client notices it late.
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
		if x.Failure != nil || x.Resent != "" {
			t.Errorf("%d: %v %q", i, x.Failure, x.Resent)
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
			first, before := post("{}"), post("{}")
			first.After = &before // on the same connection, which shows that it is kept
			c.All(t.Context(), append(replay.OneBatch(first), replay.OneBatch(posts(messages)...)...), func(batch, i int, x replay.Exchange) {
				if x.Failure != nil {
					t.Errorf("%d %d: %v", batch, i, *x.Failure)
				}
			})
			// One connection for each concurrent request, and some more if a busy
			// machine leaves one idle for too long.
			if n := conns.Load(); n > messages/4 {
				t.Errorf("%d connections for %d exchanges", n, messages)
			}
			if others.Load() > 0 {
				t.Errorf("not all requests came as %s", name)
			}
		})
	}
}
