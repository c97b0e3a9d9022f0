package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// papers has a schema that others inherit from, on several levels. An entry of the list may contain
// others.
func papers(t *testing.T, version string) *spec.Contract {
	t.Helper()
	list, discriminator := "/components/schemas/", "{propertyName: kind, mapping: {bill: '#/components/schemas/Invoice', cheque: 'other.json#/Cheque', note: Note}}"
	document := spectest.Head(version) + "paths: {/a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Paper'}}}}}}}}}\ncomponents:\n  schemas:\n"
	if version == "2.0" {
		list, discriminator = "/definitions/", "kind"
		document = "swagger: '2.0'\ninfo: {title: t, version: '1'}\nproduces: [application/json]\npaths: {/a: {get: {operationId: x, responses: {'200': {description: d, schema: {type: array, items: {$ref: '#/definitions/Paper'}}}}}}}\ndefinitions:\n"
	}
	schemas := `
    Paper:
      type: object
      required: [kind]
      properties: {kind: {type: string}, with: {type: array, items: {$ref: '#LISTPaper'}}, by: {allOf: [{$ref: '#LISTPaper'}]}}
      discriminator: DISCRIMINATOR
    Receipt: {allOf: [{$ref: '#LISTPaper'}, {type: object, required: [supplier], properties: {supplier: {type: string}}}]}
    Invoice: {allOf: [{$ref: '#LISTPaper'}, {type: object, required: [sum], properties: {sum: {type: integer}}}]}
    Reminder: {allOf: [{$ref: '#LISTInvoice'}, {type: object, required: [days], properties: {days: {type: integer}}}]}
    Letter: {x-ms-discriminator-value: mail, allOf: [{$ref: '#LISTPaper'}, {type: object, required: [to]}]}
    Note: {type: object, required: [text]}
`
	document += strings.NewReplacer("LIST", list, "DISCRIMINATOR", discriminator).Replace(schemas)
	if version == "2.0" {
		document = strings.ReplaceAll(document, "\n    ", "\n  ")
	}
	return spectest.Load(t, document)
}

// TestDiscriminators checks that an object must meet the schema that its discriminator names.
func TestDiscriminators(t *testing.T) {
	missing := func(clause, pointer, expected string, offset int64) check.Breach {
		return at(clause, pointer, "is missing", "the property "+expected, "no such property", offset)
	}
	for _, row := range []struct {
		name, body string
		want       []check.Breach
	}{
		{"each is what it says", `[{"kind":"Receipt","supplier":"s"},{"kind":"Invoice","sum":1},{"kind":"Reminder","sum":1,"days":2},{"kind":"Paper"}]`, nil},
		{"it may have more", `[{"kind":"Receipt","supplier":"s","more":1}]`, nil},
		{"one lacks what its schema requires", `[{"kind":"Receipt"}]`, []check.Breach{missing("", "/0/supplier", `supplier, a string (kind is "Receipt")`, 1)}},
		{"one inherits from another", `[{"kind":"Reminder","days":2}]`, []check.Breach{missing("", "/0/sum", `sum, an integer (kind is "Reminder")`, 1)}},
		{"what is wrong is wrong once", `[{"kind":"Receipt","supplier":"s","with":1}]`, []check.Breach{at("/*/with", "/0/with", "has the wrong type", "a list", "1", 41)}},
		{"within another", `[{"kind":"Receipt","supplier":"s","with":[{"kind":"Invoice","sum":1,"with":[{"kind":"Receipt"}]}],"by":{"kind":"Paper"}}]`,
			[]check.Breach{missing("/*/with", "/0/with/0/with/0/supplier", `supplier, a string (kind is "Receipt")`, 76)}},
		{"by an extension", `[{"kind":"mail","to":1},{"kind":"mail"}]`, []check.Breach{missing("", "/1/to", `to (kind is "mail")`, 24)}},
		{"no kind, which is not a matter of the subtypes", `[{}]`, []check.Breach{missing("/*/kind", "/0/kind", "kind, a string", 1)}},
	} {
		for _, version := range []string{"2.0", "3.0.3", "3.1.1", "3.2.0"} {
			t.Run(row.name+" "+version, func(t *testing.T) {
				want := row.want
				for i, b := range want {
					if strings.Contains(b.Expected, "(kind is") && version != "2.0" { // only a hint
						want = append([]check.Breach(nil), want...)
						want[i] = permitted(b)
					}
				}
				assertBreaches(t, spectest.Check(t, papers(t, version).Operations[0], spectest.Answer(200, row.body)).Breaches, want...)
			})
		}
	}
}

