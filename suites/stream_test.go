package suites_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/verdict"
)

// TestStreams: a response that does not end is complete if it says that it is a stream. Its status
// and its media type are judged.
func TestStreams(t *testing.T) {
	const document = `openapi: 3.1.0
info: {title: Streams, version: '1'}
paths:
  /news:
    get:
      operationId: follow
      parameters: [{name: last, in: query, schema: {type: integer, minimum: 0}}]
      responses: {'200': {description: d, content: {text/event-stream: {schema: {type: string, maxLength: 6}}}}, '400': {description: d}}
`
	for _, row := range []struct {
		name, mediaType string
		checks          bool // the parameter
		want            verdict.Verdict
		breaks          string
	}{
		{"a stream", "text/event-stream", true, verdict.Conformant, ""},
		{"a stream for a wrong request", "text/event-stream", false, verdict.Nonconformant, "follow/request/query/last"},
		{"a stream of another kind", "application/x-ndjson", true, verdict.Nonconformant, "follow/answers"},
		{"a document without end", "text/html", true, verdict.Nonconformant, "follow/answers"},
		{"a stream where the contract says nothing of the content", "text/event-stream", true, verdict.Conformant, ""},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			last := r.URL.Query().Get("last")
			if row.checks && strings.Trim(last, "0123456789") != "" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", row.mediaType)
			for http.NewResponseController(w).Flush() == nil {
				io.WriteString(w, "data: 1\n\n")
				select {
				case <-r.Context().Done():
					return
				case <-time.After(20 * time.Millisecond): // an interval between news
				}
			}
		})
		for _, by := range []string{"server", "handler"}[:sampled(1, 2)] {
			t.Run(row.name+", by a "+by, func(t *testing.T) {
				t.Parallel()
				text := document
				if strings.Contains(row.name, "says nothing") {
					text = strings.Replace(document, ", content: {text/event-stream: {schema: {type: string, maxLength: 6}}}", "", 1)
				}
				c := contractOf(t, text)
				c.Limits.Timeout = 500 * time.Millisecond // more than a busy machine needs
				if c.Handler = handler; by == "server" {
					server := httptest.NewServer(handler)
					t.Cleanup(server.Close)
					c.Handler, c.Target.BaseURL = nil, server.URL
				}
				r, err := suites.Run(t.Context(), c)
				if err != nil || r.Verdict != row.want || row.breaks != "" && !strings.Contains(strings.Join(brokenBy(r, false), " "), row.breaks) {
					t.Errorf("%s breaks %s: %s, %v", r.Verdict, brokenBy(r, false), r.Headline, err)
				}
			})
		}
	}
}
