package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestResponseHeaders checks that header fields are judged in the style "simple", by name in any
// case.
func TestResponseHeaders(t *testing.T) {
	const clause = "x/200/header/X-A"
	wrong := func(message, expected, actual string) check.Breach {
		return breach(clause, "", "comes with the header X-A, which "+message, "the header X-A, "+expected, "X-A: "+actual, -1)
	}
	for _, row := range []struct {
		name, header   string // Header Object, in YAML
		accept, reject []string
		want           check.Breach
	}{
		{"required", "{required: true, schema: {type: string}}", []string{""}, nil, breach(clause, "", "comes without the header X-A", "the header X-A, a string", "no such header", -1)},
		{"required, of any kind", "{required: true, schema: {}}", []string{"x"}, nil, breach(clause, "", "comes without the header X-A", "the header X-A", "no such header", -1)},
		{"required, with content", "{required: true, content: {application/json: {}}}", []string{"x"}, nil, breach(clause, "", "comes without the header X-A", "the header X-A", "no such header", -1)},
		{"optional", "{schema: {type: integer}}", nil, []string{"x"}, wrong("has the wrong type", "an integer", "x")},
		{"an integer", "{schema: {type: integer, format: int32}}", []string{"-0"}, []string{"2147483648"}, wrong("is out of range", "an int32, from -2147483648 to 2147483647", "2147483648")},
		{"an integer with white space", "{schema: {type: integer}}", []string{"1e3"}, []string{"1 0"}, wrong("has the wrong type", "an integer", "1 0")},
		{"no number as JSON has it", "{schema: {type: number}}", []string{"1.50"}, []string{"0x10"}, wrong("has the wrong type", "a number", "0x10")},
		{"no number but JSON", "{schema: {type: integer}}", []string{"5"}, []string{`"5"`}, wrong("has the wrong type", "an integer", `"5"`)},
		{"no number but a word of JSON", "{schema: {type: number}}", []string{"-5"}, []string{"true"}, wrong("has the wrong type", "a number", "true")},
		{"nothing for a number", "{schema: {type: integer}}", []string{"0"}, []string{""}, wrong("has the wrong type", "an integer", "")},
		{"a long number", "{schema: {type: number}}", []string{strings.Repeat("1", 1001)}, []string{strings.Repeat("1", 1001) + "."}, wrong("has the wrong type", "a number", strings.Repeat("1", 1001)+".")},
		{"a boolean", "{schema: {type: boolean}}", []string{"true"}, []string{"True"}, wrong("has the wrong type", "a boolean", "True")},
		{"a boolean that is false", "{schema: {type: boolean}}", []string{"false"}, []string{"0"}, wrong("has the wrong type", "a boolean", "0")},
		{"digits as a string", "{schema: {type: string, maxLength: 2}}", []string{"12"}, []string{"123"}, wrong("is too long", "at most 2 characters", "123")},
		{"a format", "{schema: {type: string, format: uuid}}", []string{"0b1f4e2c-3d5a-4c8e-9f00-112233445566"}, []string{"1"}, wrong("has the wrong format", "a string (uuid)", "1")},
		{"a scalar twice", "{schema: {type: integer}}", []string{"1"}, []string{"1", "2"}, wrong("has the wrong type", "an integer", "1, 2")},
		{"a list", "{schema: {type: array, items: {type: integer}}}", []string{"1, 2,3"}, []string{"1, x"},
			breach(clause, "", "comes with the header X-A, in which /1 has the wrong type", "the header X-A, an integer", "X-A: 1, x", -1)},
		{"a list over two fields", "{schema: {type: array, items: {type: integer}, maxItems: 2}}", []string{"1", "2"}, []string{"1", "2,3"}, wrong("has too many items", "at most 2 items", "1, 2,3")},
		{"an empty list", "{schema: {type: array, items: {type: integer}, minItems: 1}}", []string{"1"}, []string{""}, wrong("has too few items", "at least 1 item", "")},
		{"an object", "{schema: {type: object, required: [a], properties: {a: {type: integer}}}}", []string{"a,1,b,x"}, []string{"b,x"}, breach(clause, "", "comes with the header X-A, in which /a is missing", "the header X-A, the property a, an integer", "X-A: b,x", -1)},
		{"an object, exploded", "{explode: true, schema: {type: object, properties: {a: {type: integer}}}}", []string{"a=1,b=x"}, []string{"a=x"},
			breach(clause, "", "comes with the header X-A, in which /a has the wrong type", "the header X-A, an integer", "X-A: a=x", -1)},
		{"an object in JSON", "{schema: {type: object, additionalProperties: false, properties: {a: {type: integer}}}}", []string{`{"a": 1}`}, []string{`{"a": "x"}`}, breach(clause, "", "comes with the header X-A, in which /a has the wrong type", "the header X-A, an integer", `X-A: {"a": "x"}`, -1)},
		{"an object that cannot be read", "{schema: {type: object}}", []string{"a,1"}, []string{"a,1,b"}, wrong("has the wrong type", "an object", "a,1,b")},
		{"JSON", "{content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}}", []string{`{"n": 1, "m": "a,b"}`}, []string{`{"n":"1"}`},
			breach(clause, "", "comes with the header X-A, in which /n has the wrong type", "the header X-A, an integer", `X-A: {"n":"1"}`, -1)},
		{"no JSON", "{content: {application/json: {schema: {type: object}}}}", []string{"{}"}, []string{"n=1"}, wrong("has the wrong type", "an object", "n=1")},
		{"required, in another media type", "{required: true, content: {text/plain: {schema: {type: integer}}}}", []string{"x"}, nil, breach(clause, "", "comes without the header X-A", "the header X-A", "no such header", -1)},
		{"by reference", "{$ref: '#/components/headers/H'}", []string{"1"}, []string{"x"}, wrong("has the wrong type", "an integer", "x")},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := spectest.Load(t, spectest.Head("3.0.3")+fmt.Sprintf(`paths:
  /a: {get: {operationId: x, responses: {'200': {description: d, headers: {X-A: %s}}}}}
components: {headers: {H: {schema: {type: integer}}}}
`, row.header)).Operations[0]
			respond := func(values []string) check.Result {
				r := check.Response{Status: 200}
				for _, value := range values {
					r = with(r, "x-a", value)
				}
				return spectest.Check(t, op, r)
			}
			assertBreaches(t, respond(row.accept).Breaches)
			rejected := respond(row.reject)
			assertBreaches(t, rejected.Breaches, row.want)
			if !slices.Contains(rejected.Exercised, clause) || slices.Contains(respond(nil).Exercised, clause) != strings.Contains(row.name, "required") {
				t.Errorf("exercised %q, and without the header %q", rejected.Exercised, respond(nil).Exercised)
			}
		})
	}
}

