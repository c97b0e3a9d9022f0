package replay_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// throttling is a target that answers so a number of times, and then with 200.
// It counts the requests.
func throttling(t *testing.T, times int32, status int, retryAfter func() string) (url string, requests *atomic.Int32) {
	requests = new(atomic.Int32)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) > times {
			return
		}
		if text := retryAfter(); text != "" {
			w.Header().Set("Retry-After", text)
		}
		w.WriteHeader(status)
	})
	return server.URL, requests
}

func TestThrottledIsSentAgain(t *testing.T) {
	var rows sync.WaitGroup // all at once: each takes a second
	defer rows.Wait()
	for _, row := range []struct {
		name       string
		status     int
		retryAfter func() string
		requests   int32
		least      time.Duration // of the pause
	}{
		{"429 in seconds", 429, func() string { return "1" }, 2, time.Second},
		{"429 with a date", 429, func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }, 2, time.Second},
		{"429 with a date that is past", 429, func() string { return "Sun, 06 Nov 1994 08:49:37 GMT" }, 2, time.Second},
		{"429 in no time", 429, func() string { return "0" }, 2, time.Second},
		{"429 without", 429, func() string { return "" }, 2, time.Second},
		{"429 with nonsense", 429, func() string { return "soon" }, 2, time.Second},
		{"503 with", 503, func() string { return "1" }, 2, time.Second},
		{"503 without", 503, func() string { return "" }, 1, 0},
		{"500 with", 500, func() string { return "1" }, 1, 0},
		{"400 with", 400, func() string { return "1" }, 1, 0},
	} {
		url, requests := throttling(t, 1, row.status, row.retryAfter)
		c := clientFor(t, url)
		rows.Go(func() {
			begun := time.Now()
			x := all(t.Context(), c, posts(1))[0]
			took := time.Since(begun)
			if x.Failure != nil {
				t.Errorf("%s: %s", row.name, x.Failure.Message)
				return
			}
			if got := requests.Load(); got != row.requests {
				t.Errorf("%s: sent %d times, want %d", row.name, got, row.requests)
			}
			want := row.status
			if row.requests > 1 {
				want = 200
			}
			if x.Response.Status != want {
				t.Errorf("%s: recorded %d, want %d", row.name, x.Response.Status, want)
			}
			if took < row.least {
				t.Errorf("%s: sent again after %s, want %s at least", row.name, took, row.least)
			}
			if x.Duration >= time.Second {
				t.Errorf("%s: the exchange is said to have taken %s: the pause is none of it", row.name, x.Duration)
			}
		})
	}
}

func TestPatience(t *testing.T) {
	for _, row := range []struct {
		name       string
		status     int
		retryAfter string
		patience   time.Duration
		requests   int32
		message    string
	}{
		{"used up", 429, "1", 1500 * time.Millisecond, 2, "answered with 429: asks for a pause of 1s"},
		{"too much at once", 429, "3600", time.Minute, 1, "answered with 429: asks for a pause of 1h0m0s, and 1m0s are left"},
		{"far too much", 503, "4294967295", time.Minute, 1, "answered with 503"},
		{"none", 503, "1", 0, 1, "answered with 503: asks for a pause of 1s, and 0s are left"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			url, requests := throttling(t, 1000, row.status, func() string { return row.retryAfter })
			c := clientFor(t, url, func(l *replay.Limits) { l.MaxPause, l.Concurrency = row.patience, 1 })
			x := all(t.Context(), c, posts(1))[0]
			checkFailure(t, x, replay.Throttled, row.message)
			if x.Response == nil || x.Response.Status != row.status {
				t.Errorf("the last response is not kept: %+v", x.Response)
			}
			if got := requests.Load(); got != row.requests {
				t.Errorf("sent %d times, want %d", got, row.requests)
			}
		})
	}
}

// Everybody waits when one is told to, and the patience is one for all: eight
// that are told to wait for a second at the same time use up one.
func TestPauseIsShared(t *testing.T) {
	t.Parallel()
	const workers = 8
	var seen atomic.Int32
	together := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := seen.Add(1)
		if n > workers {
			return
		}
		if n == workers {
			close(together)
		}
		<-together
		w.WriteHeader(http.StatusTooManyRequests)
	})
	c := clientFor(t, server.URL, concurrency(workers), func(l *replay.Limits) { l.MaxPause = 1900 * time.Millisecond })
	for _, x := range all(t.Context(), c, posts(30)) {
		if x.Failure != nil || x.Response.Status != 200 {
			t.Fatalf("%+v %v", x.Response, x.Failure)
		}
	}
	if got := seen.Load(); got != 30+workers {
		t.Errorf("%d requests, want %d", got, 30+workers)
	}
}

// What was answered is not sent again because the next time was throttled.
func TestThrottledTheSecondTime(t *testing.T) {
	t.Parallel()
	var seen atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if seen.Add(1) == 2 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	m := post("{}")
	m.Times = 2
	clientFor(t, server.URL).All(t.Context(), [][]fixtures.Message{{m}}, func(_, _ int, x replay.Exchange) {
		if x.Failure != nil || x.Response.Status != 200 {
			t.Errorf("%+v %v", x.Response, x.Failure)
		}
	})
	if got := seen.Load(); got != 3 {
		t.Errorf("%d requests, want 3: one, one refused, and that one again", got)
	}
}

func TestPauseEndsWithTheRun(t *testing.T) {
	url, _ := throttling(t, 1000, 429, func() string { return "50" })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	for _, x := range all(ctx, clientFor(t, url), posts(20)) {
		checkFailure(t, x, replay.Canceled, "the deadline ended the run")
	}
	if took := time.Since(begun); took > patience/2 {
		t.Errorf("took %s", took)
	}
}
