package judge

import (
	"fmt"
	"slices"
)

// Tries is what several results of one fixture come to: the worst of them, the
// first of those, with what the others found beside. Where they differ its
// findings say in how many tries they were made, for a service behind a
// balancer may have one instance in four that is broken.
func Tries(results []Judged) Judged {
	worst := results[0]
	for _, r := range results[1:] {
		if weight(r.Status) > weight(worst.Status) {
			worst = r
		}
	}
	if len(results) == 1 {
		return worst
	}
	worst.Tries, worst.Alike, worst.Replies = len(results), 0, nil
	for _, r := range results {
		worst.Replies = append(worst.Replies, r.Replies...)
		if r.Status == worst.Status {
			worst.Alike++
		}
	}
	if worst.Alike == worst.Tries {
		worst.Alike = 0
	}
	if worst.Status != Unjudged {
		worst.Findings, worst.Exercised = together(worst, results)
	}
	return worst
}

// weight orders statuses: what one try shows no other takes back.
func weight(s Status) int {
	switch s {
	case Failed, Waived:
		return 3
	case Unjudged:
		return 2
	case Warned:
		return 1
	}
	return 0
}

// together are the findings and clauses of all tries, those of the worst first.
func together(worst Judged, results []Judged) (findings []Finding, exercised []string) {
	findings, exercised = slices.Clone(worst.Findings), slices.Clone(worst.Exercised)
	for _, r := range results {
		for _, f := range r.Findings {
			if !slices.ContainsFunc(findings, f.same) {
				f.Offset = -1 // which is in a response that is not shown
				findings = append(findings, f)
			}
		}
		for _, clause := range r.Exercised {
			if !slices.Contains(exercised, clause) {
				exercised = append(exercised, clause)
			}
		}
	}
	for i, f := range findings {
		n := 0
		for _, r := range results {
			if slices.ContainsFunc(r.Findings, f.same) {
				n++
			}
		}
		if n < len(results) && f.Severity != Observation {
			findings[i].Actual += fmt.Sprintf(" (in %d of %d tries)", n, len(results))
		}
	}
	return findings, exercised
}

// same reports whether two tries found the same. Two answers to an open question
// are two.
func (f Finding) same(other Finding) bool {
	return f.Clause == other.Clause && f.Severity == other.Severity && f.Message == other.Message && f.Pointer == other.Pointer &&
		(f.Severity != Observation || f.Actual == other.Actual)
}
