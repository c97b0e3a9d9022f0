package judge_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

// TestFlawsOfTheContract: parts that a flaw of the contract affects are unjudged. A flaw never
// decides the verdict.
func TestFlawsOfTheContract(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    get:
      operationId: a
      parameters: [{name: q, in: query, schema: {type: string, pattern: '('}}]
      responses:
        '200': {description: d, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer, minimum: x}}}}}}
        '201': {$ref: '#/nowhere'}
        '202': {description: d, content: {application/json: {schema: {not: {type: object, properties: {n: {minimum: x}}}}}}}
        '203': {description: d, headers: {A: {schema: {type: integer, minimum: x}}}, content: {json: {}, text/plain: {}}}
        '400': {description: d}
`
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	accepts, _ := contract.Clause("a/accepts")
	const found = "the contract has a flaw: x.yaml:"
	for _, row := range []struct {
		what   string
		answer answer
		header string
		want   judge.Status
		reason string
	}{
		{"what the rest of a schema permits", answer{200, jsonType, `{"n":1}`}, "", judge.Unjudged, found + "9:141: minimum must be a number"},
		{"what the rest of a schema rules out", answer{200, jsonType, `{}`}, "", judge.Failed, ""},
		{"a media type that is not declared", answer{200, "text/html", ``}, "", judge.Failed, ""},
		{"a response of which nothing is known", answer{201, jsonType, `{}`}, "", judge.Unjudged, found + `10:23: $ref "#/nowhere" points to nothing`},
		{"what only the whole schema may permit", answer{202, jsonType, `{"n":1}`}, "", judge.Unjudged, found + "11:117: minimum must be a number"},
		{"a media type, where one cannot be read", answer{203, "text/html", ``}, "", judge.Unjudged, found + "12:"},
		{"a header", answer{203, "text/plain", ``}, "1", judge.Unjudged, found + "12:"},
		{"a header of the wrong type", answer{203, "text/plain", ``}, "x", judge.Failed, ""},
		{"a media type that can be read", answer{203, "text/plain", ``}, "", judge.Passed, ""},
		{"a rejection of what may be invalid", answer{400, "", ``}, "", judge.Unjudged, found + "7:73: this pattern is not supported"},
	} {
		header := http.Header{}
		if row.answer.MediaType != "" {
			header.Set("Content-Type", row.answer.MediaType)
		}
		if row.header != "" {
			header.Set("A", row.header)
		}
		f := fixtures.Fixture{ID: "f", Operation: contract.Operations[0], Clause: accepts, Expect: fixtures.Accepted, Level: spec.Must}
		r := judge.Exchange(t.Context(), contract, f, replay.Recorded(nil, replay.Request{}, row.answer.Status, header, []byte(row.answer.Body)), judge.Options{})
		if r.Status != row.want || !strings.HasPrefix(r.Reason, row.reason) {
			t.Errorf("%s: %s, %q, %v", row.what, r.Status, r.Reason, r.Findings)
		}
		if r.Excused {
			t.Errorf("%s is excused, though a person wrote the fixture", row.what)
		}
		if row.want == judge.Unjudged && slices.ContainsFunc(r.Exercised, func(id spec.ClauseID) bool { return strings.Contains(string(id), "/body") }) {
			t.Errorf("%s: exercised %q", row.what, r.Exercised)
		}
	}
}
