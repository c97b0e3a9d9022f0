package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestOpenAPI30 checks what OpenAPI 3.0 defines differently from JSON Schema.
func TestOpenAPI30(t *testing.T) {
	assertPairs(t, "3.0.3", []pair{
		{"nullable beside a type", "{type: string, nullable: true}", "null", "1", whole("has the wrong type", "a string or null", "1")},
		{"nullable without a type leaves null open", "{nullable: true, allOf: [{type: string}]}", "null", "7", whole("matches none of the alternatives", "a string or null", "7")},
		{"nullable and enum", "{type: string, nullable: true, enum: [a, null]}", "null", `"b"`, whole("is not one of the allowed values", `one of "a", null`, `"b"`)},
		{"nullable beside an enum without null leaves null open", "{type: string, nullable: true, enum: [a]}", "null", `"b"`, whole("is not one of the allowed values", `one of "a", null`, `"b"`)},
		{"nullable at an optional property", "{type: object, properties: {a: {type: integer, format: int32, nullable: true}}}", `{"a":null}`, `{"a":""}`,
			at("/a", "/a", "has the wrong type", "an int32 or null", `""`, 5)},
		{"an exclusive minimum as a flag", "{type: integer, minimum: 1, exclusiveMinimum: true}", "2", "1", whole("is too small", "more than 1", "1")},
		{"an exclusive minimum is one bound, not two", "{type: integer, minimum: 10, exclusiveMinimum: true}", "11", "9", whole("is too small", "more than 10", "9")},
		{"an exclusive maximum as a flag", "{type: integer, maximum: 1, exclusiveMaximum: true}", "0", "1", whole("is too large", "less than 1", "1")},
		{"a flag that is false", "{type: integer, minimum: 1, exclusiveMinimum: false}", "1", "0", whole("is too small", "at least 1", "0")},
		{"a flag without a bound", "{type: integer, exclusiveMinimum: true}", "-1", "0.5", whole("has the wrong type", "an integer", "0.5")},
		{"siblings of $ref are ignored", "{$ref: '#/components/schemas/Cat', required: [name], properties: {name: {type: string}}}", `{"kind":"cat","lives":1}`, `{"kind":"cat","lives":1,"name":1}`,
			at("/undeclared", "/name", "is a property that the contract does not declare", "only kind, lives", "1", 31)},
		{"a write-only property is not missed", "{type: object, required: [a, p], properties: {a: {type: string}, p: {type: string, writeOnly: true}}}", `{"a":""}`, `{"p":"","a":""}`,
			at("/p", "/p", "is shown, though it is write-only", "no p", `""`, 5)},
		{"but where write-only stands beside $ref, which counts for nothing", "{type: object, required: [p], properties: {p: {$ref: '#/components/schemas/Cat', writeOnly: true}}}", `{"p":{"kind":"cat","lives":9}}`, `{}`,
			at("/p", "/p", "is missing", "the property p, an object", "no such property", 0)},
		{"nor where another schema requires it", "{allOf: [{type: object, properties: {p: {type: string, writeOnly: true}}}, {required: [p]}]}", `{}`, `{"p":""}`,
			at("/p", "/p", "is shown, though it is write-only", "no p", `""`, 5)},
		{"nor by an alternative", "{type: object, properties: {p: {type: string, writeOnly: true}}, anyOf: [{required: [p]}, {type: object, required: [q]}]}", `{"q":1}`, `[]`,
			whole("has the wrong type", "an object", "[]")},
		{"nor by all alternatives", "{type: object, properties: {p: {type: string, writeOnly: true}, q: {type: string, writeOnly: true}}, anyOf: [{required: [p]}, {required: [q]}]}", `{}`, `[]`,
			whole("has the wrong type", "an object", "[]")},
		{"a wrong type does not choose an alternative", "{anyOf: [{type: object, required: [p], properties: {p: {oneOf: [{type: string, enum: [a]}, {type: string, enum: [b]}]}, q: {type: integer}}}, {type: object, additionalProperties: {type: object}}]}", `{"p":"b","q":1}`, `{"p":null,"q":1}`,
			whole("matches none of the 2 alternatives; compared with the closest one, /p matches none of the alternatives", "one of the alternatives, by the closest a string", `{"p":null,"q":1}`)},
		{"an example is no schema", "{type: object, properties: {a: {type: string, example: {$ref: nowhere}}}, example: {a: 1}}", `{"a":""}`, `{"a":1}`,
			at("/a", "/a", "has the wrong type", "a string", "1", 5)},
	})
}

