package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// Verdict is the outcome of a run.
type Verdict string

// The verdicts.
const (
	Conformant    Verdict = "conformant"
	Nonconformant Verdict = "nonconformant"
	Inconclusive  Verdict = "inconclusive"
)

// Basis is what a verdict depends on, apart from the outcomes.
type Basis struct {
	Clauses  []Clause // of the contract
	Fixtures int      // the number of outcomes that a complete run has
	Complete bool     // the run was not cut off
	Partial  bool     // fixtures were left out on purpose
	Strict   bool     // warnings are violations
	Waivers  []Waiver
	Started  time.Time         // when the run began: it decides which waivers have expired
	Gaps     map[string]string // by operation, why it has no fixture
	Controls []judge.Outcome   // of requests in addition to the fixtures, to compare rejections with

	// MinCoverage is the percentage of must-clauses that a conformant run must have tested; 0 means no minimum.
	MinCoverage float64
	Subject     string // what was tested, if the headline must name it: "the bundled reference"
}

// Summary is the verdict over all outcomes, and what it is based on.
type Summary struct {
	Verdict      Verdict
	Headline     string // the verdict in words: "conformant but for 10 waived clauses"
	Qualified    bool   // conformant, but violations are waived or most must-clauses were not tested
	Reason       string // of the verdict, in one sentence
	Clauses      []Clause
	Observations []Answers
	Waivers      []Waiver
	Reached      Reached
	Outcomes     []judge.Outcome // after comparison with each other, and with waivers applied
}

// Summarize returns the verdict over the outcomes of a run.
func Summarize(b Basis, outcomes []judge.Outcome) Summary {
	outcomes, b.Controls = settleLockout(outcomes, b.Controls)
	outcomes, refused := settleCredential(settleRejections(outcomes, b.Controls), b.Controls)
	outcomes = settleMinimum(settleBounds(settleAnyOf(outcomes, !b.Partial)))
	if b.Strict {
		outcomes = settleConflicts(outcomes, judge.Violation)
	} else {
		outcomes = settleRules(settleConflicts(outcomes, judge.Warning), b.Controls)
	}
	outcomes = lists.Map(outcomes, func(o judge.Outcome) judge.Outcome { return Waive(o, b.Waivers, b.Started) })
	s := Summary{
		Clauses:      judgedClauses(b.Clauses, outcomes),
		Observations: observations(outcomes),
		Waivers:      waiverResults(outcomes, b),
		Outcomes:     outcomes,
	}
	c := s.coverage()
	s.Reached = reached(s.Clauses, outcomes, b.Controls, b.Gaps)
	s.Reached.MustClauses = Part{c.tested, c.musts}
	s.Verdict, s.Reason = s.verdict(b, c, refused)
	s.Headline = c.headline(s.Verdict, b.Subject)
	s.Qualified = s.Verdict == Conformant && (c.waived > 0 || 2*c.tested < c.musts)
	return s
}

func (s Summary) verdict(b Basis, c coverage, refused bool) (Verdict, string) {
	count := func(is func(o judge.Outcome) bool) int { return lists.Count(s.Outcomes, is) }
	excused := count(func(o judge.Outcome) bool { return o.Excused })
	all, unjudged := len(s.Outcomes), count(func(o judge.Outcome) bool { return o.Status == judge.Unjudged })-excused
	var failures []string
	if faults := s.faults(); faults != "" {
		failures = append(failures, faults)
	}
	for _, w := range s.Waivers {
		if w.Stale != "" {
			failures = append(failures, fmt.Sprintf("the waiver %s (%s) %s", w.Pattern, w.Source, w.Stale))
		}
	}
	failed := len(failures) > 0
	if !b.Complete {
		failures = append(failures, fmt.Sprintf("%s when %d of %d fixtures were judged", s.ended(b, unjudged), all-unjudged, max(all, b.Fixtures)))
	}
	switch {
	case failed:
		return Nonconformant, strings.Join(failures, ", and ")
	case !b.Complete:
		return Inconclusive, failures[0]
	case all == excused:
		return Inconclusive, "nothing was judged"
	case s.Reached.Operations.Reached == 0 && unjudged < all && slices.ContainsFunc(s.Outcomes, func(o judge.Outcome) bool { return o.Derived }) && !refused:
		return Inconclusive, "no request was accepted: " + s.Reached.Missing[0].Reason
	case refused:
		return Inconclusive, "the credential was refused, so nothing else could be tested; check the token"
	case unjudged > 0:
		reason, n := commonReason(s.Outcomes)
		if n == all {
			return Inconclusive, reason
		}
		return Inconclusive, fmt.Sprintf("%d of %d fixtures could not be judged: %s", unjudged, all, reason)
	case c.percent() < b.MinCoverage:
		return Inconclusive, fmt.Sprintf("%d of %d must-clauses were tested (%g%%), but --min-coverage requires %g%%; select more fixtures, or lower --min-coverage",
			c.tested, c.musts, math.Floor(10*c.percent())/10, b.MinCoverage) // rounded down: 99.96 is less than a required 100
	}
	return Conformant, c.evidence(all, count(func(o judge.Outcome) bool { return o.Status == judge.Waived }), excused)
}

// ended returns why a run ended early: the reason that all unjudged fixtures have. Without a common
// reason, or if outcomes are missing, the run was cut off.
func (s Summary) ended(b Basis, unjudged int) string {
	if unjudged > 0 && len(s.Outcomes) >= b.Fixtures {
		if reason, n := commonReason(s.Outcomes); n == unjudged {
			return reason
		}
	}
	return "the run was cut off"
}

// commonReason returns the most common reason of unjudged fixtures, and how many have it. If
// several are equally common, it is the first in alphabetical order.
func commonReason(outcomes []judge.Outcome) (reason string, n int) {
	isLost := func(o judge.Outcome) bool { return o.Status == judge.Unjudged && !o.Excused }
	count := lists.Tally(lists.Filter(outcomes, isLost), func(o judge.Outcome) string { return o.Reason })
	reason = slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return cmp.Compare(count[a], count[b]) })
	return reason, count[reason]
}
