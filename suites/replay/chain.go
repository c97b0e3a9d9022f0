package replay

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
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

// Left reports whether a clean-up did not remove what it should.
func (s Step) Left() bool {
	x := s.Exchange
	return s.Cleanup && s.Message.Method != http.MethodGet && !isAccepted(x) && (x.Failure != nil || x.Response != nil && x.Response.Status != http.StatusNotFound && x.Response.Status != http.StatusGone)
}

// maxStepBody is how much of a step's response is kept, in bytes: a run has several steps
// for each fixture.
const maxStepBody = 2 << 10

// cleanupTime is how long the clean-up of one message may take after the run has ended.
const cleanupTime = 5 * time.Second

// chained sends the steps of a message, then the message, and then its clean-up. If a
// step is not accepted, the message is not sent.
func (s sending) chained(ctx context.Context, m fixtures.Message) Exchange {
	c := chain{sending: s, values: fixtures.Values{}, cleanup: m.Cleanup, removed: map[string]bool{}, told: map[string]bool{}}
	x := c.judged(ctx, m)
	for _, step := range m.Cleanup {
		for _, values := range append(c.others, c.values) {
			c.remove(ctx, step, values)
		}
	}
	x.Steps, x.Values = c.sent, c.values
	return x
}

func isChain(m fixtures.Message) bool { return len(m.Steps)+len(m.Cleanup) > 0 }

// chain is the work on one message with steps.
type chain struct {
	sending
	values fixtures.Values
	others []fixtures.Values // of requests that were sent beside the message, or before it was repeated
	sent   []Step
	begun  bool // a request was sent, so that the next one has to wait for its turn
	made   bool // a request that is not safe was not refused, so there may be something to remove

	cleanup []fixtures.Step
	removed map[string]bool // the paths to which a DELETE was accepted
	told    map[string]bool // the clean-up that the listener was told of
}

// tellCreated tells the listener of the clean-up that has all that it takes.
func (c *chain) tellCreated() {
	if c.Client.created == nil {
		return
	}
	for _, step := range c.cleanup {
		if step.Message.Method == http.MethodGet || len(step.Message.Takes) == 0 || !c.values.Have(step.Message.Takes) {
			continue
		}
		m, err := step.Message.Completed(c.values)
		if key := m.Method + " " + m.Path; err == nil && !c.told[key] {
			c.told[key] = true
			c.Client.created(Step{ID: step.ID, Cleanup: true, Message: m, Exchange: c.unsent(m, nil)})
		}
	}
}

// created takes the outputs of a request that may have created one more thing.
func (c *chain) created(m fixtures.Message, x Exchange) {
	if !isAccepted(x) {
		return
	}
	own := c.values
	c.values = maps.Clone(own)
	if c.take(m.Step, m.Outputs, x) == "" && len(m.Outputs) > 0 {
		c.others = append(c.others, c.values)
	}
	c.values = own
}

// judged is the exchange of the message itself, after its steps.
func (c *chain) judged(ctx context.Context, m fixtures.Message) Exchange {
	for _, step := range m.Steps {
		if failure := c.Client.edges.dropped(step); failure != nil {
			return c.unsent(m, failure)
		}
		x := c.send(ctx, step, false)
		if throttled(x) {
			return x // to be sent again, all of it
		}
		failure := c.taken(step, x)
		c.Client.edges.note(step, failure)
		if failure != nil {
			return c.unsent(m, failure)
		}
	}
	judged, err := m.Completed(c.values)
	if err != nil {
		return c.unsent(m, &Failure{StepFailed, c.redactor.Text(err.Error())})
	}
	judged.Steps, judged.Cleanup = nil, nil
	x := repeat(judged, func(judged fixtures.Message) Exchange { return c.exchange(ctx, judged) })
	for _, other := range x.Others {
		c.created(m, other)
	}
	if isAccepted(x) {
		c.take(m.Step, m.Outputs, x)
	}
	return x
}

// taken takes the outputs of a step, and says why the message cannot be sent.
func (c *chain) taken(step fixtures.Step, x Exchange) *Failure {
	asked := fmt.Sprintf("%q (%s %s)", step.ID, x.Request.Method, step.Message.Path)
	switch {
	case x.Failure != nil && x.Failure.Kind != Incomplete:
		return x.Failure
	case x.Failure != nil:
		return &Failure{StepFailed, fmt.Sprintf("the step %s failed: %s", asked, x.Failure.Message)}
	case !isAccepted(x):
		return &Failure{StepFailed, fmt.Sprintf("the step %s got %d", asked, x.Response.Status)}
	}
	if lacks := c.take(step.ID, step.Outputs, x); lacks != "" {
		return &Failure{StepFailed, fmt.Sprintf("the response to the step %s %s", asked, lacks)}
	}
	return nil
}

