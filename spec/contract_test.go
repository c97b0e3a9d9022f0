package spec_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestClausesOfTheBundledContract checks all clauses with levels and sections, in this order. Ids
// are permanent: a change here affects all users who refer to one.
func TestClausesOfTheBundledContract(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	want := `
createPlant/answers must §4
createPlant/accepts must §4 r2
createPlant/request/credential must §5
createPlant/request/body must §4 r1
createPlant/request/body/name must §2
createPlant/request/body/tag must §2
createPlant/request/body/id must §2
createPlant/request/media-type should §4
createPlant/200/media-type must §4
createPlant/200/body must §2, 4 r2
createPlant/200/body/name must §2 r1
createPlant/200/body/tag must §2 r1
createPlant/200/body/undeclared should §2 r2
createPlant/200/echo should §1, 4
createPlant/400/media-type must §4 r3, 7
createPlant/400/body must §4 r3, 7
createPlant/400/body/error must §4 r3, 7
createPlant/400/body/message must §4 r3, 7
createPlant/400/body/undeclared should §7
createPlant/silent/credential-missing silent §5
createPlant/silent/credential-invalid silent §5
createPlant/silent/other-statuses silent §7
createPlant/silent/rejection-conditions silent §7
createPlant/silent/error-value silent §7
createPlant/silent/field-bounds silent §8
createPlant/silent/size-limits silent §8
createPlant/silent/rate-limits silent §8
createPlant/silent/same-id silent §3
createPlant/silent/unknown-properties silent §2
createPlant/silent/other-methods silent §1
createPlant/silent/version silent §9
`
	var got strings.Builder
	for _, c := range contract.Clauses() {
		got.WriteString("\n" + string(c.ID) + " " + string(c.Level) + " " + c.Section)
		if c.Text == "" || c.Operation != "createPlant" {
			t.Errorf("%s is incomplete: %+v", c.ID, c)
		}
		if found, ok := contract.Clause(c.ID); !ok || found != c {
			t.Errorf("%s is found as %+v", c.ID, found)
		}
	}
	if diff := cmp.Diff(want, got.String()+"\n"); diff != "" {
		t.Error(diff)
	}
}

// TestTheBundledContract checks the data for writing requests.
func TestTheBundledContract(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if contract.Title != "Plant Store" || contract.Version != "1.0.0" || contract.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("got %q %q %q", contract.Title, contract.Version, contract.SHA256)
	}
	op, ok := contract.Operation("createPlant")
	if !ok || len(contract.Operations) != 1 || op.Method != http.MethodPost || op.Path != "/plants" || len(op.Parameters) != 0 {
		t.Fatalf("got %+v", op)
	}
	if op.RequestBody == nil || !op.RequestBody.Required || op.RequestBody.MediaType() != "application/json" {
		t.Errorf("request body %+v", op.RequestBody)
	}
	if diff := cmp.Diff(spec.Security{{{Name: "bearerAuth", Kind: spec.Bearer, In: "header", Field: "Authorization"}}}, op.Security); diff != "" {
		t.Error(diff)
	}
	for status, declared := range map[int]bool{200: true, 400: true, 201: false, 401: false, 500: false} {
		if op.Declares(status) != declared {
			t.Errorf("%d declared: %v", status, !declared)
		}
	}
	for _, id := range []string{"", "createPlant", "createPlant/", "createPlant/200", "createPlant/200/body/id"} {
		if c, ok := contract.Clause(spec.ClauseID(id)); ok {
			t.Errorf("%q is %+v", id, c)
		}
	}
	if _, ok := contract.Operation("createplant"); ok {
		t.Error("an operation id is found in other letters")
	}
}

// borrowed returns a document whose only operation is in an extension, on line 4.
func borrowed(operation string) string {
	return spectest.Head("3.0.3") + "paths: {/a: {$ref: '#/x-items/A'}}\nx-items: {A: {get: {" + operation + "}}}\n"
}

const fine = "responses: {'200': {description: d}}"

