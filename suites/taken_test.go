package suites_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// runOfValid is a run of the valid requests of a service with one operation x.
func runOfValid(t *testing.T, document string, service http.Handler) result.Report {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte("openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  " + document + "\n")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := suites.NewConfig()
	c.Contract, c.Handler, c.Unsafe, c.Only = contract, service, true, []string{"x/valid/*"}
	return run(t, c)
}

// TestExamplesThatAreRefused: a service may refuse an example of its document for what it
// stores, or for the date, and for nothing else.
func TestExamplesThatAreRefused(t *testing.T) {
	const fine = "responses: {'201': {description: d}, '200': {description: d}, '400': {description: d}, '422': {description: d}}"
	taking := func(example, properties string) string {
		return "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {example: " + example + ", schema: {type: object, properties: " + properties + "}}}}, " + fine + "}}"
	}
	finding := func(example, properties string) string {
		return strings.Replace(taking(example, properties), "'201': {description: d}, ", "", 1)
	}
	// refusing is a service that accepts all but bodies with a text.
	refusing := func(texts ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			for _, text := range texts {
				if strings.Contains(string(body), text) {
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
			}
		}
	}
	// once is a service that takes each name once, and knows the one of the example.
	once := func(example string) http.HandlerFunc {
		var lock sync.Mutex
		names := map[string]bool{example: true}
		return func(w http.ResponseWriter, r *http.Request) {
			lock.Lock()
			defer lock.Unlock()
			var sent struct{ Name string }
			if json.NewDecoder(r.Body).Decode(&sent); names[sent.Name] {
				w.WriteHeader(http.StatusUnprocessableEntity)
				return
			}
			names[sent.Name] = true
		}
	}
	const named, text = "{name: {type: string}, private: {type: boolean}}", "{note: {type: string}, n: {type: integer}}"
	for _, row := range []struct {
		name, paths string
		service     http.HandlerFunc
		want        string // the clauses that it breaks
	}{
		{"a name that is taken", taking("{name: Hello-World, private: true}", named), once("Hello-World"), ""},
		{"no name is accepted", taking("{name: Hello-World, private: true}", named), refusing("name"), "x/accepts"},
		{"the id of a member that does not exist", taking("{members: [{value: 2819c223-7f76-453a-919d-413861904646}]}", "{members: {type: array, items: {type: object, properties: {value: {type: string}}}}}"), refusing("2819c223"), ""},
		{"an id by its description", taking("{owner_of: bob}", "{owner_of: {type: string, description: id of the member}}"), refusing("bob"), ""},
		{"a date that is over", taking("{validUntil: '2017-11-01'}", "{validUntil: {type: string, format: date}}"), refusing("2017"), ""},
		{"a year that is over", finding("{exp_year: 2019}", "{exp_year: {type: integer}}"), refusing("2019"), ""},
		{"a text that is stored already", taking("{note: hello, n: 1}", text), refusing("hello"), ""},
		{"a text that is looked for", finding("{note: hello, n: 1}", text), refusing("hello"), "x/accepts"},
		{"numbers and enums", taking("{size: 4, color: red}", "{size: {type: integer}, color: {type: string, enum: [red, blue]}}"), refusing("4"), "x/accepts"},
		{"an amount", finding("{amount: '123.50'}", "{amount: {type: string}}"), refusing("123.50"), "x/accepts"},
		{"the title of a person", taking("{title: Dr, n: 2}", "{title: {type: string}, n: {type: integer}}"), func(w http.ResponseWriter, r *http.Request) {
			var sent struct{ Title *string }
			if json.NewDecoder(r.Body).Decode(&sent); sent.Title != nil && *sent.Title != "Dr" {
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
		}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := runOfValid(t, row.paths, row.service)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("breaks %q, want %q: %s", got, row.want, r.Reason)
			}
		})
	}
}