// TestMappedDiscriminators checks that a mapping adds names to those of the inheriting schemas. A
// name without a schema is only a hint.
func TestMappedDiscriminators(t *testing.T) {
	const known = `one of "Invoice", "Paper", "Receipt", "Reminder", "bill", "cheque", "mail", "note"`
	unknown := permitted(at("/*/kind", "/0/kind", "does not name the schema of its object", known, `"Ticket"`, 9))
	op := papers(t, "3.0.3").Operations[0]
	for _, row := range []struct {
		name, body string
		want       []check.Breach
	}{
		{"a reference", `[{"kind":"bill"}]`, []check.Breach{permitted(at("", "/0/sum", "is missing", `the property sum, an integer (kind is "bill")`, "no such property", 1))}},
		{"a name of what does not inherit", `[{"kind":"note","text":""},{"kind":"note"}]`, []check.Breach{permitted(at("", "/1/text", "is missing", `the property text (kind is "note")`, "no such property", 27))}},
		{"what cannot be read", `[{"kind":"cheque"}]`, nil},
		{"unknown", `[{"kind":"Ticket"}]`, []check.Breach{unknown}},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, row.body)).Breaches, row.want...)
		})
	}
	for version, want := range map[string]string{
		"2.0":   "in each item of the body of a 200 response, by, if present, is an object that meets the schema named by its kind",
		"3.1.1": "in each item of the body of a 200 response, by, if present, is an object",
	} {
		if clause, _ := papers(t, version).Clause("x/200/body/*/by"); clause.Text != want {
			t.Errorf("%s: %s", version, clause.Text)
		}
	}
}

// TestDiscriminatorsElsewhere checks a value with several alternatives that others inherit from:
// the one that it meets counts. A name in an enum needs no schema.
func TestDiscriminatorsElsewhere(t *testing.T) {
	const schemas = `
components:
  schemas:
    Pet: {type: object, required: [kind], properties: {kind: {type: string, enum: [Cat, Dog, Fox]}}, discriminator: {propertyName: kind}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [lives]}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [tricks]}]}
    Car: {type: object, required: [kind, wheels], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}
    Bus: {allOf: [{$ref: '#/components/schemas/Car'}, {required: [seats]}]}
`
	for _, row := range []struct{ name, schema, right, wrong, clause, lacks string }{
		{"a listed name without a schema", "{$ref: '#/components/schemas/Pet'}", `{"kind":"Fox"}`, `{"kind":"Dog"}`, "", "tricks"},
		{"null or a base", "{nullable: true, allOf: [{$ref: '#/components/schemas/Pet'}]}", `null`, `{"kind":"Dog"}`, "", "tricks"},
		{"one of two bases", "{oneOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Car'}]}", `{"kind":"Dog","tricks":1}`, `{"kind":"Bus","wheels":1}`, "", "seats"},
		{"both of two bases", "{anyOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Car'}]}", `{"kind":"Dog","wheels":1}`, `{"kind":"Dog"}`, "", "tricks"},
		{"several that inherit from a base", "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}", `{"kind":"Dog","lives":9,"tricks":1}`, `{"kind":"Dog","lives":9}`, "", "tricks"},
		{"a map of bases", "{additionalProperties: {$ref: '#/components/schemas/Pet'}}", `{"a":{"kind":"Cat","lives":9}}`, `{"a":{"kind":"Cat"}}`, "", "a/lives"},
		{"a subtype that another one inherits from", "{$ref: '#/components/schemas/Cat'}", `{"kind":"Cat","lives":9}`, `{"kind":"Dog","lives":9}`, "", "tricks"},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: "+row.schema+"}}}}}}}"+schemas).Operations[0]
			assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, row.right)).Breaches)
			broken := spectest.Check(t, op, spectest.Answer(200, row.wrong)).Breaches
			if len(broken) != 1 || broken[0].Pointer != "/"+row.lacks || !broken[0].Should {
				t.Errorf("%+v", broken)
			}
		})
	}
}

// TestNamesOfAlternatives checks that the breach names the alternatives if a value matches several.
func TestNamesOfAlternatives(t *testing.T) {
	op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/Car'}, {$ref: '#/components/schemas/Bus'}]}}}}}}}}\ncomponents: {schemas: {Car: {type: object}, Bus: {type: object}}}\n").Operations[0]
	assertBreaches(t, spectest.Check(t, op, spectest.Answer(200, "{}")).Breaches, at("", "", "matches several alternatives (Car and Bus), but must match exactly one", "exactly one of the alternatives", "{}", 0))
}
