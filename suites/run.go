package suites

import (
	"context"
	"io"

	"github.com/plantstore/conformance/suites/result"
)

// Run replays the configured fixtures against the target, judges them and
// returns the report. Any number of runs may go on at the same time.
//
// The error is an [ErrConfig] if the run could not begin; nothing was sent then.
// A run that the context or the deadline ends early still gives a report. Its
// verdict is nonconformant if a violation was found, and inconclusive otherwise.
func Run(ctx context.Context, config Config) (result.Report, error) {
	s, err := newSession(config, io.Discard)
	if err != nil {
		return result.Report{}, err
	}
	defer s.close()
	s.client.OnAnswered(s.config.Answered)
	s.begin(ctx, Shard{}.Places(len(s.Fixtures)))
	s.explore(ctx)
	return s.report(), nil
}

func newSession(config Config, notes io.Writer) (*session, error) {
	p, err := Planned(config)
	if err != nil {
		return nil, err
	}
	return p.open(notes)
}

// Running is a run that has begun. It is for test frameworks that report each
// fixture by itself, such as package specs; everybody else calls [Run].
type Running struct{ session *session }

// Begin replays the fixtures of the plan and returns at once. Places are indexes
// of [Plan.Fixtures]; without them all fixtures are replayed. The target and the
// limits are those of config, which may have been completed since [Planned].
//
// Begin may be called several times: every run of one plan has the same id. Each
// replays the controls that its fixtures need. If the handler panics, notes
// tells why. The error is an [ErrConfig]. The caller must call [Running.Close].
func (p Plan) Begin(ctx context.Context, config Config, notes io.Writer, places ...int) (*Running, error) {
	begun := p
	begun.config = config
	s, err := begun.open(notes)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		places = Shard{}.Places(len(s.Fixtures))
	}
	s.begin(ctx, places)
	return &Running{s}, nil
}

// Result waits for the result of the fixture at that index of [Plan.Fixtures],
// which must be one that was begun. If the context ends, it comes soon.
func (r *Running) Result(place int) result.Result { return r.session.result(place) }

// Report waits for all results and gives the report. Call it once.
func (r *Running) Report() result.Report { return r.session.report() }

// Close waits for all results, and ends the connections and the server of the
// handler.
func (r *Running) Close() { r.session.close() }
