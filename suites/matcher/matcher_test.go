package matcher_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/matcher"
)

var _ types.GomegaMatcher = matcher.Matcher{}

// answer writes a response with the given header fields: pairs of name and value.
func answer(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for pair := range slices.Chunk(header, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// fetched sends a plant to the handler over the network and returns the response.
func fetched(t *testing.T, handler http.Handler) *http.Response {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/plants?key=in-the-query", strings.NewReader(`{"id":7,"name":"fern"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer the-token-of-the-test")
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// The matcher has the same rules as a run, for a response from the network and from a recorder.
func TestMeetContract(t *testing.T) {
	contract := reporttest.PlantStore(t)
	for _, row := range []struct {
		what    string
		handler http.HandlerFunc
		match   bool
		strict  bool   // whether it matches strictly
		broken  string // clauses of all findings
	}{
		{"a plant", answer(200, `{"name":"fern"}`), true, true, ""},
		{"an Error", answer(400, `{"error":1,"message":"no"}`), true, true, "createPlant/silent/error-value"},
		{"an Error as text", answer(400, "no", "Content-Type", "text/plain"), false, false, "createPlant/400/media-type createPlant/400/body"},
		{"an Error of another shape", answer(400, `{"error":"no","message":""}`), false, false, "createPlant/400/body/error createPlant/silent/error-value"},
		{"a failure", answer(500, "{}"), false, false, "createPlant/answers createPlant/silent/other-statuses"},
		{"a redirect that is not followed", answer(304, ""), false, false, "createPlant/answers createPlant/silent/other-statuses"},
		{"an undeclared acceptance", answer(201, `{"name":"fern"}`), false, false, "createPlant/accepts createPlant/silent/other-statuses"},
		{"an undeclared rejection", answer(422, "{}"), true, false, "createPlant/silent/other-statuses"},
		{"an undeclared property", answer(200, `{"id":7,"name":"fern"}`), true, false, "createPlant/200/body/undeclared"},
		{"text after the JSON", answer(200, `{"name":"fern"} {}`), false, false, "createPlant/200/body"},
		{"no body", answer(200, ""), false, false, "createPlant/200/body"},
		{"a coding nobody asked for", answer(200, `{"name":"fern"}`, "Content-Encoding", "br"), false, false, "createPlant/200/body"},
	} {
		t.Run(row.what, func(t *testing.T) {
			m := matcher.MeetContract(contract, "createPlant")
			actuals := map[string]any{"fetched": fetched(t, row.handler)}
			if !strings.Contains(row.what, "coding") { // a recorder does not know the Accept-Encoding of the request
				recorder := httptest.NewRecorder()
				row.handler(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/plants", nil))
				actuals["recorded"] = recorder
			}
			for how, actual := range actuals {
				match, err := m.Match(actual)
				strict, strictErr := m.Strictly().Match(actual)
				if err != nil || strictErr != nil || match != row.match || strict != row.strict {
					t.Errorf("%s: it matches: %t, strictly: %t, want %t, %t; %v, %v", how, match, strict, row.match, row.strict, err, strictErr)
				}
				findings, err := m.Findings(actual)
				var clauses []string
				for _, f := range findings {
					clauses = append(clauses, string(f.Clause))
				}
				if got := strings.Join(slices.Compact(clauses), " "); err != nil || got != row.broken {
					t.Errorf("%s: findings on %q, want %q; %v", how, got, row.broken, err)
				}
			}
		})
	}
}

// If the request is known, the matcher compares it with the response.
func TestEcho(t *testing.T) {
	m := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	response := fetched(t, answer(200, `{"name":"moss"}`))
	findings, err := m.Findings(response)
	if err != nil || len(findings) != 1 || findings[0].Clause != "createPlant/200/echo" {
		t.Errorf("%+v, %v", findings, err)
	}
	if match, err := m.Strictly().Match(response); match || err != nil {
		t.Errorf("it matches strictly: %t, %v", match, err)
	}
}

// The test can read the body afterwards, even if it is too long to be judged, or ends too early.
func TestTheBodyIsPutBack(t *testing.T) {
	m := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	long := `{"name":"` + strings.Repeat("x", 2<<20) + `"}`
	for _, row := range []struct {
		what, body string
		response   func(body string) *http.Response
		says       string // the error of the match
	}{
		{"a short one", `{"name":"fern"}`, func(body string) *http.Response { return fetched(t, answer(200, body)) }, ""},
		{"a long one", long, func(body string) *http.Response { return fetched(t, answer(200, body)) }, "longer than 1048576 bytes"},
		{"a recorded one", `{"name":"fern"}`, func(body string) *http.Response {
			recorder := httptest.NewRecorder()
			answer(200, body)(recorder, nil)
			return recorder.Result()
		}, ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			response := row.response(row.body)
			for range 2 {
				_, err := m.Match(response)
				if row.says == "" && err != nil || row.says != "" && (err == nil || !strings.Contains(err.Error(), row.says)) {
					t.Errorf("%v, want %q", err, row.says)
				}
			}
			got, err := io.ReadAll(response.Body)
			if err != nil || string(got) != row.body {
				t.Errorf("%d of %d bytes are left to read, %v", len(got), len(row.body), err)
			}
			if err := response.Body.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A response that ends in the middle is incomplete, also for the next reader.
func TestCutResponse(t *testing.T) {
	contract := reporttest.PlantStore(t)
	response := fetched(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"name\":")
	}))
	m := matcher.MeetContract(contract, "createPlant")
	if match, err := m.Match(response); match || err != nil {
		t.Errorf("it matches: %t, %v", match, err)
	}
	if text := m.FailureMessage(response); !strings.Contains(text, "breaks createPlant/answers (must, §4): the response ends in the middle of its body") {
		t.Error(text)
	}
	if got, err := io.ReadAll(response.Body); string(got) != `{"name":` || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("what is left to read is %q, %v", got, err)
	}
}

// A server does not send these bodies, but a recorder keeps what the handler wrote.
func TestBodiesThatAreNotSent(t *testing.T) {
	contract, err := spec.Load(t.Context(), spec.Source{Name: "api.yaml", Data: []byte(`{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/t: {
		head: {operationId: peek, responses: {'200': {description: d, content: {application/json: {schema: {type: object}}}}}},
		delete: {operationId: drop, responses: {'204': {description: d}}}}}}`)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		operation, method string
		handler           http.HandlerFunc
	}{
		{"peek", http.MethodHead, answer(200, `{"name":"fern"}`)},
		{"peek", http.MethodHead, answer(200, `fern`)},
		{"drop", http.MethodDelete, answer(204, `gone`)},
	} {
		recorder := httptest.NewRecorder()
		row.handler(recorder, httptest.NewRequestWithContext(t.Context(), row.method, "/t", nil))
		findings, err := matcher.MeetContract(contract, row.operation).Findings(recorder)
		if err != nil || len(findings) > 0 {
			t.Errorf("%s: %+v, %v", row.operation, findings, err)
		}
	}
}

// empty is a recorder without a response.
type empty struct{}

func (empty) Result() *http.Response { return nil }

// If the length of an empty body is not announced, the test may have read it. The message says
// so.
func TestABodyThatMayHaveBeenRead(t *testing.T) {
	const note = "nothing is left of a body that was read before; match first"
	m := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	for _, row := range []struct {
		what    string
		handler http.HandlerFunc
		read    bool
		noted   bool
	}{
		{"read before", answer(200, strings.Repeat(" ", 4096)+`{"name":"fern"}`), true, true},
		{"not read", answer(200, strings.Repeat(" ", 4096)+`{"name":7}`), false, false},
		{"empty from the start", answer(200, ""), false, false},
	} {
		response := fetched(t, row.handler)
		if row.read {
			_, _ = io.ReadAll(response.Body)
		}
		if text := m.FailureMessage(response); strings.Contains(text, note) != row.noted {
			t.Errorf("%s: %s", row.what, text)
		}
	}
}

// A response that cannot be judged does not match, and the error says why.
func TestWhatCannotBeJudged(t *testing.T) {
	contract := reporttest.PlantStore(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, `{"name":"fern"}`)
	z.Close()
	read := fetched(t, answer(200, `{"name":"fern"}`))
	_, _ = io.ReadAll(read.Body)
	closed := fetched(t, answer(200, `{"name":"fern"}`))
	closed.Body.Close()
	coded := httptest.NewRecorder()
	answer(200, zipped.String(), "Content-Encoding", "gzip")(coded, nil)
	for _, row := range []struct {
		what      string
		contract  *spec.Contract
		operation string
		actual    any
		says      string
	}{
		{"an unknown operation", contract, "createPlants", fetched(t, answer(200, "{}")), `has no operation "createPlants"; it has createPlant`},
		{"no contract", nil, "createPlant", fetched(t, answer(200, "{}")), "was given no contract; spec.LoadFile"},
		{"nothing", contract, "createPlant", nil, "was given nil"},
		{"no response", contract, "createPlant", (*http.Response)(nil), "was given nil"},
		{"no recorder", contract, "createPlant", (*httptest.ResponseRecorder)(nil), "was given nil"},
		{"a recorder that kept nothing", contract, "createPlant", empty{}, "was given nil"},
		{"something else", contract, "createPlant", net.IPv4zero, "was given net.IP"},
		{"a body that was read", contract, "createPlant", read, "the body was read before"},
		{"a body that was closed", contract, "createPlant", closed, "the body cannot be read"},
		{"a body that is coded", contract, "createPlant", coded, `coded as "gzip"`},
	} {
		t.Run(row.what, func(t *testing.T) {
			m := matcher.MeetContract(row.contract, row.operation)
			match, err := m.Match(row.actual)
			if match || err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("it matches: %t; %v, want %q", match, err, row.says)
			}
			if _, err := m.Findings(row.actual); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("findings: %v, want %q", err, row.says)
			}
			for _, text := range []string{m.FailureMessage(row.actual), m.NegatedFailureMessage(row.actual)} {
				if !strings.Contains(text, row.says) {
					t.Errorf("the message is %q, want %q", text, row.says)
				}
			}
		})
	}
}

// A failure says what is wrong, like the console. It contains neither the token nor control
// characters.
func TestFailureMessage(t *testing.T) {
	m := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	response := fetched(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(400, `{"error":"`+r.Header.Get("Authorization")+"\x7f"+`","message":""}`)(w, r)
	}))
	response.Request.URL.Host = "store.example"
	const want = `the response to createPlant does not meet the contract Plant Store 1.0.0
    sent      POST http://store.example/plants
    answered  400 application/json
breaks createPlant/400/body/error (must, §4 r3, 7): /error has the wrong type
    expected  an int32
    got       "[redacted]\x7f"`
	if got := m.FailureMessage(response); got != want {
		t.Errorf("the message is\n%s\nwant\n%s", got, want)
	}
	const negated = `the response to createPlant meets the contract Plant Store 1.0.0
    answered  200 application/json
and a violation was expected`
	recorder := httptest.NewRecorder()
	answer(200, `{"name":"fern"}`)(recorder, nil)
	if got := m.NegatedFailureMessage(recorder); got != negated {
		t.Errorf("the message is\n%s\nwant\n%s", got, negated)
	}
}

