package result_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// part returns a shard of a run of three fixtures.
func part(index int, change ...func(*result.Recording)) result.Recording {
	started := time.Date(2026, 11, 21, 8, 0, index, 0, time.UTC)
	r := result.Recording{Head: result.Head{
		Contract: result.Contract{SHA256: "1"}, Target: result.Target{BaseURL: reporttest.BaseURL},
		Run: result.Run{
			ID: string(rune('a' + index - 1)), Started: started, DurationMs: 2500, Seed: 7, Complete: true, Fixtures: 1,
			Shard: &result.Shard{Index: index, Of: 3, Fixtures: 3},
		},
	}}
	r.Results = []result.Result{{Outcome: judge.Outcome{Fixture: "createPlant/valid/" + r.Run.ID, Place: index - 1, Status: "passed"}}}
	for _, f := range change {
		f(&r)
	}
	return r
}

func TestMerge(t *testing.T) {
	for _, row := range []struct {
		name     string
		parts    []result.Recording
		results  string // the last letters of their ids
		complete bool
		fault    string
	}{
		{"all, in any order", []result.Recording{part(3), part(1), part(2)}, "abc", true, ""},
		{"one missing", []result.Recording{part(1), part(3)}, "ac", false, ""},
		{"one cut off", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Complete = false }), part(3)}, "abc", false, ""},
		{"one of fewer results than it had fixtures", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Results = nil }), part(3)}, "ac", false, ""},
		{"one alone", []result.Recording{part(2)}, "b", true, ""},
		{"none", nil, "", false, "no report was given"},
		{"one twice", []result.Recording{part(1), part(1)}, "", false, "shard 1 of 3 was given twice"},
		{"a whole run", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Shard = nil })}, "", false, "the run b is complete"},
		{"another seed", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Seed = 8 })}, "", false, "different seeds, 7 and 8"},
		{"another contract", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Contract.SHA256 = "2" })}, "", false, "different contracts"},
		{"another target", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Target.BaseURL = "http://b" })}, "", false, "different targets"},
		{"another implementation", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Implementation.Name = "b" })}, "", false, "different targets, at " + reporttest.BaseURL + " and b at " + reporttest.BaseURL + "; use `conformance compare`"},
		{"another version of the harness", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Harness.Version = "v2" })}, "", false, "different harness versions"},
		{"strict and not", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Strict = true })}, "", false, "different ways to judge, not strict and strict"},
		{"another minimum of coverage", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.MinCoverage = 80 })}, "", false, "different values of --min-coverage, none and 80%"},
		{"another number of shards", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Shard.Of = 4 })}, "", false, "different numbers of shards, 3 and 4"},
		{"another selection", []result.Recording{part(1), part(2, func(r *result.Recording) { r.Run.Shard.Fixtures = 4 })}, "", false, "different numbers of fixtures, 3 and 4"},
	} {
		t.Run(row.name, func(t *testing.T) {
			merged, err := result.Merge(row.parts)
			if row.fault != "" {
				if !errors.Is(err, result.ErrMerge) || !strings.Contains(err.Error(), row.fault) {
					t.Errorf("%v, want %s", err, row.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			r := result.Conclude(merged)
			results := ""
			for _, result := range r.Results {
				results += result.Fixture[len(result.Fixture)-1:]
			}
			if results != row.results || r.Run.Complete != row.complete {
				t.Errorf("results %s, complete %t", results, r.Run.Complete)
			}
		})
	}
}

// A shard tests only some clauses. Whether these are enough is decided for the merged report.
func TestMinCoverageOfShards(t *testing.T) {
	clause := func(id spec.ClauseID) verdict.Clause { return verdict.Clause{ID: id, Level: "must"} }
	var parts []result.Recording
	for i := range 3 {
		p := part(i+1, func(r *result.Recording) {
			r.Clauses, r.Run.MinCoverage = []verdict.Clause{clause("make/a"), clause("make/b"), clause("make/c")}, 100
			r.Results[0].Exercised = []spec.ClauseID{r.Clauses[i].ID}
		})
		if r := result.Conclude(p); r.Verdict != "conformant" || r.Headline != "conformant in 1 of 3 must-clauses" || !r.Qualified {
			t.Errorf("a shard is %s: %s", r.Headline, r.Reason)
		}
		parts = append(parts, p)
	}
	check := func(verdict verdict.Verdict, reason string) {
		t.Helper()
		merged, err := result.Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		if r := result.Conclude(merged); r.Verdict != verdict || !strings.HasPrefix(r.Reason, reason) || r.Run.MinCoverage != 100 {
			t.Errorf("together they are %s: %s", r.Verdict, r.Reason)
		}
	}
	check("conformant", "all 3 fixtures")
	parts[2].Results[0].Exercised = []spec.ClauseID{"make/a"}
	check("inconclusive", "2 of 3 must-clauses were tested (66.6%), but --min-coverage requires 100%; ")
}

// The run lasts from the first start to the last end.
func TestMergeTimes(t *testing.T) {
	merged, err := result.Merge([]result.Recording{part(2), part(3), part(1)})
	if err != nil {
		t.Fatal(err)
	}
	run := merged.Run
	if run.ID != "a+b+c" || !run.Started.Equal(part(1).Run.Started) || run.DurationMs != 4500 || run.Fixtures != 3 || run.Shard != nil {
		t.Errorf("%+v", run)
	}
}
