package replay

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// peer is a connection that is open until it is left.
type peer struct {
	gone   chan struct{}
	closed bool
}

func (p *peer) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }
func (p *peer) rest(r *http.Response) bool                      { return !r.Close }
func (p *peer) left() <-chan struct{}                           { return p.gone }
func (p *peer) Close() error                                    { p.closed = true; return nil }
func (p *peer) usable() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

func newPeer() (*connection, *peer) {
	p := &peer{gone: make(chan struct{})}
	return &connection{protocol: p}, p
}

// Whether a connection is used again, and how long it takes to say so.
func TestKeptConnections(t *testing.T) {
	whole := &http.Response{}
	for _, row := range []struct {
		name   string
		habit  habit
		rest   time.Duration // before it is asked for
		leaves time.Duration // after it came to rest; 0 is never
		again  bool
		waits  time.Duration
		learnt habit
	}{
		{"first", unknown, 0, 0, true, settle, unknown},
		{"first, after a while", unknown, 5 * time.Millisecond, 0, true, settle - 5*time.Millisecond, unknown},
		{"first, after long enough", unknown, settle, 0, true, 0, unknown},
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
				s := &connections{}
				c, p := newPeer()
				s.put(c, whole)
				s.habit = row.habit
				if row.leaves > 0 {
					time.AfterFunc(row.leaves, func() { close(p.gone) })
				}
				time.Sleep(row.rest)
				begun := time.Now()
				got := s.kept(t.Context())
				if waited := time.Since(begun); waited != row.waits {
					t.Errorf("waited for %s, want %s", waited, row.waits)
				}
				if again := got == c; again != row.again || p.closed == row.again {
					t.Errorf("used again: %t, closed: %t; want %t, %t", again, p.closed, row.again, !row.again)
				}
				if s.habit != row.learnt {
					t.Errorf("learnt %d, want %d", s.habit, row.learnt)
				}
				time.Sleep(2 * maxRest) // let the peer leave
			})
		})
	}
}

// A target is taken to keep its connections when several stayed, each for as
// long as its answers take.
func TestHabitIsLearnt(t *testing.T) {
	for _, row := range []struct {
		name  string
		took  time.Duration
		waits time.Duration // each
	}{
		{"a fast target", time.Millisecond, settle},
		{"a slow one", 30 * time.Millisecond, perSettle * 30 * time.Millisecond},
		{"a very slow one", time.Second, maxSettle},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &connections{}
				for i := range enough + 1 {
					c, _ := newPeer()
					c.took = row.took
					s.put(c, &http.Response{})
					begun := time.Now()
					if s.kept(t.Context()) != c {
						t.Error("it is not used again")
					}
					want := row.waits
					if i == enough {
						want = 0
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

func TestConnectionsThatAreNotKept(t *testing.T) {
	for name, put := range map[string]func(s *connections, c *connection){
		"failed":        func(s *connections, c *connection) { s.put(c, nil) },
		"announced":     func(s *connections, c *connection) { s.put(c, &http.Response{Close: true}) },
		"closed before": func(s *connections, c *connection) { s.Close(); s.put(c, &http.Response{}) },
		"closed after":  func(s *connections, c *connection) { s.put(c, &http.Response{}); s.Close() },
		"others ended":  func(s *connections, c *connection) { s.learn(ends); s.put(c, &http.Response{}) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &connections{}
			c, p := newPeer()
			put(s, c)
			if !p.closed || s.kept(t.Context()) != nil {
				t.Error("it is kept")
			}
		})
	}
}

// The one that rested longest comes first, and the end of the run ends the
// wait.
func TestKeptInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &connections{}
		first, _ := newPeer()
		second, _ := newPeer()
		s.put(first, &http.Response{})
		s.put(second, &http.Response{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begun := time.Now()
		if s.kept(ctx) != first || s.kept(ctx) != second || s.kept(ctx) != nil {
			t.Error("in another order")
		}
		if waited := time.Since(begun); waited > 0 || s.habit != unknown {
			t.Errorf("waited for %s and learnt %d", waited, s.habit)
		}
	})
}
