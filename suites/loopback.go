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
	// patience is how long a run waits at its end for calls of the handler that continue after their
	// response. Longer calls are abandoned.
	patience = 2 * time.Second
	// maxRequestHeader is enough for every fixture, in bytes.
	maxRequestHeader = 64 << 10
)

// loopback serves a handler on a loopback port.
type loopback struct {
	handler  http.Handler
	notes    io.Writer // gets the first panic of the handler
	url      string
	server   *http.Server
	serving  sync.WaitGroup // one for the server, and one for each connection
	panicked sync.Once
}

// serve serves a handler on a loopback port. It drops the log of net/http, because the exchanges
// show the same faults.
func serve(handler http.Handler, notes io.Writer) (*loopback, error) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fmt.Errorf("serving the handler: %w", err)
	}
	l := &loopback{handler: handler, notes: notes, url: "http://" + listener.Addr().String()}
	l.server = &http.Server{
		Handler:           l,
		ReadHeaderTimeout: time.Minute, // the client has shorter limits
		MaxHeaderBytes:    maxRequestHeader,
		ErrorLog:          log.New(io.Discard, "", 0),
		ConnState:         l.count,
	}
	// If Serve fails, the requests get no response, and the report says so.
	l.serving.Go(func() { _ = l.server.Serve(listener) })
	return l, nil
}

// ServeHTTP calls the handler. If it panics, the connection is closed, as in net/http. Only the
// first reason is logged, because the others are most likely the same.
func (l *loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if err, ok := reason.(error); !ok || !errors.Is(err, http.ErrAbortHandler) { // this one is intended
			l.panicked.Do(func() { fmt.Fprintf(l.notes, "the handler panicked: %v\n%s", reason, debug.Stack()) })
		}
		panic(http.ErrAbortHandler)
	}()
	l.handler.ServeHTTP(w, r)
}

// count adds new connections to serving, and removes closed ones. The handler runs within a connection.
func (l *loopback) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		l.serving.Add(1)
	case http.StateClosed, http.StateHijacked:
		l.serving.Done()
	}
}

// stop closes the server at once, and waits for calls of the handler that continue after their response.
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
