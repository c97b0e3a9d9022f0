package suites_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
)

const bulkDocument = `openapi: 3.0.3
info: {title: Products, version: '1'}
paths:
  /products/bulk:
    post:
      operationId: addProducts
      requestBody: {required: true, content: {application/json: {schema: BODY}}}
      responses: {'201': {description: d}, '400': {description: d}, '409': {description: A product with this sku exists already.}}
components:
  schemas:
    Product: {type: object, required: [sku, name], properties: {sku: {type: string, pattern: '^[A-Z]{3}-[0-9]{6}$'}, name: {type: string, minLength: 1, maxLength: 40}, color: {type: string, enum: [red, blue]}}}
`

// shop creates several products at once, and accepts each sku once.
type shop struct {
	contract *spec.Contract
	lenient  func(path []string) bool // such a fault in the body is accepted
	mu       sync.Mutex
	skus     map[any]bool
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	text, err := instance.Read(r.Context(), body, instance.Limits{})
	faults, _ := s.contract.Operations[0].RequestBody.JSON().Faults(schema.Request, text.Value)
	faults = slices.DeleteFunc(faults, func(f schema.Fault) bool { return s.lenient != nil && s.lenient(f.Path) })
	if err != nil || len(text.Duplicates) > 0 || len(faults) > 0 || r.Header.Get("Content-Type") == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	list := text.Value
	if object, isObject := list.(map[string]any); isObject {
		list = object["products"]
	}
	var skus []any
	entries, _ := list.([]any)
	for _, one := range entries {
		key, _ := instance.At(one, []string{"sku"})
		if s.skus[key] || slices.Contains(skus, key) {
			w.WriteHeader(http.StatusConflict)
			return
		}
		skus = append(skus, key)
	}
	for _, key := range skus {
		s.skus[key] = true
	}
	w.WriteHeader(http.StatusCreated)
}

// TestBulk: each entry of a body has a key of its own, so that a service which accepts a key once gives evidence for
// every other rule.
func TestBulk(t *testing.T) {
	const list = "{type: array, minItems: 1, maxItems: 20, items: {$ref: '#/components/schemas/Product'}}"
	for _, row := range []struct {
		name, body string
		lenient    func([]string) bool
		want       string
	}{
		{"a list", list, nil, ""},
		{"a list in an envelope", "{type: object, required: [products], properties: {products: " + list + "}}", nil, ""},
		{"a list whose colors are not checked", list, func(path []string) bool { return slices.Contains(path, "color") }, "addProducts/request/body/*/color"},
		{"a list whose length is not checked", list, func(path []string) bool { return len(path) == 0 }, "addProducts/request/body"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			contract := specOf(t, strings.Replace(bulkDocument, "BODY", row.body, 1))
			c := suites.NewConfig()
			c.Contract, c.Unsafe, c.Handler = contract, true, &shop{contract: contract, lenient: row.lenient, skus: map[any]bool{}}
			r := run(t, c)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("breaks %q, want %q: %s", got, row.want, r.Reason)
			}
			if r.Counts.Unjudged > 3 {
				t.Errorf("%d of %d fixtures gave no evidence: %s", r.Counts.Unjudged, r.Counts.Fixtures, r.Reason)
			}
		})
	}
}

// TestChosenInQuery: a client chooses the id of a job in the query, and the service accepts each id once.
func TestChosenInQuery(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	runOfValid(t, "/jobs: {post: {operationId: x, parameters: [{name: jobId, in: query, required: true, schema: {type: string}}, {name: dry, in: query, schema: {type: boolean}}], responses: {'201': {description: d}, '400': {description: d}, '409': {description: d}}}}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.URL.Query().Get("jobId")
		if seen[id] {
			t.Errorf("a second request has the id %q", id)
		}
		seen[id] = true
		w.WriteHeader(http.StatusCreated)
	}))
}
