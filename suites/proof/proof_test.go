package proof_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/internal/services/parcels"
	"github.com/plantstore/conformance/suites/proof"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // takes a quarter of the time, but more memory
	m.Run()
}

func prove(t *testing.T, document []byte, only ...string) *proof.Proof {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "openapi.yaml", Data: document}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := proof.Run(t.Context(), contract, only...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func needsLong(t *testing.T) {
	t.Helper()
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("tries hundreds of deviations; LONG_TESTS=1 asks for it")
	}
}

// TestContracts: each deviation that a request shows is found, and nothing else is blamed.
// Without LONG_TESTS it tries the first contract of testdata, with LONG_TESTS=1 also one
// service of the tests, and with LONG_TESTS=all both services.
func TestContracts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no contracts", err)
	}
	if os.Getenv("LONG_TESTS") == "" {
		files = files[:1]
	}
	documents := map[string][]byte{}
	for _, file := range files {
		if documents[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	long := map[string][]services.Service{"": nil, "1": {parcels.Service()}, "all": {parcels.Service(), books.Service()}}
	for _, s := range long[os.Getenv("LONG_TESTS")] {
		documents[s.Name] = s.Document
	}
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := prove(t, document)
			if !p.Whole() || p.Operations.Held != p.Operations.All {
				t.Error(p.Text(true))
			}
			if strings.HasSuffix(name, "servers.yaml") && len(p.Differences) > 0 { // what the service cannot do proves nothing
				t.Errorf("the faithful service breaks %q", p.Differences)
			}
			const few = 30 // enough for one operation with about five properties
			if p.Deviations.All < few {
				t.Errorf("only %d deviations came to bear:\n%s", p.Deviations.All, p.Text(true))
			}
		})
	}
}

// TestDifferences: a difference between the readers is reported, but not as a fault. A credential that
// no message carries does not prevent the proof.
func TestDifferences(t *testing.T) {
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
security: [{certificate: []}]
components: {securitySchemes: {certificate: {type: mutualTLS}}}
paths:
  /n:
    post:
      operationId: add
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {n: {type: integer, format: int64}}}}}}
      responses: {'204': {description: d}, '400': {description: d}}
`))
	if !p.Whole() || !slices.ContainsFunc(p.Differences, func(text string) bool { return strings.HasPrefix(text, "add/request/body/n: ") }) {
		t.Error(p.Text(true)) // kin-openapi treats 2^63 as the greatest int64
	}
}

// TestUnshown: each deviation that no request can show has a reason. Variations keep the values of
// declared header fields.
func TestUnshown(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a/{id}: {get: {operationId: a, parameters: [{name: id, in: path, required: true, schema: {type: string, enum: [x, y]}}], responses: {'200': {description: d}}}}
  /b: {get: {operationId: b, responses: {'200': {description: d, headers: {Cache-Control: {schema: {type: string, enum: [no-cache]}}}}, '429': {description: d, content: {text/plain: {}}}}}}
  /c: {get: {operationId: c, responses: {'200': {description: d}}}}
  /jobs: {post: {operationId: addJob, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, responses: {'202': {description: later, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, '400': {description: d}}}}
  /jobs/{id}: {get: {operationId: readJob, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, '404': {description: d}}}, delete: {operationId: cancelJob, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'202': {description: later}, '404': {description: d}}}}
components: {schemas: {Job: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}}}
`), "a", "b", "addJob", "readJob", "cancelJob")
	reasons := map[string]bool{}
	for _, u := range p.Unshown {
		reasons[u.Operation+": "+u.Reason] = true
	}
	if !reasons["b: after such a response the suite waits and asks again"] || !reasons["readJob: what it reads may be created later (202)"] || !reasons["readJob: what it reads may be deleted later (202)"] || p.Operations.All != 5 || !p.Whole() {
		t.Error(p.Text(true))
	}
}

