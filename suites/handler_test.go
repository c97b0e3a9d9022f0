package suites_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
)

// handlerConfig is what configFor is, for a handler.
func handlerConfig(handler http.Handler) suites.Config {
	c := configFor("")
	c.Handler = handler
	return c
}

// A handler is judged as the service that it is part of.
func TestHandler(t *testing.T) {
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of soil") })
	for _, row := range []struct {
		name    string
		handler http.Handler
		want    judge.Verdict
		broken  string
	}{
		{"as it must be", store{}, judge.Conformant, ""},
		{"one that breaks a clause", store{success: 201}, judge.Nonconformant, "createPlant/accepts"},
		{"one that panics", panics, judge.Nonconformant, "createPlant/answers"},
		{"one that aborts", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), judge.Nonconformant, "createPlant/answers"},
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

func TestHandlerAndBaseURLExcludeEachOther(t *testing.T) {
	c := handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("something was sent") }))
	c.Target.BaseURL = "http://127.0.0.1:1"
	if _, err := suites.Run(t.Context(), c); !errors.Is(err, suites.ErrConfig) || !strings.Contains(err.Error(), "Target.BaseURL and Handler are both given") {
		t.Error(err)
	}
}

// When a run is over, so is the handler: what it uses may be closed then.
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

// A handler that never returns is left behind.
func TestHandlerThatHangs(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	defer close(end)
	c := handlerConfig(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	c.Only = []string{"createPlant/valid/plain"}
	c.Limits.Timeout = 100 * time.Millisecond
	if r := run(t, c); r.Verdict == judge.Conformant {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}
