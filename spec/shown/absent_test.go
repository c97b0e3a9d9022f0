package shown_test

import (
	"net/http"
	"testing"

	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// TestUnreadable: if a body is ambiguous, it is not known what was sent, nor what was left out.
func TestUnreadable(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {name: {type: string}, status: {type: string, default: open}}}")
	created := shown.Sent{Method: http.MethodPost, Schema: of, Body: value(t, `{"name":"a"}`)}
	for _, row := range []struct {
		then shown.Sent
		want string
	}{
		{shown.Sent{Method: http.MethodPut, Schema: of, Body: value(t, `{"name":"b"}`)}, "/name/status"},
		{shown.Sent{Method: http.MethodPut, Schema: of}, ""},
		{shown.Sent{Method: http.MethodPatch, Schema: of}, ""},
	} {
		if got := pointers(shown.Parts(of, []shown.Sent{created, row.then}, value(t, `{"name":"c","status":"closed"}`))); got != row.want {
			t.Errorf("%+v: differences at %q, want %q", row.then, got, row.want)
		}
	}
}

// TestAnotherAlternative: a response of another kind than the sent thing is not compared with it.
// Alternatives that describe most of the thing are compared.
func TestAnotherAlternative(t *testing.T) {
	const thing, outcome = "{type: object, required: [kind, name], properties: {kind: {type: string}, name: {type: string}, note: {type: string}}}", "{type: object, required: [kind, issues], properties: {kind: {type: string}, issues: {type: array, items: {type: string}}}}"
	request := written(t, "3.0.3", thing)
	for _, keyword := range []string{"oneOf", "anyOf"} {
		response := written(t, "3.0.3", "{"+keyword+": ["+thing+", "+outcome+"]}")
		for _, row := range []struct{ shown, want string }{
			{`{"kind":"thing","name":"a","note":"b"}`, ""},
			{`{"kind":"thing","name":"b","note":"b"}`, "/name"},
			{`{"kind":"thing","name":"a"}`, "/note"},
			{`{"kind":"outcome","issues":[]}`, ""},
		} {
			sent := []shown.Sent{{Method: http.MethodPost, Schema: request, Body: value(t, `{"kind":"thing","name":"a","note":"b"}`)}}
			if got := pointers(shown.Parts(response, sent, value(t, row.shown))); got != row.want {
				t.Errorf("%s, shown %s: a difference at %q, want %q", keyword, row.shown, got, row.want)
			}
		}
	}
}

// TestEmptyIsNotShown: a service may omit an empty list or object that is optional.
func TestEmptyIsNotShown(t *testing.T) {
	const properties = "tags: {type: array, items: {type: string}}, map: {type: object, additionalProperties: {type: string}}, name: {type: string}"
	of := written(t, "3.0.3", "{type: object, properties: {"+properties+", in: {type: object, properties: {"+properties+"}}}}")
	must := written(t, "3.0.3", "{type: object, required: [tags], properties: {"+properties+"}}")
	for _, row := range []struct {
		of                *schema.Schema
		sent, shown, want string
	}{
		{of, `{"tags":[],"map":{},"name":"a"}`, `{"name":"a"}`, ""},
		{of, `{"in":{"tags":[],"map":{},"name":"a"}}`, `{"in":{"name":"a"}}`, ""},
		{of, `{"tags":["x"],"map":{},"name":""}`, `{}`, "/tags/name"},
		{of, `{"tags":[],"map":{}}`, `{"tags":["x"]}`, "/tags"},
		{of, `{"in":{"tags":["x"]}}`, `{"in":{}}`, "/in"},
		{must, `{"tags":[],"map":{}}`, `{}`, "/tags"},
	} {
		sent := []shown.Sent{{Method: http.MethodPost, Schema: row.of, Body: value(t, row.sent)}}
		if got := pointers(shown.Parts(row.of, sent, value(t, row.shown))); got != row.want {
			t.Errorf("sent %s, shown %s: a difference at %q, want %q", row.sent, row.shown, got, row.want)
		}
		if got := pointers(shown.Whole(row.of.Shape(), value(t, row.sent).(map[string]any), value(t, row.shown).(map[string]any), false)); got != row.want {
			t.Errorf("sent %s, shown %s as a whole: a difference at %q, want %q", row.sent, row.shown, got, row.want)
		}
	}
}

// TestNamed: an inner object with the id that was sent may be another resource with other values. An
// envelope may not.
func TestNamed(t *testing.T) {
	const kind = "{type: object, properties: {id: {type: integer}, name: {type: string}, note: {type: string, default: new}}}"
	of := written(t, "3.0.3", "{type: object, properties: {name: {type: string}, kind: "+kind+", kinds: {type: array, items: "+kind+"}, data: "+kind+", in: {type: object, properties: {kind: "+kind+"}}}}")
	for _, row := range []struct{ sent, shown, want string }{
		{`{"kind":{"id":1,"name":"conformance"}}`, `{"kind":{"id":1,"name":"cat","note":"old"}}`, ""},
		{`{"kind":{"id":1,"name":"conformance"}}`, `{"kind":{"id":2,"name":"conformance"}}`, "/kind"},
		{`{"kind":{"name":"conformance"}}`, `{"kind":{"id":1,"name":"cat"}}`, "/kind"},
		{`{"kinds":[{"id":1,"name":"conformance"}]}`, `{"kinds":[{"id":1,"name":"cat"}]}`, ""},
		{`{"kinds":[{"id":1,"name":"conformance"}]}`, `{"kinds":[{"id":1,"name":"cat"},{"id":2}]}`, "/kinds"},
		{`{"in":{"kind":{"id":1,"name":"conformance"}}}`, `{"in":{"kind":{"id":1,"name":"cat","note":"old"}}}`, ""},
		{`{"data":{"id":1,"name":"conformance"}}`, `{"data":{"id":1,"name":"cat"}}`, "/data"},
	} {
		sent := []shown.Sent{{Method: http.MethodPost, Schema: of, Body: value(t, row.sent)}}
		if got := pointers(shown.Parts(of, sent, value(t, row.shown))); got != row.want {
			t.Errorf("sent %s, shown %s: a difference at %q, want %q", row.sent, row.shown, got, row.want)
		}
		if got := pointers(shown.Whole(of.Shape(), value(t, row.sent).(map[string]any), value(t, row.shown).(map[string]any), false)); got != row.want {
			t.Errorf("sent %s, shown %s as a whole: a difference at %q, want %q", row.sent, row.shown, got, row.want)
		}
	}
}