// A failure does not contain secrets of the request that the response repeats.
func TestRedacted(t *testing.T) {
	m := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	for header, value := range map[string]string{
		"Authorization": "Bearer canary-0123",
		"Cookie":        "lang=en; session=canary-0123",
		"X-Api-Key":     "canary-0123",
	} {
		response := fetched(t, answer(400, `{"error":"canary-0123","message":""}`))
		response.Request.Header.Set(header, value)
		if got := m.FailureMessage(response); strings.Contains(got, "canary") || !strings.Contains(got, "[redacted]") {
			t.Errorf("%s: the message is %q", header, got)
		}
	}
}

// Gomega accepts the matcher and shows its message.
func TestWithGomega(t *testing.T) {
	meet := matcher.MeetContract(reporttest.PlantStore(t), "createPlant")
	var failure string
	g := gomega.NewGomega(func(message string, _ ...int) { failure = message })
	g.Expect(fetched(t, answer(200, `{"name":"fern"}`))).To(meet)
	g.Expect(fetched(t, answer(500, ""))).NotTo(meet)
	g.Expect(fetched(t, answer(500, ""))).To(gomega.Or(gomega.HaveHTTPStatus(204), gomega.Not(meet)))
	if failure != "" {
		t.Error(failure)
	}
	g.Expect(fetched(t, answer(500, ""))).To(meet)
	if !strings.Contains(failure, "breaks createPlant/answers (must, §4)") {
		t.Errorf("the failure is %q", failure)
	}
}