// maxOutput bounds a value that a request takes from a response, in bytes: each result of a
// run keeps its requests.
const maxOutput = 16 << 10

// take reads the outputs of a response, and says what is wrong with the first that cannot be
// used.
func (c *chain) take(id string, outputs []fixtures.Output, x Exchange) (lacks string) {
	header, body := x.Raw()
	for _, o := range outputs {
		text, ok := o.Read(fixtures.Sent{Method: x.Request.Method, URL: x.Request.URL, Body: x.Request.Body}, x.Response.Status, header, body)
		switch {
		case !ok:
			return "has no " + o.String()
		case len(text) > maxOutput:
			return fmt.Sprintf("has %s of more than %d bytes", o, maxOutput)
		}
		c.values[id+"."+o.Name] = text
	}
	c.tellCreated()
	return ""
}

// send does the exchange of a step, and keeps it.
func (c *chain) send(ctx context.Context, step fixtures.Step, cleanup bool) Exchange {
	m, err := step.Message.Completed(c.values)
	var x Exchange
	if err != nil {
		x = c.unsent(m, &Failure{StepFailed, c.redactor.Text(err.Error())})
	} else {
		// What comes unasked after the response to a step is not the fault of the message.
		by := conn.NewHandover(func([]byte) {})
		aside := *c
		aside.by = by
		x = aside.exchange(ctx, m)
		by.Release(nil)
		c.begun, c.made = true, c.made || aside.made
	}
	kept := x.Forget()
	if kept.Response != nil {
		kept.Response.Keep(maxStepBody)
	}
	c.sent = append(c.sent, Step{ID: step.ID, Cleanup: cleanup, Message: m, Exchange: kept})
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
	x := c.sending.send(ctx, m)
	if m.Method == http.MethodDelete && isAccepted(x) {
		c.removed[pathOf(m)] = true
	}
	isRefused := x.Failure == nil && x.Response.Status/100 == 4
	c.made = c.made || m.Method != http.MethodGet && m.Method != http.MethodHead && m.Method != http.MethodOptions && !isRefused
	return x
}

// pathOf is the path of a message without its query.
func pathOf(m fixtures.Message) string {
	path, _, _ := strings.Cut(m.Path, "?")
	return path
}

// remove sends one request of the clean-up, also after the run has ended: not if what it
// is for was not created, or is removed already.
func (c *chain) remove(ctx context.Context, step fixtures.Step, values fixtures.Values) {
	if !values.Have(step.Message.Takes) || len(step.Message.Takes) == 0 && !c.made && step.Message.Method != http.MethodGet {
		return
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
		defer cancel()
	}
	own := c.values
	c.values = values
	defer func() { c.values = own }()
	if m, err := step.Message.Completed(c.values); err == nil && m.Method == http.MethodDelete && c.removed[pathOf(m)] {
		return
	}
	if x := c.send(ctx, step, true); x.Failure == nil && x.Response.Status >= http.StatusInternalServerError {
		c.sent = c.sent[:len(c.sent)-1]
		c.send(ctx, step, true) // a store that others wrote to at the same time may be free now
	}
}

// isAccepted reports whether the target accepted the request, with whatever status.
func isAccepted(x Exchange) bool {
	return x.Failure == nil && x.Response != nil && x.Response.Status >= http.StatusOK && x.Response.Status < http.StatusBadRequest
}

// inVain is after how many failures a step that was inferred is no longer sent, unless it
// has succeeded before.
const inVain = 5

// edges are the steps that were inferred from the contract, by their ids. An inference may
// be wrong; then it costs a few requests, and not some for each fixture.
type edges struct {
	mu     sync.Mutex
	failed map[string]int // how often; -1 if it has succeeded once
	last   map[string]*Failure
}

// dropped is why a step is not sent any more; nil if it is.
func (e *edges) dropped(s fixtures.Step) *Failure {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !s.Inferred || e.failed[s.ID] < inVain {
		return nil
	}
	return e.last[s.ID]
}

func (e *edges) note(s fixtures.Step, failure *Failure) {
	if !s.Inferred || failure != nil && failure.Kind != StepFailed {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed == nil {
		e.failed, e.last = map[string]int{}, map[string]*Failure{}
	}
	switch {
	case failure == nil:
		e.failed[s.ID] = -1
	case e.failed[s.ID] >= 0:
		e.failed[s.ID]++
		e.last[s.ID] = failure
	}
}
