package compare

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
)

// outcome of a change. A regression is a violation that is not waived, in a
// fixture that both reports have judged, of a clause that this fixture did not
// break before. A new warning, an answer that moved and evidence that was lost
// are told and are none. But no evidence is no green: where the second run did
// not judge what the first one did, though no filter left it out, there may be a
// regression that nobody saw. What the contract excuses is no loss.
func (c *Change) outcome(before, after sheet, silences []Silence, common []string) (Outcome, string) {
	var broken, fixtures []string
	for _, s := range c.Worse {
		if s.Severity == judge.Violation {
			broken, fixtures = append(broken, s.Clause), append(fixtures, s.Fixtures...)
		}
	}
	verdict := fmt.Sprintf("the verdict is still %s", after.Verdict)
	if before.Verdict != after.Verdict {
		verdict = fmt.Sprintf("the verdict was %s and is %s", before.Verdict, after.Verdict)
	}
	if len(broken) > 0 {
		return Regression, fmt.Sprintf("%s newly broken, in %s; %s", judge.Number(distinct(broken), "clause"), judge.Number(distinct(fixtures), "fixture"), verdict)
	}
	if why := unseen(before, after); why != "" {
		return Inconclusive, why + "; " + verdict
	}
	var answers []string // an answer may move the status and a value in the body
	for _, s := range silences {
		for _, d := range s.Differences {
			answers = append(answers, d.Fixture)
		}
	}
	moved := distinct(answers)
	parts := []string{fmt.Sprintf("%s compared, none newly broken", judge.Number(len(common), "fixture"))}
	if moved > 0 {
		parts = append(parts, judge.Number(moved, "answer")+" moved")
	}
	return NoRegression, strings.Join(append(parts, verdict), "; ")
}

// unseen says why a regression may have gone unseen, or "".
func unseen(before, after sheet) string {
	lost := 0
	for fixture, result := range after.results {
		if before.judged(fixture) && !after.judged(fixture) && !result.Excused {
			lost++
		}
	}
	switch {
	case !after.Run.Complete:
		return "the second run was cut off"
	case lost > 0:
		return fmt.Sprintf("the second run could not judge %s that the first one had judged", judge.Number(lost, "fixture"))
	case after.Verdict == judge.Inconclusive:
		return "the second run is inconclusive"
	}
	return ""
}

func distinct(list []string) int {
	seen := map[string]bool{}
	for _, text := range list {
		seen[text] = true
	}
	return len(seen)
}
