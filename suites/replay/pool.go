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
// limits allow, and hands over each exchange as it ends. It returns when done
// was called once for every message, in any order and from several
// goroutines. A context that ends makes the rest fail as canceled, soon.
func (c *Client) All(ctx context.Context, messages []fixtures.Message, done func(int, Exchange)) {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	p := pool{client: c, gate: newGate(c.limits.MaxPause), limiter: limiter(c.limits.Rate), giveUp: giveUp}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(c.limits.Concurrency, len(messages)) {
		workers.Go(func() {
			for i := range next {
				x := p.exchange(ctx, messages[i])
				p.count(x)
				done(i, x)
			}
		})
	}
	for i := range messages {
		next <- i
	}
	close(next)
	workers.Wait()
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

// exchange sends one message, again and again as long as the target asks for
// patience and there is some left.
func (p *pool) exchange(ctx context.Context, m fixtures.Message) Exchange {
	for {
		if p.gate.wait(ctx) != nil || p.limiter.Wait(ctx) != nil {
			return Exchange{Request: p.client.record(m), Failure: p.unsent(ctx), redactor: p.client.redactor}
		}
		x := p.client.Exchange(ctx, m)
		if !throttled(x) {
			return x
		}
		if err := p.gate.pause(retryAfter(x)); err != nil {
			x.Failure = &Failure{Throttled, fmt.Sprintf("answered with %d: %s", x.Response.Status, err)}
			return x
		}
	}
}

func (p *pool) unsent(ctx context.Context) *Failure {
	if ctx.Err() == nil {
		// The limiter refuses to wait past a deadline before it is there.
		return &Failure{Canceled, "the deadline of the run would be reached first"}
	}
	return broken(ctx)
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
