package check_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// echoing returns a contract made for a test, whose clauses.yaml says that x shows what was sent.
func echoing(t testing.TB, document string) *spec.Contract {
	t.Helper()
	overlay := spec.Source{Name: "clauses.yaml", Data: []byte("clauses: {x/200/echo: {text: a 200 response shows the thing that was sent}}")}
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, &overlay)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, document)
	}
	return contract
}

// answering returns an operation x whose 200 is JSON with that schema, in the flow style of YAML.
// $ref may name Tree, a recursive schema.
func answering(t testing.TB, version, schema string) *spec.Operation {
	t.Helper()
	return spectest.Load(t, spectest.Head(version)+`paths:
  /a:
    get:
      operationId: x
      responses:
        '200': {description: d, content: {application/json: {schema: `+schema+`}}}
components:
  schemas:
    Either: {anyOf: [{type: object, required: [a], properties: {a: {type: integer}, x: {$ref: '#/components/schemas/Either'}}}, {type: object, required: [b], properties: {b: {type: integer}, x: {$ref: '#/components/schemas/Either'}}}]}
    Tree: {type: object, required: [name], properties: {name: {type: string}, below: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
    Cat: {type: object, required: [kind, lives], properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}}
    Secret: {type: string, writeOnly: true}
    Dog: {type: object, required: [kind, tricks], properties: {kind: {type: string, enum: [dog]}, tricks: {type: integer}}}
`).Operations[0]
}

// echo compares a response with what was sent, by the default limits.
func echo(t testing.TB, op *spec.Operation, sent []byte, r check.Response) check.Result {
	t.Helper()
	got, err := r.CheckEcho(t.Context(), check.Sent{Operation: op, MediaType: "application/json", Body: sent}, instance.Limits{})
	if err != nil {
		t.Error(err)
	}
	return got
}

// with returns the response with one more header field.
func with(r check.Response, name, value string) check.Response {
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Add(name, value)
	return r
}

// breach is one row's expectation: the columns of [check.Breach].
func breach(clause spec.ClauseID, pointer, message, expected, actual string, offset int64) check.Breach {
	return check.Breach{Clause: clause, Pointer: pointer, Message: message, Expected: expected, Actual: actual, Offset: offset}
}

// permitted returns a breach that RFC 8259 permits.
func permitted(b check.Breach) check.Breach {
	b.Should = true
	return b
}

func assertBreaches(t testing.TB, got []check.Breach, want ...check.Breach) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("breaches (-want +got)\n%s", diff)
	}
}
