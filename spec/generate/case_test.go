package generate_test

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // takes a third of the time, and tests have enough memory
	debug.SetMemoryLimit(1 << 29)
	m.Run()
}

// told returns the cases of a kind, as "path variant: value at the path" or "…: gone".
func told(cases iter.Seq[generate.Case], kind string) (all []string) {
	for c := range cases {
		if c.Kind != kind {
			continue
		}
		text := strings.TrimSpace(instance.Pointer(c.Path) + " " + c.Variant)
		value, there := follow(c.Value, c.Path)
		if !there {
			all = append(all, text+": gone")
			continue
		}
		all = append(all, strings.TrimPrefix(text+": "+instance.Compact(value), ": "))
	}
	return all
}

// follow returns the value at a path.
func follow(value any, path []string) (inner any, there bool) {
	for _, step := range path {
		switch container := value.(type) {
		case map[string]any:
			value, there = container[step]
		case []any:
			var i int
			_, err := fmt.Sscan(step, &i)
			if there = err == nil && i < len(container); there {
				value = container[i]
			}
		}
		if !there {
			return nil, false
		}
	}
	return value, true
}

// TestValidCases: which valid values a schema gives.
func TestValidCases(t *testing.T) {
	for _, row := range []struct{ about, schema, kind, want string }{
		{"the plainest", `{type: object, required: [a], properties: {a: {type: integer}, b: {type: integer}}}`, "minimal", `{"a":1}`},
		{"what there is in some list", `{type: object, required: [currencyCode, country, home_country, time-zone, iban, locale], properties: {currencyCode: {type: string}, country: {type: string, maxLength: 2}, home_country: {type: string, pattern: '^[A-Z]{3}$'}, time-zone: {type: string}, iban: {type: string, pattern: '^[A-Z0-9]+$'}, locale: {type: string, pattern: '^[a-z]{2}-[A-Z]{2}$'}}}`, "minimal", `{"country":"DE","currencyCode":"EUR","home_country":"DEU","iban":"DE89370400440532013000","locale":"en-US","time-zone":"UTC"}`},
		{"no entry of a list twice", `{type: array, items: {type: string, enum: [id, name]}, minItems: 2}`, "enum", `id: ["name","id"]`},
		{"every optional property", `{type: object, required: [a], properties: {a: {type: integer}, b: {type: integer}}}`, "full", `{"a":1,"b":1}`},
		{"also nested", `{type: object, properties: {a: {type: object, properties: {b: {type: array, items: {type: boolean}}}}}}`, "full", `{"a":{"b":[false,true]}}`},
		{"an entry in a map", `{type: object, additionalProperties: {type: integer}}`, "full", `{"conformance":1}`},
		{"an entry of any kind", `{type: object, properties: {a: {type: object, additionalProperties: true}, b: {type: object}, c: {type: object, additionalProperties: false}}}`, "full", `{"a":{"conformance":"conformance conformance"},"b":{},"c":{}}`},
		{"the alternative that holds none of its kind", `{oneOf: [{type: object, required: [and], additionalProperties: false, properties: {and: {type: array, minItems: 2, items: {$ref: '#/components/schemas/T'}}}}, {type: object, required: [not], additionalProperties: false, properties: {not: {$ref: '#/components/schemas/T'}}}, {type: object, required: [n], additionalProperties: false, properties: {n: {type: integer}}}]}`, "minimal", `{"n":1}`},
		{"an object in one like it, once", `{type: object, properties: {n: {type: integer}, below: {$ref: '#/components/schemas/T'}}}`, "full", `{"below":{"n":1},"n":1}`},
		{"a list of objects in one like them, once", `{type: object, properties: {n: {type: integer}, below: {type: array, items: {$ref: '#/components/schemas/T'}}}}`, "full", `{"below":[{"n":1},{"n":2}],"n":1}`},
		{"no schema within itself by way of another", `
      type: object
      properties: {n: {type: integer}, other: {$ref: '#/components/schemas/Other'}}
    Other: {type: object, properties: {m: {type: integer}, back: {$ref: '#/components/schemas/T'}}}`, "full", `{"n":1,"other":{"m":1}}`},
		{"a branch for each subtype, which alone may have the value of its discriminator", `
      {type: object, required: [kind], properties: {kind: {type: string, enum: [T, cat, Dog]}}, discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', Dog: Dog}}}
    Cat: {allOf: [{$ref: '#/components/schemas/T'}, {required: [lives], properties: {lives: {type: integer}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/T'}, {properties: {barks: {type: boolean}}}]}`, "branch", `Cat: {"kind":"cat","lives":1}`},
		{"no other value of a discriminator", `
      allOf: [{$ref: '#/components/schemas/Pet'}]
    Pet: {type: object, properties: {kind: {type: string, nullable: true, enum: [Cat, T]}}, discriminator: {propertyName: kind}}`, "enum", ""},

		{"as many as go together", `{type: object, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}, not: {required: [a, b]}}`, "full", `{"a":1,"c":1}`},
		{"what does not go with the others", `{type: object, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}, not: {required: [a, b]}}`, "branch", `with-b: {"b":1,"c":1}`},
		{"an object in one like it, which does not go with the others", `{type: object, minProperties: 1, maxProperties: 1, properties: {a: {type: integer}, not: {$ref: '#/components/schemas/T'}}}`, "branch", `with-not: {"not":{"a":1}}`},
		{"examples that are valid", `{type: integer, examples: [5, x, 6]}`, "example", `5 | 3: 6`},
		{"an example without what a request does not carry", `{type: object, properties: {id: {type: integer, readOnly: true}, a: {type: string}}, example: {id: 7, a: b}}`, "example", `{"a":"b"}`},
		{"another branch", `{oneOf: [{type: integer}, {type: string}]}`, "branch", `2: "1"`},
		{"a branch named by its component", `
      type: object
      properties: {a: {anyOf: [{type: integer}, {$ref: '#/components/schemas/Other'}]}}
    Other: {type: boolean}`, "branch", `/a 2-Other: false`},
		{"a branch within a branch", `{oneOf: [{type: integer}, {type: object, required: [a], properties: {a: {oneOf: [{type: string}, {type: boolean}]}}}]}`, "branch", `2: {"a":"conformance a"} | /a 2: false`},
		{"else", `{type: object, properties: {a: {type: integer}}, if: {required: [a]}, then: {properties: {a: {minimum: 3}}}, else: {required: [b]}}`, "branch", `else: {"b":"conformance b"}`},
		{"null", `{type: object, properties: {a: {type: [string, 'null']}}}`, "null", `/a: null`},
		{"null as a branch", `{type: object, properties: {a: {anyOf: [{type: string}, {type: 'null'}]}}}`, "null", `/a: null`},
		{"members of an enum", `{enum: [a, b, 'c d', B]}`, "enum", `b-d3a93f25: "b" | c-d-72cca37c: "c d" | B-53f82785: "B"`},
		{"at most eight members", `{enum: [a, b, c, d, e, f, g, h, i, j]}`, "enum", `b: "b" | c: "c" | d: "d" | e: "e" | f: "f" | g: "g" | h: "h"`},
		{"numbers at the lower bound", `{type: integer, minimum: -5}`, "minimum", `at: -5 | inside: -4`},
		{"numbers at the upper bound", `{type: integer, exclusiveMaximum: 10, multipleOf: 3}`, "maximum", `at: 9 | inside: 6`},
		{"ends of int32", `{type: integer, format: int32}`, "maximum", `at: 2147483647 | inside: 2147483646`},
		{"no address of an unusual scheme", `{type: string, format: uri, minLength: 1}`, "minLength", ``},
		{"short texts", `{type: string, minLength: 0}`, "minLength", `at: "" | inside: "c"`},
		{"long texts", `{type: string, pattern: '^[a-z]*$', maxLength: 3}`, "maxLength", `inside: "co"`},
		{"lengths of characters, not bytes", `{type: string, pattern: '^é*$', maxLength: 2}`, "maxLength", `at: "éé" | inside: "é"`},
		{"long lengths of characters, not bytes", `{type: string, maxLength: 30}`, "maxLength", `at: "conformance textaaaaaaaaaaaaaa" | at-beyond-ascii: "conformance ééééééaaaaaaaaaaaa" | inside: "conformance textaaaaaaaaaaaaa"`},
		{"the longest text of a pattern", `{type: string, pattern: '^[a-z]+-[0-9]{1,4}$'}`, "pattern", `longest: "a-1111"`},
		{"the longest amount of a pattern, which may have to be positive", `{type: string, pattern: '^-?[0-9]{1,5}(\.[0-9]{1,2})?$'}`, "pattern", `longest: "11111.11"`},
		{"a pattern without a limit", `{type: string, pattern: '^[a-z]+$'}`, "pattern", ``},
		{"lists", `{type: array, minItems: 2, maxItems: 4, items: {type: integer}}`, "maxItems", `at: [1,2,3,4]`},
		{"an empty list", `{type: array, items: {type: integer}}`, "items", `empty: [] | one: [1] | three: [1,2,3]`},
		{"an undeclared property", `{type: object, properties: {a: {type: integer}}}`, "undeclared", `/conformanceUndeclared: "conformance undeclared"`},
		{"none of a closed object", `{type: object, properties: {a: {type: integer}}, additionalProperties: false}`, "undeclared", ``},
	} {
		got := strings.Join(told(generate.Valid(schemaOf(t, "3.1.0", row.schema), schema.Request), row.kind), " | ")
		if got != row.want {
			t.Errorf("%s: %s of %s\n got %s\nwant %s", row.about, row.kind, row.schema, got, row.want)
		}
	}
}

