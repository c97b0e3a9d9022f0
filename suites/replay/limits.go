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

// Limits bound what a replay may cost. See [DefaultLimits].
type Limits struct {
	Concurrency int           // exchanges at a time, at least 1
	Spare       chan struct{} // places for more exchanges, shared with other clients: who takes one puts it back; nil is none
	MaxRequests int           // requests in all, of one client; those that are sent again count, those of a wait do not; 0 is no limit
	Rate        float64       // exchanges begun per second; 0 is no limit
	Timeout     time.Duration // of one exchange: connecting, headers and body together; one that sends more than 256 KiB has a second more for each
	MaxBody     int64         // bytes of a response body, after decompression
	MaxHeader   int64         // bytes of a response's header
	MaxPause    time.Duration // that a target may ask for in all, by Retry-After; 0 is none
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

// timeFor is the time for one exchange that sends that body: the target is not to blame for an
// upload of 2 Mbit/s.
func (l Limits) timeFor(body []byte) time.Duration {
	const perSecond = 256 << 10 // bytes
	return l.Timeout + time.Duration(len(body)/perSecond)*time.Second
}
