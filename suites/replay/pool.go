package replay

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
)

// How many consecutive exchanges may end without a complete response before the target
// is given up. So a dead target costs only seconds. One that always sends more than a
// limit permits is alive, and one large list of it must not end the run; but each of its
// responses costs as much as the limits permit.
const (
	giveUpAfter        = 10
	giveUpAfterTooMuch = 100
)

// All sends the messages in their order, as many at a time as the limits allow. A
// batch begins when all exchanges of the batch before it have ended. A message is asked
// for when it is its turn.
//
// All calls done once for every message, with its batch and its place there, in any
// order and from several goroutines. It does so as soon as nothing can be added to
// the exchange: when its connection is used again or has ended. All returns after the
// last call, and the connections have ended then. When the context ends, the rest
// fails as canceled, soon.
func (c *Client) All(ctx context.Context, batches []iter.Seq[fixtures.Message], done func(batch, place int, x Exchange)) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	p := pool{
		client: c, gate: &gate{budget: c.limits.MaxPause}, giveUp: giveUp,
		places: make(chan struct{}, c.limits.Concurrency), width: c.limits.Concurrency, ended: ctx.Done(),
	}
	for batch, messages := range batches {
		c.batch(ctx, &p, messages, func(i int, x Exchange) { done(batch, i, x) })
	}
	c.connections.Settle()
	p.handovers.Wait()
}

// OneBatch is all messages in one batch for [Client.All].
func OneBatch(messages ...fixtures.Message) []iter.Seq[fixtures.Message] {
	return []iter.Seq[fixtures.Message]{slices.Values(messages)}
}

// batch sends messages and returns when all their exchanges have ended.
func (c *Client) batch(ctx context.Context, p *pool, messages iter.Seq[fixtures.Message], done func(int, Exchange)) {
	var exchanges sync.WaitGroup
	further := make(chan func()) // for those that have ended one, as their stacks have grown
	next := 0
	for m := range messages {
		i := next
		next++
		p.handovers.Add(1)
		with, complete := m.With(c.target.Has)
		leave := c.enter(p.places, m)
		var failure *Failure
		if complete {
			// The waiting is done here, one message after the other, or they would
			// overtake each other.
			m, failure = with, p.wait(ctx)
		} else {
			failure = &Failure{Lacking, m.Lacks(c.target.Has)}
		}
		exchange := func() {
			defer leave()
			var x Exchange
			by := conn.NewHandover(func(unasked []byte) {
				x.Unasked = c.redactor.Body(unasked, true) // they may be cut
				done(i, x)
				p.handovers.Done()
			})
			if failure == nil {
				x = p.exchange(ctx, m, by)
			} else {
				x = c.unsent(m, failure)
			}
			p.count(x)
			by.Release(nil)
		}
		select {
		case further <- exchange:
		default:
			exchanges.Go(func() {
				exchange()
				for exchange := range further {
					exchange()
				}
			})
		}
	}
	close(further)
	exchanges.Wait()
}

// enter waits for the places that the message needs, and returns how to leave them.
// Two requests at a time need two places, if the limits allow two.
func (c *Client) enter(own chan struct{}, m fixtures.Message) (leave func()) {
	first := c.enterOne(own)
	if m.Beside == nil || c.limits.Concurrency == 1 {
		return first
	}
	second := c.enterOne(own)
	return func() {
		first()
		second()
	}
}

// enterOne waits for a place of the client's own, or for a spare one.
func (c *Client) enterOne(own chan struct{}) (leave func()) {
	leaveOwn := func() { <-own }
	select {
	case own <- struct{}{}:
		return leaveOwn
	default:
	}
	select {
	case own <- struct{}{}:
		return leaveOwn
	case <-c.limits.Spare:
		return func() { c.limits.Spare <- struct{}{} }
	}
}

type pool struct {
	client *Client
	gate   *gate
	giveUp context.CancelCauseFunc

	handovers sync.WaitGroup // of all batches
	places    chan struct{}  // a message holds one for each request that it sends at a time
	ended     <-chan struct{}

	mu       sync.Mutex
	width    int       // places that may be held
	narrowed time.Time // when there were more last
	missed   int       // exchanges without a response since the last with one
	tooMuch  int       // exchanges with more than a limit permits since the last complete response
}

// wait returns when a request may be sent, or why none may.
func (p *pool) wait(ctx context.Context) *Failure {
	if p.gate.wait(ctx) != nil {
		return Ended(ctx)
	}
	return p.client.pace(ctx)
}

// exchange sends a message as often as it says, and each time again and again
// as long as the target asks for patience and there is some left. All has
// waited already for the first time.
func (p *pool) exchange(ctx context.Context, m fixtures.Message, by *conn.Handover) Exchange {
	waited := true
	s := sending{Client: p.client, wait: p.wait, by: by}
	return repeat(m, func(m fixtures.Message) Exchange {
		for {
			if !waited {
				if failure := p.wait(ctx); failure != nil {
					return p.client.unsent(m, failure)
				}
			}
			waited = false
			begun := time.Now()
			x := s.send(ctx, m)
			if !throttled(x) {
				return x
			}
			if x.Failure = p.client.overBudget(p.client.sent.Load()); x.Failure != nil {
				return x
			}
			p.narrow(begun)
			m = renewed(m)
			if pause, _ := retryAfter(x); !p.gate.pause(pause) {
				x.Failure = &Failure{Throttled, tooLong(x, p.client.limits.MaxPause)}
				return x
			}
		}
	})
}

// renewed is a message that is sent again together with another one, which the target may have accepted:
// both have fresh values that it has not seen.
func renewed(m fixtures.Message) fixtures.Message {
	if isChain(m) || m.After == nil && m.Beside == nil {
		return m
	}
	again := func(m *fixtures.Message) *fixtures.Message {
		if m == nil || m.Again == nil {
			return m
		}
		other := m.Again()
		return &other
	}
	both := *again(&m)
	both.After, both.Beside = again(m.After), again(m.Beside)
	return both
}

// narrow halves the number of requests at a time, as a target that asks for patience may mean
// that. Requests that were on their way then say nothing of the half. Two may be needed at a
// time.
func (p *pool) narrow(begun time.Time) {
	const least = 2
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := max(least, p.width/2)
	if kept >= p.width || begun.Before(p.narrowed) {
		return
	}
	for range p.width - kept {
		go func() {
			select {
			case p.places <- struct{}{}: // for good
			case <-p.ended:
			}
		}()
	}
	p.width, p.narrowed = kept, time.Now()
	p.client.connections.Narrow(kept)
}

// count gives the target up when it has given no complete response for long
// enough.
func (p *pool) count(x Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case x.Failure == nil, x.Failure.Kind == Throttled:
		p.missed, p.tooMuch = 0, 0
	case x.Failure.Kind == Incomplete, x.Failure.Kind == Unreachable:
		p.missed++
	case x.Failure.Kind == OverLimit:
		p.missed = 0
		p.tooMuch++
	}
	for _, c := range []struct{ n, most int }{{p.missed, giveUpAfter}, {p.tooMuch, giveUpAfterTooMuch}} {
		if c.n == c.most {
			p.giveUp(fmt.Errorf("%w after %d requests without a complete response: %s", ErrGivenUp, c.n, x.Failure.Message))
		}
	}
}
