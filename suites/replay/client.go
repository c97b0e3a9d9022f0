package replay

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// Client sends messages to one target.
type Client struct {
	// Created is called with the clean-up step of a resource as soon as a chain has created it. Answered is
	// called for each complete response. It shows during a long chain that the target answers. Several
	// goroutines call them. Set them before anything is sent; nil means no listener.
	Created  func(Step)
	Answered func()

	base        *url.URL
	target      Target
	limits      Limits
	sent        atomic.Int64 // number of requests
	limiter     *rate.Limiter
	connections *conn.Pool
	redactor    *redact.Redactor
	edges       edges
}

// NewClient validates target and limits and returns a client for them. It sends
// nothing. The caller must close the client.
func NewClient(target Target, limits Limits) (*Client, error) {
	base, at, err := target.validated()
	if err != nil {
		return nil, err
	}
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	connections, err := conn.NewPool(conn.Dialer{
		Base: base, At: at, TLS: target.TLS, MaxHeader: limits.MaxHeader, Handler: target.Handler, MaxBody: limits.MaxBody + maxCoding, Most: limits.Concurrency,
	})
	if err != nil {
		return nil, err
	}
	perSecond := rate.Inf
	if limits.Rate > 0 {
		perSecond = rate.Limit(limits.Rate)
	}
	return &Client{
		base:        base,
		target:      target,
		limits:      limits,
		limiter:     rate.NewLimiter(perSecond, 1),
		connections: connections,
		redactor:    redact.New(append(target.secrets(), conn.ProxyPassword(base))),
	}, nil
}

// Close closes the idle connections now and the others after their exchange. It waits
// up to 200 ms for the target to close its side.
func (c *Client) Close() { c.connections.Close() }

// pace waits until the rate allows one more request. It returns a failure if the run ends
// before that.
func (c *Client) pace(ctx context.Context) *Failure {
	if c.limiter.Wait(ctx) == nil {
		return nil
	}
	if ctx.Err() == nil {
		// The limiter returns at once if it would have to wait past the deadline.
		return &Failure{Canceled, deadlineWords}
	}
	return Ended(ctx)
}

// Redact masks the target's secrets in a text.
func (c *Client) Redact(text string) string { return c.redactor.Text(text) }

// unsent returns the exchange of a message that is not sent, or not sent yet.
func (c *Client) unsent(m fixtures.Message, failure *Failure) Exchange {
	return Exchange{Request: c.record(m), Failure: failure, redactor: c.redactor}
}

// overBudget returns a failure if the number of sent requests has reached --max-requests.
func (c *Client) overBudget(sent int64) *Failure {
	if most := c.limits.MaxRequests; most > 0 && sent >= int64(most) {
		return &Failure{OverBudget, fmt.Sprintf("--max-requests is %d, and this limit is reached", most)}
	}
	return nil
}

// notReadyError says why WaitReady gave the target up.
type notReadyError string

func (e notReadyError) Error() string { return string(e) }

func (notReadyError) Unwrap() error { return ErrGivenUp }

// WaitReady waits for a response other than 502, 503 or 504, which a gateway sends
// while the service behind it is down. If the target still sends one of these when
// d is over, WaitReady returns nil. If nothing answers within d, the error wraps
// [ErrGivenUp]. If ctx ends first, the error wraps the cause of ctx.
//
// WaitReady calls waiting with the reason why the target is not ready, each time that
// the reason changes, and always with "" at the end. waiting may be nil.
//
// Each request is a GET of the base URL, without the credential and without the
// target's headers. It does not count towards [Limits.MaxRequests].
func (c *Client) WaitReady(ctx context.Context, d time.Duration, waiting func(reason string)) error {
	limited, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	until, _ := limited.Deadline() // a probe may time out before the context ends
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
		if reason == "" || now != reason && time.Now().Before(until) { // later, the reason is only the timeout
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

// probe sends one request and returns why the target is not ready, or "". answered
// reports whether the target itself sent that reason as a status.
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
