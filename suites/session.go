package suites

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/report"
)

// session is one run against one target: every fixture that is begun is
// replayed and judged once, and whoever asks for a result waits for it.
type session struct {
	plan
	config   Config
	client   *replay.Client
	messages []fixtures.Message
	started  time.Time

	results []judge.Result
	ready   []chan struct{} // closed when the result of that place is there
	begun   []int           // places, in the order they were begun
	sending sync.WaitGroup
	telling sync.Mutex
}

// newSession checks everything that can be checked before something is sent.
func newSession(p plan, c Config) (*session, error) {
	if err := p.checkTarget(c); err != nil {
		return nil, err
	}
	if c.Seed == 0 {
		c.Seed = drawSeed()
	}
	client, err := replay.NewClient(c.Target, c.Limits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	s := &session{plan: p, config: c, client: client, started: time.Now(), results: make([]judge.Result, len(p.fixtures))}
	for _, f := range p.fixtures {
		s.messages = append(s.messages, f.Message(c.Seed))
		s.ready = append(s.ready, make(chan struct{}))
	}
	return s, nil
}

// all are the places of all fixtures.
func (s *session) all() []int {
	places := make([]int, len(s.fixtures))
	for i := range places {
		places[i] = i
	}
	return places
}

// begin replays the fixtures of those places and returns at once. Every one of
// their results will come, soon where the context ends.
func (s *session) begin(ctx context.Context, places []int) {
	s.begun = append(s.begun, places...)
	messages := make([]fixtures.Message, len(places))
	for i, place := range places {
		messages[i] = s.messages[place]
	}
	s.sending.Go(func() { s.send(ctx, messages, places) })
}

func (s *session) send(ctx context.Context, messages []fixtures.Message, places []int) {
	defer s.client.Close()
	if s.config.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, s.started.Add(s.config.Deadline))
		defer cancel()
	}
	if s.config.Wait > 0 {
		// A target that does not come up in time is met as it is: every
		// exchange then says so itself.
		_ = s.client.WaitReady(ctx, s.config.Wait)
	}
	s.client.All(ctx, messages, func(i int, x replay.Exchange) { s.judge(places[i], x) })
}

func (s *session) judge(i int, x replay.Exchange) {
	result := judge.Exchange(s.contract, s.fixtures[i], x, judge.Options{Strict: s.config.Strict})
	s.results[i] = result
	if s.config.Progress != nil {
		s.telling.Lock()
		s.config.Progress(result, len(s.results))
		s.telling.Unlock()
	}
	close(s.ready[i])
}

// result waits for one result.
func (s *session) result(i int) judge.Result {
	<-s.ready[i]
	return s.results[i]
}

// cutOff says whether the end of the run kept a fixture from its exchange.
func cutOff(results []judge.Result) bool {
	return slices.ContainsFunc(results, func(r judge.Result) bool {
		return r.Exchange.Failure != nil && r.Exchange.Failure.Kind == replay.Canceled
	})
}

// report waits for all that was begun and gives the whole.
func (s *session) report() report.Report {
	s.sending.Wait()
	slices.Sort(s.begun)
	results := make([]judge.Result, len(s.begun))
	for i, place := range s.begun {
		results[i] = s.results[place]
	}
	complete := !cutOff(results)
	summary := judge.Summarize(s.contract, results, complete)
	head := report.Head{
		Harness: s.config.Harness,
		Contract: report.Contract{
			Title: s.contract.Title, Version: s.contract.Version, SHA256: s.contract.SHA256, Source: s.contract.File,
		},
		Implementation: s.config.Implementation,
		Target:         report.Target{BaseURL: s.config.Target.BaseURL},
		Run: report.Run{
			ID:         rand.Text(),
			Started:    s.started.UTC(),
			DurationMs: report.Milliseconds(time.Since(s.started)),
			Seed:       s.config.Seed,
			Strict:     s.config.Strict,
			Complete:   complete,
		},
	}
	return report.New(head, summary, func(r judge.Result) string {
		return replay.Curl(s.config.Target, r.Fixture.Message(s.config.Seed))
	})
}
