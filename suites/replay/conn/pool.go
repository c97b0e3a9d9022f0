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
	// settle and maxSettle are the minimum and maximum time that the first connection
	// is idle before it is reused. In between, the time is perSettle times the duration
	// of the exchange: a target that is slow to respond, or far away, is slow to close too.
	settle    = 20 * time.Millisecond
	maxSettle = 200 * time.Millisecond
	perSettle = 4
	// maxLinger is how long a target may take to close its side of a connection
	// that the client has closed. Nearly all do so at once.
	maxLinger = 200 * time.Millisecond
	// maxRest is how long a connection may be idle and still be reused. It is shorter
	// than the usual idle timeouts of servers.
	maxRest = 500 * time.Millisecond
	// maxWatched limits the idle connections until it is known whether the target keeps
	// connections. Each may occupy a thread of the target.
	maxWatched = 8
	// crowded is how long a request on a new connection waits for its response before the
	// idle connections are closed, because a server may serve only a few connections. If
	// other requests get many responses until starved, no connection is kept from then on.
	crowded = 300 * time.Millisecond
	starved = time.Second
)

// A Pool holds the connections to one target from one exchange to the next. It is
// safe for concurrent use.
//
// A peer may close an idle connection at any time (RFC 9112 §9.5). Usually the client
// notices this before it writes, and dials again. A request that is being sent at that
// moment is lost. See [ErrUnanswered].
//
// A peer may also send bytes that no request asked for, and send them late. On a kept
// connection they would look like the response to the next request. So the first
// connection is idle for a while before its next use. One request waits for that, and
// the others get new connections meanwhile. Once the target closes an idle connection
// or sends such bytes, every later request gets a new connection.
type Pool struct {
	dialer Dialer

	mu       sync.Mutex
	idle     []*Conn // in the order in which they became idle
	behavior behavior
	awaited  bool // a request is waiting to see the behavior on an idle connection
	reused   bool // a response came on a kept connection
	closed   bool
	open     int // number of connections, idle or in use
	most     int // maximum number of connections in use
	answers  int // number of complete responses on all connections
}

// behavior is what a target does with a connection after its response, as far as the
// pool knows.
type behavior int

const (
	unknown behavior = iota
	keeps
	ends
)

// NewPool returns a pool without connections. The caller must close it. The error says
// why the proxy in the environment cannot be used.
func NewPool(d Dialer) (*Pool, error) {
	d, err := d.completed()
	return &Pool{dialer: d, most: d.Most}, err
}

// Place returns the name of the target in failures.
func (s *Pool) Place() string {
	d := s.dialer
	if d.At.IsValid() {
		return fmt.Sprintf("%s (at %s)", d.Base.Host, d.At)
	}
	return d.Base.Host
}

// Forwarded reports whether requests go to a proxy without a tunnel. The proxy may then
// respond instead of the target (RFC 9110 §15.5.8).
func (s *Pool) Forwarded() bool {
	d := s.dialer
	if d.Handler != nil {
		return false
	}
	via, err := d.Proxy(&http.Request{URL: d.Base})
	return err == nil && via != nil && d.Base.Scheme == "http" && !isSOCKS(via)
}

// Dial makes a new connection. It first closes idle connections if too many would be
// open. [Unreached] explains its error.
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

// Narrow sets the maximum number of connections that are used at a time.
func (s *Pool) Narrow(most int) {
	s.mu.Lock()
	s.most = most
	s.mu.Unlock()
}

func (s *Pool) ended() {
	s.mu.Lock()
	s.open--
	s.mu.Unlock()
}

// Waits tells the pool that a request waits for its response until done is called. If the
// connection is new and the wait is long, Waits closes the idle connections: a server may
// serve few connections at a time, and the idle ones count.
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
		const often = 4 // responses per connection in use
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

// Kept returns a kept connection that can be used again, or nil.
func (s *Pool) Kept(ctx context.Context) *Conn {
	for {
		c := s.oldest()
		if c == nil {
			return nil
		}
		if s.known() != ends && s.stays(ctx, c) && s.known() != ends { // stays may wait, and the target may close others
			c.release(nil)
			return c
		}
		s.end(c)
	}
}

// oldest returns the connection that has been idle longest, because the pool has watched
// it longest. While the behavior is unknown, one request waits for a connection and the
// others get nil.
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

// stays reports whether this idle connection can be used again. It may wait to see that.
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

// end closes an idle connection, and hands its last exchange over.
func (s *Pool) end(c *Conn) {
	unasked := c.leave(maxLinger)
	s.ended()
	if len(unasked) > 0 {
		s.learn(ends)
	}
	c.release(unasked)
}

// learn records what the target did with one connection. A single closed connection
// overrides any number of kept ones.
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

// Answered records that a complete response came on a connection, and how long the
// exchange took.
func (s *Pool) Answered(c *Conn, took time.Duration) {
	c.took = took
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reused = s.reused || c.used
	s.answers++
}

// Failed records why no complete response came on a connection.
func (s *Pool) Failed(c *Conn, err error) {
	if c.used && (IsClosed(err) || errors.Is(err, ErrUnsent)) {
		s.learn(ends)
	}
}

// Reuses reports whether the target has ever responded on a kept connection.
func (s *Pool) Reuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reused
}

// Put returns a connection to the pool after an exchange. The response is read to its
// end, or nil if the exchange failed. The handover gets the bytes that arrive later.
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

// Next combines Put and Kept. It returns the same connection for another request, or nil
// if the peer does not keep it. It ignores what the peer did with other connections.
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

// restsAfter reports whether the connection can be kept after the response. It is not kept
// after a 5xx: many servers then close it, and some do not announce this.
func (s *Pool) restsAfter(c *Conn, response *http.Response) bool {
	rests := c.rest(response) && response.StatusCode < http.StatusInternalServerError
	c.used, c.rested = true, time.Now()
	return rests
}

// keep adds a connection to the idle ones, unless the pool keeps no more. It delays the
// handover of the exchange if late bytes may still belong to it.
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

// Settle closes the idle connections, all at the same time.
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

// Close closes the idle connections now, and each other connection after its
// exchange.
func (s *Pool) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Settle()
}
