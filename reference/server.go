package reference

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The limits against clients that are slow, silent or verbose. §8 gives none.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second // header and body together
	writeTimeout      = 15 * time.Second // from the end of the header to the end of the answer: a slow body can still be answered
	idleTimeout       = time.Minute
	maxHeaderBytes    = 64 << 10 // room for any token
)

// NewServer returns a server for handler with limits on how long a client may
// take: 5 s for the header, 10 s for the whole request, 15 s until it has the
// answer, 1 min between two requests; and on how large a header may be:
// 64 KiB. What the server itself has to say (a failed TLS handshake, say) goes
// to logger as a warning; nil discards it.
func NewServer(handler http.Handler, logger *slog.Logger) *http.Server {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// Serve runs server on listener until ctx is done. Then it takes no more
// connections, lets the requests in flight come to their answers, and returns
// nil. Requests that have none after server.WriteTimeout, the longest that one
// may take, are cut off, which is an error, as is a listener that fails.
//
// Serve closes the listener in any case.
func Serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	select {
	case err := <-stopped:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}

	// ctx is done already; the requests in flight still need time.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), server.WriteTimeout)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = fmt.Errorf("cut off requests in flight: %w", errors.Join(err, server.Close()))
	}
	if cause := <-stopped; !errors.Is(cause, http.ErrServerClosed) {
		err = errors.Join(err, cause)
	}
	return err
}
