package traffic_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/traffic"
	"github.com/plantstore/conformance/suites/verdict"
)

const none = "nothing"

// Every row is an archive of one entry and its result: the status, and the clauses of its
// findings or a part of the reason why it is unjudged.
func TestEntries(t *testing.T) {
	base64Of := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	long := `{"name":"` + strings.Repeat("x", 2<<20) + `"}`
	for _, row := range []struct {
		what   string
		entry  object
		status judge.Status
		says   string
	}{
		{"a plant as it should be", fern(), "passed", ""},
		{"a rejection as it should be", answered(400, `{"error":1,"message":"no"}`), "passed", ""},
		{"a rejection of what was right", answered(400, `{"error":1,"message":"the name is taken"}`), "passed", ""},
		{"a rejection in plain text", answered(400, "no", "Content-Type", "text/plain"), "failed", "createPlant/400/body createPlant/400/media-type"},
		{"a rejection of another shape", answered(400, `{"error":"no"}`), "failed", "createPlant/400/body/error createPlant/400/body/message"},
		{"an undeclared rejection", answered(422, "no", "Content-Type", "text/plain"), "passed", ""},
		{"an undeclared acceptance", answered(201, `{"name":"fern"}`), "failed", "createPlant/accepts"},
		{"a failure", answered(500, "oops"), "failed", "createPlant/answers"},
		{"a redirect", answered(302, "", "Location", "/login"), "failed", "createPlant/answers"},
		{"a body that is no JSON", answered(200, "fern"), "failed", "createPlant/200/body"},
		{"a property too many", answered(200, `{"id":7,"name":"fern"}`), "warned", "createPlant/200/body/undeclared"},
		{"an echo that differs", answered(200, `{"name":"moss"}`), "warned", "createPlant/200/echo"},
		{"an echo of what was not recorded", fern(func(request, response object) {
			delete(request, "postData")
			response["content"] = object{"text": `{"name":"moss"}`}
		}), "passed", ""},
		{"an echo of what was recorded as a form", fern(func(request, response object) {
			request["postData"] = object{"mimeType": "application/json", "params": []object{{"name": "a", "value": "b"}}}
			response["content"] = object{"text": `{"name":"moss"}`}
		}), "passed", ""},
		{"an echo of a body in base64", fern(func(request, response object) {
			request["postData"] = object{"text": base64Of(`{"id":7,"name":"fern"}`), "encoding": "base64"}
			response["content"] = object{"text": `{"name":"moss"}`}
		}), "warned", "createPlant/200/echo"},

		{"a body in base64", holding(object{"size": 15, "text": base64Of(`{"name":"fern"}`), "encoding": "base64"}), "passed", ""},
		{"bytes that are no text", holding(object{"text": base64Of("{\"name\":\"\xff\"}"), "encoding": "base64"}), "failed", "createPlant/200/body"},
		{"base64 that is none", holding(object{"text": "{}", "encoding": "base64"}), "unjudged", "said to be base64 and is not"},
		{"another encoding", holding(object{"text": "{}", "encoding": "rot13"}), "unjudged", `whose encoding "rot13" is not known`},
		{"a coding that was undone", holding(object{"size": 15, "text": `{"name":"fern"}`},
			"Content-Type", "application/json", "Content-Encoding", "gzip", "Content-Length", "39"), "passed", ""},
		{"another that was", holding(object{"size": 99, "text": `{"name":"fern"}`},
			"Content-Type", "application/json", "Content-Encoding", "br"), "passed", ""},
		{"a coding that was not", holding(object{"text": base64Of("\x1f\x8b\x08\x00\x00"), "encoding": "base64"},
			"Content-Type", "application/json", "Content-Encoding", "gzip"), "unjudged", "coded form"},
		{"a body that was left out", holding(object{"size": 15, "mimeType": "application/json"}), "unjudged", "does not hold the body"},
		{"a body of which only the header tells", holding(object{"size": 0}, "Content-Type", "application/json", "Content-Length", "15"), "unjudged", "does not hold the body"},
		{"a body of which nothing tells", holding(object{"size": -1}), "unjudged", "does not hold the body"},
		{"an empty body", holding(object{"size": 0}), "failed", "createPlant/200/body"},
		{"an empty text", holding(object{"text": ""}), "failed", "createPlant/200/body"},
		{"a body that is cut", holding(object{"size": 16, "text": `{"name":"fern"}`}), "unjudged", "holds 15 of the 16 bytes"},
		{"a body that is cut, by the header", holding(object{"text": `{"name":"fern"}`}, "Content-Type", "application/json", "Content-Length", "99"), "unjudged", "holds 15 of the 99 bytes"},
		{"a body beyond the limit", holding(object{"text": long}), "unjudged", "longer than 1048576 bytes"},
		{"no content at all", fern(func(_, response object) { delete(response, "content") }), "unjudged", "does not hold the body"},
		{"no headers at all", fern(func(_, response object) { response["headers"] = []object{} }), "passed", ""},

		{"a response that never came", fern(func(_, response object) {
			response["status"], response["headers"], response["content"] = 0, []object{}, object{"size": 0, "mimeType": "x-unknown"}
			response["_error"] = "net::ERR_BLOCKED_BY_CLIENT"
		}), "unjudged", "holds no response: net::ERR_BLOCKED_BY_CLIENT"},
		{"no response", object{"request": object{"method": "POST", "url": "http://a/plants"}}, "unjudged", "holds no response"},
		{"a response that is null", object{"request": object{"method": "POST", "url": "http://a/plants"}, "response": nil, "time": nil}, "unjudged", "holds no response"},
		{"a response that broke off", fern(func(_, response object) {
			response["content"], response["_error"] = object{"text": `{"name":`}, "net::ERR_CONTENT_LENGTH_MISMATCH"
		}), "unjudged", "not complete: net::ERR_CONTENT_LENGTH_MISMATCH"},
		{"what the client had already", fern(func(request, response object) {
			request["headers"] = fields("if-none-match", `"7"`)
			response["status"], response["content"] = 304, object{"size": 0}
		}), "unjudged", "304"},
		{"304 to nobody's question", fern(func(_, response object) {
			response["status"], response["content"] = 304, object{"size": 0}
		}), "failed", "createPlant/answers"},

		{"pseudo-header fields", fern(func(request, response object) {
			request["headers"] = fields(":method", "POST", ":authority", "store.example", ":path", "/plants", "content-type", "application/json")
			response["headers"] = fields(":status", "200", "content-type", "application/json")
		}), "passed", ""},
		{"a media type of odd case", answered(200, `{"name":"fern"}`, "CONTENT-TYPE", "Application/JSON; Charset=UTF-8"), "passed", ""},
		{"two media types", answered(200, `{"name":"fern"}`, "Content-Type", "application/json", "Content-Type", "text/html"), "failed", "createPlant/200/media-type"},
		{"a query and a fragment", asked(object{"url": "https://store.example/plants?dry=1#top"}), "passed", ""},
		{"a letter that is escaped without need", asked(object{"url": "https://store.example/%70lants"}), "passed", ""},
		{"a websocket", answered(101, ""), "failed", "createPlant/answers"},

		{"another method", asked(object{"method": "GET"}), none, "GET /plants"},
		{"a preflight", asked(object{"method": "OPTIONS"}), none, "OPTIONS /plants"},
		{"another path", asked(object{"url": "https://store.example/static/app.js?v=secret#x"}), none, "POST /static/app.js"},
		{"a path below", asked(object{"url": "https://store.example/plants/7"}), none, "POST /plants/7"},
		{"a slash too many", asked(object{"url": "https://store.example/plants/"}), none, "POST /plants/"},
		{"a prefix that nobody declares", asked(object{"url": "https://store.example/v1/plants"}), none, "POST /v1/plants"},
		{"an address of data", asked(object{"url": "data:text/plain,plants"}), none, "POST an invalid address"},
		{"an invalid address", asked(object{"url": "http://a b/\x00"}), none, "POST an invalid address"},
	} {
		t.Run(row.what, func(t *testing.T) {
			v := verified(t, archive(t, row.entry), traffic.Config{})
			if row.status == none {
				want := []traffic.Unmatched{{Request: row.says, Count: 1}}
				if len(v.Report.Results) != 0 || !slices.Equal(v.Unmatched, want) {
					t.Errorf("unmatched are %v, want %v; results: %v", v.Unmatched, want, v.Report.Results)
				}
				return
			}
			if len(v.Report.Results) != 1 {
				t.Fatalf("there are %d results, and unmatched are %v", len(v.Report.Results), v.Unmatched)
			}
			r := v.Report.Results[0]
			said := r.Reason
			if r.Status != "unjudged" {
				said = clausesOf(r)
			}
			if r.Status != row.status || !strings.Contains(said, row.says) || row.status != "unjudged" && said != row.says {
				t.Errorf("it is %s: %q, want %s: %q\n%+v", r.Status, said, row.status, row.says, r.Findings)
			}
			checkVerdict(t, v.Report)
		})
	}
}

