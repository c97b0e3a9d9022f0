package reporttest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const (
	JSONType   = "application/json"
	JSONHeader = "Content-Type: application/json"
	Bearer     = "Authorization: Bearer [redacted]"
)

func All() map[string]Scene {
	return map[string]Scene{
		"conformant":      Conformant(),
		"selected":        selected(),
		"one-failure":     OneFailure(),
		"several-in-one":  severalInOne(),
		"one-cause":       OneCause(),
		"special-request": specialRequests(),
		"hostile":         Hostile(),
		"warnings":        Warnings(),
		"unjudged":        UnjudgedSome(),
		"wrong-base-url":  WrongBaseURL(),
		"nothing":         Nothing(),
		"excused":         Excused(),
		"everything":      Everything(),
	}
}

// Everything returns a run that combines several scenes, for the formats that show a full report.
func Everything() Scene {
	s := Scene{
		Verdict: verdict.Nonconformant, Reason: "3 of 13 fixtures found a violation",
		clauses: map[string]verdict.ClauseStatus{
			"request/body/name": verdict.ClauseFailed, "400/media-type": verdict.ClauseFailed, "400/body/error": verdict.ClauseFailed, "400/body/message": verdict.ClauseFailed,
			"answers":             verdict.ClauseFailed,
			"200/body/undeclared": verdict.ClauseWarned, "request/media-type": verdict.ClauseWarned, "request/body": verdict.ClauseVacuous, "request/credential": verdict.ClauseUnexercised,
		},
	}
	for _, part := range []Scene{Conformant(), OneFailure(), severalInOne(), Warnings(), UnjudgedSome()} {
		s.Results = append(s.Results, part.Results...)
	}
	slices.SortStableFunc(s.Results, byFixture)
	s.Results = slices.CompactFunc(s.Results, func(a, b judge.Judged) bool { return a.Fixture == b.Fixture })
	return s
}

func byFixture(a, b judge.Judged) int { return strings.Compare(a.Fixture, b.Fixture) }

