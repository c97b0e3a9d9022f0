package spectest

import (
	"net/http"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// Check checks a response within the default limits.
func Check(t testing.TB, op *spec.Operation, r check.Response) check.Result {
	t.Helper()
	got, err := r.Check(t.Context(), op, instance.Limits{})
	if err != nil {
		t.Error(err)
	}
	return got
}

// Answer returns a response with a JSON body.
func Answer(status int, body string) check.Response {
	return Labelled(status, body, "application/json")
}

// Labelled returns a response with those Content-Type fields.
func Labelled(status int, body string, contentTypes ...string) check.Response {
	header := http.Header{}
	for _, contentType := range contentTypes {
		header.Add("Content-Type", contentType)
	}
	return check.Response{Status: status, Header: header, Body: []byte(body)}
}

// Clauses returns the ids of the broken clauses.
func Clauses(breaches []check.Breach) []string {
	return lists.Map(breaches, func(b check.Breach) string { return string(b.Clause) })
}
