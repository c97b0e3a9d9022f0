package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestMergedSchemas checks that allOf narrows, anyOf and oneOf widen, and the resulting clauses
// about a body.
func TestMergedSchemas(t *testing.T) {
	const object = "{type: object, "
	for _, row := range []struct{ name, schema, want string }{
		{"allOf requires what one member requires",
			"{allOf: [" + object + "properties: {a: {type: string}, b: {type: string}}}, {properties: {a: {type: string}}, required: [a]}, {required: [b]}]}", `
 must: one JSON value: an object
/a must: a is present and is a string
/b must: b is present and is a string
/undeclared should: has no undeclared property
`},
		{"oneOf requires what all members require",
			"{oneOf: [" + object + "required: [a, b], properties: {a: {type: string}, b: {type: string}}}, " + object + "required: [a, c], properties: {a: {type: integer}, b: {type: string}, c: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a is present and is a string or an integer
/b must: b, if present, is a string
/c must: c, if present, is a string
/undeclared should: has no undeclared property
`},
		{"allOf keeps a property write-only",
			"{allOf: [" + object + "properties: {a: {type: string}, b: {type: string, writeOnly: true}}}, {properties: {a: {type: string, writeOnly: true}, b: {type: string}}}]}", `
 must: one JSON value: an object
/a should: does not contain a, which is write-only
/b should: does not contain b, which is write-only
/undeclared should: has no undeclared property
`},
		{"oneOf shows what one alternative shows",
			"{oneOf: [" + object + "properties: {a: {type: string}, b: {type: string, writeOnly: true}, c: {type: string, writeOnly: true}}}, " + object + "properties: {a: {type: string, writeOnly: true}, b: {type: string, writeOnly: true}, c: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b should: does not contain b, which is write-only
/c must: c, if present, is a string
/undeclared should: has no undeclared property
`},
		{"allOf closes for all",
			"{allOf: [" + object + "properties: {a: {type: string}}}, {additionalProperties: false, properties: {a: {}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/undeclared must: has no undeclared property
`},
		{"one open alternative opens all",
			"{oneOf: [" + object + "additionalProperties: false, properties: {a: {type: string}}}, " + object + "additionalProperties: true, properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b must: b, if present, is a string
`},
		{"one alternative is the empty object",
			"{oneOf: [" + object + "properties: {a: {type: string}}}, {type: object, additionalProperties: false}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/undeclared should: has no undeclared property
`},
		{"what inherits from it may have further properties", object + "required: [k], properties: {k: {type: string}}, discriminator: {propertyName: k}}", `
 must: one JSON value: an object
/k must: k is present and is a string
`},
		{"but not what a union has", "{oneOf: [" + object + "required: [k], properties: {k: {type: string}}}], discriminator: {propertyName: k}}", `
 must: one JSON value: an object
/k must: k is present and is a string
/undeclared should: has no undeclared property
`},
		{"all alternatives close",
			"{oneOf: [" + object + "additionalProperties: false, properties: {a: {type: string}}}, " + object + "additionalProperties: false, properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b must: b, if present, is a string
/undeclared must: has no undeclared property
`},
		{"one alternative closes",
			"{oneOf: [" + object + "additionalProperties: false, properties: {a: {type: string}}}, " + object + "properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b must: b, if present, is a string
/undeclared should: has no undeclared property
`},
		{"in whichever order: allOf requires, oneOf does not",
			"{allOf: [" + object + "required: [a], properties: {a: {type: string}}}, {properties: {a: {type: string}}}], oneOf: [{properties: {b: {type: string}}}, {required: [b], properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a is present and is a string
/b must: b, if present, is a string
/undeclared should: has no undeclared property
`},
		{"one open alternative opens all, and the first",
			"{oneOf: [" + object + "additionalProperties: true, properties: {a: {type: string}}}, " + object + "properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b must: b, if present, is a string
`},
		{"one alternative closes, and the last",
			"{oneOf: [" + object + "properties: {a: {type: string}}}, " + object + "additionalProperties: false, properties: {b: {type: string}}}]}", `
 must: one JSON value: an object
/a must: a, if present, is a string
/b must: b, if present, is a string
/undeclared should: has no undeclared property
`},
		{"nothing inside of what is write-only",
			object + "properties: {p: {type: object, writeOnly: true, required: [a], properties: {a: {type: string}}}}}", `
 must: one JSON value: an object
/p should: does not contain p, which is write-only
/undeclared should: has no undeclared property
`},
		{"types narrow alternatives of several", "{allOf: [{oneOf: [{type: integer}, {type: string}]}, {type: number}]}", "\n must: one JSON value: an integer\n"},
		{"types narrow alternatives of other types", "{allOf: [{oneOf: [{type: integer}, {type: string}]}, {type: string}]}", "\n must: one JSON value: a string\n"},
		{"types narrow numbers to none", "{allOf: [{oneOf: [{type: number}, {type: string}]}, {type: string}]}", "\n must: one JSON value: a string\n"},
		{"types narrow numbers to integers", "{allOf: [{oneOf: [{type: number}, {type: string}]}, {type: integer}]}", "\n must: one JSON value: an integer\n"},
		{"types narrow to numbers", "{allOf: [{oneOf: [{type: string}, {type: number}]}, {type: number}]}", "\n must: one JSON value: a number\n"},
		{"types and what says nothing of them", "{allOf: [{oneOf: [{type: string}, {type: number}]}, {minimum: 1}]}", "\n must: one JSON value: a string or a number of at least 1\n"},
		{"values narrow what says nothing of them", "{allOf: [{enum: [1]}, {}]}", "\n must: one JSON value: the value 1\n"},
		{"others and values widen", "{oneOf: [{minimum: 3}, {enum: [1]}]}", "\n must: one JSON value: a value that meets one of the alternatives\n"},
		{"lists and what says nothing of items", "{allOf: [{type: array, items: " + object + "required: [a]}}, {minItems: 1}]}", `
 must: one JSON value: a list of at least 1 item
/*/a must: a is present
/*/undeclared should: has no undeclared property
`},
		{"lists and others widen", "{oneOf: [{type: array, items: " + object + "required: [a]}}, {type: string}]}", `
 must: one JSON value: a list or a string
/*/a must: a is present
/*/undeclared should: has no undeclared property
`},
		{"types narrow", "{allOf: [{type: number}, {type: integer, format: int32}]}", "\n must: one JSON value: an int32\n"},
		{"types narrow the other way round", "{allOf: [{type: integer, format: int64}, {type: number}]}", "\n must: one JSON value: an int64\n"},
		{"types narrow alternatives", "{type: string, oneOf: [{type: string}, {type: integer}]}", "\n must: one JSON value: a string\n"},
		{"types that contradict each other", "{type: string, allOf: [{type: integer}]}", "\n must: one JSON value: a string\n"},
		{"types widen", "{oneOf: [{type: integer, format: int32}, {type: string, format: uuid}]}", "\n must: one JSON value: an integer or a string that meets one of the alternatives\n"},
		{"types of one format widen", "{oneOf: [{type: string, format: uuid}, {type: integer, format: uuid}]}", "\n must: one JSON value: a string (uuid) or an integer\n"},
		{"one alternative of any type", "{oneOf: [{type: integer}, {}]}", "\n must: one JSON value\n"},
		{"one alternative of any type, first", "{oneOf: [{}, {type: integer}]}", "\n must: one JSON value\n"},
		{"values narrow", "{allOf: [{}, {enum: [1]}]}", "\n must: one JSON value: the value 1\n"},
		{"values widen", "{oneOf: [{enum: [1]}, {enum: [2]}]}", "\n must: one JSON value: one of 1, 2\n"},
		{"values and others widen", "{oneOf: [{enum: [1]}, {minimum: 3}]}", "\n must: one JSON value: a value that meets one of the alternatives\n"},
		{"lists narrow", "{allOf: [{type: array, items: " + object + "properties: {a: {type: string}}}}, {items: {required: [a]}}]}", `
 must: one JSON value: a list
/*/a must: a is present and is a string
/*/undeclared should: has no undeclared property
`},
		{"lists narrow what says nothing of items", "{allOf: [{minItems: 1}, {type: array, items: " + object + "required: [a]}}]}", `
 must: one JSON value: a list of at least 1 item
/*/a must: a is present
/*/undeclared should: has no undeclared property
`},
		{"lists widen", "{oneOf: [{type: array, items: " + object + "required: [a, b]}}, {type: array, items: " + object + "required: [a]}}]}", `
 must: one JSON value: a list
/*/a must: a is present
/*/undeclared should: has no undeclared property
`},
		{"lists widen what says nothing of items", "{oneOf: [{type: string}, {type: array, items: " + object + "required: [a]}}]}", `
 must: one JSON value: a string or a list
/*/a must: a is present
/*/undeclared should: has no undeclared property
`},
		{"an unlimited property", object + "properties: {a: {}, b: {enum: [1]}}}", `
 must: one JSON value: an object
/b must: b, if present, is the value 1
/undeclared should: has no undeclared property
`},
		{"null beside a type", object + "properties: {a: {type: string, nullable: true}}}", `
 must: one JSON value: an object
/a must: a, if present, is a string or null
/undeclared should: has no undeclared property
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			contract := spectest.Load(t, spectest.Document("3.0.3", row.schema))
			var got strings.Builder
			for _, c := range contract.Clauses() {
				if path, ok := strings.CutPrefix(c.ID.Part(), "200/body"); ok {
					_, text, _ := strings.Cut(strings.ReplaceAll(c.Text, "each item of ", ""), "the body of a 200 response")
					text = strings.TrimPrefix(strings.TrimPrefix(text, " is"), ",")
					got.WriteString("\n" + path + " " + string(c.Level) + ":" + text)
				}
			}
			if diff := cmp.Diff(row.want, got.String()+"\n"); diff != "" {
				t.Error(diff)
			}
		})
	}
}
