package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestWhatRFC8259Permits checks that it is a warning at most, and that the body is still judged.
func TestWhatRFC8259Permits(t *testing.T) {
	const (
		schema = "{type: object, required: [name], properties: {name: {type: string}, in: {type: object, properties: {a: {}}}, map: {type: object, additionalProperties: {type: integer}}, list: {type: array, items: {type: object}}, free: {type: object, additionalProperties: true}}}"
		half   = "has half of a surrogate pair as an escape, which stands for no character (RFC 8259 §8.2)"
		should = "is a duplicate key, which readers take in different ways (RFC 8259 §4)"
		must   = "is a duplicate key (RFC 7493 §2.3)"
	)
	surrogate := func(pointer, message string, actual string, offset int64) check.Breach {
		return permitted(breach("x/200/body", pointer, message, "escapes that stand for characters", actual, offset))
	}
	duplicate := func(pointer, message, body string, offset int64) check.Breach {
		return breach("x/200/body", pointer, message, "each key once in its object", body, offset)
	}
	for _, row := range []struct {
		name, body string
		want       func(body string) []check.Breach
	}{
		{"the first half of a pair", `{"name":"a\uD83C"}`, func(string) []check.Breach { return []check.Breach{surrogate("/name", half, `\uD83C`, 10)} }},
		{"the second half", `{"name":"\udf31\ud83c\udf31"}`, func(string) []check.Breach { return []check.Breach{surrogate("/name", half, `\udf31`, 9)} }},
		{"two first halves", `{"name":"\ud83c\ud83c\udf31"}`, func(string) []check.Breach { return []check.Breach{surrogate("/name", half, `\ud83c`, 9)} }},
		{"several halves", `{"name":"\ud83c\ud83c","list":[{},{"x":"\udf31"}]}`, func(string) []check.Breach {
			return []check.Breach{surrogate("/name", half+": the first of 3", `\ud83c`, 9)}
		}},
		{"in a list", `{"name":"","list":[{},{"x":"\udf31"}]}`, func(string) []check.Breach { return []check.Breach{surrogate("/list/1/x", half, `\udf31`, 28)} }},
		{"in keys, which may differ", `{"name":"","free":{"\ud800":1,"\ud801":2}}`, func(string) []check.Breach {
			return []check.Breach{surrogate("/free", half+": the first of 2", `\ud800`, 20)}
		}},
		{"a pair", `{"name":"\ud83c\udf31 \\ud83c"}`, func(string) []check.Breach { return nil }},
		{"a half and another fault", `{"name":1,"in":{"a":"\ud83c"}}`, func(string) []check.Breach {
			return []check.Breach{surrogate("/in/a", half, `\ud83c`, 21), breach("x/200/body/name", "/name", "has the wrong type", "a string", "1", 8)}
		}},

		{"a duplicate key in an undeclared property", `{"name":"","x":{"y":1,"y":2}}`, func(body string) []check.Breach {
			return []check.Breach{permitted(duplicate("/x/y", should, body, 22)), breach("x/200/body/undeclared", "/x", "is a property that the contract does not declare", "only name, in, map, list, free", `{"y":1,"y":2}`, 15)}
		}},
		{"in a free object", `{"name":"","free":{"b":{"y":1,"y":2,"y":3}}}`, func(body string) []check.Breach {
			return []check.Breach{permitted(duplicate("/free/b/y", should+": the first of 2", body, 30))}
		}},
		{"in an item of which nothing is said", `{"name":"","list":[{"b":{"y":1,"y":2}}]}`, func(body string) []check.Breach {
			return []check.Breach{permitted(duplicate("/list/0/b/y", should, body, 31))}
		}},
		{"of a declared property", `{"name":"","name":""}`, func(body string) []check.Breach { return []check.Breach{duplicate("/name", must, body, 11)} }},
		{"of an undeclared one at the top", `{"name":"","x":1,"x":1}`, func(body string) []check.Breach { return []check.Breach{duplicate("/x", must, body, 17)} }},
		{"in a declared property", `{"name":"","in":{"a":1,"b":1,"b":1}}`, func(body string) []check.Breach { return []check.Breach{duplicate("/in/b", must, body, 29)} }},
		{"in a map", `{"name":"","map":{"a":1,"a":1}}`, func(body string) []check.Breach { return []check.Breach{duplicate("/map/a", must, body, 24)} }},
		{"in both", `{"x":{"y":1,"y":2},"name":"","name":""}`, func(body string) []check.Breach { return []check.Breach{duplicate("/name", must, body, 29)} }},
		{"in an item", `{"name":"","list":[{"a":1,"a":2}]}`, func(body string) []check.Breach { return []check.Breach{duplicate("/list/0/a", must, body, 26)} }},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, answering(t, "3.0.3", schema), spectest.Answer(200, row.body)).Breaches, row.want(row.body)...)
		})
	}
}

