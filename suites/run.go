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
// A run that the context or the deadline ends early still gives a report, with
// the verdict inconclusive.
func Run(ctx context.Context, config Config) (result.Report, error) {
	s, err := plannedSession(config, io.Discard)
	if err != nil {
		return result.Report{}, err
	}
	defer s.close()
	s.begin(ctx, s.all())
	return s.report(), nil
}

func plannedSession(config Config, notes io.Writer) (*session, error) {
	p, err := newPlan(config)
	if err != nil {
		return nil, err
	}
	return newSession(p, config, newRunID(), notes)
}
