package suites

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// patience is how long the end of a run waits for what the handler still
	// does after its answer. One that goes on for longer is left behind.
	patience = 2 * time.Second
	// maxRequestHeader is as much as any fixture needs, in bytes.
	maxRequestHeader = 64 << 10
)

// loopback serves a handler on a loopback port.
type loopback struct {
	handler  http.Handler
	notes    io.Writer // gets the first panic of the handler
	url      string
	server   *http.Server
	serving  sync.WaitGroup // new connections, and each of them
	panicked sync.Once
}

// serve puts a handler on a loopback port. What net/http has to say of it is
// what the exchanges show as well, and is dropped.
func serve(handler http.Handler, notes io.Writer) (*loopback, error) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("serving the handler: %w", err)
	}
	l := &loopback{handler: handler, notes: notes, url: "http://" + listener.Addr().String()}
	l.server = &http.Server{
		Handler:           l,
		ReadHeaderTimeout: time.Minute, // the client's own limits are shorter
		MaxHeaderBytes:    maxRequestHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
		ConnState:         l.count,
	}
	// Were it to fail, the run would say of it what it says of any service.
	l.serving.Go(func() { _ = l.server.Serve(listener) })
	return l, nil
}

// ServeHTTP lets the handler answer. Where it panics the connection is cut, as
// net/http does, and the first reason is noted; the others are most likely the same.
func (l *loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if err, ok := reason.(error); !ok || !errors.Is(err, http.ErrAbortHandler) { // which is meant
			l.panicked.Do(func() { fmt.Fprintf(l.notes, "the handler panicked: %v\n%s", reason, debug.Stack()) })
		}
		panic(http.ErrAbortHandler)
	}()
	l.handler.ServeHTTP(w, r)
}

// count keeps account of the connections, within each of which the handler is
// called.
func (l *loopback) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		l.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		l.serving.Done()
	}
}

// stop ends the server at once, and waits for calls of the handler that have
// answered and are not done.
func (l *loopback) stop() {
	_ = l.server.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.serving.Wait()
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
}
