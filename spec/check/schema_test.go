package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// pair is a schema with a body that meets it and one that does not.
type pair struct {
	name, schema   string
	accept, reject string
	want           check.Breach
}

func assertPairs(t *testing.T, version string, pairs []pair) {
	t.Helper()
	for _, row := range pairs {
		t.Run(row.name, func(t *testing.T) {
			op := answering(t, version, row.schema)
			assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, row.accept)).Breaches)
			assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, row.reject)).Breaches, row.want)
		})
	}
}

// whole returns a breach of a body that is wrong as a whole.
func whole(message, expected, actual string) check.Breach {
	return breach("x/200/body", "", message, expected, actual, 0)
}

// at returns a breach somewhere inside the body.
func at(clause, pointer, message, expected, actual string, offset int64) check.Breach {
	return breach(spec.ClauseID("x/200/body"+clause), pointer, message, expected, actual, offset)
}

// TestSchemas checks the keywords that OpenAPI 3.0 and 3.1 share.
func TestSchemas(t *testing.T) {
	for _, version := range []string{"3.0.3", "3.1.0"} {
		t.Run(version, func(t *testing.T) {
			assertPairs(t, version, numbers())
			assertPairs(t, version, formats())
			assertPairs(t, version, structures())
			assertPairs(t, version, alternatives())
		})
	}
}

func numbers() []pair {
	const int64Range = "an int64, from -9223372036854775808 to 9223372036854775807"
	return []pair{
		{"the largest int64", "{type: integer, format: int64}", "9223372036854775807", "9223372036854775808",
			whole("is out of range", int64Range, "9223372036854775808")},
		{"what float64 takes for the largest int64", "{type: integer, format: int64}", "9223372036854774784", "9223372036854776832",
			whole("is out of range", int64Range, "9223372036854776832")},
		{"the smallest int64", "{type: integer, format: int64}", "-9223372036854775808", "-9223372036854775809",
			whole("is out of range", int64Range, "-9223372036854775809")},
		{"an int64 with an exponent", "{type: integer, format: int64}", "1e18", "1e19", whole("is out of range", int64Range, "1e19")},
		{"an integer without a width", "{type: integer}", "1e1000001", "0.1", whole("has the wrong type", "an integer", "0.1")},
		{"a number of any size", "{type: number}", "1e400", `"1e400"`, whole("has the wrong type", "a number", `"1e400"`)},
		{"a number tiny and negative", "{type: number, minimum: 0}", "-0", "-1e-400", whole("is too small", "at least 0", "-1e-400")},
		{"a bound at 2^53", "{type: integer, maximum: 9007199254740992}", "9007199254740992", "9007199254740993",
			whole("is too large", "at most 9007199254740992", "9007199254740993")},
		{"a bound at -2^53", "{type: integer, minimum: -9007199254740992}", "-9007199254740992", "-9007199254740993",
			whole("is too small", "at least -9007199254740992", "-9007199254740993")},
		{"a bound at 2^63", "{type: integer, minimum: 9223372036854775808}", "9223372036854775808", "9223372036854775807",
			whole("is too small", "at least 9223372036854775808", "9223372036854775807")},
		{"an exponent and a bound", "{type: number, maximum: 1e300}", "1e300", "1e1000001", whole("is too large", "at most 1"+strings.Repeat("0", 300), "1e1000001")},
		{"a fraction as bound", "{type: number, minimum: 0.1}", "0.10", "0.09999999999999999999999", whole("is too small", "at least 0.1", "0.09999999999999999999999")},
		{"an enum near 2^53", "{type: integer, enum: [9007199254740993]}", "9007199254740993.0", "9007199254740992",
			whole("is not one of the allowed values", "9007199254740993", "9007199254740992")},
		{"an enum of many values", "{enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}", "14", "15", whole("is not one of the allowed values", "one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 or 2 more", "15")},
		{"an enum of as many values as are told", "{enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}", "12", "13", whole("is not one of the allowed values", "one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", "13")},
		{"an enum compares numbers by value", "{enum: [1, two]}", "1.0", `"1"`, whole("is not one of the allowed values", `one of 1, "two"`, `"1"`)},
		{"a multiple that a float64 misses", "{type: number, multipleOf: 0.1}", "0.3", "0.35", whole("is not a multiple of 0.1", "a multiple of 0.1", "0.35")},
	}
}

