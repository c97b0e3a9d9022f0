package suites

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/curl"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// session is one run against one target: every fixture that is begun is
// replayed and judged once, and whoever asks for a result waits for it.
type session struct {
	Plan
	seedGiven bool // not drawn for this run

	client  *replay.Client
	server  *loopback // of the handler; nil where the target is elsewhere
	started time.Time

	tried    [][]*judge.Judged        // by place, until all tries are there
	first    map[int]fixtures.Message // by place, the message of the first try, until there is a result
	results  []result.Result
	finds    []result.Result // of exploration
	leaving  []result.Result // of exploration, those that left something behind
	controls map[string]*control
	known    map[string]*result.Result  // by id, the controls; nil until they are told of
	placeOf  map[string]int             // by id, the fixtures of the run
	held     map[string][]result.Result // by the id of the control that they wait for
	givenUp  bool                       // the target
	cutOff   bool                       // the end of the run kept a fixture from its exchange
	ready    []chan struct{}            // closed when the result of that place is there
	opening  sync.Once                  // of the run, which is told once
	begun    []int                      // places, in the order they were begun
	arrival  sync.Once                  // of the target, which is waited for at most once
	absent   error                      // why it did not come up
	met      time.Time                  // when the waiting was over
	sending  sync.WaitGroup
	judging  sync.Mutex // a judgement may take far more memory than the body that it is about
	telling  sync.Mutex

	explorations int // requests that exploration has sent
}

// open checks everything that can be checked before something is sent, and serves
// the handler where that is the target. Notes are told of a panic of the handler.
// The session must be closed.
func (p Plan) open(notes io.Writer) (*session, error) {
	c := &p.config
	if err := c.checkTested(); err != nil {
		return nil, err
	}
	if c.Handler == nil {
		if err := forbidCaching(); err != nil {
			return nil, configError(err)
		}
		return p.session()
	}
	server, err := serve(c.Handler, notes)
	if err != nil {
		return nil, configError(err)
	}
	c.Target.BaseURL = server.url
	s, err := p.session()
	if err != nil {
		server.stop()
		return nil, err
	}
	s.server = server
	return s, nil
}

// session is the plan as it is replayed against a target.
func (p Plan) session() (*session, error) {
	if err := p.checkTarget(); err != nil {
		return nil, err
	}
	c := &p.config
	chosen := c.Seed != 0
	if !chosen {
		c.Seed = uint64(rand.Uint32()) + 1 // short enough to be typed again, and never 0
	}
	c.Target.Secret = slices.Concat(c.Target.Secret, p.Contract.SecretHeaders())
	if product := c.Target.UserAgent; product != "" {
		// It tells who sends a request, and for which run (RFC 9110 §10.1.5). It is the one
		// thing that differs between two runs with the same seed.
		c.Target.UserAgent = fmt.Sprintf("%s (run %s; +%s)", product, p.id, homepage)
	}
	client, err := replay.NewClient(c.Target, c.Limits)
	if err != nil {
		return nil, configError(err)
	}
	s := &session{
		Plan: p, seedGiven: chosen, client: client, started: time.Now(),
		tried: make([][]*judge.Judged, len(p.Fixtures)), first: map[int]fixtures.Message{}, results: make([]result.Result, len(p.Fixtures)), controls: map[string]*control{},
		known: map[string]*result.Result{}, placeOf: map[string]int{}, held: map[string][]result.Result{},
	}
	client.OnCreated(func(step replay.Step) {
		told := s.step(step)
		s.telling.Lock()
		defer s.telling.Unlock()
		s.tell(result.Event{Created: &told})
	})
	for place, f := range p.Fixtures {
		s.ready = append(s.ready, make(chan struct{}))
		s.placeOf[f.ID] = place
		if f.Control != "" {
			s.known[f.Control] = nil
		}
	}
	return s, nil
}

// close waits for what was begun, and ends the connections and the server of the
// handler.
func (s *session) close() {
	s.sending.Wait()
	s.client.Close()
	if s.server != nil {
		s.server.stop()
	}
}

// begin replays the fixtures of those places and returns at once. Every one of
// their results will come, soon where the context ends.
func (s *session) begin(ctx context.Context, places []int) {
	s.opening.Do(func() {
		s.telling.Lock()
		defer s.telling.Unlock()
		s.tell(result.NewBegun(s.recording()))
	})
	s.begun = append(s.begun, places...)
	o := s.order(places)
	s.sending.Go(func() { s.send(ctx, o) })
}

