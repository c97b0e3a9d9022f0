package verdict_test

import (
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/verdict"
)

// sent is an exchange with the times, in seconds, at which it was sent and answered.
type sent struct {
	fixture string
	answer  *answer
	at, end int
}

// inTime judges exchanges, each with its time. Several of one fixture are its tries.
func (w world) inTime(t *testing.T, list []sent) []judge.Judged {
	t.Helper()
	tries := map[string][]judge.Judged{}
	var order []string
	for _, s := range list {
		r := w.judge(t, s.fixture, *s.answer, judge.Options{})
		r.Credential = r.Credential || strings.HasPrefix(s.fixture, "find/") // as if this operation needed the credential, too
		zero := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
		r.Replies = []judge.Reply{{Sent: zero.Add(time.Duration(s.at) * time.Second), Ended: zero.Add(time.Duration(s.end) * time.Second), Status: s.answer.Status}}
		if tries[s.fixture] == nil {
			order = append(order, s.fixture)
		}
		tries[s.fixture] = append(tries[s.fixture], r)
	}
	var results []judge.Judged
	for _, id := range order {
		results = append(results, judge.Tries(tries[id]))
	}
	return results
}

// A service may stop accepting a credential. Later responses are not evidence, in any order of the
// results. A refusal between two acceptances is a violation.
func TestLockout(t *testing.T) {
	w := load(t)
	forbidden := &answer{403, jsonType, `{"text":"quota"}`}
	paid := &answer{402, jsonType, `{"text":"quota"}`}
	crash := &answer{500, "", ""}
	plain, size, sized, should, missing := "make/valid/plain", "make/valid/size", "make/valid/sized", "make/valid/should", "make/missing/name"
	five := func(a *answer) []sent {
		return []sent{{plain, a, 50, 51}, {size, a, 52, 53}, {sized, a, 54, 55}, {should, a, 56, 57}, {plain, a, 58, 59}}
	}
	for _, row := range []struct {
		name  string
		list  []sent
		want  verdict.Verdict
		count map[string]judge.Status // of some fixtures
	}{
		{"after an acceptance", append([]sent{{plain, made, 1, 2}}, five(forbidden)...), verdict.Inconclusive, map[string]judge.Status{plain: judge.Unjudged, size: judge.Unjudged}},
		{"the results in another order", append(five(forbidden), sent{plain, made, 1, 2}), verdict.Inconclusive, map[string]judge.Status{plain: judge.Unjudged}},
		{"with 401", append([]sent{{plain, made, 1, 2}}, five(unknown)...), verdict.Inconclusive, nil},
		{"with 402", append([]sent{{plain, made, 1, 2}}, five(paid)...), verdict.Inconclusive, nil},
		{"with 400, which blames the request", append([]sent{{plain, made, 1, 2}}, five(refused)...), verdict.Nonconformant, nil},
		{"only four", append([]sent{{plain, made, 1, 2}}, five(forbidden)[:4]...), verdict.Nonconformant, nil},
		{"an acceptance at the end", append(five(forbidden), sent{plain, made, 1, 2}, sent{size, made, 90, 91}), verdict.Nonconformant, nil},
		{"an acceptance of what may be either at the end", append(five(forbidden), sent{plain, made, 1, 2}, sent{"make/open/huge", made, 90, 91}), verdict.Nonconformant, nil},
		{"another refusal before the last acceptance", append(five(forbidden), sent{size, forbidden, 1, 2}, sent{plain, made, 3, 4}), verdict.Nonconformant, map[string]judge.Status{size: judge.Failed, sized: judge.Unjudged}},
		{"acceptances that were on their way meanwhile", append(five(forbidden), sent{plain, made, 40, 70}), verdict.Inconclusive, nil},
		{"never accepted", five(forbidden), verdict.Inconclusive, map[string]judge.Status{plain: judge.Unjudged}},
		{"a crash stays one", append(five(forbidden), sent{plain, made, 1, 2}, sent{"make/missing/mild", crash, 60, 61}), verdict.Nonconformant, map[string]judge.Status{plain: judge.Unjudged}},
		{"another operation is accepted", append(five(forbidden), sent{plain, made, 1, 2}, sent{"find/valid/plain", &answer{200, jsonType, `{"text":""}`}, 90, 91}), verdict.Nonconformant, nil},
		{"another operation was last asked before", append(five(forbidden), sent{plain, made, 1, 2}, sent{"find/valid/plain", &answer{200, jsonType, `{"text":""}`}, 3, 4}), verdict.Nonconformant, nil},
		{"only a request that need not be accepted was before", append(five(forbidden), sent{"make/open/huge", made, 1, 2}), verdict.Inconclusive, nil},
		{"only a request that must be rejected was before", append(five(forbidden), sent{missing, made, 1, 2}), verdict.Nonconformant, nil},
		{"another operation refuses, too", append(five(forbidden), sent{plain, made, 1, 2}, sent{"find/valid/plain", forbidden, 60, 61}), verdict.Inconclusive, map[string]judge.Status{"find/valid/plain": judge.Unjudged}},
		{"a rejection before", append(five(forbidden), sent{plain, made, 5, 6}, sent{missing, refused, 3, 4}), verdict.Inconclusive, map[string]judge.Status{missing: judge.Passed}},
		{"a rejection since", append(five(forbidden), sent{plain, made, 1, 2}, sent{missing, refused, 60, 61}), verdict.Inconclusive, map[string]judge.Status{missing: judge.Unjudged}},
		{"one without a credential since", append(five(forbidden), sent{plain, made, 1, 2}, sent{"make/missing/token", forbidden, 60, 61}), verdict.Inconclusive, map[string]judge.Status{"make/missing/token": judge.Unjudged}},
		{"an open question since", append(five(forbidden), sent{plain, made, 1, 2}, sent{"make/open/huge", forbidden, 60, 61}), verdict.Inconclusive, map[string]judge.Status{"make/open/huge": judge.Unjudged}},
		{"accepted without a credential since", append(five(forbidden), sent{plain, made, 1, 2}, sent{"make/missing/token", made, 60, 61}), verdict.Nonconformant, map[string]judge.Status{"make/missing/token": judge.Failed}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := w.conclude(w.inTime(t, row.list))
			if s.Verdict != row.want {
				t.Errorf("%s: %s; want %s", s.Verdict, s.Reason, row.want)
			}
			for _, o := range s.Outcomes {
				if want, ok := row.count[o.Fixture]; ok && o.Status != want {
					t.Errorf("%s is %s (%s), want %s", o.Fixture, o.Status, o.Reason, want)
				}
			}
		})
	}
	s := w.conclude(w.inTime(t, append([]sent{{plain, made, 1, 2}, {missing, refused, 60, 61}}, five(forbidden)...)))
	for _, o := range s.Outcomes {
		if want := "the service accepted 1 request and then refused all 5 valid ones with 403: "; !strings.HasPrefix(o.Reason, want) {
			t.Errorf("%s: %s", o.Fixture, o.Reason)
		}
	}
}