func formats() []pair {
	format := func(name, accept, reject string) pair {
		return pair{name, "{type: string, format: " + name + "}", accept, reject, whole("has the wrong format", "a string ("+name+")", reject)}
	}
	unlimited := func(name, accept string) pair {
		return pair{name + " limits nothing", "{type: string, format: " + name + "}", accept, "1", whole("has the wrong type", "a string", "1")}
	}
	return []pair{
		format("date", `"2024-02-29"`, `"2023-02-29"`),
		format("date-time", `"2024-03-01T10:20:30.5+02:00"`, `"2024-02-30T10:20:30Z"`),
		format("date-time", `"1990-12-31T23:59:60Z"`, `"2024-03-01 10:20:30Z"`),
		format("uuid", `"0B1F4E2C-3d5a-4c8e-9f00-112233445566"`, `"0B1F4E2C3d5a4c8e9f00112233445566"`),
		format("email", `"a.b+c@example.org"`, `"a.b"`),
		format("uri", `"urn:x:1"`, `"/things/1"`),
		format("uri-reference", `"/things/1"`, `"\\things"`),
		format("hostname", `"a.example"`, `"a_b.example"`),
		format("ipv4", `"10.0.0.1"`, `"10.0.0.256"`),
		format("ipv6", `"::1"`, `"10.0.0.1"`),
		{"byte", "{type: string, format: byte}", `"YQ=="`, `"YQ"`, whole("has the wrong format", "a string (byte: base64 with padding)", `"YQ"`)},
		unlimited("duration", `"PT1.5S"`),
		unlimited("time", `"10:20"`),
		unlimited("semver", `"x"`),
		unlimited("regex", `"("`),
		unlimited("of-their-own", `"x"`),
		{"a format of strings on a number", "{type: integer, format: uuid}", "1", `"x"`, whole("has the wrong type", "an integer", `"x"`)},
	}
}

