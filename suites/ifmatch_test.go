package suites_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// TestRequiredVersions: a service that requires the version in each change. The run reads the
// version first, so that changes are tested.
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
		{"takes no version", func(s *shelves) { s.match = func(string, string) bool { return false } }, "deleteShelf/state/current putShelf/state/current"},
		{"has weak versions, which match none", func(s *shelves) {
			s.tag = func(tag string) string { return "W/" + tag }
			s.match = func(string, string) bool { return false }
		}, ""},
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

// TestMissingVersions: a change without If-Match is rejected if the description of 428, or of If-Match, says so.
func TestMissingVersions(t *testing.T) {
	const missing = "deleteShelf/state/precondition"
	for said, want := range map[struct{ of428, ofHeader string }]string{
		{"If-Match is missing", "d"}:                            missing,
		{"When the If-Match header is missing", "d"}:            missing,
		{"No If-Match header", "d"}:                             missing,
		{"If-Match is missing when the shelf is locked", "d"}:   "",
		{"Precondition required", "d"}:                          "",
		{"d", "Its ETag. A request without it gets 428."}:       missing,
		{"d", "If it is missing, the response is 428."}:         missing,
		{"d", "If it is missing, the last change wins."}:        "",
		{"d", "A locked shelf, unless it is missing, has 428."}: "",
	} {
		c := contractOf(t, strings.Replace(pagedShelves, "deleteShelf, responses: {", "deleteShelf, parameters: [{name: If-Match, in: header, description: '"+said.ofHeader+"', schema: {type: string}}], responses: {'428': {description: "+said.of428+"}, ", 1))
		c.Only = []string{"deleteShelf/kept/*"}
		c.Target.BaseURL = "http://service.example"
		lenient := &shelves{kept: map[string]shelf{}, version: func(version string) int { return map[bool]int{true: http.StatusPreconditionFailed}[version != ""] }}
		strict := &shelves{kept: map[string]shelf{}, version: func(string) int { return http.StatusPreconditionFailed }}
		for s, want := range map[*shelves]string{lenient: want, strict: ""} {
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if s == strict && r.Method == http.MethodDelete && r.Header.Get("If-Match") == "" {
					w.WriteHeader(http.StatusPreconditionRequired)
					return
				}
				s.ServeHTTP(w, r)
			})
			if r := run(t, c); strings.Join(stateFindings(r), " ") != want || firstOf(r) != "" {
				t.Errorf("%v: found %v, want %s%s", said, stateFindings(r), want, firstOf(r))
			}
		}
	}
}

// TestUnmodified: a read with the current ETag may get 304 or the full content, a read with another
// ETag only the full content.
func TestUnmodified(t *testing.T) {
	document := strings.Replace(pagedShelves, "getShelf, responses: {", "getShelf, parameters: [{name: If-None-Match, in: header, description: d, schema: {type: string}}], responses: {'304': {description: d}, ", 1)
	isOf := func(asked, tag string, _ map[string]bool) bool { return asked == tag }
	never := func(string, string, map[string]bool) bool { return false }
	for name, row := range map[string]struct {
		matches func(asked, tag string, given map[string]bool) bool
		weak    string
		want    string
		says    string // of If-None-Match
	}{
		"200 always":                       {matches: never},
		"200 always, though 304 is said":   {never, "", "getShelf/state/versioned", "With the current ETag, the response is 304."},
		"200 always, and 304 may be":       {never, "", "", "With the current ETag, the response may be 304."},
		"304 as it is said":                {isOf, "", "", "With the current ETag, the response is 304."},
		"304 for the current ETag":         {matches: isOf},
		"304 for the current ETag, weakly": {func(asked, tag string, _ map[string]bool) bool { return "W/"+asked == tag }, "W/", "", ""},
		"304 for any ETag":                 {func(asked, _ string, _ map[string]bool) bool { return asked != "" }, "", "getShelf/state/versioned", ""},
		"304 for an ETag from before":      {func(asked, _ string, given map[string]bool) bool { return given[asked] }, "", "getShelf/state/versioned", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := &shelves{kept: map[string]shelf{}}, contractOf(t, strings.Replace(document, "description: d", "description: '"+row.says+"'", 1))
			c.Only = []string{"getShelf/state/*"}
			var mu sync.Mutex
			given := map[string]bool{}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := httptest.NewRecorder()
				s.ServeHTTP(answer, r)
				mu.Lock()
				defer mu.Unlock()
				maps.Copy(w.Header(), answer.Header())
				if tag := answer.Header().Get("ETag"); tag != "" {
					w.Header().Set("ETag", row.weak+tag)
					if row.matches(strings.TrimPrefix(r.Header.Get("If-None-Match"), row.weak), row.weak+tag, given) {
						w.WriteHeader(http.StatusNotModified)
						return
					}
					given[tag] = true
				}
				w.WriteHeader(answer.Code)
				_, _ = w.Write(answer.Body.Bytes())
			})
			r := run(t, c)
			if got := strings.Join(stateFindings(r), " "); got != row.want || firstOf(r) != "" {
				t.Errorf("found %s, want %s%s", got, row.want, firstOf(r))
			}
			for _, one := range r.Results {
				if by, is := strings.CutPrefix(one.Fixture, "getShelf/kept/versioned."); is && by != "PUT" && by != "PATCH" && one.Status == judge.Unjudged {
					t.Errorf("%s is not judged", one.Fixture)
				}
			}
		})
	}
}

