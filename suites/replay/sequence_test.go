package replay_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// A chunked body differs only in its framing.
func TestChunked(t *testing.T) {
	var heads []string
	target := serveRaw(t, eachOf(func(conn net.Conn, _ int, r *wireRequest) bool {
		heads = append(heads, r.Head+string(r.Body))
		io.WriteString(conn, ok)
		return true
	}))
	c := clientFor(t, target.URL)
	m := post(`{"id":1}`)
	m.Chunked = true
	checkFailure(t, c.Exchange(t.Context(), m), "", "")
	if len(heads) != 1 || !strings.Contains(heads[0], "Transfer-Encoding: chunked\r\n") || strings.Contains(heads[0], "Content-Length") || !strings.HasSuffix(heads[0], `{"id":1}`) {
		t.Errorf("%q", heads)
	}
}

// The connections on which messages are sent. The target returns the number of the
// connection, and the number of the request on it.
func TestSequences(t *testing.T) {
	at := func(path string) fixtures.Message {
		return fixtures.Message{Method: http.MethodGet, Path: path, Times: 1}
	}
	first := at("/first")
	after := at("/after")
	after.After = &first
	fresh := at("/fresh")
	fresh.Fresh = true
	both := after
	both.Fresh = true
	closing := at("/close")
	afterClose := at("/after")
	afterClose.After = &closing
	leaving := at("/leave")
	afterLeave := at("/after")
	afterLeave.After = &leaving
	for _, row := range []struct {
		name     string
		messages []fixtures.Message
		budget   int
		want     string // what the target saw, as connection.request path
		kind     replay.FailureKind
	}{
		{"one and one", []fixtures.Message{first, first}, 0, "1.1 /first 1.2 /first", ""},
		{"fresh", []fixtures.Message{first, fresh}, 0, "1.1 /first 2.1 /fresh", ""},
		{"after", []fixtures.Message{first, after}, 0, "1.1 /first 1.2 /first 1.3 /after", ""},
		{"after, on a fresh connection", []fixtures.Message{first, both}, 0, "1.1 /first 2.1 /first 2.2 /after", ""},
		{"after one that says it ends the connection", []fixtures.Message{afterClose}, 0, "1.1 /close 2.1 /after", ""},
		{"after one that ends the connection", []fixtures.Message{afterLeave}, 0, "1.1 /leave 2.1 /after", ""},
		{"after, though the target ended another connection", []fixtures.Message{leaving, first, after}, 0, "1.1 /leave 2.1 /first 3.1 /first 3.2 /after", ""},
		{"after, beyond the budget", []fixtures.Message{after}, 1, "1.1 /first", replay.OverBudget},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var seen []string
			conns := 0
			target := serveRaw(t, func(conn net.Conn) {
				mu.Lock()
				conns++
				number := conns
				mu.Unlock()
				eachOf(func(conn net.Conn, n int, r *wireRequest) bool {
					mu.Lock()
					seen = append(seen, fmt.Sprintf("%d.%d %s", number, n, r.URL.Path))
					mu.Unlock()
					if r.URL.Path == "/close" {
						io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
						return false
					}
					io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
					return r.URL.Path != "/leave"
				})(conn)
			})
			c := clientFor(t, target.URL, concurrency(1), func(l *replay.Limits) { l.MaxRequests = row.budget })
			exchanges := all(t.Context(), c, row.messages)
			last := exchanges[len(exchanges)-1]
			checkFailure(t, last, row.kind, "")
			if message := row.messages[len(row.messages)-1]; !strings.HasSuffix(last.Request.URL, message.Path) {
				t.Errorf("%s is recorded, not %s", last.Request.URL, message.Path)
			}
			mu.Lock()
			defer mu.Unlock()
			if got := strings.Join(seen, " "); got != row.want {
				t.Errorf("the target saw %s, want %s", got, row.want)
			}
		})
	}
}

