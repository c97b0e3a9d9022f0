package replay_test

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// throttling returns a target that responds with a status a number of times, and then
// with 200. It counts the requests.
func throttling(times int32, status int, retryAfter func() string) (handler http.HandlerFunc, requests *atomic.Int32) {
	requests = new(atomic.Int32)
	return func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) > times {
			return
		}
		if text := retryAfter(); text != "" {
			w.Header().Set("Retry-After", text)
		}
		w.WriteHeader(status)
	}, requests
}

func TestThrottledIsSentAgain(t *testing.T) {
	for _, row := range []struct {
		name       string
		status     int
		retryAfter func() string
		requests   int32
		pause      time.Duration
	}{
		{"429 in seconds", 429, func() string { return "1" }, 2, time.Second},
		{"429 with a date", 429, func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }, 2, 2 * time.Second},
		{"429 with a date that is past", 429, func() string { return "Sun, 06 Nov 1994 08:49:37 GMT" }, 2, time.Second},
		{"429 in no time", 429, func() string { return "0" }, 2, 50 * time.Millisecond},
		{"429 without", 429, func() string { return "" }, 2, time.Second},
		{"429 with nonsense", 429, func() string { return "soon" }, 2, time.Second},
		{"503 with", 503, func() string { return "1" }, 2, time.Second},
		{"503 without", 503, func() string { return "" }, 1, 0},
		{"500 with", 500, func() string { return "1" }, 1, 0},
		{"400 with", 400, func() string { return "1" }, 1, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, requests := throttling(1, row.status, row.retryAfter)
				c := called(t, handler)
				begun := time.Now()
				x := all(t.Context(), c, posts(1))[0]
				took := time.Since(begun)
				checkFailure(t, x, "", "")
				want := row.status
				if row.requests > 1 {
					want = 200
				}
				if got := requests.Load(); got != row.requests || x.Response.Status != want {
					t.Errorf("sent %d times, want %d; recorded %d, want %d", got, row.requests, x.Response.Status, want)
				}
				if took != row.pause || x.Duration != 0 {
					t.Errorf("sent again after %s, want %s; the exchange itself took %s, want no time", took, row.pause, x.Duration)
				}
			})
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
		{"used up", 429, "1", 1500 * time.Millisecond, 2, "answered with 429 and asks for more pauses than the 1.5s that the run may make in all; a lower --rate or --concurrency may help"},
		{"too much at once", 429, "3600", time.Minute, 1, "answered with 429 and asks for a pause of 1h0m0s, but the run may pause for 1m0s only; start again after that time, or send fewer requests with --quick"},
		{"far too much", 503, "4294967295", time.Minute, 1, "answered with 503"},
		{"none", 503, "1", 0, 1, "answered with 503 and asks for a pause of 1s, but the run may pause for 0s only"},
		{"not named", 429, "", 1500 * time.Millisecond, 2, "answered with 429 without Retry-After, and the run may pause for 1.5s only; a lower --rate may help"},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, requests := throttling(1000, row.status, func() string { return row.retryAfter })
				c := called(t, handler, concurrency(1), func(l *replay.Limits) { l.MaxPause = row.patience })
				x := all(t.Context(), c, posts(1))[0]
				checkFailure(t, x, replay.Throttled, row.message)
				if x.Response == nil || x.Response.Status != row.status {
					t.Errorf("the last response is not kept: %+v", x.Response)
				}
				if got := requests.Load(); got != row.requests {
					t.Errorf("sent %d times, want %d", got, row.requests)
				}
			})
		})
	}
}

// If one request must wait, all requests wait, and they share one budget of pauses. Eight
// requests that must wait one second at the same time use one second.
func TestPauseIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 8
		var seen atomic.Int32
		c := called(t, func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) <= workers {
				time.Sleep(time.Second) // so that all requests have arrived
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}, concurrency(workers), func(l *replay.Limits) { l.MaxPause = 1900 * time.Millisecond })
		for _, x := range all(t.Context(), c, posts(30)) {
			if x.Failure != nil || x.Response.Status != 200 {
				t.Fatalf("%+v %v", x.Response, x.Failure)
			}
		}
		if got := seen.Load(); got != 30+workers {
			t.Errorf("%d requests, want %d", got, 30+workers)
		}
	})
}

// If a repetition is throttled, the earlier requests are not sent again.
func TestThrottledTheSecondTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen atomic.Int32
		c := called(t, func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) == 2 {
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		m := post("{}")
		m.Times = 2
		x := all(t.Context(), c, []fixtures.Message{m})[0]
		if x.Failure != nil || x.Response.Status != 200 {
			t.Errorf("%+v %v", x.Response, x.Failure)
		}
		if got := seen.Load(); got != 3 {
			t.Errorf("%d requests, want 3: one, one refused, and that one again", got)
		}
	})
}

// If one of two companion requests is throttled, both are retried with fresh values. The target may
// have accepted one of them, and may refuse to create the same resource twice.
func TestThrottledTogether(t *testing.T) {
	for _, where := range []string{"after", "beside"} {
		synctest.Test(t, func(t *testing.T) {
			var seen sync.Map
			c := called(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if _, again := seen.LoadOrStore(string(body), true); again {
					w.WriteHeader(http.StatusConflict)
				} else if string(body) == "main" {
					w.WriteHeader(http.StatusTooManyRequests)
				}
			})
			renewing := func(body string) fixtures.Message {
				m := post(body)
				m.Again = func() fixtures.Message { return post(body + " again") }
				return m
			}
			m, other := renewing("main"), renewing("other")
			if m.After = &other; where == "beside" {
				m.After, m.Beside = nil, &other
			}
			x := all(t.Context(), c, []fixtures.Message{m})[0]
			if x.Failure != nil || x.Response.Status != 200 || len(x.Others) != 1 || x.Others[0].Response.Status != 200 {
				t.Errorf("%s: %+v %v, and beside it %+v", where, x.Response, x.Failure, x.Others)
			}
		})
	}
}

func TestPauseEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, _ := throttling(1000, 429, func() string { return "50" })
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		begun := time.Now()
		for _, x := range all(ctx, called(t, handler), posts(20)) {
			checkFailure(t, x, replay.Canceled, "the deadline ended the run")
		}
		if took := time.Since(begun); took != 20*time.Second {
			t.Errorf("took %s", took)
		}
	})
}
