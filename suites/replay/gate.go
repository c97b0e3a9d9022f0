package replay

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// defaultPause applies if Retry-After is missing or invalid. A pause is never shorter than
// shortestPause, so that the pauses always reach [Limits.MaxPause].
const (
	defaultPause  = time.Second
	shortestPause = 50 * time.Millisecond
)

// A gate delays all workers of a pool while the target asks for a pause.
type gate struct {
	mu     sync.Mutex
	until  time.Time
	budget time.Duration // how much longer the run may pause
}

// wait returns when there is no pause, or with an error when ctx ends.
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

// pause starts a pause, or extends the current one. It subtracts only the added time
// from the budget. If the budget is too small, pause changes nothing and returns false.
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

// throttled reports whether the target asks the client to try again later: 429 (RFC 6585
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

// retryAfter reads Retry-After: seconds or a date (RFC 9110 §10.2.3). If the field is missing or
// invalid, it returns the default pause and false.
func retryAfter(x Exchange) (pause time.Duration, asked bool) {
	text := x.Response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return max(time.Duration(seconds)*time.Second, shortestPause), true
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(time.Until(date), defaultPause), true // the date may be in the past if the clocks differ
	}
	return defaultPause, false
}

// tooLong returns the message of a Throttled failure. It is the same for all requests of a run.
func tooLong(x Exchange, most time.Duration) string {
	pause, asked := retryAfter(x)
	answered := fmt.Sprintf("the target answered with %d", x.Response.Status)
	switch {
	case !asked:
		return fmt.Sprintf("%s without Retry-After, and the run may pause for %s only; a lower --rate may help, or a lower --concurrency", answered, most)
	case pause > most:
		step := time.Second
		if pause > time.Minute {
			step = time.Minute // otherwise a date would give another time for each request
		}
		return fmt.Sprintf("%s and asks for a pause of %s, but the run may pause for %s only; start again after that time, or send fewer requests with --quick", answered, pause.Round(step), most)
	}
	return fmt.Sprintf("%s and asks for more pauses than the %s that the run may make in all; a lower --rate or --concurrency may help", answered, most)
}
