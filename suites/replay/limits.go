package replay

import (
	"fmt"
	"math"
	"time"

	"github.com/plantstore/conformance/suites/setting"
)

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
