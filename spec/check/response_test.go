package check_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestCheckResponse has rows that common validators accept: a response that breaks a clause, next
// to a similar one that is valid.
func TestCheckResponse(t *testing.T) {
	const (
		errorBody   = "createPlant/400/body"
		errorNumber = "createPlant/400/body/error"
		oneObject   = "one JSON value in UTF-8: an object"
		onceEach    = "each key once in its object"
		int32Range  = "an int32, from -2147483648 to 2147483647"
		jsonType    = "Content-Type: application/json"
	)
	op := spectest.Bundled(t)
	rejection := func(body string) check.Response { return spectest.Answer(400, body) }
	labelledAs := func(contentTypes ...string) check.Response {
		return spectest.Labelled(400, `{"error":1,"message":""}`, contentTypes...)
	}
	mediaType := func(message, actual string) check.Breach {
		return breach("createPlant/400/media-type", "", message, jsonType, actual, -1)
	}
	number := func(message, expected, actual string) check.Breach {
		return breach(errorNumber, "/error", message, expected, actual, 9)
	}

	for _, row := range []struct {
		gap            string
		accept, reject check.Response
		want           check.Breach
	}{
		// The status
		{"a redirect that is not declared", spectest.Answer(401, ""), spectest.Answer(307, ""),
			breach("createPlant/answers", "", "comes with status 307, which redirects, and the contract declares no redirect",
				"a status that accepts (2xx) or rejects (4xx) the request", "307", -1)},
		{"the first of the redirects", spectest.Answer(299, ""), spectest.Answer(300, ""),
			breach("createPlant/answers", "", "comes with status 300, which redirects, and the contract declares no redirect",
				"a status that accepts (2xx) or rejects (4xx) the request", "300", -1)},
		{"304 without a condition", spectest.Answer(404, ""), spectest.Answer(304, ""),
			breach("createPlant/answers", "", "comes with status 304, which redirects, and the contract declares no redirect",
				"a status that accepts (2xx) or rejects (4xx) the request", "304", -1)},
		{"a failure of the service", spectest.Answer(499, ""), spectest.Answer(500, ""),
			breach("createPlant/answers", "", "comes with status 500, which says that the service failed, not that it rejects the request",
				"a status that accepts (2xx) or rejects (4xx) the request", "500", -1)},
		{"an interim status as the answer", spectest.Answer(202, ""), spectest.Answer(102, ""),
			breach("createPlant/answers", "", "comes with status 102, which is not a final response",
				"a status that accepts (2xx) or rejects (4xx) the request", "102", -1)},

		// The media type
		{"no Content-Type", labelledAs("application/json"), labelledAs(),
			mediaType("comes without a media type", "no Content-Type")},
		{"two Content-Types", labelledAs("application/json; charset=utf-8"), labelledAs("application/json", "application/json"),
			mediaType("comes with several Content-Type fields; only one is allowed (RFC 9110 §5.3)", "Content-Type: application/json; Content-Type: application/json")},
		{"two media types in one field", labelledAs("Application/JSON"), labelledAs("application/json, text/html"),
			mediaType(`comes with a malformed media type, which has ", text/html" after the subtype`, "Content-Type: application/json, text/html")},
		{"a parameter without a value", labelledAs("application/json;charset=UTF-8"), labelledAs("application/json; charset"),
			mediaType(`comes with a malformed media type, which has a malformed parameter at "charset"`, "Content-Type: application/json; charset")},
		{"another JSON media type", labelledAs(`application/json; charset="utf-8"`), labelledAs("application/problem+json"),
			mediaType("comes with a media type that is not declared", "Content-Type: application/problem+json")},
		{"an empty Content-Type", labelledAs(" application/json ;; "), labelledAs(""),
			mediaType("comes with a malformed media type, which is empty", "Content-Type: ")},

		// Exactly one JSON value
		{"a nil body", rejection(`{"error":1,"message":""}`), check.Response{Status: 400, Header: http.Header{"Content-Type": {"application/json"}}},
			breach(errorBody, "", "is empty", oneObject, "nothing", 0)},
		{"white space as the body", rejection(" \r\n\t{\"error\":1,\"message\":\"\"}\n"), rejection(" \n"),
			breach(errorBody, "", "is empty", oneObject, "nothing", 0)},
		{"two JSON values", rejection(`{"error":1,"message":""}`), rejection(`{"error":1,"message":""}{}`),
			breach(errorBody, "", "has something after the JSON value", oneObject, "{}", 24)},
		{"text behind the value", rejection("{\"error\":1,\"message\":\"\"}\r\n"), rejection("{\"error\":1,\"message\":\"\"}\nok"),
			breach(errorBody, "", "has something after the JSON value", oneObject, "ok", 25)},
		{"one brace too many", rejection(`{"error":1,"message":"}"}`), rejection(`{"error":1,"message":""}}`),
			breach(errorBody, "", "has something after the JSON value", oneObject, "}", 24)},
		{"a NUL at the end", rejection(`{"error":1,"message":"\u0000"}`), rejection("{\"error\":1,\"message\":\"\"}\x00"),
			breach(errorBody, "", "has something after the JSON value", oneObject, "\x00", 24)},
		{"a body that is cut off", rejection(`{"error":1,"message":""}`), rejection(`{"error":1,"message":"`),
			breach(errorBody, "", "is cut off", oneObject, `{"error":1,"message":"`, 22)},
		{"a byte order mark", rejection("{\"error\":1,\"message\":\"\ufeff\"}"), rejection("\ufeff{\"error\":1,\"message\":\"\"}"),
			breach(errorBody, "", "begins with a byte order mark (RFC 8259 §8.1)", oneObject, "\ufeff{\"error\":1,\"message\":\"\"}", 0)},
		{"a page in HTML", rejection(`{"error":1,"message":"<html>"}`), rejection("<html>"),
			breach(errorBody, "", "is not valid JSON: invalid character '<' at start of value", oneObject, "<html>", 0)},
		{"NaN", rejection(`{"error":0,"message":"NaN"}`), rejection(`{"error":NaN,"message":""}`),
			breach(errorBody, "/error", "is not valid JSON: invalid character 'N' at start of value", oneObject, `{"error":NaN,"message":""}`, 9)},
		{"a comma too many", rejection(`{"error":1,"message":","}`), rejection(`{"error":1,"message":"",}`),
			breach(errorBody, "", "is not valid JSON: invalid character '}' at start of key (expecting '\"')", oneObject, `{"error":1,"message":"",}`, 24)},
		{"invalid UTF-8", rejection("{\"error\":1,\"message\":\"é\"}"), rejection("{\"error\":1,\"message\":\"\xe9\"}"),
			breach(errorBody, "/message", "is not valid JSON: invalid UTF-8", oneObject, "{\"error\":1,\"message\":\"\xe9\"}", 22)},
		{"a lone surrogate", rejection(`{"error":1,"message":"\ud83c\udf31"}`), rejection(`{"error":1,"message":"\ud83c"}`),
			permitted(breach(errorBody, "/message", "has half of a surrogate pair as an escape, which stands for no character (RFC 8259 §8.2)", "escapes that stand for characters", `\ud83c`, 22))},

		// No duplicate keys
		{"a key twice", rejection(`{"error":1,"message":"error"}`), rejection(`{"error":1,"message":"","error":2}`),
			breach(errorBody, "/error", "is a duplicate key (RFC 7493 §2.3)", onceEach, `{"error":1,"message":"","error":2}`, 24)},
		{"a bad key made good by a second", rejection(`{"error":2,"message":""}`), rejection(`{"error":"x","error":2,"message":""}`),
			breach(errorBody, "/error", "is a duplicate key (RFC 7493 §2.3)", onceEach, `{"error":"x","error":2,"message":""}`, 13)},
		{"a key twice, once escaped", rejection(`{"\u0065rror":1,"message":""}`), rejection(`{"error":1,"message":"","\u0065rror":2}`),
			breach(errorBody, "/error", "is a duplicate key (RFC 7493 §2.3)", onceEach, `{"error":1,"message":"","\u0065rror":2}`, 24)},

		// Integers by their literals
		{"one above the largest int32", rejection(`{"error":2147483647,"message":""}`), rejection(`{"error":2147483648,"message":""}`),
			number("is out of range", int32Range, "2147483648")},
		{"one below the smallest int32", rejection(`{"error":-2147483648,"message":""}`), rejection(`{"error":-2147483649,"message":""}`),
			number("is out of range", int32Range, "-2147483649")},
		{"a fraction", rejection(`{"error":400.0,"message":""}`), rejection(`{"error":400.5,"message":""}`),
			number("has the wrong type", "an int32", "400.5")},
		{"a fraction that a float64 loses", rejection(`{"error":1.00000000000000000000,"message":""}`), rejection(`{"error":1.00000000000000000001,"message":""}`),
			number("has the wrong type", "an int32", "1.00000000000000000001")},
		{"an exponent out of range", rejection(`{"error":4e2,"message":""}`), rejection(`{"error":1e20,"message":""}`),
			number("is out of range", int32Range, "1e20")},
		{"more than a float64 holds", rejection(`{"error":0e1000001,"message":""}`), rejection(`{"error":1e400,"message":""}`),
			number("is out of range", int32Range, "1e400")},
		{"an exponent that must not be expanded", rejection(`{"error":-0,"message":""}`), rejection(`{"error":1e1000001,"message":""}`),
			number("is out of range", int32Range, "1e1000001")},
		{"a fraction that must not be expanded", rejection(`{"error":4000e-1,"message":""}`), rejection(`{"error":1e-1000001,"message":""}`),
			number("has the wrong type", "an int32", "1e-1000001")},
		{"a number in a string", rejection(`{"error":400,"message":"400"}`), rejection(`{"error":"400","message":""}`),
			number("has the wrong type", "an int32", `"400"`)},

		// The schema
		{"a missing property", rejection(`{"error":1,"message":""}`), rejection(`{"error":1}`),
			breach("createPlant/400/body/message", "/message", "is missing", "the property message, a string", "no such property", 0)},
		{"null for a required property", rejection(`{"error":1,"message":"null"}`), rejection(`{"error":1,"message":null}`),
			breach("createPlant/400/body/message", "/message", "has the wrong type", "a string", "null", 21)},
		{"null for an optional property", spectest.Answer(200, `{"name":""}`), spectest.Answer(200, `{"name":"","tag":null}`),
			breach("createPlant/200/body/tag", "/tag", "has the wrong type", "a string, or no tag at all", "null", 17)},
		{"a list for an object", rejection(`{"error":1,"message":""}`), rejection(`[{"error":1,"message":""}]`),
			breach(errorBody, "", "has the wrong type", "an object", `[{"error":1,"message":""}]`, 0)},
		{"null for an object", rejection(`{"error":1,"message":""}`), rejection(` null`),
			breach(errorBody, "", "has the wrong type", "an object", "null", 1)},
		{"an undeclared property", spectest.Answer(200, `{"name":"","tag":""}`), spectest.Answer(200, `{"name":"","id":7}`),
			breach("createPlant/200/body/undeclared", "/id", "is a property that the contract does not declare", "only name, tag", "7", 16)},

		// Codings
		{"a content coding nobody asked for", with(rejection(`{"error":1,"message":""}`), "Content-Encoding", "identity"),
			with(rejection("\x1f\x8b"), "Content-Encoding", "br"),
			breach(errorBody, "", "comes in a content coding that was not asked for", "no Content-Encoding", "Content-Encoding: br", 0)},
		{"a content coding in name only", rejection(`{"error":1,"message":""}`), with(rejection(`{"error":1,"message":""}`), "Content-Encoding", "gzip"),
			breach(errorBody, "", "is not in gzip, which its Content-Encoding names", "no Content-Encoding", "Content-Encoding: gzip", 0)},
		{"half of a content coding", rejection(`{"error":1,"message":""}`), with(rejection("\x1f\x8b"), "Content-Encoding", "X-GZIP"), breach(errorBody, "", "is in gzip that was not asked for, or that cannot be decoded", "no Content-Encoding", "Content-Encoding: X-GZIP", 0)},
	} {
		t.Run(row.gap, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, op, row.accept).Breaches)
			assertBreaches(t, spectest.Check(t, op, row.reject).Breaches, row.want)
		})
	}
}

