package suites_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// handlerConfig returns the configuration of configFor, but for a handler.
func handlerConfig(handler http.Handler) suites.Config {
	c := configFor("")
	c.Handler = handler
	return c
}

// A handler is judged like the service that it is part of.
func TestHandler(t *testing.T) {
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of soil") })
	for _, row := range []struct {
		name    string
		handler http.Handler
		want    verdict.Verdict
		broken  string
	}{
		{"as it must be", store{}, verdict.Conformant, ""},
		{"one that breaks a clause", store{success: 201}, verdict.Nonconformant, "createPlant/accepts"},
		{"one that panics", panics, verdict.Nonconformant, "createPlant/answers"},
		{"one that aborts", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), verdict.Nonconformant, "createPlant/answers"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := run(t, handlerConfig(row.handler))
			if r.Verdict != row.want || strings.Join(broken(r, judge.Violation), " ") != row.broken {
				t.Errorf("%s: %s; broken %q, want %q", r.Verdict, r.Reason, broken(r, judge.Violation), row.broken)
			}
			if !strings.HasPrefix(r.Target.BaseURL, "http://127.0.0.1:") {
				t.Errorf("the report names %q as what was tested", r.Target.BaseURL)
			}
		})
	}
}

func TestConfigurationsThatCannotRun(t *testing.T) {
	c := handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("something was sent") }))
	c.Target.BaseURL = "http://127.0.0.1:1"
	if _, err := suites.Run(t.Context(), c); !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), "Target.BaseURL and Handler are both given") {
		t.Error(err)
	}
	if _, err := suites.Run(t.Context(), suites.Config{Handler: store{}}); !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), "begin with NewConfig") {
		t.Errorf("a configuration without limits: %v", err)
	}
}

// After a run, the handler is not in use: its resources may be closed.
func TestHandlerIsDoneWithTheRun(t *testing.T) {
	var begun, done atomic.Int64
	c := handlerConfig(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		begun.Add(1)
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "{}")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(50 * time.Millisecond) // work that the client does not wait for
		done.Add(1)
	}))
	c.Only = []string{"createPlant/valid/plain"}
	run(t, c)
	if begun.Load() == 0 || begun.Load() != done.Load() {
		t.Errorf("%d calls were begun and %d done", begun.Load(), done.Load())
	}
}

// A handler that never returns is abandoned.
func TestHandlerThatHangs(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	defer close(end)
	c := handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	c.Only = []string{"createPlant/valid/plain"}
	c.Limits.Timeout = 100 * time.Millisecond
	if r := run(t, c); r.Verdict == verdict.Conformant {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// stops is a service that accepts a number of plants, and then refuses the caller for any request.
type stops struct {
	store
	after   int64
	status  int
	accepts *atomic.Int64
}

func (s stops) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.accepts.Load() >= s.after && r.Header.Get("Authorization") == "Bearer "+token {
		w.WriteHeader(s.status)
		return
	}
	answer := httptest.NewRecorder()
	s.store.ServeHTTP(answer, r)
	if answer.Code == http.StatusOK {
		s.accepts.Add(1)
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// A service that stops accepting the token is not blamed, at any time and with any number of
// concurrent requests. A service that refuses only some valid requests is.
func TestServiceThatStopsAccepting(t *testing.T) {
	needsLong(t, "runs a service until it refuses each request")
	t.Parallel()
	for _, row := range []struct {
		after  int64
		status int
	}{{200, 403}, {1, 401}, {20, 401}, {60, 402}} {
		for _, concurrency := range []int{8, 1} {
			t.Run(fmt.Sprintf("%d after %d, %d at a time", row.status, row.after, concurrency), func(t *testing.T) {
				c := handlerConfig(stops{store{}, row.after, row.status, new(atomic.Int64)})
				c.Quick, c.Tries, c.Limits.Concurrency = false, 0, concurrency
				r := run(t, c)
				if r.Verdict != verdict.Inconclusive || !strings.Contains(r.Reason, "and then refused all") || !strings.Contains(r.Reason, strconv.Itoa(row.status)) {
					t.Errorf("%s: %s", r.Verdict, r.Reason)
				}
				if again := result.Conclude(r.Recording()); again.Verdict != r.Verdict || again.Reason != r.Reason {
					t.Errorf("concluded again, it is %s: %s", again.Verdict, again.Reason)
				}
			})
		}
	}
	t.Run("after many failures", func(t *testing.T) {
		var failures atomic.Int64
		r := run(t, handlerConfig(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			wrong := r.Header.Get("Authorization") != "Bearer "+token
			if failures.Load() > 5 || wrong && failures.Add(1) > 5 {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			store{}.ServeHTTP(w, r)
		})))
		if r.Verdict != verdict.Inconclusive || !strings.Contains(r.Reason, "the service accepted 1 request and then refused all") {
			t.Errorf("%s: %s", r.Verdict, r.Reason)
		}
	})
	t.Run("and has a fault", func(t *testing.T) {
		c := handlerConfig(stops{store{nameMissing: true}, 60, 401, new(atomic.Int64)})
		c.Quick, c.Tries = false, 0
		if r := run(t, c); r.Verdict != verdict.Nonconformant || slices.Contains(broken(r, judge.Violation), "createPlant/accepts") {
			t.Errorf("%s: %s; broken %q", r.Verdict, r.Reason, broken(r, judge.Violation))
		}
	})
	t.Run("refuses every third request", func(t *testing.T) {
		var n atomic.Int64
		c := handlerConfig(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1)%3 == 0 {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			store{}.ServeHTTP(w, r)
		}))
		c.Limits.Concurrency = 1 // otherwise, by chance, no valid request may be a third one
		r := run(t, c)
		if r.Verdict != verdict.Nonconformant || !slices.Contains(broken(r, judge.Violation), "createPlant/accepts") {
			t.Errorf("%s: %s; broken %q", r.Verdict, r.Reason, broken(r, judge.Violation))
		}
	})
}