func (s *session) send(ctx context.Context, o sendOrder) {
	s.arrival.Do(func() {
		if s.config.Wait > 0 {
			s.absent = s.client.WaitReady(ctx, s.config.Wait, s.config.Waiting)
		}
		s.met = time.Now()
	})
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	if s.absent != nil {
		giveUp(s.absent) // nothing is sent, and every fixture says why
	}
	ctx, cancel := s.untilDeadline(ctx)
	defer cancel()
	batches := lists.Map(o, s.messages)
	s.client.All(ctx, batches, func(batch, i int, x replay.Exchange) {
		what := o[batch][i]
		if what.control != nil {
			s.judgeControl(ctx, what.control, x)
		} else {
			s.judge(ctx, what, x)
		}
	})
}

// untilDeadline ends a context when the run must end.
func (s *session) untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.config.Deadline == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, s.met.Add(s.config.Deadline))
}

// judge takes one try of a fixture in, and with the last one comes to its
// result. They may come in any order: an exchange is handed over when its
// connection is done with.
func (s *session) judge(ctx context.Context, t try, x replay.Exchange) {
	f, place := s.Fixtures[t.place], t.place
	judged := s.examine(ctx, f, x)
	if response := judged.Exchange.Response; response != nil && s.config.tries(f) > 1 {
		response.Keep(result.MaxBody)
	}
	s.telling.Lock()
	if s.tried[place] == nil {
		s.tried[place] = make([]*judge.Judged, s.config.tries(f))
	}
	s.tried[place][t.number] = &judged
	missing := slices.Contains(s.tried[place], nil)
	failure := judged.Exchange.Failure
	s.cutOff = s.cutOff || failure != nil && failure.Kind == replay.Canceled
	s.givenUp = s.givenUp || failure != nil && failure.Kind == replay.GivenUp
	first := s.first[place]
	if !missing {
		delete(s.first, place)
	}
	s.telling.Unlock()
	if missing {
		return
	}
	tried := lists.Map(s.tried[place], func(r *judge.Judged) judge.Judged { return *r })
	s.tried[place] = nil
	told := s.view(judge.Tries(tried), s.places[place], first)
	s.results[place] = told
	s.telling.Lock()
	s.tellResult(told)
	s.telling.Unlock()
	close(s.ready[place])
}

// judgeControl is judge for a request beside the fixtures of the run.
func (s *session) judgeControl(ctx context.Context, c *control, x replay.Exchange) {
	judged := s.examine(ctx, c.fixture, x)
	c.result = s.view(judged, 0, c.fixture.Message(s.config.MessageSeed(), 0))
	failure := judged.Exchange.Failure
	s.telling.Lock()
	s.cutOff = s.cutOff || failure != nil && failure.Kind == replay.Canceled
	s.tell(result.Event{Control: new(c.result)})
	s.arrived(c.result)
	s.telling.Unlock()
	close(c.ready)
}

// examine judges one exchange by itself. A panic is a bug of this module and says nothing about
// the service: the fixture is unjudged then, and with it the run inconclusive.
func (s *session) examine(ctx context.Context, f fixtures.Fixture, x replay.Exchange) (judged judge.Judged) {
	s.judging.Lock()
	defer s.judging.Unlock()
	options := judge.Options{Strict: s.config.Strict, Limits: s.config.JSON}
	defer func() {
		if reason := recover(); reason != nil {
			x.Others = nil
			x.Failure = &replay.Failure{Kind: replay.Unreadable, Message: fmt.Sprintf("a bug of this program, please report it: judging the response panicked at %s: %v", panicPlace(), reason)}
			judged = judge.Exchange(ctx, s.Contract, f, x, options)
		}
	}()
	return judge.Exchange(ctx, s.Contract, f, x, options)
}

// panicPlace is where the panic that is being recovered began.
func panicPlace() string {
	const most = 32
	callers := make([]uintptr, most)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	panicked := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicked && !inRuntime || !more {
			return fmt.Sprintf("%s (%s:%d)", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		}
		panicked = panicked || inRuntime
	}
}