// Two messages are sent at the same moment, and both results are recorded. A throttled companion is
// ignored.
func TestBeside(t *testing.T) {
	const fails = "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"
	for _, row := range []struct {
		name         string
		main, beside string // the responses; "" means no response
		want         string // the status or kind of failure of each
	}{
		{"both answered", ok, ok, "200 and 200"},
		{"the other rejected", ok, "HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n", "200 and 400"},
		{"the other not answered", ok, "", "200 and incomplete"},
		{"the other failed", ok, fails, "200 and 500"},
		{"this one failed", fails, ok, "500 and 200"},
		{"this one not answered", "", ok, "incomplete and 200"},
		{"neither", "", "", "incomplete and incomplete"},
		{"the other has to wait", ok, "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", "200"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var arrived sync.WaitGroup
			arrived.Add(2)
			target := serveRaw(t, func(conn net.Conn) {
				r, err := readRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				arrived.Done()
				arrived.Wait() // or the test hangs
				io.WriteString(conn, map[string]string{"/main": row.main, "/beside": row.beside}[r.URL.Path])
			})
			m := fixtures.Message{Method: http.MethodGet, Path: "/main", Times: 1, Beside: &fixtures.Message{Method: http.MethodGet, Path: "/beside"}}
			x := all(t.Context(), clientFor(t, target.URL, concurrency(2), func(l *replay.Limits) { l.MaxRequests = 2 }), []fixtures.Message{m})[0]
			var got []string
			for _, one := range append([]replay.Exchange{x}, x.Others...) {
				if one.Failure != nil {
					got = append(got, string(one.Failure.Kind))
				} else {
					got = append(got, strconv.Itoa(one.Response.Status))
				}
				if isOther := len(got) > 1; one.Beside != isOther || strings.HasSuffix(one.Request.URL, "/beside") != isOther {
					t.Errorf("%s is recorded in place %d", one.Request.URL, len(got))
				}
			}
			if strings.Join(got, " and ") != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// A server for one connection may close the first of two connections because no request comes on
// it, and then accept the second one. Neither request fails because of this.
func TestBesideAtServerOfOneConnection(t *testing.T) {
	own, trusted := certificate(t, func(*x509.Certificate) {})
	var one sync.Mutex
	target := serveRaw(t, func(raw net.Conn) {
		one.Lock()
		defer one.Unlock()
		conn := tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{own}})
		defer conn.Close()
		if conn.Handshake() != nil {
			return
		}
		conn.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
		if _, err := readRequest(bufio.NewReader(conn)); err == nil {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
		}
	})
	c := newClient(t, replay.Target{BaseURL: "https" + strings.TrimPrefix(target.URL, "http"), TLS: &tls.Config{RootCAs: trusted}}, limits())
	x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/main", Beside: &fixtures.Message{Method: http.MethodGet, Path: "/beside"}})
	checkFailure(t, x, "", "")
}

// Two messages at the same moment count as two concurrent requests. If only one is
// allowed, they are sent one after the other.
func TestBesideKeepsTheBound(t *testing.T) {
	for _, most := range []int{1, 2, 3, 8} {
		t.Run(strconv.Itoa(most), func(t *testing.T) {
			t.Parallel()
			var now, highest atomic.Int32
			target := serve(t, func(http.ResponseWriter, *http.Request) {
				n := now.Add(1)
				defer now.Add(-1)
				for high := highest.Load(); n > high; high = highest.Load() {
					highest.CompareAndSwap(high, n)
				}
				runtime.Gosched()
			})
			pair := fixtures.Message{Method: http.MethodGet, Path: "/main", Times: 1, Beside: &fixtures.Message{Method: http.MethodGet, Path: "/beside"}}
			messages := posts(100)
			for i := 0; i < len(messages); i += 3 {
				messages[i] = pair
			}
			for _, x := range all(t.Context(), clientFor(t, target.URL, concurrency(most)), messages) {
				checkFailure(t, x, "", "")
			}
			if got := highest.Load(); got > int32(most) {
				t.Errorf("%d requests were under way at a time", got)
			}
		})
	}
}
