package replay

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// gate holds all workers of a pool back while the target asks for a pause.
type gate struct {
	mu     sync.Mutex
	until  time.Time
	budget time.Duration // what is left of the patience
}

// wait returns when no pause is on.
func (g *gate) wait(ctx context.Context) error {
	for {
		g.mu.Lock()
		left := time.Until(g.until)
		g.mu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(left):
		}
	}
}

// pause begins a pause, or makes the one that is on longer. Only what it adds
// is taken from the patience; where that does not suffice, nothing changes
// and pause reports false.
func (g *gate) pause(d time.Duration) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	from := g.until
	if from.Before(now) {
		from = now
	}
	added := now.Add(d).Sub(from)
	if added <= 0 {
		return true
	}
	if added > g.budget {
		return false
	}
	g.budget -= added
	g.until = now.Add(d)
	return true
}

// throttled reports whether the target asks to be asked later: 429 (RFC 6585
// §4), or 503 with Retry-After (RFC 9110 §15.6.4).
func throttled(x Exchange) bool {
	if x.Failure != nil || x.Response == nil {
		return false
	}
	switch x.Response.Status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusServiceUnavailable:
		return x.Response.Header.Get("Retry-After") != ""
	}
	return false
}

// defaultPause is what a target gets that names no usable time. A pause is never shorter than
// shortestPause, so that patience runs out.
const (
	defaultPause  = time.Second
	shortestPause = 50 * time.Millisecond
)

// retryAfter reads the field: seconds or a date (RFC 9110 §10.2.3). It reports false, with the
// pause to make, if there is none that can be read.
func retryAfter(x Exchange) (pause time.Duration, asked bool) {
	text := x.Response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return max(time.Duration(seconds)*time.Second, shortestPause), true
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(time.Until(date), defaultPause), true // which may be past by another clock
	}
	return defaultPause, false
}

// tooLong says why no more pause is made, the same for all requests that it is told of.
func tooLong(x Exchange, most time.Duration) string {
	pause, asked := retryAfter(x)
	answered := fmt.Sprintf("the target answered with %d", x.Response.Status)
	switch {
	case !asked:
		return fmt.Sprintf("%s without Retry-After, and the run may pause for %s only; a lower --rate may help, or a lower --concurrency", answered, most)
	case pause > most:
		step := time.Second
		if pause > time.Minute {
			step = time.Minute // or a date would be told as another time for each request
		}
		return fmt.Sprintf("%s and asks for a pause of %s, but the run may pause for %s only; start again after that time, or send fewer requests with --quick", answered, pause.Round(step), most)
	}
	return fmt.Sprintf("%s and asks for more pauses than the %s that the run may make in all; a lower --rate or --concurrency may help", answered, most)
}