// TestVersionsAndParts: the service sends ETags of the declared form, and Content-Range has the right length. Lists
// are as they were asked for, and a Multi-Status response may reject parts.
func TestVersionsAndParts(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
components:
  schemas:
    Flag: {type: object, required: [key, on], properties: {key: {type: string}, on: {type: boolean}}}
  responses:
    Flag: {description: the flag, headers: {ETag: {required: true, schema: {type: string, pattern: '^"[0-9]+"$'}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
paths:
  /flags/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string, pattern: '^[a-z]{3,20}$'}}]
    get: {operationId: getFlag, responses: {'200': {$ref: '#/components/responses/Flag'}, '404': {description: none}}}
    put:
      operationId: putFlag
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: ['on'], properties: {on: {type: boolean}}}}}}
      responses: {'200': {$ref: '#/components/responses/Flag'}, '201': {$ref: '#/components/responses/Flag'}, '400': {description: invalid}, '412': {description: another version}}
  /file:
    get:
      operationId: download
      responses:
        '200': {description: all, headers: {Content-Length: {schema: {type: integer}}}, content: {text/plain: {schema: {type: string}}, '*/*': {schema: {type: string}}}}
        '206': {description: a part, headers: {Content-Range: {required: true, schema: {type: string, pattern: '^bytes [0-9]+-[0-9]+/[0-9]+$'}}}, content: {text/plain: {schema: {type: string}}}}
  /words:
    get:
      operationId: listWords
      description: All words, sorted by their time, newest first.
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 9, default: 5}}]
      responses: {'200': {description: words, headers: {X-Total-Count: {required: true, schema: {type: integer}}}, content: {application/json: {schema: {type: array, maxItems: 9, items: {type: object, properties: {time: {type: string, format: date-time}}}}}}}, '400': {description: invalid}}
    head: {operationId: headWords, parameters: [{name: n, in: query, required: true, schema: {type: integer}}], responses: {'200': {description: some}, '400': {description: invalid, content: {application/json: {schema: {type: object}}}}}}
    patch:
      operationId: patchWords
      requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: string}}}}}
      responses: {'207': {description: parts, content: {application/json: {schema: {type: array, items: {type: object, required: [status], properties: {status: {type: integer, enum: [200, 400]}}}}}}}, '400': {description: invalid}}
`))
	if p.Operations.Held != p.Operations.All || !p.Whole() {
		t.Error(p.Text(true))
	}
}

// TestRareForms: headers with JSON or without a schema, schemas that inherit a discriminator,
// properties that exclude each other, recursive objects, lists as bodies, ids that the client
// chooses, and a pattern with a lookahead.
func TestRareForms(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
components:
  schemas:
    Pet: {type: object, required: [kind], properties: {kind: {type: string}, mood: {type: string, nullable: true, enum: [calm, wild]}, friend: {nullable: true, allOf: [{$ref: '#/components/schemas/Friend'}]}}, discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [lives], properties: {lives: {type: integer, minimum: 1}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {barks: {type: boolean}}}]}
    Friend: {type: object, required: [name], properties: {name: {type: string, maxLength: 9, pattern: '^(?!-)[a-z -]+$'}, friend: {$ref: '#/components/schemas/Friend'}}}
    Way: {type: object, properties: {to: {type: string}, from: {type: string}}, not: {required: [from, to]}}
paths:
  /pets:
    post:
      operationId: add
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses:
        '201':
          description: d
          headers: {X-T: {required: true, content: {text/plain: {schema: {type: integer}}}}, X-J: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {type: string}}}}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
        '400': {description: d}
  /ways/{id}:
    put:
      operationId: put
      parameters: [{name: id, in: path, required: true, schema: {type: string, format: uuid}}, {name: order, in: query, schema: {oneOf: [{type: integer, maximum: 3}, {type: string, enum: [up]}]}}]
      requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Way'}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Way'}}}}}, '400': {description: d}}
    delete: {operationId: remove, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: d}}}
`))
	if p.Operations.Held != p.Operations.All || !p.Whole() {
		t.Error(p.Text(true))
	}
}

// TestFlawedForms: the proof has no fault for schemas that no value matches, a pattern that is not
// judged, an operation that only redirects, and a list whose size may be negative.
func TestFlawedForms(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
components:
  schemas:
    Narrow: {type: object, additionalProperties: false, properties: {kind: {type: string}}}
    None: {type: object, properties: {note: {type: string}, inner: {allOf: [{$ref: '#/components/schemas/Narrow'}, {type: object, required: [size], properties: {size: {type: integer}}}]}}, required: [note, inner]}
    Long: {type: object, required: [text], properties: {text: {type: string, pattern: '^.{0,262144}$'}}}
    Thing: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}
paths:
  /none: {get: {operationId: none, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/None'}}}}}}}
  /moved: {get: {operationId: moved, parameters: [{name: to, in: query, required: true, schema: {type: integer}}], responses: {'301': {description: d}, '400': {description: d}}}}
  /long:
    post:
      operationId: long
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Long'}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Long'}}}}, '400': {description: d}}
  /things:
    post:
      operationId: add
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '400': {description: d}}
    get:
      operationId: list
      parameters: [{name: limit, in: query, schema: {type: integer, format: int32}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}}, '400': {description: d}}
  /things/{id}:
    get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}}
