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

// control is a request that is sent in addition to the fixtures of a run, so that a rejection can
// be compared with an accepted request.
type control struct {
	fixture fixtures.Fixture
	result  result.Result
	ready   chan struct{} // closed when the result exists
}

// sendOrder has the tries to send, in batches. A batch begins when the one before it has ended.
type sendOrder [][]try

type try struct {
	place   int      // index of the fixture
	number  int      // of the try, from 0
	control *control // if not nil, sent instead of a fixture
}

// The batches of a run. The first one begins with the plainest valid request of each operation. So it is known
// that the service accepted the credential before it locks out a caller or a quota is used up. Requests that
// must be rejected are sent before others are accepted: a lenient service would keep what it created, under an
// id that the next fixture needs. They are sent again afterwards: a service may check less on a connection, or
// for an id, that it knows. Requests that must be accepted are sent once more at the end: any other request may
// have left the service unable to accept them.
const (
	rejectedFirst = iota
	accepted
	either
	rejectedAgain // each further try is one batch later
)

// tries returns how often the run sends the fixture. Fixtures that [Config.Quick] excludes are sent
// once: if a service sometimes checks less, other fixtures with the same fault show it.
func (c Config) tries(f fixtures.Fixture) int {
	switch {
	case f.Level != spec.Must || !f.Quick() || c.Tries == 0 && f.IsDerived(): // there are many derived fixtures for each clause
		return 1
	case f.Expect == fixtures.Rejected:
		return cmp.Or(c.Tries, DefaultTries)
	case f.Expect == fixtures.Accepted && f.IsRepeatable():
		return min(cmp.Or(c.Tries, DefaultTries), acceptedTries)
	}
	return 1
}

// acceptedTries is the maximum number of tries of a request that must be accepted.
const acceptedTries = 2

// order puts the tries of these fixtures, and the missing controls, into batches. Fixtures that
// compare pages are sent when nothing else adds entries. Fixtures that may change the service for
// all other requests are sent last.
func (s *session) order(places []int) sendOrder {
	sent := map[string]bool{}
	for id := range s.controls {
		sent[id] = true
	}
	var others, changes []int
	var pages [][]int // in each element, at most one fixture of each list
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

// mayChangeService reports whether the request may change what other requests depend on, such as a
// setting, a session or data from before the run. It does not read, does not create a resource, and
// does not name one that the run created.
func (p Plan) mayChangeService(f fixtures.Fixture) bool {
	op := f.Operation
	if f.MayChangeOthers() || op.Method != http.MethodPost || strings.Contains(op.Path, "{") {
		return f.MayChangeOthers()
	}
	one := strings.TrimSuffix(op.Path, "/") + "/{id}" // the path of a created resource
	return !op.Declares(http.StatusCreated) && len(p.Contract.At(one)) == 0
}

// batches returns the order of these fixtures alone. The plainest valid requests come first.
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
		for _, other := range needed(&f, sent, s.byID) {
			c := &control{fixture: *other, ready: make(chan struct{})}
			s.controls[other.ID] = c
			add(*other, try{control: c})
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

// plainest returns, by operation, the id of the control that most of the rejections need.
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

// messages returns the messages of the tries. Each is made just before it is sent, because all of
// them together take much memory.
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

// batchOf returns the batch of the n-th try of a fixture, from 0.
func batchOf(f fixtures.Fixture, n int) int {
	switch {
	case f.Expect == fixtures.Accepted && !f.NeedsKnown() && f.Wire() != fixtures.Apart && f.Wire() != fixtures.Pieces: // slow requests in pieces go into the next batch, with many others
		return accepted
	case f.Expect != fixtures.Rejected:
		return either
	case n == 0 && !f.NeedsKnown() && f.Times() == 1: // if it is sent several times, a lenient service may know its id at the last time
		return rejectedFirst
	case f.NeedsKnown(), f.Times() > 1:
		return rejectedAgain + n
	}
	return rejectedAgain + n - 1
}

// needed returns the fixtures that give evidence to the result of this one, without those in sent.
// It adds them to sent.
func needed(f *fixtures.Fixture, sent map[string]bool, byID map[string]*fixtures.Fixture) (list []*fixtures.Fixture) {
	for _, id := range f.Needs() {
		if other := byID[id]; other != nil && !sent[id] {
			sent[id] = true
			list = append(append(list, needed(other, sent, byID)...), other)
		}
	}
	return list
}
