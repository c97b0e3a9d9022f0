package replay_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// described returns everything that a handler sees of a request.
func described(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	fmt.Fprintln(w, r.Method, r.URL, r.URL.Path, r.URL.RawQuery, r.RequestURI, r.Host, r.Proto, r.ContentLength, r.TransferEncoding, r.RemoteAddr != "", r.TLS == nil)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(w, "%q: %q\n", name, r.Header[name])
	}
	fmt.Fprintf(w, "%q %v", body, err)
}

// A handler without a connection gets the same requests and sends the same responses as
// with a connection.
func TestHandlerWithoutAConnection(t *testing.T) {
	text := func(status int, body string, fields ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(fields); i += 2 {
				w.Header().Add(fields[i], fields[i+1])
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	for name, handler := range map[string]http.HandlerFunc{
		"the request":           described,
		"nothing":               func(http.ResponseWriter, *http.Request) {},
		"a status alone":        text(404, ""),
		"plain text":            text(200, "hello"),
		"JSON without its type": text(200, `{"name":"x"}`),
		"HTML without its type": text(400, "<!doctype html><p>no"),
		"a type of its own":     text(200, "{}", "Content-Type", "application/json", "X-A", "1", "X-A", "2"),
		"an empty type":         text(200, "{}", "Content-Type", ""),
		"no type at all": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "{}")
		},
		"names in lower case": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["x-lower"] = []string{"1"}
			io.WriteString(w, "{}")
		},
		"a body of the buffer":     text(200, strings.Repeat("x", 2048)),
		"a long body":              text(200, strings.Repeat("x", 2049)),
		"a body in two parts":      func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>"); io.WriteString(w, "\x00") },
		"a body that is too long":  text(200, strings.Repeat("x", 200<<10)),
		"no content":               text(204, "", "Content-Type", "application/json"),
		"a body where none may be": text(204, "{}"),
		"not modified":             text(304, "", "Content-Type", "text/plain", "Etag", `"1"`),
		"a redirect":               text(302, "", "Location", "/elsewhere"),
		"a 500":                    text(500, "no"),
		"early hints": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusCreated)
		},
		"a second status": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			w.WriteHeader(http.StatusInternalServerError)
		},
		"fields after the header": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.Header().Set("X-Late", "1")
		},
		"a length":           text(200, "{}", "Content-Length", "2"),
		"a length too short": text(200, "{}", "Content-Length", "1"),
		"a length too long":  text(200, "{}", "Content-Length", "3"),
		"flushed": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			io.WriteString(w, "}")
		},
		"flushed first":        func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush(); io.WriteString(w, "<p>") },
		"a panic":              func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a panic after a word": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{"); panic(http.ErrAbortHandler) },
		"a panic after a flush": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"a body that is not read": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "{}") },
		"gzip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, "{}")
			z.Close()
		},
		"too late": func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() },
		"without end": func(w http.ResponseWriter, r *http.Request) {
			for r.Method != http.MethodHead {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		},
	} {
		for i, m := range []fixtures.Message{
			post(`{"name":"x"}`),
			{Method: http.MethodPost, Path: "/a%2Fb", Query: fields("q", "x y"), Header: fields("x-lower", " 1 ", "X-A", "1", "X-A", "2")},
			{Method: http.MethodPost, Path: "/", HasBody: true},
			{Method: http.MethodGet, Path: "/"},
			{Method: http.MethodHead, Path: "/"},
		} {
			if often(2) == 1 && i > 0 && (i+len(name))%4 > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s %d", name, m.Method, len(m.Header)+len(m.Body)), func(t *testing.T) {
				t.Parallel()
				server := serve(t, handler)
				server.Config.ErrorLog = quiet()
				l := limits(func(l *replay.Limits) { l.MaxBody = 100 << 10 })
				if name == "too late" {
					timeout(quick)(&l)
				}
				shown := func(handler http.Handler) string {
					target := replay.Target{BaseURL: server.URL + "/v1", Token: token, Handler: handler}
					x := newClient(t, target, l).Exchange(t.Context(), m)
					response := cmp.Or(x.Response, &replay.Response{})
					delete(response.Header, "Date")
					delete(response.Header, "Connection")
					if x.Failure != nil && x.Failure.Kind == replay.OverLimit {
						response.Header = nil // the server may not have finished
					}
					return fmt.Sprintf("%d %q\n%q %t\n%v\n%v", response.Status, response.Header, response.Body, response.Cut, x.Failure, x.Request)
				}
				if got, want := shown(handler), shown(nil); got != want {
					t.Errorf("without a connection:\n%.500s\nover one:\n%.500s", got, want)
				}
			})
		}
	}
}

// The request's context tells a handler when its time is over. It is called as often as needed.
func TestManyCallsOfAHandler(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }
	messages := numbered(300)
	for i := range messages {
		messages[i].Body = fmt.Append(nil, i)
	}
	c := called(t, handler)
	for i, x := range all(t.Context(), c, messages) {
		if x.Failure != nil || !bytes.Equal(x.Response.Body, messages[i].Body) {
			t.Errorf("%d: %v %v", i, x.Response, x.Failure)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	hanging := called(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	checkFailure(t, all(ctx, hanging, posts(3))[0], replay.Canceled, "interrupted")
}

// BenchmarkHandler measures an exchange without a connection.
func BenchmarkHandler(b *testing.B) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name":"conformance plant"}`)
	}
	c := called(b, handler)
	messages := posts(1500)
	b.ReportAllocs()
	for b.Loop() {
		c.All(b.Context(), replay.OneBatch(messages...), func(int, int, replay.Exchange) {})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(messages)), "ns/exchange")
}
