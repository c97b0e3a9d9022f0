package replay

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/time/rate"

	"github.com/plantstore/conformance/fixtures"
)

// giveUpAfter is how many exchanges may end without any response at all
// before the target is given up. A dead target then costs seconds.
const giveUpAfter = 10

// All sends the messages, begun in their order and as many at a time as the
// limits allow, and hands over each exchange as it ends. They come in batches:
// each begins when the one before it has ended. It returns when done was
// called once for every message, with the batch and its place there, in any
// order and from several goroutines. A context that ends makes the rest fail as
// canceled, soon.
func (c *Client) All(ctx context.Context, batches [][]fixtures.Message, done func(batch, place int, x Exchange)) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	p := pool{client: c, gate: newGate(c.limits.MaxPause), limiter: limiter(c.limits.Rate), giveUp: giveUp}
	places := make(chan struct{}, c.limits.Concurrency)
	for batch, messages := range batches {
		c.batch(ctx, &p, places, messages, func(i int, x Exchange) { done(batch, i, x) })
	}
}

// batch sends messages and returns when all their exchanges have ended.
func (c *Client) batch(ctx context.Context, p *pool, places chan struct{}, messages []fixtures.Message, done func(int, Exchange)) {
	var exchanges sync.WaitGroup
	for i, m := range messages {
		leave := c.enter(places)
		// The waiting is done here, one message after the other, or they would
		// overtake each other.
		failure := p.wait(ctx)
		exchanges.Go(func() {
			var x Exchange
			if failure == nil {
				x = p.exchange(ctx, m)
			} else {
				x = c.unsent(m, failure)
			}
			p.count(x)
			done(i, x)
			leave()
		})
	}
	exchanges.Wait()
}

// enter waits for a place of the client's own, or for a spare one, and tells how to
// leave it.
func (c *Client) enter(own chan struct{}) (leave func()) {
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
	client  *Client
	gate    *gate
	limiter *rate.Limiter
	giveUp  context.CancelCauseFunc

	mu       sync.Mutex
	ended    int
	answered bool
}

func limiter(perSecond float64) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), 1)
}

// wait returns when a request may be sent, or why none may.
func (p *pool) wait(ctx context.Context) *Failure {
	if p.gate.wait(ctx) == nil && p.limiter.Wait(ctx) == nil {
		return nil
	}
	if ctx.Err() == nil {
		// The limiter does not even begin to wait past a deadline.
		return &Failure{Canceled, deadlineWords}
	}
	return broken(ctx)
}

// exchange sends a message as often as it says, and each time again and again
// as long as the target asks for patience and there is some left. All has
// waited already for the first time.
func (p *pool) exchange(ctx context.Context, m fixtures.Message) Exchange {
	waited := true
	return repeat(m, func() Exchange {
		for {
			if !waited {
				if failure := p.wait(ctx); failure != nil {
					return p.client.unsent(m, failure)
				}
			}
			waited = false
			x := p.client.send(ctx, m)
			if !throttled(x) {
				return x
			}
			if p.client.budget.spent() {
				x.Failure = p.client.budget.failure()
				return x
			}
			if err := p.gate.pause(retryAfter(x)); err != nil {
				x.Failure = &Failure{Throttled, fmt.Sprintf("the target answered with %d: %s", x.Response.Status, err)}
				return x
			}
		}
	})
}

// count gives the target up when it has answered nothing for long enough.
func (p *pool) count(x Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
	p.answered = p.answered || x.Response != nil
	if !p.answered && p.ended == giveUpAfter {
		p.giveUp(fmt.Errorf("%w after %d exchanges without any response: %s", ErrGivenUp, giveUpAfter, x.Failure.Message))
	}
}
