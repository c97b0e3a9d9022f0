package replay_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

func concurrency(n int) func(*replay.Limits) {
	return func(l *replay.Limits) { l.Concurrency = n }
}

func timeout(d time.Duration) func(*replay.Limits) {
	return func(l *replay.Limits) { l.Timeout = d }
}

// numbered returns messages whose path is their index.
func numbered(n int) []fixtures.Message {
	list := posts(n)
	for i := range list {
		list[i].Path = fmt.Sprint("/", i)
	}
	return list
}

// deadURL is the address of a target that does not exist: no server gets this port.
const deadURL = "http://127.0.0.1:1"

func kinds(exchanges []replay.Exchange) map[replay.FailureKind]int {
	count := map[replay.FailureKind]int{}
	for _, x := range exchanges {
		kind := replay.FailureKind("")
		if x.Failure != nil {
			kind = x.Failure.Kind
		}
		count[kind]++
	}
	return count
}

func TestAtMostConcurrencyAtATime(t *testing.T) {
	for _, most := range []int{1, 3, 8} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			var inFlight, seen atomic.Int32
			full := make(chan struct{})
			target := serve(t, func(w http.ResponseWriter, r *http.Request) {
				n := inFlight.Add(1)
				defer inFlight.Add(-1)
				if int(n) > most {
					t.Errorf("%d in flight", n)
				}
				if int(seen.Add(1)) == most {
					close(full)
				}
				<-full // wait until the maximum number of requests has arrived
			})
			for _, x := range all(t.Context(), clientFor(t, target.URL, concurrency(most)), posts(50)) {
				if x.Failure != nil {
					t.Fatal(*x.Failure)
				}
			}
		})
	}
}

func TestBegunInOrder(t *testing.T) {
	for _, most := range []int{1, 4} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			var mu sync.Mutex
			arrived := 0
			target := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				var i int
				fmt.Sscanf(r.URL.Path, "/%d", &i)
				// Concurrent requests may arrive in any order.
				if i >= arrived+most {
					t.Errorf("%d came as number %d", i, arrived)
				}
				arrived++
			})
			all(t.Context(), clientFor(t, target.URL, concurrency(most)), numbered(60))
		})
	}
}

func TestDoneOncePerMessage(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	for _, row := range []struct {
		name string
		ctx  context.Context
		url  string
		n    int
	}{
		{"none", t.Context(), server.URL, 0},
		{"one", t.Context(), server.URL, 1},
		{"many", t.Context(), server.URL, 100},
		{"canceled before", canceled, server.URL, 100},
		{"nobody there", t.Context(), deadURL, 100},
	} {
		t.Run(row.name, func(t *testing.T) {
			calls := make([]atomic.Int32, row.n)
			messages := numbered(row.n)
			clientFor(t, row.url).All(row.ctx, replay.OneBatch(messages...), func(_, i int, x replay.Exchange) {
				calls[i].Add(1)
				if !strings.HasSuffix(x.Request.URL, messages[i].Path) {
					t.Errorf("%d is told %s", i, x.Request.URL)
				}
			})
			for i := range calls {
				if n := calls[i].Load(); n != 1 {
					t.Errorf("done was called %d times for %d", n, i)
				}
			}
		})
	}
}

func TestGiveUp(t *testing.T) {
	const workers = 4
	for _, row := range []struct {
		name  string
		serve func(*testing.T) string
		kind  replay.FailureKind // of the messages that were sent
		why   string
	}{
		{"nobody there", func(*testing.T) string { return deadURL }, replay.Unreachable, "nothing listens"},
		{"hangs", func(t *testing.T) string { return serveRaw(t, hang).URL }, replay.Incomplete, "no response within 300ms"},
		{"hangs up", func(t *testing.T) string { return serveRaw(t, func(net.Conn) {}).URL }, replay.Incomplete, "the connection was closed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := clientFor(t, row.serve(t), concurrency(workers), timeout(300*time.Millisecond))
			exchanges := all(t.Context(), c, posts(100))
			got := kinds(exchanges)
			if n := got[row.kind]; n < 10 || n > 10+workers-1 {
				t.Errorf("%d ended as %s; 10 are to, and those that were under way then may", n, row.kind)
			}
			if got[row.kind]+got[replay.GivenUp] != 100 {
				t.Errorf("%v", got)
			}
			checkFailure(t, exchanges[99], replay.GivenUp, "gave up on the target after 10 requests without a complete response: "+row.why)
		})
	}
}

