package suites

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
)

// exploring is what exploration may send to each operation: how many random requests, and
// how many requests in all. Shrinking a find takes some dozens.
type exploring struct{ random, all int }

// explored are the operations that a run explores. Shards would all send the same
// requests, so only the first explores.
func (p Plan) explored() (operations []*spec.Operation, each exploring) {
	c := p.config
	if c.Explore == 0 || c.Shard.Index > 1 {
		return nil, each
	}
	const shrinking = 200
	operations = explorable(p.Fixtures)
	each = exploring{c.Explore, c.Explore + max(c.Explore, shrinking)}
	if most := c.Limits.MaxRequests; most > 0 {
		share := (most - p.requests()) / max(1, len(operations))
		each = exploring{min(each.random, (share+1)/2), min(each.all, share)}
	}
	if each.all == 0 {
		return nil, each
	}
	return operations, each
}

// explorable are the operations of fixtures that take a parameter or a body.
func explorable(list []fixtures.Fixture) (operations []*spec.Operation) {
	for _, f := range list {
		if op := f.Operation; len(op.Parameters) > 0 || op.RequestBody != nil {
			operations = append(operations, op)
		}
	}
	slices.SortStableFunc(operations, func(a, b *spec.Operation) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(operations)
}

// explore sends random requests after all others have ended, and shrinks those that find
// a violation of a clause which no other request of the run shows.
func (s *session) explore(ctx context.Context) {
	operations, each := s.explored()
	s.sending.Wait()
	if len(operations) == 0 || s.cutOff || s.givenUp || s.absent != nil {
		return
	}
	limited, cancel := s.untilDeadline(ctx)
	defer cancel()
	known := map[spec.ClauseID]bool{}
	for _, r := range s.results {
		for _, f := range r.Findings {
			known[f.Clause] = known[f.Clause] || f.Severity == judge.Violation
		}
	}
	source := derive.New(s.Contract, s.config.ReadOnly)
	for _, op := range operations {
		explorer, ok := source.Explorer(op)
		control := s.acceptedOf(op)
		if !ok || control != nil && slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden}, control.Exchange.Status()) {
			continue // nothing can be sent, or nothing comes past the credential
		}
		e := &exploration{session: s, explorer: explorer, operation: op, control: control, left: each, known: known, sent: map[string]*sent{}}
		if e.run(limited); e.over {
			break
		}
	}
	s.cutOff = limited.Err() != nil
}

// acceptedOf is a result of an operation to hold the explored requests against: one that
// is accepted, if there is one.
func (s *session) acceptedOf(op *spec.Operation) (control *result.Result) {
	for i, r := range s.results {
		switch status := r.Exchange.Status(); {
		case r.Operation != op.ID || r.Expect != fixtures.Accepted || status == 0:
		case status/100 == 2:
			return &s.results[i]
		default:
			control = cmp.Or(control, &s.results[i])
		}
	}
	return control
}

// exploration is the work on one operation.
type exploration struct {
	*session
	explorer  *derive.Explorer
	operation *spec.Operation
	control   *result.Result
	left      exploring
	known     map[spec.ClauseID]bool // clauses of which a violation was found
	sent      map[string]*sent
	over      bool // the run may send no more
}

// drawn is a request that was drawn.
type drawn struct {
	tape    *generate.Recorder
	text    fixtures.Text
	fixture fixtures.Fixture
}

// sent is what came of one.
type sent struct {
	drawn
	result  result.Result
	failure *replay.Failure
	violate []spec.ClauseID
}

// atOnce is how many requests are drawn before the first of them is judged. It does not
// depend on the concurrency, so that the same seed finds the same.
const atOnce = 32

func (e *exploration) run(ctx context.Context) {
	const patience = 100 // draws that give nothing new
	for next, missed := 0, 0; missed < patience && e.left.random > 0 && !e.over; {
		var batch []drawn
		for ; len(batch) < min(atOnce, e.left.random) && missed < patience; next++ {
			d, ok := e.draw(generate.NewRandom(e.seed(next)), nil)
			if missed++; ok && e.sent[string(d.text.Data)] == nil {
				batch, missed = append(batch, d), 0
				e.sent[string(d.text.Data)] = &sent{}
			}
		}
		before := e.left.all
		done := e.send(ctx, batch)
		e.left.random -= before - e.left.all
		if !slices.ContainsFunc(done, func(s *sent) bool { return s.failure == nil || s.failure.Kind == replay.Incomplete }) {
			return // no chain leads here, or there is no credential
		}
		slices.SortStableFunc(done, func(a, b *sent) int { // a valid request is the simpler find
			return cmp.Compare(a.fixture.Expect, b.fixture.Expect)
		})
		for _, one := range done {
			for _, clause := range one.violate {
				if !e.known[clause] {
					e.known[clause] = true
					e.report(e.shrunk(ctx, one, clause))
				}
			}
		}
	}
}

// seed is that of one draw.
func (e *exploration) seed(n int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, e.config.Seed, " ", e.operation.ID, " ", n) // a hash takes any bytes
	return h.Sum64()
}

