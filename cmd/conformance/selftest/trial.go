package selftest

import (
	"time"

	"github.com/plantstore/conformance/reference"
)

// Kind says what a trial shows.
type Kind string

// The kinds of trial.
const (
	Reference Kind = "reference" // the suite passes it
	Variation Kind = "variation" // the suite leaves it alone
	Deviation Kind = "deviation" // the suite finds it
)

// Trial is one service that the suite is tried on, and what it must find.
type Trial struct {
	Kind     Kind     `json:"kind"`
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Violates []string `json:"violates"` // ids of the clauses with a violation: these and no other
	Warns    []string `json:"warns"`    // ids of the clauses with a warning: these and no other
	maybe    []string // ids of the clauses on which there may be a warning
	wire     bool     // it concerns what goes over the wire, and so needs a connection
	options  reference.Options
	timeout  time.Duration // of an exchange
}

// hangTimeout is what an exchange gets with a service that leaves some without
// an answer. A late answer would break the same clause.
const hangTimeout = 500 * time.Millisecond

// trialTimeout is what an exchange gets with any other. Many trials share a
// machine, which may be a busy one.
const trialTimeout = time.Minute

// Trials are all there are: the reference, its variations, its deviations.
func Trials() []Trial {
	trials := []Trial{{Kind: Reference, Name: "reference", Summary: "conforms to the contract", wire: true, timeout: trialTimeout, Violates: []string{}, Warns: []string{}}}
	for _, v := range reference.Variations() {
		trials = append(trials, newTrial(Variation, v, reference.Options{Variation: v}))
	}
	for _, d := range reference.Deviations() {
		trials = append(trials, newTrial(Deviation, d, reference.Options{Deviation: d}))
	}
	return trials
}

func newTrial(kind Kind, a reference.Deviation, o reference.Options) Trial {
	t := Trial{
		Kind: kind, Name: a.Name, Summary: a.Summary, Violates: orEmpty(a.Clauses), Warns: orEmpty(a.Warns), maybe: a.Maybe, wire: a.Wire,
		options: o, timeout: trialTimeout,
	}
	if a.Hangs {
		t.timeout = hangTimeout
	}
	return t
}

// orEmpty makes a list that is an array in JSON.
func orEmpty(list []string) []string { return append([]string{}, list...) }
