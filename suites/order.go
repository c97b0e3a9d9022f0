package suites

import (
	"cmp"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/result"
)

// control is a request in addition to the fixtures of a run, so that a rejection
// can be compared with an accepted request.
type control struct {
	fixture fixtures.Fixture
	result  result.Result
	ready   chan struct{} // closed when the result is there
}

// sendOrder is what is sent, in batches of which each begins when the one before it
// has ended.
type sendOrder [][]try

type try struct {
	place   int      // of a fixture
	number  int      // which try of it, from 0
	control *control // instead of one, if not nil
}

// The batches of a run. The first one begins with the plainest valid request of each operation: if a
// service locks out callers after many invalid requests, or permits only so many requests, the run
// knows that it accepted the credential before. What must be rejected is sent before anything else is
// accepted, for a lenient service would keep what it created under an id that the
// next fixture needs; and again afterwards, for a service may check a connection, or
// an id that it knows, less than others. What must be accepted comes once more at the
// end, for one of all these requests may have left the service unable to do so.
const (
	rejectedFirst = iota
	accepted
	either
	rejectedAgain // and so on, with every further try
)

// tries is how often the run sends the fixture. What only is another
// representative of the same fault is sent once: what a service checks less at
// times, others of that fault show.
func (c Config) tries(f fixtures.Fixture) int {
	switch {
	case f.Level != spec.Must || !f.Quick() || c.Tries == 0 && f.IsDerived(): // of which there are many for each clause
		return 1
	case f.Expect == fixtures.Rejected:
		return cmp.Or(c.Tries, DefaultTries)
	case f.Expect == fixtures.Accepted && f.IsRepeatable():
		return min(cmp.Or(c.Tries, DefaultTries), acceptedTries)
	}
	return 1
}

// acceptedTries is how often at most the run sends what must be accepted.
const acceptedTries = 2

// order puts the tries of the fixtures at those places into batches, and with
// them the controls that are missing. What compares pages comes when nothing else adds entries, and
// what may change the service for all other requests when they have their answers.
func (s *session) order(places []int) sendOrder {
	sent := map[string]bool{}
	for id := range s.controls {
		sent[id] = true
	}
	var others, changes []int
	var pages [][]int // one of each list at a time
	paged := map[string]int{}
	for _, place := range places {
		f := s.Fixtures[place]
		sent[f.ID] = true
		switch op := f.Operation.ID; {
		case s.mayChangeService(f):
			changes = append(changes, place)
		case f.Clause.ID.State() == spec.StatePaged && !f.StandsAlone():
			if paged[op] == len(pages) {
				pages = append(pages, nil)
			}
			pages[paged[op]] = append(pages[paged[op]], place)
			paged[op]++
		default:
			others = append(others, place)
		}
	}
	var o sendOrder
	for _, places := range slices.Concat([][]int{others}, pages, [][]int{changes}) {
		if len(places) == 0 {
			continue
		}
		var plainest map[string]string
		if len(o) == 0 {
			plainest = s.plainest(places)
		}
		o = append(o, s.batches(places, sent, plainest)...)
	}
	return o
}

// mayChangeService reports whether the request may change what all others rest on, such as a
// setting, a session or something that was there before: it neither reads, nor creates a
// thing, nor names one that the run created.
func (p Plan) mayChangeService(f fixtures.Fixture) bool {
	op := f.Operation
	if f.MayChangeOthers() || op.Method != http.MethodPost || strings.Contains(op.Path, "{") {
		return f.MayChangeOthers()
	}
	one := strings.TrimSuffix(op.Path, "/") + "/{id}" // of what it creates
	return !op.Declares(http.StatusCreated) && len(p.Contract.At(one)) == 0
}

// batches orders those fixtures for themselves. Of the valid requests of each operation the plainest
// comes before all others.
func (s *session) batches(places []int, sent map[string]bool, plainest map[string]string) sendOrder {
	var o sendOrder
	var first, last []try
	add := func(f fixtures.Fixture, t try) {
		if t.number == 0 && plainest[f.Operation.ID] == f.ID {
			first = append(first, t)
			return
		}
		batch := batchOf(f, t.number)
		for len(o) <= batch {
			o = append(o, nil)
		}
		o[batch] = append(o[batch], t)
	}
	for _, place := range places {
		f := s.Fixtures[place]
		for _, needed := range s.needed(f, sent) {
			c := &control{fixture: needed, ready: make(chan struct{})}
			s.controls[needed.ID] = c
			add(needed, try{control: c})
		}
		for n := range s.config.tries(f) {
			if f.Expect == fixtures.Accepted && n > 0 {
				last = append(last, try{place: place, number: n})
				continue
			}
			add(f, try{place: place, number: n})
		}
	}
	if len(o) == 0 {
		o = sendOrder{nil}
	}
	o[rejectedFirst] = append(first, o[rejectedFirst]...)
	return append(o, last)
}

// plainest gives, by operation, the id of the control that most rejections at those places have.
func (s *session) plainest(places []int) map[string]string {
	rejections := map[string]int{} // by control
	plainest := map[string]string{}
	for _, place := range places {
		f := s.Fixtures[place]
		control := s.byID[f.Control]
		if f.Expect != fixtures.Rejected || control == nil || control.NeedsKnown() || control.Operation != f.Operation {
			continue
		}
		rejections[control.ID]++
		if best := plainest[f.Operation.ID]; rejections[control.ID] > rejections[best] {
			plainest[f.Operation.ID] = control.ID
		}
	}
	return plainest
}

// messages are those of the tries, each made when it is its turn: all of them at once
// would take much memory.
func (s *session) messages(tries []try) iter.Seq[fixtures.Message] {
	return func(yield func(fixtures.Message) bool) {
		for _, t := range tries {
			if !yield(s.message(t)) {
				return
			}
		}
	}
}

func (s *session) message(t try) fixtures.Message {
	if t.control != nil {
		return t.control.fixture.Message(s.config.MessageSeed(), 0)
	}
	m := s.Fixtures[t.place].Message(s.config.MessageSeed(), t.number)
	m.Fresh = t.number > 1
	if t.number == 0 {
		s.telling.Lock()
		defer s.telling.Unlock()
		s.first[t.place] = m
	}
	return m
}

// batchOf is the batch of the n-th try of a fixture, from 0.
func batchOf(f fixtures.Fixture, n int) int {
	switch {
	case f.Expect == fixtures.Accepted && !f.NeedsKnown() && f.Wire() != fixtures.Apart && f.Wire() != fixtures.Pieces: // which take their time, beside many others
		return accepted
	case f.Expect != fixtures.Rejected:
		return either
	case n == 0 && !f.NeedsKnown() && f.Times() == 1: // sent several times, it may be known to a lenient service by the last
		return rejectedFirst
	case f.NeedsKnown(), f.Times() > 1:
		return rejectedAgain + n
	}
	return rejectedAgain + n - 1
}

// needed are the fixtures without which the exchange of this one would say
// less, but for those that are sent anyhow, which it adds them to.
func (p Plan) needed(f fixtures.Fixture, sent map[string]bool) []fixtures.Fixture {
	var list []fixtures.Fixture
	for _, id := range f.Needs() {
		other, ok := p.byID[id]
		if !ok || sent[id] {
			continue
		}
		sent[id] = true
		list = append(append(list, p.needed(*other, sent)...), *other)
	}
	return list
}
