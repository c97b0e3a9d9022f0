package replay_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
)

// chainOf loads a fixture that creates a resource, reads it, and removes it.
func chainOf(t *testing.T, judged string) fixtures.Message {
	t.Helper()
	const document = `{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {
  /things: {post: {operationId: add, responses: {'201': {description: added}}}},
  '/things/{id}': {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: read, responses: {'200': {description: read}}},
    delete: {operationId: remove, responses: {'204': {description: removed}}}}}}`
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := "title: a thing\nclause: read/answers\nexpect: either\nsteps:\n" +
		"- {id: add, operation: add, outputs: {id: $response.body#/id}}\n- {id: read, request: {path: {id: $steps.add.outputs.id}" + judged + "}}\n" +
		"- {id: remove, operation: remove, cleanup: true, request: {path: {id: $steps.add.outputs.id}}}\n"
	loaded, err := fixtures.Load(contract, fixtures.Set{Name: "mine", FS: fstest.MapFS{"read/group/name.yaml": &fstest.MapFile{Data: []byte(file)}}})
	if err != nil {
		t.Fatal(err)
	}
	return loaded[0].Message(1, 0)
}

func TestChains(t *testing.T) {
	const created = `201 {"id": 7}`
	for _, row := range []struct {
		name    string
		judged  string   // added to the judged request
		answers []string // status and body of each response in turn
		sent    string
		want    string // status of the judged request, or its failure
		left    int    // number of clean-up requests that failed
	}{
		{"all is well", "", []string{created, "200", "204"}, "POST /things, GET /things/7, DELETE /things/7", "200", 0},
		{"what is judged fails", "", []string{created, "500", "204"}, "POST /things, GET /things/7, DELETE /things/7", "500", 0},
		{"it is gone already", "", []string{created, "200", "404"}, "POST /things, GET /things/7, DELETE /things/7", "200", 0},
		{"it cannot be removed", "", []string{created, "200", "409"}, "POST /things, GET /things/7, DELETE /things/7", "200", 1},
		{"the store is busy", "", []string{created, "200", "500", "204"}, "POST /things, GET /things/7, DELETE /things/7, DELETE /things/7", "200", 0},
		{"the store stays busy", "", []string{created, "200", "500", "503"}, "POST /things, GET /things/7, DELETE /things/7, DELETE /things/7", "200", 1},
		{"the step is refused", "", []string{"403"}, "POST /things", "step-failed: the step \"add\" (POST /things) got 403", 0},
		{"the step fails", "", []string{""}, "POST /things", "step-failed: the step \"add\" (POST /things) failed: the connection was closed without an answer", 0},
		{"the step gives no id", "", []string{"201 {}"}, "POST /things", "step-failed: the response to the step \"add\" (POST /things) has no $response.body#/id", 0},
		{"the step gives no JSON", "", []string{"201 7}"}, "POST /things", "step-failed: the response to the step \"add\" (POST /things) has no $response.body#/id", 0},
		{"only what is judged is sent several times", ", times: 3", []string{created, "200", "200", "201", "204"}, "POST /things, GET /things/7, GET /things/7, GET /things/7, DELETE /things/7", "201", 0},
		{"a step is throttled", "", []string{"429", created, "200", "204"}, "POST /things, POST /things, GET /things/7, DELETE /things/7", "200", 0},
		{"what is judged is throttled", "", []string{created, "429", "204", created, "200", "204"}, "POST /things, GET /things/7, DELETE /things/7, POST /things, GET /things/7, DELETE /things/7", "200", 0},
		{"an id that would lead to the list", "", []string{`201 {"id": ""}`}, "POST /things", `step-failed: the output add.id is "", for which a path has no room`, 1},
		{"an id that would lead up", "", []string{`201 {"id": ".."}`}, "POST /things", `step-failed: the output add.id is "..", for which a path has no room`, 1},
		{"an id that is an object", "", []string{`201 {"id": {}}`}, "POST /things", "step-failed: the output add.id is {}, which is neither a text nor a number", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			var sent []string
			c := called(t, func(w http.ResponseWriter, r *http.Request) {
				sent = append(sent, r.Method+" "+r.URL.Path)
				status, body, _ := strings.Cut(row.answers[len(sent)-1], " ")
				if status == "" {
					panic(http.ErrAbortHandler)
				}
				var code int
				_, _ = fmt.Sscan(status, &code)
				w.WriteHeader(code)
				_, _ = io.WriteString(w, body)
			}, concurrency(1))
			var x replay.Exchange
			c.All(t.Context(), replay.OneBatch(chainOf(t, row.judged)), func(_, _ int, got replay.Exchange) { x = got })
			if got := strings.Join(sent, ", "); got != row.sent {
				t.Errorf("sent %s, want %s", got, row.sent)
			}
			var got string
			if x.Failure != nil {
				got = string(x.Failure.Kind) + ": " + x.Failure.Message
			} else {
				got = strconv.Itoa(x.Response.Status)
			}
			if got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
			left := 0
			for _, step := range x.Steps {
				if step.Left() {
					left++
				}
			}
			if left != row.left {
				t.Errorf("%d left, want %d", left, row.left)
			}
		})
	}
}

