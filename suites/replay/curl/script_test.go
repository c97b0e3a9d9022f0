package curl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/curl"
)

// things is a contract with steps.
const things = `{openapi: 3.1.0, info: {title: t, version: '1'}, security: [{key: []}], components: {securitySchemes: {key: {type: http, scheme: bearer}}}, paths: {
  /things: {post: {operationId: add, requestBody: {content: {application/json: {}}}, responses: {'201': {description: added}}}},
  '/things/{id}': {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    put: {operationId: change, requestBody: {content: {application/json: {}}}, responses: {'200': {description: d}}}, delete: {operationId: remove, responses: {'204': {description: removed}}}}}}`

// TestScript: a script sends the same requests as the client, with the values from the
// responses.
func TestScript(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed: nobody has run what Script writes")
	}
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: []byte(things)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct{ outputs, request, want string }{
		"a number":             {"{x: $response.body#/id}", "{path: {id: $steps.add.outputs.x}, body: {from: $steps.add.outputs.x, said: 'n $steps.add.outputs.x'}}", `PUT /things/7 {"from":7,"said":"n 7"}`},
		"a text":               {"{x: $response.body#/name}", "{path: {id: $steps.add.outputs.x}, body: {from: $steps.add.outputs.x}}", `PUT /things/it's {"from":"it's"}`},
		"a place in a list":    {"{x: $response.body#/of/1/a~1b}", "{path: {id: $steps.add.outputs.x}}", `PUT /things/deep `},
		"a Location":           {"{x: $response.header.Location}", "{path: {id: $steps.add.outputs.x}}", `PUT /things/9 `},
		"a status":             {"{x: $statusCode}", "{path: {id: $steps.add.outputs.x}}", `PUT /things/201 `},
		"two outputs":          {"{x: $response.body#/id, y: $response.header.Location}", "{path: {id: $steps.add.outputs.x}, query: {q: $steps.add.outputs.x}, headers: {X-Of: $steps.add.outputs.y}}", `PUT /things/7?q=7 `},
		"beside a credential":  {"{x: $response.body#/id}", "{path: {id: $steps.add.outputs.x}, credential: none, headers: {X-Key: '$token $steps.add.outputs.x'}}", `PUT /things/7 `},
		"what was sent":        {"{x: [$response.body#/nothing, $request.body#/name]}, request: {body: {name: \"it's 1\"}}", "{path: {id: $steps.add.outputs.x}}", `PUT /things/it's 1 `},
		"only what was sent":   {"{x: $request.body#/n}, request: {body: {n: 5}}", "{path: {id: $steps.add.outputs.x}, body: {from: $steps.add.outputs.x}}", `PUT /things/5 {"from":5}`},
		"what is not used":     {"{x: $response.body#/id}", "{path: {id: same}}", `PUT /things/same `},
		"an output with signs": {"{x-1: $response.body#/id}", "{path: {id: $steps.add.outputs.x-1}}", `PUT /things/7 `},
	} {
		t.Run(name, func(t *testing.T) {
			file := "title: a thing\nclause: change/answers\nexpect: either\nsteps:\n- {id: add, operation: add, outputs: " + row.outputs + "}\n- {id: judged, request: " + row.request + "}\n- {operation: remove, cleanup: true, request: {path: {id: conformance}}}\n"
			loaded, err := fixtures.Load(contract, fixtures.Set{Name: "mine", FS: fstest.MapFS{"change/group/name.yaml": &fstest.MapFile{Data: []byte(file)}}})
			if err != nil {
				t.Fatal(err)
			}
			server, requests := answering(t, `{"id":7,"name":"it's","of":[0,{"a/b":"deep"}]}`)
			target := replay.Target{BaseURL: server.URL, Token: token}
			client, err := replay.NewClient(target, replay.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			m := loaded[0].Message(1, 0)
			client.All(t.Context(), replay.OneBatch(m), func(_, _ int, x replay.Exchange) {
				if x.Failure != nil {
					t.Error(*x.Failure)
				}
			})
			sent := drained(requests)
			for _, shell := range shells(t) {
				script := curl.Script(target, m)
				runShell(t, shell, script, token)
				got := drained(requests)
				if strings.Join(got, "\n") != strings.Join(sent, "\n") || len(got) != 3 || !strings.HasPrefix(got[1], row.want) {
					t.Errorf("%s sends\n%s\nthe client\n%s\nwant %s in\n%s", shell, strings.Join(got, "\n"), strings.Join(sent, "\n"), row.want, script)
				}
			}
		})
	}
}