// Only consecutive failures count: a response resets the count.
func TestGiveUpLater(t *testing.T) {
	const messages = 300
	long := framed("", strings.Repeat("x", 100))
	half := "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
	for _, row := range []struct {
		name    string
		answers func(n int32) string // to the nth request, counted from 1
		sent    int32
	}{
		{"nothing after the fifth", func(n int32) string { return map[bool]string{true: ok}[n <= 5] }, 5 + 10},
		{"halves only", func(int32) string { return half }, 10},
		{"each third breaks off", func(n int32) string { return []string{half, ok, ok}[n%3] }, messages},
		{"each tenth is whole", func(n int32) string { return map[bool]string{true: ok}[n%10 == 0] }, messages},
		{"each is too long", func(int32) string { return long }, 100},
		{"each but a few is too long", func(n int32) string { return map[bool]string{true: ok, false: long}[n%100 == 0] }, messages},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Int32
			target := serveRaw(t, func(conn net.Conn) {
				if _, err := readRequest(bufio.NewReader(conn)); err == nil {
					io.WriteString(conn, row.answers(seen.Add(1)))
				}
			})
			c := clientFor(t, target.URL, concurrency(1), func(l *replay.Limits) { l.MaxBody = 50 })
			got := kinds(all(t.Context(), c, posts(messages)))
			if seen.Load() != row.sent || got[replay.GivenUp] != messages-int(row.sent) {
				t.Errorf("%d were sent, want %d; %v", seen.Load(), row.sent, got)
			}
		})
	}
}

func TestEndOfTheRun(t *testing.T) {
	errCause := errors.New("a cause")
	for _, row := range []struct {
		name    string
		end     func(context.Context) (context.Context, func())
		message string
	}{
		{"interrupted", func(ctx context.Context) (context.Context, func()) { return context.WithCancel(ctx) }, "the run was interrupted"},
		{"interrupted with a cause", func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(ctx)
			return ctx, func() { cancel(errCause) }
		}, "the run was interrupted"},
		{"deadline", func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			t.Cleanup(cancel)
			return ctx, func() {}
		}, "the deadline ended the run"},
	} {
		t.Run(row.name, func(t *testing.T) {
			arrived := make(chan struct{}, 100)
			target := serveRaw(t, func(conn net.Conn) {
				if _, err := readRequest(bufio.NewReader(conn)); err == nil {
					arrived <- struct{}{}
					hang(conn)
				}
			})
			ctx, end := row.end(t.Context())
			go func() {
				<-arrived
				end()
			}()
			for _, x := range all(ctx, clientFor(t, target.URL), posts(50)) {
				checkFailure(t, x, replay.Canceled, row.message)
				if x.Request.Method == "" {
					t.Error("the request is not recorded")
				}
			}
		})
	}
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		messages := posts(6)
		messages[0].Times = 3 // each time counts
		begun := time.Now()
		all(t.Context(), called(t, http.NotFound, func(l *replay.Limits) { l.Rate = 100 }), messages)
		if took := time.Since(begun); took != 70*time.Millisecond {
			t.Errorf("8 requests at 100 a second took %s", took)
		}
	})
}

// A request that could only be sent after the deadline fails at once.
func TestRateBeyondTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begun := time.Now()
		exchanges := all(ctx, called(t, http.NotFound, func(l *replay.Limits) { l.Rate = 1.0 / 3600 }), posts(3))
		checkFailure(t, exchanges[0], "", "")
		checkFailure(t, exchanges[1], replay.Canceled, "the deadline ended the run")
		checkFailure(t, exchanges[2], replay.Canceled, "the deadline ended the run")
		if took := time.Since(begun); took > 0 {
			t.Errorf("it waited for %s", took)
		}
	})
}