// TestNullableBefore303 checks what the first editions of OpenAPI 3.0 define differently from
// 3.0.3: nullable "allows sending a null value for the defined schema".
func TestNullableBefore303(t *testing.T) {
	pairs := []pair{
		{"beside a list of values", "{type: string, nullable: true, enum: [a, b]}", "null", `"c"`, whole("is not one of the allowed values", `one of "a", "b", null`, `"c"`)},
		{"a list of values without a type", "{nullable: true, enum: [a]}", "null", `"c"`, whole("is not one of the allowed values", `one of "a", null`, `"c"`)},
		{"beside anyOf", "{nullable: true, anyOf: [{type: string}, {type: boolean}]}", "null", "1", whole("matches none of the alternatives", "a string or a boolean or null", "1")},
		{"beside oneOf", "{nullable: true, oneOf: [{type: string}, {type: boolean}]}", "null", "1", whole("matches none of the alternatives", "a string or a boolean or null", "1")},
		{"beside oneOf that takes null", "{nullable: true, oneOf: [{type: string, enum: [a]}, {enum: ['']}, {enum: [null]}]}", "null", `"b"`, whole("matches none of the alternatives", `"a" or "" or null`, `"b"`)},
		{"beside allOf", "{nullable: true, allOf: [{type: string, maxLength: 1}]}", "null", `"aa"`, whole("is too long", "at most 1 character", `"aa"`)},
		{"in a property", "{type: object, properties: {a: {nullable: true, allOf: [{$ref: '#/components/schemas/Cat'}]}}}", `{"a":null}`, `{"a":{"kind":"cat"}}`,
			at("/a/lives", "/a/lives", "is missing", "the property lives, an integer", "no such property", 5)},
	}
	assertPairs(t, "3.0.0", pairs)
	assertPairs(t, "3.0.2", pairs)
}

