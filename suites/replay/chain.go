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

// A Step is a request that was sent before or after a message, and its exchange.
type Step struct {
	ID       string
	Cleanup  bool             // sent after the message, to remove what other requests created
	Message  fixtures.Message // as it was sent, without the credentials
	Exchange Exchange
}

// Left reports whether a clean-up request failed to remove its resource.
func (s Step) Left() bool {
	x := s.Exchange
	return s.Cleanup && s.Message.Method != http.MethodGet && !isAccepted(x) && (x.Failure != nil || x.Response != nil && x.Response.Status != http.StatusNotFound && x.Response.Status != http.StatusGone)
}

// maxStepBody is the number of bytes that are kept of a step's response body. It is small
// because a run has several steps for each fixture.
const maxStepBody = 2 << 10

// cleanupTime is the time limit of each clean-up request after the run has ended.
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
	others []fixtures.Values // from the companion and from earlier repetitions of the message
	sent   []Step
	begun  bool // a request was sent, so the next one must wait for its turn
	made   bool // an unsafe request was not refused, so there may be something to remove

	cleanup []fixtures.Step
	removed map[string]bool // the paths to which a DELETE was accepted
	told    map[string]bool // the clean-up requests that were reported to the listener
}

// tellCreated reports to the listener each clean-up request whose inputs are all known.
func (c *chain) tellCreated() {
	if c.Created == nil {
		return
	}
	for _, step := range c.cleanup {
		if step.Message.Method == http.MethodGet || len(step.Message.Takes) == 0 || !c.values.Have(step.Message.Takes) {
			continue
		}
		m, err := step.Message.Completed(c.values)
		if key := m.Method + " " + m.Path; err == nil && !c.told[key] {
			c.told[key] = true
			c.Created(Step{ID: step.ID, Cleanup: true, Message: m, Exchange: c.unsent(m, nil)})
		}
	}
}

// created stores the outputs of a companion or earlier repetition, which may have created
// another resource.
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

// judged sends the steps and then the message, unless a step is rejected that is not optional. It returns the exchange of the message.
func (c *chain) judged(ctx context.Context, m fixtures.Message) Exchange {
	for _, step := range m.Steps {
		if failure := c.Client.edges.dropped(step); failure != nil && step.Optional {
			continue
		} else if failure != nil {
			return c.unsent(m, failure)
		}
		x := c.send(ctx, step, false)
		if throttled(x) {
			return x // the whole chain is retried
		}
		failure := c.taken(step, x)
		c.Client.edges.note(step, failure)
		isRefusal := failure != nil && x.Response != nil && x.Response.Status/100 == 4
		if failure != nil && !(step.Optional && isRefusal) {
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

// taken stores the outputs of a step. It returns a failure if the message cannot be sent.
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

// maxOutput is the maximum size in bytes of a value from a response. It is limited because
// each result of a run keeps its requests.
const maxOutput = 16 << 10

// take reads the outputs of a response. If one cannot be used, lacks says why.
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

// send sends a step and records its exchange.
func (c *chain) send(ctx context.Context, step fixtures.Step, cleanup bool) Exchange {
	m, err := step.Message.Completed(c.values)
	var x Exchange
	if err != nil {
		x = c.unsent(m, &Failure{StepFailed, c.redactor.Text(err.Error())})
	} else {
		// Ignore bytes that arrive after the response to a step: the message did not cause them.
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

// exchange waits for its turn and then sends one request.
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

// pathOf returns the path of a message without its query.
func pathOf(m fixtures.Message) string {
	path, _, _ := strings.Cut(m.Path, "?")
	return path
}

// remove sends one clean-up request, even after the run has ended. It skips the request if
// the resource was not created or is already removed.
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
		c.send(ctx, step, true) // the 5xx may come from concurrent writes to the store
	}
}

// isAccepted reports whether the target accepted the request: any 2xx or 3xx status.
func isAccepted(x Exchange) bool {
	return x.Failure == nil && x.Response != nil && x.Response.Status >= http.StatusOK && x.Response.Status < http.StatusBadRequest
}

// inVain is the number of failures after which an inferred step is no longer sent, unless it
// has ever succeeded.
const inVain = 5

// edges counts the failures of the steps that were inferred from the contract, by step id.
// So a wrong inference costs a few requests in all, not a few for each fixture.
type edges struct {
	mu     sync.Mutex
	failed map[string]int // number of failures; -1 if the step has ever succeeded
	last   map[string]*Failure
}

// dropped returns the failure because of which a step is no longer sent, or nil.
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
