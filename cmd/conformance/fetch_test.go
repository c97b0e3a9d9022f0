package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFetchContract loads a document from its address, and says in one line why it
// cannot.
func TestFetchContract(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: fetched, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: d}}}}}\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/api.yaml", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("a credential was sent")
		}
		_, _ = w.Write([]byte(document))
	})
	mux.HandleFunc("/bad.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{")) })
	mux.Handle("/moved", http.RedirectHandler("/api.yaml", http.StatusFound))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusFound))
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, path := range []string{"/api.yaml", "/moved", "/api.yaml?key=secret"} {
		c, err := fetchContract(t.Context(), server.URL+path)
		if err != nil || c.Title != "fetched" || strings.Contains(c.File, "secret") {
			t.Errorf("%s: %+v, %v", path, c, err)
		}
	}
	for address, want := range map[string]string{
		server.URL + "/none?key=secret": "fetching " + server.URL + "/none: the response is 404 Not Found",
		server.URL + "/round":           "fetching " + server.URL + "/round: redirected more than 5 times",
		server.URL + "/bad.yaml":        "reading the contract: " + server.URL + "/bad.yaml:1:",
		"http://user:pass@a.example/":   "the URL contains a credential; save the contract to a file instead",
		"http://[":                      "this is not a valid URL",
	} {
		if _, err := fetchContract(t.Context(), address); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	for text, want := range map[string]bool{"HTTPS://a": true, "http://a": true, "http": false, "http/a.yaml": false, "file:///a": false} {
		if isURL(text) != want {
			t.Errorf("isURL(%q) is %v", text, !want)
		}
	}
}
