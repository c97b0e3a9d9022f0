package suites_test

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/verdict"
)

// TestLargeRefusals: a body beyond the limit, or in another coding than it names, does not hide
// what the status and the header show.
func TestLargeRefusals(t *testing.T) {
	page := strings.Repeat("no ", 1<<19)
	for _, row := range []struct {
		name     string
		status   int
		header   http.Header
		body     string
		verdict  verdict.Verdict
		breaches string
	}{
		{"an undeclared status with a page", 401, http.Header{"Content-Type": {"text/html"}}, page, verdict.Conformant, ""},
		{"an undeclared status, gzip in name only", 401, http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"gzip"}}, "no", verdict.Conformant, ""},
		{"a declared status as text", 400, http.Header{"Content-Type": {"text/plain"}}, page, verdict.Nonconformant, "createPlant/400/media-type"},
		{"a declared status with a long Error", 400, http.Header{"Content-Type": {"application/json"}}, `{"error":400,"message":"` + page + `"}`, verdict.Inconclusive, ""},
		{"a declared status, gzip in name only", 400, http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, `{"error":400,"message":"no"}`, verdict.Nonconformant, "createPlant/400/body"},
		{"a success, in spite of it all", 200, http.Header{"Content-Type": {"application/json"}}, `{"name":"` + page + `"}`, verdict.Nonconformant, "createPlant/request/credential"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			plants := reference.New(reference.Options{Tokens: []string{token}})
			c := suites.NewConfig()
			c.Quick, c.Tries, c.Only, c.Target.Token = true, 1, []string{"createPlant/valid/plain", "createPlant/no-token/empty*"}, token
			c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == "Bearer "+token {
					plants.ServeHTTP(w, r)
					return
				}
				maps.Copy(w.Header(), row.header)
				w.WriteHeader(row.status)
				io.WriteString(w, row.body)
			})
			r, err := suites.Run(t.Context(), c)
			if broken := strings.Join(brokenBy(r, false), " "); err != nil || r.Verdict != row.verdict || broken != row.breaches {
				t.Errorf("%s, breaks %q, want %s, %q: %s; %v", r.Verdict, broken, row.verdict, row.breaches, r.Reason, err)
			}
			for _, one := range r.Results { // a service may be wrong only if it compresses
				coded := one.Exchange.Response.Status == row.status && row.header.Get("Content-Encoding") != ""
				if asks := strings.Contains(one.Curl, " --compressed ") && strings.Contains(one.Curl, "-H 'Accept-Encoding: gzip'"); asks != coded {
					t.Errorf("a response in a coding: %t; the command is %s", coded, one.Curl)
				}
			}
		})
	}
}
