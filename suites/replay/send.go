package replay

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
)

// resentWords says why a request was retried.
const resentWords = "the connection, kept after an earlier answer, was closed without an answer; the request was sent once more on a new connection"

// endedWords says that the service ended during this request or a concurrent one.
const endedWords = "the connection was closed without an answer, and the service has accepted no connections since; run with --concurrency 1 to find the request"

// maxUnused is how long a new connection waits for the second one. A service that serves one
// connection at a time accepts the second one late. Meanwhile it may close the first one,
// because no request comes (RFC 9112 §9.5).
const maxUnused = 100 * time.Millisecond

// sending is the work on one message.
type sending struct {
	*Client
	wait func(context.Context) *Failure // waits until one more request may be sent, or returns why none may
	by   *conn.Handover                 // of the resulting exchange
}

// repeat calls exchange as often as the message says. It stops after a failure, a 5xx or
// a request to try later, because the next exchange would hide it.
func repeat(m fixtures.Message, exchange func(fixtures.Message) Exchange) Exchange {
	x := exchange(m)
	if isChain(m) {
		return x // the chain repeats the judged request itself
	}
	for range m.Times - 1 {
		if x.Failure != nil || x.Response.Status >= 500 || throttled(x) {
			break
		}
		next := exchange(m)
		next.Others = slices.Concat(x.Others, next.Others, []Exchange{x})
		x = next
	}
	return x
}

// send sends a message together with its steps or its companion.
func (s sending) send(ctx context.Context, m fixtures.Message) Exchange {
	switch {
	case isChain(m):
		return s.chained(ctx, m)
	case m.Beside != nil:
		return s.together(ctx, m, *m.Beside)
	case m.After != nil:
		return s.following(ctx, m, *m.After)
	}
	return s.single(ctx, m)
}

// allowed returns nil if the message may be sent, or the reason why not. It waits first,
// unless this is the first request.
func (s sending) allowed(ctx context.Context, first bool) *Failure {
	if !first {
		if failure := s.wait(ctx); failure != nil {
			return failure
		}
	}
	return s.overBudget(s.sent.Add(1) - 1)
}

// single sends the message on a kept connection if there is one. A message with Fresh set
// gets a new connection.
func (s sending) single(ctx context.Context, m fixtures.Message) Exchange {
	if failure := s.allowed(ctx, true); failure != nil {
		return s.unsent(m, failure)
	}
	for {
		a := s.settled(ctx, m, s.kept(ctx, m))
		if !a.used || !errors.Is(a.err, conn.ErrUnsent) {
			return s.decided(ctx, m, a)
		}
	}
}

// kept returns a kept connection for the message, or nil.
func (s sending) kept(ctx context.Context, m fixtures.Message) *conn.Conn {
	if m.Fresh {
		return nil
	}
	return s.connections.Kept(ctx)
}

// decided returns the exchange of an attempt. A peer may close an idle connection
// at any time (RFC 9112 §9.5). If it does so before the first byte of the response,
// the request is not to blame. It is retried once, with fresh values and on a new
// connection, and that result decides. If the peer accepts no new connection, the
// service has ended during the request.
func (s sending) decided(ctx context.Context, m fixtures.Message, a attempt) Exchange {
	if !a.used || !errors.Is(a.err, conn.ErrUnanswered) || a.exchange.Failure.Kind != Incomplete {
		return a.exchange
	}
	if m.Again != nil {
		m = m.Again()
	}
	if failure := s.allowed(ctx, false); failure != nil {
		return s.unsent(m, failure)
	}
	a = s.settled(ctx, m, nil)
	if a.conn == nil && a.exchange.Failure.Kind == Unreachable {
		a.exchange.Failure = &Failure{Incomplete, endedWords}
		return a.exchange
	}
	if s.connections.Reuses() {
		// Do not mention the retry if the target never keeps connections: no client
		// notices a difference then.
		a.exchange.Resent = resentWords
	}
	return a.exchange
}

// following sends the message directly after another one on the same connection. If
// the target closes that connection, it uses a new one.
func (s sending) following(ctx context.Context, m, before fixtures.Message) Exchange {
	if failure := s.allowed(ctx, true); failure != nil {
		return s.unsent(m, failure)
	}
	first := s.attempt(ctx, before, s.kept(ctx, m))
	kept := s.connections.Next(ctx, first.conn, first.response, s.by)
	first.end()
	if failure := s.allowed(ctx, false); failure != nil {
		s.connections.Put(kept, nil, s.by)
		return s.unsent(m, failure)
	}
	a := s.settled(ctx, m, kept)
	if a.used && errors.Is(a.err, conn.ErrUnsent) {
		a = s.settled(ctx, m, nil)
	}
	return s.decided(ctx, m, a).with(first)
}

