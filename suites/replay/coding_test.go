package replay_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
)

// A body in gzip is decoded, even if the request does not accept gzip. The Content-Length that
// the service sent stays in the header, because a contract may require the field.
func TestCodings(t *testing.T) {
	for name, row := range map[string]struct {
		accepts, coding, sent string
		body, left            string
		refused               bool
	}{
		"asked for":         {"", "gzip", gzipped("{}"), "{}", "", false},
		"refused":           {"identity", "gzip", gzipped("{}"), "{}", "", true},
		"in name only":      {"identity", "gzip", "{}", "{}", "gzip", false},
		"no field":          {" ", "gzip", gzipped("{}"), "{}", "", false},
		"another coding":    {"", "br", "{}", "{}", "br", false},
		"none, and refused": {"identity", "", "{}", "{}", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if row.coding != "" {
					w.Header().Set("Content-Encoding", row.coding)
				}
				w.Header().Set("Content-Length", strconv.Itoa(len(row.sent)))
				io.WriteString(w, row.sent)
			}))
			m := fixtures.Message{Method: http.MethodGet, Path: "/"}
			if row.accepts != "" {
				m.Header = fields("Accept-Encoding", strings.TrimSpace(row.accepts))
			}
			r := clientFor(t, server.URL).Exchange(t.Context(), m).Response
			if r == nil || string(r.Body) != row.body || r.Header.Get("Content-Encoding") != row.left || r.Refused != row.refused {
				t.Fatalf("%+v", r)
			}
			if got := r.Header.Get("Content-Length"); got != strconv.Itoa(len(row.sent)) {
				t.Errorf("Content-Length is %q", got)
			}
		})
	}
}