`))
	if !p.Whole() || p.Deviations.All == 0 {
		t.Error(p.Text(true))
	}
}

// TestAssignedIDs: resources have ids wherever a document shows them: only in lists, in an
// envelope with other ids, in the request body, or in a form that only responses or only paths
// require. Operations on resources that no request creates are tried as well.
func TestAssignedIDs(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
components:
  parameters:
    id: {name: id, in: path, required: true, schema: {type: string}}
  schemas:
    Item: {type: object, required: [name], properties: {id: {type: string, format: uuid, readOnly: true}, name: {type: string}}}
    Items: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Item'}}}}
    Payments: {type: object, properties: {payments: {type: array, items: {type: object, properties: {paymentId: {type: string}, note: {type: string}}}}}}
    Room: {type: object, required: [sid], properties: {sid: {type: string, pattern: '^RM[0-9a-fA-F]{32}$'}, account_sid: {type: string}}}
    User: {type: object, properties: {id: {type: string, readOnly: true}, name: {type: string}}}
    Type: {type: object, properties: {id: {type: string, format: uuid}, name: {type: string, maxLength: 20}, kind: {type: string, enum: [a, b]}}}
    Wage: {type: object, required: [status, pay], properties: {wageID: {type: string, format: uuid, readOnly: true}, status: {type: string, enum: [active, ended]}, pay: {type: integer}}}
  responses:
    Items: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}
    Wage:
      description: d
      content:
        application/json:
          schema: {type: object, properties: {problem: {type: object, properties: {status: {type: string}}}, wage: {$ref: '#/components/schemas/Wage'}}}
          example: {id: envelope, problem: {status: none}, wage: {wageID: 7d3ad5ac-5a9b-4f6c-8a15-3b3f1f0a9c11, status: active, pay: 1}}
    Payments: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Payments'}, example: {id: envelope, payments: [{paymentId: x, note: n}]}}}}
paths:
  /items:
    post:
      operationId: addItems
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Items'}}}}
      responses: {'201': {$ref: '#/components/responses/Items'}, '400': {description: d}}
    get: {operationId: listItems, responses: {'200': {$ref: '#/components/responses/Items'}}}
  /items/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get: {operationId: getItem, responses: {'200': {$ref: '#/components/responses/Items'}, '404': {description: d}}}
  /payments:
    post:
      operationId: pay
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [paymentId], properties: {paymentId: {type: string, minLength: 1}}}}}}
      responses: {'200': {$ref: '#/components/responses/Payments'}, '400': {description: d}}
    get: {operationId: listPayments, responses: {'200': {$ref: '#/components/responses/Payments'}}}
  /payments/{paymentId}:
    parameters: [{name: paymentId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getPayment, responses: {'200': {$ref: '#/components/responses/Payments'}, '404': {description: d}}}
  /types:
    post:
      operationId: addType
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Type'}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Type'}}}}, '400': {description: d}}
  /rooms:
    post: {operationId: open, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}}}
  /rooms/{sid}: {get: {operationId: room, parameters: [{name: sid, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '404': {description: d}}}}
  /users:
    post: {operationId: join, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: d}}}
  /users/{userSid}:
    parameters: [{name: userSid, in: path, required: true, schema: {type: string, pattern: 'US[0-9a-f]{32}'}}]
    get: {operationId: user, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '404': {description: d}}}
    put:
      operationId: rename
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: d}, '404': {description: d}}
  /slips: {get: {operationId: slips, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Item'}}}}}}}}
  /slips/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get: {operationId: slip, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}, '404': {description: d}}}
    put:
      operationId: changeSlip
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}, '400': {description: d}}
    delete: {operationId: dropSlip, responses: {'204': {description: d}, '404': {description: d}}}
  /wages:
    post:
      operationId: addWage
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Wage'}}}}
      responses: {'200': {$ref: '#/components/responses/Wage'}, '400': {description: d}}
  /wages/{WageID}:
    parameters: [{name: WageID, in: path, required: true, schema: {type: string}}]
    get: {operationId: wage, responses: {'200': {$ref: '#/components/responses/Wage'}, '404': {description: d}}}
  /settings/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    get:
      operationId: settings
      parameters: [{name: of, in: query, required: true, explode: false, schema: {type: array, items: {type: string}}}]
      responses: {'200': {description: d}, '400': {description: d}}
  /shut/{id}:
    parameters: [{$ref: '#/components/parameters/id'}]
    post: {operationId: shut, responses: {'204': {description: d}, '404': {description: d}}}
`))
	if !p.Whole() || p.Operations.Held < p.Operations.All || len(p.Differences) > 0 {
		t.Error(p.Text(true))
	}
}

// TestCutOff: an interrupted proof returns an error.
func TestCutOff(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := proof.Run(ctx, contract); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", p, err)
	}
}

// TestRefused: if a proof is impossible, the error says why.
func TestRefused(t *testing.T) {
	const document = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: a, responses: {'200': {description: d%s}}}}}\n"
	for _, row := range []struct{ name, more, only, want string }{
		{"no operation", "", "b*", `"b*" matches no operation`},
		{"another file", ", content: {application/json: {schema: {$ref: 'other.yaml#/x'}}}", "a", "refers to other files"},
		{"a file that does not exist", ", content: {application/json: {schema: {$ref: 'missing.yaml#/x'}}}", "a", "refers to other files"},
	} {
		t.Run(row.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, text := range map[string]string{"openapi.yaml": strings.Replace(document, "%s", row.more, 1), "other.yaml": "x: {type: string}\n"} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			contract, err := spec.LoadFile(t.Context(), filepath.Join(folder, "openapi.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := proof.Run(t.Context(), contract, row.only); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}
