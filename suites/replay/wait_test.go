package replay_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/replay"
)

func TestWaitReady(t *testing.T) {
	requests := make(chan *wireRequest, 10)
	server := serveRaw(t, func(conn net.Conn) {
		request, err := readRequest(bufio.NewReader(conn))
		if err == nil {
			requests <- request
			io.WriteString(conn, "HTTP/1.1 503 Whatever\r\n\r\n")
		}
	})
	target := replay.Target{BaseURL: server.URL + "/v1", Token: token, UserAgent: "conformance/1", Headers: fields("X-Api-Key", "secret")}
	if err := newClient(t, target, limits()).WaitReady(t.Context(), patience); err != nil {
		t.Fatal(err)
	}
	want := "GET /v1 HTTP/1.1\r\nHost: " + strings.TrimPrefix(server.URL, "http://") + "\r\nUser-Agent: conformance/1\r\n\r\n"
	if got := (<-requests).Head; got != want {
		t.Errorf("asked %q\nwant %q", got, want)
	}
}

func TestWaitReadyForALateTarget(t *testing.T) {
	url := deadURL(t)
	waited := make(chan error)
	go func() { waited <- clientFor(t, url).WaitReady(t.Context(), patience) }()
	select {
	case err := <-waited:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(100 * time.Millisecond): // some of its attempts have failed
	}
	serveRawOn(t, strings.TrimPrefix(url, "http://"), answering(ok))
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
}

func TestWaitReadyInVain(t *testing.T) {
	errCause := errors.New("interrupted")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(errCause)
	for _, row := range []struct {
		name    string
		ctx     context.Context
		url     string
		message string
	}{
		{"nobody there", t.Context(), deadURL(t), "the target did not answer within 500ms: nothing listens on 127.0.0.1:"},
		{"hangs", t.Context(), serveRaw(t, hang).URL, "takes connections, but does not answer"},
		{"hangs up", t.Context(), serveRaw(t, func(net.Conn) {}).URL, "the connection was closed without an answer"},
		{"no HTTP", t.Context(), serveRaw(t, answering("hello\r\n\r\n")).URL, "no complete HTTP message"},
		{"TLS", t.Context(), "https" + strings.TrimPrefix(serveRaw(t, answering("x")).URL, "http"), "takes no connection in time"},
		{"interrupted", canceled, deadURL(t), "the wait for the target was cut short: interrupted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			err := clientFor(t, row.url).WaitReady(row.ctx, 500*time.Millisecond)
			if err == nil || !strings.Contains(err.Error(), row.message) {
				t.Errorf("%v, want … %s …", err, row.message)
			}
			if row.ctx.Err() != nil && !errors.Is(err, errCause) {
				t.Errorf("%v does not wrap the cause", err)
			}
			if took := time.Since(begun); took > patience/2 {
				t.Errorf("took %s", took)
			}
		})
	}
}