// TestOpenAPI31 checks what OpenAPI 3.1 adds.
func TestOpenAPI31(t *testing.T) {
	assertPairs(t, "3.1.0", []pair{
		{"a list of types", "{type: [string, 'null']}", "null", "1", whole("has the wrong type", "a string or null", "1")},
		{"nullable of the older versions", "{type: string, nullable: true}", "null", "1", whole("has the wrong type", "a string or null", "1")},
		{"null as an alternative", "{oneOf: [{type: object, required: [n], properties: {n: {type: integer, format: int32}}}, {type: 'null'}]}", "null", `{}`,
			at("/n", "/n", "is missing", "the property n, an int32", "no such property", 0)},
		{"null as the first alternative", "{type: object, required: [a], properties: {a: {oneOf: [{type: 'null'}, {type: string, format: uuid}]}}}", `{"a":null}`, `{}`,
			at("/a", "/a", "is missing", "the property a, a string (uuid) or null", "no such property", 0)},
		{"neither of an alternative and null", "{oneOf: [{type: integer, format: int32}, {type: 'null'}]}", "null", `""`, whole("matches none of the alternatives", "an int32 or null", `""`)},
		{"const", "{const: 9007199254740993}", "9007199254740993.0", "9007199254740992", whole("is not the one allowed value", "9007199254740993", "9007199254740992")},
		{"const null", "{const: null}", "null", "0", whole("is not the one allowed value", "null", "0")},
		{"exclusive bounds as numbers", "{type: integer, exclusiveMinimum: 1, exclusiveMaximum: 3}", "2", "3", whole("is too large", "less than 3", "3")},
		{"siblings of $ref apply", "{$ref: '#/components/schemas/Cat', required: [name], properties: {name: {type: string}}}", `{"kind":"cat","lives":1,"name":""}`, `{"kind":"cat","lives":1}`,
			at("/name", "/name", "is missing", "the property name, a string", "no such property", 0)},
		{"a write-only property is not missed", "{type: object, required: [a, p], properties: {a: {type: string}, p: {type: string, writeOnly: true}}}", `{"a":""}`, `{"p":"","a":""}`,
			at("/p", "/p", "is shown, though it is write-only", "no p", `""`, 5)},
		{"nor where write-only stands beside $ref", "{type: object, required: [p], properties: {p: {$ref: '#/components/schemas/Cat', writeOnly: true}}}", `{}`, `{"p":{"kind":"cat","lives":9}}`,
			at("/p", "/p", "is shown, though it is write-only", "no p", `{"kind":"cat","lives":9}`, 5)},
		{"a list of known beginning", "{type: array, prefixItems: [{type: string}], items: {type: integer}}", `["",1]`, `["",""]`, at("", "/1", "has the wrong type", "an integer", `""`, 4)},
		{"a list of known beginning declares properties", "{type: array, prefixItems: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}", `[{"a":""},{"b":""}]`, `[{"c":""}]`,
			at("/*/undeclared", "/0/c", "is a property that the contract does not declare", "only a, b", `""`, 6)},
		{"a list of known length", "{type: array, prefixItems: [{type: string}], items: false}", `[""]`, `["",0]`, at("", "/1", "must not be there", "nothing", "0", 4)},
		{"what counts as contained lacks what only requests carry", "{type: array, contains: {type: object, required: [a, p], properties: {a: {}, p: {type: string, writeOnly: true}}}}", `[{"a":1}]`, `[{}]`, whole("has no item of the kind it must contain", "at least 1 such item", "[{}]")},
		{"so it does by reference", "{type: array, contains: {type: object, required: [p], properties: {p: {$ref: '#/components/schemas/Secret'}}}}", `[{}]`, `[1]`, whole("has no item of the kind it must contain", "at least 1 such item", "[1]")},
		{"and where write-only stands beside the reference", "{type: array, contains: {type: object, required: [p], properties: {p: {$ref: '#/components/schemas/Cat', writeOnly: true}}}}", `[{}]`, `[1]`, whole("has no item of the kind it must contain", "at least 1 such item", "[1]")},
		{"contains", "{type: array, contains: {type: string}}", `[1,""]`, `[1]`, whole("has no item of the kind it must contain", "at least 1 such item", "[1]")},
		{"minContains", "{type: array, contains: {type: string}, minContains: 2}", `["",""]`, `[1,""]`, whole("has too few items of the kind it must contain", "at least 2 such items", `[1,""]`)},
		{"maxContains", "{type: array, contains: {type: string}, maxContains: 1}", `[1,""]`, `["",""]`, whole("has too many items of the kind it must contain", "at most 1 such item", `["",""]`)},
		{"names of properties", "{type: object, propertyNames: {maxLength: 2}}", `{"ab":1}`, `{"abc":1}`, at("", "/abc", "has a name that the contract forbids", "another name", "1", 7)},
		{"names of properties before other values", "{type: object, properties: {b: {type: array, items: {type: object, properties: {tags: {propertyNames: {maxLength: 2}}, z: {type: integer}}}}}}", `{"b":[{"tags":{"ab":1}},{"z":1}]}`, `{"b":[{"tags":{"abc":1}},{"z":1}]}`, at("/b", "/b/0/tags/abc", "has a name that the contract forbids", "another name", "1", 21)},
		{"properties by pattern leave room", "{type: object, properties: {a: {}}, patternProperties: {^n: {type: integer}}}", `{"a":1,"n1":1,"x":1}`, `{"n1":""}`, at("", "/n1", "has the wrong type", "an integer", `""`, 6)},
		{"one property needs another", "{type: object, properties: {a: {}, b: {type: string}}, dependentRequired: {a: [b]}}", `{}`, `{"a":1}`,
			at("/b", "/b", "is missing, though a is there", "the property b, a string", "no such property", 0)},
		{"a condition declares properties", "{type: object, properties: {k: {type: string}}, if: {properties: {k: {const: x}}}, then: {properties: {n: {type: integer}}}}", `{"k":"x","n":1}`, `{"k":"x","n":""}`,
			at("/n", "/n", "has the wrong type", "an integer", `""`, 13)},
		{"a condition leaves room", "{type: object, properties: {k: {type: string}}, if: {required: [k]}, then: {additionalProperties: true}}", `{"k":"x","m":1}`, `{"k":1}`,
			at("/k", "/k", "has the wrong type", "a string", "1", 5)},
		{"so does a dependent schema", "{type: object, properties: {k: {type: string}}, dependentSchemas: {k: {properties: {n: {type: integer}}}}}", `{"k":"x","n":1}`, `{"k":"x","m":1}`,
			at("/undeclared", "/m", "is a property that the contract does not declare", "only k, n", "1", 13)},
		{"unevaluated properties are ruled out", "{allOf: [{type: object, properties: {a: {type: string}}}], unevaluatedProperties: false}", `{"a":""}`, `{"b":""}`,
			at("/undeclared", "/b", "is a property that the contract does not declare", "only a", `""`, 5)},
		{"but those of a branch follow from what breaks it", "{type: object, anyOf: [{properties: {k: {const: a}, n: {type: integer}}, required: [k, n]}, {properties: {k: {const: b}, m: {}}, required: [k]}], unevaluatedProperties: false}", `{"k":"a","n":1}`, `{"k":"a","n":""}`,
			at("/n", "/n", "has the wrong type", "an integer", `""`, 13)},
		{"and where additional ones are ruled out already", "{type: object, properties: {a: {type: string}}, additionalProperties: false, unevaluatedProperties: true}", `{"a":""}`, `{"b":""}`,
			at("/undeclared", "/b", "is a property that the contract does not declare", "only a", `""`, 5)},
		{"but not where additional ones are allowed", "{type: object, properties: {a: {type: string}}, additionalProperties: true, unevaluatedProperties: false}", `{"b":""}`, `{"a":1}`,
			at("/a", "/a", "has the wrong type", "a string", "1", 5)},
		{"a property that is never there", "{type: object, properties: {a: {type: string}, b: false}}", `{"a":""}`, `{"b":""}`, at("", "/b", "must not be there", "nothing", `""`, 5)},
		{"a schema that allows all", "{type: object, properties: {a: true}}", `{"a":1}`, `[]`, whole("has the wrong type", "an object", "[]")},
		{"definitions inside a schema", "{type: object, properties: {a: {$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema/$defs/n'}}, $defs: {n: {type: integer}}}", `{"a":1}`, `{"a":""}`,
			at("/a", "/a", "has the wrong type", "an integer", `""`, 5)},
		{"content in a string is an annotation", "{type: string, contentEncoding: base64, contentMediaType: application/json}", `"%"`, "1", whole("has the wrong type", "a string", "1")},
	})
}

