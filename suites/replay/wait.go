package replay

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/plantstore/conformance/suites/replay/conn"
)

// notReadyError is why a target that was waited for is given up.
type notReadyError string

func (e notReadyError) Error() string { return string(e) }

func (notReadyError) Unwrap() error { return ErrGivenUp }

// WaitReady returns as soon as the target answers a request with anything but
// 502, 503 or 504, which is what a gateway says while the service behind it is
// not up. A target that says so until d is over is met as it is. The error is
// of [ErrGivenUp] where nothing answered within d, and of the cause of ctx where
// that ended first.
//
// Meanwhile waiting is told why the target is not ready, each time that this
// changes, and "" at the end, whether it is ready then or not. It may be nil.
//
// The request is a GET of the base URL; it carries neither the credential nor
// the target's headers, and is none of [Limits.MaxRequests].
func (c *Client) WaitReady(ctx context.Context, d time.Duration, waiting func(reason string)) error {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	until, _ := limited.Deadline() // which may cut off a probe before the context knows it
	tell := func(reason string) {
		if waiting != nil {
			waiting(reason)
		}
	}
	defer tell("")
	const longest = time.Second
	reason, there := "", false
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, longest) {
		now, answered := c.probe(limited)
		if now == "" {
			return nil
		}
		if reason == "" || now != reason && time.Now().Before(until) { // else it only says that the waiting ended
			reason, there = now, answered
			tell(reason)
		}
		select {
		case <-limited.Done():
			switch {
			case ctx.Err() != nil:
				return fmt.Errorf("the wait for the target was cut short: %w", context.Cause(ctx))
			case there:
				return nil
			}
			return notReadyError(fmt.Sprintf("the target did not answer within %s: %s", d, reason))
		case <-time.After(pause):
		}
	}
}

// probe asks the target for any answer, and says why it is not ready; answered
// is whether it said so itself.
func (c *Client) probe(ctx context.Context) (reason string, answered bool) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String(), http.NoBody)
	if err != nil {
		return err.Error(), false
	}
	request.Header.Set("User-Agent", c.target.UserAgent)
	connection, err := c.connections.Dial(ctx)
	if err != nil {
		return c.redactor.Text(conn.Unreached(err, c.connections.Place())), false
	}
	defer connection.Close()
	response, err := connection.RoundTrip(request) //nolint:bodyclose // closed with the connection
	switch {
	case ctx.Err() != nil:
		return c.connections.Place() + " accepts connections, but does not answer", false
	case err != nil:
		return c.unanswered(ctx, err, nil, c.limits.Timeout).Message, false
	}
	switch status := response.StatusCode; status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return fmt.Sprintf("%s answers with %d, which a gateway sends while the service behind it is down", c.connections.Place(), status), true
	}
	return "", true
}
