package suites

import (
	"fmt"

	"github.com/plantstore/conformance/suites/setting"
)

// Shard is one part of a run that is cut into several, which may go on side by
// side and on different machines. [result.Merge] puts them together; for that
// they need the same seed.
type Shard struct {
	Index int // from 1 to Of
	Of    int
}

// Places are those, of so many things in a row, that are the shard's: every so
// many-th of them, so that parts are of one size, and of like cost. They count
// from 0. A shard that is none has none; the zero value has all.
func (s Shard) Places(n int) []int {
	first, step := s.Index-1, s.Of
	switch {
	case s == (Shard{}):
		first, step = 0, 1
	case !s.isPart():
		return nil
	}
	var places []int
	for i := first; i < n; i += step {
		places = append(places, i)
	}
	return places
}

func (s Shard) isPart() bool { return s.Index >= 1 && s.Index <= s.Of }

// check refuses a shard that is none, or has none of so many fixtures.
func (s Shard) check(fixtures int) error {
	switch {
	case s == (Shard{}):
		return nil
	case !s.isPart():
		return &setting.Error{Name: "shard", Problem: fmt.Sprintf("is %d/%d; it must be from 1/%d to %d/%d", s.Index, s.Of, s.Of, s.Of, s.Of)}
	case s.Index > fixtures:
		return &setting.Error{Name: "shard", Problem: fmt.Sprintf("%d/%d has none of the %d fixtures; use fewer shards", s.Index, s.Of, fixtures)}
	}
	return nil
}
