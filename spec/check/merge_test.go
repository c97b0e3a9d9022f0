package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestMergedEcho checks that readOnly in one schema of allOf applies to the whole, and in one of
// oneOf does not.
func TestMergedEcho(t *testing.T) {
	op := echoing(t, spectest.Head("3.0.3")+`paths:
  /a:
    post:
      operationId: x
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    A:
      allOf:
        - {type: object, properties: {at: {type: string}, kind: {type: string}, n: {type: string}, by: {type: string, readOnly: true}, size: {type: string, default: small}}}
        - {properties: {at: {readOnly: true}, kind: {default: plain}, by: {}, size: {}}}
      oneOf:
        - {properties: {m: {readOnly: true}, n: {type: string}, o: {type: string}, q: {default: plain}}}
        - {properties: {m: {type: string}, n: {readOnly: true}, o: {default: plain}, q: {type: string}}}
`).Operations[0]
	assertBreaches(t, echo(t, op, []byte(`{}`), spectest.Answer(200, `{"at":"now","by":"me","kind":"plain","o":"plain","q":"plain","size":"small"}`)).Breaches)
	for _, name := range []string{"m", "n"} {
		assertBreaches(t, echo(t, op, []byte(`{}`), spectest.Answer(200, `{"`+name+`":""}`)).Breaches,
			breach("x/200/echo", "/"+name, "is shown, though it was not sent", "no "+name, `""`, 5))
	}
}

// TestUndeclaredUnderACondition checks properties that only an alternative or a condition forbids.
// They break the schema, although the object is not always closed.
func TestUndeclaredUnderACondition(t *testing.T) {
	const closed = "{type: object, required: [kind], properties: {kind: {type: string, enum: [a]}}, additionalProperties: false}"
	const open = "{type: object, required: [kind], properties: {kind: {type: string, enum: [b]}}}"
	for _, row := range []struct{ name, version, schema, body, broken string }{
		{"the alternative that is closed", "3.0.3", "{oneOf: [" + closed + ", " + open + "]}", `{"kind":"a","x":1}`, "get-a/200/body must, get-a/200/body/undeclared should"},
		{"the alternative that is open", "3.0.3", "{oneOf: [" + closed + ", " + open + "]}", `{"kind":"b","x":1}`, "get-a/200/body/undeclared should"},
		{"closed where another property is there", "3.1.0", "{type: object, properties: {a: {}}, dependentSchemas: {a: {properties: {a: {}, b: {}}, additionalProperties: false}}}", `{"a":1,"x":1}`, "get-a/200/body must, get-a/200/body/undeclared should"},
		{"closed where it is not there", "3.1.0", "{type: object, properties: {a: {}}, dependentSchemas: {a: {properties: {a: {}, b: {}}, additionalProperties: false}}}", `{"b":1}`, ""},
		{"closed as a whole", "3.0.3", closed, `{"kind":"a","x":1}`, "get-a/200/body/undeclared must"},
	} {
		t.Run(row.name, func(t *testing.T) {
			contract := spectest.Load(t, spectest.Document(row.version, row.schema))
			var broken []string
			for _, b := range spectest.Check(t, contract.Operations[0], spectest.Answer(200, row.body)).Breaches {
				clause, _ := contract.Clause(b.Clause)
				broken = append(broken, string(clause.ID)+" "+string(clause.Level))
			}
			if got := strings.Join(broken, ", "); got != row.broken {
				t.Errorf("breaks %q, want %q", got, row.broken)
			}
		})
	}
}