// view is a judged result as reports have it.
func (s *session) view(judged judge.Judged, place int, m fixtures.Message) result.Result {
	judged.Outcome = verdict.Waive(judged.Outcome, s.config.Waivers, s.started)
	if companion := cmp.Or(m.Beside, m.After); judged.Exchange.Beside && companion != nil {
		m = *companion // alone
	}
	told := result.NewResult(judged, place, curl.Again(s.config.Target, m, judged.Exchange))
	for _, step := range judged.Exchange.Steps {
		told.Steps = append(told.Steps, s.step(step))
	}
	return told
}

// step is a step as reports have it.
func (s *session) step(step replay.Step) result.Step {
	return result.NewStep(step, s.client.Redact(curl.Command(s.config.Target, step.Message)))
}

// tellResult tells of a result; of a rejection when its control is known, so
// that no listener takes it for more than it is. It is to be called with
// telling locked.
func (s *session) tellResult(r result.Result) {
	control := s.known[r.Control]
	if r.Control != "" && control == nil {
		s.held[r.Control] = append(s.held[r.Control], r)
		return
	}
	shown := r
	if r.Control != "" {
		shown = r.Against(control)
	}
	s.tell(result.Event{Result: &shown})
	s.arrived(r)
}

// arrived tells of what waited for that result as its control.
func (s *session) arrived(r result.Result) {
	if _, is := s.known[r.Fixture]; is {
		s.known[r.Fixture] = &r
	}
	waiting := s.held[r.Fixture]
	delete(s.held, r.Fixture)
	for _, w := range waiting {
		s.tellResult(w)
	}
}

// tell is to be called with telling locked.
func (s *session) tell(e result.Event) {
	if s.config.Observe != nil {
		s.config.Observe(e)
	}
}

// result waits for one result, and for the control that it is held against.
func (s *session) result(i int) result.Result {
	<-s.ready[i]
	r := s.results[i]
	if r.Control == "" {
		return r
	}
	if c := s.controls[r.Control]; c != nil {
		<-c.ready
		return r.Against(&c.result)
	}
	place, ok := s.placeOf[r.Control]
	if !ok {
		return r.Against(nil)
	}
	<-s.ready[place]
	return r.Against(&s.results[place])
}

// recording is what is known before the first result.
func (s *session) recording() result.Recording {
	return result.Recording{
		Head: result.Head{
			Harness:        s.config.Harness,
			Contract:       result.Contract{Title: s.Contract.Title, Version: s.Contract.Version, SHA256: s.Contract.SHA256, Source: s.Contract.File},
			Implementation: s.config.Implementation,
			Target:         result.Target{BaseURL: s.config.Target.BaseURL},
			Run: result.Run{
				ID:          s.id,
				Started:     s.started.UTC(),
				Seed:        s.config.Seed,
				SeedGiven:   s.seedGiven,
				Strict:      s.config.Strict,
				Partial:     s.partial,
				Fixtures:    len(s.Fixtures),
				Shard:       s.shard,
				MinCoverage: s.config.MinCoverage,
				LeftOut:     s.LeftOut,
				Gaps:        s.gaps,
			},
		},
		Clauses: verdict.Clauses(s.clauses, s.Contract.File),
		Waivers: s.config.Waivers,
	}
}

// report waits for all that was begun and gives the whole.
func (s *session) report() result.Report {
	s.sending.Wait()
	slices.Sort(s.begun)
	whole := s.recording()
	whole.Run.DurationMs = result.Milliseconds(time.Since(s.started))
	whole.Run.Complete = !s.cutOff
	whole.Run.Partial = s.partial || len(s.begun) < len(s.Fixtures)
	whole.Run.Fixtures, whole.Run.Explored = len(s.begun)+len(s.finds), s.explorations
	whole.Results = append(lists.Map(s.begun, func(place int) result.Result { return s.results[place] }), s.finds...)
	for _, c := range s.controls {
		whole.Controls = append(whole.Controls, c.result)
	}
	whole.Controls = append(whole.Controls, s.leaving...)
	slices.SortFunc(whole.Controls, func(a, b result.Result) int { return cmp.Compare(a.Fixture, b.Fixture) })
	r := result.Conclude(whole)
	s.telling.Lock()
	defer s.telling.Unlock()
	for _, waiting := range s.held { // for what is no fixture of the run
		for _, w := range waiting {
			s.tell(result.Event{Result: new(w.Against(nil))})
		}
	}
	s.tell(result.NewEnded(r))
	return r
}