func structures() []pair {
	const object = "{type: object, properties: {a: {type: string}, b: {type: integer}}"
	trees := func(levels int) string {
		return strings.Repeat(`{"name":"","below":[`, levels) + strings.Repeat("]}", levels)
	}
	return []pair{
		{"a free-form object", "{type: object}", `{"any":{"thing":1}}`, "1", whole("has the wrong type", "an object", "1")},
		{"a schema that limits nothing", "{}", "null", "nul", breach("x/200/body", "", "is cut off", "one JSON value in UTF-8", "nul", 3)},
		{"properties limit objects only", "{properties: {a: {type: string}}}", `[]`, `{"a":1}`, at("/a", "/a", "has the wrong type", "a string", "1", 5)},
		{"an undeclared property", object + "}", `{"a":""}`, `{"a":"","c":1}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "only a, b", "1", 12)},
		{"all properties are ruled out", "{type: object, additionalProperties: false}", `{}`, `{"c":1}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "no property", "1", 5)},
		{"a property that is ruled out", object + ", additionalProperties: false}", `{"a":""}`, `{"a":"","c":1}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "only a, b", "1", 12)},
		{"room for further properties", object + ", additionalProperties: true}", `{"c":1}`, `{"c":1,"b":""}`,
			at("/b", "/b", "has the wrong type", "an integer", `""`, 11)},
		{"further properties of one kind", object + ", additionalProperties: {type: boolean}}", `{"c":true}`, `{"c":1}`,
			at("", "/c", "has the wrong type", "a boolean", "1", 5)},
		{"the values of a map", "{type: object, additionalProperties: {type: object, required: [n], properties: {n: {type: integer}}}}", `{"k/1":{"n":1}}`, `{"k/1":{"n":""}}`,
			at("/*/n", "/k~11/n", "has the wrong type", "an integer", `""`, 12)},
		{"an undeclared property of a map's value", "{type: object, additionalProperties: " + object + "}}", `{"k":{"a":""}}`, `{"k":{"c":""}}`,
			at("/*/undeclared", "/k/c", "is a property that the contract does not declare", "only a, b", `""`, 10)},
		{"the items of a list", "{type: array, items: " + object + "}}", `[{},{"b":1}]`, `[{},{"b":1.5}]`,
			at("/*/b", "/1/b", "has the wrong type", "an integer", "1.5", 9)},
		{"an item of another type than object", "{type: array, items: " + object + "}}", `[]`, `[{},null]`, at("", "/1", "has the wrong type", "an object", "null", 4)},
		{"a missing property deep inside", "{type: object, properties: {in: {type: object, required: [x], properties: {x: {type: string}}}}}", `{"in":{"x":""}}`, `{ "in":{}}`,
			at("/in/x", "/in/x", "is missing", "the property x, a string", "no such property", 7)},
		{"a required property that is not described", "{type: object, required: [a]}", `{"a":null}`, `{}`,
			at("/a", "/a", "is missing", "the property a", "no such property", 0)},
		{"allOf adds up", "{allOf: [" + object + "}, {required: [b]}, {properties: {c: {type: string}}}]}", `{"b":1,"c":""}`, `{"c":""}`,
			at("/b", "/b", "is missing", "the property b, an integer", "no such property", 0)},
		{"allOf declares what any of its members does", "{allOf: [" + object + "}, {properties: {c: {type: string}}}]}", `{"a":"","c":""}`, `{"d":1}`,
			at("/undeclared", "/d", "is a property that the contract does not declare", "only a, b, c", "1", 5)},
		{"allOf narrows a property", "{allOf: [{type: object, properties: {n: {type: number}, f: {type: string}}}, {properties: {n: {type: integer, format: int32}, f: {format: uuid}}, required: [n]}]}", `{"n":1}`, `{}`,
			at("/n", "/n", "is missing", "the property n, an int32", "no such property", 0)},
		{"allOf narrows lists", "{allOf: [{type: array, items: {type: object, properties: {a: {type: string}}}}, {type: array, items: {required: [a]}}]}", `[{"a":""}]`, `[{}]`,
			at("/*/a", "/0/a", "is missing", "the property a, a string", "no such property", 1)},
		{"allOf tells a shared fault once", "{allOf: [{type: string}, {type: string}]}", `""`, "1", whole("has the wrong type", "a string", "1")},
		{"not", "{not: {type: string}}", "1", `""`, whole("meets a schema that it must not meet", "a value that does not meet it", `""`)},
		{"lengths in characters", "{type: string, minLength: 2, maxLength: 2}", `"🌱🌱"`, `"\ud83c\udf31"`, whole("is too short", "at least 2 characters", `"\ud83c\udf31"`)},
		{"a length of one", "{type: string, maxLength: 1}", `"é"`, `"ab"`, whole("is too long", "at most 1 character", `"ab"`)},
		{"a pattern", `{type: string, pattern: '^\u0041+$'}`, `"AA"`, `"B"`, whole("does not match the pattern", `a string that matches ^\u0041+$`, `"B"`)},
		{"a pattern in another script", `{type: string, pattern: '^\u690d$'}`, `"植"`, `"B"`, whole("does not match the pattern", `a string that matches ^\u690d$`, `"B"`)},
		{"few items", "{type: array, items: {}, minItems: 1}", "[1]", "[]", whole("has too few items", "at least 1 item", "[]")},
		{"many items", "{type: array, items: {}, maxItems: 1}", "[1]", "[1,2]", whole("has too many items", "at most 1 item", "[1,2]")},
		{"equal items", "{type: array, items: {}, uniqueItems: true}", "[1,2]", "[1,2,1.0]", whole("has equal items at 0 and 2", "items that differ", "[1,2,1.0]")},
		{"few properties", "{type: object, minProperties: 1}", `{"a":1}`, "{}", whole("has too few properties", "at least 1 property", "{}")},
		{"many properties", "{type: object, maxProperties: 1}", `{"a":1}`, `{"a":1,"b":2}`, whole("has too many properties", "at most 1 property", `{"a":1,"b":2}`)},
		{"an empty key, and one with a slash", "{type: object, properties: {'': {type: string}, a/b: {type: string}}}", `{"":"","a/b":""}`, `{"":"","a/b":1}`,
			at("/a~1b", "/a~1b", "has the wrong type", "a string", "1", 13)},
		{"an escaped key", "{type: object, properties: {a: {type: string}}}", `{"\u0061":""}`, `{"\u0061":1}`,
			at("/a", "/a", "has the wrong type", "a string", "1", 10)},
		{"a recursive schema", "{$ref: '#/components/schemas/Tree'}", trees(500), `{"name":"","below":[{"below":[]}]}`,
			at("/below", "/below/0/name", "is missing", "the property name", "no such property", 20)},
		{"a recursive schema that is extended", "{type: object, properties: {a: {type: string}, in: {allOf: [{$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema'}, {properties: {b: {type: string}}}]}}}",
			`{"in":{"a":"","b":""}}`, `{"in":{"a":1}}`, at("/in", "/in/a", "has the wrong type", "a string", "1", 11)},
	}
}

func alternatives() []pair {
	const pet = "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}"
	return []pair{
		{"one alternative is meant by its type", "{anyOf: [{type: object, properties: {n: {type: integer}}}, {type: string}]}", `""`, `{"n":""}`,
			at("/n", "/n", "has the wrong type", "an integer", `""`, 5)},
		{"one alternative is meant by its mark", pet, `{"kind":"cat","lives":9}`, `{"kind":"dog","lives":9}`,
			at("/tricks", "/tricks", "is missing", "the property tricks, an integer", "no such property", 0)},
		{"one alternative is meant by its mark, whatever type the rest is of", pet, `{"kind":"cat","lives":9}`, `{"kind":"cat","lives":"9"}`,
			at("/lives", "/lives", "has the wrong type", "an integer", `"9"`, 22)},
		{"a mark lies no deeper than that", "{oneOf: [{type: object, required: [k], properties: {k: {type: string, enum: [a]}, in: {type: object, properties: {e: {type: integer, enum: [1]}}}}}, {type: object, required: [k], properties: {k: {type: string, enum: [b]}}}]}", `{"k":"b"}`, `{"k":"a","in":{"e":2}}`,
			at("/in/e", "/in/e", "is not one of the allowed values", "1", "2", 19)},
		{"alternatives within one that is not meant", "{anyOf: [{anyOf: [{type: string}, {type: boolean}]}, {type: object, properties: {n: {type: integer}}}]}", "true", `{"n":""}`,
			at("/n", "/n", "has the wrong type", "an integer", `""`, 5)},
		{"what is wrong inside of no alternative", "{anyOf: [{allOf: [{enum: [{a: 1}]}, {minProperties: 2}, {properties: {a: {type: boolean}}}]}, {type: string}]}", `""`, `{"a":2}`,
			whole("matches none of the alternatives", `{"a":1} or a string`, `{"a":2}`)},
		{"no alternative has the type", pet, `{"kind":"dog","tricks":1}`, `7`, whole("matches none of the alternatives", "an object", "7")},
		{"no alternative is meant", pet, `{"kind":"dog","tricks":1}`, `{"kind":"cow","lives":9}`,
			whole("matches none of the 2 alternatives; compared with the closest one, /kind is not one of the allowed values", `one of the alternatives, by the closest "cat"`, `{"kind":"cow","lives":9}`)},
		{"several alternatives where one must be", "{oneOf: [{type: integer}, {type: number, minimum: 5}]}", "4", "6",
			whole("matches several alternatives (1 and 2), but must match exactly one", "exactly one of the alternatives", "6")},
		{"several alternatives of which a discriminator chooses one", "{oneOf: [{type: object, required: [k], properties: {k: {type: string}}}, {type: object, required: [x], properties: {k: {type: string}, x: {type: integer}}}], discriminator: {propertyName: k}}", `{"k":"a","x":1}`, `{"x":""}`,
			whole("matches none of the 2 alternatives; compared with the closest one, /k is missing", "one of the alternatives, by the closest the property k, a string", `{"x":""}`)},
		{"such alternatives in others", "{type: object, required: [in], properties: {in: {anyOf: [{type: integer}, {oneOf: [{type: object, required: [k]}, {type: object, required: [x]}], discriminator: {propertyName: k}}]}}}", `{"in":{"k":"a","x":1}}`, `{"in":true}`,
			at("/in", "/in", "matches none of the alternatives", "an integer or an object", "true", 6)},
		{"several alternatives where any may be", "{anyOf: [{type: integer}, {type: number, minimum: 5}]}", "6", "4.5",
			whole("is too small", "at least 5", "4.5")},
		{"alternatives of one property", "{type: object, required: [a], properties: {a: {oneOf: [{type: integer, format: int64}, {type: string, format: uuid}, {type: boolean}]}}}", `{"a":true}`, `{}`,
			at("/a", "/a", "is missing", "the property a, an integer or a string or a boolean that meets one of the alternatives", "no such property", 0)},
		{"alternatives of lists", "{oneOf: [{type: array, items: {type: object, properties: {a: {type: string}}}}, {type: array, items: {type: object, properties: {b: {type: string}}}, minItems: 2}]}", `[{"a":""}]`, `[{"c":""}]`,
			at("/*/undeclared", "/0/c", "is a property that the contract does not declare", "only a, b", `""`, 6)},
		{"alternatives that share a property", "{oneOf: [{type: object, required: [k], properties: {k: {type: string, enum: [a]}}}, {type: object, required: [k], properties: {k: {type: string, enum: [b]}}}]}", `{"k":"b"}`, `{"k":"c"}`,
			whole("matches none of the 2 alternatives; compared with the closest one, /k is not one of the allowed values", `one of the alternatives, by the closest "a"`, `{"k":"c"}`)},
		{"alternatives declare their properties", "{type: object, anyOf: [{properties: {a: {type: string}}}, {properties: {b: {type: string}}}]}", `{"a":"","b":""}`, `{"c":""}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "only a, b", `""`, 5)},
		{"one alternative is any object", "{anyOf: [{type: object, properties: {a: {type: string}}}, {type: object}]}", `{"c":""}`, `1`,
			whole("matches none of the alternatives", "an object", "1")},
		{"one alternative says nothing of properties, nor of types", "{anyOf: [{type: object, properties: {a: {type: string}}}, {minProperties: 2}]}", `{"c":1,"d":2}`, `{"a":1}`,
			whole("matches none of the 2 alternatives; compared with the closest one, /a has the wrong type", "one of the alternatives, by the closest a string", `{"a":1}`)},
		{"one alternative is not an object", "{anyOf: [{type: object, properties: {a: {type: string}}}, {type: string}]}", `""`, `{"c":1}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "only a", "1", 5)},
		{"alternatives that only require", "{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}", `{"b":""}`, `{"a":"","c":1}`,
			at("/undeclared", "/c", "is a property that the contract does not declare", "only a, b", "1", 12)},
		{"one alternative leaves room", "{anyOf: [{type: object, properties: {a: {type: string}}}, {type: object, additionalProperties: true}]}", `{"c":""}`, `1`,
			whole("matches none of the alternatives", "an object", "1")},
	}
}