// TestStated: the document states that some valid values are valid, so a service must accept them.
func TestStated(t *testing.T) {
	for _, row := range []struct{ about, schema, kind, want string }{
		{"a length", `{type: string, minLength: 3}`, "minLength", "at, inside"},
		{"a length in a format that is judged", `{type: string, format: email, maxLength: 40}`, "maxLength", "at, inside"},
		{"a length in one that limits nothing", `{type: string, format: password, minLength: 3}`, "minLength", "at, inside"},
		{"no length in one that nothing judges", `{type: string, format: phone, minLength: 3}`, "minLength", ""},
		{"nor in one of numbers", `{type: string, format: int64, minLength: 3}`, "minLength", ""},
		{"nor in an encoding", `{type: string, contentEncoding: base64, minLength: 3}`, "minLength", ""},
		{"nor in a text that holds another", `{type: string, contentMediaType: application/json, minLength: 3}`, "minLength", ""},
		{"no longest text of a pattern in such a format", `{type: string, format: phone, pattern: '^[0-9]{3,9}$'}`, "pattern", ""},
		{"but a list of them", `{type: string, format: phone, enum: ['110', '112']}`, "enum", "112"},
		{"no list of such texts", `{type: array, minItems: 2, items: {type: string, format: phone}}`, "minItems", ""},
		{"but one of its examples", `{type: object, properties: {phones: {type: array, items: {type: string, format: phone, example: '110'}}}}`, "items", "empty, one, three"},
		{"no other branch of such a text", `{oneOf: [{type: integer}, {type: object, properties: {a: {type: string, format: phone}}}]}`, "branch", ""},
		{"another branch of an example", `{oneOf: [{type: integer}, {type: object, properties: {a: {type: string, format: phone, example: '110'}}}]}`, "branch", "2"},
		{"null", `{type: [string, 'null'], format: phone}`, "null", ""},
	} {
		var stated []string
		for c := range generate.Valid(schemaOf(t, "3.1.0", row.schema), schema.Request) {
			if c.Kind == row.kind && c.Stated() {
				stated = append(stated, c.Variant)
			}
		}
		if got := strings.Join(stated, ", "); got != row.want {
			t.Errorf("%s: of %s, %s %s is stated, want %s", row.about, row.schema, row.kind, got, row.want)
		}
	}
}