// draw makes a request of the answers of a tape. It is proven like each fixture. ok is
// false if the answers make none, or none that the run may send.
func (e *exploration) draw(t generate.Tape, id any) (d drawn, ok bool) {
	d.tape = &generate.Recorder{From: t}
	var err error
	if d.text, err = e.explorer.Request(d.tape, id); err != nil {
		return d, false
	}
	list, _, err := fixtures.LoadDerived(e.Contract, []fixtures.Text{d.text})
	if err != nil || len(list) != 1 || e.config.forbids(list[0]) != "" {
		return d, false
	}
	d.fixture = list[0]
	if e.control != nil {
		d.fixture.Control = e.control.Fixture
	}
	return d, true
}

// send sends requests, as far as they are not more than are left, and judges what comes
// back.
func (e *exploration) send(ctx context.Context, batch []drawn) []*sent {
	var messages []fixtures.Message
	for _, d := range batch {
		need := d.fixture.Requests()
		if e.left.all < need {
			break
		}
		e.left.all -= need
		e.explorations += need
		messages = append(messages, d.fixture.Message(e.config.MessageSeed(), 0))
	}
	done := make([]*sent, len(messages))
	e.client.All(ctx, replay.OneBatch(messages...), func(_, i int, x replay.Exchange) {
		judged := e.examine(ctx, batch[i].fixture, x)
		done[i] = &sent{drawn: batch[i], result: e.view(judged, 0, messages[i]), failure: judged.Exchange.Failure}
	})
	for _, one := range done {
		e.take(one)
		if e.sent[string(one.text.Data)] = one; one.violate == nil {
			e.sent[string(one.text.Data)] = &sent{} // the rest takes memory
		}
	}
	e.over = e.over || ctx.Err() != nil
	if e.config.Exploring != nil {
		e.config.Exploring(e.explorations)
	}
	return done
}

// take looks at what came back.
func (e *exploration) take(one *sent) {
	if f := one.failure; f != nil {
		if f.Kind == replay.Unreadable {
			e.report(one) // or nobody would know why no more requests are explored
		}
		e.over = e.over || !slices.Contains([]replay.FailureKind{replay.Incomplete, replay.OverLimit, replay.StepFailed, replay.Lacking}, f.Kind)
	}
	if shown := one.result.Against(e.control); shown.Status == judge.Failed {
		for _, f := range shown.Findings {
			// A refusal is none, not even if warnings are violations: the limits of random
			// values may be open, and an id can be used up.
			refusal := f.Clause == e.operation.ClauseIDs().Accepts() && one.result.Exchange.Status() >= http.StatusBadRequest
			if f.Severity == judge.Violation && f.Waived == "" && !refusal {
				one.violate = append(one.violate, f.Clause)
			}
		}
	}
	e.telling.Lock()
	defer e.telling.Unlock()
	for _, step := range one.result.Removals() {
		e.tell(result.Event{Removed: &step})
	}
	if slices.ContainsFunc(one.result.Steps, func(s result.Step) bool { return s.Left }) {
		e.leaving = append(e.leaving, one.result)
		e.tell(result.Event{Control: new(one.result)})
	}
}

// shrunk is the simplest request that violates the clause, as far as there are requests
// left to look for it.
func (e *exploration) shrunk(ctx context.Context, found *sent, clause spec.ClauseID) *sent {
	try := func(d drawn, ok bool) *sent {
		if !ok {
			return nil
		}
		one := e.sent[string(d.text.Data)]
		if one == nil {
			if list := e.send(ctx, []drawn{d}); len(list) == 1 {
				one = list[0]
			}
		}
		if one == nil || !slices.Contains(one.violate, clause) {
			return nil
		}
		return one
	}
	generate.Shrink(found.tape, func(answers []int) (*generate.Recorder, bool, bool) {
		d, ok := e.draw(&generate.Replay{Answers: answers}, nil)
		one := try(d, ok)
		if one != nil {
			found = one
		}
		return d.tape, one != nil, e.left.all > 0 && !e.over
	})
	// If other ids show the same, the request gets a fresh one: a service may accept each
	// id once, and so the simplest ids may be used up by now.
	with := func(id any) *sent { return try(e.draw(&generate.Replay{Answers: found.tape.Answers}, id)) }
	const others, largest = 3, 999
	for n := range others {
		if id := instance.Number(strconv.FormatUint(1+e.seed(-n)%largest, 10)); with(id) != nil {
			return cmp.Or(with("$freshId"), found)
		}
	}
	return found
}

// report adds a find to the results of the run.
func (e *exploration) report(one *sent) {
	found := one.result
	found.Place = len(e.Fixtures) + len(e.finds)
	if e.shard != nil {
		found.Place = e.shard.Fixtures + len(e.finds)
	}
	e.finds = append(e.finds, found)
	for _, clause := range one.violate {
		e.known[clause] = true
	}
	e.telling.Lock()
	e.tellResult(found)
	e.telling.Unlock()
	if e.config.Found != nil {
		e.config.Found(one.text)
	}
}
