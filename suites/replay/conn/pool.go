package conn

import (
	"context"
	"errors"
	"fmt"
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
	// maxWatched is how many connections rest before it is known whether the target
	// keeps them. Each may take up a thread of the target.
	maxWatched = 8
	// crowded is how long an answer on a new connection is waited for before those at rest
	// are ended: a server may have a place for few connections. After starved, none is kept
	// if others were answered again and again meanwhile.
	crowded = 300 * time.Millisecond
	starved = time.Second
)

// Pool holds the connections to one target from one exchange to the next. It is
// safe for concurrent use.
//
// A peer may end a connection at rest at any time (RFC 9112 §9.5). The client
// notices most ends before it writes, and dials again. A request that is on
// its way at that moment is lost; see [ErrUnanswered].
//
// A peer may also send bytes that no request asked for, and send them late. On
// a kept connection they would pass for the answer to the next request. So the
// first connection rests for a while before its next use. One request waits for
// that, and the others get new connections meanwhile. A target that was once seen to
// end a connection, or to send such bytes, gets a new connection for every request
// from then on.
type Pool struct {
	dialer Dialer

	mu       sync.Mutex
	idle     []*Conn // in the order in which they came to rest
	behavior behavior
	awaited  bool // the time that shows the behavior, by a request that takes no new connection
	reused   bool // an answer came on a connection that was kept
	closed   bool
	open     int // connections, at rest or not
	most     int // that are used at a time
	answers  int // complete ones, on all connections
}

// behavior is what a target does with a connection after its answer, as far as it is
// known.
type behavior int

const (
	unknown behavior = iota
	keeps
	ends
)

// NewPool returns a pool without connections, which must be closed. The error
// says why the proxy that the environment names cannot be used.
func NewPool(d Dialer) (*Pool, error) {
	d, err := d.completed()
	return &Pool{dialer: d, most: d.Most}, err
}

// Place is how failures call the target.
func (s *Pool) Place() string {
	d := s.dialer
	if d.At.IsValid() {
		return fmt.Sprintf("%s (at %s)", d.Base.Host, d.At)
	}
	return d.Base.Host
}

// Forwarded reports whether a proxy is asked for the resource itself, and may then
// answer instead of the target (RFC 9110 §15.5.8).
func (s *Pool) Forwarded() bool {
	d := s.dialer
	if d.Handler != nil {
		return false
	}
	via, err := d.Proxy(&http.Request{URL: d.Base})
	return err == nil && via != nil && d.Base.Scheme == "http" && !isSOCKS(via)
}

// Dial makes a new connection, and ends others at rest if more would be open than are used
// at a time. [Unreached] tells what its error means.
func (s *Pool) Dial(ctx context.Context) (*Conn, error) {
	s.mu.Lock()
	for s.open >= s.most && len(s.idle) > 0 {
		oldest := s.idle[0]
		s.idle = slices.Delete(s.idle, 0, 1)
		s.mu.Unlock()
		s.end(oldest)
		s.mu.Lock()
	}
	s.open++
	s.mu.Unlock()
	p, err := s.dialer.dial(ctx)
	if err != nil {
		s.ended()
		return nil, err
	}
	return &Conn{protocol: p}, nil
}

// Narrow says that so many connections are used at a time from now on, at most.
func (s *Pool) Narrow(most int) {
	s.mu.Lock()
	s.most = most
	s.mu.Unlock()
}

// ended counts a connection that is no longer open.
func (s *Pool) ended() {
	s.mu.Lock()
	s.open--
	s.mu.Unlock()
}

// Waits says that the answer on a connection is waited for, until done is called. A server
// may serve few connections at a time, and one at rest takes the place of a new one.
func (s *Pool) Waits(c *Conn) (done func()) {
	if c.used {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	since, before, over := time.Now(), s.answers, false
	var timer *time.Timer
	timer = time.AfterFunc(crowded, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if over {
			return
		}
		const often = 4 // for each connection that is used at a time
		if time.Since(since) >= starved && s.answers-before >= often*s.most {
			s.behavior = ends
		}
		for _, c := range s.idle {
			go s.end(c)
		}
		s.idle = nil
		timer.Reset(crowded)
	})
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		over = true
		timer.Stop()
	}
}

