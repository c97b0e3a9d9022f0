package suites_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// TestThingsOfForms: what a form creates is compared with the response to it, and found by a filter.
func TestThingsOfForms(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Guests, version: '1'}
paths:
  /guests:
    get:
      operationId: listGuests
      parameters: [{name: email, in: query, description: Only guests with this email, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: &guest {type: object, required: [id], properties: {id: {type: string}, email: {type: string, nullable: true}, note: {type: string, nullable: true}}}}}}}}
    post:
      operationId: addGuest
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {email: {type: string, maxLength: 200}, note: {type: string, maxLength: 900}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: *guest}}}}
  /guests/{id}:
    get: {operationId: getGuest, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: *guest}}}, '404': {description: d}}}
`
	type row struct {
		store func(text string) any
		all   bool // the filter does nothing
		want  []string
	}
	asSent := func(text string) any { return text }
	for name, row := range map[string]row{
		"faithful":                        {store: asSent},
		"an empty field is none":          {store: func(text string) any { return map[bool]any{true: text}[text != ""] }},
		"no filter":                       {asSent, true, []string{"listGuests/state/filtered"}},
		"keeps the start of a long value": {store: func(text string) any { return text[:min(len(text), 500)] }, want: []string{"addGuest/201/echo", "getGuest/state/created"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, document)
			c.Only = []string{"*/valid/*", "*/kept/*"}
			var mu sync.Mutex
			var guests []kept
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				status, body := http.StatusOK, any(nil)
				id, isItem := strings.CutPrefix(r.URL.Path, "/guests/")
				at := slices.IndexFunc(guests, func(g kept) bool { return g["id"] == id })
				switch {
				case isItem && at < 0:
					status = http.StatusNotFound
				case isItem:
					body = guests[at]
				case r.Method == http.MethodPost:
					if r.ParseForm() != nil || len(r.PostForm["email"]) > 1 || len([]rune(r.PostForm.Get("email"))) > 200 || len([]rune(r.PostForm.Get("note"))) > 900 {
						status = http.StatusBadRequest
						break
					}
					guest := kept{"id": fmt.Sprint(len(guests) + 1)}
					for _, name := range []string{"email", "note"} {
						guest[name] = row.store(r.PostForm.Get(name))
					}
					guests = append(guests, guest)
					status, body = http.StatusCreated, guest
				default:
					email, isAsked := r.URL.Query()["email"]
					body = slices.DeleteFunc(append([]kept{}, guests...), func(g kept) bool { return !row.all && isAsked && g["email"] != email[0] })
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_ = json.NewEncoder(w).Encode(body)
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) || len(broken(r, judge.Violation)) > 0 {
				t.Errorf("found %v, want %v%s", got, row.want, firstOf(r))
			}
		})
	}
}
