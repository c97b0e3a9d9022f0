package report_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

const (
	jsonType   = "application/json"
	jsonHeader = "Content-Type: application/json"
	bearer     = "Authorization: Bearer [redacted]"
)

func scenes() map[string]scene {
	all := map[string]scene{
		"conformant":      conformant(),
		"selected":        selected(),
		"one-failure":     oneFailure(),
		"several-in-one":  severalInOne(),
		"one-cause":       oneCause(),
		"special-request": specialRequests(),
		"hostile":         hostile(),
		"warnings":        warnings(),
		"unjudged":        unjudgedSome(),
		"wrong-base-url":  wrongBaseURL(),
		"nothing":         nothing(),
		"excused":         excused(),
	}
	all["everything"] = everything()
	return all
}

// everything is a run with some of each, for the formats that show it in full.
func everything() scene {
	s := scene{
		verdict: judge.Nonconformant, reason: "3 of 13 fixtures found a violation",
		clauses: map[string]judge.ClauseStatus{
			"request/body/name": judge.ClauseFailed, "400/media-type": judge.ClauseFailed, "400/body/error": judge.ClauseFailed, "400/body/message": judge.ClauseFailed,
			"answers":             judge.ClauseFailed,
			"200/body/undeclared": judge.ClauseWarned, "request/media-type": judge.ClauseWarned, "request/body": judge.ClauseVacuous, "request/credential": judge.ClauseUnexercised,
		},
	}
	for _, part := range []scene{conformant(), oneFailure(), severalInOne(), warnings(), unjudgedSome()} {
		s.results = append(s.results, part.results...)
	}
	slices.SortStableFunc(s.results, func(a, b judge.Judged) int { return strings.Compare(a.Fixture, b.Fixture) })
	s.results = slices.CompactFunc(s.results, func(a, b judge.Judged) bool { return a.Fixture == b.Fixture })
	return s
}

