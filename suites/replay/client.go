package replay

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/plantstore/conformance/fixtures"
)

// Client sends messages to one target.
type Client struct {
	base        *url.URL
	target      Target
	limits      Limits
	budget      *budget
	connections *connections
	redactor    *redactor
}

// NewClient checks target and limits and gives a client for them. Nothing is
// sent. The client must be closed.
func NewClient(target Target, limits Limits) (*Client, error) {
	if err := target.Validate(); err != nil {
		return nil, err
	}
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	base, err := target.baseURL()
	if err != nil {
		return nil, err
	}
	at, err := target.resolved(base)
	if err != nil {
		return nil, err
	}
	if !at.IsValid() {
		if err := checkProxy(base); err != nil {
			return nil, err
		}
	}
	return &Client{
		base:        base,
		target:      target,
		limits:      limits,
		budget:      &budget{most: int64(limits.MaxRequests)},
		connections: &connections{dialer: newDialer(base, at, target.TLS, limits.MaxHeader)},
		redactor:    newRedactor(append(target.secrets(), proxyPassword(base))),
	}, nil
}

// place is what failures call the target.
func (c *Client) place() string { return c.connections.dialer.place() }

// Close ends the client's connections: those at rest at once, the others with
// their exchange.
func (c *Client) Close() { c.connections.Close() }

// Exchange sends the message as often as it says, one after the other, and
// records the last exchange, or the first that got no answer to speak of. It
// ends by the limits at the latest.
func (c *Client) Exchange(ctx context.Context, m fixtures.Message) Exchange {
	return repeat(m, func() Exchange { return c.send(ctx, m) })
}

// repeat does an exchange as often as the message says. It stops where the
// answer says nothing about the request: a next one would hide it.
func repeat(m fixtures.Message, exchange func() Exchange) Exchange {
	x := exchange()
	for range m.Times - 1 {
		if x.Failure != nil || x.Response.Status >= 500 || throttled(x) {
			break
		}
		x = exchange()
	}
	return x
}

// send does one exchange. What was written to a connection is never written
// again: only when a kept connection turns out to be closed before anything
// of the request went out does another one take its place.
func (c *Client) send(ctx context.Context, m fixtures.Message) Exchange {
	if !c.budget.take() {
		return c.unsent(m, c.budget.failure())
	}
	for {
		kept := c.connections.kept(ctx)
		x, sent := c.attempt(ctx, m, kept)
		if sent || kept == nil {
			return x
		}
	}
}

// attempt does one exchange on a kept connection, or on a new one where there
// is none, and says whether the target may have got something of the request.
func (c *Client) attempt(ctx context.Context, m fixtures.Message, conn *connection) (x Exchange, sent bool) {
	x = c.unsent(m, nil)
	limited, cancel := context.WithTimeout(ctx, c.limits.Timeout)
	defer cancel()
	request, err := c.request(limited, m)
	if err != nil {
		c.connections.put(conn, nil)
		x.Failure = &Failure{Unreachable, c.redactor.text(err.Error())}
		return x, true
	}
	begun := time.Now()
	if conn == nil {
		if conn, err = c.connections.dial(limited); err != nil {
			x.Duration = time.Since(begun)
			x.Failure = c.unreached(ctx, err)
			return x, true
		}
	}
	response, err := conn.RoundTrip(request)
	if err == nil {
		x.Response, err = c.read(response)
	}
	x.Duration = time.Since(begun)
	conn.took = x.Duration
	switch {
	case err != nil:
		c.connections.put(conn, nil)
		if conn.used && (isClosed(err) || errors.Is(err, errUnsent)) {
			c.connections.learn(ends)
		}
		x.Failure = c.incomplete(ctx, cmp.Or(limited.Err(), err), x.Response, conn.used)
	case answersForTLS(c.base, x.Response):
		c.connections.put(conn, nil)
		x.Failure = &Failure{Unreachable, expectsTLS(c.place())}
	case x.Response.Status == http.StatusProxyAuthRequired && c.connections.dialer.forwarded():
		c.connections.put(conn, nil)
		x.Failure = &Failure{Unreachable, "the proxy asks for a user name and a password (407), or for other ones; put them into HTTP_PROXY"}
	default:
		c.connections.put(conn, response)
	}
	return x, !errors.Is(err, errUnsent)
}

// unsent is the exchange of a message that could not be sent any more.
func (c *Client) unsent(m fixtures.Message, failure *Failure) Exchange {
	return Exchange{Request: c.record(m), Failure: failure, redactor: c.redactor}
}
