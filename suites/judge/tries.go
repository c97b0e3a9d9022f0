package judge

import "fmt"

// Tries is what several results of one fixture come to: the worst of them, and
// the first of those. Where the others differ its findings say in how many
// tries they were made, for a service behind a balancer may have one instance
// in four that is broken.
func Tries(results []Result) Result {
	worst := results[0]
	for _, r := range results[1:] {
		if weight(r.Status) > weight(worst.Status) {
			worst = r
		}
	}
	worst.Tries, worst.Alike = len(results), 0
	for _, r := range results {
		if r.Status == worst.Status {
			worst.Alike++
		}
	}
	if worst.Alike == worst.Tries || worst.Status == Unjudged {
		return worst
	}
	findings := make([]Finding, len(worst.Findings))
	for i, f := range worst.Findings {
		if f.Severity != Observation {
			f.Actual += fmt.Sprintf(" (in %d of %d tries)", worst.Alike, worst.Tries)
		}
		findings[i] = f
	}
	worst.Findings = findings
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