// TestDeclaredResponse checks which declaration judges a response. Precedence: the status itself,
// its class, default, and then the most specific media type.
func TestDeclaredResponse(t *testing.T) {
	op := spectest.Responding(t, "3.0.3", "get", `
'200':
  description: d
  content:
    '*/*': {schema: {type: string}}
    application/*: {schema: {type: boolean}}
    application/*+json: {schema: {type: number}}
    application/json: {schema: {type: object}}
    application/json; version=2: {schema: {type: array, items: {}}}
'302': {description: d}
4XX: {description: d, content: {application/json: {schema: {type: object}}}}
'404': {description: d}
'500': {description: d}
'501': {description: d, content: {application/json: {schema: {type: object}}}}
default: {description: d, content: {text/plain: {schema: {type: string}}}}
`)
	for _, row := range []struct {
		name     string
		response check.Response
		declared string
		broken   []string // clauses
	}{
		{"the status itself", spectest.Answer(200, `{}`), "200", nil},
		{"a media type before its range", spectest.Answer(200, `true`), "200", []string{"x/200/body"}},
		{"a media type with a parameter before that without", spectest.Labelled(200, `[]`, "application/json; version=2"), "200", nil},
		{"another parameter", spectest.Labelled(200, `{}`, "application/json; version=1; charset=latin1"), "200", nil},
		{"a range of suffixes before one of types", spectest.Labelled(200, `1`, "application/hal+json"), "200", nil},
		{"a range judges JSON by its schema", spectest.Labelled(200, `1`, "text/json"), "200", []string{"x/200/body"}},
		{"a range judges nothing else by it", spectest.Labelled(200, `1`, "application/xml"), "200", nil},
		{"what is not JSON may be empty", spectest.Labelled(200, ``, "image/png"), "200", nil},
		{"a redirect that is declared", spectest.Answer(302, ""), "302", nil},
		{"a redirect that only default covers", spectest.Labelled(307, "x", "text/plain"), "default", []string{"x/answers"}},
		{"the status itself before its class", spectest.Answer(404, ""), "404", nil},
		{"a body where none is declared", spectest.Answer(404, "x"), "404", nil},
		{"the class before default", spectest.Answer(422, "{}"), "4XX", nil},
		{"the class is judged", spectest.Answer(422, "[]"), "4XX", []string{"x/4XX/body"}},
		{"default", spectest.Labelled(201, "x", "text/plain; charset=utf-8"), "default", nil},
		{"default is judged", spectest.Answer(201, "{}"), "default", []string{"x/default/media-type"}},
		{"a failure that is declared by its number is a warning", spectest.Labelled(501, "{}", "application/json"), "501", []string{"x/answers"}},
		{"and is judged", spectest.Labelled(501, "[]", "application/json"), "501", []string{"x/answers", "x/501/body"}},
		{"500 is a failure, though it is declared", spectest.Answer(500, ""), "500", []string{"x/answers"}},
		{"default does not excuse a failure", spectest.Labelled(503, "x", "text/plain"), "default", []string{"x/answers"}},
		{"204 has no body, whatever default declares", check.Response{Status: 204}, "default", nil},
		{"204 that has one all the same", check.Response{Status: 204, Body: []byte("x")}, "default", []string{"x/default/media-type"}},
		{"304 has no body either", check.Response{Status: 304}, "default", []string{"x/answers"}},
		{"nor has an interim status", check.Response{Status: 102}, "default", []string{"x/answers"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			result := spectest.Check(t, op, row.response)
			if result.Declared != row.declared || !op.Declares(row.response.Status) {
				t.Errorf("judged by %q, want %q", result.Declared, row.declared)
			}
			if got := spectest.Clauses(result.Breaches); !slices.Equal(got, row.broken) {
				t.Errorf("broken %q, want %q: %+v", got, row.broken, result.Breaches)
			}
			for _, b := range result.Breaches {
				if isWarning := b.Clause == "x/answers" && row.declared == "501"; b.Should != isWarning {
					t.Errorf("%s: only a warning: %v", b.Clause, b.Should)
				}
			}
			for _, clause := range row.broken {
				if !slices.Contains(result.Exercised, spec.ClauseID(clause)) {
					t.Errorf("%s is broken and not exercised", clause)
				}
			}
		})
	}
	t.Run("where several media types are declared, another one's body is not judged", func(t *testing.T) {
		op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, content: {application/json: {schema: {type: object}}, text/plain: {}}}")
		assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "[", "text/html")).Breaches,
			breach("x/200/media-type", "", "comes with a media type that is not declared", "Content-Type: application/json or text/plain", "Content-Type: text/html", -1))
	})
	t.Run("HEAD with a media type puts it to the test", func(t *testing.T) {
		op := spectest.Responding(t, "3.0.3", "head", "'200': {description: d, content: {application/json: {}}}")
		for _, row := range []struct {
			response check.Response
			want     []spec.ClauseID
		}{{spectest.Answer(200, ""), []spec.ClauseID{"x/answers", "x/200/media-type", "x/200/body"}}, {check.Response{Status: 200}, []spec.ClauseID{"x/answers", "x/200/body"}}} {
			if got := spectest.Check(t, op, row.response).Exercised; !slices.Equal(got, row.want) {
				t.Errorf("exercised %q, want %q", got, row.want)
			}
		}
	})
	t.Run("a status that nothing declares is not judged", func(t *testing.T) {
		op := spectest.Bundled(t)
		result := spectest.Check(t, op, spectest.Answer(401, "<html>"))
		if result.Declared != "" || op.Declares(401) || len(result.Breaches) > 0 {
			t.Errorf("got %+v", result)
		}
	})
}

