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
	// settle is how long the first connection rests at least before it is used
	// again, and maxSettle at most. A target that is slow to answer, or far
	// away, is slow to close as well.
	settle    = 20 * time.Millisecond
	maxSettle = 200 * time.Millisecond
	perSettle = 4 // times what the exchange took
	// maxLinger is how long a target may take to close its side of a connection
	// that the client has closed. Nearly all do so at once.
	maxLinger = 200 * time.Millisecond
	// maxRest is how long a connection may rest and still be used again. It is
	// shorter than any common time after which a server ends one.
	maxRest = 500 * time.Millisecond
)

// protocol is a connection in the protocol that is spoken on it.
type protocol interface {
	// RoundTrip sends a request and reads the header of its response. The
	// error wraps errUnsent if the peer cannot act on the request, and
	// errUnanswered if the peer closed the connection before it sent one byte.
	RoundTrip(request *http.Request) (*http.Response, error)
	// rest says whether the connection can be kept after that response, and
	// watches it from then on.
	rest(response *http.Response) bool
	// left is closed when the peer spoke on the connection at rest or ended it.
	// It is nil if the protocol itself tells an answer from other bytes.
	left() <-chan struct{}
	// usable says whether the connection is still open, as far as is known.
	usable() bool
	// leave ends the connection in order after a response was read to its end.
	// It returns what the peer sent that no request asked for, and waits for
	// the peer to close its side, but not longer than that.
	leave(within time.Duration) (unasked []byte)
	io.Closer
}

// connection is one to the target, for one exchange at a time.
type connection struct {
	protocol
	used   bool          // kept from an earlier exchange
	took   time.Duration // the last exchange
	rested time.Time     // since when
	last   *handover     // of the exchange that used it last, while it rests
}

// settles is how long it takes to see what the peer does after its answer.
func (c *connection) settles() time.Duration {
	return min(max(settle, perSettle*c.took), maxSettle)
}

// release lets the last exchange go, with what arrived after its answer.
func (c *connection) release(unasked []byte) {
	if c.last != nil {
		c.last.release(unasked)
		c.last = nil
	}
}

// connections are those to one target, kept from one exchange to the next.
//
// A peer may end a connection at rest at any time (RFC 9112 §9.5). The client
// notices most ends before it writes, and dials again. A request that is on
// its way at that moment is lost; see [sending.send].
//
// A peer may also send bytes that no request asked for, and send them late. On
// a kept connection they would pass for the answer to the next request. So the
// first connection rests for a while before its next use. A target that was
// once seen to end a connection, or to send such bytes, gets a new connection
// for every request from then on.
type connections struct {
	dialer dialer

	mu     sync.Mutex
	idle   []*connection // in the order in which they came to rest
	habit  habit
	reused bool // an answer came on a connection that was kept
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
		if c == nil {
			return nil
		}
		if s.holds(ctx, c) {
			c.release(nil)
			return c
		}
		s.end(c)
	}
}

// take gives the connection that has rested longest: the more time there was
// to see what the peer does, the better.
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

// holds says whether a connection at rest can be used again.
func (s *connections) holds(ctx context.Context, c *connection) bool {
	rest := time.Since(c.rested)
	if rest > maxRest {
		return false
	}
	seen := rest >= c.settles()
	if !seen && c.left() != nil && s.known() == unknown {
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

// end closes a connection at rest, and lets its last exchange go.
func (s *connections) end(c *connection) {
	unasked := c.leave(maxLinger)
	if len(unasked) > 0 {
		s.learn(ends)
	}
	c.release(unasked)
}

// learn notes what became of one connection. That one ended outweighs others
// that were kept.
func (s *connections) learn(h habit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.habit = max(s.habit, h)
}

func (s *connections) known() habit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.habit
}

// answered notes that an answer came on a connection.
func (s *connections) answered(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reused = s.reused || c.used
}

// reuses says whether the target ever answered on a connection that was kept.
func (s *connections) reuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reused
}

// put takes a connection back after an exchange: with its response, read to the
// end, or without where it failed. The handover is told what arrives later.
func (s *connections) put(c *connection, response *http.Response, by *handover) {
	switch {
	case c == nil:
	case response == nil, response.StatusCode == http.StatusSwitchingProtocols:
		c.Close()
	case !s.restsAfter(c, response) || !s.keep(c, by):
		c.last = by.hold()
		s.end(c)
	}
}

// next is put and kept in one: it gives the same connection for another
// request, or nil if the peer does not keep it.
func (s *connections) next(ctx context.Context, c *connection, response *http.Response, by *handover) *connection {
	if c == nil || response == nil || response.StatusCode == http.StatusSwitchingProtocols {
		s.put(c, response, by)
		return nil
	}
	c.last = by.hold()
	if !s.restsAfter(c, response) || !s.holds(ctx, c) {
		s.end(c)
		return nil
	}
	c.release(nil)
	return c
}

// restsAfter says whether the connection can be kept after the response. After
// a 5xx it cannot: many servers close it then, and some do not say so.
func (s *connections) restsAfter(c *connection, response *http.Response) bool {
	rests := c.rest(response) && response.StatusCode < http.StatusInternalServerError
	c.used, c.rested = true, time.Now()
	return rests
}

// keep puts a connection to the others at rest, unless none are kept. It holds
// the exchange back if late bytes can still tell something about it.
func (s *connections) keep(c *connection, by *handover) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.habit == ends {
		return false
	}
	if c.left() != nil {
		c.last = by.hold()
	}
	s.idle = append(s.idle, c)
	return true
}

// settle ends the connections at rest, all at a time.
func (s *connections) settle() {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	var ending sync.WaitGroup
	for _, c := range idle {
		ending.Go(func() { s.end(c) })
	}
	ending.Wait()
}

// Close ends the connections at rest now, and each other one after its
// exchange.
func (s *connections) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.settle()
}
