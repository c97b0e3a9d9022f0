package replay

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// connection is one to the target (or its proxy), for one exchange at a time.
type connection struct {
	*http.ClientConn
	wire   *wire
	used   bool      // kept from an earlier exchange
	rested time.Time // since when
}

// unsent says whether the target cannot have acted on a request that failed
// with err: nothing of it went out, or HTTP/2 says so (RFC 9113 §6.8).
func (c *connection) unsent(err error) bool {
	if err == nil {
		return false
	}
	return c.wire.silent() || c.used && strings.Contains(err.Error(), "graceful shutdown GOAWAY")
}

// wire is a network connection that knows what net/http does not tell: whether
// something of a request was sent on it, and whether its peer has ended it or
// spoken unasked since the last answer.
type wire struct {
	net.Conn
	mu      sync.Mutex
	changed *sync.Cond
	reading bool          // a read waits for the peer
	quiet   bool          // no request is under way, so nothing may arrive
	spoilt  bool          // the peer takes nothing any more
	left    bool          // the peer ended it
	sent    int64         // bytes since the last call of ready
	ended   chan struct{} // closed when the peer or this side ended it
}

func newWire(conn net.Conn) *wire {
	w := &wire{Conn: conn, ended: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	return w
}

// Read reads what the peer sends. What comes while the connection is at rest
// ends it instead: it must not be taken for the answer to the next request.
func (w *wire) Read(p []byte) (int, error) {
	w.mu.Lock()
	w.reading = true
	w.changed.Broadcast()
	w.mu.Unlock()

	n, err := w.Conn.Read(p)

	w.mu.Lock()
	defer w.mu.Unlock()
	w.reading = false
	if w.quiet && n > 0 {
		n, err = 0, io.EOF
	}
	if err != nil {
		w.left = w.left || !errors.Is(err, net.ErrClosed)
		w.end()
	}
	return n, err //nolint:wrapcheck // a connection's errors are its own
}

// Write sends to the peer, or nothing where the peer has ended a connection at
// rest. A peer that stops reading may have answered before (RFC 9112 §9.3):
// then the rest of the request is dropped, and what can still be read decides.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	if w.quiet && w.hasEnded() {
		w.mu.Unlock()
		return 0, net.ErrClosed
	}
	w.quiet = false
	w.sent += int64(len(p))
	w.mu.Unlock()

	n, err := w.Conn.Write(p)
	if err == nil || errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err //nolint:wrapcheck // a connection's errors are its own
	}
	w.mu.Lock()
	w.spoilt = true
	w.mu.Unlock()
	return len(p), nil
}

// Close ends the connection.
func (w *wire) Close() error {
	w.mu.Lock()
	w.end()
	w.mu.Unlock()
	return w.Conn.Close() //nolint:wrapcheck // a connection's errors are its own
}

func (w *wire) end() {
	if !w.hasEnded() {
		close(w.ended)
		w.changed.Broadcast()
	}
}

func (w *wire) hasEnded() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

// rest begins a time without a request. Where the peer may send of its own
// accord, as in HTTP/2, the connection is not quiet.
func (w *wire) rest(quiet bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quiet = quiet
}

// ready says whether a next request can be sent. It waits until net/http has
// taken in all that arrived and reads again, which depends on nobody else: the
// peer cannot have said more than it should without being noticed here.
func (w *wire) ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.reading && !w.hasEnded() {
		w.changed.Wait()
	}
	w.sent = 0
	return !w.hasEnded() && !w.spoilt
}

// silent says whether nothing was sent since ready said yes.
func (w *wire) silent() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent == 0
}

// wasLeft says whether it was the peer who ended the connection.
func (w *wire) wasLeft() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.left
}
