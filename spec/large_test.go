package spec_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// largeDocument returns a document with that many operations. They share components as in generated
// documents of large services: an entity that refers to others is in the request and in several
// responses of each operation.
func largeDocument(operations int) []byte {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: large, version: '1'}\nsecurity: [{token: []}]\npaths:\n")
	const entities = 20
	for i := range operations {
		entity := fmt.Sprintf("#/components/schemas/Entity%d", i%entities)
		fmt.Fprintf(&b, `  /things%d/{id}:
    post:
      operationId: op%d
      parameters: [{$ref: '#/components/parameters/Id'}, {$ref: '#/components/parameters/Limit'}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '%s'}}}}
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '%s'}}}}
        '201': {description: d, content: {application/json: {schema: {type: object, required: [items], properties: {items: {type: array, items: {$ref: '%s'}}, next: {type: string}}}}}}
        '400': {$ref: '#/components/responses/Problem'}
        '404': {$ref: '#/components/responses/Problem'}
        default: {$ref: '#/components/responses/Problem'}
`, i, i, entity, entity, entity)
	}
	b.WriteString(`components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  parameters:
    Id: {name: id, in: path, required: true, schema: {type: integer, format: int64}}
    Limit: {name: limit, in: query, schema: {type: integer, minimum: 1}}
  responses:
    Problem: {description: d, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  schemas:
    Problem: {type: object, required: [title], properties: {title: {type: string}, status: {type: integer}, detail: {type: string}}}
    Address: {type: object, required: [street], properties: {street: {type: string}, zip: {type: string}, country: {$ref: '#/components/schemas/Country'}}}
    Country: {type: object, properties: {code: {type: string, enum: [DE, FR]}, name: {type: string}}}
    Person: {type: object, properties: {name: {type: string}, home: {$ref: '#/components/schemas/Address'}, work: {$ref: '#/components/schemas/Address'}}}
`)
	for i := range entities {
		fmt.Fprintf(&b, `    Entity%d:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, format: int64}
        name: {type: string}
        owner: {$ref: '#/components/schemas/Person'}
        contact: {$ref: '#/components/schemas/Person'}
        created: {type: string, format: date-time}
        state: {type: string, enum: [on, off]}
        tags: {type: array, items: {type: string}}
        others: {type: array, items: {$ref: '#/components/schemas/Person'}}
`, i)
	}
	return []byte(b.String())
}

// BenchmarkLoadLarge measures the loading of a contract with 400 operations.
func BenchmarkLoadLarge(b *testing.B) {
	data := largeDocument(400)
	for b.Loop() {
		c, err := spec.Load(b.Context(), spec.Source{Name: "large.yaml", Data: data}, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(c.Clauses())), "clauses")
	}
}

// TestOperationsShareComponents checks that clauses of a shared component have the ids and texts of
// each operation and status that refers to it.
func TestOperationsShareComponents(t *testing.T) {
	c, err := spec.Load(t.Context(), spec.Source{Name: "large.yaml", Data: largeDocument(41)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, others := map[string]string{}, map[string]int{}
	for _, clause := range c.Clauses() {
		switch id := clause.ID; id.Operation() {
		case "op0":
			first[id.Part()] = clause.Text
		case "op20", "op40":
			others[id.Part()]++
			if want := first[id.Part()]; clause.Text != want {
				t.Errorf("%s says %q, want %q", id, clause.Text, want)
			}
		}
	}
	for part := range first {
		if others[part] != 2 {
			t.Errorf("%s is a clause of op0, and of %d others", part, others[part])
		}
	}
	for _, row := range []struct {
		operation, body, clause string
		status                  int
	}{
		{"op0", `{"id":1,"name":""}`, "", 200},
		{"op20", `{"id":1,"name":"","owner":{"home":{"street":1}}}`, "op20/200/body/owner/home/street", 200},
		{"op40", `{"items":[{"id":1,"name":2}]}`, "op40/201/body/items/*/name", 201},
		{"op40", `{"id":1,"name":"","work":1}`, "op40/200/body/undeclared", 200},
	} {
		op, _ := c.Operation(row.operation)
		broken := ""
		for _, b := range spectest.Check(t, op, spectest.Answer(row.status, row.body)).Breaches {
			broken += string(b.Clause)
		}
		if broken != row.clause {
			t.Errorf("%s %s: breaks %q, want %q", row.operation, row.body, broken, row.clause)
		}
	}
}

// Fixtures of several operations may be loaded at the same time, which compiles the schemas of
// requests.
func TestRequestsAreCheckedAtTheSameTime(t *testing.T) {
	document := "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n"
	for i := range 20 {
		document += fmt.Sprintf("  /things%d: {post: {operationId: op%d, requestBody: {content: {application/json: {schema: {type: object, required: [name]}}}}, responses: {'200': {description: d}}}}\n", i, i)
	}
	c, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	request := spec.Request{
		Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"id":1}`), HasBody: true, Credential: true,
	}
	var checks sync.WaitGroup
	for _, op := range c.Operations {
		checks.Go(func() {
			if broken, _ := op.CheckRequest(request); !slices.Equal(broken, []spec.ClauseID{spec.ClauseID(op.ID + "/request/body/name")}) {
				t.Errorf("%s: breaks %q", op.ID, broken)
			}
		})
	}
	checks.Wait()
}

// BenchmarkLoad measures the loading of a contract, which happens once per run.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := spec.LoadFile(b.Context(), "openapi.yaml"); err != nil {
			b.Fatal(err)
		}
	}
}
