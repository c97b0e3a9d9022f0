package spec_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// bundled returns the only operation of the built-in contract.
func bundled(t testing.TB) *spec.Operation {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	return contract.Operations[0]
}

// load returns a contract made for a test.
func load(t testing.TB, document string) *spec.Contract {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, document)
	}
	return contract
}

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

// head begins a document of that OpenAPI version.
func head(version string) string {
	return "openapi: " + version + "\ninfo: {title: t, version: '1'}\n"
}

// responding returns an operation x with these members of a Responses Object, in YAML.
func responding(t testing.TB, version, method, responses string) *spec.Operation {
	t.Helper()
	indented := strings.ReplaceAll(strings.TrimSpace(responses), "\n", "\n        ")
	document := fmt.Sprintf("%spaths:\n  /a:\n    %s:\n      operationId: x\n      responses:\n        %s\n", head(version), method, indented)
	return load(t, document).Operations[0]
}

// answering returns an operation x whose 200 is JSON with that schema, in the flow style of YAML.
// $ref may name Tree, a recursive schema.
func answering(t testing.TB, version, schema string) *spec.Operation {
	t.Helper()
	return load(t, head(version)+`paths:
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

// check judges a response by the default limits.
func check(t testing.TB, op *spec.Operation, r spec.Response) spec.Check {
	t.Helper()
	got, err := op.CheckResponse(t.Context(), r, instance.Limits{})
	if err != nil {
		t.Error(err)
	}
	return got
}

// echo compares a response with what was sent, by the default limits.
func echo(t testing.TB, op *spec.Operation, sent []byte, r spec.Response) spec.Check {
	t.Helper()
	got, err := op.CheckEcho(t.Context(), spec.Sent{Operation: op, MediaType: "application/json", Body: sent}, r, instance.Limits{})
	if err != nil {
		t.Error(err)
	}
	return got
}

// answer returns a response with a JSON body.
func answer(status int, body string) spec.Response {
	return labelled(status, body, "application/json")
}

// labelled returns a response with those Content-Type fields.
func labelled(status int, body string, contentTypes ...string) spec.Response {
	header := http.Header{}
	for _, contentType := range contentTypes {
		header.Add("Content-Type", contentType)
	}
	return spec.Response{Status: status, Header: header, Body: []byte(body)}
}

// with returns the response with one more header field.
func with(r spec.Response, name, value string) spec.Response {
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Add(name, value)
	return r
}

// breach is one row's expectation: the columns of [spec.Breach].
func breach(clause spec.ClauseID, pointer, message, expected, actual string, offset int64) spec.Breach {
	return spec.Breach{Clause: clause, Pointer: pointer, Message: message, Expected: expected, Actual: actual, Offset: offset}
}

// permitted returns a breach that RFC 8259 permits.
func permitted(b spec.Breach) spec.Breach {
	b.Should = true
	return b
}

func assertBreaches(t testing.TB, got []spec.Breach, want ...spec.Breach) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("breaches (-want +got)\n%s", diff)
	}
}

// joined returns ids as one text.
func joined(ids []spec.ClauseID) string { return strings.Trim(fmt.Sprint(ids), "[]") }
