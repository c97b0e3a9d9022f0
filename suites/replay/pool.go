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

// The number of consecutive exchanges without a complete response after which the target
// is given up. So a dead target costs only seconds. A target whose responses exceed a limit
// is alive, and a few large lists must not end the run. But each such response is expensive.
const (
	giveUpAfter        = 10
	giveUpAfterTooMuch = 100
)

// All sends the messages in their order, as many concurrently as the limits allow. A
// batch begins when all exchanges of the batch before it have ended. All takes each
// message from its sequence only when it is the next one to send.
//
// All calls done once for every message, with its batch and its index in the batch, in
// any order and from several goroutines. It does so when nothing can be added to the
// exchange any more: its connection is used again or closed. All returns after the last
// call, with all connections closed. When the context ends, the remaining messages fail
// quickly as canceled.
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

// OneBatch returns all messages as one batch for [Client.All].
func OneBatch(messages ...fixtures.Message) []iter.Seq[fixtures.Message] {
	return []iter.Seq[fixtures.Message]{slices.Values(messages)}
}

// batch sends messages and returns when all their exchanges have ended.
func (c *Client) batch(ctx context.Context, p *pool, messages iter.Seq[fixtures.Message], done func(int, Exchange)) {
	var exchanges sync.WaitGroup
	further := make(chan func()) // goroutines are reused, because their stacks have already grown
	next := 0
	for m := range messages {
		i := next
		next++
		p.handovers.Add(1)
		with, complete := m.With(c.target.Has)
		leave := c.enter(p.places, m)
		var failure *Failure
		if complete {
			// Wait here, in one goroutine, so that the messages keep their order.
			m, failure = with, p.wait(ctx)
		} else {
			failure = &Failure{Lacking, m.Lacks(c.target.Has)}
		}
		exchange := func() {
			defer leave()
			var x Exchange
			by := conn.NewHandover(func(unasked []byte) {
				x.Unasked = c.redactor.Body(unasked, true) // may be cut off
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

// enter waits for the places that the message needs, and returns a function that leaves
// them. Two concurrent requests need two places, if the limits allow two.
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

// enterOne waits for a place of this client, or for a spare place.
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
	places    chan struct{}  // a message holds one for each concurrent request
	ended     <-chan struct{}

	mu       sync.Mutex
	width    int       // places that may be held
	narrowed time.Time // when width was last reduced
	missed   int       // consecutive exchanges without a complete response
	tooMuch  int       // exchanges that exceeded a limit since the last complete response
}

// wait returns nil when a request may be sent, or a failure if none may be sent.
func (p *pool) wait(ctx context.Context) *Failure {
	if p.gate.wait(ctx) != nil {
		return Ended(ctx)
	}
	return p.client.pace(ctx)
}

// exchange sends a message as often as the message says. It retries each of these requests
// while the target throttles and the run may pause. The first one does not wait, because
// All has already waited.
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

// renewed returns a message with a companion for a retry. The target may have accepted the
// companion, so both get fresh values. Other messages stay as they are.
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

// narrow halves the number of concurrent requests, because that may be why the target throttles.
// It ignores requests that began before the last reduction. At least two places remain for
// messages with a companion.
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
			case p.places <- struct{}{}: // never left again
			case <-p.ended:
			}
		}()
	}
	p.width, p.narrowed = kept, time.Now()
	p.client.connections.Narrow(kept)
}

// count gives the target up after too many consecutive exchanges without a complete
// response.
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