// TestHeadersOfSeveralTypes checks that the first type that fits the text is used.
func TestHeadersOfSeveralTypes(t *testing.T) {
	op := spectest.Responding(t, "3.1.0", "get", "'200': {description: d, headers: {X-A: {schema: {type: [string, integer], maxLength: 1}}, X-B: {schema: {type: [boolean, integer, string], maxLength: 1}}}}")
	assertBreaches(t, spectest.Check(t, op, with(with(check.Response{Status: 200}, "X-A", "1"), "X-B", "12")).Breaches)
	assertBreaches(t, spectest.Check(t, op, with(with(check.Response{Status: 200}, "X-A", "12"), "X-B", "no")).Breaches,
		breach("x/200/header/X-A", "", "comes with the header X-A, which is too long", "the header X-A, at most 1 character", "X-A: 12", -1),
		breach("x/200/header/X-B", "", "comes with the header X-B, which is too long", "the header X-B, at most 1 character", "X-B: no", -1))
}

// TestFreeHeaders checks that header fields without limits exercise no clause.
func TestFreeHeaders(t *testing.T) {
	op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, headers: {X-A: {schema: {}}, X-B: {content: {text/plain: {}}}}}")
	if got := spectest.Check(t, op, with(with(check.Response{Status: 200}, "X-A", "1"), "X-B", "")).Exercised; !slices.Equal(got, []spec.ClauseID{"x/answers", "x/silent/undeclared-content"}) {
		t.Errorf("exercised %q", got)
	}
}

// TestSpecialHeaders checks Content-Type, which is judged as the media type, and Set-Cookie, whose
// lines cannot be joined.
func TestSpecialHeaders(t *testing.T) {
	op := spectest.Responding(t, "3.0.3", "get", `
'200':
  description: d
  headers:
    Content-Type: {required: true, schema: {type: integer}}
    Set-Cookie: {schema: {type: string, maxLength: 3}}
`)
	r := with(with(check.Response{Status: 200}, "Set-Cookie", "a=1"), "Set-Cookie", "b=2")
	assertBreaches(t, spectest.Check(t, op, r).Breaches)
	assertBreaches(t, spectest.Check(t, op, with(r, "Set-Cookie", "long=3")).Breaches,
		breach("x/200/header/Set-Cookie", "", "comes with the header Set-Cookie, which is too long", "the header Set-Cookie, at most 3 characters", "Set-Cookie: long=3", -1))
}