// Everything that a chain creates is removed, also if a repeated request or a companion
// created it.
func TestChainRemovesAllThatItCreates(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*fixtures.Message)
		made   int
	}{
		"once":           {func(*fixtures.Message) {}, 1},
		"three times":    {func(m *fixtures.Message) { m.Times = 3 }, 3},
		"after another":  {func(m *fixtures.Message) { one := *m; one.Steps, one.Cleanup = nil, nil; m.After = &one }, 2},
		"beside another": {func(m *fixtures.Message) { one := *m; one.Steps, one.Cleanup = nil, nil; m.Beside = &one }, 2},
		"and removes it": {func(m *fixtures.Message) {
			remove := fixtures.Message{Method: http.MethodDelete, Path: "/things/1", Times: 1}
			*m = fixtures.Message{Method: http.MethodDelete, Path: "/things/1", Times: 1, Steps: []fixtures.Step{{ID: "add", Message: fixtures.Message{Method: http.MethodPost, Path: "/things", Times: 1}}}, Cleanup: []fixtures.Step{{ID: "remove", Message: remove}}}
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			kept, made, deletions := map[string]bool{}, 0, 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.Method == http.MethodPost {
					made++
					kept["/things/"+strconv.Itoa(made)] = true
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id": %d}`, made)
					return
				}
				deletions++
				delete(kept, r.URL.Path)
				w.WriteHeader(http.StatusNoContent)
			}))
			defer server.Close()
			m := chainOf(t, "")
			m = fixtures.Message{
				Method: http.MethodPost, Path: "/things", Times: 1, Step: "add", Outputs: m.Steps[0].Outputs, Cleanup: m.Cleanup,
			}
			row.change(&m)
			clientFor(t, server.URL).All(t.Context(), replay.OneBatch(m), func(_, _ int, x replay.Exchange) {
				if x.Failure != nil || x.Response.Status >= http.StatusBadRequest {
					t.Errorf("%+v", x.Failure)
				}
			})
			if len(kept) > 0 || made != row.made || deletions != row.made {
				t.Errorf("%d made, %d removed, left are %v", made, deletions, kept)
			}
		})
	}
}

// The chain takes a value from a long response to a step, but does not keep the response.
func TestChainKeepsLittleOfSteps(t *testing.T) {
	c := called(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, `{"long": "`+strings.Repeat("x", 100_000)+`", "id": 7}`)
		}
	})
	c.All(t.Context(), replay.OneBatch(chainOf(t, "")), func(_, _ int, x replay.Exchange) {
		if kept := x.Steps[0].Exchange.Response; x.Failure != nil || len(kept.Body) != 2<<10 || !kept.Cut {
			t.Errorf("%+v, %d bytes are kept", x.Failure, len(kept.Body))
		}
	})
}