func Conformant() Scene {
	plain := Posted("valid/plain", "a plant with a name and an id", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
	twice := Posted("open/same-id", "a second plant with the same id", "silent/same-id", fixtures.Either, `{"id":7,"name":"monstera"}`)
	twice = Finding(Answered(twice, 409, JSONType, `{}`), judge.Observation,
		judge.Finding{Clause: "silent/same-id", Message: "the contract leaves this open", Actual: "409 application/json", Offset: -1})
	return Scene{
		Results: []judge.Judged{Answered(plain, 200, JSONType, `{"name":"monstera"}`), twice},
		Verdict: verdict.Conformant, Reason: "all 2 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed",
	}
}

// selected returns a run with --only. It is conformant, but with little evidence.
func selected() Scene {
	s := Conformant()
	s.Results = s.Results[:1]
	s.headline = "conformant in 3 of 9 must-clauses"
	s.Reason = "one fixture was judged and found no violation, and 3 of 9 must-clauses passed (6 not tested)"
	s.clauses = map[string]verdict.ClauseStatus{
		"request/credential": verdict.ClauseUnexercised, "request/body": verdict.ClauseUnexercised, "request/body/name": verdict.ClauseUnexercised,
		"400/media-type": verdict.ClauseVacuous, "400/body/error": verdict.ClauseVacuous, "400/body/message": verdict.ClauseVacuous,
	}
	return s
}

// Excused returns a run of a service that rejects a second plant with the same id, as the
// contract permits. So the run cannot show whether it rejects other faults of such a plant.
func Excused() Scene {
	s := Conformant()
	again := Posted("open/id-known", "a plant whose id is known", "silent/same-id", fixtures.Either, `{"id":7,"name":"monstera"}`)
	s.Results = append(s.Results, Answered(again, 400, JSONType, `{"error":1,"message":"known"}`))
	for name, body := range map[string]string{"missing-required/name.id-known": `{"id":7}`, "wrong-type/name-null.id-known": `{"id":7,"name":null}`} {
		r := Posted(name, "no name, and the id is known", "request/body/name", fixtures.Rejected, body)
		r.Control = again.Fixture
		s.Results = append(s.Results, Answered(r, 400, JSONType, `{"error":1,"message":"known"}`))
	}
	slices.SortFunc(s.Results, byFixture)
	s.Reason = "3 of 5 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed (2 fixtures skipped)"
	return s
}

// Nothing returns a run that was interrupted before the first request.
func Nothing() Scene {
	s := Scene{Verdict: verdict.Inconclusive, Reason: "nothing was judged", clauses: map[string]verdict.ClauseStatus{}}
	for _, c := range Contract() {
		s.clauses[c.ID.Part()] = verdict.ClauseUnexercised
	}
	return s
}

// OneFailure returns a run with one failed fixture, the example in DESIGN.md.
func OneFailure() Scene {
	r := Posted("missing-required/name", "a plant without a name", "request/body/name", fixtures.Rejected, `{"id":7203685477580123}`)
	return Scene{
		Results: []judge.Judged{LetThrough(Answered(r, 200, JSONType, `{"name":""}`), judge.Violation)},
		clauses: map[string]verdict.ClauseStatus{"request/body/name": verdict.ClauseFailed},
		Verdict: verdict.Nonconformant, Reason: "1 of 1 fixtures found a violation",
	}
}

// LetThrough adds the finding that the service accepts an invalid request.
func LetThrough(r judge.Judged, severity judge.Severity) judge.Judged {
	return Finding(r, severity, judge.Finding{
		Clause: spec.ClauseID(r.Clause.Part()), Message: "the service accepts a request that the contract forbids", Expected: "a rejection: 4xx, such as the declared 400",
		Actual: fmt.Sprintf("%d %s", r.Exchange.Response.Status, r.Exchange.Response.Body), Offset: -1,
	})
}

// severalInOne returns a run in which one response breaks three clauses.
func severalInOne() Scene {
	r := Posted("malformed/comment", "JSON with a comment", "request/body", fixtures.Rejected, `{"id": 7, /* the name */ "name": "monstera"}`)
	return Scene{
		Results: []judge.Judged{brokenError(r)},
		clauses: map[string]verdict.ClauseStatus{"400/media-type": verdict.ClauseFailed, "400/body/error": verdict.ClauseFailed, "400/body/message": verdict.ClauseFailed},
		Verdict: verdict.Nonconformant, Reason: "1 of 1 fixtures found a violation",
	}
}

// brokenError adds a rejection whose body has the format of a web framework.
func brokenError(r judge.Judged) judge.Judged {
	r = Answered(r, 400, "text/html", `{"timestamp":"2026-11-21T08:21:11.000+00:00","status":400,"error":"Bad Request","path":"/plants"}`)
	r = Finding(r, judge.Violation, judge.Finding{Clause: "400/media-type", Message: "comes with a media type that is not declared", Expected: "Content-Type: application/json", Actual: "Content-Type: text/html", Offset: -1})
	r = InBody(r, judge.Violation, "400/body/error", "/error", `"Bad Request"`, "has the wrong type", "an int32")
	return Finding(r, judge.Violation, judge.Finding{Clause: "400/body/message", Message: "is missing", Pointer: "/message", Expected: "the property message, a string", Actual: "no such property", Offset: 0})
}

// OneCause returns a run of a service in which one fault makes many fixtures fail.
func OneCause() Scene {
	s := severalInOne()
	s.Results = nil
	for group, n := range map[string]int{"malformed": 9, "missing-body": 3, "wrong-type": 1} {
		for i := range n {
			r := Posted(fmt.Sprintf("%s/case-%d", group, i+1), "no plant", "request/body", fixtures.Rejected, "[]")
			s.Results = append(s.Results, brokenError(r))
		}
	}
	slices.SortFunc(s.Results, byFixture)
	// The service accepts these invalid requests, which differ in their bodies.
	for _, name := range []string{"wrong-type/name-list", "wrong-type/name-null", "missing-required/name"} {
		r := Posted(name, "no name", "request/body/name", fixtures.Rejected, `{"id":7}`)
		s.Results = append(s.Results, LetThrough(Answered(r, 200, JSONType, `{"name":""}`), judge.Violation))
	}
	s.clauses["request/body/name"] = verdict.ClauseFailed
	s.Reason = "16 of 16 fixtures found a violation"
	return s
}

// specialRequests returns a run with --strict. Its requests are invalid outside the body.
func specialRequests() Scene {
	s := Scene{Verdict: verdict.Nonconformant, Reason: "8 of 8 fixtures found a violation", clauses: map[string]verdict.ClauseStatus{
		"request/credential": verdict.ClauseFailed, "request/body": verdict.ClauseFailed, "request/media-type": verdict.ClauseFailed, "answers": verdict.ClauseFailed,
	}}
	const body = `{"id":7,"name":"monstera"}`
	for _, r := range []judge.Judged{
		Sending(Judged("no-token/no-header", "no Authorization header", "request/credential", fixtures.Rejected), "", body, JSONHeader),
		Sending(Judged("basic/basic", "the Basic scheme", "request/credential", fixtures.Rejected), "", body, JSONHeader, "Authorization: Basic cGxhbnQ6c3RvcmU="),
		Sending(Judged("empty/empty", "an Authorization header that says nothing", "request/credential", fixtures.Rejected), "", body, JSONHeader, "Authorization: "),
		Sending(Judged("query/query", "the token in the query only", "request/credential", fixtures.Rejected), "?access_token=[redacted]", body, JSONHeader),
		Sending(Judged("media-type/text", "JSON declared as text", "request/media-type", fixtures.Rejected), "", body, "Content-Type: text/plain", Bearer),
		Sending(Judged("no-media-type/none", "JSON without a media type", "request/media-type", fixtures.Rejected), "", body, Bearer),
		Posted("missing-body/none", "no body, though a media type is declared", "request/body", fixtures.Rejected, ""),
		Sending(Judged("missing-body-2/query", "a plant in the query instead of the body", "request/body", fixtures.Rejected), "?id=7&name=monstera", "", JSONHeader, Bearer),
	} {
		s.Results = append(s.Results, LetThrough(Answered(r, 200, JSONType, `{"name":"monstera"}`), judge.Violation))
	}
	return s
}

// Hostile returns a run of a target that tries to manipulate the display of the report.
func Hostile() Scene {
	plain := Posted("valid/plain", "a plant with a name and an id", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
	screen := Finding(Answered(plain, 400, JSONType, "\x1b[2J\x1b[1;32mconformant\x1b[0m: all is well\r\n\n✓ \u202egnorw\u2066 \x07\x00\x9b31m"), judge.Violation,
		judge.Finding{Clause: "accepts", Message: "a valid request is rejected", Expected: "acceptance: 200", Actual: "400 \x1b[2J", Offset: -1})

	long := `{"name":"` + strings.Repeat("é", 900) + `"}`
	after := Posted("valid/after", "a plant with text after it", "accepts", fixtures.Accepted, `{"id":7,"name":"`+strings.Repeat("x", 500)+`"}`)
	after = InBody(Answered(after, 200, JSONType, long+" \x1b]0;title\x07"), judge.Violation, "200/body", "", "\x1b]0;title\x07", "has something after the JSON value", "one JSON value in UTF-8: an object")

	bytes := Posted("valid/bytes", "a name with a byte that UTF-8 does not have", "accepts", fixtures.Accepted, "{\"name\":\"caf\xe9\"}")
	bytes = Answered(bytes, 200, JSONType, "{\"name\":\"caf\xe9\"}")
	bytes = Finding(bytes, judge.Violation, judge.Finding{Clause: "200/body", Message: "is no JSON: invalid UTF-8", Pointer: "/name",
		Expected: "one JSON value in UTF-8: an object", Actual: "{\"name\":\"caf\xe9\"}", Offset: 12})

	silence := Answered(Posted("open/same-id", "a second plant with the same id", "silent/same-id", fixtures.Either, `{}`), 200, "a/b", "")
	silence = Finding(silence, judge.Observation, judge.Finding{Clause: "silent/same-id", Actual: "200 a/\x1b[31mb" + strings.Repeat("c", 200), Offset: -1})
	return Scene{
		Results: []judge.Judged{screen, after, bytes, silence},
		clauses: map[string]verdict.ClauseStatus{"accepts": verdict.ClauseFailed, "200/body": verdict.ClauseFailed},
		Verdict: verdict.Nonconformant, Reason: "3 of 4 fixtures found a violation",
	}
}

func Warnings() Scene {
	s := Scene{
		Verdict: verdict.Conformant, Reason: "all 4 fixtures were judged, none found a violation, and 9 of 9 must-clauses passed",
		clauses: map[string]verdict.ClauseStatus{"200/body/undeclared": verdict.ClauseWarned, "request/media-type": verdict.ClauseWarned},
	}
	for _, name := range []string{"tag", "tag-empty", "white-space"} {
		r := Posted("valid/"+name, "a plant", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
		r = Answered(r, 200, JSONType, `{"name":"monstera","id":7,"created":"2026-11-21"}`)
		for _, p := range []string{"/id", "/created"} {
			literal := map[string]string{"/id": "7", "/created": `"2026-11-21"`}[p]
			r = InBody(r, judge.Warning, "200/body/undeclared", p, literal, "is a property that the contract does not declare", "no property")
		}
		s.Results = append(s.Results, r)
	}
	text := Sending(Judged("media-type/text-plain", "JSON declared as text", "request/media-type", fixtures.Rejected), "", `{"id":7,"name":"monstera"}`, "Content-Type: text/plain", Bearer)
	s.Results = append(s.Results, LetThrough(Answered(text, 200, JSONType, `{"name":"monstera"}`), judge.Warning))
	return s
}

// UnjudgedSome returns a run of a target that stops in the middle of the run.
func UnjudgedSome() Scene {
	begun := Posted("valid/cut", "a plant whose answer is cut off", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
	begun = Answered(begun, 200, JSONType, `{"na`)
	begun.Exchange.Response.Cut = true
	begun = Finding(Unjudged(begun, "the connection was closed before the response was complete"), judge.Violation,
		judge.Finding{Clause: "answers", Message: "the connection was closed before the response was complete", Expected: "one complete HTTP response", Actual: "200 and 4 bytes of its body", Offset: -1})
	begun.Reason = ""
	s := Scene{
		Results: []judge.Judged{begun},
		clauses: map[string]verdict.ClauseStatus{"answers": verdict.ClauseFailed, "accepts": verdict.ClauseVacuous},
		Verdict: verdict.Nonconformant, Reason: "1 of 5 fixtures found a violation",
	}
	for i := range 4 {
		r := Posted(fmt.Sprintf("valid/later-%d", i+1), "a plant", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
		s.Results = append(s.Results, Unjudged(r, "nothing listens on 127.0.0.1:8080; check the base URL, or whether the service runs"))
	}
	return s
}

func WrongBaseURL() Scene {
	s := Scene{Verdict: verdict.Nonconformant, Reason: "3 of 3 fixtures found a violation", clauses: map[string]verdict.ClauseStatus{"accepts": verdict.ClauseFailed}}
	for _, name := range []string{"valid/plain", "valid/tag", "valid/tag-empty"} {
		r := Posted(name, "a plant", "accepts", fixtures.Accepted, `{"id":7,"name":"monstera"}`)
		r = Answered(r, 404, "text/plain", "404 page not found\n")
		s.Results = append(s.Results, Finding(r, judge.Violation, judge.Finding{Clause: "accepts", Message: "a valid request is rejected", Expected: "acceptance: 200", Actual: "404 404 page not found", Offset: -1}))
	}
	return s
}

// Waived returns a run on a contract with one clause, whose violation is waived.
func Waived() result.Report {
	r := OneFailure().Report().Recording()
	r.Clauses = slices.DeleteFunc(r.Clauses, func(c verdict.Clause) bool { return c.ID != "createPlant/request/body/name" })
	r.Waivers = []verdict.Waiver{{
		Pattern: fixtures.NewPattern("createPlant/missing-required/*"), Reason: "the parser is being replaced", Owner: "us", Source: "waivers.yaml:1",
	}}
	return result.Conclude(r)
}

// Many returns a large run with a few failures.
func Many(n int) Scene {
	s := Scene{Verdict: verdict.Nonconformant, clauses: map[string]verdict.ClauseStatus{"400/media-type": verdict.ClauseFailed, "400/body/error": verdict.ClauseFailed, "400/body/message": verdict.ClauseFailed}}
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
