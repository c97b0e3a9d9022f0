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

// session is one run against one target. It replays and judges each fixture that is begun, and
// whoever asks for a result waits for it.
type session struct {
	Plan
	seedGiven bool // the user chose the seed

	client  *replay.Client
	server  *loopback // of the handler; nil if the target is a base URL
	started time.Time

	tried    [][]*judge.Judged        // by place, until all tries are judged
	first    map[int]fixtures.Message // by place, the message of the first try, until there is a result
	results  []result.Result
	finds    []result.Result // results of exploration
	leaving  []result.Result // explored requests that left something behind
	controls map[string]*control
	known    map[string]*result.Result  // by id, the results of controls; nil before their event
	placeOf  map[string]int             // by id of a fixture of the run
	held     map[string][]result.Result // by id of the control, the results that wait for it
	givenUp  bool                       // the client gave up the target
	cutOff   bool                       // the run ended before a fixture was sent and answered
	ready    []chan struct{}            // by place, closed when the result exists
	opening  sync.Once                  // for the event that the run begins
	begun    []int                      // places, in the order in which they were begun
	arrival  sync.Once                  // for the wait until the target is ready
	absent   error                      // why the target did not become ready
	met      time.Time                  // when the wait was over
	sending  sync.WaitGroup
	judging  sync.Mutex // one at a time: it may take far more memory than the body
	telling  sync.Mutex

	explorations int // requests that exploration has sent
}

// open checks everything that can be checked before a request is sent, and serves the handler if there is one.
// If the handler panics, the reason is written to notes. The caller must close the session.
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

// session returns a session that replays the plan against its target.
func (p Plan) session() (*session, error) {
	if err := p.checkTarget(); err != nil {
		return nil, err
	}
	c := &p.config
	chosen := c.Seed != 0
	if !chosen {
		c.Seed = uint64(rand.Uint32()) + 1 // short enough to retype, and never 0
	}
	c.Target.Secret = slices.Concat(c.Target.Secret, p.Contract.SecretHeaders())
	if product := c.Target.UserAgent; product != "" {
		// The User-Agent tells who sends a request, and for which run (RFC 9110 §10.1.5). Only this
		// differs between two runs with the same seed.
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
	client.Created = func(step replay.Step) {
		told := s.step(step)
		s.telling.Lock()
		defer s.telling.Unlock()
		s.tell(result.Event{Created: &told})
	}
	for place, f := range p.Fixtures {
		s.ready = append(s.ready, make(chan struct{}))
		s.placeOf[f.ID] = place
		if f.Control != "" {
			s.known[f.Control] = nil
		}
	}
	return s, nil
}

// close waits for all that was begun, and closes the connections and the server of the handler.
func (s *session) close() {
	s.sending.Wait()
	s.client.Close()
	if s.server != nil {
		s.server.stop()
	}
}

// begin starts to replay the fixtures of these places. Each gets a result, soon if the context ends.
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

// untilDeadline returns a context that ends when the run must end.
func (s *session) untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.config.Deadline == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, s.met.Add(s.config.Deadline))
}

// judge judges one try of a fixture. The last try completes the result. Tries may arrive in any
// order, each when its exchange has ended.
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

// judgeControl judges a request that is sent in addition to the fixtures of the run.
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

// examine judges one exchange by itself. A panic is a bug of this module and says nothing about the
// service. Then the fixture is unjudged, and so the run is not conformant.
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

// panicPlace returns where the panic that is being recovered began.
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

// view returns a judged result as reports have it.
func (s *session) view(judged judge.Judged, place int, m fixtures.Message) result.Result {
	judged.Outcome = verdict.Waive(judged.Outcome, s.config.Waivers, s.started)
	if companion := cmp.Or(m.Beside, m.After); judged.Exchange.Beside && companion != nil {
		m = *companion // the exchange is that of the companion alone
	}
	told := result.NewResult(judged, place, curl.Again(s.config.Target, m, judged.Exchange))
	for _, step := range judged.Exchange.Steps {
		told.Steps = append(told.Steps, s.step(step))
	}
	return told
}

// step returns a step as reports have it.
func (s *session) step(step replay.Step) result.Step {
	return result.NewStep(step, s.client.Redact(curl.Command(s.config.Target, step.Message)))
}

// tellResult sends the event of a result. A rejection waits for its control, so that no listener
// takes it for evidence too early. The caller must hold telling.
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

// arrived sends the results that waited for r as their control.
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

// tell sends an event. The caller must hold telling.
func (s *session) tell(e result.Event) {
	if s.config.Observe != nil {
		s.config.Observe(e)
	}
}

// result waits for one result and for its control, and returns the result compared with the control.
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

// recording returns what is known before the first result.
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

// report waits for all that was begun, and returns the report.
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
	for _, waiting := range s.held { // their controls are not part of the run
		for _, w := range waiting {
			s.tell(result.Event{Result: new(w.Against(nil))})
		}
	}
	s.tell(result.NewEnded(r))
	return r
}