// TestUndeclaredContent: OpenAPI 3 does not say which body a response without declared content has.
func TestUndeclaredContent(t *testing.T) {
	op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d}\ndefault: {description: d, content: {}}")
	for _, row := range []struct {
		name     string
		response check.Response
		want     string
	}{
		{"nothing", check.Response{Status: 200}, "200 without a body"},
		{"a body", spectest.Labelled(200, "x", "text/html"), "200 with a body (text/html)"},
		{"a body without a media type", check.Response{Status: 404, Body: []byte("x")}, "404 with a body"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := spectest.Check(t, op, row.response)
			assertBreaches(t, got.Breaches)
			const silence = "x/silent/undeclared-content"
			if want := []check.Answer{{Clause: silence, Text: row.want}}; !slices.Equal(got.Answers, want) || !slices.Contains(got.Exercised, silence) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	t.Run("204 answers no question", func(t *testing.T) {
		got := spectest.Check(t, spectest.Responding(t, "3.0.3", "get", "2XX: {description: d}"), check.Response{Status: 204})
		assertBreaches(t, got.Breaches)
		if len(got.Answers) > 0 {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAWrongLabelDoesNotExcuseTheBody: media type and body have separate clauses.
func TestAWrongLabelDoesNotExcuseTheBody(t *testing.T) {
	op := spectest.Bundled(t)
	for _, row := range []struct {
		name     string
		response check.Response
		broken   []string
	}{
		{"a good body", spectest.Labelled(400, `{"error":1,"message":""}`, "text/plain"), []string{"createPlant/400/media-type"}},
		{"a bad body", spectest.Labelled(400, `{"error":1}`, "text/plain"), []string{"createPlant/400/media-type", "createPlant/400/body/message"}},
		{"no body", check.Response{Status: 400}, []string{"createPlant/400/media-type", "createPlant/400/body"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := spectest.Clauses(spectest.Check(t, op, row.response).Breaches); !slices.Equal(got, row.broken) {
				t.Errorf("broken %q, want %q", got, row.broken)
			}
		})
	}
}

// TestProblems checks that a problem document has the status of its response, if the contract
// permits this. It may have members that the contract does not declare.
func TestProblems(t *testing.T) {
	const open, listed = "{type: object, properties: {title: {type: string}, status: {type: number}}}", "{properties: {status: {enum: [400, 499, '404']}}}"
	for _, row := range []struct {
		schema, mediaType, body string
		broken                  []string
	}{
		{open, "application/problem+json", `{"status":400}`, []string{"x/4XX/body/status"}},
		{open, "application/problem+json; charset=utf-8", `{"title":1,"status":4.05e2}`, []string{"x/4XX/body/title", "x/4XX/body/status"}},
		{"{}", "application/problem+json", `{"status":400}`, []string{"x/4XX/body"}},
		{open, "application/problem+json", `{"status":4.04e2}`, nil},
		{"{}", "application/problem+json", `{"status":"400"}`, nil},
		{"{}", "application/problem+json", `{"cause":{"status":400}}`, nil},
		{open, "application/json", `{"status":400}`, nil},
		{listed, "application/problem+json", `{"status":400}`, nil}, // 404 is not among them
		{open, "application/problem+json", `{"instance":"/x","balance":30}`, nil},
	} {
		t.Run(row.body+" as "+row.mediaType, func(t *testing.T) {
			content := "{" + row.mediaType[:strings.Index(row.mediaType+";", ";")] + ": {schema: " + row.schema + "}}"
			got := spectest.Check(t, spectest.Responding(t, "3.0.3", "get", "4XX: {description: d, content: "+content+"}"), spectest.Labelled(404, row.body, row.mediaType))
			if !slices.Equal(spectest.Clauses(got.Breaches), row.broken) || len(row.broken) > 0 && !got.Breaches[len(row.broken)-1].Should {
				t.Errorf("got %+v, want %q", got.Breaches, row.broken)
			}
		})
	}
}
