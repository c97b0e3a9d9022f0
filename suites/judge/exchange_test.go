package judge_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
)

func TestFailuresOfTheExchange(t *testing.T) {
	w := load(t)
	f := w.Fixtures["make/missing/name"]
	for kind, want := range map[replay.FailureKind]judge.Status{
		replay.Incomplete:  judge.Failed,
		replay.OverLimit:   judge.Unjudged,
		replay.Unreachable: judge.Unjudged,
		replay.Throttled:   judge.Unjudged,
		replay.OverBudget:  judge.Unjudged,
		replay.GivenUp:     judge.Unjudged,
		replay.Canceled:    judge.Unjudged,
		replay.Unreadable:  judge.Unjudged,
	} {
		t.Run(string(kind), func(t *testing.T) {
			r := judge.Exchange(t.Context(), w.Contract, f, replay.Exchange{Failure: &replay.Failure{Kind: kind, Message: "because"}}, judge.Options{})
			if r.Status != want {
				t.Fatalf("status %s, want %s", r.Status, want)
			}
			if want == judge.Failed {
				if got := findings(r); !slices.Equal(got, []string{"violation make/answers"}) || !slices.Equal(r.Exercised, []spec.ClauseID{"make/answers"}) || r.Findings[0].Message != "because" {
					t.Errorf("findings %+v", r.Findings)
				}
				return
			}
			if r.Reason != "because" || len(r.Findings) > 0 || len(r.Exercised) > 0 {
				t.Errorf("an unjudged result says something: %+v", r)
			}
		})
	}
}

// The clause answers covers what happens around a response.
func TestConnection(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name    string
		change  func(*replay.Exchange)
		options judge.Options
		want    []string
	}{
		{"a request that was sent once more", func(x *replay.Exchange) { x.Resent = "because" }, judge.Options{}, []string{"warning make/answers"}},
		{"the same, strictly", func(x *replay.Exchange) { x.Resent = "because" }, judge.Options{Strict: true}, []string{"violation make/answers"}},
		{"and not answered either", func(x *replay.Exchange) {
			x.Resent, x.Response, x.Failure = "because", nil, &replay.Failure{Kind: replay.Incomplete, Message: "closed"}
		}, judge.Options{}, []string{"violation make/answers"}},
		{"and not answered because the run ended", func(x *replay.Exchange) {
			x.Resent, x.Response, x.Failure = "because", nil, &replay.Failure{Kind: replay.Canceled, Message: "interrupted"}
		}, judge.Options{}, []string{}},
		{"gzip that was refused", func(x *replay.Exchange) { x.Response.Refused = true }, judge.Options{}, []string{"warning make/answers"}},
		{"gzip that was refused, strict", func(x *replay.Exchange) { x.Response.Refused = true }, judge.Options{Strict: true}, []string{"violation make/answers"}},
		{"bytes after the response", func(x *replay.Exchange) { x.Unasked = []byte("HTTP/1.1 200 OK") }, judge.Options{}, []string{"violation make/answers"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			x := replay.Recorded(nil, replay.Request{Method: http.MethodPost}, 400, http.Header{"Content-Type": {jsonType}}, []byte(`{"text":"no"}`))
			row.change(&x)
			if got := findings(judge.Exchange(t.Context(), w.Contract, w.Fixtures["make/missing/name"], x, row.options)); !slices.Equal(got, row.want) {
				t.Errorf("findings %q, want %q", got, row.want)
			}
		})
	}
}

// finding returns the finding of that clause.
func finding(t *testing.T, r judge.Judged, clause spec.ClauseID) judge.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Clause == clause {
			return f
		}
	}
	t.Fatalf("no finding of %s among %+v", clause, r.Findings)
	return judge.Finding{}
}