// clausesOf returns the clauses of the findings, each once.
func clausesOf(r result.Result) string {
	var list []string
	for _, f := range r.Findings {
		if f.Severity != judge.Observation && !slices.Contains(list, string(f.Clause)) {
			list = append(list, string(f.Clause))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// checkVerdict checks the verdict of an archive with one entry against its result.
func checkVerdict(t *testing.T, r result.Report) {
	t.Helper()
	want := map[judge.Status]verdict.Verdict{"passed": verdict.Conformant, "warned": verdict.Conformant, "failed": verdict.Nonconformant, "unjudged": verdict.Inconclusive}
	if got := r.Verdict; got != want[r.Results[0].Status] {
		t.Errorf("the verdict is %s: %s", got, r.Reason)
	}
}

func TestResultTellsWhereItComesFrom(t *testing.T) {
	v := verified(t, archive(t, asked(object{"method": "GET"}), fern(), asked(object{"url": "http://127.0.0.1:8080/plants"})), traffic.Config{})
	if len(v.Report.Results) != 2 || v.Entries != 3 {
		t.Fatalf("%d results of %d entries", len(v.Report.Results), v.Entries)
	}
	r := v.Report.Results[0]
	if r.Fixture != "createPlant/traffic/entry-0002" || r.Title != "POST /plants" || r.Expect != "either" || r.Clause != "createPlant/answers" || r.Place != 0 || r.Credential {
		t.Errorf("the result is %+v", r)
	}
	line := 1
	for i, text := range strings.Split(archive(t, asked(object{"method": "GET"}), fern()), "\n") {
		if text == "      {" {
			line = i + 1 // line of the last entry
		}
	}
	if want := fmt.Sprintf("traffic.har:%d", line); r.Source != want {
		t.Errorf("it stands in %s, want %s", r.Source, want)
	}
	if r.Exchange.DurationMs != 12.5 || r.Exchange.Request.Body.Body != `{"id":7,"name":"fern"}` {
		t.Errorf("the exchange is %+v", r.Exchange)
	}
	want := `curl -sS -i -X POST 'https://store.example/plants' -H 'content-type: application/json' -H "authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '{"id":7,"name":"fern"}'`
	if r.Curl != want {
		t.Errorf("as curl it is\n%s, want\n%s", r.Curl, want)
	}
	if got := v.Report.Target.BaseURL; got != "https://store.example, http://127.0.0.1:8080" {
		t.Errorf("the target is %s", got)
	}
}

func TestAddresses(t *testing.T) {
	const versioned = `openapi: 3.0.3
info: {title: Things, version: '1'}
servers: [{url: 'https://things.example/v1'}]
paths:
  /things/{id}:
    get: {operationId: show, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: none}}}
`
	for _, row := range []struct {
		what, base, url string
		matched         bool
		elsewhere       int
	}{
		{"at the root of any host", "", "http://other.example:81/things/7", true, 0},
		{"below the path of a server", "", "http://127.0.0.1/v1/things/7", true, 0},
		{"below another path", "", "http://127.0.0.1/v2/things/7", false, 0},
		{"at the base", "http://things.example", "http://things.example/things/7", true, 0},
		{"at a base with a slash", "http://things.example/", "http://things.example/things/7", true, 0},
		{"the port that goes without saying", "https://things.example:443/x", "HTTPS://Things.Example/x/things/7", true, 0},
		{"below a base", "http://[::1]:8080/api/v2/", "http://[::1]:8080/api/v2/things/7", true, 0},
		{"beside the base", "http://things.example/api", "http://things.example/apiary/things/7", false, 1},
		{"at another port", "http://things.example", "http://things.example:8080/things/7", false, 1},
		{"with another scheme", "http://things.example", "https://things.example/things/7", false, 1},
		{"below the base, with a server's path", "http://things.example", "http://things.example/v1/things/7", false, 0},
		{"below the base and no operation", "http://things.example", "http://things.example/things", false, 0},
	} {
		t.Run(row.what, func(t *testing.T) {
			entry := object{"request": object{"method": "GET", "url": row.url}, "response": object{"status": 204}}
			v := verified(t, archive(t, entry), traffic.Config{Contract: load(t, versioned), BaseURL: row.base})
			if got := len(v.Report.Results) == 1; got != row.matched || v.Elsewhere != row.elsewhere || len(v.Unmatched)+v.Elsewhere+len(v.Report.Results) != 1 {
				t.Errorf("results %d, elsewhere %d, unmatched %v", len(v.Report.Results), v.Elsewhere, v.Unmatched)
			}
			if row.matched && v.Report.Verdict != "conformant" {
				t.Errorf("%s: %s", v.Report.Verdict, v.Report.Reason)
			}
		})
	}
}

func TestNothingIsNoEvidence(t *testing.T) {
	for what, entries := range map[string][]object{"no entry": {}, "none that matches": {asked(object{"method": "PUT"})}} {
		t.Run(what, func(t *testing.T) {
			v := verified(t, archive(t, entries...), traffic.Config{})
			if v.Report.Verdict != "inconclusive" || v.Report.Reason != "nothing was judged" {
				t.Errorf("%s: %s", v.Report.Verdict, v.Report.Reason)
			}
		})
	}
}

func TestUnmatchedAreListedByNumber(t *testing.T) {
	get, put := asked(object{"method": "GET"}), asked(object{"method": "PUT"})
	v := verified(t, archive(t, put, get, fern(), get, asked(object{"url": "https://a/x"})), traffic.Config{})
	want := []traffic.Unmatched{{"GET /plants", 2}, {"POST /x", 1}, {"PUT /plants", 1}}
	if !slices.Equal(v.Unmatched, want) {
		t.Errorf("unmatched are %v, want %v", v.Unmatched, want)
	}
}

func TestStrict(t *testing.T) {
	for _, entry := range []object{answered(200, `{"name":"moss"}`), answered(422, "no", "Content-Type", "text/plain")} {
		v := verified(t, archive(t, entry), traffic.Config{Strict: true})
		if v.Report.Verdict != "nonconformant" || !v.Report.Run.Strict {
			t.Errorf("%s: %s", v.Report.Verdict, v.Report.Reason)
		}
	}
}

func TestWaivers(t *testing.T) {
	broken := archive(t, answered(400, `{"error":1,"message":"no"}`, "Content-Type", "text/plain"))
	for _, row := range []struct {
		what, archive, pattern string
		until                  time.Time
		verdict                verdict.Verdict
		waivers                int
	}{
		{"a clause", broken, "createPlant/400/media-type", time.Time{}, "conformant", 1},
		{"an entry", broken, "createPlant/traffic/entry-0001", time.Time{}, "conformant", 1},
		{"another clause", broken, "createPlant/answers", time.Time{}, "nonconformant", 0},
		{"one that is over", broken, "createPlant/400/media-type", time.Now().AddDate(0, 0, -3), "nonconformant", 1},
		{"what this traffic does not show", archive(t, answered(400, `{"error":1,"message":"no"}`)), "createPlant/400/media-type", time.Time{}, "conformant", 0},
		{"what is over and does not show", archive(t, fern()), "createPlant/400/media-type", time.Now().AddDate(0, 0, -3), "conformant", 0},
	} {
		t.Run(row.what, func(t *testing.T) {
			v := verified(t, row.archive, traffic.Config{Waivers: []verdict.Waiver{{Pattern: fixtures.NewPattern(row.pattern), Reason: "known", Until: verdict.Day{Time: row.until}}}})
			if v.Report.Verdict != row.verdict || len(v.Report.Waivers) != row.waivers {
				t.Errorf("%s: %s; waivers: %v", v.Report.Verdict, v.Report.Reason, v.Report.Waivers)
			}
		})
	}
}

func TestManyEntries(t *testing.T) {
	n := 1_000
	if os.Getenv("LONG_TESTS") != "" {
		n = 10_000
	}
	var b strings.Builder
	b.WriteString(`{"log":{"entries":[`)
	one := asJSON(t, fern())
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(one)
	}
	b.WriteString(`],"version":"1.2"}}`)
	v := verified(t, b.String(), traffic.Config{})
	if v.Report.Verdict != "conformant" || v.Report.Counts.Passed != n || v.Report.Results[n-1].Fixture != fmt.Sprintf("createPlant/traffic/entry-%04d", n) {
		t.Errorf("%s: %s", v.Report.Verdict, v.Report.Reason)
	}
}

func TestBodiesAreCutWhereTheyAreLong(t *testing.T) {
	name := strings.Repeat("ä", 50_000)
	v := verified(t, archive(t, fern(func(request, response object) {
		request["postData"] = object{"text": `{"id":7,"name":"` + name + `"}`}
		response["content"] = object{"text": `{"name":"` + name + `"}`}
	})), traffic.Config{})
	r := v.Report.Results[0]
	if r.Status != "passed" || !r.Exchange.Request.Truncated || !r.Exchange.Response.Truncated || len(r.Exchange.Request.Body.Body) > 64<<10 || r.Exchange.Request.Encoding != "" {
		t.Errorf("%s, %d bytes sent of encoding %q", r.Status, len(r.Exchange.Request.Body.Body), r.Exchange.Request.Encoding)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := traffic.Verify(ctx, strings.NewReader(archive(t, fern())), traffic.Config{Contract: reporttest.PlantStore(t)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestBadBaseURL(t *testing.T) {
	if _, err := verify(t, archive(t), traffic.Config{BaseURL: "store.example"}); err == nil {
		t.Error("it is taken")
	}
}