// TestNoBody checks responses that must not have a body, by the contract or by HTTP.
func TestNoBody(t *testing.T) {
	const content = "content: {application/json: {schema: {type: object, required: [a]}}}"
	for _, row := range []struct {
		name, method, responses string
		accept, reject          check.Response
		want                    check.Breach
	}{
		{"HEAD, declared without content", "head", "'200': {description: d}", check.Response{Status: 200}, spectest.Labelled(200, " "),
			breach("x/200/body", "", "is not empty, but must be", "no body", " ", 0)},
		{"204 in a range of statuses without content", "delete", "2XX: {description: d}", spectest.Answer(200, "x"), spectest.Labelled(204, "{}"),
			breach("x/answers", "", "is not empty, but must be", "no body", "{}", 0)},
		{"204", "delete", "'204': {description: d}", check.Response{Status: 204}, spectest.Labelled(204, "{}"),
			breach("x/204/body", "", "is not empty, but must be", "no body", "{}", 0)},
		{"204 with content, which HTTP rules out", "delete", "'204': {description: d, " + content + "}", check.Response{Status: 204}, spectest.Labelled(204, "{}"),
			breach("x/204/body", "", "is not empty, but must be", "no body", "{}", 0)},
		{"HEAD, whatever is declared", "head", "'200': {description: d, " + content + "}", check.Response{Status: 200}, spectest.Answer(200, "{}"),
			breach("x/200/body", "", "is not empty, but must be", "no body", "{}", 0)},
		{"HEAD with a media type", "head", "'200': {description: d, " + content + "}", spectest.Answer(200, ""), spectest.Labelled(200, "", "text/html"),
			breach("x/200/media-type", "", "comes with a media type that is not declared", "Content-Type: application/json", "Content-Type: text/html", -1)},
		{"a media type without a schema", "get", "'200': {description: d, content: {application/json: {}}}", spectest.Answer(200, "null"), spectest.Answer(200, ""),
			breach("x/200/body", "", "is empty", "one JSON value in UTF-8", "nothing", 0)},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := spectest.Responding(t, "3.0.3", row.method, row.responses)
			assertBreaches(t, spectest.Check(t, op, row.accept).Breaches)
			assertBreaches(t, spectest.Check(t, op, row.reject).Breaches, row.want)
		})
	}
}

