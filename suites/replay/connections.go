package replay

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http/httpguts"
)

const (
	// settle is how long the first connections rest before they are used
	// again, to see whether the target keeps them.
	settle = 20 * time.Millisecond
	// maxRest is how long a connection may rest and still be used again. It is
	// shorter than any common time after which a server ends one.
	maxRest = 500 * time.Millisecond
)

// connections are those to one target, kept from one exchange to the next.
//
// A peer may end a connection at rest at any time (RFC 9112 §9.5), and a
// request that is on its way then is lost: nobody can tell whether it was
// acted on, so it must not be sent again, and the exchange fails although the
// target did nothing wrong. Therefore a connection is used again only while it
// is safe to. The first ones rest long enough to see that the target keeps
// them; none rests long before its next use; and a target that was once seen to
// end one, or failed to answer on one, gets a connection for every request
// from then on.
type connections struct {
	transport *http.Transport
	scheme    string
	address   string

	mu     sync.Mutex
	idle   []*connection // in the order in which they came to rest
	habit  habit
	closed bool
}

// habit is what a target does with a connection after its answer.
type habit int

const (
	unknown habit = iota
	keeps
	ends
)

// newConnections makes none yet. maxHeader bounds a response's header, in
// bytes.
func newConnections(base *url.URL, config *tls.Config, maxHeader int64) *connections {
	address, err := httpguts.PunycodeHostPort(base.Host)
	if err != nil {
		address = base.Host // dialing it will say why not
	}
	if base.Port() == "" {
		address = strings.TrimSuffix(address, ":") + ":" // the scheme's
	}
	return &connections{
		scheme:  base.Scheme,
		address: address,
		transport: &http.Transport{
			// Asked for the base URL itself: NO_PROXY may name its port.
			Proxy: func(*http.Request) (*url.URL, error) {
				return http.ProxyFromEnvironment(&http.Request{URL: base})
			},
			DialContext:            dialWire,
			TLSClientConfig:        config.Clone(), // it will be written to
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // see gunzip
			MaxResponseHeaderBytes: maxHeader,
		},
	}
}

// wireKey is the key of a context under which dialWire leaves what it made: it
// is wrapped by TLS and net/http then, and comes back no other way.
type wireKey struct{}

func dialWire(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err //nolint:wrapcheck // put into words where all is known
	}
	w := newWire(conn)
	if place, ok := ctx.Value(wireKey{}).(**wire); ok {
		*place = w
	}
	return w, nil
}

// dial makes a new connection, ready for a request.
func (s *connections) dial(ctx context.Context) (*connection, error) {
	var w *wire
	conn, err := s.transport.NewClientConn(context.WithValue(ctx, wireKey{}, &w), s.scheme, s.address)
	if err != nil {
		return nil, err //nolint:wrapcheck // put into words where all is known
	}
	return &connection{ClientConn: conn, wire: w}, nil
}

// kept gives a connection that was used before and can be used again, or nil.
func (s *connections) kept(ctx context.Context) *connection {
	for {
		c := s.take()
		if c == nil || s.holds(ctx, c) {
			return c
		}
		c.Close()
	}
}

// take gives the connection that has rested longest: the more time there was
// to see that it ended, the better.
func (s *connections) take() *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		return nil
	}
	c := s.idle[0]
	s.idle = slices.Delete(s.idle, 0, 1)
	return c
}

func (s *connections) holds(ctx context.Context, c *connection) bool {
	rest := time.Since(c.rested)
	if rest > maxRest {
		return false
	}
	seen := rest >= settle
	if !seen && s.learn(unknown) == unknown {
		timer := time.NewTimer(settle - rest)
		defer timer.Stop()
		select {
		case <-timer.C:
			seen = true
		case <-c.wire.ended:
		case <-ctx.Done():
		}
	}
	ready := c.wire.ready()
	switch {
	case c.wire.wasLeft():
		s.learn(ends)
	case ready && seen:
		s.learn(keeps)
	}
	return ready && c.Available() > 0 && s.learn(unknown) != ends
}

// learn takes note of a habit and says what is known now.
func (s *connections) learn(h habit) habit {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.habit = max(s.habit, h)
	return s.habit
}

// put takes a connection back after an exchange: with its response, read to the
// end, or without where it failed.
func (s *connections) put(c *connection, response *http.Response) {
	switch {
	case c == nil:
		return
	case response == nil && c.used && c.wire.wasLeft():
		s.learn(ends)
	case response != nil && (response.ProtoMajor == 2 || c.Available() > 0):
		c.used, c.rested = true, time.Now()
		c.wire.rest(response.ProtoMajor < 2)
		if s.keep(c) {
			return
		}
	}
	c.Close()
}

func (s *connections) keep(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.habit == ends {
		return false
	}
	s.idle = append(s.idle, c)
	return true
}

// Close ends the connections at rest now, and each other one after its
// exchange.
func (s *connections) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, c := range s.idle {
		c.Close()
	}
	s.idle = nil
}
