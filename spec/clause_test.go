package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestDerivedClauses checks the clauses of a document, in their order.
func TestDerivedClauses(t *testing.T) {
	for _, row := range []struct{ name, document, want string }{
		{"next to nothing", spectest.Paths("  /a: {get: {operationId: x, " + fine + "}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/silent/other-statuses silent: which undeclared statuses are possible?
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a default response leaves no status open", spectest.Paths("  /a: {get: {operationId: x, responses: {2XX: {description: d, content: {text/plain: {}}}, default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 2XX
x/2XX/media-type must: a 2XX response has the media type text/plain
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"parameters", spectest.Paths(`  /a/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: q, in: query, schema: {type: string}}
      - {name: Trace/Id, in: header, required: true, schema: {}}
    get:
      operationId: x
      ` + fine + `
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, format: int64}}
        - {name: limit, in: query, schema: {type: integer, format: int32}}
        - {name: free, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string, enum: [up, down]}}
        - {name: words, in: query, schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, required: true, schema: {type: array, items: {type: integer}}}
        - {name: filter, in: query, schema: {type: object}}
        - {name: session, in: cookie, schema: {type: string, format: uuid}}
        - {name: X-Any, in: header, content: {application/json: {}}}
        - {name: accept, in: header, required: true, schema: {type: string, format: uuid}}
`), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/request/header/Trace~1Id must: a request whose header parameter Trace/Id is missing must be rejected
x/request/path/id must: a request whose path parameter id is missing or not an int64 must be rejected
x/request/query/limit must: a request whose query parameter limit is present but not an int32 must be rejected
x/request/query/sort must: a request whose query parameter sort is present but not one of "up", "down" must be rejected
x/request/query/ids must: a request whose query parameter ids is missing or not a list, each item an integer must be rejected
x/request/cookie/session must: a request whose cookie parameter session is present but not a string (uuid) must be rejected
x/silent/other-statuses silent: which undeclared statuses are possible?
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a request body, and an echo", spectest.Head("3.0.3") + `paths:
  /a:
    put:
      operationId: x
      requestBody:
        required: true
        content:
          text/csv: {}
          application/json: {schema: {allOf: [{$ref: '#/components/schemas/A'}, {required: [id], properties: {id: {type: integer}}}]}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    A:
      type: object
      required: [n]
      properties: {n: {type: string}, tags: {type: array, items: {type: object, required: [k], properties: {k: {type: string}}}}, at: {readOnly: true, type: string}, any: {}}
`, `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/request/body must: a request whose body is missing or not an object must be rejected
x/request/body/n must: a request whose n is missing or not a string must be rejected
x/request/body/tags must: a request whose tags is present but not a list must be rejected
x/request/body/tags/*/k must: a request whose tags[].k is missing or not a string must be rejected
x/request/body/id must: a request whose id is missing or not an integer must be rejected
x/request/media-type should: a request whose body is not declared as text/csv or application/json should be rejected
x/200/media-type must: a 200 response has the media type application/json
x/200/body must: the body of a 200 response is one JSON value: an object
x/200/body/n must: in the body of a 200 response, n is present and is a string
x/200/body/tags must: in the body of a 200 response, tags, if present, is a list
x/200/body/tags/*/k must: in each item of tags of the body of a 200 response, k is present and is a string
x/200/body/tags/*/undeclared should: each item of tags of the body of a 200 response has no undeclared property
x/200/body/at must: in the body of a 200 response, at, if present, is a string
x/200/body/undeclared should: the body of a 200 response has no undeclared property
x/200/echo should: a 200 response shows the values that were sent
x/silent/other-statuses silent: which undeclared statuses are possible?
`},
		{"a request of any media type, and no status of success", spectest.Paths("  /a: {put: {operationId: x, requestBody: {content: {text/csv: {}, '*/*': {schema: {}}, application/json: {schema: {type: object}}}}, responses: {default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/request/body must: a request whose body is present but not an object must be rejected
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a header that a service may ignore", spectest.Paths("  /a: {get: {operationId: x, parameters: [{name: Range, in: header, schema: {type: string, pattern: '^bytes='}}], responses: {default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/request/header/Range should: a request whose header parameter Range is present but not a string that matches ^bytes= should be rejected
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a body that a service may ignore", spectest.Paths("  /a: {delete: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: object}}}}, responses: {default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a parameter that is any list", spectest.Head("3.1.0") + "paths:\n  /a: {get: {operationId: x, parameters: [{name: q, in: query, schema: {type: array, items: true}}], responses: {default: {description: d}}}}", `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a component that adds to another", spectest.Head("3.1.0") + `paths: {/a: {put: {operationId: x, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}, responses: {default: {description: d}}}}}
components: {schemas: {New: {$ref: '#/components/schemas/Base', required: [pin], properties: {pin: {type: string}, at: {$ref: '#/components/schemas/Marked'}}}, Base: {type: object, properties: {name: {type: string}}}, Marked: {$ref: '#/components/schemas/Base', readOnly: true}}}`, `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/request/body must: a request whose body is present but not an object must be rejected
x/request/body/name must: a request whose name is present but not a string must be rejected
x/request/body/pin must: a request whose pin is missing or not a string must be rejected
x/request/media-type should: a request whose body is not declared as application/json should be rejected
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a media type in two charsets, of which the first counts", spectest.Paths("  /a: {put: {operationId: x, requestBody: {content: {application/json; charset=utf-8: {schema: {type: object}}, application/json; charset=utf-16: {schema: {type: string}}}}, responses: {default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/request/body must: a request whose body is present but not an object must be rejected
x/request/media-type should: a request whose body is not declared as application/json; charset=utf-8 or application/json; charset=utf-16 should be rejected
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a response that shows one alternative of the request, which is not echoed", spectest.Paths("  /a: {put: {operationId: x, requestBody: {content: {'*/*': {schema: {oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}}}}, responses: {2XX: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, default: {description: d}}}}\ncomponents: {schemas: {A: {type: object, properties: {n: {}}, additionalProperties: true}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 2XX
x/request/body must: a request whose body is present but not an object or a string must be rejected
x/2XX/media-type must: a 2XX response has the media type application/json
x/2XX/body must: the body of a 2XX response is one JSON value: an object
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a request of any JSON", spectest.Paths("  /a: {put: {operationId: x, requestBody: {content: {'*/*': {schema: {}}, text/csv: {}}}, responses: {default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted
x/request/body must: a request whose body is present but not a JSON value must be rejected
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a request in another format than JSON", spectest.Paths("  /a: {put: {operationId: x, requestBody: {required: true, content: {text/csv: {schema: {type: string}}}}, " + fine + "}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/request/body must: a request whose body is missing must be rejected
x/request/media-type should: a request whose body is not declared as text/csv should be rejected
x/silent/other-statuses silent: which undeclared statuses are possible?
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"a PATCH carries changes, which are not echoed", spectest.Head("3.0.3") + `paths:
  /a:
    patch:
      operationId: x
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components: {schemas: {A: {type: object, properties: {n: {type: string}}, additionalProperties: false}}}
`, `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/request/body must: a request whose body is present but not an object without undeclared properties must be rejected
x/request/body/n must: a request whose n is present but not a string must be rejected
x/request/media-type should: a request whose body is not declared as application/json should be rejected
x/200/media-type must: a 200 response has the media type application/json
x/200/body must: the body of a 200 response is one JSON value: an object
x/200/body/n must: in the body of a 200 response, n, if present, is a string
x/200/body/undeclared must: the body of a 200 response has no undeclared property
x/silent/other-statuses silent: which undeclared statuses are possible?
`},
		{"HEAD", spectest.Paths("  /a: {head: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, default: {description: d}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/200/media-type must: a 200 response has the media type application/json
x/200/body must: a 200 response to HEAD has no body
x/default/body must: a default response to HEAD has no body
`},
		{"an object of which nothing is known, which is not echoed", spectest.Paths("  /a: {put: {operationId: x, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, default: {description: d}}}}\ncomponents: {schemas: {A: {type: object}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/request/body must: a request whose body is present but not an object must be rejected
x/request/media-type should: a request whose body is not declared as application/json should be rejected
x/200/media-type must: a 200 response has the media type application/json
x/200/body must: the body of a 200 response is one JSON value: an object
x/silent/undeclared-content silent: which body does a response have if the contract declares no content for it?
`},
		{"the same property in two media types", spectest.Paths("  /a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}, application/hal+json: {schema: {type: object, properties: {a: {type: integer}}}}}}}}}"), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/200/media-type must: a 200 response has the media type application/json or application/hal+json
x/200/body must: the body of a 200 response is one JSON value: an object
x/200/body/a must: in the body of a 200 response, a, if present, is a string
x/200/body/undeclared should: the body of a 200 response has no undeclared property
x/silent/other-statuses silent: which undeclared statuses are possible?
`},
		{"responses", spectest.Paths(`  /a:
    get:
      operationId: x
      responses:
        '200':
          description: d
          headers:
            X-Rate: {required: true, schema: {type: integer}}
            X-Any: {required: true, schema: {}}
            x-text: {schema: {type: string}}
            X-Free: {schema: {}}
            content-type: {required: true, schema: {type: integer}}
          content:
            '*/*': {schema: {type: object, properties: {p: {type: string, writeOnly: true}}}}
`), `
x/answers must: every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)
x/accepts must: a valid request is accepted with 200
x/200/header/X-Rate must: a 200 response has the header X-Rate, which is an integer
x/200/header/X-Any must: a 200 response has the header X-Any
x/200/header/x-text must: in a 200 response, the header x-text, if present, is a string
x/200/media-type must: a 200 response has the media type */*
x/200/body must: a JSON body of a 200 response is one JSON value: an object
x/200/body/p should: a JSON body of a 200 response does not contain p, which is write-only
x/200/body/undeclared should: a JSON body of a 200 response has no undeclared property
x/silent/other-statuses silent: which undeclared statuses are possible?
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got strings.Builder
			for _, c := range spectest.Load(t, row.document).Clauses() {
				got.WriteString("\n" + string(c.ID) + " " + string(c.Level) + ": " + c.Text)
			}
			if diff := cmp.Diff(row.want, got.String()+"\n"); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoRequestBody checks an operation that declares no request body.
func TestNoRequestBody(t *testing.T) {
	if body := spectest.Responding(t, "3.0.3", "get", "'200': {description: d}").RequestBody; body != nil {
		t.Errorf("got %+v", body)
	}
}

// TestOperationIDs checks that ids are valid folder names, made of the operationId or of method and
// path.
func TestOperationIDs(t *testing.T) {
	for _, row := range []struct{ name, path, id, want string }{
		{"its own", "/a", "createThing", "createThing"},
		{"with characters that paths and ids have a use for", "/a", " list things/v2 ", "list-things-v2"},
		{"in another script", "/a", "植物作成", "植物作成"},
		{"none", "/things/{id}", "", "get-things-id"},
		{"none, at the root", "/", "", "get"},
		{"of nothing that can stay", "/a", "!!", "get-a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			parameters := ""
			if strings.Contains(row.path, "{") {
				parameters = "parameters: [{name: id, in: path, required: true, schema: {}}], "
			}
			contract := spectest.Load(t, spectest.Paths("  "+row.path+": {get: {operationId: '"+row.id+"', "+parameters+fine+"}}"))
			if got := contract.Operations[0].ID; got != row.want || contract.Clauses()[0].ID != spec.ClauseIDs(row.want).Answers() {
				t.Errorf("got %q, %q", got, contract.Clauses()[0].ID)
			}
		})
	}
}

// TestClauseParts checks the methods that read the parts of an id.
func TestClauseParts(t *testing.T) {
	for _, row := range []struct {
		id, part, status string
		onRequest        bool
	}{
		{"x/answers", "answers", "", false},
		{"x/accepts", "accepts", "", false},
		{"x/request/body/n", "request/body/n", "", true},
		{"x/200/body/n", "200/body/n", "200", false},
		{"x/4XX/media-type", "4XX/media-type", "4XX", false},
		{"x/default/header/X-A", "default/header/X-A", "default", false},
		{"x/silent/limits", "silent/limits", "", false},
	} {
		c := spec.ClauseID(row.id)
		if c.Part() != row.part || c.Status() != row.status || c.OnRequest() != row.onRequest {
			t.Errorf("%s: part %q, status %q, on request %v", row.id, c.Part(), c.Status(), c.OnRequest())
		}
	}
}

// TestRefusesUnknown has descriptions of 401, and whether they say that an unknown credential is refused.
func TestRefusesUnknown(t *testing.T) {
	for description, want := range map[string]bool{
		"The token is missing or invalid": true, "Missing or unknown API key.": true, "Invalid credentials": true, "Authentication is missing or not valid": true, "The access token is missing, expired or unknown.": true, "The token is expired, or the plan of the account is wrong": false,
		"The access token was not recognised": true, "Unauthorized": false, "No token": false, "Invalid request": false, "The token has expired": false, "Wrong email or password": false,
		"Unauthorized. Invalid parameters are reported with 400, whatever the token": false,
	} {
		op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d}\n'401': {description: '"+description+"'}\n'403': {description: Invalid token}")
		if got := op.RefusesUnknown(); got != want {
			t.Errorf("%q: %v", description, got)
		}
	}
}

// TestSecurity checks which credentials an operation needs.
func TestSecurity(t *testing.T) {
	const schemes = `components:
  securitySchemes:
    bearer: {type: http, scheme: Bearer}
    basic: {type: HTTP, scheme: basic}
    digest: {type: http, scheme: digest}
    key: {type: apiKey, in: query, name: api_key}
    oauth: {type: oauth2, flows: {}}
    open: {type: openIdConnect, openIdConnectUrl: https://a.example}
    alias: {$ref: '#/components/securitySchemes/bearer'}
`
	bearer := func(name string) spec.Scheme {
		return spec.Scheme{Name: name, Kind: spec.Bearer, In: "header", Field: "Authorization"}
	}
	basic := spec.Scheme{Name: "basic", Kind: spec.Basic, In: "header", Field: "Authorization"}
	key := spec.Scheme{Name: "key", Kind: spec.APIKey, In: "query", Field: "api_key"}
	digest := spec.Scheme{Name: "digest", Kind: spec.Other}
	for _, row := range []struct {
		name, global, own string
		want              spec.Security
		clause            string // the text of request/credential
	}{
		{"none", "", "", nil, ""},
		{"global", "security: [{bearer: []}]\n", "", spec.Security{{bearer("bearer")}}, "a request without a bearer credential must be rejected"},
		{"taken back by the operation", "security: [{bearer: []}]\n", "security: [], ", nil, ""},
		{"of the operation", "security: [{bearer: []}]\n", "security: [{basic: []}], ", spec.Security{{basic}}, "a request without a basic credential must be rejected"},
		{"an API key", "", "security: [{key: []}], ", spec.Security{{key}}, "a request without an API key must be rejected"},
		{"OAuth 2", "", "security: [{oauth: [read]}], ", spec.Security{{bearer("oauth")}}, "a request without a bearer credential must be rejected"},
		{"OpenID Connect", "", "security: [{open: []}], ", spec.Security{{bearer("open")}}, "a request without a bearer credential must be rejected"},
		{"by reference", "", "security: [{alias: []}], ", spec.Security{{bearer("alias")}}, "a request without a bearer credential must be rejected"},
		{"optional", "", "security: [{}, {bearer: []}], ", spec.Security{{}, {bearer("bearer")}}, ""},
		{"the first that can be carried", "", "security: [{digest: []}, {bearer: [], key: []}, {key: []}, {basic: []}], ", spec.Security{{digest}, {bearer("bearer"), key}, {key}, {basic}}, "a request without any of the permitted credentials must be rejected"},
		{"either of two", "", "security: [{basic: []}, {key: []}], ", spec.Security{{basic}, {key}}, "a request without any of the permitted credentials must be rejected"},
		{"one that cannot be carried", "", "security: [{digest: []}], ", spec.Security{{digest}}, "a request without a credential must be rejected"},
		{"several at once", "", "security: [{bearer: [], key: []}], ", spec.Security{{bearer("bearer"), key}}, "a request without a credential must be rejected"},
	} {
		t.Run(row.name, func(t *testing.T) {
			contract := spectest.Load(t, spectest.Head("3.0.3")+row.global+"paths:\n  /a: {get: {operationId: x, "+row.own+fine+"}}\n"+schemes)
			if diff := cmp.Diff(row.want, contract.Operations[0].Security); diff != "" {
				t.Error(diff)
			}
			if c, _ := contract.Clause("x/request/credential"); c.Text != row.clause {
				t.Errorf("says %q, want %q", c.Text, row.clause)
			}
			for _, silence := range []string{"credential-missing", "credential-invalid"} {
				if _, asked := contract.Clause(spec.ClauseID("x/silent/" + silence)); asked != (row.clause != "") {
					t.Errorf("silence %s: %v", silence, asked)
				}
			}
			if needed := contract.Operations[0].Security.Needed(); needed != (row.clause != "") {
				t.Errorf("needed: %v", needed)
			}
		})
	}
}

// TestClausesOnNestedThings checks the clause about things that are created below a created thing.
func TestClausesOnNestedThings(t *testing.T) {
	const responses = "responses: {'200': {description: d}}"
	at := func(path, operations string) string {
		return "  " + path + ": {" + operations + "}\n"
	}
	parameters := func(names ...string) string {
		var list []string
		for _, name := range names {
			list = append(list, "{name: "+name+", in: path, required: true, schema: {type: string}}")
		}
		return "parameters: [" + strings.Join(list, ", ") + "], "
	}
	for name, row := range map[string]struct {
		paths string
		want  bool
	}{
		"both are created":       {at("/a", "post: {"+responses+"}") + at("/a/{x}/b", parameters("x")+"post: {"+responses+"}") + at("/a/{x}/b/{y}", parameters("x", "y")+"get: {operationId: read, "+responses+"}"), true},
		"the outer one is there": {at("/a/{x}/b", parameters("x")+"post: {"+responses+"}") + at("/a/{x}/b/{y}", parameters("x", "y")+"get: {operationId: read, "+responses+"}"), false},
		"not nested":             {at("/a", "post: {"+responses+"}") + at("/a/{x}", parameters("x")+"get: {operationId: read, "+responses+"}"), false},
		"at the root":            {at("/", "post: {"+responses+"}") + at("/{x}", parameters("x")+"get: {operationId: read, "+responses+"}"), false},
	} {
		clause, found := spectest.Load(t, spectest.Head("3.0.3")+"paths:\n"+row.paths).Clause("read/state/within")
		if found != row.want || found && clause.Level != spec.Should {
			t.Errorf("%s: %v, %+v", name, found, clause)
		}
	}
}
