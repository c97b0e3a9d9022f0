package suites

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/plantstore/conformance/suites/result"
)

// Run sends the configured fixtures to the target, judges the responses and returns the
// report. Concurrent runs are independent of each other.
//
// The error is an [ErrConfig] if the run could not begin; nothing was sent then. If the
// context or the deadline ends the run early, there is still a report. Its verdict is
// nonconformant if a violation was found, and inconclusive otherwise.
func Run(ctx context.Context, config Config) (result.Report, error) {
	p, err := Planned(config)
	if err != nil {
		return result.Report{}, err
	}
	return p.Run(ctx, p.config)
}

// Run is [Run] for a plan that is known. The target, the limits and the functions that are told of
// the run are those of config, which the caller may complete after [Planned].
func (p Plan) Run(ctx context.Context, config Config) (result.Report, error) {
	s, err := p.with(config).open(io.Discard)
	if err != nil {
		return result.Report{}, err
	}
	defer s.close()
	s.client.Answered = s.config.Answered
	s.begin(ctx, Shard{}.Places(len(s.Fixtures)))
	s.explore(ctx)
	return s.report(), nil
}

func (p Plan) with(config Config) Plan {
	completed := p
	completed.config = config
	return completed
}

// Running is a run that has begun. It is for test frameworks that report each fixture
// separately, such as package specs. Other callers use [Run].
type Running struct{ session *session }

// Begin starts to send the fixtures of the plan and returns. Places are indexes of
// [Plan.Fixtures]; without them, all fixtures are sent. The target and the limits are
// those of config, which the caller may complete after [Planned].
//
// Begin may be called several times. All runs of one plan have the same id, and each
// sends the controls that its fixtures need. If the handler panics, the reason is written
// to notes. The error is an [ErrConfig]. The caller must call [Running.Close].
func (p Plan) Begin(ctx context.Context, config Config, notes io.Writer, places ...int) (*Running, error) {
	s, err := p.with(config).open(notes)
	if err != nil {
		return nil, err
	}
	if len(places) == 0 {
		places = Shard{}.Places(len(s.Fixtures))
	}
	s.begin(ctx, places)
	return &Running{s}, nil
}

// Result waits for the result of the fixture at that index of [Plan.Fixtures]. The index
// must be one of those given to [Plan.Begin]. If the context ends, Result returns soon.
func (r *Running) Result(place int) result.Result { return r.session.result(place) }

// Report waits for all results and returns the report. Call it once.
func (r *Running) Report() result.Report { return r.session.report() }

// Close waits for all results, and closes the connections and the server of the
// handler.
func (r *Running) Close() { r.session.close() }

// forbidCaching prevents go test from showing the result of this process again without running it.
// Its cache does not notice that a service elsewhere changes.
//
// The cache depends on a log of what the tests read, which the test binary writes for go test. If
// the log does not begin with the required line, the result is not cached (computeTestInputsID and
// saveOutput in cmd/go/internal/test). So forbidCaching overwrites that line. The log is buffered:
// a read of a variable whose name is longer than the buffer flushes the line to the file first.
func forbidCaching() error {
	asked := flag.Lookup("test.testlogfile")
	if asked == nil || asked.Value.String() == "" {
		return nil // nothing will be cached
	}
	const longerThanTheBuffer = 64 << 10
	os.Getenv(strings.Repeat("x", longerThanTheBuffer))
	file, err := os.OpenFile(asked.Value.String(), os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("# not to be cached\n")
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("go test might give this result again without asking the service; run it with -count=1: %w", err)
	}
	return nil
}