// TestEvidenceIsCut: evidence that is too long to read is cut around the place of interest.
func TestEvidenceIsCut(t *testing.T) {
	w := load(t)
	x := func(n int) string { return strings.Repeat("x", n) }
	early := `{"text":"` + x(100) + `", oops, ` + x(1000) + `"}`
	second := `{"text":"` + x(189) + `", oops, ` + x(1000) + `"}`
	middle := `{"text":"` + x(1000) + `", oops, ` + x(1000) + `"}`
	late := `{"text":"` + x(1000) + `", oops, ` + x(100) + `"}`
	for _, row := range []struct{ name, body, clause, want string }{
		{"as long as may be", x(400), "make/400/body", x(400)},
		{"one byte longer", x(401), "make/400/body", x(400) + "… (of 401 bytes)"},
		{"a place near the beginning", early, "make/400/body", early[:400] + "… (of 1120 bytes)"},
		{"a place just behind that", second, "make/400/body", "…" + second[1:401] + "… (of 1209 bytes)"},
		{"a place in the middle", middle, "make/400/body", "…" + middle[812:1212] + "… (of 2020 bytes)"},
		{"a place near the end", late, "make/400/body", "…" + late[720:] + " (of 1120 bytes)"},
		{"through a character", strings.Repeat("é", 150) + x(99) + "éé", "make/400/body", strings.Repeat("é", 150) + x(99) + "… (of 403 bytes)"},
		{"a value, from where it begins", `{"text":[` + strings.Repeat("1,", 300) + `1]}`, "make/400/body/text", "[" + strings.Repeat("1,", 199) + "1… (of 603 bytes)"},
		{"a value far behind", `{"pad":"` + x(1000) + `","text":[` + strings.Repeat("1,", 300) + `1]}`, "make/400/body/text", "[" + strings.Repeat("1,", 199) + "1… (of 603 bytes)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := w.judge(t, "make/missing/name", answer{400, jsonType, row.body}, judge.Options{})
			if got := finding(t, r, spec.ClauseID(row.clause)).Actual; got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

// TestEvidenceHoldsNoSecret: if a target sends the credential back, in any place, no report shows it.
func TestEvidenceHoldsNoSecret(t *testing.T) {
	const token = "a-token-that-nobody-may-see"
	w := load(t)
	far := strings.Repeat("x", 1000)
	for _, row := range []struct {
		name, body, clause string
		want               judge.Finding // its texts
	}{
		{"in a property's name", `{"text":"","` + token + `":1}`, "make/400/body/undeclared",
			judge.Finding{Pointer: "/[redacted]", Expected: "only text", Actual: "1"}},
		{"in a value", `{"text":["` + token + `"]}`, "make/400/body/text",
			judge.Finding{Pointer: "/text", Expected: "a string", Actual: `["[redacted]"]`}},
		{"in a body that is no JSON, before the place", token + " " + far, "make/400/body",
			judge.Finding{Expected: "one JSON value in UTF-8: an object", Actual: "[redacted] " + far[:389] + "… (of 1011 bytes)"}},
		{"behind the beginning of what is no JSON", `{"text":"` + far + `" ` + token, "make/400/body",
			judge.Finding{Expected: "one JSON value in UTF-8: an object", Actual: `{"text":"` + far[:391] + "… (of 1021 bytes)"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", jsonType)
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, row.body)
			}))
			t.Cleanup(server.Close)
			client, err := replay.NewClient(replay.Target{BaseURL: server.URL, Token: token}, replay.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			f := w.Fixtures["make/missing/name"]
			var x replay.Exchange
			client.All(t.Context(), replay.OneBatch(f.Message(1, 0)), func(_, _ int, answered replay.Exchange) { x = answered })
			got := finding(t, judge.Exchange(t.Context(), w.Contract, f, x, judge.Options{}), spec.ClauseID(row.clause))
			if got.Pointer != row.want.Pointer || got.Expected != row.want.Expected || got.Actual != row.want.Actual || strings.Contains(got.Message, token) {
				t.Errorf("got  %+v\nwant %+v", got, row.want)
			}
		})
	}
}

// TestIncompleteAnswersAreTold: the evidence has what was received.
func TestIncompleteAnswersAreTold(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name     string
		response *replay.Response
		want     string
	}{
		{"not even a status", nil, "no response"},
		{"a part of the body", &replay.Response{Status: 200, Body: []byte("{")}, "200 and 1 bytes of its body"},
	} {
		t.Run(row.name, func(t *testing.T) {
			x := replay.Exchange{Response: row.response, Failure: &replay.Failure{Kind: replay.Incomplete, Message: "broken off"}}
			r := judge.Exchange(t.Context(), w.Contract, w.Fixtures["make/missing/name"], x, judge.Options{})
			if f := finding(t, r, "make/answers"); f.Actual != row.want || f.Offset != -1 {
				t.Errorf("got %q at %d, want %q", f.Actual, f.Offset, row.want)
			}
		})
	}
}

// TestExpectedStatuses: a finding names the declared statuses as expected, if there are only a few.
func TestExpectedStatuses(t *testing.T) {
	for _, row := range []struct{ declared, acceptance, rejection string }{
		{"200 400", "acceptance: 200", "a rejection: 4xx, such as the declared 400"},
		{"300 500", "acceptance: 2xx", "a rejection: 4xx"},
		{"299 499", "acceptance: 299", "a rejection: 4xx"},
		{"200 201 202 203 400 401 402 403", "acceptance: 200 or 201 or 202 or 203", "a rejection: 4xx, such as the declared 400"},
		{"200 201 202 203 204 400 401 402 403 404", "acceptance: 2xx", "a rejection: 4xx"},
		{"2XX 4XX", "acceptance: 2xx", "a rejection: 4xx"},
	} {
		t.Run(row.declared, func(t *testing.T) {
			responses := ""
			for status := range strings.FieldsSeq(row.declared) {
				responses += fmt.Sprintf("'%s': {description: d}, ", status)
			}
			contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: x, parameters: [{name: q, in: query, required: true, schema: {}}], responses: {" + responses + "}}}}\n")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for expect, want := range map[fixtures.Expectation]string{fixtures.Accepted: row.acceptance, fixtures.Rejected: row.rejection} {
				clause, answered := "x/accepts", 418
				if expect == fixtures.Rejected {
					clause, answered = "x/request/query/q", 226
				}
				c, _ := contract.Clause(spec.ClauseID(clause))
				f := fixtures.Fixture{ID: "f", Operation: contract.Operations[0], Clause: c, Expect: expect}
				r := judge.Exchange(t.Context(), contract, f, replay.Recorded(nil, replay.Request{}, answered, nil, nil), judge.Options{})
				if got := finding(t, r, spec.ClauseID(clause)).Expected; got != want {
					t.Errorf("%s: %q, want %q", expect, got, want)
				}
			}
		})
	}
}

