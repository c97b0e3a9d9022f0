package replay

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
)

// Step is the exchange of a step that was sent with a message.
type Step struct {
	ID       string
	Cleanup  bool             // it was sent after the message, to remove what others created
	Message  fixtures.Message // as it was sent, but for the credentials
	Exchange Exchange
}

// Left says whether a clean-up did not remove what it should.
func (s Step) Left() bool {
	return s.Cleanup && !isAccepted(s.Exchange) && (s.Exchange.Failure != nil || s.Exchange.Response.Status != http.StatusNotFound && s.Exchange.Response.Status != http.StatusGone)
}

// cleanupTime is how long the clean-up of one message may take after the run has ended.
const cleanupTime = 5 * time.Second

// chained sends the steps of a message, then the message, and then its clean-up. If a
// step is not accepted, the message is not sent.
func (s sending) chained(ctx context.Context, m fixtures.Message) Exchange {
	c := chain{sending: s, values: fixtures.Values{}}
	x := c.judged(ctx, m)
	if isAccepted(x) {
		c.take(m.Step, m.Outputs, x)
	}
	c.cleanUp(ctx, m.Cleanup)
	x.Steps, x.Values = c.sent, c.values
	return x
}

func isChain(m fixtures.Message) bool { return len(m.Steps)+len(m.Cleanup) > 0 }

// chain is the work on one message with steps.
type chain struct {
	sending
	values fixtures.Values
	sent   []Step
	begun  bool // a request was sent, so that the next one has to wait for its turn
}

// judged is the exchange of the message itself, after its steps.
func (c *chain) judged(ctx context.Context, m fixtures.Message) Exchange {
	for _, step := range m.Steps {
		x := c.send(ctx, step, false)
		if throttled(x) {
			return x // to be sent again, all of it
		}
		if failure := c.taken(step, x); failure != nil {
			return c.unsent(m, failure)
		}
	}
	judged, err := c.complete(m)
	if err != nil {
		return c.unsent(m, &Failure{StepFailed, err.Error()})
	}
	judged.Steps, judged.Cleanup = nil, nil
	return repeat(judged, func(m fixtures.Message) Exchange { return c.exchange(ctx, m) })
}

// taken takes the outputs of a step, and says why the message cannot be sent.
func (c *chain) taken(step fixtures.Step, x Exchange) *Failure {
	asked := step.ID + " (" + x.Request.Method + " " + step.Message.Path + ")"
	switch {
	case x.Failure != nil && x.Failure.Kind != Incomplete:
		return x.Failure
	case x.Failure != nil:
		return &Failure{StepFailed, fmt.Sprintf("the step %s failed: %s", asked, x.Failure.Message)}
	case !isAccepted(x):
		return &Failure{StepFailed, fmt.Sprintf("the step %s got %d", asked, x.Response.Status)}
	}
	if missing := c.take(step.ID, step.Outputs, x); missing != "" {
		return &Failure{StepFailed, fmt.Sprintf("the response to the step %s has no %s", asked, missing)}
	}
	return nil
}

// take reads the outputs of a response, and gives the first place that it does not have.
func (c *chain) take(id string, outputs []fixtures.Output, x Exchange) (missing string) {
	header, body := x.Raw()
	for _, o := range outputs {
		text, ok := o.Read(x.Response.Status, header, body)
		if !ok {
			return o.From
		}
		c.values[id+"."+o.Name] = text
	}
	return ""
}

// complete is a message with the values that the steps before it have put out.
func (c *chain) complete(m fixtures.Message) (fixtures.Message, error) {
	if m.Complete == nil {
		return m, nil
	}
	completed, err := m.Complete(c.values)
	if err != nil {
		return m, err //nolint:wrapcheck // names the value
	}
	return completed, nil
}

// send does the exchange of a step, and keeps it.
func (c *chain) send(ctx context.Context, step fixtures.Step, cleanup bool) Exchange {
	m, err := c.complete(step.Message)
	var x Exchange
	if err != nil {
		x = c.unsent(m, &Failure{StepFailed, err.Error()})
	} else {
		// What comes unasked after the response to a step is not the fault of the message.
		by := conn.NewHandover(func([]byte) {})
		aside := *c
		aside.by = by
		x = aside.exchange(ctx, m)
		by.Release(nil)
		c.begun = true
	}
	c.sent = append(c.sent, Step{ID: step.ID, Cleanup: cleanup, Message: m, Exchange: x.Forget()})
	return x
}

// exchange does one exchange when it is its turn.
func (c *chain) exchange(ctx context.Context, m fixtures.Message) Exchange {
	if c.begun {
		if failure := c.wait(ctx); failure != nil {
			return c.unsent(m, failure)
		}
	}
	c.begun = true
	return c.sending.send(ctx, m)
}

// cleanUp sends the clean-up for what was created, also after the run has ended.
func (c *chain) cleanUp(ctx context.Context, steps []fixtures.Step) {
	for _, step := range steps {
		if !c.values.Have(step.Message.Takes) {
			continue // nothing was created
		}
		c.remove(ctx, step)
	}
}

func (c *chain) remove(ctx context.Context, step fixtures.Step) {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
		defer cancel()
	}
	c.send(ctx, step, true)
}

// isAccepted says whether the target accepted the request, with whatever status.
func isAccepted(x Exchange) bool {
	return x.Failure == nil && x.Response.Status >= http.StatusOK && x.Response.Status < http.StatusBadRequest
}
