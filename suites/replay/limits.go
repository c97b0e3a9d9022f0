package replay

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/plantstore/conformance/suites/setting"
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

// defaultPause applies if Retry-After is missing or invalid. A pause is never shorter than
// shortestPause, so that the pauses always reach [Limits.MaxPause].
const (
	defaultPause  = time.Second
	shortestPause = 50 * time.Millisecond
)

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

// Limits are the limits of a replay. See [DefaultLimits].
type Limits struct {
	Concurrency int           // exchanges at a time, at least 1
	Spare       chan struct{} // tokens for more exchanges, shared by clients, which put them back; nil means none
	MaxRequests int           // total requests of one client, with retries, without WaitReady; 0 means no limit
	Rate        float64       // exchanges begun per second; 0 means no limit
	Timeout     time.Duration // of one exchange with connecting; plus 1 s for each 256 KiB of request body
	MaxBody     int64         // bytes of a response body, after decompression
	MaxHeader   int64         // bytes of a response's header
	MaxPause    time.Duration // total of all pauses that a target may ask for with Retry-After; 0 means none
}

// DefaultLimits are the limits of a run that sets none.
func DefaultLimits() Limits {
	return Limits{
		Concurrency: 8,
		Timeout:     10 * time.Second,
		MaxBody:     1 << 20,
		MaxHeader:   64 << 10,
		MaxPause:    time.Minute,
	}
}

// Validate returns an error if a limit is not valid.
func (l Limits) Validate() error {
	switch {
	case l.Concurrency < 1:
		return setting.Errorf("concurrency", "is %d; it must be at least 1", l.Concurrency)
	case l.MaxRequests < 0:
		return setting.Errorf("max-requests", "is %d; it must be 0 (no limit) or more", l.MaxRequests)
	case l.Rate < 0 || math.IsNaN(l.Rate):
		return setting.Errorf("rate", "is %g; it must be 0 (no limit) or more", l.Rate)
	case l.Timeout <= 0:
		return setting.Errorf("timeout", "is %s; it must be more than 0s", l.Timeout)
	case l.MaxBody < 1:
		return setting.Errorf("max-body", "is %d bytes; it must be at least 1", l.MaxBody)
	case l.MaxHeader < 1:
		return setting.Errorf("max-header", "is %d bytes; it must be at least 1", l.MaxHeader)
	case l.MaxPause < 0:
		return fmt.Errorf("the pause that a target may ask for is %s; it must be 0s (none) or more", l.MaxPause)
	}
	return nil
}

// timeFor returns the time limit of an exchange with this request body. It grows with the
// body, because a slow upload (2 Mbit/s) is not a fault of the target.
func (l Limits) timeFor(body []byte) time.Duration {
	const perSecond = 256 << 10 // bytes
	return l.Timeout + time.Duration(len(body)/perSecond)*time.Second
}
