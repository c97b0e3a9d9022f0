package replay

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// WaitReady returns as soon as the target answers a request, whatever the
// answer, and fails when it has not within d. The request is a GET of the
// base URL and carries no credential.
func (c *Client) WaitReady(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	const longest = time.Second
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, longest) {
		err := c.probe(ctx)
		if err == nil {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("waited %s for the target: %s", d, c.redactor.text(connectWords(err, c.base.Host)))
		case <-timer.C:
		}
	}
}

func (c *Client) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String(), nil)
	if err != nil {
		return fmt.Errorf("the request cannot be sent: %w", err)
	}
	request.Header.Set("User-Agent", c.target.UserAgent)
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return err //nolint:wrapcheck // put into words by the caller
	}
	return response.Body.Close()
}
