package replay

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// WaitReady returns as soon as the target answers a request, whatever the
// answer, and fails when it has not within d or when ctx ends before that. The
// request is a GET of the base URL; it carries neither the credential nor the
// target's headers.
func (c *Client) WaitReady(ctx context.Context, d time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	const longest = time.Second
	reason := ""
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, longest) {
		words := c.probe(waiting)
		if words == "" {
			return nil
		}
		if reason == "" || waiting.Err() == nil {
			reason = words // not that the waiting ended, if there is another one
		}
		timer := time.NewTimer(pause)
		select {
		case <-waiting.Done():
			timer.Stop()
			if ctx.Err() != nil {
				return fmt.Errorf("the wait for the target was cut short: %w", context.Cause(ctx))
			}
			return fmt.Errorf("the target did not answer within %s: %s", d, c.redactor.text(reason))
		case <-timer.C:
		}
	}
}

// probe asks the target for any answer, and says why there is none.
func (c *Client) probe(ctx context.Context) (reason string) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String(), http.NoBody)
	if err != nil {
		return err.Error()
	}
	request.Header.Set("User-Agent", c.target.UserAgent)
	conn, err := c.connections.dial(ctx)
	if err != nil {
		return unreachedWords(err, c.base.Host)
	}
	defer conn.Close()
	_, err = conn.RoundTrip(request) //nolint:bodyclose // closed with the connection
	switch {
	case ctx.Err() != nil:
		return c.base.Host + " takes connections, but does not answer"
	case err != nil:
		return c.incompleteWords(err, nil, false)
	}
	return ""
}