// together sends two messages at the same moment, each on a new connection. If the
// limits allow one request at a time, it sends the companion first.
func (s sending) together(ctx context.Context, m, beside fixtures.Message) Exchange {
	if failure := s.allowed(ctx, true); failure != nil {
		return s.unsent(m, failure)
	}
	if failure := s.allowed(ctx, false); failure != nil {
		return s.unsent(m, failure)
	}
	if s.limits.Concurrency == 1 {
		other := s.settled(ctx, beside, nil)
		return s.settled(ctx, m, nil).exchange.with(other)
	}
	var conns [2]*conn.Conn
	var since [2]time.Time
	var dialing sync.WaitGroup
	inTime, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range conns {
		dialing.Go(func() {
			conns[i], since[i] = s.dialed(inTime), time.Now()
			time.AfterFunc(maxUnused, cancel) // the service may need a request on this one first
		})
	}
	dialing.Wait()
	for i, c := range conns {
		if time.Since(since[i]) > maxUnused {
			s.connections.Put(c, nil, s.by)
			conns[i] = nil // attempt dials a new one
		}
	}
	var other attempt
	var sent sync.WaitGroup
	sent.Go(func() { other = s.settled(ctx, beside, conns[1]) }) // not settled later: the service may need this connection before it answers on the other
	main := s.settled(ctx, m, conns[0])
	sent.Wait()
	return main.exchange.with(other)
}

// with adds the exchange of the companion to x.Others. It omits a companion that says nothing
// about the service: it was throttled, or a kept connection was closed before it was answered.
func (x Exchange) with(other attempt) Exchange {
	isClosed := other.used && (errors.Is(other.err, conn.ErrUnanswered) || errors.Is(other.err, conn.ErrUnsent))
	if !isClosed && !throttled(other.exchange) {
		other.exchange.Beside = true
		x.Others = append(x.Others, other.exchange)
	}
	return x
}

// dialed returns a new connection, or nil if it gets none in time. The attempt then dials
// again and reports the error.
func (s sending) dialed(ctx context.Context) *conn.Conn {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Timeout)
	defer cancel()
	c, _ := s.connections.Dial(ctx)
	return c
}

// An attempt is one request on one connection, and its result.
type attempt struct {
	exchange Exchange
	conn     *conn.Conn     // nil if there was none
	used     bool           // the connection was kept from an earlier exchange
	response *http.Response // read to its end; nil if the connection cannot be kept
	err      error          // why there is no complete response
	end      func()         // cancels the context of the attempt, which closes a connection that is in use
}

// settled makes one attempt, and returns its connection to the pool.
func (s sending) settled(ctx context.Context, m fixtures.Message, with *conn.Conn) attempt {
	a := s.attempt(ctx, m, with)
	s.connections.Put(a.conn, a.response, s.by)
	a.end()
	return a
}

// attempt does one exchange on the given connection, or on a new one if it is nil.
func (s sending) attempt(ctx context.Context, m fixtures.Message, with *conn.Conn) attempt {
	limit := s.limits.timeFor(m.Body)
	limited, cancel := context.WithTimeout(ctx, limit)
	a := attempt{exchange: s.unsent(m, nil), conn: with, end: cancel}
	x := &a.exchange
	defer func() {
		if s.Answered != nil && x.Response != nil && x.Failure == nil {
			s.Answered()
		}
	}()
	request, err := s.request(limited, m)
	if err != nil {
		x.Failure = &Failure{Unreachable, s.redactor.Text(err.Error())}
		return a
	}
	begun := time.Now()
	x.Sent = begun
	if a.conn == nil {
		if a.conn, err = s.connections.Dial(limited); err != nil {
			x.Duration = time.Since(begun)
			x.Failure = &Failure{Unreachable, s.redactor.Text(conn.Unreached(err, s.connections.Place()))}
			if ctx.Err() != nil { // the end of the run interrupted the exchange
				x.Failure = Ended(ctx)
			}
			return a
		}
	}
	a.used = a.conn.Used()
	answered := s.connections.Waits(a.conn)
	response, err := a.conn.RoundTrip(request)
	answered()
	streams := err == nil && len(m.Streams) > 0 && isStream(response, m.Streams)
	if streams {
		defer time.AfterFunc(streamTime, cancel).Stop()
	}
	if err == nil {
		x.Response, err = s.read(response)
	}
	x.Duration = time.Since(begun)
	switch {
	case err != nil && streams && ctx.Err() == nil && (limited.Err() != nil || errors.Is(err, errTooLong)):
		return a // a stream need not end, so the response is complete
	case err != nil:
		s.connections.Failed(a.conn, err)
		a.err = err
		x.Failure = s.unanswered(ctx, cmp.Or(limited.Err(), err), x.Response, limit)
	case answersForTLS(s.base, x.Response):
		x.Failure = &Failure{Unreachable, conn.ExpectsTLS(s.connections.Place())}
	case x.Response.Status == http.StatusProxyAuthRequired && s.connections.Forwarded():
		x.Failure = &Failure{Unreachable, "the proxy asks for a user name and a password (407), or for other ones; put them into HTTP_PROXY"}
	default:
		s.connections.Answered(a.conn, x.Duration)
		a.response = response
		x.Response.Unchunked = response.StatusCode == http.StatusNotImplemented && !response.ProtoAtLeast(1, 1) && len(request.TransferEncoding) > 0
		if x.Response.HeaderCut {
			response.Close = true // do not hold such a large response until the connection is used again
		}
	}
	return a
}