// refusesPutAgain refuses the second PUT of a shelf, with that status.
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

// TestVersionsBelowWhatIsPut: the client names the folder, and the service the file in it. The run
// reads the ETag of the file.
func TestVersionsBelowWhatIsPut(t *testing.T) {
	config := contractOf(t, `openapi: 3.0.3
info: {title: Files, version: '1'}
paths:
  /folders/{folder}:
    parameters: [{name: folder, in: path, required: true, schema: {type: string}}]
    put: {operationId: make, responses: {'201': {description: d}}}
  /folders/{folder}/files:
    parameters: [{name: folder, in: path, required: true, schema: {type: string}}]
    post: {operationId: upload, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}
  /folders/{folder}/files/{id}:
    parameters: [{name: folder, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, headers: {ETag: {schema: {type: string}}}}, '404': {description: d}}}
    delete: {operationId: remove, parameters: [{name: If-Match, in: header, schema: {type: string}}], responses: {'204': {description: d}, '404': {description: d}, '412': {description: d}}}
`)
	for name, row := range map[string]struct {
		takes func(version string) bool
		want  []string
	}{
		"faithful":           {func(version string) bool { return version == `"7"` || version == "*" }, []string{}},
		"takes any version":  {func(string) bool { return true }, []string{"remove/state/precondition"}},
		"refuses the newest": {func(version string) bool { return version == "*" }, []string{"remove/state/current"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var kept sync.Map
			var ids atomic.Int64
			c := config
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, isThere := kept.Load(r.URL.Path)
				version := r.Header.Get("If-Match")
				switch {
				case r.Method == http.MethodPut:
					w.WriteHeader(http.StatusCreated)
				case r.Method == http.MethodPost:
					id := strconv.FormatInt(ids.Add(1), 10)
					kept.Store(r.URL.Path+"/"+id, true)
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id":%q}`, id)
				case !isThere:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodGet:
					w.Header().Set("ETag", `"7"`)
				case version != "" && !row.takes(version):
					w.WriteHeader(http.StatusPreconditionFailed)
				default:
					kept.Delete(r.URL.Path)
					w.WriteHeader(http.StatusNoContent)
				}
			})
			if r := run(t, c); !slices.Equal(stateFindings(r), row.want) || firstOf(r) != "" {
				t.Errorf("found %v, want %v%s", stateFindings(r), row.want, firstOf(r))
			}
		})
	}
}

// TestETagOfChange: the response to a change has the new ETag, if it has one (RFC 9110 §9.3.4).
func TestETagOfChange(t *testing.T) {
	for name, row := range map[string]struct {
		changed func(was, is string) string
		want    []string
	}{
		"the new one":       {changed: func(_, is string) string { return is }},
		"a weak new one":    {changed: func(_, is string) string { return "W/" + is }},
		"that of the bytes": {changed: func(string, string) string { return `"4711"` }},
		"the old one":       {func(was, _ string) string { return was }, []string{"getShelf/state/versioned"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runShelvesBy(t, contractOf(t, pagedShelves), func(s *shelves) { s.changed = row.changed })
			if got := stateFindings(r); !slices.Equal(got, row.want) {
				t.Errorf("found %v, want %v%s", got, row.want, firstOf(r))
			}
		})
	}
}
