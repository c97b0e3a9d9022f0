package replay

import (
	"fmt"
	"math"
	"time"

	"github.com/plantstore/conformance/suites/setting"
)

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