// TestAgain: if a step got a 5xx, the command ends with this step. The command accepts gzip only
// if the response had a content coding.
func TestAgain(t *testing.T) {
	message := func(path string) fixtures.Message { return fixtures.Message{Method: "GET", Path: path} }
	m := message("/judged")
	m.Steps = []fixtures.Step{{ID: "a", Message: message("/a")}, {ID: "b", Message: message("/b")}}
	answered := func(status int) replay.Step {
		return replay.Step{Exchange: replay.Exchange{Response: &replay.Response{Status: status}}}
	}
	for want, x := range map[string]replay.Exchange{
		"curl -sS -i 'http://a/a'":                                                              {Steps: []replay.Step{answered(500)}},
		"curl -sS -i 'http://a/a' && curl -sS -i 'http://a/b'":                                  {Steps: []replay.Step{answered(200), answered(503)}},
		"curl -sS -i 'http://a/a' && curl -sS -i 'http://a/b' && curl -sS -i 'http://a/judged'": {Steps: []replay.Step{answered(200), answered(404)}},
		"curl -sS -i 'http://a/a' && curl -sS -i 'http://a/b' && curl -sS -i --compressed 'http://a/judged' -H 'Accept-Encoding: gzip'": {
			Steps: []replay.Step{answered(200), answered(500)}, Response: &replay.Response{Coded: true},
		},
	} {
		if got := curl.Again(replay.Target{BaseURL: "http://a"}, m, x); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestScriptInCompany: the script also sends the companion, on its connection or at the same moment.
func TestScriptInCompany(t *testing.T) {
	other := fixtures.Message{Method: "GET", Path: "/other"}
	for name, row := range map[string]struct {
		m    fixtures.Message
		same bool // the same connection
	}{
		"before it": {fixtures.Message{Method: "GET", Path: "/judged", After: &other}, true},
		"beside it": {fixtures.Message{Method: "GET", Path: "/judged", Beside: &other}, false},
	} {
		t.Run(name, func(t *testing.T) {
			from := make(chan [2]string, 4)
			service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { from <- [2]string{r.URL.Path, r.RemoteAddr} }))
			t.Cleanup(service.Close)
			for _, shell := range shells(t) {
				runShell(t, shell, curl.Script(replay.Target{BaseURL: service.URL}, row.m), token)
				first, second := <-from, <-from
				if first[0] == second[0] || row.same && (first[0] != "/other" || first[1] != second[1]) {
					t.Errorf("%s sends %v and %v", shell, first, second)
				}
			}
		})
	}
}

// TestScriptShowsTheResponse: a script prints the response that it takes a value from. Without the
// value it sends no clean-up, which would remove something else.
func TestScriptShowsTheResponse(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed: nobody has run what Script writes")
	}
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: []byte(things)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	server, requests := answering(t, `{"id":7,"none":null}`)
	for from, removed := range map[string]bool{
		"$response.body#/id": true, "$response.body#/none": false, "$response.body#/missing": false,
		"$response.header.Location": true, "$response.header.X-Missing": false,
	} {
		file := "title: a thing\nclause: add/answers\nexpect: either\nsteps:\n- {id: made, outputs: {x: " + from + "}, request: {credential: none}}\n- {operation: remove, cleanup: true, request: {credential: none, path: {id: $steps.made.outputs.x}}}\n"
		loaded, err := fixtures.Load(contract, fixtures.Set{Name: "mine", FS: fstest.MapFS{"add/group/name.yaml": &fstest.MapFile{Data: []byte(file)}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, shell := range shells(t) {
			for before, after := range []*fixtures.Message{nil, {Method: "POST", Path: "/things"}} { // on the same connection
				m := loaded[0].Message(1, 0)
				m.After = after
				script := curl.Script(replay.Target{BaseURL: server.URL}, m)
				out, err := exec.CommandContext(t.Context(), shell, "-c", script).Output()
				if sent := drained(requests); strings.Count(string(out), `{"id":7,"none":null}`) != 1 || removed != (len(sent) == 2+before) || removed != (err == nil) {
					t.Errorf("%s with %s: sent %q, %v, printed\n%s\nof %s", shell, from, sent, err, out, script)
				}
			}
		}
	}
}

// answering returns a recorder that responds with a body and a Location.
func answering(t *testing.T, body string) (*httptest.Server, <-chan received) {
	t.Helper()
	recording, requests := recorder(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.Header().Set("Location", "/things/9")
			w.WriteHeader(http.StatusCreated)
			defer func() { _, _ = w.Write([]byte(body)) }()
		}
		recording.Config.Handler.ServeHTTP(discarded{w}, r)
	}))
	t.Cleanup(server.Close)
	return server, requests
}

// discarded is a response writer that sends nothing.
type discarded struct{ http.ResponseWriter }

func (discarded) WriteHeader(int)                {}
func (discarded) Write(data []byte) (int, error) { return len(data), nil }

func drained(requests <-chan received) []string {
	var list []string
	for len(requests) > 0 {
		r := <-requests
		uri := r.URL.Path
		if r.URL.RawQuery != "" {
			uri += "?" + r.URL.RawQuery
		}
		list = append(list, fmt.Sprintf("%s %s %s %s %s", r.Method, uri, r.body, r.Header.Get("X-Of"), r.Header.Get("X-Key")+r.Header.Get("Authorization")))
	}
	return list
}