// A created resource is removed, even if the run ends before that.
func TestChainIsCleanedUpAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	removed := make(chan string, 1)
	c := called(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"id": 7}`)
		case http.MethodGet:
			cancel()
			<-r.Context().Done()
		default:
			removed <- r.URL.Path
		}
	}, timeout(time.Minute))
	c.All(ctx, replay.OneBatch(chainOf(t, "")), func(_, _ int, x replay.Exchange) {
		if x.Failure == nil || x.Failure.Kind != replay.Canceled || len(x.Steps) != 2 || x.Steps[1].Left() {
			t.Errorf("%+v, %d steps", x.Failure, len(x.Steps))
		}
	})
	if len(removed) != 1 || <-removed != "/things/7" {
		t.Error("the thing is still there")
	}
}

// TestStepThatCreates: a resource from a step is removed, even if the chain takes no value from the response.
func TestStepThatCreates(t *testing.T) {
	var sent []string
	c := called(t, func(_ http.ResponseWriter, r *http.Request) { sent = append(sent, r.Method) }, concurrency(1))
	step := func(id, method string) fixtures.Step {
		return fixtures.Step{ID: id, Message: fixtures.Message{Method: method, Path: "/things/mine", Times: 1}}
	}
	answered := 0
	c.Answered = func() { answered++ }
	c.Exchange(t.Context(), fixtures.Message{
		Method: http.MethodGet, Path: "/things/mine", Times: 1,
		Steps: []fixtures.Step{step("put", http.MethodPut)}, Cleanup: []fixtures.Step{step("remove", http.MethodDelete)},
	})
	if got := strings.Join(sent, ", "); got != "PUT, GET, DELETE" || answered != len(sent) {
		t.Errorf("sent %s, and told of %d responses", got, answered)
	}
}

// TestValuesThatAreSecrets: if a target returns the credential as the id of a new resource, the
// chain sends it back, but does not record it.
func TestValuesThatAreSecrets(t *testing.T) {
	for _, id := range []string{`"` + token + `"`, `{"t":"` + token + `"}`, `"/a/` + token + `/.."`} {
		c := called(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(map[string]int{http.MethodPost: http.StatusCreated, http.MethodGet: http.StatusOK, http.MethodDelete: http.StatusInternalServerError}[r.Method])
			_, _ = io.WriteString(w, `{"id":`+id+`}`)
		}, concurrency(1))
		x := c.Exchange(t.Context(), chainOf(t, ""))
		text := recorded(x)
		for _, step := range x.Steps {
			text += recorded(step.Exchange)
		}
		checkHidden(t, text, token)
	}
}

// TestCookiesThatAreGiven: the cookies of a response are sent back, but their values are not
// recorded.
func TestCookiesThatAreGiven(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	all, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(f fixtures.Fixture) bool { return f.ID == "createPlant/no-token/cookie-given" })
	for want, given := range map[string][]string{"lang=en-GB; session=a-secret-of-the-service": {"lang=en-GB; Path=/", "session=a-secret-of-the-service;HttpOnly"}, "200": nil} {
		var sent string
		c := called(t, func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header.Get("Cookie")
			w.Header()["Set-Cookie"] = given
		}, concurrency(1))
		x := c.Exchange(t.Context(), all[at].Message(1, 0))
		if sent != want {
			t.Errorf("sent %q, want %q", sent, want)
		}
		for _, text := range []string{recorded(x), recorded(x.Steps[0].Exchange)} {
			checkHidden(t, text, "a-secret-of-the-service")
		}
	}
}

// TestLongValues: the length of a value from a response is limited.
func TestLongValues(t *testing.T) {
	c := called(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"`+strings.Repeat("7", 20_000)+`"}`)
	}, concurrency(1))
	x := c.Exchange(t.Context(), chainOf(t, ""))
	if want := "the response to the step \"add\" (POST /things) has $response.body#/id of more than 16384 bytes"; x.Failure == nil || x.Failure.Message != want {
		t.Errorf("%+v, want %s", x.Failure, want)
	}
}

// A rejected request creates nothing, so the clean-up is not sent.
func TestNothingToRemove(t *testing.T) {
	for status, want := range map[int]string{http.StatusCreated: "PUT, DELETE", http.StatusBadRequest: "PUT", http.StatusInternalServerError: "PUT, DELETE"} {
		var sent []string
		c := called(t, func(w http.ResponseWriter, r *http.Request) {
			sent = append(sent, r.Method)
			if r.Method == http.MethodPut {
				w.WriteHeader(status)
			}
		}, concurrency(1))
		c.Exchange(t.Context(), fixtures.Message{
			Method: http.MethodPut, Path: "/things/mine", Times: 1,
			Cleanup: []fixtures.Step{{ID: "remove", Message: fixtures.Message{Method: http.MethodDelete, Path: "/things/mine", Times: 1}}},
		})
		if got := strings.Join(sent, ", "); got != want {
			t.Errorf("after %d: sent %s, want %s", status, got, want)
		}
	}
}