// TestSchemasFromElsewhere checks that a response can refer to the schema of a parameter.
func TestSchemasFromElsewhere(t *testing.T) {
	op := spectest.Load(t, spectest.Paths(`  /a:
    get:
      operationId: x
      parameters: [{name: q, in: query, schema: {type: string, nullable: true}}]
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/paths/~1a/get/parameters/0/schema'}}}}}
`)).Operations[0]
	assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, "null")).Breaches)
	assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, "1")).Breaches, whole("has the wrong type", "a string or null", "1"))
}

// TestOpenFormats checks that formats outside of OpenAPI limit nothing, although a JSON Schema
// validator knows them.
func TestOpenFormats(t *testing.T) {
	const format = "{type: string, format: duration}"
	for _, schema := range []string{
		format,
		"{type: object, properties: {n: " + format + "}}",
		"{type: object, additionalProperties: " + format + "}",
		"{type: object, unevaluatedProperties: " + format + "}",
		"{type: object, patternProperties: {^n: " + format + "}}",
		"{type: object, dependentSchemas: {n: {properties: {n: " + format + "}}}}",
		"{type: object, if: {required: [n]}, then: {properties: {n: " + format + "}}}",
		"{type: object, properties: {n: {$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema/$defs/d'}}, $defs: {d: " + format + "}}",
		"{type: array, items: " + format + "}",
		"{type: array, contains: " + format + "}",
		"{type: array, prefixItems: [" + format + "]}",
		"{not: {not: " + format + "}}",
		"{allOf: [" + format + "]}",
		"{anyOf: [" + format + "]}",
	} {
		t.Run(schema, func(t *testing.T) {
			body := `"soon"`
			switch {
			case strings.HasPrefix(schema, "{type: object"):
				body = `{"n":"soon"}`
			case strings.HasPrefix(schema, "{type: array"):
				body = `["soon"]`
			}
			assertBreaches(t, spectest.Check(t, answering(t, "3.1.0", schema), spectest.Answer(200, body)).Breaches)
		})
	}
}