// TestInvalidCases: which invalid values a schema gives.
func TestInvalidCases(t *testing.T) {
	const branches = `{type: object, required: [r, c], properties: {r: {enum: [sale, return]}, c: {type: integer, minimum: -1000, maximum: 1000, not: {const: 0}}}, if: {properties: {r: {const: sale}}}, then: {properties: {c: {maximum: -1}}}, else: {properties: {c: {minimum: 1}}}}`
	for _, row := range []struct{ about, schema, kind, want string }{
		{"left out", `{type: object, required: [a, b]}`, "required", `/a: gone | /b: gone`},
		{"left out further down", `{type: array, items: {type: object, required: [a]}}`, "required", `/1/a: gone`},
		{"of what does not go with the others", `{type: object, properties: {a: {type: integer}, b: {type: integer}}, not: {required: [a, b]}}`, "null", `null | /a: null | /b in-with-b: null`},
		{"not what another branch does without", `{anyOf: [{required: [a]}, {required: [b]}], type: object, properties: {a: {type: integer}}}`, "required", `/a: gone`},
		{"texts", `{type: string}`, "type", `number: 7 | boolean: true | in-list: ["conformance text"] | object: {}`},
		{"a text of digits", `{type: string, pattern: '^[1-9]{3}$'}`, "type", `number: 111 | boolean: true | in-list: ["111"] | object: {}`},
		{"numbers", `{type: integer}`, "type", `string: "1" | fraction: 1.5 | boolean: true | word: "conformance" | in-list: [1] | object: {}`},
		{"a fraction within the bounds", `{type: integer, format: int32, maximum: 100, default: 100}`, "type", `string: "100" | fraction: 99.5 | boolean: true | word: "conformance" | in-list: [100] | object: {}`},
		{"numbers with a fraction", `{type: number}`, "type", `string: "1" | boolean: true | word: "conformance" | in-list: [1] | object: {}`},
		{"booleans", `{type: boolean}`, "type", `string: "false" | number: 1 | word: "conformance" | in-list: [false] | object: {}`},
		{"lists", `{type: array, items: true}`, "type", `item: "conformance text" | object: {} | string: "conformance" | number: 7 | boolean: true`},
		{"objects", `{type: object, maxProperties: 0}`, "type", `string: "conformance" | in-list: [{}] | array: [] | number: 7 | boolean: true`},
		{"not a type that another branch takes", `{anyOf: [{type: integer}, {type: string}, {type: boolean}]}`, "type", `fraction: 1.5 | in-list-in-2: ["1"] | in-list-in-3: [false] | in-list: [1] | object-in-2: {} | object-in-3: {} | object: {}`},
		{"null", `{type: object, properties: {a: {type: integer}, b: {type: [integer, 'null']}}}`, "null", `null | /a: null`},
		{"not in an enum", `{enum: [a, b]}`, "enum", `other: "conformance text" | other-case: "A"`},
		{"not in an enum of numbers", `{enum: [1, 2]}`, "enum", `other: 0`},
		{"not the constant null", `{const: null}`, "const", `other: "conformance text"`},
		{"not the constant", `{const: true}`, "const", `other: false`},
		{"below", `{type: integer, minimum: 3}`, "minimum", `outside: 2`},
		{"below, with a fraction", `{type: number, minimum: 0.5}`, "minimum", `outside: 0.49`},
		{"below, in steps", `{type: integer, minimum: 8, multipleOf: 7}`, "minimum", `outside: 7`},
		{"above, and also if it is rounded", `{type: integer, maximum: 9007199254740992}`, "maximum", `beyond: 9007199254740994 | outside: 9007199254740993`},
		{"at an open bound", `{type: number, exclusiveMinimum: 0}`, "exclusiveMinimum", `at: 0`},
		{"at an open upper bound", `{type: integer, exclusiveMaximum: 10}`, "exclusiveMaximum", `at: 10`},
		{"int32", `{type: integer, format: int32}`, "int32", `below: -2147483649 | above: 2147483648`},
		{"int64", `{type: integer, format: int64}`, "int64", `below-beyond: -9223372036854777856 | below: -9223372036854775809 | above: 9223372036854775808`},
		{"int64, of which a minimum leaves one end", `{type: integer, format: int64, minimum: 1}`, "int64", `above: 9223372036854775808`},
		{"below, in a branch", branches, "minimum", `/c outside: -1001 | /c outside-in-else: -1`},
		{"above, in a branch", branches, "maximum", `/c outside: 1 | /c outside-in-else: 1001`},
		{"below, in alternatives", `{type: object, properties: {n: {type: integer, minimum: 1}}, oneOf: [{required: [k], properties: {k: {const: a}, n: {minimum: 5}}}, {required: [k], properties: {k: {const: b}}}]}`, "minimum", `/n outside: 4 | /n outside-in-2: 0`},
		{"not below what another alternative takes", `{type: integer, minimum: 1, anyOf: [{minimum: 5}, {minimum: 3}]}`, "minimum", `outside-in-2: 2`},
		{"a value that another branch alone lists", `{type: object, required: [k], properties: {k: {enum: [a, b]}, n: {enum: [1, 2, 3]}}, if: {properties: {k: {const: a}}}, then: {properties: {n: {enum: [1, 2]}}}, else: {properties: {n: {enum: [3]}}}}`, "enum", `/k other: "conformance k" | /n other: 0 | /k other-in-else: "conformance k" | /n other-in-else: 0 | /n narrowed-2: 3 | /n narrowed-2-in-else: 1 | /k other-case: "A" | /k other-case-in-else: "B"`},
		{"a value that an alternative does not list", `{type: object, required: [k], properties: {k: {enum: [a, b]}, n: {enum: [1, 2, 3]}}, oneOf: [{required: [n], properties: {k: {const: a}, n: {enum: [1, 2]}}}, {properties: {k: {const: b}}}]}`, "enum", `/k other: "conformance k" | /n other: 0 | /k other-in-2: "conformance k" | /n other-in-2: 0 | /n narrowed-2: 3 | /k other-case: "A" | /k other-case-in-2: "B"`},
		{"the kind is not what a branch narrows", `{type: object, required: [k], properties: {k: {enum: [a, b]}, n: {enum: [1, 2, 3]}}, oneOf: [{required: [n], properties: {k: {const: a}, n: {enum: [1, 2]}}}, {properties: {k: {const: b}}}]}`, "const", ``},
		{"the constant of a branch", `{type: object, required: [k], properties: {k: {enum: [a, b]}, n: {enum: [1, 2, 3]}}, anyOf: [{properties: {k: {const: a}, n: {const: 2}}}, {properties: {k: {const: b}}}]}`, "const", `/n other: 1`},
		{"the pattern of a branch", `{type: object, required: [k], properties: {k: {type: boolean}, n: {type: string, pattern: '^[A-Z]{2}[0-9]{2,4}$'}}, if: {properties: {k: {const: true}}}, then: {properties: {n: {pattern: '^DE'}}}, else: {properties: {n: {pattern: '^.{4}$'}}}}`, "pattern", `/n narrowed-1: "DE" | /n narrowed-1-in-else: "aaaa" | /n other: "!!!!" | /n other-in-else: "!!!!" | /n narrowed-2: "AA11" | /n narrowed-2-in-else: "AA111" | /n after: "DE11!" | /n after-in-else: "AA11!" | /n before: "!DE11" | /n before-in-else: "!AA11" | /n newline: "DE11\n" | /n newline-in-else: "AA11\n" | /n empty: "" | /n empty-in-else: "" | /n other-case: "de11" | /n other-case-in-else: "aa11" | /n shorter: "DE1" | /n shorter-in-else: "AA1" | /n longer: "DDE11" | /n longer-in-else: "AAA11" | /n too-long: "AA11111" | /n too-long-in-else: "AA11111"`},
		{"the pattern of a branch in a list of values", `{type: object, required: [k], properties: {k: {type: boolean}, n: {enum: [DE1, FR2]}}, if: {properties: {k: {const: true}}}, then: {properties: {n: {pattern: '^DE'}}}}`, "pattern", `/n narrowed-2: "FR2" | /n other: "!"`},
		{"no multiple", `{type: integer, multipleOf: 5}`, "multipleOf", `6`},
		{"no multiple of a fraction", `{type: number, multipleOf: 0.01}`, "multipleOf", `1.005`},
		{"too short", `{type: string, minLength: 3}`, "minLength", `"co" | beyond-ascii: "éé"`},
		{"too long, of the pattern", `{type: string, pattern: '^[a-z]+$', maxLength: 4}`, "maxLength", `"confo"`},
		{"too short, in base64", `{type: string, format: byte, minLength: 24, maxLength: 24}`, "minLength", `"YWFhY29uZm9ybWFuY2U="`},
		{"too long, in base64", `{type: string, format: byte, maxLength: 22}`, "maxLength", `"YWFhYWFhY29uZm9ybWFuY2U="`},
		{"too short, of encoded content", `{type: string, contentEncoding: base64, minLength: 6}`, "minLength", `"Y2U="`},
		{"too short, for any base64", `{type: string, format: byte, minLength: 4}`, "minLength", `""`},
		{"not of the pattern", `{type: string, pattern: '^[a-z]{3}$'}`, "pattern", `other: "!!!" | after: "aaa!" | before: "!aaa" | newline: "aaa\n" | empty: "" | other-case: "AAA" | shorter: "aa" | longer: "aaaa"`},
		{"longer than a pattern allows", `{type: string, pattern: '^[a-z]{2,6}$'}`, "pattern", `other: "!!!!" | after: "text!" | before: "!text" | newline: "text\n" | empty: "" | other-case: "TEXT" | too-long: "aaaaaaa"`},
		{"what a pattern rules out at its beginning", `{type: string, pattern: '^(?!admin)[a-z]{3,12}$'}`, "pattern", `other: "!!!!!!!!!!!" | after: "conformance!" | before: "!conformance" | newline: "conformance\n" | empty: "" | other-case: "CONFORMANCE" | asserted-1: "admin" | too-long: "aaaaaaaaaaaaa"`},
		{"what a pattern rules out at its end", `{type: string, pattern: '^[a-z-]{3,12}(?<!-)$'}`, "pattern", `other: "!!!!!!!!!!!" | after: "conformance!" | before: "!conformance" | newline: "conformance\n" | empty: "" | other-case: "CONFORMANCE" | asserted-1: "conformanc-" | too-long: "aaaaaaaaaaaaa"`},
		{"a password without one thing", `{type: string, pattern: '^(?=.*[A-Z])(?=.*[0-9]).{8,16}$'}`, "pattern", `other: "!!!!!!!!!!!!!!!" | before: "!a1!conformance" | newline: "Aa1!conformance\n" | empty: "" | shorter: "a1!conformance" | asserted-1: "aa1!conformance" | asserted-2: "Aaa!conformance" | too-long: "aaaaaaaaaaaaaaaaa"`},
		{"not of a pattern that is not anchored", `{type: string, pattern: 'x'}`, "pattern", `other: "!!!!!!!!!!!!!!!!" | empty: "" | other-case: "CONFORMANCE TEXT"`},
		{"not of the format", `{type: string, format: ipv4}`, "format", `192-0-2-256-834d8184: "192.0.2.256"`},
		{"a format that nobody asserts", `{type: string, format: phone}`, "format", ``},
		{"a closed object", `{type: object, properties: {a: {type: integer}}, additionalProperties: false}`, "additionalProperties", `/conformanceUndeclared: "conformance"`},
		{"a closed object that is full", `{type: object, maxProperties: 1, properties: {a: {type: integer}}, additionalProperties: false}`, "additionalProperties", `{"conformanceUndeclared":"conformance"}`},
		{"none of what a full object requires", `{type: object, maxProperties: 1, required: [a], properties: {a: {type: integer}}, additionalProperties: false}`, "additionalProperties", ``},
		{"a property that must not be there", `{type: object, properties: {a: {type: integer}, b: false}}`, "properties", `/b: "conformance"`},
		{"an object closed over allOf", `{allOf: [{type: object, properties: {a: {type: integer}}}], unevaluatedProperties: false}`, "unevaluatedProperties", `/conformanceUndeclared: "conformance"`},
		{"a closed list", `{type: array, prefixItems: [{type: integer}, {type: boolean}], items: false}`, "items", `[1,true,"conformance"]`},
		{"a list closed over allOf", `{allOf: [{type: array, prefixItems: [{type: integer}]}], unevaluatedItems: false}`, "items", `[1,"conformance"]`},
		{"of a pattern of names", `{type: object, patternProperties: {^n: {type: integer, minimum: 3}}, additionalProperties: {type: string}}`, "minimum", `/n outside: 2`},
		{"too few items", `{type: array, minItems: 2, items: {type: integer}}`, "minItems", `[1]`},
		{"too many items, all unique", `{type: array, maxItems: 2, uniqueItems: true, items: {type: integer}}`, "maxItems", `[1,2,3]`},
		{"an item twice", `{type: array, uniqueItems: true, items: {type: integer}}`, "uniqueItems", `[1,2,1]`},
		{"too many items, of which the schema leaves the last open", `{type: array, prefixItems: [{type: string}], unevaluatedItems: {type: boolean}, maxItems: 2}`, "maxItems", `["conformance text",true,false]`},
		{"an item twice in a full list", `{type: array, uniqueItems: true, minItems: 2, maxItems: 2, items: {type: integer}}`, "uniqueItems", `[1,1]`},
		{"no such item", `{type: array, contains: {const: x}}`, "contains", `["conformance text","conformance text 2"]`},
		{"too few such items", `{type: array, contains: {const: x}, minContains: 2, items: {type: string}}`, "minContains", `["x","conformance text 2"]`},
		{"too many such items", `{type: array, contains: {const: x}, maxContains: 2, items: {type: string}}`, "maxContains", `["x","x","x","conformance text 4"]`},
		{"too many such items, all unique", `{type: array, contains: {type: integer}, minContains: 0, maxContains: 1, uniqueItems: true}`, "maxContains", `[1,2,"conformance text 2"]`},
		{"as many such items as one likes", `{type: array, contains: {const: x}, minContains: 0}`, "contains", ``},
		{"too few properties", `{type: object, minProperties: 2, properties: {a: {type: integer}, b: {type: integer}}}`, "minProperties", `{"a":1}`},
		{"too many properties", `{type: object, maxProperties: 1, properties: {a: {type: integer}, b: {type: integer}}}`, "maxProperties", `{"a":1,"b":1}`},
		{"what another property asks for", `{type: object, properties: {a: {type: integer}, b: {type: integer}}, dependentRequired: {a: [b]}}`, "dependentRequired", `/b a: gone`},
		{"a name that is not allowed", `{type: object, propertyNames: {pattern: '^[0-9]+$'}, additionalProperties: {type: integer}}`, "propertyNames", `/conformanceUndeclared: 1`},
		{"a name that is not allowed for one reason alone", `{type: object, propertyNames: {pattern: '^[a-z]+$', maxLength: 5}, additionalProperties: {type: integer}, minProperties: 1}`, "propertyNames", `/conformanceUndeclared: 1 | /!: 1 | /confoa: 1`},
		{"two branches at once", `{type: object, oneOf: [{required: [a], properties: {a: {type: integer}}}, {required: [b], properties: {b: {type: integer}}}]}`, "oneOf", `/b 2: 1 | /a 1-in-2: 1`},
		{"a property of another branch, which a closed object has not", `{type: object, unevaluatedProperties: false, anyOf: [{required: [a], properties: {a: {type: integer}}}, {required: [b, c], properties: {b: {type: integer}, c: {type: integer}}}]}`, "anyOf", `none-in-2: {} | /b 2: 1 | /c 2: 1`},
		{"none of several that there must be one of", `{type: object, properties: {k: {type: integer}, a: {type: integer}, b: {type: integer}}, anyOf: [{required: [k, a]}, {required: [k, b]}]}`, "anyOf", `none: {"k":1} | none-in-2: {"k":1}`},
		{"a property that another branch alone may have", `{type: object, required: [k], oneOf: [{properties: {k: {const: a}, b: false}}, {properties: {k: {const: c}, b: {type: integer}}}]}`, "oneOf", `/b 2: 1`},
		{"what must not be", `{type: string, not: {pattern: '^con'}}`, "not", `"conformance text"`},
	} {
		all := told(generate.Invalid(schemaOf(t, "3.1.0", row.schema), schema.Request), row.kind)
		if row.kind == "format" {
			all = all[:min(len(all), 1)]
		}
		if got := strings.Join(all, " | "); got != row.want {
			t.Errorf("%s: %s of %s\n got %s\nwant %s", row.about, row.kind, row.schema, got, row.want)
		}
	}
}

