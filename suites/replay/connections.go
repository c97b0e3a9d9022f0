package replay

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	// settle is how long the first connections rest at least before they are
	// used again, to see whether the target keeps them, and maxSettle at most. A
	// target that is slow to answer, or far away, is slow to close as well.
	settle    = 20 * time.Millisecond
	maxSettle = 200 * time.Millisecond
	perSettle = 4 // times what the exchange took
	// enough is how many connections must have been kept for so long before the
	// target is taken to keep them all: a busy machine may let one linger.
	enough = 3
	// maxRest is how long a connection may rest and still be used again. It is
	// shorter than any common time after which a server ends one.
	maxRest = 500 * time.Millisecond
)

// protocol is a connection in the protocol that is spoken on it.
type protocol interface {
	// RoundTrip sends a request and reads the header of its response. The
	// error is errUnsent, wrapped, where the peer cannot act on the request.
	RoundTrip(request *http.Request) (*http.Response, error)
	// rest says whether the connection can be kept after that response, and
	// watches it from then on.
	rest(response *http.Response) bool
	// left is closed when the peer ended the connection at rest. It may be
	// nil.
	left() <-chan struct{}
	// usable says whether it is still open, as far as is known.
	usable() bool
	io.Closer
}

// connection is one to the target, for one exchange at a time.
type connection struct {
	protocol
	used   bool          // kept from an earlier exchange
	took   time.Duration // the last exchange
	rested time.Time     // since when
}

// settles is how long it rests while the target's habit is unknown.
func (c *connection) settles() time.Duration {
	return min(max(settle, perSettle*c.took), maxSettle)
}

// connections are those to one target, kept from one exchange to the next.
//
// A peer may end a connection at rest at any time (RFC 9112 §9.5), and a
// request that is on its way then is lost: nobody can tell whether it was
// acted on, so it must not be sent again, and the exchange fails although the
// target did nothing wrong. Therefore a connection is used again only while it
// is safe to. The first ones rest long enough to see that the target keeps
// them; none rests long before its next use; and a target that was once seen to
// end one, or closed one instead of an answer, gets a connection for every
// request from then on.
type connections struct {
	dialer dialer

	mu     sync.Mutex
	idle   []*connection // in the order in which they came to rest
	habit  habit
	stayed int // connections that were seen to be kept
	closed bool
}

// habit is what a target does with a connection after its answer.
type habit int

const (
	unknown habit = iota
	keeps
	ends
)

// dial makes a new connection.
func (s *connections) dial(ctx context.Context) (*connection, error) {
	p, err := s.dialer.dial(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{protocol: p}, nil
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
	seen := rest >= c.settles()
	if !seen && s.known() == unknown {
		timer := time.NewTimer(c.settles() - rest)
		defer timer.Stop()
		select {
		case <-timer.C:
			seen = true
		case <-c.left():
		case <-ctx.Done():
		}
	}
	usable := c.usable()
	switch {
	case !usable:
		s.learn(ends)
	case seen:
		s.learn(keeps)
	}
	return usable && s.known() != ends
}

// learn takes note of what became of one connection: that it ended is enough to
// know the habit.
func (s *connections) learn(h habit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h == keeps {
		s.stayed++
	}
	if h == ends || s.stayed >= enough {
		s.habit = max(s.habit, h)
	}
}

func (s *connections) known() habit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.habit
}

// put takes a connection back after an exchange: with its response, read to the
// end, or without where it failed.
func (s *connections) put(c *connection, response *http.Response) {
	if c == nil {
		return
	}
	if response == nil || !c.rest(response) || !s.keep(c) {
		c.Close()
	}
}

func (s *connections) keep(c *connection) bool {
	c.used, c.rested = true, time.Now()
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
