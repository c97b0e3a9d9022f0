package services_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/services"
)

// TestReferee validates the responses with kin-openapi, an independent implementation: those
// of the faithful service, of all variations, and of the deviations that break a clause on
// requests. LONG_TESTS=1 tests every row.
func TestReferee(t *testing.T) {
	sample := 20
	if os.Getenv("LONG_TESTS") != "" {
		sample = 1
	}
	for _, s := range all() {
		judge := newReferee(t, s)
		for i, d := range s.Deviations {
			if i%sample != 0 {
				continue
			}
			judge(t, s.Name+"/faithful/"+d.Name, answer(t, s, services.Options{}, d.Shows))
			if id := d.Clause; spec.ClauseID(id).OnRequest() || spec.ClauseID(id).IsAccepts() && d.Shows.Wrong == "" {
				judge(t, s.Name+"/"+d.Name, answer(t, s, services.Options{Deviation: d}, d.Shows))
			}
		}
		for i, v := range s.Variations {
			if i%sample != 0 {
				continue
			}
			server := httptest.NewServer(s.New(services.Options{Variation: v}))
			t.Cleanup(server.Close)
			for i, d := range s.Deviations {
				if i%sample == 0 {
					judge(t, s.Name+"/"+v.Name+"/"+d.Name, send(t, server, d.Shows))
				}
			}
		}
	}
}

func newReferee(t *testing.T, s services.Service) func(t *testing.T, name string, a reply) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(s.Document)
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, name string, a reply) {
		t.Helper()
		if a.request == nil {
			t.Errorf("%s: %s", name, a.text)
			return
		}
		if problem := judged(document, a); problem != nil {
			t.Errorf("%s: %v\n%s", name, problem, a.text)
		}
	}
}

func judged(document *openapi3.T, a reply) error {
	for template, item := range document.Paths.Map() {
		operation := item.GetOperation(a.request.Method)
		if operation == nil || !pathOf(template).MatchString(a.request.URL.EscapedPath()) {
			continue
		}
		return openapi3filter.ValidateResponse(a.request.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request: a.request,
				Route:   &routers.Route{Spec: document, Path: template, PathItem: item, Method: a.request.Method, Operation: operation},
			},
			Status: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)),
			Options: &openapi3filter.Options{IncludeResponseStatus: a.status < http.StatusMultipleChoices},
		})
	}
	return nil
}

// pathOf matches the paths of a template.
func pathOf(template string) *regexp.Regexp {
	return regexp.MustCompile("^" + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(template, "[^/]+") + "$")
}
