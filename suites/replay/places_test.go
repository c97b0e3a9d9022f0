package replay_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/plantstore/conformance/fixtures"
)

// places is a listener of a server that serves few connections at a time. Other connections
// wait until one ends, or get 503.
type places struct {
	net.Listener
	free chan struct{} // nil if connections above most get 503

	mu         sync.Mutex
	open, peak int
}

func (p *places) Accept() (net.Conn, error) {
	if p.free != nil {
		p.free <- struct{}{}
	}
	c, err := p.Listener.Accept()
	if err != nil {
		return nil, err
	}
	p.count(1)
	return &place{Conn: c, of: p}, nil
}

func (p *places) count(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open += n
	p.peak = max(p.peak, p.open)
	return p.open
}

type place struct {
	net.Conn
	of   *places
	once sync.Once
}

func (c *place) Close() error {
	c.once.Do(func() {
		c.of.count(-1)
		if c.of.free != nil {
			<-c.of.free
		}
	})
	return c.Conn.Close()
}

// TestFewPlaces: an idle connection blocks one that waits. The client does not keep more
// connections than it uses, and closes them if a server serves even fewer.
func TestFewPlaces(t *testing.T) {
	for _, row := range []struct {
		concurrency, most int
		refuses           bool // the server rejects more connections instead of letting them wait
	}{{8, 1, false}, {8, 3, false}, {8, 8, false}, {8, 100, false}, {2, 2, false}, {1, 1, false}, {8, 4, true}} {
		t.Run(fmt.Sprintf("%d at a time, %d served, the others refused %t", row.concurrency, row.most, row.refuses), func(t *testing.T) {
			t.Parallel()
			var p *places
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if p.count(0) > row.most {
					w.Header().Set("Retry-After", "1")
					w.Header().Set("Connection", "close")
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				_, _ = io.Copy(io.Discard, r.Body)
			}))
			p = &places{Listener: server.Listener}
			if !row.refuses {
				p.free = make(chan struct{}, row.most)
			}
			server.Listener = p
			server.Start()
			t.Cleanup(func() { // close the server after the client
				server.CloseClientConnections()
				server.Listener.Close()
			})
			messages := posts(240)
			for i := range messages {
				messages[i].Fresh = i%3 == 0
				if i%10 == 1 {
					messages[i].Beside = &fixtures.Message{Method: http.MethodGet, Path: "/beside", Times: 1}
				}
			}
			for i, x := range all(t.Context(), clientFor(t, server.URL, concurrency(row.concurrency)), messages) {
				if x.Failure != nil || x.Response.Status != http.StatusOK {
					t.Fatalf("message %d: %+v %+v", i, x.Failure, x.Response)
				}
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if !row.refuses && p.peak > row.concurrency {
				t.Errorf("%d connections were open", p.peak)
			}
		})
	}
}
