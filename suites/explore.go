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

// exploring is the budget of exploration for each operation: how many random requests, and how many
// requests in all. It takes some dozens to shrink one request.
type exploring struct{ random, all int }

// explored returns the operations that a run explores, and the budget for each. All shards would
// send the same requests, so only the first shard explores.
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

// explorable returns the operations of the fixtures that have parameters or a body.
func explorable(list []fixtures.Fixture) (operations []*spec.Operation) {
	for _, f := range list {
		if op := f.Operation; len(op.Parameters) > 0 || op.RequestBody != nil {
			operations = append(operations, op)
		}
	}
	slices.SortStableFunc(operations, func(a, b *spec.Operation) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(operations)
}

// explore sends random requests after all others have ended. If one finds a violation of a clause
// that no other request of the run violates, explore shrinks it.
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
			continue // nothing can be sent, or the credential is refused
		}
		e := &exploration{session: s, explorer: explorer, operation: op, control: control, left: each, known: known, sent: map[string]*sent{}}
		if e.run(limited); e.over {
			break
		}
	}
	s.cutOff = limited.Err() != nil
}

// acceptedOf returns the control of the explored requests: the result of a request that must be
// accepted, if possible one that was. It is nil if no response came.
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

// exploration is the state of exploring one operation.
type exploration struct {
	*session
	explorer  *derive.Explorer
	operation *spec.Operation
	control   *result.Result
	left      exploring
	known     map[spec.ClauseID]bool // clauses with a known violation
	sent      map[string]*sent
	over      bool // no more requests can be sent
}

// drawn is a random request.
type drawn struct {
	tape    *generate.Recorder
	text    fixtures.Text
	fixture fixtures.Fixture
}

// sent is a random request with its result. The zero value has no violation.
type sent struct {
	drawn
	result  result.Result
	failure *replay.Failure
	violate []spec.ClauseID
}

// atOnce is how many requests are drawn before the first of them is judged. It does not depend on
// the concurrency, so that the same seed gives the same findings.
const atOnce = 32

func (e *exploration) run(ctx context.Context) {
	const patience = 100 // draws in a row without a new request
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
			return // an earlier step failed, or a credential is missing
		}
		slices.SortStableFunc(done, func(a, b *sent) int { // valid requests first, because they are simpler
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

// seed returns the seed of the n-th draw.
func (e *exploration) seed(n int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, e.config.Seed, " ", e.operation.ID, " ", n) // a hash returns no error
	return h.Sum64()
}

// draw makes a request from the answers of a tape, and validates it like any fixture. ok is false
// if the answers give no request, or one that the run must not send.
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

// send sends the requests that fit the budget, and judges the responses.
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
			e.sent[string(one.text.Data)] = &sent{} // saves memory
		}
	}
	e.over = e.over || ctx.Err() != nil
	if e.config.Exploring != nil {
		e.config.Exploring(e.explorations)
	}
	return done
}

// take evaluates one result: its violations, and what it removed or left behind.
func (e *exploration) take(one *sent) {
	if f := one.failure; f != nil {
		if f.Kind == replay.Unreadable {
			e.report(one) // tells the user why exploration ends
		}
		e.over = e.over || !slices.Contains([]replay.FailureKind{replay.Incomplete, replay.OverLimit, replay.StepFailed, replay.Lacking}, f.Kind)
	}
	if shown := one.result.Against(e.control); shown.Status == judge.Failed {
		for _, f := range shown.Findings {
			// A rejected request is not a violation here, even in strict mode: the contract may not
			// state all limits of a value, and an id can be used up.
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

// shrunk returns the simplest request that violates the clause and can be found within the budget.
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
	// If other ids show the violation too, use $freshId: a service may accept each id once, and the
	// simplest ids may be used up.
	with := func(id any) *sent { return try(e.draw(&generate.Replay{Answers: found.tape.Answers}, id)) }
	const others, largest = 3, 999
	for n := range others {
		if id := instance.Number(strconv.FormatUint(1+e.seed(-n)%largest, 10)); with(id) != nil {
			return cmp.Or(with("$freshId"), found)
		}
	}
	return found
}

// report adds a request and its result to the results of the run.
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
