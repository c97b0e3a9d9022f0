package conn

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// peer is a connection that is open until leave is called.
type peer struct {
	gone   chan struct{}
	says   []byte // result of leave
	closed bool
}

// nobody returns a Handover that drops the exchange.
func nobody() *Handover { return NewHandover(func([]byte) {}) }

func (p *peer) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }
func (p *peer) rest(r *http.Response) bool                      { return !r.Close }
func (p *peer) left() <-chan struct{}                           { return p.gone }
func (p *peer) leave(time.Duration) []byte                      { p.closed = true; return p.says }
func (p *peer) Close() error                                    { p.closed = true; return nil }
func (p *peer) usable() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

func newPeer() (*Conn, *peer) {
	p := &peer{gone: make(chan struct{})}
	return &Conn{protocol: p}, p
}

// Whether a connection is reused, and how long the decision takes.
func TestKeptConnections(t *testing.T) {
	whole := &http.Response{}
	for _, row := range []struct {
		name     string
		behavior behavior
		rest     time.Duration // idle time before the next request
		leaves   time.Duration // when the peer closes the idle connection; 0 means never
		again    bool
		waits    time.Duration
		learnt   behavior
	}{
		{"first", unknown, 0, 0, true, settle, keeps},
		{"first, after a while", unknown, 5 * time.Millisecond, 0, true, settle - 5*time.Millisecond, keeps},
		{"first, after long enough", unknown, settle, 0, true, 0, keeps},
		{"first, and it leaves", unknown, 0, time.Millisecond, false, time.Millisecond, ends},
		{"first, and it has left", unknown, 2 * time.Millisecond, time.Millisecond, false, 0, ends},
		{"kept so far", keeps, 0, 0, true, 0, keeps},
		{"kept so far, and it has left", keeps, 2 * time.Millisecond, time.Millisecond, false, 0, ends},
		{"at rest for long", keeps, maxRest, 0, true, 0, keeps},
		{"at rest for too long", keeps, maxRest + 1, 0, false, 0, keeps},
		{"left after too long", keeps, maxRest + 1, maxRest, false, 0, keeps},
		{"others were left", ends, 0, 0, false, 0, ends},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Pool{}
				c, p := newPeer()
				s.Put(c, whole, nobody())
				s.behavior = row.behavior
				if row.leaves > 0 {
					time.AfterFunc(row.leaves, func() { close(p.gone) })
				}
				time.Sleep(row.rest)
				begun := time.Now()
				got := s.Kept(t.Context())
				if waited := time.Since(begun); waited != row.waits {
					t.Errorf("waited for %s, want %s", waited, row.waits)
				}
				if again := got == c; again != row.again || p.closed == row.again {
					t.Errorf("used again: %t, closed: %t; want %t, %t", again, p.closed, row.again, !row.again)
				}
				if s.behavior != row.learnt {
					t.Errorf("learnt %d, want %d", s.behavior, row.learnt)
				}
				time.Sleep(2 * maxRest) // let the peer close
			})
		})
	}
}

// The idle time of the first connection depends on the duration of the exchange.
func TestBehaviorIsLearnt(t *testing.T) {
	for _, row := range []struct {
		name  string
		took  time.Duration
		waits time.Duration
	}{
		{"a fast target", time.Millisecond, settle},
		{"a slow one", 30 * time.Millisecond, perSettle * 30 * time.Millisecond},
		{"a very slow one", time.Second, maxSettle},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &Pool{}
				for i, want := range []time.Duration{row.waits, 0} {
					c, _ := newPeer()
					c.took = row.took
					s.Put(c, &http.Response{}, nobody())
					begun := time.Now()
					if s.Kept(t.Context()) != c {
						t.Error("it is not used again")
					}
					if waited := time.Since(begun); waited != want {
						t.Errorf("%d: waited for %s, want %s", i, waited, want)
					}
				}
				if s.known() != keeps {
					t.Errorf("learnt %d", s.known())
				}
			})
		})
	}
}