// A service without credentials may also lock out a caller, for example by its address.
func TestLockoutWithoutCredentials(t *testing.T) {
	w := load(t)
	forbidden := &answer{403, jsonType, `{"text":"quota"}`}
	plain, size, sized, should, missing := "make/valid/plain", "make/valid/size", "make/valid/sized", "make/valid/should", "make/missing/name"
	refusals := []sent{{size, forbidden, 50, 51}, {sized, forbidden, 52, 53}, {should, forbidden, 54, 55}, {plain, forbidden, 56, 57}, {plain, forbidden, 58, 59}, {missing, forbidden, 60, 61}}
	for _, row := range []struct {
		name string
		last []sent
		want verdict.Verdict
		why  string // of the rejection
	}{
		{"until the end", nil, verdict.Inconclusive, "the service accepted 1 request and then refused all 5 valid ones with 403: a quota may be used up"},
		{"and then accepted", []sent{{plain, made, 90, 91}}, verdict.Nonconformant, ""},
	} {
		list := w.inTime(t, append(append([]sent{{plain, made, 1, 2}}, refusals...), row.last...))
		for i := range list {
			list[i].Credential = false
		}
		s := w.conclude(list)
		if s.Verdict != row.want {
			t.Errorf("%s: %s: %s; want %s", row.name, s.Verdict, s.Reason, row.want)
		}
		for _, o := range s.Outcomes {
			if o.Fixture == missing && !strings.HasPrefix(o.Reason, row.why) {
				t.Errorf("%s: %s is %s: %s", row.name, o.Fixture, o.Status, o.Reason)
			}
		}
	}
}

// A control that was accepted once counts as accepted if a later try says nothing. If the later try
// is refused, the service may not accept anything anymore.
func TestControlAcceptedInOneTry(t *testing.T) {
	w := load(t)
	plain, should, missing := "make/valid/plain", "make/valid/should", "make/missing/name"
	late := replay.Exchange{Failure: &replay.Failure{Kind: replay.Throttled, Message: "too many requests"}}
	list := w.inTime(t, []sent{{plain, made, 1, 2}, {missing, refused, 3, 4}})
	list[0] = judge.Tries([]judge.Judged{list[0], judge.Exchange(t.Context(), w.Contract, w.Fixtures[plain], late, judge.Options{})})
	s := w.conclude(list)
	if s.Outcomes[0].Status != judge.Unjudged || s.Outcomes[1].Status != judge.Passed {
		t.Errorf("%s; the control is %s, the rejection %s (%s)", s.Verdict, s.Outcomes[0].Status, s.Outcomes[1].Status, s.Outcomes[1].Reason)
	}
	s = w.conclude(w.inTime(t, []sent{{plain, made, 1, 2}, {plain, refused, 5, 6}, {should, refused, 7, 8}}))
	if s.Outcomes[0].Status != judge.Failed || s.Outcomes[1].Status != judge.Unjudged {
		t.Errorf("%s; the control is %s, what only should be accepted %s", s.Verdict, s.Outcomes[0].Status, s.Outcomes[1].Status)
	}
}
