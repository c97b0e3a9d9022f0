package suites_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const redirects = `openapi: 3.0.3
info: {title: Redirects, version: '1'}
paths:
  /api/links:
    post:
      operationId: addLink
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [target], properties: {target: {type: string, format: uri}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [slug], properties: {slug: {type: string}}}}}}, '400': {description: d}}
  /api/links/{slug}:
    parameters: [{$ref: '#/components/parameters/slug'}]
    delete: {operationId: removeLink, responses: {'204': {description: d}, '404': {description: d}}}
  /r/{slug}:
    parameters: [{$ref: '#/components/parameters/slug'}]
    get: {operationId: follow, responses: {'302': {description: d, headers: {Location: {required: true, schema: {type: string}}}}, '404': {description: d}}}
components: {parameters: {slug: {name: slug, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9]{2,9}$'}}}}
`

// TestRedirects: a view of a thing that another path creates is reached if both have the same
// parameter. But its slug may name something else.
func TestRedirects(t *testing.T) {
	for name, row := range map[string]struct {
		follow func(w http.ResponseWriter, target string)
		want   []string // violated clauses
	}{
		"leads there": {follow: func(w http.ResponseWriter, target string) {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		}},
		"leads nowhere":        {func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusFound) }, []string{"follow/302/header/Location"}},
		"is of something else": {follow: func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusNotFound) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			kept, last := map[string]string{}, 0
			c := contractOf(t, redirects)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				slug := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
				target, is := kept[slug]
				switch {
				case r.Method == http.MethodPost:
					var sent struct{ Target *string }
					if r.Header.Get("Content-Type") != "application/json" || json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Target == nil || !strings.Contains(*sent.Target, ":") {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					last++
					kept["s"+strconv.Itoa(last)] = *sent.Target
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusCreated)
					_ = json.NewEncoder(w).Encode(map[string]string{"slug": "s" + strconv.Itoa(last)})
				case !is:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodDelete:
					delete(kept, slug)
					w.WriteHeader(http.StatusNoContent)
				default:
					row.follow(w, target)
				}
			})
			c.Only = []string{"follow/*"}
			r := run(t, c)
			if broken := brokenBy(r, true); !slices.Equal(broken, row.want) {
				t.Errorf("broken are %v, want %v%s", broken, row.want, firstOf(r))
			}
			if len(kept) > 0 {
				t.Errorf("%d links are left", len(kept))
			}
		})
	}
}
