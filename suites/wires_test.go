package suites_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/judge"
)

// A service that parses HTTP itself shows what net/http hides: how a request is written.
func TestRequestsAreWrittenAsClientsWriteThem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, breaks string
		unread       func(first string) bool // what the service finds in its first read
	}{
		{"reads all", "", func(string) bool { return false }},
		{"reads the header at once", "createPlant/valid/apart", func(first string) bool { return !strings.Contains(first, "\r\n\r\n") }},
		{"needs a space after the colon", "createPlant/valid/no-space-in-fields", func(first string) bool {
			return strings.Contains(first, "\r\nHost:") && !strings.Contains(first, "\r\nHost: ")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := suites.NewConfig()
			c.Fixtures, c.Target.BaseURL, c.Target.Token = []fixtures.Set{fixtures.Bundled()}, handwritten(t, test.unread), "token"
			c.Only = []string{"createPlant/valid/apart", "createPlant/valid/no-space-in-fields", "createPlant/valid/plain"}
			var wrong []string
			for range 10 { // on a busy machine, the first read may return both parts of a request
				r := run(t, c)
				wrong = nil
				for _, result := range r.Results {
					if failed := result.Status == judge.Failed; failed != (result.Fixture == test.breaks) {
						wrong = append(wrong, fmt.Sprintf("%s is %s: %s %v", result.Fixture, result.Status, result.Reason, result.Findings))
					}
				}
				if wrong == nil || test.breaks == "" {
					break
				}
			}
			if wrong != nil {
				t.Error(strings.Join(wrong, "\n"))
			}
		})
	}
}

// handwritten serves plants on a socket, and answers 400 to requests that unread reports.
func handwritten(t *testing.T, unread func(first string) bool) (url string) {
	t.Helper()
	return listening(t, func(connection net.Conn) { answerByHand(connection, unread) })
}

func listening(t *testing.T, serve func(net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(connection)
		}
	}()
	return "http://" + listener.Addr().String()
}

func answerByHand(connection net.Conn, unread func(first string) bool) {
	defer connection.Close()
	first := make([]byte, 1<<16)
	n, err := connection.Read(first)
	if err != nil {
		return
	}
	in := bufio.NewReader(io.MultiReader(bytes.NewReader(first[:n]), connection))
	request, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, request.Body)
	status, body := http.StatusOK, `{"name": "conformance"}`
	if unread(string(first[:n])) {
		status, body = http.StatusBadRequest, `{"error": 400, "message": "no header"}`
	}
	_, _ = fmt.Fprintf(connection, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, len(body), body)
}

// TestBodiesOfRefusedRequests: a service that leaves the body of a refused request on the
// connection takes it for the beginning of the next request (RFC 9112 §9.3).
func TestBodiesOfRefusedRequests(t *testing.T) {
	t.Parallel()
	shop := suites.Config{}
	if long {
		var err error
		if shop, err = loadDerived(books.Service(), 0); err != nil {
			t.Fatal(err)
		}
	}
	everything := func(*http.Request) bool { return true }
	nothing := func(*http.Request) bool { return false }
	ofText := func(r *http.Request) bool { return r.Header.Get("Content-Type") == "text/plain" }
	strict := books.New(services.Options{})
	lax := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") == "text/plain" {
			r.Header.Set("Content-Type", "application/json")
		}
		strict.ServeHTTP(w, r)
	}
	bundled := []string{"createPlant/valid/after-unauthorized", "createPlant/valid/after-large", "createPlant/valid/after-media-type"}
	derived := []string{"createBook/valid/after-unauthorized", "createBook/valid/after-media-type"}
	for _, row := range []struct {
		name, breaks string
		only         []string
		serve        http.Handler
		leaves       func(r *http.Request) bool
		closes       bool // after it left a body unread
	}{
		{"plants: reads all", "", bundled, http.HandlerFunc(somePlant), nothing, false},
		{"plants: leaves all, and closes", "", bundled, http.HandlerFunc(somePlant), everything, true},
		{"plants: of no credential", bundled[0], bundled, http.HandlerFunc(somePlant), func(r *http.Request) bool { return r.Header.Get("Authorization") == "" && r.ContentLength < 1000 }, false},
		{"plants: large, of no credential", bundled[1], bundled, http.HandlerFunc(somePlant), func(r *http.Request) bool { return r.Header.Get("Authorization") == "" && r.ContentLength > 1000 }, false},
		{"plants: of another media type", bundled[2], bundled, http.HandlerFunc(somePlant), ofText, false},
		{"books: reads all", "", derived, books.New(services.Options{}), nothing, false},
		{"books: leaves what it refuses, and closes", "", derived, books.New(services.Options{}), func(r *http.Request) bool { return r.Header.Get("X-Shop-Key") == "" || ofText(r) }, true},
		{"books: of no credential", derived[0], derived, books.New(services.Options{}), func(r *http.Request) bool { return r.Header.Get("X-Shop-Key") == "" }, false},
		{"books: of another media type", derived[1], derived, books.New(services.Options{}), ofText, false},
		{"books: accepts another media type", "", derived, http.HandlerFunc(lax), nothing, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := suites.NewConfig()
			c.Fixtures, c.Target.Token = []fixtures.Set{fixtures.Bundled()}, "token"
			if &row.only[0] == &derived[0] {
				needsLong(t, "derives the fixtures of a shop")
				c = shop
				c.Target.Credentials = books.Service().Credentials
			}
			c.Only = row.only
			c.Target.BaseURL = listening(t, func(connection net.Conn) { serveByHand(connection, row.serve, row.leaves, row.closes) })
			r, err := suites.Run(t.Context(), c)
			if err != nil || len(r.Results) != len(row.only) {
				t.Fatalf("%d results, %v", len(r.Results), err)
			}
			for _, one := range r.Results {
				if failed := one.Status == judge.Failed; failed != (one.Fixture == row.breaks) || one.Status == judge.Unjudged {
					t.Errorf("%s is %s: %s %v", one.Fixture, one.Status, one.Reason, one.Findings)
				}
			}
		})
	}
}

func somePlant(w http.ResponseWriter, r *http.Request) {
	status, body := http.StatusOK, `{"name": "conformance"}`
	if r.Header.Get("Authorization") == "" || r.Header.Get("Content-Type") != "application/json" {
		status, body = http.StatusBadRequest, `{"error": 400, "message": "refused"}`
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// serveByHand serves a connection that may have unread bodies. net/http does not leave any.
func serveByHand(connection net.Conn, handler http.Handler, leaves func(r *http.Request) bool, closes bool) {
	defer connection.Close()
	in := bufio.NewReader(connection)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				_, _ = io.WriteString(connection, "HTTP/1.1 400 X\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n"+`{"error": 400, "message": "refused"}`)
			}
			return
		}
		left := leaves(r)
		body := r.Body
		if left {
			r.Body = http.NoBody
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if !left {
			_, _ = io.Copy(io.Discard, body)
		}
		response := w.Result()
		response.ContentLength = int64(w.Body.Len())
		response.Close = left && closes
		if response.Write(connection) != nil || response.Close {
			return
		}
	}
}
