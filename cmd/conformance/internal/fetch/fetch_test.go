package fetch

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec/schema"
)

// TestWait loads a document from a service that is still starting.
func TestWait(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("openapi: 3.0.3\npaths: {/a: {get: {responses: {'200': {description: d}}}}}\n"))
	}))
	defer server.Close()
	address := server.Listener.Addr().String()
	_ = server.Listener.Close()
	if _, err := Contract(t.Context(), "http://"+address, false, 0); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
	time.AfterFunc(50*time.Millisecond, func() {
		server.Listener, _ = net.Listen("tcp", address)
		server.Start()
	})
	if _, err := Contract(t.Context(), "http://"+address, false, time.Minute); err != nil {
		t.Error(err)
	}
}

// TestContract loads a document from a URL. An error is one line.
func TestContract(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: fetched, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: d}}}}}\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/api.yaml", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a credential was sent")
		}
		_, _ = w.Write([]byte(document))
	})
	mux.HandleFunc("/bad.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{")) })
	mux.HandleFunc("/moved-to", func(w http.ResponseWriter, r *http.Request) {
		if r.Referer() != "" {
			t.Error("the address was told: " + r.Referer())
		}
		_, _ = w.Write([]byte(document))
	})
	mux.Handle("/moving", http.RedirectHandler("/moved-to", http.StatusFound))
	mux.Handle("/moved", http.RedirectHandler("/api.yaml", http.StatusFound))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusFound))
	mux.HandleFunc("/private", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, path := range []string{"/api.yaml", "/moved", "/moving?key=secret", "/api.yaml?key=secret"} {
		c, err := Contract(t.Context(), server.URL+path, false, 0)
		if err != nil || c.Title != "fetched" || strings.Contains(c.File, "secret") {
			t.Errorf("%s: %+v, %v", path, c, err)
		}
	}
	for address, want := range map[string]string{
		server.URL + "/none?key=secret": "fetching " + server.URL + "/none: the response is 404 Not Found",
		server.URL + "/round":           "fetching " + server.URL + "/round: redirected more than 5 times",
		server.URL + "/private":         "fetching " + server.URL + "/private: the response is 401 Unauthorized, as no credential is sent; save the contract to a file",
		"https://":                      "the URL has no host",
		server.URL + "/bad.yaml":        "reading the contract: " + server.URL + "/bad.yaml:1:",
		"http://user:pass@a.example/":   "the URL contains a credential; save the contract to a file instead",
		"http://[":                      "this is not a valid URL",
	} {
		if _, err := Contract(t.Context(), address, false, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	for text, want := range map[string]bool{"HTTPS://a": true, "http://a": true, "http": false, "http/a.yaml": false, "file:///a": false} {
		if IsURL(text) != want {
			t.Errorf("IsURL(%q) is %v", text, !want)
		}
	}
}

// TestRemoteReferences: references lead to other addresses only if this is allowed, and never from
// there to a local file.
func TestRemoteReferences(t *testing.T) {
	const head = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: a, parameters: [{name: n, in: query, schema: {$ref: '"
	const tail = "'}}], responses: {'200': {description: d}}}}}\n"
	var requests []string
	mux := http.NewServeMux()
	for path, text := range map[string]string{
		"/api/api.yaml":   head + "shared/types.yaml#/Number" + tail,
		"/api/types.yaml": "Number: {type: integer, maximum: 9}\n",
		"/api/shared/types.yaml": "Number: {$ref: '../types.yaml?key=secret#/Number'}\nFile: {$ref: 'file:///etc/passwd'}\n" +
			"Two: {allOf: [{$ref: 'by-query.yaml?maximum=9#/Number'}, {$ref: 'by-query.yaml?maximum=20#/Number'}]}\n" +
			"Gone: {$ref: 'gone.yaml?key=secret'}\nRound: {$ref: '#/Other'}\nOther: {$ref: 'types.yaml#/Round'}\n",
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			requests = append(requests, r.URL.Path)
			_, _ = w.Write([]byte(text))
		})
	}
	mux.HandleFunc("/api/shared/by-query.yaml", func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.URL.Path)
		_, _ = w.Write([]byte("Number: {$ref: '#/Limited'}\nLimited: {type: integer, maximum: " + r.URL.Query().Get("maximum") + "}\n"))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	dir := t.TempDir()
	at := func(name, ref string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(head+ref+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	types := server.URL + "/api/shared/types.yaml#"
	for _, row := range []struct {
		name, spec string
		remote     bool
		requests   int
		note       string // empty if there is no note
	}{
		{"not allowed, from a file", at("a.yaml", types+"/Number"), false, 0, "remote references are not allowed"},
		{"from a file", at("b.yaml", types+"/Number"), true, 2, ""},
		{"not allowed, from an address", server.URL + "/api/api.yaml", false, 1, "leaves the document"},
		{"from an address", server.URL + "/api/api.yaml", true, 3, ""},
		{"to documents that differ by their queries", at("f.yaml", types+"/Two"), true, 3, ""},
		{"to a file of this machine", at("c.yaml", types+"/File"), true, 1, "which is not fetched"},
		{"to what is gone", at("d.yaml", types+"/Gone"), true, 1, "leads to an address that cannot be read: fetching " + server.URL + "/api/shared/gone.yaml: the response is 404 Not Found"},
		{"in a circle", at("e.yaml", types+"/Round"), true, 1, "circle"},
	} {
		t.Run(row.name, func(t *testing.T) {
			requests = nil
			c, err := Contract(t.Context(), row.spec, row.remote, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(requests) != row.requests {
				t.Errorf("read are %v", requests)
			}
			var notes []string
			for _, n := range c.Notes {
				notes = append(notes, n.Sentence())
			}
			text := strings.Join(notes, "\n")
			if (text == "") != (row.note == "") || !strings.Contains(text, row.note) {
				t.Errorf("the notes are %s", text)
			}
			if p, ok := c.Operations[0].Parameter("query", "n"); row.note == "" {
				if faults, err := p.Schema.Faults(schema.Request, json.Number("10")); !ok || err != nil || len(faults) != 1 {
					t.Errorf("10, above the maximum 9: %v, %v", faults, err)
				}
			}
		})
	}
}