// One request waits until the pool knows what the target does. Meanwhile the others get
// no kept connection, and only a few connections are idle.
func TestOneWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Pool{}
		rest := 0
		for range 3 * maxWatched {
			c, p := newPeer()
			if s.Put(c, &http.Response{}, nobody()); !p.closed {
				rest++
			}
		}
		var waits sync.WaitGroup
		begun := time.Now()
		waits.Go(func() {
			if s.Kept(t.Context()) == nil || time.Since(begun) != settle {
				t.Errorf("the first got none, after %s", time.Since(begun))
			}
		})
		synctest.Wait()
		if s.Kept(t.Context()) != nil || time.Since(begun) > 0 || rest != maxWatched {
			t.Errorf("another got one after %s; %d rest", time.Since(begun), rest)
		}
		waits.Wait()
		if s.Kept(t.Context()) == nil {
			t.Error("none is used again when it is known")
		}
	})
}

// An idle connection holds its exchange until its next use or its end. The unasked bytes
// are handed over with the exchange. After that the pool keeps no connections.
func TestHandover(t *testing.T) {
	for _, row := range []struct {
		name   string
		says   string
		ends   func(s *Pool, p *peer)
		learnt behavior
	}{
		{"used again", "", func(s *Pool, _ *peer) { s.Kept(t.Context()) }, keeps},
		{"left", "", func(s *Pool, p *peer) { close(p.gone); s.Kept(t.Context()) }, ends},
		{"spoke", "more", func(s *Pool, p *peer) { close(p.gone); s.Kept(t.Context()) }, ends},
		{"settled", "", func(s *Pool, _ *peer) { s.Settle() }, unknown},
		{"spoke late", "more", func(s *Pool, _ *peer) { s.Settle() }, ends},
		{"closed", "more", func(s *Pool, _ *peer) { s.Close() }, ends},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := &Pool{}
			c, p := newPeer()
			p.says = []byte(row.says)
			var got []string
			by := NewHandover(func(unasked []byte) { got = append(got, string(unasked)) })
			s.Put(c, &http.Response{}, by)
			by.Release(nil)
			if len(got) > 0 {
				t.Error("handed over while the connection rests")
			}
			row.ends(s, p)
			if len(got) != 1 || got[0] != row.says || s.known() != row.learnt {
				t.Errorf("handed over %q, want %q; learnt %d, want %d", got, row.says, s.known(), row.learnt)
			}
		})
	}
}

func TestConnectionsThatAreNotKept(t *testing.T) {
	for name, put := range map[string]func(s *Pool, c *Conn){
		"failed":        func(s *Pool, c *Conn) { s.Put(c, nil, nobody()) },
		"announced":     func(s *Pool, c *Conn) { s.Put(c, &http.Response{Close: true}, nobody()) },
		"closed before": func(s *Pool, c *Conn) { s.Close(); s.Put(c, &http.Response{}, nobody()) },
		"closed after":  func(s *Pool, c *Conn) { s.Put(c, &http.Response{}, nobody()); s.Close() },
		"a 500": func(s *Pool, c *Conn) {
			s.Put(c, &http.Response{StatusCode: http.StatusInternalServerError}, nobody())
		},
		"others ended": func(s *Pool, c *Conn) { s.learn(ends); s.Put(c, &http.Response{}, nobody()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &Pool{}
			c, p := newPeer()
			put(s, c)
			if !p.closed || s.Kept(t.Context()) != nil {
				t.Error("it is kept")
			}
		})
	}
}

// The connection that was idle longest comes first, and the end of the run ends the
// wait.
func TestKeptInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Pool{}
		first, _ := newPeer()
		second, _ := newPeer()
		s.Put(first, &http.Response{}, nobody())
		s.Put(second, &http.Response{}, nobody())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begun := time.Now()
		if s.Kept(ctx) != first || s.Kept(ctx) != second || s.Kept(ctx) != nil {
			t.Error("in another order")
		}
		if waited := time.Since(begun); waited > 0 || s.behavior != unknown {
			t.Errorf("waited for %s and learnt %d", waited, s.behavior)
		}
	})
}
