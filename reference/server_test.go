package reference

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// serving is a server run by Serve on a loopback port.
type serving struct {
	address string
	cancel  context.CancelFunc // has the same effect as a signal
	result  chan error         // what Serve returns
}

func serve(t *testing.T, server *http.Server) serving {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := serving{listener.Addr().String(), cancel, make(chan error, 1)}
	go func() {
		s.result <- Serve(ctx, server, listener)
		close(s.result)
	}()
	t.Cleanup(func() {
		cancel()
		<-s.result
	})
	return s
}

// connect opens a connection and sends text on it.
func (s serving) connect(t *testing.T, text string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
	return connection
}

// readReply reads one answer from a connection.
func readReply(t *testing.T, connection net.Conn) reply {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

const (
	plantBody = `{"name":"fern","id":7}`
	plantHead = "POST /plants HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer " + testToken +
		"\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n"
)

func TestNewServerLimitsEverything(t *testing.T) {
	server := NewServer(http.NotFoundHandler(), nil)
	for what, limit := range map[string]int64{
		"ReadHeaderTimeout": int64(server.ReadHeaderTimeout), "ReadTimeout": int64(server.ReadTimeout),
		"WriteTimeout": int64(server.WriteTimeout), "IdleTimeout": int64(server.IdleTimeout),
		"MaxHeaderBytes": int64(server.MaxHeaderBytes),
	} {
		if limit <= 0 {
			t.Errorf("%s is not limited", what)
		}
	}
	if server.WriteTimeout <= server.ReadTimeout {
		t.Error("a body that takes all of ReadTimeout leaves no time to answer it")
	}
}

func TestSlowClients(t *testing.T) {
	server := NewServer(New(Options{Tokens: []string{testToken}}), nil)
	server.ReadHeaderTimeout = 50 * time.Millisecond
	server.ReadTimeout = 100 * time.Millisecond
	server.IdleTimeout = 50 * time.Millisecond
	running := serve(t, server)

	t.Run("who says nothing is hung up on", func(t *testing.T) {
		expectHangUp(t, running.connect(t, ""))
	})
	t.Run("who stops in the header is hung up on", func(t *testing.T) {
		expectHangUp(t, running.connect(t, "POST /plants HTTP/1.1\r\nHost: pl"))
	})
	t.Run("who stops in the body is told, then hung up on", func(t *testing.T) {
		connection := running.connect(t, plantHead+plantBody[:10])
		checkRejection(t, readReply(t, connection), 400, "body did not arrive in time")
		expectHangUp(t, connection)
	})
	t.Run("who keeps an idle connection is hung up on", func(t *testing.T) {
		connection := running.connect(t, plantHead+plantBody)
		if got := readReply(t, connection); got.status != http.StatusOK {
			t.Errorf("got %d %s", got.status, got.body)
		}
		expectHangUp(t, connection)
	})
}

// expectHangUp waits for the server to close the connection without an answer.
func expectHangUp(t *testing.T, connection net.Conn) {
	t.Helper()
	if err := connection.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(connection); len(rest) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection stays open (%v) and says %q", err, rest)
	}
}

func TestOversizedHeaderIsRefused(t *testing.T) {
	running := serve(t, NewServer(New(Options{}), nil))
	request, err := http.NewRequest(http.MethodPost, "http://"+running.address+plantsPath, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+strings.Repeat("x", 2*maxHeaderBytes))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("got %d", response.StatusCode)
	}
}

// gatedStore holds every Add until the test opens the gate.
type gatedStore struct {
	Store
	entered chan struct{}
	gate    chan struct{}
}

func newGatedStore() gatedStore {
	return gatedStore{NewMemoryStore(), make(chan struct{}), make(chan struct{})}
}

func (s gatedStore) Add(ctx context.Context, p NewPlant) error {
	s.entered <- struct{}{}
	<-s.gate
	return s.Store.Add(ctx, p)
}

// awaitAdd waits until a request has reached the store.
func (s gatedStore) awaitAdd(t *testing.T) {
	t.Helper()
	select {
	case <-s.entered:
	case <-time.After(10 * time.Second):
		t.Fatal("the request never came to the store")
	}
}

func TestShutdownLetsRequestsInFlightFinish(t *testing.T) {
	store := newGatedStore()
	running := serve(t, NewServer(New(Options{Tokens: []string{testToken}, Store: store}), nil))
	connection := running.connect(t, plantHead+plantBody)
	store.awaitAdd(t)

	running.cancel()
	waitUntilRefused(t, running.address)
	select {
	case err := <-running.result:
		t.Fatal("Serve returned while a request was in flight: ", err)
	default:
	}

	close(store.gate)
	if got := readReply(t, connection); got.status != http.StatusOK {
		t.Errorf("the request in flight got %d %s", got.status, got.body)
	}
	if err := <-running.result; err != nil {
		t.Error(err)
	}
}

// waitUntilRefused waits until the address refuses connections.
func waitUntilRefused(t *testing.T, address string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		_ = connection.Close()
	}
	t.Fatal("the server still listens")
}

func TestShutdownDoesNotWaitForever(t *testing.T) {
	store := newGatedStore()
	server := NewServer(New(Options{Tokens: []string{testToken}, Store: store}), nil)
	server.WriteTimeout = 50 * time.Millisecond
	running := serve(t, server)
	running.connect(t, plantHead+plantBody)
	store.awaitAdd(t)

	running.cancel()
	if err := <-running.result; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Serve returned %v, want that it cut a request off", err)
	}
	close(store.gate)
}

func TestServeReportsAListenerThatFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	err = Serve(t.Context(), NewServer(New(Options{}), nil), listener)
	if !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve returned %v", err)
	}
}

func TestServeOnACancelledContextLetsGoOfTheListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Serve(cancelled, NewServer(New(Options{}), nil), listener); err != nil {
		t.Error(err)
	}
	waitUntilRefused(t, listener.Addr().String())
}