// TestBreachesArePlacedAndBounded checks that breaches are in the order of the body, limited per
// clause, and always the same.
func TestBreachesArePlacedAndBounded(t *testing.T) {
	op := answering(t, "3.0.3", "{type: array, items: {type: object, required: [a], properties: {a: {type: integer}, b: {type: string}}}}")
	body := "[" + strings.Repeat(`{"z":0,"y":0,"b":1},`, 50) + `{"a":0.5,"x":0}]`
	first := spectest.Check(t, op, spectest.Answer(200, body)).Breaches
	count := map[string]int{}
	for i, b := range first {
		count[string(b.Clause)]++
		if i > 0 && b.Offset < first[i-1].Offset {
			t.Errorf("%s at %d stands behind %d", b.Pointer, b.Offset, first[i-1].Offset)
		}
	}
	for _, clause := range []string{"x/200/body/*/a", "x/200/body/*/b", "x/200/body/*/undeclared"} {
		if count[clause] != 5 {
			t.Errorf("%s is told %d times, want 5", clause, count[clause])
		}
	}
	for range 20 {
		assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, body)).Breaches, first...)
	}
}

// TestBreachesOfOneClause checks that the first breaches by name or index are reported, in the
// order of the body.
func TestBreachesOfOneClause(t *testing.T) {
	for _, row := range []struct{ name, schema, body, want string }{
		{"items", "{type: array, items: {type: string}}", "[" + strings.Repeat("0,", 11) + "0]", "/0 /1 /2 /3 /4"},
		{"values of a map", "{type: object, additionalProperties: {type: string}}", `{"d":0,"10":0,"c":0,"9":0,"b":0,"f":0,"a":0,"e":0}`, "/10 /c /9 /b /a"},
		{"several faults in one place", "{type: string, minLength: 2, pattern: b}", `"a"`, " "},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := answering(t, "3.0.3", row.schema)
			for range 10 {
				var pointers []string
				for _, b := range spectest.Check(t, op, spectest.Answer(200, row.body)).Breaches {
					pointers = append(pointers, b.Pointer)
				}
				if got := strings.Join(pointers, " "); got != row.want {
					t.Fatalf("got %q, want %q", got, row.want)
				}
			}
		})
	}
}

