package conn

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// protocol is a connection, and the protocol that is spoken on it.
type protocol interface {
	// RoundTrip sends a request and reads the header of its response. The
	// error wraps [ErrUnsent] if the peer cannot act on the request, and
	// [ErrUnanswered] if the peer closed the connection before it sent one byte.
	RoundTrip(request *http.Request) (*http.Response, error)
	// rest reports whether the connection can be kept after that response, and
	// watches it from then on.
	rest(response *http.Response) bool
	// left is closed when the peer spoke on the connection at rest or ended it.
	// It is nil if the protocol itself tells an answer from other bytes.
	left() <-chan struct{}
	// usable reports whether the connection is still open, as far as is known.
	usable() bool
	// leave ends the connection in order after a response was read to its end.
	// It returns what the peer sent that no request asked for, and waits for
	// the peer to close its side, but not longer than that.
	leave(within time.Duration) (unasked []byte)
	io.Closer
}

// Conn is a connection to the target, for one exchange at a time.
type Conn struct {
	protocol
	used   bool          // kept from an earlier exchange
	took   time.Duration // the last exchange
	rested time.Time     // since when
	last   *Handover     // of the exchange that used it last, while it rests
}

// Used reports whether the connection was kept from an earlier exchange.
func (c *Conn) Used() bool { return c.used }

// settles is how long it takes to see what the peer does after its answer.
func (c *Conn) settles() time.Duration {
	return min(max(settle, perSettle*c.took), maxSettle)
}

// isWatched reports whether the peer may still do something after its answer.
func (c *Conn) isWatched() bool {
	return c.left() != nil && time.Since(c.rested) < c.settles() && c.usable()
}

// release hands the last exchange over, with what arrived after its answer.
func (c *Conn) release(unasked []byte) {
	if c.last != nil {
		c.last.Release(unasked)
		c.last = nil
	}
}

// Handover hands an exchange over as soon as nothing can be added to it.
//
// A target may send bytes that no request asked for, and it may send them
// late. A connection at rest therefore holds its last exchange until its next
// use or its end, so that those bytes always become part of an exchange.
type Handover struct {
	mu      sync.Mutex
	holders int
	unasked []byte
	give    func(unasked []byte)
}

// NewHandover has one holder, who makes the exchange.
func NewHandover(give func(unasked []byte)) *Handover {
	return &Handover{holders: 1, give: give}
}

// hold keeps the exchange back until one more release.
func (h *Handover) hold() *Handover {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holders++
	return h
}

// Release adds what came unasked. The last holder's call hands the exchange
// over before it returns.
func (h *Handover) Release(unasked []byte) {
	h.mu.Lock()
	if h.unasked == nil {
		h.unasked = unasked
	}
	h.holders--
	last := h.holders == 0
	h.mu.Unlock()
	if last {
		h.give(h.unasked)
	}
}
