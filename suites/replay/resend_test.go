package replay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// eachOf handles the requests of a connection, counted from 1, until handle
// tells it to stop.
func eachOf(handle func(conn net.Conn, n int, request *wireRequest) bool) func(net.Conn) {
	return func(conn net.Conn) {
		r := bufio.NewReader(conn)
		for n := 1; ; n++ {
			request, err := readRequest(r)
			if err != nil || !handle(conn, n, request) {
				return
			}
		}
	}
}

// A server may close a kept connection at any time (RFC 9112 §9.5). No exchange
// fails because of that, with any timing.
func TestServersThatCloseKeptConnections(t *testing.T) {
	answers := func(conn net.Conn, status string) {
		fmt.Fprintf(conn, "HTTP/1.1 %s\r\nContent-Length: 2\r\n\r\n{}", status)
	}
	after := func(most int) func(*testing.T) func(net.Conn) {
		return func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				answers(conn, "200 OK")
				return n < most
			})
		}
	}
	for _, row := range []struct {
		name  string
		serve func(*testing.T) func(net.Conn)
	}{
		{"after 1 answer", after(1)},
		{"after 2 answers", after(2)},
		{"after 5 answers", after(5)},
		{"after 7 answers", after(7)},
		{"after 20 answers", after(20)},
		{"2 ms after an answer", func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, _ int, _ *wireRequest) bool {
				answers(conn, "200 OK")
				time.AfterFunc(2*time.Millisecond, func() { conn.Close() })
				return true
			})
		}},
		{"instead of the fourth answer", func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				if n < 4 {
					answers(conn, "200 OK")
				}
				return n < 4
			})
		}},
		{"with 408 instead of the second answer", func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				if n == 1 {
					answers(conn, "200 OK")
				} else {
					answers(conn, "408 Request Timeout")
				}
				return n == 1
			})
		}},
		{"by a reset", func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				answers(conn, "200 OK")
				if n == 3 {
					time.Sleep(time.Millisecond) // otherwise the response may be lost too
					reset(conn)
				}
				return n < 3
			})
		}},
		{"after a 500", func(*testing.T) func(net.Conn) {
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				if n%5 > 0 {
					answers(conn, "200 OK")
					return true
				}
				answers(conn, "500 Internal Server Error")
				time.Sleep(time.Millisecond)
				return false
			})
		}},
		{"all at once", func(t *testing.T) func(net.Conn) {
			var mu sync.Mutex
			var open []net.Conn
			seen := 0
			return eachOf(func(conn net.Conn, n int, _ *wireRequest) bool {
				answers(conn, "200 OK")
				mu.Lock()
				defer mu.Unlock()
				if n == 1 { // on a new connection, silence is a failure
					open = append(open, conn)
				}
				if seen++; seen == 50 {
					for _, c := range open {
						c.(*net.TCPConn).CloseWrite() // a request in flight gets no response
					}
				}
				return true
			})
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for range often(10) {
				target := serveRaw(t, row.serve(t))
				for i, x := range all(t.Context(), clientFor(t, target.URL), posts(100)) {
					if x.Failure != nil || len(x.Unasked) > 0 || x.Response.Status == http.StatusRequestTimeout {
						t.Errorf("%d: %v %q", i, x.Failure, x.Unasked)
					}
				}
			}
		})
	}
}

// A retry has fresh values and a new connection, and its result decides. On a new
// connection there is no retry.
func TestResend(t *testing.T) {
	const closed = "the connection was closed without an answer"
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for name, end := range map[string]func(net.Conn){"closed": func(c net.Conn) { c.Close() }, "reset": reset} {
			for _, row := range []struct {
				name   string
				fatal  int32 // number of requests to /fatal without a response
				used   bool  // on a kept connection
				budget int   // 0 means no limit
				sent   []string
				kind   replay.FailureKind
				why    string
			}{
				{"answered the second time", 1, true, 0, []string{"first", "second", "fatal", "fatal-again", "last"}, "", ""},
				{"never answered", 2, true, 0, []string{"first", "second", "fatal", "fatal-again", "last"}, replay.Incomplete, closed},
				{"on a new connection", 1, false, 0, []string{"fatal", "last"}, replay.Incomplete, closed},
				{"beyond the budget", 1, true, 3, []string{"first", "second", "fatal"}, replay.OverBudget, "--max-requests is 3"},
			} {
				t.Run(method+" "+name+" "+row.name, func(t *testing.T) {
					t.Parallel()
					var fatal atomic.Int32
					var mu sync.Mutex
					var seen []string
					target := serveRaw(t, eachOf(func(conn net.Conn, _ int, r *wireRequest) bool {
						mu.Lock()
						seen = append(seen, r.URL.Path[1:])
						mu.Unlock()
						if strings.HasPrefix(r.URL.Path, "/fatal") && fatal.Add(1) <= row.fatal {
							end(conn)
							return false
						}
						io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
						return true
					}))
					c := clientFor(t, target.URL, func(l *replay.Limits) { l.MaxRequests = row.budget })
					message := func(path string) fixtures.Message {
						return fixtures.Message{Method: method, Path: path, Again: func() fixtures.Message {
							return fixtures.Message{Method: method, Path: path + "-again"}
						}}
					}
					if row.used {
						checkFailure(t, c.Exchange(t.Context(), message("/first")), "", "")
						checkFailure(t, c.Exchange(t.Context(), message("/second")), "", "")
					}
					x := c.Exchange(t.Context(), message("/fatal"))
					checkFailure(t, x, row.kind, row.why)
					if row.kind == "" && (x.Resent == "" || !strings.HasSuffix(x.Request.URL, "/fatal-again")) {
						t.Errorf("%s is recorded, resent: %q", x.Request.URL, x.Resent)
					}
					c.Exchange(t.Context(), message("/last"))
					mu.Lock()
					defer mu.Unlock()
					if fmt.Sprint(seen) != fmt.Sprint(row.sent) {
						t.Errorf("sent were %v, want %v", seen, row.sent)
					}
				})
			}
		}
	}
}

// If a service ends during a request, it has not answered the request. The request is judged,
// although nothing listens any more.
func TestServiceThatEnds(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(nil)
	t.Cleanup(server.Close)
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) == 1 {
			return
		}
		server.Listener.Close()
		panic(http.ErrAbortHandler)
	})
	c := newClient(t, replay.Target{BaseURL: server.URL}, limits())
	checkFailure(t, c.Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"}), "", "")
	checkFailure(t, c.Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"}), replay.Incomplete,
		"the connection was closed without an answer, and the service has accepted no connections since; run with --concurrency 1 to find the request")
}