// TestContentRange: a part has the length in its Content-Range, unless it has a content coding.
func TestContentRange(t *testing.T) {
	w := load(t)
	for _, row := range []struct {
		name, body string
		header     http.Header
		want       bool
	}{
		{"as long as it says", "abc", http.Header{"Content-Range": {"bytes 2-4/9"}, "Content-Length": {"3"}}, false},
		{"of unknown size", "abc", http.Header{"Content-Range": {"bytes 2-4/*"}, "Content-Length": {"3"}}, false},
		{"in gzip, which was undone", "abc", http.Header{"Content-Range": {"bytes 0-22/23"}, "Content-Length": {"23"}}, false},
		{"in gzip, of unknown length", "abc", http.Header{"Content-Range": {"bytes 0-22/23"}}, false},
		{"in other units", "abc", http.Header{"Content-Range": {"lines 0-0/23"}, "Content-Length": {"3"}}, false},
		{"the whole", "abcdefghi", http.Header{"Content-Range": {"bytes 2-4/9"}, "Content-Length": {"9"}}, true},
		{"a byte more", "abcd", http.Header{"Content-Range": {"bytes 2-4/9"}, "Content-Length": {"4"}}, true},
	} {
		f := w.Fixtures["make/valid/plain"]
		x := replay.Recorded(nil, replay.Request{Method: http.MethodPost}, http.StatusPartialContent, row.header, []byte(row.body))
		judged := judge.Exchange(t.Context(), w.Contract, f, x, judge.Options{})
		if found := slices.ContainsFunc(judged.Findings, func(f judge.Finding) bool { return f.Clause == "make/answers" }); found != row.want {
			t.Errorf("%s: %v", row.name, judged.Findings)
		}
	}
}

// TestRepeatedURL: a link that repeats an invalid part of the request URL is not a fault of the service.
func TestRepeatedURL(t *testing.T) {
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {self: {type: string, format: uri-reference}}}}}}}}}}\n")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, _ := contract.Clause("x/answers")
	f := fixtures.Fixture{ID: "f", Operation: contract.Operations[0], Clause: answers, Expect: fixtures.Either}
	for _, row := range []struct {
		url, self string
		want      int
	}{
		{"http://a/a?x=%zz", "/a?x=%zz&page=1", 0},
		{"http://a/a?x=%", "/a?x=%", 0},
		{"http://a/a?x=%zz", "/a?x=%25zz", 0},
		{"http://a/a?x=%zz", "/a?x=%yy", 1},
		{"http://a/a?x=%FF", "/a?x=%zz", 1},
		{"http://a/a", "a b", 1},
	} {
		x := replay.Recorded(nil, replay.Request{Method: http.MethodGet, URL: row.url}, http.StatusOK, http.Header{"Content-Type": {jsonType}}, fmt.Appendf(nil, `{"self":%q}`, row.self))
		if judged := judge.Exchange(t.Context(), contract, f, x, judge.Options{}); len(judged.Findings) != row.want {
			t.Errorf("%+v: %v", row, judged.Findings)
		}
	}
}

// The names of header fields are case-insensitive (RFC 9110 §5.1), which matters for recorded
// traffic. A service may return another id than the one in a JSON body.
func TestMediaTypeOfWhatWasSent(t *testing.T) {
	document := `{openapi: 3.0.3, info: {title: t, version: '1'}, paths: {/things: {post: {operationId: make,
  requestBody: {content: {application/json: {schema: &thing {type: object, properties: {id: {type: string}, name: {type: string}}}}}},
  responses: {'201': {description: d, content: {application/json: {schema: *thing}}}}}}}}`
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Content-Type", "content-type", "CONTENT-TYPE"} {
		for body, want := range map[string]int{`{"id":"mine","name":"a"}`: 0, `{"id":"mine","name":"b"}`: 1} {
			sent := replay.Request{Header: []fixtures.Field{{Name: name, Value: jsonType}}, Body: []byte(body)}
			x := replay.Recorded(nil, sent, 201, http.Header{"Content-Type": {jsonType}}, []byte(`{"id":"7","name":"a"}`))
			if r := judge.Exchange(t.Context(), contract, judge.AnyRequest(contract, contract.Operations[0]), x, judge.Options{}); len(r.Findings) != want {
				t.Errorf("%s: %+v", name, r.Findings)
			}
		}
	}
}
