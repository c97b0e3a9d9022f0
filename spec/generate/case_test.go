package generate_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

func TestShow(t *testing.T) {
	s := schemaOf(t, "3.1.0", `{type: object, required: [id, title], additionalProperties: false, properties: {id: {type: integer, format: int64}, title: {type: string, minLength: 1, maxLength: 50}, isbn: {type: string, pattern: '^\d{13}$'}, pages: {type: integer, minimum: 1, maximum: 5000}, price: {type: number, exclusiveMinimum: 0, multipleOf: 0.01}, tags: {type: array, uniqueItems: true, maxItems: 3, items: {type: string}}, kind: {enum: [paper, e-book]}, note: {type: [string, 'null']}, owner: {oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: integer}}}]}}}`)
	for name, cases := range map[string]iter.Seq[generate.Case]{"valid": generate.Valid(s, schema.Request), "invalid": generate.Invalid(s, schema.Request)} {
		for c := range cases {
			fmt.Println(name, c.Kind, c.Path, c.Variant, c.Says, c.Keyword, instance.Compact(c.Value))
		}
	}
}
