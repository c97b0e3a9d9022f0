package suites

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
)

// explored are the operations that a run explores, and with how many requests each at
// most. Shards would all send the same requests, so only the first explores.
func (c Config) explored(p plan) (operations []*spec.Operation, each int) {
	if c.Explore == 0 || c.Shard.Index > 1 {
		return nil, 0
	}
	operations = explorable(p.fixtures)
	each = c.Explore
	if most := c.Limits.MaxRequests; most > 0 {
		each = min(each, (most-c.requests(p))/max(1, len(operations)))
	}
	if each == 0 {
		return nil, 0
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
	operations, each := s.config.explored(s.plan)
	s.sending.Wait()
	if len(operations) == 0 || s.cutOff {
		return
	}
	limited, cancel := s.untilDeadline(ctx)
	defer cancel()
	known := map[string]bool{}
	for _, r := range s.results {
		for _, f := range r.Findings {
			known[f.Clause] = known[f.Clause] || f.Severity == judge.Violation
		}
	}
	source := derive.New(s.contract, s.config.ReadOnly)
	for _, op := range operations {
		explorer, ok := source.Explorer(op)
		if !ok {
			continue
		}
		e := &exploration{session: s, explorer: explorer, operation: op, control: s.acceptedOf(op), left: each, known: known, sent: map[string]*sent{}}
		if e.run(limited); e.over {
			break
		}
	}
	s.cutOff = ctx.Err() != nil
}

// acceptedOf is a result of an operation to hold the explored requests against: one that
// is accepted, if there is one.
func (s *session) acceptedOf(op *spec.Operation) (control *result.Result) {
	for i, r := range s.results {
		if r.Operation != op.ID || r.Expect != fixtures.Accepted || r.Exchange.Response == nil {
			continue
		}
		if status := r.Exchange.Response.Status; status >= 200 && status < 300 {
			return &s.results[i]
		}
		control = cmp.Or(control, &s.results[i])
	}
	return control
}

// exploration is the work on one operation.
type exploration struct {
	*session
	explorer  *derive.Explorer
	operation *spec.Operation
	control   *result.Result
	left      int             // requests
	known     map[string]bool // clauses of which a violation was found
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
	violate []string // clauses
}

// atOnce is how many requests are drawn before the first of them is judged. It does not
// depend on the concurrency, so that the same seed finds the same.
const atOnce = 32

func (e *exploration) run(ctx context.Context) {
	const patience = 100 // draws that give nothing new
	for next, missed := 0, 0; missed < patience && e.left > 0 && !e.over; {
		var batch []drawn
		for ; len(batch) < min(atOnce, e.left) && missed < patience; next++ {
			d, ok := e.draw(generate.NewRandom(e.seed(next)), false)
			if missed++; ok && e.sent[string(d.text.Data)] == nil {
				batch, missed = append(batch, d), 0
				e.sent[string(d.text.Data)] = &sent{}
			}
		}
		done := e.send(ctx, batch)
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
func (e *exploration) draw(t generate.Tape, fresh bool) (d drawn, ok bool) {
	d.tape = &generate.Recorder{From: t}
	var err error
	if d.text, err = e.explorer.Request(d.tape, fresh); err != nil {
		return d, false
	}
	list, _, err := fixtures.LoadDerived(e.contract, []fixtures.Text{d.text})
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
		if e.left -= d.fixture.Requests(); e.left < 0 {
			break
		}
		messages = append(messages, d.fixture.Message(e.config.MessageSeed(), 0))
	}
	done := make([]*sent, len(messages))
	failed := make([]bool, len(messages))
	e.client.All(ctx, [][]fixtures.Message{messages}, func(_, i int, x replay.Exchange) {
		d := batch[i]
		judged := e.examine(ctx, d.fixture, x)
		one := &sent{drawn: d, result: e.view(judged, 0, messages[i])}
		if shown := one.result.Against(e.control); shown.Status == judge.Failed {
			for _, f := range shown.Findings {
				if f.Severity == judge.Violation && f.Waived == "" {
					one.violate = append(one.violate, f.Clause)
				}
			}
		}
		done[i] = one
		if f := judged.Exchange.Failure; f != nil {
			failed[i] = f.Kind != replay.Incomplete && f.Kind != replay.OverLimit
		}
	})
	e.explorations += len(messages)
	e.over = e.over || ctx.Err() != nil || len(failed) > 0 && !slices.Contains(failed, false)
	for _, one := range done {
		if e.sent[string(one.text.Data)] = one; one.violate == nil {
			e.sent[string(one.text.Data)] = &sent{} // the rest takes memory
		}
	}
	return done
}

// shrunk is the simplest request that violates the clause, as far as there are requests
// left to look for it.
func (e *exploration) shrunk(ctx context.Context, found *sent, clause string) *sent {
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
		d, ok := e.draw(&generate.Replay{Answers: answers}, false)
		one := try(d, ok)
		if one != nil {
			found = one
		}
		return d.tape, one != nil, e.left > 0 && !e.over
	})
	d, ok := e.draw(&generate.Replay{Answers: found.tape.Answers}, true)
	if one := try(d, ok); one != nil {
		return one
	}
	return found
}

// report adds a find to the results of the run.
func (e *exploration) report(one *sent) {
	found := one.result
	found.Place = len(e.fixtures) + len(e.finds)
	if e.shard != nil {
		found.Place = e.shard.Fixtures + len(e.finds)
	}
	e.finds = append(e.finds, found)
	e.telling.Lock()
	e.tellResult(found)
	e.telling.Unlock()
	if e.config.Found != nil {
		e.config.Found(one.text)
	}
}
