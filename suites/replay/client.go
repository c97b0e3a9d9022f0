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
	base        *url.URL
	target      Target
	limits      Limits
	sent        atomic.Int64 // requests
	limiter     *rate.Limiter
	connections *conn.Pool
	redactor    *redact.Redactor
	created     func(Step) // see OnCreated
	answered    func()     // see OnAnswered
	edges       edges
}

// OnCreated has a listener told of each thing that a chain creates, as soon as it is: of
// the clean-up that will remove it, before that is sent. It is called from several
// goroutines, and must be set before anything is sent.
func (c *Client) OnCreated(listener func(Step)) { c.created = listener }

// OnAnswered has a listener told of each complete response to a request, so that somebody who
// waits for a long chain sees that the target answers. It is called from several goroutines,
// and must be set before anything is sent; nil is nobody.
func (c *Client) OnAnswered(listener func()) { c.answered = listener }

// answer tells of an exchange if it has a complete response.
func (c *Client) answer(x *Exchange) {
	if c.answered != nil && x.Response != nil && x.Failure == nil {
		c.answered()
	}
}

// NewClient checks target and limits and gives a client for them. Nothing is
// sent. The client must be closed.
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

// Close ends the client's connections: those at rest now, the others after their
// exchange. It waits up to 200 ms for the target to close its side.
func (c *Client) Close() { c.connections.Close() }

// pace waits until the rate allows one more request. Its failure says why none may be
// sent.
func (c *Client) pace(ctx context.Context) *Failure {
	if c.limiter.Wait(ctx) == nil {
		return nil
	}
	if ctx.Err() == nil {
		// The limiter does not even begin to wait past a deadline.
		return &Failure{Canceled, deadlineWords}
	}
	return Ended(ctx)
}

// Redact masks the target's secrets in a text.
func (c *Client) Redact(text string) string { return c.redactor.Text(text) }

// unsent is the exchange of a message that could not be sent any more.
func (c *Client) unsent(m fixtures.Message, failure *Failure) Exchange {
	return Exchange{Request: c.record(m), Failure: failure, redactor: c.redactor}
}

// overBudget is the failure of an exchange after so many requests, if no more may be sent.
func (c *Client) overBudget(sent int64) *Failure {
	if most := c.limits.MaxRequests; most > 0 && sent >= int64(most) {
		return &Failure{OverBudget, fmt.Sprintf("--max-requests is %d, and this limit is reached", most)}
	}
	return nil
}

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