// TestFaultsAtOnePlace checks that all of them are reported.
func TestFaultsAtOnePlace(t *testing.T) {
	for _, row := range []struct {
		name, schema, body string
		want               []check.Breach
	}{
		{"missing for two reasons", "{type: object, required: [b], properties: {a: {}, b: {type: string}}, dependentRequired: {a: [b]}}", `{"a":1}`, []check.Breach{
			breach("x/200/body/b", "/b", "is missing", "the property b, a string", "no such property", 0),
			breach("x/200/body/b", "/b", "is missing, though a is there", "the property b, a string", "no such property", 0),
		}},
		{"too short for two", "{type: string, minLength: 3, allOf: [{minLength: 2}, {minLength: 2}]}", `""`, []check.Breach{
			whole("is too short", "at least 2 characters", `""`),
			whole("is too short", "at least 3 characters", `""`),
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, answering(t, "3.1.0", row.schema), spectest.Answer(200, row.body)).Breaches, row.want...)
		})
	}
}

// TestClausesOf31 checks the texts of clauses for what OpenAPI 3.1 defines differently.
func TestClausesOf31(t *testing.T) {
	for _, row := range []struct{ name, schema, part, want string }{
		{"null in a list of types", "{type: [object, 'null']}", "", "the body of a 200 response is one JSON value: an object or null"},
		{"nullable of the older versions", "{type: string, nullable: true}", "", "the body of a 200 response is one JSON value: a string"},
		{"what is required under a condition is not required always", "{type: object, if: {required: [k]}, then: {required: [n], properties: {n: {type: [string, 'null']}}}}",
			"/n", "in the body of a 200 response, n, if present, is a string or null"},
		{"what is required of the items of known place, where there are no others", "{type: array, prefixItems: [{type: object, required: [a], properties: {a: {type: string}}}], items: false}",
			"/*/a", "in each item of the body of a 200 response, a is present and is a string"},
		{"nothing is ruled out where all is allowed", "{type: object, properties: {a: {}}, additionalProperties: true, unevaluatedProperties: false}", "/undeclared", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			contract := spectest.Load(t, spectest.Document("3.1.0", row.schema))
			if c, _ := contract.Clause(spec.ClauseID("get-a/200/body" + row.part)); c.Text != row.want {
				t.Errorf("got %q, want %q", c.Text, row.want)
			}
		})
	}
}
