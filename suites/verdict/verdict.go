package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/internal/collect"
	"github.com/plantstore/conformance/spec"
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

// Basis is what a verdict rests on, apart from the outcomes.
type Basis struct {
	Clauses  []Clause // of the contract
	Fixtures int      // the number of outcomes that a complete run has
	Complete bool     // the run was not cut off
	Partial  bool     // fixtures were left out on purpose
	Strict   bool     // warnings are violations
	Waivers  []Waiver
	Started  time.Time         // the day by which waivers expire
	Gaps     map[string]string // by operation, why it has no fixture
	Controls []judge.Outcome   // of requests that were sent in addition, so that rejections can be compared with them

	// MinCoverage is the least percentage of must-clauses that a conformant run
	// has tested; 0 asks for none.
	MinCoverage float64
	Subject     string // what was tested, if the headline must name it: "the bundled reference"
}

// Summary is what all outcomes say together.
type Summary struct {
	Verdict      Verdict
	Headline     string // the verdict as a person reads it: "conformant but for 10 waived clauses"
	Qualified    bool   // conformant, but violations are waived or most must-clauses were not tested
	Reason       string // of the verdict, in one sentence
	Clauses      []Clause
	Observations []Answers
	Waivers      []Waiver
	Reached      Reached
	Outcomes     []judge.Outcome // as given, but for what others show to be no evidence, and what is waived
}

// Summarize gives the verdict over the outcomes of a run.
func Summarize(b Basis, outcomes []judge.Outcome) Summary {
	outcomes, b.Controls = settleLockout(outcomes, b.Controls)
	outcomes, refused := settleCredential(settleRejections(outcomes, b.Controls), b.Controls)
	outcomes = settleBounds(settleAnyOf(outcomes, !b.Partial))
	if b.Strict {
		outcomes = settleConflicts(outcomes, judge.Violation)
	} else {
		outcomes = settleRules(settleConflicts(outcomes, judge.Warning), b.Controls)
	}
	outcomes = collect.Of(outcomes, func(o judge.Outcome) judge.Outcome { return Waive(o, b.Waivers, b.Started) })
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
	count, excused := map[judge.Status]int{}, 0
	for _, o := range s.Outcomes {
		count[o.Status]++
		if o.Excused {
			excused++
		}
	}
	all, unjudged := len(s.Outcomes), count[judge.Unjudged]-excused
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
			c.tested, c.musts, math.Floor(10*c.percent())/10, b.MinCoverage) // rounded up, 99.96 would be the 100 that was asked for
	}
	return Conformant, c.evidence(all, count[judge.Waived], excused)
}

// ended says what ended a run before its end: the one reason that every fixture
// gives which is unjudged. Where some are missing nobody gave one.
func (s Summary) ended(b Basis, unjudged int) string {
	if unjudged > 0 && len(s.Outcomes) >= b.Fixtures {
		if reason, n := commonReason(s.Outcomes); n == unjudged {
			return reason
		}
	}
	return "the run was cut off"
}

// commonReason is why most of the unjudged fixtures are, and of how many that
// is so; the first by the alphabet where several are as common.
func commonReason(outcomes []judge.Outcome) (reason string, n int) {
	count := map[string]int{}
	for _, o := range outcomes {
		if o.Status == judge.Unjudged && !o.Excused {
			count[o.Reason]++
		}
	}
	reason = slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return cmp.Compare(count[a], count[b]) })
	return reason, count[reason]
}

// Waiver is a known violation that its owner accepts for now, and what it did in
// a run.
type Waiver struct {
	Pattern fixtures.Pattern `json:"match"` // of ids of fixtures or clauses
	Narrowing
	Reason string `json:"reason"` // why it is accepted
	Owner  string `json:"owner"`  // who accepts it
	Until  Day    `json:"until"`  // the last day on which it is
	Source string `json:"source"` // file and line

	Waived int    `json:"waived"` // violations
	Stale  string `json:"stale"`  // why it fails the run, as a predicate; "" if it does not
}

