package reporttest

import (
	"fmt"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
)

// Forty is a service that is broken in one place, which forty fixtures come
// across.
func Forty() Scene {
	s := severalInOne()
	s.Results = nil
	for i := range 40 {
		group := []string{"malformed", "missing-body", "wrong-type"}[i%3]
		r := Posted(fmt.Sprintf("%s/case-%02d", group, i+1), "no plant", "request/body", fixtures.Rejected, "[]")
		s.Results = append(s.Results, brokenError(r))
	}
	s.Reason = "40 of 40 fixtures found a violation"
	return s
}

// Many is a large run in which a little is wrong.
func Many(n int) Scene {
	s := Scene{Verdict: judge.Nonconformant, clauses: map[string]judge.ClauseStatus{"400/media-type": judge.ClauseFailed, "400/body/error": judge.ClauseFailed, "400/body/message": judge.ClauseFailed}}
	failed := 0
	for i := range n {
		r := Posted(fmt.Sprintf("group-%02d/case-%05d", i/100, i), "a plant with a name and an id", "accepts", fixtures.Accepted, fmt.Sprintf(`{"id":%d,"name":"monstera deliciosa"}`, i))
		if i%250 == 17 {
			failed++
			r = brokenError(r)
		} else {
			r = Answered(r, 200, JSONType, `{"name":"monstera deliciosa"}`)
		}
		s.Results = append(s.Results, r)
	}
	s.Reason = fmt.Sprintf("%d of %d fixtures found a violation", failed, n)
	return s
}
