package suites_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/result"
)

// TestRequiredVersions: a service that takes no change without the version that it is meant
// for. The run reads that version first, so that changes are put to the test.
func TestRequiredVersions(t *testing.T) {
	config := contractOf(t, strings.NewReplacer(
		"{name: If-Match, in: header, schema: {type: string}}", "{name: If-Match, in: header, required: true, schema: {type: string}}",
		"deleteShelf, ", "deleteShelf, parameters: [{name: If-Match, in: header, required: true, schema: {type: string, pattern: '^\"[0-9a-f]+\"$'}}], ",
	).Replace(pagedShelves))
	for _, row := range []struct {
		name string
		how  func(*shelves)
		want string
	}{
		{"faithful", func(*shelves) {}, ""},
		{"takes any version", func(s *shelves) { s.version = func(string) int { return 0 } }, "deleteShelf/state/precondition putShelf/state/precondition"},
		{"keeps the old name", keeping("PUT", func(s, before shelf) shelf { s["name"] = before["name"]; return s }), "getShelf/state/replaced"},
		{"deletes nothing", func(s *shelves) { s.remove = func(*shelves, string) {} }, "getShelf/state/deleted listShelves/state/unlisted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := &shelves{kept: map[string]shelf{}}
			row.how(s)
			c := config
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if (r.Method == http.MethodPut || r.Method == http.MethodDelete) && r.Header.Get("If-Match") == "" {
					w.WriteHeader(http.StatusPreconditionRequired)
					return
				}
				s.ServeHTTP(w, r)
			})
			r := run(t, c)
			found := stateFindings(r)
			slices.Sort(found)
			if got := strings.Join(found, " "); got != row.want {
				t.Errorf("found %s, want %s%s", got, row.want, firstOf(r))
			}
			if s.remove == nil && len(s.kept) > 0 {
				t.Errorf("%d shelves are left", len(s.kept))
			}
			for _, id := range []string{"putShelf", "deleteShelf"} {
				if !slices.ContainsFunc(r.Results, func(one result.Result) bool { return one.Fixture == id+"/kept/current" }) {
					t.Errorf("no change of %s names the version", id)
				}
			}
		})
	}
}

// refusesPutAgain refuses to put the same shelf twice, with that status.
func refusesPutAgain(status int) func(*shelves) {
	return func(s *shelves) {
		seen := map[string]bool{}
		s.refused = func(method string, sent shelf) int {
			text := fmt.Sprint(sent)
			again := seen[text]
			if seen[text] = method == http.MethodPut; again && seen[text] {
				return status
			}
			return 0
		}
	}
}
