package result

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
)

// Skipped is the status of an excused result in the formats for people and CI
// systems. JSON says unjudged, and why.
const Skipped judge.Status = "skipped"

// Shown is the status that people and CI systems see.
func (r Result) Shown() judge.Status {
	if r.Excused {
		return Skipped
	}
	return r.Status
}

// String tells how many fixtures there are of each status.
func (c Counts) String() string {
	parts := append([]string{fmt.Sprintf("%d passed", c.Passed)}, c.NotPassed()...)
	return fmt.Sprintf("%s: %s", judge.Number(c.Fixtures, "fixture"), strings.Join(parts, ", "))
}

// NotPassed tells how many fixtures have each of the other statuses, as in
// "2 failed". Statuses that no fixture has are left out.
func (c Counts) NotPassed() []string {
	var parts []string
	for _, n := range []struct {
		count  int
		status judge.Status
	}{{c.Failed, judge.Failed}, {c.Waived, judge.Waived}, {c.Warned, judge.Warned}, {c.Excused, Skipped}, {c.Unjudged - c.Excused, judge.Unjudged}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.status))
		}
	}
	return parts
}

func count(results []Result) Counts {
	c := Counts{Fixtures: len(results)}
	for _, r := range results {
		switch r.Status {
		case judge.Passed:
			c.Passed++
		case judge.Failed:
			c.Failed++
		case judge.Waived:
			c.Waived++
		case judge.Warned:
			c.Warned++
		case judge.Unjudged:
			c.Unjudged++
		}
		if r.Excused {
			c.Excused++
		}
		for _, f := range r.Findings {
			switch f.Severity {
			case judge.Violation:
				c.Violations++
			case judge.Warning:
				c.Warnings++
			case judge.Observation:
				c.Observations++
			}
		}
	}
	return c
}
