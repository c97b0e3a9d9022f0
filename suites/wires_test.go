package suites_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
)

// A service that reads HTTP by hand shows in what net/http hides: how a request is written.
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
			for range 10 { // on a busy machine the service may find in its first read what came in two parts
				r, err := suites.Run(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
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

// handwritten serves plants on a socket, and answers 400 to what is unread.
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

// TestBodiesOfRefusedRequests: a service that leaves the body of a request that it refuses on the
// connection takes it for the beginning of the next request (RFC 9112 §9.3).
func TestBodiesOfRefusedRequests(t *testing.T) {
	t.Parallel()
	for breaks, leaves := range map[string]func(r *http.Request) bool{
		"":                                     func(*http.Request) bool { return false },
		"createPlant/valid/after-unauthorized": func(r *http.Request) bool { return r.Header.Get("Authorization") == "" && r.ContentLength < 1000 },
		"createPlant/valid/after-large":        func(r *http.Request) bool { return r.Header.Get("Authorization") == "" && r.ContentLength > 1000 },
		"createPlant/valid/after-media-type":   func(r *http.Request) bool { return r.Header.Get("Content-Type") == "text/plain" },
	} {
		t.Run(breaks, func(t *testing.T) {
			t.Parallel()
			c := suites.NewConfig()
			c.Fixtures, c.Target.Token = []fixtures.Set{fixtures.Bundled()}, "token"
			c.Target.BaseURL = listening(t, func(connection net.Conn) {
				defer connection.Close()
				in := bufio.NewReader(connection)
				for r, err := http.ReadRequest(in); ; r, err = http.ReadRequest(in) {
					if errors.Is(err, io.EOF) {
						return
					}
					status, body := http.StatusBadRequest, `{"error": 400, "message": "refused"}`
					if err == nil && r.Header.Get("Authorization") != "" && r.Header.Get("Content-Type") == "application/json" {
						status, body = http.StatusOK, `{"name": "conformance"}`
					}
					if err == nil && !leaves(r) {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					_, _ = fmt.Fprintf(connection, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
					if err != nil {
						return
					}
				}
			})
			c.Only = []string{"createPlant/valid/after-unauthorized", "createPlant/valid/after-large", "createPlant/valid/after-media-type"}
			r, err := suites.Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range r.Results {
				if failed := one.Status == judge.Failed; failed != (one.Fixture == breaks) {
					t.Errorf("%s is %s: %s %v", one.Fixture, one.Status, one.Reason, one.Findings)
				}
			}
		})
	}
}
