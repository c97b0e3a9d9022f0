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

// resentWords tell that a request was sent once more.
const resentWords = "the connection, kept after an earlier answer, was closed without an answer; the request was sent once more on a new connection"

// endedWords tell that the service ended under the request, or under one beside it.
const endedWords = "the connection was closed without an answer, and the service has accepted no connections since; run with --concurrency 1 to find the request"

// maxUnused is how long a new connection waits for the one beside it. A service that has a
// place for one connection accepts the other late, and may end the first meanwhile, because
// no request comes (RFC 9112 §9.5).
const maxUnused = 100 * time.Millisecond

// sending is the work on one message.
type sending struct {
	*Client
	wait func(context.Context) *Failure // until one more request may be sent, or why none may
	by   *conn.Handover                 // of the exchange that comes of it
}

// repeat does an exchange as often as the message says. It stops where the
// answer says nothing about the request: a next one would hide it.
func repeat(m fixtures.Message, exchange func(fixtures.Message) Exchange) Exchange {
	x := exchange(m)
	if isChain(m) {
		return x // in which only the judged request is sent so often
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

// send does the exchange of a message, and those of the messages that go with
// it.
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

// allowed says why the message may not be sent, or nil. It waits for the time
// to send it if another request went before it.
func (s sending) allowed(ctx context.Context, first bool) *Failure {
	if !first {
		if failure := s.wait(ctx); failure != nil {
			return failure
		}
	}
	return s.overBudget(s.sent.Add(1) - 1)
}

// single sends the message on a connection that was kept, if there is one and the
// message does not want a new one.
func (s sending) single(ctx context.Context, m fixtures.Message) Exchange {
	if failure := s.allowed(ctx, true); failure != nil {
		return s.unsent(m, failure)
	}
	for {
		a := s.attempt(ctx, m, s.kept(ctx, m))
		s.settle(a)
		if !a.used || !errors.Is(a.err, conn.ErrUnsent) {
			return s.decided(ctx, m, a)
		}
	}
}

// kept is a connection for the message that was used before, or nil.
func (s sending) kept(ctx context.Context, m fixtures.Message) *conn.Conn {
	if m.Fresh {
		return nil
	}
	return s.connections.Kept(ctx)
}

// decided is the exchange of an attempt. A peer may close a connection at rest
// at any time (RFC 9112 §9.5). If it does so before one byte of the answer,
// this says nothing about the request, and the request is sent once more, with
// fresh values and on a new connection: that decides. Nothing else is ever sent
// again. A peer that takes no new connection either has ended under the request.
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
	a = s.attempt(ctx, m, nil)
	s.settle(a)
	if a.conn == nil && a.exchange.Failure.Kind == Unreachable {
		a.exchange.Failure = &Failure{Incomplete, endedWords}
		return a.exchange
	}
	if s.connections.Reuses() {
		// A target that keeps no connection at all does not say so, but it does
		// nothing that clients notice.
		a.exchange.Resent = resentWords
	}
	return a.exchange
}

// following sends the message straight after another one on the same
// connection. Where the target does not keep that connection, a new one serves.
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
	a := s.attempt(ctx, m, kept)
	s.settle(a)
	if a.used && errors.Is(a.err, conn.ErrUnsent) {
		a = s.attempt(ctx, m, nil)
		s.settle(a)
	}
	return s.decided(ctx, m, a).with(first)
}

// together sends two messages at the same moment, each on a new connection; one
// after the other, if no two may be sent at a time.
func (s sending) together(ctx context.Context, m, beside fixtures.Message) Exchange {
	if failure := s.allowed(ctx, true); failure != nil {
		return s.unsent(m, failure)
	}
	if failure := s.allowed(ctx, false); failure != nil {
		return s.unsent(m, failure)
	}
	if s.limits.Concurrency == 1 {
		other := s.attempt(ctx, beside, nil)
		s.settle(other)
		main := s.attempt(ctx, m, nil)
		s.settle(main)
		return main.exchange.with(other)
	}
	var conns [2]*conn.Conn
	var since [2]time.Time
	var dialing sync.WaitGroup
	inTime, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range conns {
		dialing.Go(func() {
			conns[i], since[i] = s.dialed(inTime), time.Now()
			time.AfterFunc(maxUnused, cancel) // a service with one place may accept no other until it has a request on this one
		})
	}
	dialing.Wait()
	for i, c := range conns {
		if time.Since(since[i]) > maxUnused {
			s.connections.Put(c, nil, s.by)
			conns[i] = nil // its attempt makes a new one
		}
	}
	var other attempt
	var sent sync.WaitGroup
	sent.Go(func() {
		other = s.attempt(ctx, beside, conns[1])
		s.settle(other) // at once: the service may need its connection to answer on the other one
	})
	main := s.attempt(ctx, m, conns[0])
	s.settle(main)
	sent.Wait()
	return main.exchange.with(other)
}

// with is the exchange together with that of the companion, unless this says nothing about the
// service: it asks for patience, or it broke off on a connection that the target may close at
// any time.
func (x Exchange) with(other attempt) Exchange {
	isClosed := other.used && (errors.Is(other.err, conn.ErrUnanswered) || errors.Is(other.err, conn.ErrUnsent))
	if !isClosed && !throttled(other.exchange) {
		other.exchange.Beside = true
		x.Others = append(x.Others, other.exchange)
	}
	return x
}

// dialed is a new connection, or nil where there is none in time: the attempt
// then says why.
func (s sending) dialed(ctx context.Context) *conn.Conn {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Timeout)
	defer cancel()
	c, _ := s.connections.Dial(ctx)
	return c
}

// attempt is one request on one connection, and what came of it.
type attempt struct {
	exchange Exchange
	conn     *conn.Conn     // nil if there was none
	used     bool           // the connection was kept from an earlier exchange
	response *http.Response // read to its end; nil if the connection cannot be kept
	err      error          // why there is no complete response
	end      func()         // ends the time for it, and with it a connection that is not at rest
}

// settle gives the connection back.
func (s sending) settle(a attempt) {
	s.connections.Put(a.conn, a.response, s.by)
	a.end()
}

// attempt does one exchange on a kept connection, or on a new one where there
// is none. The connection is to be given back by settle.
func (s sending) attempt(ctx context.Context, m fixtures.Message, with *conn.Conn) attempt {
	limit := s.limits.timeFor(m.Body)
	limited, cancel := context.WithTimeout(ctx, limit)
	a := attempt{exchange: s.unsent(m, nil), conn: with, end: cancel}
	x := &a.exchange
	defer s.answer(x)
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
			if ctx.Err() != nil { // the run ended: the exchange did not fail but was interrupted
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
		return a // a stream need not end: this is the answer
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
			response.Close = true // an answer that large is not held until the connection is used again
		}
	}
	return a
}
