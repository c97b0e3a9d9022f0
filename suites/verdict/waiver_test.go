package verdict_test

import (
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestWaivers(t *testing.T) {
	w := load(t)
	today := time.Date(2026, 11, 21, 23, 59, 0, 0, time.UTC)
	day := func(offset int) time.Time { return time.Date(2026, 11, 21+offset, 0, 0, 0, 0, time.UTC) }
	letThrough := exchanges{"make/valid/plain": made, "make/missing/name": made} // breaks make/request/body/name
	wrongType := exchanges{"make/valid/plain": {200, "text/plain", `{"name":"a"}`}}
	for _, row := range []struct {
		name      string
		exchanges exchanges
		waivers   []verdict.Waiver
		partial   bool
		want      verdict.Verdict
		reason    string // a part of it
		status    judge.Status
	}{
		{"by the fixture", letThrough, waivers("make/missing/name"), false, verdict.Conformant, "none found a violation that is not waived (1 found a waived one), and", judge.Waived},
		{"by a folder of fixtures", letThrough, waivers("make/missing"), false, verdict.Conformant, "", judge.Waived},
		{"by the clause", letThrough, waivers("make/request/body/name"), false, verdict.Conformant, "", judge.Waived},
		{"by a pattern", letThrough, waivers("make/*/name"), false, verdict.Conformant, "", judge.Waived},
		{"of another clause", letThrough, waivers("make/200/*"), false, verdict.Nonconformant, "breaks 1 of 38 clauses (1 fault; 1 of 2 fixtures), and the waiver make/200/* (w.yaml:1) no longer matches a violation", judge.Failed},
		{"by two", letThrough, waivers("make/missing/name", "make/request/body/name"), false, verdict.Conformant, "", judge.Waived},
		{"until today", letThrough, until(day(0), "make/missing/name"), false, verdict.Conformant, "", judge.Waived},
		{"until yesterday", letThrough, until(day(-1), "make/missing/name"), false, verdict.Nonconformant, "expired on 2026-11-20", judge.Failed},
		{"expired, and mended", exchanges{"make/valid/plain": made}, until(day(-1), "make/missing/name"), false, verdict.Nonconformant, "expired on 2026-11-20", ""},
		{"one violation of two", wrongType, waivers("make/200/media-type"), false, verdict.Conformant, "", ""},
		{"a warning needs none", exchanges{"make/valid/plain": {200, jsonType, `{"name":"b"}`}}, waivers("make/200/echo"), false, verdict.Nonconformant, "no longer matches a violation", ""},
		{"mended", exchanges{"make/valid/plain": made, "make/missing/name": refused}, waivers("make/missing/name"), false, verdict.Nonconformant, "no longer matches a violation", judge.Passed},
		{"mended, in a partial run that shows it", exchanges{"make/valid/plain": made, "make/missing/name": refused}, waivers("make/missing/name"), true, verdict.Nonconformant, "no longer matches a violation", judge.Passed},
		{"mended clause, in a partial run that shows it", exchanges{"make/valid/plain": made, "make/missing/name": refused}, waivers("make/request/body/name"), true, verdict.Nonconformant, "no longer matches a violation", judge.Passed},
		{"about nothing in the run", exchanges{"make/valid/plain": made}, waivers("make/missing/name"), false, verdict.Nonconformant, "no longer matches a violation", ""},
		{"not concerned, in a partial run", exchanges{"make/valid/plain": made}, waivers("make/missing/name"), true, verdict.Conformant, "", ""},
		{"not judged, in a partial run", exchanges{"make/valid/plain": made, "make/missing/name": nil}, waivers("make/missing/name"), true, verdict.Inconclusive, "", judge.Unjudged},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := verdict.Summarize(verdict.Basis{
				Clauses: verdict.Clauses(w.Contract.Clauses(), ""), Complete: true, Partial: row.partial, Waivers: row.waivers, Started: today,
			}, w.outcomes(t, row.exchanges))
			if s.Verdict != row.want || !strings.Contains(s.Reason, row.reason) {
				t.Errorf("%s: %s; want %s with %q", s.Verdict, s.Reason, row.want, row.reason)
			}
			for _, o := range s.Outcomes {
				if o.Fixture == "make/missing/name" && o.Status != row.status {
					t.Errorf("%s is %s, want %s", o.Fixture, o.Status, row.status)
				}
			}
			if row.want == verdict.Conformant && row.status == judge.Waived {
				if c := clauseNamed(t, s, "make/request/body/name"); c.Status != verdict.ClauseWaived {
					t.Errorf("the clause is %s", c.Status)
				}
			}
		})
	}
}

// Waivers change the conclusion, not the results that it is based on.
func TestWaiversLeaveTheirInputAlone(t *testing.T) {
	w := load(t)
	given := w.outcomes(t, exchanges{"make/missing/name": made})
	verdict.Summarize(verdict.Basis{Clauses: verdict.Clauses(w.Contract.Clauses(), ""), Complete: true, Waivers: waivers("make/missing/name")}, given)
	if o := given[0]; o.Status != judge.Failed || o.Findings[0].Waived != "" {
		t.Errorf("%s is %s, waived %q", o.Fixture, o.Status, o.Findings[0].Waived)
	}
}

// A violation that is waived keeps its evidence, and says why it is waived.
func TestAWaivedFindingSaysWhy(t *testing.T) {
	w := load(t)
	last := time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)
	o := verdict.Waive(w.outcomes(t, exchanges{"make/missing/name": made})[0], until(last, "make/missing/name"), last)
	if o.Findings[0].Waived != "known (us, until 2027-03-31)" {
		t.Errorf("waived %q", o.Findings[0].Waived)
	}
	o = verdict.Waive(w.outcomes(t, exchanges{"make/missing/name": made})[0], waivers("make/missing/name"), time.Now())
	if len(o.Findings) == 0 || o.Findings[0].Severity != judge.Violation || o.Findings[0].Waived != "known (us)" {
		t.Errorf("%+v", o.Findings)
	}
}

func waivers(patterns ...string) []verdict.Waiver { return until(time.Time{}, patterns...) }

func until(last time.Time, patterns ...string) []verdict.Waiver {
	var list []verdict.Waiver
	for i, p := range patterns {
		source := []string{"w.yaml:1", "w.yaml:2"}[i]
		list = append(list, verdict.Waiver{Pattern: fixtures.NewPattern(p), Reason: "known", Owner: "us", Until: verdict.Day{Time: last}, Source: source})
	}
	return list
}

// A waiver of one violation does not cover another one that one try in three finds. A waived
// violation may occur in only some tries.
func TestTriesAndWaivers(t *testing.T) {
	w := load(t)
	noText := &answer{400, jsonType, `{}`}
	message := verdict.Waiver{Pattern: fixtures.NewPattern("make/400/body/text"), Narrowing: verdict.Narrowing{Message: fixtures.NewPattern("is missing")}, Reason: "known", Owner: "us"}
	for _, row := range []struct {
		name    string
		answers []*answer
		want    judge.Status
	}{
		{"in all tries", []*answer{noText, noText}, judge.Waived},
		{"in one try", []*answer{refused, noText}, judge.Waived},
		{"beside another violation", []*answer{noText, noText, made}, judge.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := judge.Tries(w.tried(t, "make/missing/name", row.answers...))
			if text := r.Findings[0].Message; !strings.HasPrefix(text, "is missing") {
				t.Fatalf("the message is %q", text)
			}
			if got := verdict.Waive(r.Outcome, []verdict.Waiver{message}, time.Now()).Status; got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}