// TestUndeclaredPropertiesAreCounted checks that several in one object are one breach.
func TestUndeclaredPropertiesAreCounted(t *testing.T) {
	properties := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"k%05d":1`, i))
		}
		return strings.Join(list, ",")
	}
	const open, closed = "{type: object, properties: {a: {}}}", "{type: object, properties: {a: {}}, additionalProperties: false}"
	for _, row := range []struct {
		name, schema, body string
		want               []check.Breach
	}{
		{"none", open, `{"a":1}`, nil},
		{"one", open, `{"a":1,"b":1}`, []check.Breach{breach("x/200/body/undeclared", "/b", "is a property that the contract does not declare", "only a", "1", 11)}},
		{"two", open, `{"c":1,"a":1,"b":1}`, []check.Breach{breach("x/200/body/undeclared", "", "has properties that the contract does not declare: b, c", "only a", `{"c":1,"a":1,"b":1}`, 0)}},
		{"five", open, `{` + properties(5) + `}`, []check.Breach{breach("x/200/body/undeclared", "", "has properties that the contract does not declare: k00000, k00001, k00002, k00003, k00004", "only a", `{`+properties(5)+`}`, 0)}},
		{"more than are named", open, `{` + properties(90_000) + `}`, []check.Breach{breach("x/200/body/undeclared", "",
			"has properties that the contract does not declare: 90000 of them, such as k00000, k00001, k00002, k00003, k00004", "only a", `{`+properties(90_000)+`}`, 0)}},
		{"where they are ruled out", closed, `{` + properties(6) + `}`, []check.Breach{breach("x/200/body/undeclared", "",
			"has properties that the contract does not declare: 6 of them, such as k00000, k00001, k00002, k00003, k00004", "only a", `{`+properties(6)+`}`, 0)}},
		{"one where it is ruled out", closed, `{"b":1}`, []check.Breach{breach("x/200/body/undeclared", "/b", "is a property that the contract does not declare", "only a", "1", 5)}},
		{"in several objects", "{type: array, items: " + open + "}", `[{"b":1},{"b":1,"c":1}]`, []check.Breach{
			breach("x/200/body/*/undeclared", "/0/b", "is a property that the contract does not declare", "only a", "1", 6),
			breach("x/200/body/*/undeclared", "/1", "has properties that the contract does not declare: b, c", "only a", `{"b":1,"c":1}`, 9),
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, answering(t, "3.0.3", row.schema), spectest.Answer(200, row.body)).Breaches, row.want...)
		})
	}
}

// TestExercised checks which clauses a response could have broken.
func TestExercised(t *testing.T) {
	op := spectest.Bundled(t)
	for _, row := range []struct {
		name     string
		response check.Response
		want     []string // without createPlant/
	}{
		{"an undeclared status", spectest.Answer(401, ""), []string{"answers"}},
		{"no JSON", spectest.Answer(400, "x"), []string{"answers", "400/media-type", "400/body"}},
		{"no object", spectest.Answer(400, "[]"), []string{"answers", "400/media-type", "400/body"}},
		{"an optional property that is absent", spectest.Answer(200, `{"name":""}`),
			[]string{"answers", "200/media-type", "200/body", "200/body/name", "200/body/undeclared"}},
		{"one that is there", spectest.Answer(200, `{"name":"","tag":""}`),
			[]string{"answers", "200/media-type", "200/body", "200/body/name", "200/body/tag", "200/body/undeclared"}},
		{"no object in a list of them", spectest.Answer(400, `[{}]`), []string{"answers", "400/media-type", "400/body"}},
		{"a required property that is missing", spectest.Answer(400, `{}`),
			[]string{"answers", "400/media-type", "400/body", "400/body/error", "400/body/message", "400/body/undeclared"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, clause := range spectest.Check(t, op, row.response).Exercised {
				got = append(got, strings.TrimPrefix(string(clause), "createPlant/"))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
