package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestExercisedInside checks which clauses about values in a body are exercised, each once.
func TestExercisedInside(t *testing.T) {
	for _, row := range []struct{ name, schema, body, want string }{
		{"required properties, there or not", "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}", `{}`, "/a /undeclared"},
		{"optional ones where they are there", "{type: object, properties: {a: {type: string}, b: {type: string}}}", `{"b":""}`, "/b /undeclared"},
		{"write-only ones, which must not be there", "{type: object, properties: {p: {type: string, writeOnly: true}}}", `{}`, "/p /undeclared"},
		{"nothing of a property of which nothing is said", "{type: object, properties: {a: {}}}", `{"a":1}`, "/undeclared"},
		{"nothing that is undeclared where there is room", "{type: object, additionalProperties: true, properties: {a: {type: string}}}", `{"a":"","b":1}`, "/a"},
		{"the inside of properties", "{type: object, properties: {in: {type: object, properties: {a: {type: string}}}}}", `{"in":{"a":""}}`, "/in /in/a /in/undeclared /undeclared"},
		{"of all items", "{type: array, items: {type: object, properties: {a: {type: string}, b: {type: string}}}}", `[{"a":""},{"a":"","b":""}]`, "/*/a /*/undeclared /*/b"},
		{"of all values", "{type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}", `{"x":{"a":""},"y":{}}`, "/*/a /*/undeclared"},
		{"of no item", "{type: array, items: {type: object, properties: {a: {type: string}}}}", `[]`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			result := spectest.Check(t, answering(t, "3.0.3", row.schema), spectest.Answer(200, row.body))
			want := []spec.ClauseID{"x/answers", "x/200/media-type", "x/200/body"}
			for path := range strings.FieldsSeq(row.want) {
				want = append(want, spec.ClauseID("x/200/body"+path))
			}
			if !slices.Equal(result.Exercised, want) {
				t.Errorf("got  %q\nwant %q", result.Exercised, want)
			}
		})
	}
}

// TestBreachesInside checks that breaches are found at every depth, including those that the
// compiled schema does not report.
func TestBreachesInside(t *testing.T) {
	undeclared := func(clause spec.ClauseID, pointer, expected string, offset int64) check.Breach {
		return breach("x/200/body"+clause, pointer, "is a property that the contract does not declare", expected, "1", offset)
	}
	for _, row := range []struct {
		name, schema, body string
		want               check.Breach
	}{
		{"in a property", "{type: object, properties: {in: {type: object, properties: {a: {}}}}}", `{"in":{"b":1}}`, undeclared("/in/undeclared", "/in/b", "only a", 11)},
		{"in an item", "{type: array, items: {type: object, properties: {a: {}}}}", `[{},{"b":1}]`, undeclared("/*/undeclared", "/1/b", "only a", 9)},
		{"in a value", "{type: object, additionalProperties: {type: object, properties: {a: {}}}}", `{"x":{"b":1}}`, undeclared("/*/undeclared", "/x/b", "only a", 10)},
		{"in what may be a list as well", "{properties: {a: {}}, items: {type: object}}", `{"b":1}`, undeclared("/undeclared", "/b", "only a", 5)},
		{"a write-only property below", "{type: object, properties: {in: {type: object, properties: {p: {type: integer, writeOnly: true}}}}}", `{"in":{"p":1}}`,
			breach("x/200/body/in/p", "/in/p", "is shown, though it is write-only", "no p", "1", 11)},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, answering(t, "3.0.3", row.schema), spectest.Answer(200, row.body)).Breaches, row.want)
		})
	}
}

// TestDeclarationsInAnyOrder checks that the most specific declaration judges a response, in any
// order. Of two equally specific ones it is the first.
func TestDeclarationsInAnyOrder(t *testing.T) {
	op := spectest.Responding(t, "3.0.3", "get", `
default: {description: d}
4XX:
  description: d
  content:
    application/json; a=1: {schema: {type: object}}
    application/json; b=1: {schema: {type: array, items: {}}}
    application/json: {schema: {type: string}}
    '*/*': {schema: {type: boolean}}
'404': {description: d}
`)
	for _, row := range []struct {
		name     string
		response check.Response
		declared string
	}{
		{"the status itself", check.Response{Status: 404}, "404"},
		{"its class", spectest.Answer(403, `""`), "4XX"},
		{"default", check.Response{Status: 200}, "default"},
		{"a range", spectest.Labelled(403, `true`, "text/json"), "4XX"},
		{"a parameter", spectest.Labelled(403, `[]`, "application/json; b=1"), "4XX"},
		{"two parameters", spectest.Labelled(403, `{}`, "application/json; b=1; a=1"), "4XX"},
	} {
		t.Run(row.name, func(t *testing.T) {
			result := spectest.Check(t, op, row.response)
			assertBreaches(t, result.Breaches)
			if result.Declared != row.declared {
				t.Errorf("judged by %q, want %q", result.Declared, row.declared)
			}
		})
	}
	t.Run("a rejection is an answer, declared or not", func(t *testing.T) {
		op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d}")
		assertBreaches(t, spectest.Check(t, op, check.Response{Status: 400}).Breaches)
	})
}
