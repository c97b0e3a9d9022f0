package compare_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Each report has one line. Text that does not fit goes below it.
func TestTargetSummary(t *testing.T) {
	const down = "the target did not answer within 2s: nothing listens on 127.0.0.1:18113; check the base URL, or whether the service runs"
	told := func(verdict verdict.Verdict, reason string, counts result.Counts, complete bool) result.Report {
		return result.Report{Verdict: verdict, Reason: reason, Counts: counts, Head: result.Head{Run: result.Run{DurationMs: 3960, Complete: complete}}}
	}
	some := result.Counts{Fixtures: 129, Failed: 88, Unjudged: 41}
	for _, row := range []struct {
		name    string
		targets int
		of      result.Report
		want    string
	}{
		{"conformant", 3, told("conformant", "all", result.Counts{Fixtures: 129, Passed: 129}, true), "B  nursery     conformant     129 fixtures: 129 passed, in 3.96 s\n"},
		{"failures", 3, told("nonconformant", "88 of 129", some, true), "B  nursery     nonconformant\n   129 fixtures: 0 passed, 88 failed, 41 unjudged, in 3.96 s\n"},
		{"failures, and cut off", 3, told("nonconformant", "88 of 129", some, false), "B  nursery     nonconformant\n   129 fixtures: 0 passed, 88 failed, 41 unjudged, in 3.96 s, cut off\n"},
		{"a short reason", 3, told("inconclusive", "nothing was judged", result.Counts{}, true), "B  nursery     inconclusive   nothing was judged\n"},
		{"a reason as long as the line", 3, told("inconclusive", strings.Repeat("x", 50), result.Counts{}, true), "B  nursery     inconclusive   " + strings.Repeat("x", 50) + "\n"},
		{"a longer reason", 3, told("inconclusive", down, result.Counts{}, true), "B  nursery     inconclusive\n" +
			"   the target did not answer within 2s: nothing listens on 127.0.0.1:18113;\n   check the base URL, or whether the service runs\n"},
		{"a stale waiver", 3, told("nonconformant", "the waiver x (y) expired", result.Counts{Fixtures: 1, Passed: 1}, true), "B  nursery     nonconformant  the waiver x (y) expired\n"},
		{"of many", 27, told("inconclusive", down, result.Counts{}, true), "B   nursery     inconclusive\n" +
			"    the target did not answer within 2s: nothing listens on 127.0.0.1:18113;\n    check the base URL, or whether the service runs\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			names := append([]string{"greenhouse", "nursery"}, make([]string, row.targets-2)...)
			if got := (compare.TargetSummary{Names: names}).Row(1, row.of); got != row.want {
				t.Errorf("it is\n%swant\n%s", got, row.want)
			}
		})
	}
}

func TestTargetSummaryFooter(t *testing.T) {
	for want, verdicts := range map[string][]verdict.Verdict{
		"1 target: 1 conformant\n":                                   {"conformant"},
		"2 targets: 2 inconclusive\n":                                {"inconclusive", "inconclusive"},
		"4 targets: 1 conformant, 2 nonconformant, 1 inconclusive\n": {"nonconformant", "inconclusive", "conformant", "nonconformant"},
	} {
		if got := (compare.TargetSummary{}).Footer(verdicts); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}
