package words

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// kept returns a body as a report keeps it.
func kept(text string) result.Body {
	b := result.Body{Body: text[:min(len(text), result.MaxBody)], Truncated: len(text) > result.MaxBody}
	if !utf8.ValidString(text) {
		b.Body, b.Encoding = base64.StdEncoding.EncodeToString([]byte(b.Body)), "base64"
	}
	return b
}

// evidenceNamed returns the line with this name.
func evidenceNamed(name string, r result.Result, f judge.Finding) string {
	for _, e := range EvidenceOf(r, f) {
		if e.Name == name {
			return e.Text
		}
	}
	return ""
}

// The line "sent" for each kind of request.
func TestSent(t *testing.T) {
	const body = `{"id":7}`
	json := map[string][]string{"Content-Type": {"application/json"}, "Authorization": {"Bearer [redacted]"}}
	for name, c := range map[string]struct {
		clause  string
		request result.Request
		want    string
	}{
		"a body":                 {"request/body/id", result.Request{Headers: json, Body: result.Body{Body: body}}, `title: {"id":7}`},
		"bytes":                  {"request/body", result.Request{Headers: json, Body: kept("caf\xe9")}, `title: caf\xe9`},
		"lines":                  {"request/body", result.Request{Headers: json, Body: result.Body{Body: "{\n}"}}, `title: {\n}`},
		"no body":                {"request/body", result.Request{Headers: json}, `title: POST /things, no body`},
		"a query":                {"request/query/limit", result.Request{URL: "?limit=x", Headers: json, Body: result.Body{Body: body}}, `title: POST /things?limit=x, {"id":7}`},
		"no credential":          {"request/credential", result.Request{Headers: map[string][]string{"Content-Type": {"application/json"}}, Body: result.Body{Body: body}}, `title: {"id":7}`},
		"another credential":     {"request/credential", result.Request{Headers: map[string][]string{"Authorization": {"Basic YTpi"}}, Body: result.Body{Body: body}}, `title: Authorization: Basic YTpi, {"id":7}`},
		"an empty credential":    {"request/credential", result.Request{Headers: map[string][]string{"Authorization": {""}}, Body: result.Body{Body: body}}, `title: an empty Authorization, {"id":7}`},
		"an unknown credential":  {"silent/credential-invalid", result.Request{Headers: map[string][]string{"Authorization": {"Bearer x"}}, Body: result.Body{Body: body}}, `title: Authorization: Bearer x, {"id":7}`},
		"a media type":           {"request/media-type", result.Request{Headers: map[string][]string{"content-type": {"text/plain", "a/b"}}, Body: result.Body{Body: body}}, `title: content-type: a/b, content-type: text/plain, {"id":7}`},
		"no media type":          {"request/media-type", result.Request{Body: result.Body{Body: body}}, `title: no Content-Type, {"id":7}`},
		"a header":               {"request/header/X-Tenant", result.Request{Headers: map[string][]string{"X-Tenant": {"a"}, "X-Other": {"b"}}, Body: result.Body{Body: body}}, `title: X-Tenant: a, {"id":7}`},
		"a path":                 {"request/path/id", result.Request{URL: "/7a", Headers: json, Body: result.Body{Body: body}}, `title: POST /things/7a, {"id":7}`},
		"nothing is meant to be": {"accepts", result.Request{Method: "GET", Headers: json}, `title: GET /things`},
		"what a terminal obeys":  {"request/body", result.Request{Headers: json, Body: result.Body{Body: "\x1b[2J"}}, `title: \x1b[2J`},
		"a long body":            {"request/body", result.Request{Headers: json, Body: result.Body{Body: strings.Repeat("x", 1000)}}, "title: " + strings.Repeat("x", lineWidth-8) + "…"},
		"an invalid address":     {"request/body", result.Request{URL: "\x7f", Headers: json}, `title: POST http://127.0.0.1/base/things\x7f, no body`},
	} {
		request := c.request
		request.URL = "http://127.0.0.1/base/things" + request.URL
		if request.Method == "" {
			request.Method = "POST"
		}
		r := result.Result{Outcome: judge.Outcome{Title: "title", Operation: "op", Clause: spec.ClauseID("op/" + c.clause)}, Exchange: result.Exchange{Request: request}}
		got := strings.Replace(evidenceNamed("sent", r, judge.Finding{}), "POST /base/", "POST /", 1)
		got = strings.Replace(got, "GET /base/", "GET /", 1)
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

// If a report does not keep a body, the line "sent" has its beginning, its end and its length.
func TestSentLongBody(t *testing.T) {
	spaces, long := strings.Repeat(" ", 66_000), strings.Repeat("x", 70_000)
	for body, want := range map[string]string{
		spaces + `{"id":7}`:       `title: [66,000 spaces]{"id":7} (66,008 bytes)`,
		`{"id":7` + spaces + `}`:  `title: {"id":7[66,000 spaces]} (66,008 bytes)`,
		`{"name":"` + long + `"}`: `title: {"name":"` + strings.Repeat("x", 70) + "…" + strings.Repeat("x", 64) + `"} (70,011 bytes)`,
	} {
		x := replay.Recorded(redact.New(nil), replay.Request{Method: "POST", Body: []byte(body)}, 200, nil, nil)
		r := result.NewResult(judge.Judged{Exchange: x, Outcome: judge.Outcome{Title: "title", Clause: "op/request/body"}}, 0, "")
		if got := strings.Replace(evidenceNamed("sent", r, judge.Finding{}), "POST , ", "", 1); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		r.Exchange.Request.Body = kept(body) // as in a report that was read from a file
		r.Exchange.Request.Size = len(body)
		if got := evidenceNamed("sent", r, judge.Finding{}); !strings.HasSuffix(got, " bytes)") || !strings.Contains(got, "… (") {
			t.Errorf("got %s", got)
		}
	}
}

// The line "got" for each kind of finding.
func TestGot(t *testing.T) {
	const object = `{"name":"monstera","tag":null}`
	far := strings.Repeat(" ", 10_000) + object
	for name, c := range map[string]struct {
		body    string
		finding judge.Finding
		want    string
	}{
		"let through":          {object, judge.Finding{Clause: "op/request/body", Message: "is accepted", Actual: "200 {…", Offset: -1}, `200 ` + object},
		"another success":      {"no\n", judge.Finding{Clause: "op/accepts", Message: "is not declared", Actual: "200 no", Offset: -1}, `200 no  (is not declared)`},
		"rejected with 200":    {"no\n", judge.Finding{Clause: "op/request/body", Message: judge.SaysNo, Actual: "200 no", Offset: -1}, `200 no  (` + judge.SaysNo + `)`},
		"a server error":       {"oops", judge.Finding{Clause: "op/answers", Message: "status 200 says nothing", Actual: "200", Offset: -1}, `200 oops  (status 200 says nothing)`},
		"no body":              {"", judge.Finding{Clause: "op/200/body", Message: "is empty", Actual: "nothing", Offset: 0}, `200, no body  (the body is empty)`},
		"a header":             {object, judge.Finding{Clause: "op/200/media-type", Message: "comes with another media type", Actual: "Content-Type: a/b", Offset: -1}, `Content-Type: a/b  (comes with another media type)`},
		"a literal":            {object, judge.Finding{Clause: "op/200/body/tag", Message: "has the wrong type", Pointer: "/tag", Actual: "null", Offset: 25}, `200 ` + object + `  (/tag has the wrong type: null)`},
		"a literal far away":   {far, judge.Finding{Clause: "op/200/body/tag", Message: "has the wrong type", Pointer: "/tag", Actual: "null", Offset: 10_025}, `200 … {"name":"monstera","tag":null}  (/tag has the wrong type: null)`},
		"a default response":   {object, judge.Finding{Clause: "op/default/body/id", Message: "is missing", Pointer: "/id", Actual: "no such property", Offset: 0}, `200 ` + object + `  (200 is not declared, except by default: /id is missing)`},
		"a literal told twice": {object, judge.Finding{Clause: "op/200/echo", Message: "comes back as null", Pointer: "/tag", Actual: "null", Offset: 25}, `200 ` + object + `  (/tag comes back as null)`},
		"a long literal":       {`"` + strings.Repeat("x", 300) + `"`, judge.Finding{Message: "is too long", Pointer: "/x", Actual: `"` + strings.Repeat("x", 300), Offset: 0}, `200 "` + strings.Repeat("x", excerptWidth-2) + `…  (/x is too long: "` + strings.Repeat("x", literalWidth-2) + `…)`},
		"something missing":    {object, judge.Finding{Clause: "op/200/body/id", Message: "is missing", Pointer: "/id", Actual: "no such property", Offset: 0}, `200 ` + object + `  (/id is missing)`},
		"not in what was kept": {object, judge.Finding{Clause: "op/200/echo", Message: "is missing, though it was sent", Pointer: "/data/icon", Actual: "no such property", Offset: -1}, `no such property  (/data/icon is missing, though it was sent)`},
		"the body":             {"[", judge.Finding{Clause: "op/200/body", Message: "is no JSON: it ends", Actual: "[", Offset: 1}, `200 [  (the body is no JSON: it ends)`},
		"bytes":                {"caf\xe9", judge.Finding{Clause: "op/200/body", Message: "is no JSON: invalid UTF-8", Actual: "caf\xe9", Offset: 3}, `200 caf\xe9  (the body is no JSON: invalid UTF-8)`},
		"beyond what is kept":  {strings.Repeat("x", result.MaxBody+9), judge.Finding{Clause: "op/200/body", Message: "is wrong", Actual: "…here…", Offset: result.MaxBody + 1}, `200 …here…  (the body is wrong)`},
		"moved by a mask":      {"[redacted]", judge.Finding{Clause: "op/200/body/tag", Message: "has the wrong type", Pointer: "/tag", Actual: "null", Offset: 5}, `200 [redacted]  (/tag has the wrong type)`},
	} {
		r := result.Result{Outcome: judge.Outcome{Operation: "op", Clause: "op/request/body"}, Exchange: result.Exchange{Response: &result.Response{Status: 200, Body: kept(c.body)}}}
		if got := evidenceNamed("got", r, c.finding); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestGotWithoutWholeResponse(t *testing.T) {
	f := judge.Finding{Clause: "op/answers", Message: "the connection was closed", Actual: "no response", Offset: -1}
	none := result.Result{Outcome: judge.Outcome{Clause: "op/answers"}, Exchange: result.Exchange{Failure: "the connection was closed"}}
	half := none
	half.Exchange.Response = &result.Response{Status: 200}
	for _, r := range []result.Result{none, half} {
		if got, want := evidenceNamed("got", r, f), "no response  (the connection was closed)"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// There is a hint only if all responses have the same status, or if no token is accepted.
func TestHint(t *testing.T) {
	withToken := func(r result.Report) result.Report {
		for i := range r.Results {
			r.Results[i].Credential, r.Results[i].Expect = true, fixtures.Accepted
		}
		return r
	}
	seeded := func(r result.Report) result.Report {
		r.Run.Seed, r.Run.SeedGiven = 7, true
		return r
	}
	saying := func(body string, r result.Report) result.Report {
		for i := range r.Results {
			r.Results[i].Exchange.Response.Body = kept(body)
		}
		return r
	}
	by := func(method string, r result.Report) result.Report {
		for i := range r.Results {
			r.Results[i].Exchange.Request.Method = method
		}
		return r
	}
	after := func(r result.Report) result.Report {
		for i := range r.Results {
			r.Results[i].Steps = []result.Step{{ID: "create"}}
		}
		return r
	}
	run := func(verdict verdict.Verdict, statuses ...int) result.Report {
		r := result.Report{Verdict: verdict}
		for _, status := range statuses {
			one := result.Result{Exchange: result.Exchange{Request: result.Request{Method: "POST", URL: "http://127.0.0.1/things?a=b"}}}
			if status != 0 {
				one.Exchange.Response = &result.Response{Status: status}
			}
			r.Results = append(r.Results, one)
		}
		return r
	}
	page := func(r result.Report) result.Report {
		for i := range r.Results {
			r.Results[i].Exchange.Response.Headers = map[string][]string{"Content-Type": {"text/html; charset=utf-8"}}
		}
		return r
	}
	for _, c := range []struct {
		report result.Report
		want   string
	}{
		{run("nonconformant"), ""},
		{run("nonconformant", 404, 404), "every answer was 404; is POST http://127.0.0.1/things right? check the base URL"},
		{run("nonconformant", 405), "every answer was 405; is POST http://127.0.0.1/things right? check the base URL"},
		{run("nonconformant", 308, 308), "every answer was 308; redirects are not followed: give the base URL they lead to, or a credential if they lead to a login page"},
		{run("inconclusive", 503, 503), "every answer was 503, which a gateway sends if the service behind it is down"},
		{run("nonconformant", 404, 400), ""},
		{run("nonconformant", 404, 0), "every answer was 404; is POST http://127.0.0.1/things right? check the base URL"},
		{run("nonconformant", 0, 404), "every answer was 404; is POST http://127.0.0.1/things right? check the base URL"},
		{run("nonconformant", 0, 0), ""},
		{withToken(run("nonconformant", 401, 400)), "every valid request was rejected; check whether the token is right, without the word Bearer before it"},
		{withToken(run("nonconformant", 400, 401)), ""}, // nor if the first response was not 401 or 403
		{withToken(run("nonconformant", 400, 400)), ""},
		{seeded(withToken(run("nonconformant", 400, 400))), "ids of seed 7 may exist from an earlier run: leave --seed out or use another one"},
		{seeded(withToken(run("nonconformant", 409, 200))), "ids of seed 7 may exist from an earlier run: leave --seed out or use another one"},
		{seeded(saying(`{"message":"a plant with this id exists already"}`, withToken(run("nonconformant", 400, 422)))), "ids of seed 7 may exist from an earlier run: leave --seed out or use another one"},
		{seeded(saying(`{"message":"the name must be in English"}`, withToken(run("nonconformant", 400, 422)))), ""},
		{seeded(by("DELETE", withToken(run("nonconformant", 409, 409)))), ""},
		{seeded(after(withToken(run("nonconformant", 409, 200)))), ""}, // this run created the resource
		{seeded(withToken(run("nonconformant", 400, 200))), ""},        // one fault does not prove an earlier run
		{seeded(withToken(run("nonconformant", 401, 403))), "every valid request was rejected; check whether the token is right, without the word Bearer before it"},
		{seeded(run("nonconformant", 409, 409)), ""},
		{withToken(run("nonconformant", 409, 409)), ""},
		{withToken(run("inconclusive", 401, 401)), "every valid request was rejected; check whether the token is right, without the word Bearer before it"},
		{withToken(run("nonconformant", 400, 422)), ""},
		{run("nonconformant", 200, 200), ""},
		{page(run("nonconformant", 200, 200)), "every answer was 200; is POST http://127.0.0.1/things right? check the base URL"},
		{run("nonconformant", 500, 500), ""},
		{run("conformant", 404), ""},
	} {
		if got := Hint(c.report); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The line "sent" includes the steps before a request.
func TestSentAfterSteps(t *testing.T) {
	step := func(id string, status int, cleanup bool) result.Step {
		return result.Step{ID: id, Cleanup: cleanup, Exchange: result.Exchange{Response: &result.Response{Status: status}}}
	}
	r := result.Result{Outcome: judge.Outcome{Title: "what was replaced"}, Exchange: result.Exchange{Request: result.Request{Method: "GET", URL: "http://a/things/7"}}}
	r.Steps = []result.Step{step("add", 201, false), step("replace", 200, false), step("remove", 204, true), {ID: "lost"}}
	if got := Sent(r); got != "what was replaced, after add (201) and replace (200): GET /things/7" {
		t.Error(got)
	}
	r.Steps[0].Exchange.Request = result.Request{Method: "POST", URL: "http://a/things"}
	r.Steps[3].Exchange.Failure = "no connection"
	r.Beside = "op/missing/name"
	if got := Sent(r); !strings.HasSuffix(got, "replace (200); this is the other request, op/missing/name: GET /things/7") {
		t.Error(got)
	}
	twin := r
	if twin.Fixture = r.Beside; !strings.HasSuffix(Sent(twin), "; this is the other one of the two: GET /things/7") {
		t.Error(Sent(twin))
	}
	unsent := r
	unsent.Beside, unsent.Steps, unsent.Exchange.Failure = "", r.Steps[:1], "the step add got 500"
	if got := Sent(unsent); got != "what was replaced: not sent, because the step add got 500" {
		t.Error(got)
	}
	before, cleanup := Steps(r)
	if got := fmt.Sprintf("%q %q", before, cleanup); got != `["add: POST http://a/things: 201" "replace:  : 200" "lost:  : no connection"] ["remove:  : 204"]` {
		t.Error(got)
	}
}
