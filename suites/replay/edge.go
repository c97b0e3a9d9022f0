package replay

import (
	"sync"

	"github.com/plantstore/conformance/fixtures"
)

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
