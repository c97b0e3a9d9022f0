package result

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/lists"
)

// ErrMerge is returned, wrapped, for recordings that are not of one run.
var ErrMerge = errors.New("the reports are not parts of one run")

// Merge merges the shards of one run. [Conclude] gives the report that a run without shards has. If
// shards are missing, the run is not complete. A single recording is returned unchanged.
func Merge(parts []Recording) (Recording, error) {
	switch {
	case len(parts) == 0:
		return Recording{}, fmt.Errorf("%w: no report was given", ErrMerge)
	case len(parts) == 1:
		return parts[0], nil
	}
	parts = slices.Clone(parts)
	if err := together(parts); err != nil {
		return Recording{}, err
	}
	slices.SortFunc(parts, func(a, b Recording) int { return cmp.Compare(a.Run.Shard.Index, b.Run.Shard.Index) })
	whole := parts[0]
	whole.Run = mergedRun(parts)
	whole.Results = slices.Concat(lists.Map(parts, func(p Recording) []Result { return p.Results })...)
	whole.Controls = mergedControls(parts, whole.Results)
	return whole, nil
}

// together returns an error if the recordings are not of one run.
func together(parts []Recording) error {
	first := parts[0]
	seen := map[int]bool{}
	for _, p := range parts {
		if a, b := subject(first), subject(p); a != b {
			return fmt.Errorf("%w: they have different targets, %s and %s; use `conformance compare`", ErrMerge, a, b)
		}
	}
	for _, p := range parts {
		if p.Run.Shard == nil {
			return fmt.Errorf("%w: the run %s is complete; only shards can be merged", ErrMerge, p.Run.ID)
		}
		for _, same := range []struct{ what, a, b string }{
			{"contracts", first.Contract.SHA256, p.Contract.SHA256},
			{"harness versions", first.Harness.Version, p.Harness.Version},
			{"seeds", strconv.FormatUint(first.Run.Seed, 10), strconv.FormatUint(p.Run.Seed, 10)},
			{"ways to judge", strictness(first.Run), strictness(p.Run)},
			{"values of --min-coverage", percentage(first.Run.MinCoverage), percentage(p.Run.MinCoverage)},
			{"numbers of fixtures", strconv.Itoa(first.Run.Shard.Fixtures), strconv.Itoa(p.Run.Shard.Fixtures)},
			{"numbers of shards", strconv.Itoa(first.Run.Shard.Of), strconv.Itoa(p.Run.Shard.Of)},
		} {
			if same.a != same.b {
				return fmt.Errorf("%w: they have different %s, %s and %s", ErrMerge, same.what, same.a, same.b)
			}
		}
		if seen[p.Run.Shard.Index] {
			return fmt.Errorf("%w: shard %d of %d was given twice", ErrMerge, p.Run.Shard.Index, p.Run.Shard.Of)
		}
		seen[p.Run.Shard.Index] = true
	}
	return nil
}

func subject(r Recording) string {
	return strings.TrimSpace(r.Implementation.Name + " at " + r.Target.BaseURL)
}

func strictness(r Run) string {
	if r.Strict {
		return "strict"
	}
	return "not strict"
}

func percentage(p float64) string {
	if p == 0 {
		return "none"
	}
	return strconv.FormatFloat(p, 'g', -1, 64) + "%"
}

// mergedRun returns the run that the parts belong to. It lasts from the first start to the last end.
func mergedRun(parts []Recording) Run {
	run := parts[0].Run
	var end time.Time
	run.Complete = len(parts) == run.Shard.Of
	for _, p := range parts {
		if p.Run.Started.Before(run.Started) {
			run.Started = p.Run.Started
		}
		lasted := time.Duration(p.Run.DurationMs * float64(time.Millisecond))
		if ended := p.Run.Started.Add(lasted); ended.After(end) {
			end = ended
		}
		run.Complete = run.Complete && p.Run.Complete
	}
	run.ID = strings.Join(lists.Map(parts, func(p Recording) string { return p.Run.ID }), "+")
	run.DurationMs = Milliseconds(end.Sub(run.Started))
	run.Fixtures, run.Shard = run.Shard.Fixtures, nil
	return run
}

// mergedControls returns the controls that are not among the merged fixtures, each once. If several
// parts sent a control, the first one counts.
func mergedControls(parts []Recording, results []Result) []Result {
	seen := lists.Set(results, func(r Result) string { return r.Fixture })
	var list []Result
	for _, p := range parts {
		for _, c := range p.Controls {
			if !seen[c.Fixture] {
				seen[c.Fixture] = true
				list = append(list, c)
			}
		}
	}
	return list
}
