package suites

import (
	"fmt"

	"github.com/plantstore/conformance/fixtures"
)

// Shard is one part of a run that is cut into several, which may go on side by
// side and on different machines. [report.Merge] puts them together; for that
// they need the same seed.
type Shard struct {
	Index int // from 1 to Of
	Of    int
}

// cut gives the shard's part of the fixtures: every so many-th of them, so
// that parts are of one size, and of like cost.
func (s Shard) cut(all []fixtures.Fixture) ([]fixtures.Fixture, error) {
	if s.Index < 1 || s.Index > s.Of {
		return nil, fmt.Errorf("shard is %d/%d; it must be from 1/%d to %d/%d", s.Index, s.Of, s.Of, s.Of, s.Of)
	}
	var part []fixtures.Fixture
	for i := s.Index - 1; i < len(all); i += s.Of {
		part = append(part, all[i])
	}
	if len(part) == 0 {
		return nil, fmt.Errorf("shard %d/%d has none of the %d fixtures; cut the run into fewer", s.Index, s.Of, len(all))
	}
	return part, nil
}