func conformant() scene {
	plain := sending(result("valid/plain", "a plant with a name and an id", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
	twice := sending(result("open/same-id", "a second plant with the same id", "silent/same-id", fixtures.Either), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
	twice = finding(answered(twice, 409, jsonType, `{}`), judge.Observation,
		judge.Finding{Clause: "silent/same-id", Message: "the contract leaves this open", Actual: "409 application/json", Offset: -1})
	return scene{
		results: []judge.Judged{answered(plain, 200, jsonType, `{"name":"monstera"}`), twice},
		verdict: judge.Conformant, reason: "all 2 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed",
	}
}

// selected is a run with --only: green, but hardly evidence.
func selected() scene {
	s := conformant()
	s.results = s.results[:1]
	s.headline = "conformant in 3 of 9 must-clauses"
	s.reason = "one fixture was judged and found no violation, and 3 of 9 must-clauses passed (6 not tested)"
	s.clauses = map[string]judge.ClauseStatus{
		"request/credential": judge.ClauseUnexercised, "request/body": judge.ClauseUnexercised, "request/body/name": judge.ClauseUnexercised,
		"400/media-type": judge.ClauseVacuous, "400/body/error": judge.ClauseVacuous, "400/body/message": judge.ClauseVacuous,
	}
	return s
}

// excused is a service that refuses a second plant with the same id, as the
// contract permits: what is wrong with one besides is not seen.
func excused() scene {
	s := conformant()
	again := sending(result("open/id-known", "a plant whose id is known", "silent/same-id", fixtures.Either), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
	s.results = append(s.results, answered(again, 400, jsonType, `{"error":1,"message":"known"}`))
	for name, body := range map[string]string{"missing-required/name.id-known": `{"id":7}`, "wrong-type/name-null.id-known": `{"id":7,"name":null}`} {
		r := sending(result(name, "no name, and the id is known", "request/body/name", fixtures.Rejected), "", body, jsonHeader, bearer)
		r.Control = again.Fixture
		s.results = append(s.results, answered(r, 400, jsonType, `{"error":1,"message":"known"}`))
	}
	slices.SortFunc(s.results, func(a, b judge.Judged) int { return strings.Compare(a.Fixture, b.Fixture) })
	s.reason = "3 of 5 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed (2 fixtures skipped)"
	return s
}

// nothing is a run that was cut off before it began.
func nothing() scene {
	s := scene{verdict: judge.Inconclusive, reason: "nothing was judged", clauses: map[string]judge.ClauseStatus{}}
	for _, c := range contract() {
		s.clauses[c.Part()] = judge.ClauseUnexercised
	}
	return s
}

// oneFailure is what DESIGN.md shows.
func oneFailure() scene {
	r := sending(result("missing-required/name", "a plant without a name", "request/body/name", fixtures.Rejected), "", `{"id":7203685477580123}`, jsonHeader, bearer)
	return scene{
		results: []judge.Judged{letThrough(answered(r, 200, jsonType, `{"name":""}`), judge.Violation)},
		clauses: map[string]judge.ClauseStatus{"request/body/name": judge.ClauseFailed},
		verdict: judge.Nonconformant, reason: "1 of 1 fixtures found a violation",
	}
}

// letThrough is the finding that a request was accepted that must not be.
func letThrough(r judge.Judged, severity judge.Severity) judge.Judged {
	return finding(r, severity, judge.Finding{
		Clause: strings.TrimPrefix(r.Clause, "createPlant/"), Message: "a request that the contract rules out is accepted", Expected: "a rejection: 4xx, such as the declared 400",
		Actual: fmt.Sprintf("%d %s", r.Exchange.Response.Status, r.Exchange.Response.Body), Offset: -1,
	})
}

// severalInOne is one answer that breaks three clauses.
func severalInOne() scene {
	r := sending(result("malformed/comment", "JSON with a comment", "request/body", fixtures.Rejected), "", `{"id": 7, /* the name */ "name": "monstera"}`, jsonHeader, bearer)
	return scene{
		results: []judge.Judged{brokenError(r)},
		clauses: map[string]judge.ClauseStatus{"400/media-type": judge.ClauseFailed, "400/body/error": judge.ClauseFailed, "400/body/message": judge.ClauseFailed},
		verdict: judge.Nonconformant, reason: "1 of 1 fixtures found a violation",
	}
}

// brokenError is a rejection whose body is of a framework's own shape.
func brokenError(r judge.Judged) judge.Judged {
	r = answered(r, 400, "text/html", `{"timestamp":"2026-11-21T08:21:11.000+00:00","status":400,"error":"Bad Request","path":"/plants"}`)
	r = finding(r, judge.Violation, judge.Finding{Clause: "400/media-type", Message: "comes with a media type that is not declared", Expected: "Content-Type: application/json", Actual: "Content-Type: text/html", Offset: -1})
	r = inBody(r, judge.Violation, "400/body/error", "/error", `"Bad Request"`, "has the wrong type", "an int32")
	return finding(r, judge.Violation, judge.Finding{Clause: "400/body/message", Message: "is missing", Pointer: "/message", Expected: "the property message, a string", Actual: "no such property", Offset: 0})
}

// oneCause is a service that is broken in one place, which many fixtures come
// across.
func oneCause() scene {
	s := severalInOne()
	s.results = nil
	for group, n := range map[string]int{"malformed": 9, "missing-body": 3, "wrong-type": 1} {
		for i := range n {
			r := sending(result(fmt.Sprintf("%s/case-%d", group, i+1), "no plant", "request/body", fixtures.Rejected), "", "[]", jsonHeader, bearer)
			s.results = append(s.results, brokenError(r))
		}
	}
	slices.SortFunc(s.results, func(a, b judge.Judged) int { return strings.Compare(a.Fixture, b.Fixture) })
	// These were let through, and differ by what was sent.
	for _, name := range []string{"wrong-type/name-list", "wrong-type/name-null", "missing-required/name"} {
		r := sending(result(name, "no name", "request/body/name", fixtures.Rejected), "", `{"id":7}`, jsonHeader, bearer)
		s.results = append(s.results, letThrough(answered(r, 200, jsonType, `{"name":""}`), judge.Violation))
	}
	s.clauses["request/body/name"] = judge.ClauseFailed
	s.reason = "16 of 16 fixtures found a violation"
	return s
}

// specialRequests are those whose point is not in the body; with --strict.
func specialRequests() scene {
	s := scene{verdict: judge.Nonconformant, reason: "8 of 8 fixtures found a violation", clauses: map[string]judge.ClauseStatus{
		"request/credential": judge.ClauseFailed, "request/body": judge.ClauseFailed, "request/media-type": judge.ClauseFailed, "answers": judge.ClauseFailed,
	}}
	const body = `{"id":7,"name":"monstera"}`
	for _, r := range []judge.Judged{
		sending(result("no-token/no-header", "no Authorization header", "request/credential", fixtures.Rejected), "", body, jsonHeader),
		sending(result("basic/basic", "the Basic scheme", "request/credential", fixtures.Rejected), "", body, jsonHeader, "Authorization: Basic cGxhbnQ6c3RvcmU="),
		sending(result("empty/empty", "an Authorization header that says nothing", "request/credential", fixtures.Rejected), "", body, jsonHeader, "Authorization: "),
		sending(result("query/query", "the token in the query only", "request/credential", fixtures.Rejected), "?access_token=[redacted]", body, jsonHeader),
		sending(result("media-type/text", "JSON declared as text", "request/media-type", fixtures.Rejected), "", body, "Content-Type: text/plain", bearer),
		sending(result("no-media-type/none", "JSON without a media type", "request/media-type", fixtures.Rejected), "", body, bearer),
		sending(result("missing-body/none", "no body, though a media type is declared", "request/body", fixtures.Rejected), "", "", jsonHeader, bearer),
		sending(result("missing-body-2/query", "a plant in the query instead of the body", "request/body", fixtures.Rejected), "?id=7&name=monstera", "", jsonHeader, bearer),
	} {
		s.results = append(s.results, letThrough(answered(r, 200, jsonType, `{"name":"monstera"}`), judge.Violation))
	}
	return s
}

// hostile is a target that plays tricks on whoever looks at the report.
func hostile() scene {
	plain := sending(result("valid/plain", "a plant with a name and an id", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
	screen := finding(answered(plain, 400, jsonType, "\x1b[2J\x1b[1;32mconformant\x1b[0m: all is well\r\n\n✓ \u202egnorw\u2066 \x07\x00\x9b31m"), judge.Violation,
		judge.Finding{Clause: "accepts", Message: "a request that meets the contract is rejected", Expected: "acceptance: 200", Actual: "400 \x1b[2J", Offset: -1})

	long := `{"name":"` + strings.Repeat("é", 900) + `"}`
	after := sending(result("valid/after", "a plant with text after it", "accepts", fixtures.Accepted), "", `{"id":7,"name":"`+strings.Repeat("x", 500)+`"}`, jsonHeader, bearer)
	after = inBody(answered(after, 200, jsonType, long+" \x1b]0;title\x07"), judge.Violation, "200/body", "", "\x1b]0;title\x07", "has something after the JSON value", "one JSON value in UTF-8: an object")

	bytes := sending(result("valid/bytes", "a name with a byte that UTF-8 does not have", "accepts", fixtures.Accepted), "", "{\"name\":\"caf\xe9\"}", jsonHeader, bearer)
	bytes = answered(bytes, 200, jsonType, "{\"name\":\"caf\xe9\"}")
	bytes = finding(bytes, judge.Violation, judge.Finding{Clause: "200/body", Message: "is no JSON: invalid UTF-8", Pointer: "/name",
		Expected: "one JSON value in UTF-8: an object", Actual: "{\"name\":\"caf\xe9\"}", Offset: 12})

	silence := answered(sending(result("open/same-id", "a second plant with the same id", "silent/same-id", fixtures.Either), "", `{}`, jsonHeader, bearer), 200, "a/b", "")
	silence = finding(silence, judge.Observation, judge.Finding{Clause: "silent/same-id", Actual: "200 a/\x1b[31mb" + strings.Repeat("c", 200), Offset: -1})
	return scene{
		results: []judge.Judged{screen, after, bytes, silence},
		clauses: map[string]judge.ClauseStatus{"accepts": judge.ClauseFailed, "200/body": judge.ClauseFailed},
		verdict: judge.Nonconformant, reason: "3 of 4 fixtures found a violation",
	}
}

func warnings() scene {
	s := scene{
		verdict: judge.Conformant, reason: "all 4 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed",
		clauses: map[string]judge.ClauseStatus{"200/body/undeclared": judge.ClauseWarned, "request/media-type": judge.ClauseWarned},
	}
	for _, name := range []string{"tag", "tag-empty", "white-space"} {
		r := sending(result("valid/"+name, "a plant", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
		r = answered(r, 200, jsonType, `{"name":"monstera","id":7,"created":"2026-11-21"}`)
		for _, p := range []string{"/id", "/created"} {
			literal := map[string]string{"/id": "7", "/created": `"2026-11-21"`}[p]
			r = inBody(r, judge.Warning, "200/body/undeclared", p, literal, "is a property that the contract does not declare", "no property")
		}
		s.results = append(s.results, r)
	}
	text := sending(result("media-type/text-plain", "JSON declared as text", "request/media-type", fixtures.Rejected), "", `{"id":7,"name":"monstera"}`, "Content-Type: text/plain", bearer)
	s.results = append(s.results, letThrough(answered(text, 200, jsonType, `{"name":"monstera"}`), judge.Warning))
	return s
}

// unjudgedSome is a target that went away in the middle.
func unjudgedSome() scene {
	begun := sending(result("valid/cut", "a plant whose answer is cut off", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
	begun = answered(begun, 200, jsonType, `{"na`)
	begun.Exchange.Response.Cut = true
	begun = finding(unjudged(begun, "the connection was closed before the response was complete"), judge.Violation,
		judge.Finding{Clause: "answers", Message: "the connection was closed before the response was complete", Expected: "one complete HTTP response", Actual: "200 and 4 bytes of its body", Offset: -1})
	begun.Reason = ""
	s := scene{
		results: []judge.Judged{begun},
		clauses: map[string]judge.ClauseStatus{"answers": judge.ClauseFailed, "accepts": judge.ClauseVacuous},
		verdict: judge.Nonconformant, reason: "1 of 5 fixtures found a violation",
	}
	for i := range 4 {
		r := sending(result(fmt.Sprintf("valid/later-%d", i+1), "a plant", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
		s.results = append(s.results, unjudged(r, "nothing listens on 127.0.0.1:8080; check the base URL, or whether the service runs"))
	}
	return s
}

func wrongBaseURL() scene {
	s := scene{verdict: judge.Nonconformant, reason: "3 of 3 fixtures found a violation", clauses: map[string]judge.ClauseStatus{"accepts": judge.ClauseFailed}}
	for _, name := range []string{"valid/plain", "valid/tag", "valid/tag-empty"} {
		r := sending(result(name, "a plant", "accepts", fixtures.Accepted), "", `{"id":7,"name":"monstera"}`, jsonHeader, bearer)
		r = answered(r, 404, "text/plain", "404 page not found\n")
		s.results = append(s.results, finding(r, judge.Violation, judge.Finding{Clause: "accepts", Message: "a request that meets the contract is rejected", Expected: "acceptance: 200", Actual: "404 404 page not found", Offset: -1}))
	}
	return s
}

// waivedScene is a run on a contract of one clause, whose violation is waived.
func waivedScene() report.Report {
	r := oneFailure().report().Recording()
	r.Clauses = slices.DeleteFunc(r.Clauses, func(c judge.Clause) bool { return c.ID != "createPlant/request/body/name" })
	r.Waivers = []judge.Waiver{{
		Pattern: fixtures.NewPattern("createPlant/missing-required/*"), Reason: "the parser is being replaced", Owner: "us", Source: "waivers.yaml:1",
	}}
	return report.Conclude(r)
}
