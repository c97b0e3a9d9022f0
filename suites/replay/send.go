package replay

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/plantstore/conformance/fixtures"
)

// resentWords tell that a request was sent once more.
const resentWords = "the connection, kept after an earlier answer, was closed without an answer; the request was sent once more on a new connection"

// sending is the work on one message.
type sending struct {
	*Client
	wait func(context.Context) *Failure // until one more request may be sent, or why none may
	by   *handover                      // of the exchange that comes of it
}

// repeat does an exchange as often as the message says. It stops where the
// answer says nothing about the request: a next one would hide it.
func repeat(m fixtures.Message, exchange func(fixtures.Message) Exchange) Exchange {
	x := exchange(m)
	for range m.Times - 1 {
		if x.Failure != nil || x.Response.Status >= 500 || throttled(x) {
			break
		}
		x = exchange(m)
	}
	return x
}

// send does the exchange of a message.
//
// A peer may close a connection at rest at any time (RFC 9112 §9.5). If it does
// so before one byte of the answer, this says nothing about the request, and
// the request is sent once more, with fresh values and on a new connection:
// that decides. Nothing else is ever sent again.
func (s sending) send(ctx context.Context, m fixtures.Message) Exchange {
	if !s.budget.take() {
		return s.unsent(m, s.budget.failure())
	}
	for {
		a := s.attempt(ctx, m, s.connections.kept(ctx))
		switch {
		case a.used && errors.Is(a.err, errUnsent):
		case a.used && errors.Is(a.err, errUnanswered) && a.exchange.Failure.Kind == Incomplete:
			s.settle(a)
			return s.resend(ctx, m)
		default:
			s.settle(a)
			return a.exchange
		}
		s.settle(a)
	}
}

// resend sends the message once more, on a new connection.
func (s sending) resend(ctx context.Context, m fixtures.Message) Exchange {
	if m.Again != nil {
		m = m.Again()
	}
	if failure := s.wait(ctx); failure != nil {
		return s.unsent(m, failure)
	}
	if !s.budget.take() {
		return s.unsent(m, s.budget.failure())
	}
	a := s.attempt(ctx, m, nil)
	s.settle(a)
	if s.connections.reuses() {
		// A target that keeps no connection at all does not say so, but it does
		// nothing that clients notice.
		a.exchange.Resent = resentWords
	}
	return a.exchange
}

// attempt is one request on one connection, and what came of it.
type attempt struct {
	exchange Exchange
	conn     *connection    // nil if there was none
	used     bool           // the connection was kept from an earlier exchange
	response *http.Response // read to its end; nil if the connection cannot be kept
	err      error          // why there is no complete response
	end      func()         // ends the time for it, and with it a connection that is not at rest
}

// settle gives the connection back.
func (s sending) settle(a attempt) {
	s.connections.put(a.conn, a.response, s.by)
	a.end()
}

// attempt does one exchange on a kept connection, or on a new one where there
// is none. The connection is to be given back by settle.
func (s sending) attempt(ctx context.Context, m fixtures.Message, conn *connection) attempt {
	limited, cancel := context.WithTimeout(ctx, s.limits.Timeout)
	a := attempt{exchange: s.unsent(m, nil), conn: conn, end: cancel}
	x := &a.exchange
	request, err := s.request(limited, m)
	if err != nil {
		x.Failure = &Failure{Unreachable, s.redactor.text(err.Error())}
		return a
	}
	begun := time.Now()
	if a.conn == nil {
		if a.conn, err = s.connections.dial(limited); err != nil {
			x.Duration = time.Since(begun)
			x.Failure = s.unreached(ctx, err)
			return a
		}
	}
	a.used = a.conn.used
	response, err := a.conn.RoundTrip(request)
	if err == nil {
		x.Response, err = s.read(response)
	}
	x.Duration = time.Since(begun)
	a.conn.took = x.Duration
	switch {
	case err != nil:
		if a.used && (isClosed(err) || errors.Is(err, errUnsent)) {
			s.connections.learn(ends)
		}
		a.err = err
		x.Failure = s.incomplete(ctx, cmp.Or(limited.Err(), err), x.Response)
	case answersForTLS(s.base, x.Response):
		x.Failure = &Failure{Unreachable, expectsTLS(s.place())}
	case x.Response.Status == http.StatusProxyAuthRequired && s.connections.dialer.forwarded():
		x.Failure = &Failure{Unreachable, "the proxy asks for a user name and a password (407), or for other ones; put them into HTTP_PROXY"}
	default:
		s.connections.answered(a.conn)
		a.response = response
	}
	return a
}
