package reporttest

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// A Scene is a made-up run: its results, clauses and verdict.
type Scene struct {
	Results []judge.Judged
	clauses map[string]verdict.ClauseStatus // all others passed
	Verdict verdict.Verdict
	Reason  string

	headline string // of a qualified verdict
}

const BaseURL = "http://127.0.0.1:8080"

// Report returns the scene as a report.
func (s Scene) Report() result.Report {
	head := result.Head{
		Harness:        result.Harness{Version: "v1.2.3", Commit: "0123456789abcdef0123456789abcdef01234567"},
		Contract:       result.Contract{Title: "Plant Store", Version: "1.0.0", SHA256: strings.Repeat("0123456789abcdef", 4), Source: "spec/openapi.yaml"},
		Implementation: result.Implementation{Name: "greenhouse", Version: "2.0", URL: "https://greenhouse.example"},
		Target:         result.Target{BaseURL: BaseURL},
		Run: result.Run{
			ID: "4ECG3KNITXVAI67244WTPDCRZ4", Started: time.Date(2026, 11, 21, 8, 21, 9, 926697946, time.UTC),
			DurationMs: 38.778, Seed: 7, Complete: true, Fixtures: len(s.Results),
		},
	}
	recording := result.Recording{Head: head, Clauses: verdict.Clauses(Contract(), head.Contract.Source)}
	for i, r := range s.Results {
		recording.Results = append(recording.Results, result.NewResult(r, i, Curl(r)))
	}
	out := result.Conclude(recording)
	out.Verdict, out.Headline, out.Qualified, out.Reason = s.Verdict, cmp.Or(s.headline, string(s.Verdict)), s.headline != "", s.Reason
	for i, c := range Contract() {
		out.Clauses[i].Status, out.Clauses[i].Fixtures = cmp.Or(s.clauses[c.ID.Part()], verdict.ClausePassed), []string{}
	}
	return out
}

// Curl returns a plausible curl command. It need not work.
func Curl(r judge.Judged) string {
	var command strings.Builder
	fmt.Fprintf(&command, "curl -X POST '%s'", r.Exchange.Request.URL)
	for _, h := range r.Exchange.Request.Header {
		fmt.Fprintf(&command, " -H \"%s: %s\"", h.Name, h.Value)
	}
	fmt.Fprintf(&command, " --data-binary '%s'", strings.ToValidUTF8(string(r.Exchange.Request.Body), "?"))
	return strings.ReplaceAll(command.String(), "[redacted]", "$CONFORMANCE_TOKEN")
}

// PlantStore returns the bundled contract.
func PlantStore(t testing.TB) *spec.Contract {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// Contract returns a few clauses, which resemble those of the bundled contract.
func Contract() []spec.Clause {
	line := 20
	clause := func(part spec.ClauseID, level spec.Level, section, text string) spec.Clause {
		c := spec.Clause{ID: "createPlant/" + part, Operation: "createPlant", Level: level, Section: section, Text: text}
		if level != spec.Silent { // silent clauses have no line in the document
			c.Line, line = line, line+3
		}
		return c
	}
	return []spec.Clause{
		clause("answers", spec.Must, "§4", "every request gets one complete HTTP response"),
		clause("accepts", spec.Must, "§4 r2", "a valid request is accepted with 200"),
		clause("request/credential", spec.Must, "§5", "a request without a bearer credential must be rejected"),
		clause("request/body", spec.Must, "§4 r1", "a request whose body is not a JSON object must be rejected"),
		clause("request/body/name", spec.Must, "§2", "a request whose name is missing or not a string must be rejected"),
		clause("request/media-type", spec.Should, "§4", "a request whose body is not declared as application/json should be rejected"),
		clause("200/body", spec.Must, "§2, 4 r2", "the body of a 200 response is one JSON object"),
		clause("200/body/undeclared", spec.Should, "§2 r2", "a 200 response has no property that Plant does not declare"),
		clause("400/media-type", spec.Must, "§4 r3, 7", "a 400 response has the media type application/json"),
		clause("400/body/error", spec.Must, "§4 r3, 7", "in a 400 response, error is present and is an int32"),
		clause("400/body/message", spec.Must, "§4 r3, 7", "in a 400 response, message is present and is a string"),
		clause("silent/same-id", spec.Silent, "§8", "what does a second plant with the same id get?"),
	}
}

// Judged returns a passed result of a fixture, without response and findings. The functions
// below add these.
func Judged(id, title string, clause spec.ClauseID, expect fixtures.Expectation) judge.Judged {
	return judge.Judged{
		Exchange: replay.Exchange{
			Request:  replay.Request{Method: "POST", URL: BaseURL + "/plants"},
			Duration: 1234 * time.Microsecond,
		},
		Outcome: judge.Outcome{
			Fixture: "createPlant/" + id, Title: title, Operation: "createPlant", Clause: "createPlant/" + clause, Expect: expect, Level: spec.Must,
			Source: "fixtures/createPlant/" + id + ".yaml:2", Status: judge.Passed, Findings: []judge.Finding{}, Exercised: []spec.ClauseID{},
		},
	}
}

// Sending sets the request of a result. Each header field is written as "Name: value".
func Sending(r judge.Judged, query, body string, header ...string) judge.Judged {
	r.Exchange.Request.URL += query
	r.Exchange.Request.Body = []byte(body)
	for _, field := range header {
		name, value, _ := strings.Cut(field, ": ")
		r.Exchange.Request.Header = append(r.Exchange.Request.Header, fixtures.Field{Name: name, Value: value})
	}
	return r
}

// Posted returns a result with this request body and the usual header.
func Posted(id, title string, clause spec.ClauseID, expect fixtures.Expectation, body string) judge.Judged {
	return Sending(Judged(id, title, clause, expect), "", body, JSONHeader, Bearer)
}

// Answered sets the response of a result.
func Answered(r judge.Judged, status int, mediaType, body string) judge.Judged {
	r.Exchange.Response = &replay.Response{Status: status, Header: http.Header{"Content-Type": {mediaType}}, Body: []byte(body)}
	return r
}

// Finding adds a finding to a result, and updates the status of the result.
func Finding(r judge.Judged, severity judge.Severity, f judge.Finding) judge.Judged {
	f.Clause, f.Severity = "createPlant/"+f.Clause, severity
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected, &f.Actual} {
		*text = judge.ValidText(*text) // as the judge does
	}
	r.Findings = append(r.Findings, f)
	switch {
	case severity == judge.Violation:
		r.Status = judge.Failed
	case severity == judge.Warning && r.Status == judge.Passed:
		r.Status = judge.Warned
	}
	return r
}

// InBody adds a finding about a literal in the response body of a result.
func InBody(r judge.Judged, severity judge.Severity, clause spec.ClauseID, pointer, literal, message, expected string) judge.Judged {
	offset := strings.Index(string(r.Exchange.Response.Body), literal)
	return Finding(r, severity, judge.Finding{Clause: clause, Message: message, Pointer: pointer, Expected: expected, Actual: literal, Offset: int64(max(offset, 0))})
}

func Unjudged(r judge.Judged, reason string) judge.Judged {
	r.Exchange.Failure = &replay.Failure{Kind: replay.Unreachable, Message: reason}
	r.Status, r.Reason = judge.Unjudged, reason
	return r
}