// TestFlaws checks that each flaw is reported in one sentence, with its place. Few flaws prevent
// reading a document. The others are notes, which name the affected operations, or only advice.
func TestFlaws(t *testing.T) {
	for _, row := range []struct{ flaw, document, want string }{
		// The kind of document
		{"Swagger 2.0 without operations", "swagger: '2.0'\npaths: {}\n", "x.yaml:1:1: the document declares no operation"},
		{"an older Swagger", "swagger: '1.2'\n", "x.yaml:1:10: Swagger 1.2 is not supported; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are"},
		{"another version", "openapi: 4.0.0\n", "x.yaml:1:10: OpenAPI 4.0.0 is not supported; 3.0, 3.1 and 3.2 are, and Swagger 2.0"},
		{"a later minor version", "openapi: 3.2.0\n", "x.yaml:1:1: the document declares no operation"},
		{"no version", "info: {}\n", "x.yaml:1:1: not an OpenAPI document: the key openapi is missing; give the document itself, not a page or a collection made from it"},
		{"a version that is a number", "openapi: 3.0\n", "x.yaml:1:10: openapi must be a string such as '3.0.3', found a number"},
		{"no mapping", "- openapi\n", "x.yaml:1:1: not an OpenAPI document: the key openapi is missing; give the document itself, not a page or a collection made from it"},
		{"a second YAML document", spectest.Paths("  /a: {get: {" + fine + "}}\n---\n{}\n"), "x.yaml:6:1: contains a second YAML document; put it into another file"},
		{"junk behind JSON", `{"openapi": "3.0.3"} junk`, "x.yaml:1:22: not valid YAML or JSON: text after the end of the value"},
		{"nothing", "", "x.yaml: is empty"},
		{"a key twice", spectest.Head("3.0.3") + "openapi: 3.0.3\n", `x.yaml:3:1: duplicate key "openapi" (first in line 1)`},

		// Its structure
		{"no operations", spectest.Head("3.0.3") + "paths: {}\n", "x.yaml:1:1: the document declares no operation"},
		{"only webhooks", spectest.Head("3.1.0") + "webhooks: {a: {post: {" + fine + "}}}\n", "x.yaml:1:1: the document declares no operation"},
		{"no paths", spectest.Head("3.0.3"), "x.yaml:1:1: the document declares no operation"},
		{"paths in a list", spectest.Head("3.0.3") + "paths: [1]\n", "x.yaml:3:8: paths must be a mapping, found a list"},
		{"a path item of another kind", spectest.Paths("  /a: 1\n"), "x.yaml:4:7: a path item must be a mapping, found a number"},
		{"an operation of another kind", spectest.Paths("  /a: {get: x}\n"), "x.yaml:4:13: an operation must be a mapping, found a string"},
		{"a path without a slash", spectest.Paths("  a: {get: {" + fine + "}}\n"), `x.yaml:4:3: the path "a" must begin with a slash`},
		{"paths that differ in a name only", spectest.Paths("  /{a}:\n    get: {parameters: [{name: a, in: path, required: true, schema: {}}], " + fine + "}\n  /{b}:\n    get: {parameters: [{name: b, in: path, required: true, schema: {}}], " + fine + "}\n"),
			"note x.yaml:6:3: the paths /{a} and /{b} differ only in the names of their parameters []"},
		{"no title", "openapi: 3.0.3\ninfo: {version: '1'}\npaths:\n  /a: {get: {" + fine + "}}\n", "advice x.yaml:2:7: value of title must be a non-empty string"},
		{"examples that their schemas refuse", spectest.Paths("  /a: {get: {parameters: [{name: q, in: query, schema: {type: integer}, example: x}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: integer, example: many}}, examples: {a: {value: [7]}, b: {value: [x]}}}}}}}}\n"),
			"advice x.yaml:4:206: the example does not meet its schema: has the wrong type; advice x.yaml:4:82: the example does not meet its schema: has the wrong type; advice x.yaml:4:253: the example does not meet its schema: /0 has the wrong type"},
		{"an unknown key", spectest.Paths("  /a:\n    get:\n      " + fine + "\n      reponses: {}\n"), "advice x.yaml:7:17: unknown key reponses"},
		{"an unknown key, and the same name elsewhere", spectest.Paths("  /a:\n    get: {summary: x, responses: {'200': {description: d, summary: x}}}\n"), "advice x.yaml:5:10: unknown key summary"},
		{"a mapping in place of a text", spectest.Head("3.0.3") + "paths:\n  /a: {get: {summary: x, " + fine + "}, put: {summary: {}, " + fine + "}}\n", "advice x.yaml:4:80: summary must not be a mapping"},
		{"texts that are none", spectest.Paths("  /a: {get: {summary: 1, " + fine + "}, put: {summary: 1, " + fine + "}}\n"),
			"advice x.yaml:1:1: some summary has a value of the wrong kind: json: cannot unmarshal number into field Operation.summary of type string"},
		{"a flag that is none", spectest.Paths("  /a: {get: {deprecated: x, " + fine + "}}\n"), "advice x.yaml:4:26: deprecated must not be a string"},
		{"a flag that is none, in a list", spectest.Paths("  /a:\n    get: {parameters: [{name: q, in: query, schema: {}, required: x}], " + fine + "}\n"), "advice x.yaml:5:67: required must not be a string"},
		{"a number that is none, beside one", spectest.Document("3.0.3", "{}") + "components: {schemas: {A: {maxLength: 1}, B: {maxLength: -1}}}\n", `note x.yaml:12:58: maxLength must be a number of 0, 1, 2 …, found "-1" []`},
		{"a number that is none", spectest.Document("3.0.3", "{}") + "components: {schemas: {A: {maxLength: -1}}}\n", `note x.yaml:12:39: maxLength must be a number of 0, 1, 2 …, found "-1" []`},
		{"a component that is incomplete", spectest.Paths("  /a: {get: {"+fine+"}}\n") + "components:\n  requestBodies:\n    A: {description: d}\n", "advice x.yaml:7:8: content of the request body is required"},
		{"an operation id twice", spectest.Paths("  /a:\n    get: {operationId: x, " + fine + "}\n    put: {operationId: x, " + fine + "}\n"),
			"note x.yaml:6:24: GET /a and PUT /a share the operation id x []"},
		{"operation ids that are one as a folder's name", spectest.Paths("  /a:\n    get: {operationId: a b, " + fine + "}\n    put: {operationId: a/b, " + fine + "}\n"),
			"note x.yaml:6:24: GET /a and PUT /a share the operation id a-b []"},
		{"a path parameter that is not declared", spectest.Paths("  /{a}:\n    get: {" + fine + "}\n"), "note x.yaml:5:10: the path parameter a is not declared; it is treated as a string []"},
		{"a parameter in the body", spectest.Paths("  /a:\n    get:\n      parameters: [{name: x, in: body, schema: {}}]\n      " + fine + "\n"),
			"note x.yaml:6:20: a parameter must have a name, and in: path, query, header or cookie, or querystring as a form [get-a]"},
		{"a security scheme that is not there", spectest.Paths("  /a:\n    get: {security: [{key: []}], " + fine + "}\n"), "note x.yaml:5:23: there is no security scheme key [get-a]"},

		// Responses
		{"a status class that does not exist", spectest.Paths("  /a:\n    get:\n      responses: {6xx: {description: d}}\n"), `note x.yaml:6:19: "6xx" is not a status: it must be like 200, 4XX or default []`},
		{"a status that does not exist", spectest.Paths("  /a:\n    get:\n      responses: {'600': {description: d}}\n"), `note x.yaml:6:19: "600" is not a status: it must be like 200, 4XX or default []`},
		{"a class below the first", spectest.Paths("  /a:\n    get:\n      responses: {0XX: {description: d}}\n"), `note x.yaml:6:19: "0XX" is not a status: it must be like 200, 4XX or default []`},
		{"a status of two digits", spectest.Paths("  /a:\n    get:\n      responses: {'20': {description: d}}\n"), `note x.yaml:6:19: "20" is not a status: it must be like 200, 4XX or default []`},
		{"a status with a sign", spectest.Paths("  /a:\n    get:\n      responses: {'2+1': {description: d}}\n"), `note x.yaml:6:19: "2+1" is not a status: it must be like 200, 4XX or default []`},
		{"no responses", spectest.Paths("  /a:\n    get: {responses: {}}\n"), "note x.yaml:5:10: the operation declares no response []"},
		{"responses in a list", spectest.Paths("  /a:\n    get: {responses: [1]}\n"), "note x.yaml:5:22: responses must be a mapping, found a list [get-a]"},
		{"a response of another kind", spectest.Paths("  /a:\n    get: {responses: {'200': x}}\n"), "note x.yaml:5:30: a response must be a mapping, found a string [get-a]"},
		{"content of another kind", spectest.Paths("  /a:\n    get: {responses: {'200': {description: d, content: x}}}\n"), "note x.yaml:5:56: content must be a mapping, found a string [get-a]"},
		{"a media type of another kind", spectest.Paths("  /a:\n    get: {responses: {'200': {description: d, content: {a/b: x}}}}\n"), "note x.yaml:5:62: a media type must be a mapping, found a string [get-a]"},
		{"headers of another kind", spectest.Paths("  /a:\n    get: {responses: {'200': {description: d, headers: x}}}\n"), "note x.yaml:5:56: headers must be a mapping, found a string [get-a]"},
		{"a header of another kind", spectest.Paths("  /a:\n    get: {responses: {'200': {description: d, headers: {A: x}}}}\n"), "note x.yaml:5:60: a header must be a mapping, found a string [get-a]"},
		{"a request body of another kind", spectest.Paths("  /a:\n    put: {requestBody: {content: x}, " + fine + "}\n"), "note x.yaml:5:34: content must be a mapping, found a string [put-a]"},
		{"a request as no media type", spectest.Paths("  /a:\n    put: {requestBody: {content: {json: {}}}, " + fine + "}\n"), `note x.yaml:5:35: the media type "json" has no type and subtype [put-a]`},
		{"a body of GET", spectest.Paths("  /a:\n    get: {requestBody: {content: {}}, " + fine + "}\n"), "note x.yaml:5:24: the body of GET means nothing in HTTP, so a service may ignore it: no clause is derived from it []"},
		{"a response without description", spectest.Paths("  /a:\n    get: {responses: {'200': {}}}\n"), "note x.yaml:5:30: a response must have a description; this has no content and no headers either [get-a]"},
		{"a media type without subtype", spectest.Paths("  /a:\n    get: {responses: {'200': {description: d, content: {json: {}}}}}\n"), `note x.yaml:5:57: the media type "json" has no type and subtype [get-a]`},

		// References
		{"a reference out of the document", spectest.Document("3.0.3", "{$ref: 'other.yaml#/X'}"), `note x.yaml:11:30: $ref "other.yaml#/X" leaves the document; bundle the contract into one file first [get-a]`},
		{"a reference to nothing", spectest.Document("3.0.3", "{$ref: '#/components/schemas/X'}"), `note x.yaml:11:30: $ref "#/components/schemas/X" points to nothing [get-a]`},
		{"a reference to an anchor", spectest.Document("3.1.0", "{$ref: '#here'}"), `note x.yaml:11:30: $ref "#here" points to nothing [get-a]`},
		{"a reference with a bad escape", spectest.Document("3.0.3", "{$ref: '#/%zz'}"), `note x.yaml:11:30: $ref "#/%zz" is not a URI: invalid URL escape "%zz" [get-a]`},
		{"an unused reference to nothing", spectest.Document("3.0.3", "{}") + "components:\n  schemas:\n    A: {items: {$ref: '#/x'}}\n", `note x.yaml:14:23: $ref "#/x" points to nothing []`},
		{"a reference to something else", spectest.Paths("  /a:\n    get: {responses: {'200': {$ref: '#/components/schemas/A'}}}\n") + "components: {schemas: {A: {type: object}}}\n",
			"note x.yaml:6:27: a response must have a description; this has no content and no headers either [get-a]"},
		{"a reference to something else, behind another", spectest.Paths("  /a:\n    get: {responses: {'200': {$ref: '#/components/responses/A'}, '201': {$ref: '#/components/schemas/A'}}}\n") + "components: {responses: {A: {description: d}}, schemas: {A: {type: object}}}\n",
			"note x.yaml:6:61: a response must have a description; this has no content and no headers either [get-a]"},
		{"a reference that is no text", spectest.Paths("  /a:\n    get: {responses: {'200': {$ref: 1}}}\n"), "note x.yaml:5:37: $ref must be a string, found a number [get-a]"},
		{"an unused reference to nothing, in a list", spectest.Document("3.0.3", "{}") + "components:\n  schemas:\n    A: {allOf: [{$ref: '#/x'}]}\n", `note x.yaml:14:24: $ref "#/x" points to nothing []`},
		{"an unused reference to nothing, below a name", spectest.Document("3.0.3", "{}") + "components:\n  schemas:\n    example: {$ref: '#/x'}\n", `note x.yaml:14:21: $ref "#/x" points to nothing []`},
		{"a reference to nothing, in a part of an extension that is used: a parameter", borrowed("parameters: [{$ref: '#/x'}], " + fine), `note x.yaml:4:41: $ref "#/x" points to nothing [get-a]`},
		{"the same: a request body", borrowed("requestBody: {$ref: '#/x'}, " + fine), `note x.yaml:4:41: $ref "#/x" points to nothing [get-a]`},
		{"the same: a response", borrowed("responses: {'200': {$ref: '#/x'}}"), `note x.yaml:4:47: $ref "#/x" points to nothing [get-a]`},
		{"the same: a header", borrowed("responses: {'200': {description: d, headers: {A: {$ref: '#/x'}}}}"), `note x.yaml:4:77: $ref "#/x" points to nothing [get-a]`},
		{"the same: a schema", borrowed("responses: {'200': {description: d, content: {application/json: {schema: {allOf: [{$ref: '#/x'}]}}}}}"), `note x.yaml:4:110: $ref "#/x" points to nothing [get-a]`},
		{"the same: a property deeper than clauses go", borrowed("responses: {'200': {description: d, content: {application/json: {schema: " + strings.Repeat("{properties: {a: ", 7) + "{$ref: '#/x'}" + strings.Repeat("}}", 7) + "}}}}"), `note x.yaml:4:220: $ref "#/x" points to nothing [get-a]`},
		{"references in a circle", spectest.Document("3.0.3", "{}") + "components:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n",
			"note x.yaml:14:8: $ref goes round in a circle []; note x.yaml:15:8: $ref goes round in a circle []"},
		{"a schema that includes itself", spectest.Document("3.0.3", "{$ref: '#/components/schemas/A'}") + "components:\n  schemas:\n    A: {allOf: [{$ref: '#/components/schemas/A'}]}\n",
			"note x.yaml:14:8: the schema includes itself, so that no value can be judged by it [get-a]"},
		{"a schema that is one of its own alternatives", spectest.Document("3.0.3", "{$ref: '#/components/schemas/A'}") + "components:\n  schemas:\n    A: {oneOf: [{$ref: '#/components/schemas/B'}]}\n    B: {allOf: [{$ref: '#/components/schemas/A'}]}\n",
			"note x.yaml:14:8: the schema includes itself, so that no value can be judged by it [get-a]"},
		{"a schema that includes itself under a condition", spectest.Document("3.1.0", "{$ref: '#/components/schemas/A'}") + "components:\n  schemas:\n    A: {if: {}, then: {$ref: '#/components/schemas/A'}}\n",
			"note x.yaml:14:8: the schema includes itself, so that no value can be judged by it [get-a]"},

		// Schemas
		{"a pattern that is not supported", spectest.Document("3.0.3", "{type: object, properties: {a: {type: string, pattern: 'a(?!x)'}}}"),
			"note x.yaml:11:78: this pattern is not supported: error parsing regexp: invalid or unsupported Perl syntax: `(?!` [get-a]"},
		{"a type that does not exist", spectest.Document("3.0.3", "{type: strin}"),
			`note x.yaml:11:30: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found "strin" [get-a]`},
		{"a type that is no pattern either", spectest.Document("3.0.3", "{type: (}"),
			`note x.yaml:11:30: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found "(" [get-a]`},
		{"a pattern that is no text", spectest.Document("3.0.3", "{pattern: 1}"), "note x.yaml:11:33: pattern must be a string, found a number [get-a]"},
		{"a flaw in a schema that is referred to", spectest.Document("3.0.3", "{$ref: '#/components/schemas/A'}") + "components:\n  schemas:\n    A: {minimum: '1'}\n",
			`note x.yaml:14:18: minimum must be a number, found "1" [get-a]`},
		{"a schema of another dialect, which is not fetched", spectest.Document("3.1.0", "{$schema: 'file:///dialect.json'}"),
			`note x.yaml:11:33: $schema must be a dialect of JSON Schema or OpenAPI, found "file:///dialect.json" [get-a]`},
		{"a schema from elsewhere, which is not fetched", spectest.Document("3.1.0", "{$dynamicRef: 'file:///other.json'}"),
			`note x.yaml:11:37: $ref "file:///other.json" leads to another address, which is not fetched; save that file next to the document [get-a]`},
		{"a schema that is none", spectest.Document("3.0.3", "x"), "note x.yaml:11:23: a schema must be a mapping, found a string [get-a]"},
		{"a bound in a string", spectest.Document("3.0.3", "{minimum: '1'}"), `note x.yaml:11:33: minimum must be a number, found "1" [get-a]`},
		{"a number that JSON cannot write", spectest.Document("3.0.3", "{minimum: 007, example: .inf}"), `note x.yaml:11:33: minimum must be a number, found "007" [get-a]`},
		{"a value that JSON cannot write", spectest.Document("3.0.3", "{enum: [1, 0x10]}"), `note x.yaml:11:30: enum has 0x10, which is not a valid JSON number; quote it if it is text [get-a]`},
		{"a list of no alternatives", spectest.Document("3.0.3", "{oneOf: []}"), `note x.yaml:11:31: oneOf must be a list that is not empty, found a list []`},
		{"properties in a list", spectest.Document("3.0.3", "{properties: [a]}"), `note x.yaml:11:36: properties must be a mapping, found a list [get-a]`},
		{"a method that there is not before 3.2", spectest.Paths("  /a: {get: {" + fine + "}, query: {" + fine + "}}\n"), "advice x.yaml:4:60: field query is for OpenAPI >=3.2"},
		{"required as a flag", spectest.Document("3.0.3", "{properties: {a: {required: true}}}"), "note x.yaml:11:51: required must be a list of names, found a boolean []"},
		{"a list without items", spectest.Document("3.0.3", "{type: array}"), "advice x.yaml:6:7: when schema type is 'array', schema 'items' must be non-null"},
		{"a list of types in 3.0", spectest.Document("3.0.3", "{type: [string, 'null']}"), "note x.yaml:11:30: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found a list [get-a]"},
		{"a numeric exclusive bound in 3.0", spectest.Document("3.0.3", "{exclusiveMinimum: 1}"), `note x.yaml:11:42: exclusiveMinimum must be true or false before OpenAPI 3.1, found "1" [get-a]`},
		{"a boolean exclusive bound in 3.1", spectest.Document("3.1.0", "{exclusiveMinimum: true}"), "note x.yaml:11:42: exclusiveMinimum must be a number in OpenAPI 3.1, found a boolean [get-a]"},
		{"a list of types in a request", spectest.Paths("  /a: {put: {requestBody: {content: {application/json: {schema: {type: [string]}}}}, " + fine + "}}\n"),
			"note x.yaml:4:72: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found a list [put-a]"},
		{"a list of types in a parameter", spectest.Paths("  /a: {get: {parameters: [{name: q, in: query, schema: {type: [string]}}], " + fine + "}}\n"),
			"note x.yaml:4:63: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found a list [get-a]"},
		{"a list of types in a header", spectest.Paths("  /a: {get: {responses: {'200': {description: d, headers: {A: {schema: {type: [string]}}}}}}}\n"),
			"note x.yaml:4:79: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found a list [get-a]"},
		{"a list of types deep inside", spectest.Document("3.0.3", "{allOf: [{items: {oneOf: [{additionalProperties: {properties: {a: {type: [string]}}}}]}}]}"),
			"note x.yaml:11:96: type must be one of array, boolean, integer, null, number, object, string (null is written as nullable: true), found a list [get-a]"},
		{"a bound in a string in a header", spectest.Paths("  /a: {get: {responses: {'200': {description: d, headers: {A: {schema: {minimum: '1'}}}}}}}\n"), `note x.yaml:4:82: minimum must be a number, found "1" [get-a]`},
		{"a keyword of 3.1 in 3.0", spectest.Document("3.0.3", "{const: 1}"), "advice x.yaml:11:31: field const is for OpenAPI >=3.1"},
	} {
		t.Run(row.flaw, func(t *testing.T) {
			contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(row.document)}, nil)
			if got := flawsOf(t, contract, err); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

// flawsOf returns the flaws of a document as text: the error of Load, or its notes, or else the
// advice.
func flawsOf(t *testing.T, contract *spec.Contract, err error) string {
	t.Helper()
	if err != nil {
		if _, located := errors.AsType[*document.Error](err); !located {
			t.Fatalf("%v; want a *document.Error", err)
		}
		text, _, _ := strings.Cut(err.Error(), "\n")
		return strings.TrimPrefix(text, "reading the contract: ")
	}
	var told []string
	for _, note := range contract.Notes {
		told = append(told, fmt.Sprintf("note %s %v", note.Sentence(), note.Operations))
	}
	if told == nil {
		advice, err := contract.Advice(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range advice {
			told = append(told, "advice "+note.Sentence())
		}
	}
	return strings.Join(told, "; ")
}

// TestLoadAccepts checks documents that validators reject.
func TestLoadAccepts(t *testing.T) {
	for name, text := range map[string]string{
		"a version nobody has heard of":        spectest.Head("3.1.3") + "paths: {/a: {get: {" + fine + "}}}",
		"a version of two numbers":             spectest.Head("'3.0'") + "paths: {/a: {get: {" + fine + "}}}",
		"JSON":                                 `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"responses": {"200": {"description": "d"}}}}}}`,
		"a status as a number":                 spectest.Paths("  /a: {get: {responses: {200: {description: d}}}}"),
		"a class in small letters":             spectest.Paths("  /a: {get: {responses: {4xx: {description: d}}}}"),
		"extensions everywhere":                spectest.Head("3.0.3") + "x-a: 1\npaths: {x-b: 1, /a: {x-c: 1, get: {responses: {x-d: 1, '200': {description: d, content: {application/json: {x-e: 1}}}}}}}",
		"path items among the components":      spectest.Head("3.1.0") + "paths: {/a: {$ref: '#/components/pathItems/A'}}\ncomponents: {pathItems: {A: {get: {" + fine + "}}}}",
		"a reference with percent-encoding":    spectest.Paths("  /a: {get: {responses: {'200': {$ref: '#/paths/~1%7Bb%7D/get/responses/200'}}}}\n  /{b}: {get: {parameters: [{name: b, in: path, required: true, schema: {}}], " + fine + "}}"),
		"an example that looks like a $ref":    spectest.Document("3.0.3", "{type: object, example: {$ref: nowhere}, default: {$ref: nowhere}}"),
		"properties that are called keywords":  spectest.Document("3.0.3", "{type: object, properties: {$ref: {type: string}, example: {$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema/properties/type'}, type: {type: string}}}"),
		"the first and the last status":        spectest.Paths("  /a: {get: {responses: {'100': {description: d}, 5XX: {description: d}, '599': {description: d}}}}"),
		"a property that is called properties": spectest.Document("3.0.3", "{type: object, properties: {properties: {type: object, example: {$ref: nowhere}}}}"),
		"a pattern in a request":               spectest.Paths("  /a: {get: {parameters: [{name: q, in: query, schema: {type: string, pattern: 'a(?!x)'}}], " + fine + "}}"),
		"a property that is called $ref":       spectest.Document("3.1.0", "{properties: {$ref: {}, a: {}}, dependentRequired: {$ref: [a]}}"),
		"an extension that looks like a $ref":  spectest.Head("3.0.3") + "x-a: {$ref: nowhere}\npaths: {/a: {get: {" + fine + "}}}",
		"a content that is a $ref":             spectest.Paths("  /a: {get: {parameters: [{name: p, in: query, content: {$ref: '#/components/mediaTypes/M'}}], responses: {'200': {description: d, headers: {X-A: {content: {$ref: '#/components/mediaTypes/M'}}}, content: {$ref: '#/components/mediaTypes/M'}}}}}\ncomponents: {mediaTypes: {M: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}}}"),
		"a default that breaks its schema":     spectest.Document("3.0.3", "{type: integer, default: x}"),
	} {
		t.Run(name, func(t *testing.T) {
			contract := spectest.Load(t, text)
			if len(contract.Operations) == 0 || len(contract.Operations[0].Clauses()) == 0 {
				t.Error("no operation with clauses")
			}
		})
	}
}

// TestSchemasThatAllReferToAll checks that such schemas load fast, although they have a million
// parts if all references are followed.
func TestSchemasThatAllReferToAll(t *testing.T) {
	var properties, schemas strings.Builder
	for i := range 12 {
		fmt.Fprintf(&properties, "p%d: {$ref: '#/components/schemas/S%d'}, ", i, i)
	}
	for i := range 12 {
		fmt.Fprintf(&schemas, "    S%d: {type: object, properties: {%s}}\n", i, properties.String())
	}
	contract := spectest.Load(t, spectest.Document("3.0.3", "{$ref: '#/components/schemas/S0'}")+"components:\n  schemas:\n"+schemas.String())
	if n := len(contract.Clauses()); n > 50_000 {
		t.Errorf("%d clauses", n)
	}
	if got := spectest.Check(t, contract.Operations[0], spectest.Answer(200, `{"p1":{"p2":{"p3":{"p4":{"p5":{"p6":{"p7":{}}}}}}}}`)).Breaches; len(got) > 0 {
		t.Errorf("breaches %+v", got)
	}
}

// TestLoadFile checks that the clauses.yaml next to a document is read, if there is one.
func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "api.yaml")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := spec.LoadFile(t.Context(), path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	write("api.yaml", spectest.Paths("  /a: {get: {operationId: x, "+fine+"}}\n"))
	contract, err := spec.LoadFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := contract.Clause("x/answers"); c.Section != "#/paths/~1a/get (line 4)" || c.Line != 4 {
		t.Errorf("without clauses.yaml: %+v", c)
	}
	write("clauses.yaml", "clauses: {x/answers: {section: '4'}}\n")
	if contract, err = spec.LoadFile(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if c, _ := contract.Clause("x/answers"); c.Section != "§4" || c.Level != spec.Must {
		t.Errorf("with clauses.yaml: %+v", c)
	}
	if err := os.MkdirAll(filepath.Join(dir, "odd", "clauses.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join("odd", "api.yaml"), spectest.Paths("  /a: {get: {"+fine+"}}\n"))
	if _, err := spec.LoadFile(t.Context(), filepath.Join(dir, "odd", "api.yaml")); err == nil || !strings.HasPrefix(err.Error(), "reading the contract's clauses: ") {
		t.Errorf("with a folder as clauses.yaml: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "bare"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := spec.LoadFile(t.Context(), filepath.Join(dir, "bare")); err == nil {
		t.Error("a folder is a contract")
	}
	write("clauses.yaml", "clauses: {x/answer: {section: '4'}}\n")
	if _, err = spec.LoadFile(t.Context(), path); err == nil || !strings.Contains(err.Error(), "clauses.yaml:1:11: x/answer is not a clause") {
		t.Errorf("with a wrong clauses.yaml: %v", err)
	}
}
