package reference_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/reference"
)

// TestBeneath tests the variations that do not show in the report of a run.
func TestBeneath(t *testing.T) {
	checks := map[string]func(t *testing.T, s *httptest.Server){
		"tls":               func(t *testing.T, s *httptest.Server) { checkProtocol(t, s, "HTTP/1.1") },
		"http-2":            func(t *testing.T, s *httptest.Server) { checkProtocol(t, s, "HTTP/2.0") },
		"http-2-alone":      func(t *testing.T, s *httptest.Server) { checkProtocol(t, s, "HTTP/2.0") },
		"early-hints":       func(t *testing.T, s *httptest.Server) { checkHints(t, s, 103) },
		"still-processing":  func(t *testing.T, s *httptest.Server) { checkHints(t, s, 102, 102, 103) },
		"rate-limit-429":    func(t *testing.T, s *httptest.Server) { checkPause(t, s, http.StatusTooManyRequests) },
		"overload-503":      func(t *testing.T, s *httptest.Server) { checkPause(t, s, http.StatusServiceUnavailable) },
		"other-methods-404": func(t *testing.T, s *httptest.Server) { checkGet(t, s, http.StatusNotFound) },
		"other-methods-200": func(t *testing.T, s *httptest.Server) { checkGet(t, s, http.StatusOK) },
		"version-in-path": func(t *testing.T, s *httptest.Server) {
			if got := post(t, s, 1, nil).StatusCode; got != http.StatusNotFound {
				t.Errorf("got %d without the prefix", got)
			}
		},
		"no-reason-phrase": func(t *testing.T, s *httptest.Server) {
			if got := post(t, s, 1, nil).Status; got != "200 " {
				t.Errorf("the status is %q", got)
			}
		},
		"connection-close":  func(t *testing.T, s *httptest.Server) { checkClose(t, s, true) },
		"connection-closed": func(t *testing.T, s *httptest.Server) { checkClose(t, s, false) },
		"slow": func(t *testing.T, s *httptest.Server) {
			began := time.Now()
			if post(t, s, 1, nil); time.Since(began) < 5*time.Millisecond {
				t.Error("the answer is there at once")
			}
		},
	}
	for _, v := range reference.Variations() {
		if !slices.Contains(beneath(), v.Name) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(reference.New(reference.Options{Tokens: []string{token}, Variation: v}))
			defer server.Close()
			if server.EnableHTTP2 = slices.Contains(v.TLS, "h2"); len(v.TLS) > 0 {
				server.StartTLS()
			} else {
				server.Start()
			}
			checks[v.Name](t, server)
		})
	}
}

// post creates a plant and returns the answer.
func post(t *testing.T, s *httptest.Server, id int, trace *httptrace.ClientTrace) *http.Response {
	t.Helper()
	ctx := t.Context()
	if trace != nil {
		ctx = httptrace.WithClientTrace(ctx, trace)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/plants", strings.NewReader(`{"name":"fern","id":`+strconv.Itoa(id)+`}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	return do(t, s, request)
}

func do(t *testing.T, s *httptest.Server, request *http.Request) *http.Response {
	t.Helper()
	response, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response
}

func checkProtocol(t *testing.T, s *httptest.Server, want string) {
	t.Helper()
	if got := post(t, s, 1, nil); got.Proto != want || got.TLS == nil || got.StatusCode != http.StatusOK {
		t.Errorf("got %d by %s (TLS %v), want %s over TLS", got.StatusCode, got.Proto, got.TLS != nil, want)
	}
}

func checkHints(t *testing.T, s *httptest.Server, want ...int) {
	t.Helper()
	var got []int
	trace := &httptrace.ClientTrace{Got1xxResponse: func(status int, _ textproto.MIMEHeader) error {
		got = append(got, status)
		return nil
	}}
	if final := post(t, s, 1, trace); !slices.Equal(got, want) || final.StatusCode != http.StatusOK {
		t.Errorf("got %v and %d, want %v and 200", got, final.StatusCode, want)
	}
}

// checkPause checks that one request gets an answer to retry later, and that its retry succeeds.
func checkPause(t *testing.T, s *httptest.Server, want int) {
	t.Helper()
	for id := range 30 {
		first := post(t, s, id, nil)
		if first.StatusCode == http.StatusOK {
			continue
		}
		again := post(t, s, id, nil)
		if first.StatusCode != want || first.Header.Get("Retry-After") == "" || again.StatusCode != http.StatusOK {
			t.Errorf("got %d, Retry-After %q, and then %d; want %d and then 200", first.StatusCode, first.Header.Get("Retry-After"), again.StatusCode, want)
		}
		return
	}
	t.Error("nobody was asked to wait")
}

// checkClose checks that connections are closed, with or without an announcement.
func checkClose(t *testing.T, s *httptest.Server, said bool) {
	t.Helper()
	for id := range 2 {
		var reused bool
		trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused }}
		if got := post(t, s, id, trace).Close; got != said || reused {
			t.Errorf("it is said: %v; the connection was used before: %v", got, reused)
		}
		time.Sleep(20 * time.Millisecond) // for the client to see that it was closed
	}
}

func checkGet(t *testing.T, s *httptest.Server, want int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/plants", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if got := do(t, s, request).StatusCode; got != want {
		t.Errorf("GET gets %d, want %d", got, want)
	}
}
