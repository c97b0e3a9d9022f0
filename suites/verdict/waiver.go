package verdict

import (
	"fmt"
	"slices"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
)

// Waiver is a known violation that its owner accepts for now, and what it did in
// a run.
type Waiver struct {
	Pattern fixtures.Pattern `json:"match"` // of ids of fixtures or clauses
	Narrowing
	Reason string `json:"reason"` // why it is accepted
	Owner  string `json:"owner"`  // who accepts it
	Until  Day    `json:"until"`  // the last day on which it is accepted
	Source string `json:"source"` // file and line

	Waived int    `json:"waived"` // violations
	Stale  string `json:"stale"`  // why it fails the run, such as "expired on 2026-01-31"; "" if it does not
}

// Narrowing limits a waiver to some of the faults of a clause. A zero field matches any.
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

// UnmarshalText reads the output of MarshalText. Any other text is an error.
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

// Waive marks the violations of one outcome that are waived, each with the first waiver that covers
// it and has not expired.
func Waive(o judge.Outcome, waivers []Waiver, now time.Time) judge.Outcome {
	o.Findings = slices.Clone(o.Findings)
	for i, f := range o.Findings {
		if w, ok := lists.First(waivers, func(w Waiver) bool { return w.covers(o, f, now) }); ok {
			until := ""
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

func (w Waiver) covers(o judge.Outcome, f judge.Finding, now time.Time) bool {
	return f.Severity == judge.Violation && !w.expired(now) && (w.Pattern.Match(o.Fixture) || w.Pattern.Match(string(f.Clause))) &&
		w.Narrowing.Fixtures.Match(o.Fixture) && w.Narrowing.Message.Match(f.Message) && w.Narrowing.Place.Match(f.Pointer)
}

// waiverResults returns what each waiver did, and which are stale: a waiver must be removed when its violation
// is gone. In a partial run, a waiver that matches nothing of it is not stale until it expires.
func waiverResults(outcomes []judge.Outcome, b Basis) []Waiver {
	return lists.Map(b.Waivers, func(w Waiver) Waiver {
		w.Waived = lists.Sum(outcomes, func(o judge.Outcome) int { // also what an earlier waiver covers, because places may be within others
			return lists.Count(o.Findings, func(f judge.Finding) bool { return w.covers(o, f, b.Started) })
		})
		w.Stale = w.stale(outcomes, b)
		return w
	})
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
