package replay_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plantstore/conformance/suites/replay"
)

func TestWaitReady(t *testing.T) {
	requests := make(chan *wireRequest, 10)
	server := serveRaw(t, func(conn net.Conn) {
		request, err := readRequest(bufio.NewReader(conn))
		if err == nil {
			requests <- request
			io.WriteString(conn, "HTTP/1.1 500 Whatever\r\n\r\n")
		}
	})
	target := replay.Target{BaseURL: server.URL + "/v1", Token: token, UserAgent: "conformance/1", Headers: fields("X-Api-Key", "secret")}
	if err := newClient(t, target, limits()).WaitReady(t.Context(), patience, nil); err != nil {
		t.Fatal(err)
	}
	want := "GET /v1 HTTP/1.1\r\nHost: " + strings.TrimPrefix(server.URL, "http://") + "\r\nUser-Agent: conformance/1\r\n\r\n"
	if got := (<-requests).Head; got != want {
		t.Errorf("asked %q\nwant %q", got, want)
	}
}

// The waiting function gets each reason once, and "" at the end.
func TestWaitReadyForALateTarget(t *testing.T) {
	url := freeURL(t)
	refused, waited := make(chan struct{}), make(chan error)
	var reasons []string
	go func() {
		waited <- clientFor(t, url).WaitReady(t.Context(), patience, func(reason string) {
			reasons = append(reasons, reason)
			if len(reasons) == 1 {
				close(refused)
			}
		})
	}()
	select {
	case err := <-waited:
		t.Fatalf("did not wait: %v", err)
	case <-refused:
	}
	var asked atomic.Int32
	serveRawOn(t, strings.TrimPrefix(url, "http://"), func(conn net.Conn) {
		status := "503 Not yet"
		if asked.Add(1) > 3 {
			status = "404 Nothing here"
		}
		answering("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")(conn)
	})
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
	if len(reasons) != 3 || !strings.HasPrefix(reasons[0], "nothing listens on ") || !strings.Contains(reasons[1], " answers with 503, ") || reasons[2] != "" {
		t.Errorf("told %q", reasons)
	}
}

// When the time is over, a 502, 503 or 504 counts as a response too.
func TestWaitReadyBehindAGateway(t *testing.T) {
	for _, status := range []int{502, 503, 504} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const wait = time.Minute
				var reasons []string
				begun := time.Now()
				c := called(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
				if err := c.WaitReady(t.Context(), wait, func(reason string) { reasons = append(reasons, reason) }); err != nil {
					t.Error(err)
				}
				if took := time.Since(begun); took != wait {
					t.Errorf("waited for %s", took)
				}
				if len(reasons) != 2 || !strings.Contains(reasons[0], " answers with "+strconv.Itoa(status)+", ") || reasons[1] != "" {
					t.Errorf("told %q", reasons)
				}
			})
		})
	}
}

func TestWaitReadyInVain(t *testing.T) {
	errCause := errors.New("interrupted")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(errCause)
	guarded := httptest.NewUnstartedServer(http.NotFoundHandler())
	guarded.Config.ErrorLog = quiet()
	guarded.EnableHTTP2 = true
	guarded.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	guarded.StartTLS()
	t.Cleanup(guarded.Close)
	for _, row := range []struct {
		name    string
		ctx     context.Context
		url     string
		message string
	}{
		{"nobody there", t.Context(), deadURL, "the target did not answer within 500ms: nothing listens on 127.0.0.1:"},
		{"hangs", t.Context(), serveRaw(t, hang).URL, "accepts connections, but does not answer"},
		{"hangs up", t.Context(), serveRaw(t, func(net.Conn) {}).URL, "the connection was closed without an answer"},
		{"no HTTP", t.Context(), serveRaw(t, answering("hello\r\n\r\n")).URL, "not a complete HTTP message"},
		{"TLS", t.Context(), "https" + strings.TrimPrefix(serveRaw(t, answering("x")).URL, "http"), "does not accept a connection in time"},
		{"an alert of TLS", t.Context(), serveRaw(t, answering("\x15\x03\x01\x00\x02\x02\x0a")).URL, "speaks TLS; try https://"},
		{"TLS with a certificate wanted", t.Context(), guarded.URL, "refuses the TLS connection: tls: certificate required; it may want a certificate (--client-cert, --client-key)"},
		{"interrupted", canceled, deadURL, "the wait for the target was cut short: interrupted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var told []string
			c := newClient(t, replay.Target{BaseURL: row.url, TLS: &tls.Config{InsecureSkipVerify: true}}, limits(timeout(time.Hour))) // a hanging probe would take that long
			err := c.WaitReady(row.ctx, 500*time.Millisecond, func(reason string) { told = append(told, reason) })
			if err == nil || !strings.Contains(err.Error(), row.message) {
				t.Errorf("%v, want … %s …", err, row.message)
			}
			if row.ctx.Err() != nil && !errors.Is(err, errCause) {
				t.Errorf("%v does not wrap the cause", err)
			}
			if given := errors.Is(err, replay.ErrGivenUp); given != (row.ctx.Err() == nil) {
				t.Errorf("given up: %v", given)
			}
			if len(told) != 2 || told[0] == "" || told[1] != "" {
				t.Errorf("told %q, want one reason and at the end nothing", told)
			}
		})
	}
}

// freeURL returns an address at which a target may start.
func freeURL(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	return "http://" + listener.Addr().String()
}