// TestSaid: the texts of cases for a person, and the mark of numbers that doubles round into the
// range.
func TestSaid(t *testing.T) {
	s := schemaOf(t, "3.0.3", `{type: object, required: [pages], properties: {pages: {type: integer, minimum: 1, exclusiveMinimum: true}, id: {type: integer, format: int64}, tags: {type: array, items: {type: string, maxLength: 1}}}}`)
	var said []string
	for c := range generate.Invalid(s, schema.Request) {
		if slices.Contains([]string{"required", "exclusiveMinimum", "int64", "maxLength"}, c.Kind) {
			said = append(said, fmt.Sprintf("%s (%v)", c.Says, c.Rounds))
		}
	}
	want := []string{
		"pages is missing (false)",
		"id is -9223372036854777856, out of the range of an int64 (false)",
		"pages is 1, not more than 1 (false)",
		"tags[1] has 2 characters, and maxLength is 1 (false)",
		"id is -9223372036854775809, out of the range of an int64 (true)",
		"tags[1] has 2 characters of two bytes each, and maxLength is 1 (false)",
		"id is 9223372036854775808, out of the range of an int64 (false)",
	}
	if !slices.Equal(said, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}

// TestBranchesSaid: the texts of branches for a person.
func TestBranchesSaid(t *testing.T) {
	s := schemaOf(t, "3.1.0", `
      properties: {pet: {oneOf: [{type: string}, {$ref: '#/components/schemas/Dog'}, {type: integer}]}, n: {if: {minimum: 3}, then: {multipleOf: 2}, type: integer}}
    Dog: {type: object, required: [bark]}`)
	var said []string
	for c := range generate.Valid(s, schema.Request) {
		if c.Kind == "branch" {
			said = append(said, c.Says)
		}
	}
	want := []string{"n does not meet the condition of if", "pet is alternative 2 of 3, Dog", "pet is alternative 3 of 3"}
	if !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

// TestOrderOfMembers: the order of members in the document has no effect.
func TestOrderOfMembers(t *testing.T) {
	told := func(text string) (all []string) {
		s := schemaOf(t, "3.1.0", text)
		for _, cases := range []iter.Seq[generate.Case]{generate.Valid(s, schema.Request), generate.Invalid(s, schema.Request)} {
			for c := range cases {
				all = append(all, fmt.Sprint(c.Kind, c.Path, c.Variant, c.Says, instance.Compact(c.Value)))
			}
		}
		return all
	}
	one := told(`{type: object, required: [b, a], properties: {b: {type: integer, minimum: 1}, a: {type: string}, c: {type: object, patternProperties: {'^x': {type: integer}, '^y': {type: string}}}}, dependentRequired: {c: [b], b: [a]}}`)
	two := told(`{dependentRequired: {b: [a], c: [b]}, properties: {c: {patternProperties: {'^y': {type: string}, '^x': {type: integer}}, type: object}, a: {type: string}, b: {minimum: 1, type: integer}}, required: [a, b], type: object}`)
	if !slices.Equal(one, two) {
		t.Errorf("%s\n\n%s", strings.Join(one, "\n"), strings.Join(two, "\n"))
	}
}

// TestPairwise: for any two optional properties, all four combinations occur.
func TestPairwise(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
	s := schemaOf(t, "3.1.0", `{type: object, properties: {`+strings.Join(names, ": {type: integer}, ")+`: {type: integer}}}`)
	seen, cases := map[string]bool{}, 0
	for c := range generate.Valid(s, schema.Request) {
		if c.Kind != "pairwise" && c.Kind != "full" && c.Kind != "minimal" {
			continue
		}
		cases++
		object := c.Value.(map[string]any)
		for _, x := range names {
			for _, y := range names {
				_, withX := object[x]
				_, withY := object[y]
				seen[fmt.Sprint(x, withX, y, withY)] = x != y
			}
		}
	}
	for _, x := range names {
		for _, y := range names {
			for _, with := range [][]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
				if combination := fmt.Sprint(x, with[0], y, with[1]); x != y && !seen[combination] {
					t.Errorf("%s does not occur", combination)
				}
			}
		}
	}
	if cases > 9 {
		t.Errorf("%d cases for %d properties", cases, len(names))
	}
}

// TestDeep: the parts for which a full value has no room are tested, too.
func TestDeep(t *testing.T) {
	const wide, deep = 12, 4
	text := "{type: string}"
	for range deep {
		var properties []string
		for i := range wide {
			properties = append(properties, fmt.Sprintf("p%d: {type: integer}", i))
		}
		text = fmt.Sprintf("{type: object, properties: {%s, in: {type: array, items: %s}}}", strings.Join(properties, ", "), text)
	}
	tested := map[string]bool{}
	for c := range generate.Invalid(schemaOf(t, "3.0.3", text), schema.Request) {
		if n := len(c.Path); n > 0 {
			tested[fmt.Sprint(c.Path[n-1], " in ", n/2)] = true // each list takes two steps: in, and an index
		}
	}
	for lists := range deep {
		for i := range wide {
			if place := fmt.Sprintf("p%d in %d", i, lists); !tested[place] {
				t.Errorf("no case is about %s lists", place)
			}
		}
	}
}

// TestLongAddresses: an address of maximum length keeps its host, or has a host name whose labels
// are within their limits. So only its length is unusual.
func TestLongAddresses(t *testing.T) {
	for _, form := range []string{"format: uri", "format: uri, pattern: '^https://'", "format: url", "format: email", "format: hostname", "pattern: '^https?://'", `pattern: '^\S+@\S+$'`} {
		for most := 40; most <= 250; most++ {
			found := false
			for c := range generate.Valid(schemaOf(t, "3.1.0", fmt.Sprintf("{type: string, maxLength: %d, %s}", most, form)), schema.Request) {
				text, _ := c.Value.(string)
				if c.Kind != "maxLength" || c.Variant != "at" {
					continue
				}
				_, host, isEmail := strings.Cut(text, "@")
				if !isEmail {
					host = strings.TrimPrefix(text, "https://")
					host, _, _ = strings.Cut(host, "/")
				}
				long := slices.ContainsFunc(strings.Split(host, "."), func(label string) bool { return label == "" || len(label) > 63 })
				if len(text) != most || long || !strings.HasSuffix(host, "example.com") {
					t.Errorf("%s, %d characters: %s has %d", form, most, text, len(text))
				}
				found = true
			}
			if !found {
				t.Errorf("%s: there is none of %d characters", form, most)
			}
		}
	}
}