// Kept returns a connection that was used before and can be used again, or nil.
func (s *Pool) Kept(ctx context.Context) *Conn {
	for {
		c := s.oldest()
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

// oldest gives the connection that has rested longest: the more time there was
// to see what the peer does, the better. There is one to wait for, and none for others
// meanwhile.
func (s *Pool) oldest() *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		return nil
	}
	if s.behavior == unknown && s.idle[0].isWatched() {
		if s.awaited {
			return nil
		}
		s.awaited = true
	}
	c := s.idle[0]
	s.idle = slices.Delete(s.idle, 0, 1)
	return c
}

// holds reports whether a connection at rest can be used again, and others can.
func (s *Pool) holds(ctx context.Context, c *Conn) bool {
	return s.known() != ends && s.stays(ctx, c) && s.known() != ends
}

// stays reports whether this connection can be used again.
func (s *Pool) stays(ctx context.Context, c *Conn) bool {
	rest := time.Since(c.rested)
	if rest > maxRest {
		return false
	}
	seen := rest >= c.settles()
	if c.isWatched() && s.known() != keeps {
		select {
		case <-time.After(c.settles() - rest):
			seen = true
		case <-c.left():
		case <-ctx.Done():
		}
		s.mu.Lock()
		s.awaited = false
		s.mu.Unlock()
	}
	usable := c.usable()
	switch {
	case !usable:
		s.learn(ends)
	case seen:
		s.learn(keeps)
	}
	return usable
}

// end closes a connection at rest, and hands its last exchange over.
func (s *Pool) end(c *Conn) {
	unasked := c.leave(maxLinger)
	s.ended()
	if len(unasked) > 0 {
		s.learn(ends)
	}
	c.release(unasked)
}

// learn notes what the target did with one connection. A connection that ended
// counts more than others that were kept.
func (s *Pool) learn(h behavior) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behavior = max(s.behavior, h)
}

func (s *Pool) known() behavior {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behavior
}

// Answered notes that a complete answer came on a connection, and how long the
// exchange took.
func (s *Pool) Answered(c *Conn, took time.Duration) {
	c.took = took
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reused = s.reused || c.used
	s.answers++
}

// Failed notes why no complete answer came on a connection.
func (s *Pool) Failed(c *Conn, err error) {
	if c.used && (IsClosed(err) || errors.Is(err, ErrUnsent)) {
		s.learn(ends)
	}
}

// Reuses reports whether the target ever answered on a connection that was kept.
func (s *Pool) Reuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reused
}

// Put returns a connection to the pool after an exchange. The response is read to its
// end; it is nil if the exchange failed. The handover gets what arrives later.
func (s *Pool) Put(c *Conn, response *http.Response, by *Handover) {
	switch {
	case c == nil:
	case response == nil, response.StatusCode == http.StatusSwitchingProtocols:
		c.Close()
		s.ended()
	case !s.restsAfter(c, response) || !s.keep(c, by):
		c.last = by.hold()
		s.end(c)
	}
}

// Next is Put and Kept in one. It returns the same connection for another
// request, or nil if the peer does not keep it. What the peer did to others says nothing of it.
func (s *Pool) Next(ctx context.Context, c *Conn, response *http.Response, by *Handover) *Conn {
	if c == nil || response == nil || response.StatusCode == http.StatusSwitchingProtocols {
		s.Put(c, response, by)
		return nil
	}
	c.last = by.hold()
	if !s.restsAfter(c, response) || !s.stays(ctx, c) {
		s.end(c)
		return nil
	}
	c.release(nil)
	return c
}

// restsAfter reports whether the connection can be kept after the response. After
// a 5xx it cannot: many servers close it then, and some do not say so.
func (s *Pool) restsAfter(c *Conn, response *http.Response) bool {
	rests := c.rest(response) && response.StatusCode < http.StatusInternalServerError
	c.used, c.rested = true, time.Now()
	return rests
}

// keep puts a connection to the others at rest, unless none are kept. It holds
// the exchange back if late bytes can still tell something about it.
func (s *Pool) keep(c *Conn, by *Handover) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.behavior == ends || s.behavior == unknown && len(s.idle) >= maxWatched {
		return false
	}
	if c.left() != nil {
		c.last = by.hold()
	}
	s.idle = append(s.idle, c)
	return true
}

// Settle ends the connections at rest, all at the same time.
func (s *Pool) Settle() {
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
func (s *Pool) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Settle()
}