// Requests that are sent with the request of a fixture are judged too: as the fixture that they
// belong to, or, if they are earlier repetitions, as requests that may be accepted or rejected. If
// only such a request breaks the contract, the result shows its body, its id and its command.
func TestRequestsOfCompany(t *testing.T) {
	const valid = "createPlant/missing-required/name.with-after-accepted"
	for _, row := range []struct {
		name, fixture, like string // is in the bodies that are answered otherwise: the first one, or the third after the two of the control
		status              int
		body                string
		broken, beside      string
	}{
		{"beside, 500", "createPlant/valid/beside-rejected", "", 500, "", "createPlant/answers", "createPlant/missing-required/name"},
		{"before, 500", "createPlant/valid/after-rejected", `"name":7`, 500, "", "createPlant/answers", "createPlant/wrong-type/name-number"},
		{"before, let through", "createPlant/valid/after-rejected", `"name":7`, 200, `{"name":"7"}`, "createPlant/request/body/name", "createPlant/wrong-type/name-number"},
		{"before, rejected otherwise", "createPlant/valid/after-rejected", `"name":7`, 422, `no`, "", ""},
		{"before, a valid one refused", valid, `"name":"`, 400, `{"error":400,"message":"no"}`, "createPlant/accepts", "createPlant/valid/plain"},
		{"before, the credential refused", valid, `"name":"`, 403, ``, "", ""},
		{"before, a valid one with a bad body", valid, `"name":"`, 200, `{}`, "createPlant/200/body/name", "createPlant/valid/plain"},
		{"the first of several, bad", "createPlant/open/same-id-three-times", "same id", 200, `{}`, "createPlant/200/body/name", ""},
		{"the first of several, refused", "createPlant/open/same-id-three-times", "same id", 409, "", "", ""},
		{"the first of several, let through", "createPlant/missing-required/twice", "", 200, `{"name":""}`, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var answered atomic.Int64
			c := handlerConfig(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				isLike := bytes.Contains(body, []byte(row.like)) && (row.like != "" || !bytes.Contains(body, []byte("name")))
				if nth := map[bool]int64{false: 1, true: 3}[row.fixture == valid]; !isLike || answered.Add(1) != nth {
					store{}.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(row.status)
				_, _ = io.WriteString(w, row.body)
			}))
			c.Quick, c.Only, c.Tries = false, []string{row.fixture}, 1
			r := run(t, c)
			x := r.Results[0]
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.broken || x.Beside != row.beside {
				t.Fatalf("%s, broken %q, want %q, beside %q", x.Status, got, row.broken, x.Beside)
			}
			if sent := x.Exchange.Request.Body.Body; row.beside != "" && (!strings.Contains(sent, row.like) || !strings.Contains(x.Curl, "'"+sent+"'")) {
				t.Errorf("sent %s, and the command is %s", sent, x.Curl)
			}
		})
	}
}
