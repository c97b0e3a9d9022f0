package reference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/plantstore/conformance/reference/alteration"
	"github.com/plantstore/conformance/reference/fault"
)

// Deviation is a way to break the contract. [Options] selects one, and the suite
// must find it.
type Deviation = alteration.Alteration

// Variation is a way to use a freedom that the contract leaves. [Options] selects
// one, and the suite must find no violation.
type Variation = alteration.Alteration

// Deviations returns all deviations, sorted by the clauses that they break.
func Deviations() []Deviation { return alteration.Deviations() }

// Variations returns all variations, sorted by the clauses that leave them open.
func Variations() []Variation { return alteration.Variations() }

// Options are the options of New. The zero value is a service that keeps plants in
// memory and logs nothing. It has no tokens, so it accepts no request.
type Options struct {
	// Tokens are the bearer tokens that are accepted (§5). The empty token is
	// never accepted, not even if it is among them.
	Tokens []string

	// Store keeps the plants; nil means a new memory store. The caller closes it when
	// no request is in flight.
	Store Store

	// Logger receives the access log, one record per request, and the failures of the
	// store; nil logs nothing. No record contains a header, a query or a body.
	Logger *slog.Logger

	// Deviation is a way to break the contract, one of [Deviations]; the zero value
	// breaks nothing.
	Deviation Deviation

	// Variation is a way to use a freedom, one of [Variations]; the zero value uses
	// only those that the package documentation describes.
	Variation Variation
}

// New returns the plant store service: POST /plants (§4), and an Error as the body of
// every other answer. It can serve concurrent requests. It panics if the deviation or
// the variation is not in the lists.
func New(o Options) http.Handler {
	if o.Store == nil {
		o.Store = NewMemoryStore()
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	s := &service{credentials: newCredentials(o.Tokens), store: o.Store, logger: o.Logger}
	decide := o.Deviation.Apply(o.Variation.Apply(s.decide, o.Tokens), o.Tokens)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		a := decide(fault.NewRequest(r, maxBody))
		defer func() { logAccess(o.Logger, r, a, time.Since(began)) }() // also if a delivery breaks off
		a.Send(w, r)
	})
}

// logAccess writes the record of one answered request.
//
// It leaves out the headers, because one of them is the credential; the query,
// because some clients put a credential there too; and the text of an error,
// because that may quote the body. The path is cut: it is the client's text.
func logAccess(logger *slog.Logger, r *http.Request, a fault.Answer, took time.Duration) {
	attributes := []slog.Attr{
		slog.String("remote", r.RemoteAddr),
		slog.String("method", excerpt(r.Method)),
		slog.String("path", excerpt(r.URL.Path)),
		slog.Int("status", a.Status),
		slog.Int("bytes", len(a.Body)),
		slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if a.Rejected != "" {
		attributes = append(attributes, slog.String("rejected", a.Rejected))
	}
	logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attributes...)
}

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
	logger = cmp.Or(logger, slog.New(slog.DiscardHandler))
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
