package report_test

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
)

// forty is a service that is broken in one place, which forty fixtures come
// across.
func forty() scene {
	s := severalInOne()
	s.results = nil
	for i := range 40 {
		group := []string{"malformed", "missing-body", "wrong-type"}[i%3]
		r := sending(result(fmt.Sprintf("%s/case-%02d", group, i+1), "no plant", "request/body", fixtures.Rejected), "", "[]", jsonHeader, bearer)
		s.results = append(s.results, brokenError(r))
	}
	s.reason = "40 of 40 fixtures found a violation"
	return s
}

// many is a large run in which a little is wrong.
func many(n int) scene {
	s := scene{verdict: judge.Nonconformant, clauses: map[string]judge.ClauseStatus{"400/media-type": judge.ClauseFailed, "400/body/error": judge.ClauseFailed, "400/body/message": judge.ClauseFailed}}
	failed := 0
	for i := range n {
		r := sending(result(fmt.Sprintf("group-%02d/case-%05d", i/100, i), "a plant with a name and an id", "accepts", fixtures.Accepted), "", fmt.Sprintf(`{"id":%d,"name":"monstera deliciosa"}`, i), jsonHeader, bearer)
		if i%250 == 17 {
			failed++
			r = brokenError(r)
		} else {
			r = answered(r, 200, jsonType, `{"name":"monstera deliciosa"}`)
		}
		s.results = append(s.results, r)
	}
	s.reason = fmt.Sprintf("%d of %d fixtures found a violation", failed, n)
	return s
}

// manyFailures is a large run in which everything is wrong, with large bodies.
func manyFailures(n int) scene {
	s := many(n)
	for i, r := range s.results {
		page := `{"error":"Bad Request","page":"` + strings.Repeat("<p>&nbsp;", 1000) + `"}`
		r.Findings = nil
		r = answered(r, 400, "text/html", page)
		r = finding(r, judge.Violation, judge.Finding{Clause: "400/media-type", Message: "comes with a media type that is not declared", Expected: "Content-Type: application/json", Actual: "Content-Type: text/html", Offset: -1})
		s.results[i] = inBody(r, judge.Violation, "400/body/error", "/error", `"Bad Request"`, "has the wrong type", "an int32")
	}
	s.reason = fmt.Sprintf("%d of %d fixtures found a violation", n, n)
	return s
}