// Narrowing limits a waiver to some of the faults of a clause. A part that is
// zero allows any.
type Narrowing struct {
	Fixtures fixtures.Pattern `json:"fixtures,omitzero"` // ids of the fixtures that find it
	Message  fixtures.Pattern `json:"message,omitzero"`  // what the finding says
	Place    fixtures.Pattern `json:"place,omitzero"`    // JSON pointer of the finding
}

// Day is a day (UTC), in JSON as "2006-01-02". The zero Day means no end and
// is "".
type Day struct{ time.Time }

// MarshalText writes the day.
func (d Day) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, nil
	}
	return []byte(d.Format(time.DateOnly)), nil
}

// UnmarshalText reads what MarshalText writes, and is an error for anything else.
func (d *Day) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Day{}
		return nil
	}
	day, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("reading a day: %w", err)
	}
	d.Time = day
	return nil
}

// expired reports whether the last day is over.
func (w Waiver) expired(now time.Time) bool {
	return !w.Until.IsZero() && !now.UTC().Before(w.Until.AddDate(0, 0, 1))
}

// Waive marks the violations of one outcome that are waived, each by the first
// waiver that covers it and has not expired by then.
func Waive(o judge.Outcome, waivers []Waiver, now time.Time) judge.Outcome {
	o.Findings = slices.Clone(o.Findings)
	for i, f := range o.Findings {
		if at := waiverOf(o, f, waivers, now); at >= 0 {
			w, until := waivers[at], ""
			if !w.Until.IsZero() {
				until = ", until " + w.Until.Format(time.DateOnly)
			}
			o.Findings[i].Waived = fmt.Sprintf("%s (%s%s)", w.Reason, w.Owner, until)
		}
	}
	if o.Status == judge.Failed {
		o.Status = judge.StatusOf(o.Findings)
	}
	return o
}

// waiverOf is the place of the waiver for a finding, or -1.
func waiverOf(o judge.Outcome, f judge.Finding, waivers []Waiver, now time.Time) int {
	return slices.IndexFunc(waivers, func(w Waiver) bool {
		return f.Severity == judge.Violation && !w.expired(now) && (w.Pattern.Match(o.Fixture) || w.Pattern.Match(string(f.Clause))) &&
			w.Narrowing.Fixtures.Match(o.Fixture) && w.Narrowing.Message.Match(f.Message) && w.Narrowing.Place.Match(f.Pointer)
	})
}

// waiverResults tells what each waiver did, and which are stale: a waiver must
// not outlive what it was made for. In a partial run one that concerns nothing
// of it is left alone.
func waiverResults(outcomes []judge.Outcome, b Basis) []Waiver {
	waived := map[int]int{} // violations, by the place of the waiver
	for _, o := range outcomes {
		for _, f := range o.Findings {
			waived[waiverOf(o, f, b.Waivers, b.Started)]++
		}
	}
	list := []Waiver{}
	for i, w := range b.Waivers {
		w.Waived = waived[i]
		w.Stale = w.stale(outcomes, b)
		list = append(list, w)
	}
	return list
}

func (w Waiver) stale(outcomes []judge.Outcome, b Basis) string {
	switch {
	case w.expired(b.Started):
		return fmt.Sprintf("expired on %s", w.Until.Format(time.DateOnly))
	case w.Waived == 0 && (!b.Partial || w.concerns(outcomes)):
		return "no longer matches a violation"
	}
	return ""
}

// concerns reports whether the waiver is about anything that was judged.
func (w Waiver) concerns(outcomes []judge.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o judge.Outcome) bool {
		return o.Status != judge.Unjudged && w.Narrowing.Fixtures.Match(o.Fixture) && (w.Pattern.Match(o.Fixture) || slices.ContainsFunc(o.Exercised, func(id spec.ClauseID) bool { return w.Pattern.Match(string(id)) }))
	})
}
