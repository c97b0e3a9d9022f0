package suites_test

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// forgetfulDocument requires no property, and has an example of a unique value.
const forgetfulDocument = `openapi: 3.0.3
info: {title: Books, version: '1'}
paths:
  /books:
    post:
      operationId: addBook
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {book_title: {type: string, example: book99}, blurb: {type: string, example: short}}}}}}
      responses: {'200': {description: added}, '400': {description: refused}, '415': {description: no JSON}}
  /books/{book_title}:
    get: {operationId: getBook, parameters: [{name: book_title, in: path, required: true, schema: {type: string}}], responses: {'200': {description: one}, '404': {description: none}}}
`

// TestForgottenRequired: a service that requires all properties, though its document requires none,
// and accepts each title once, is tested against the rules for the body as a whole.
func TestForgottenRequired(t *testing.T) {
	type book struct {
		Title *string `json:"book_title"`
		Blurb *string `json:"blurb"`
	}
	for name, row := range map[string]struct {
		anyType, anyText bool
		taken            string
		want             []string // in addition to the properties that it requires
	}{
		"right":                {},
		"reads any media type": {anyType: true, want: []string{"addBook/request/media-type"}},
		"reads what follows":   {anyText: true, want: []string{"addBook/request/body"}},
		"knows the example":    {taken: "book99"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var lock sync.Mutex
			titles := map[string]bool{row.taken: true}
			serve := func(w http.ResponseWriter, r *http.Request) {
				lock.Lock()
				defer lock.Unlock()
				kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
				var sent book
				decoder := json.NewDecoder(r.Body)
				err := decoder.Decode(&sent)
				_, after := decoder.Token()
				switch {
				case r.Method == http.MethodGet:
					w.WriteHeader(http.StatusNotFound)
				case kind != "application/json" && !row.anyType:
					w.WriteHeader(http.StatusUnsupportedMediaType)
				case err != nil || after != io.EOF && !row.anyText, sent.Title == nil, sent.Blurb == nil, titles[*sent.Title]:
					w.WriteHeader(http.StatusBadRequest)
				default:
					titles[*sent.Title] = true
				}
			}
			c := contractOf(t, forgetfulDocument)
			c.Loaded, c.Limits.MaxRequests = nil, 500
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(serve)
			r := run(t, c)
			found := slices.DeleteFunc(warned(r), func(id string) bool { return id == "addBook/accepts" })
			if !slices.Equal(found, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, found, row.want, firstOf(r))
			}
			for _, c := range r.Clauses {
				if isAbout := c.ID == "addBook/request/media-type" || c.ID == "addBook/request/body"; isAbout && row.want == nil && c.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", c.ID, c.Status)
				}
			}
			for _, one := range r.Results {
				if slices.ContainsFunc(one.Findings, func(f judge.Finding) bool { return f.Severity == judge.Violation }) && one.Fixture != "addBook/valid/body.book_title.absent" && one.Fixture != "addBook/valid/body.blurb.absent" && row.want == nil {
					t.Errorf("%s: %v", one.Fixture, one.Findings)
				}
			}
		})
	}
}
