package suites_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// An HTTP/1.0 server does not support chunks, and answers 501 (RFC 9112 §6.1). An HTTP/1.1 server
// must support them.
func TestChunksToHTTP10(t *testing.T) {
	for version, want := range map[string]verdict.Verdict{"HTTP/1.0": verdict.Conformant, "HTTP/1.1": verdict.Nonconformant} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			c, _ := bundledFixtures(t)
			c.Only = []string{"createPlant/valid/*", "createPlant/missing-body/*"}
			c.Target.BaseURL, c.Target.Token = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.ContentLength >= 0 {
					store{}.ServeHTTP(w, r)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, _ = io.WriteString(conn, version+" 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			})), token
			r := run(t, c)
			if r.Verdict != want {
				t.Errorf("%s: %s%s", r.Verdict, r.Headline, firstOf(r))
			}
		})
	}
}
