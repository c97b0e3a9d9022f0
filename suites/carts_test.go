package suites_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// cartDocument has a creation without a body.
const cartDocument = `openapi: 3.0.3
info: {title: Carts, version: '1'}
paths:
  /carts:
    post: {operationId: openCart, responses: {'201': &cart {description: d, content: {application/json: {schema: {type: object, required: [id, status], properties: {id: {type: string, format: uuid}, status: {type: string, enum: [open, closed]}}}}}}}}
  /carts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}]
    get: {operationId: getCart, responses: {'200': *cart, '404': {description: d}}}
    delete: {operationId: closeCart, responses: {'204': {description: d}, '404': {description: d}}}
`

// carts keeps the carts that are opened. gone is the response to a read of a closed cart.
func carts(gone string) http.Handler {
	var mu sync.Mutex
	kept := map[string]string{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/carts"), "/")
		switch status := kept[id]; {
		case r.Method == http.MethodPost && id == "":
			id = fmt.Sprintf("00000000-0000-4000-8000-%012d", len(kept))
			kept[id] = "open"
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
		case status == "":
			w.WriteHeader(http.StatusNotFound)
			return
		case r.Method == http.MethodDelete:
			kept[id] = gone
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":%q,"status":%q}`, id, kept[id])
	})
}

// TestCreatedWithoutABody: if nothing was sent for a thing, only the rules of the contract are judged.
func TestCreatedWithoutABody(t *testing.T) {
	for gone, want := range map[string]string{"": "", "closed": "", "open": "getCart/state/deleted"} {
		c := contractOf(t, cartDocument)
		c.Handler = carts(gone)
		r := run(t, c)
		if found := strings.Join(stateFindings(r), " "); found != want || r.Verdict != verdict.Conformant {
			t.Errorf("a closed cart is read as %q: found %s, want %s; %s: %s%s", gone, found, want, r.Verdict, r.Reason, firstOf(r))
		}
	}
}

// TestPanicWhileJudging: a bug of this module is not blamed on the service, and the run has no verdict.
func TestPanicWhileJudging(t *testing.T) {
	c, err := ownContract(shelfDocument)
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	c.Observe = func(result.Event) {
		once.Do(func() {
			op, _ := c.Contract.Operation("getShelf")
			op.Successes()[0].Content[0].Schema = nil // no real contract has this
		})
	}
	r := runShelvesBy(t, c, func(*shelves) {})
	told := false
	for _, one := range r.Results {
		told = told || one.Status == judge.Unjudged && strings.Contains(one.Reason, "a bug of this program, please report it: judging the response panicked at ")
	}
	if r.Verdict != verdict.Inconclusive || !told {
		t.Errorf("%s: %s; a reason is told: %t", r.Verdict, r.Reason, told)
	}
}
