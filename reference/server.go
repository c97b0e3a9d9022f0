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

// Limits for slow, silent and verbose clients. §8 sets no limits.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second // header and body together
	writeTimeout      = 15 * time.Second // from the end of the header to the end of the answer, so that a slow body still gets an answer
	idleTimeout       = time.Minute
	maxHeaderBytes    = 64 << 10 // room for any token
)

// NewServer returns a server for handler with limits for a client: 5 s for the header,
// 10 s for the whole request, 15 s until the client has the answer, 1 min between two
// requests, and 64 KiB for the header. Messages of the server itself, such as a failed
// TLS handshake, go to logger as warnings; nil discards them.
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

// Serve runs server on listener until ctx is done. Then it accepts no more
// connections, answers the requests in flight and returns nil. It cuts off requests
// that have no answer after server.WriteTimeout, the time limit of a request, and
// returns an error. A listener that fails is an error, too.
//
// Serve always closes the listener.
func Serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	select {
	case err := <-stopped:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}

	// ctx is already done, but the requests in flight still need time.
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
