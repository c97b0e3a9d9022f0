package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestCheckEcho checks that a success must show the values that were sent.
func TestCheckEcho(t *testing.T) {
	op := echoing(t, spectest.Head("3.0.3")+`paths:
  /a:
    post:
      operationId: x
      requestBody: {content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Thing'}, {type: object, properties: {id: {type: integer}}}]}}}}
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '226': {description: d, content: {application/json: {schema: {type: object, properties: {n: {type: number}}}}}}
        '203': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}, application/hal+json: {schema: {allOf: [{$ref: '#/components/schemas/Thing'}]}}}}
        '206': {description: d, content: {text/plain: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
components:
  schemas:
    Thing:
      type: object
      properties:
        n: {type: number}
        a/b: {type: string}
        list: {type: array, items: {}}
        in: {type: object}
        by: {type: array, items: {type: object, properties: {name: {type: string}, pass: {type: string, writeOnly: true}, since: {type: string, readOnly: true}, role: {type: string, default: reader}}}}
        parts: {type: array, items: {$ref: '#/components/schemas/Thing'}}
        at: {type: string, readOnly: true}
        secret: {type: string, writeOnly: true}
        password: {type: string}
        login: {type: object, properties: {pin: {type: string, format: password}}}
        kind: {type: string, default: plain}
        when: {type: string, format: date-time}
        key: {type: string, format: uuid}
        f: {type: number, format: float}
        none: {type: string, nullable: true}
        other: {type: string, nullable: true}
`).Operations[0]
	differs := func(pointer, message, expected, actual string, offset int64) check.Breach {
		return breach("x/200/echo", pointer, message, expected, actual, offset)
	}
	for _, row := range []struct {
		name, sent     string
		accept, reject string
		want           check.Breach
	}{
		{"a value", `{"a/b":"<é>"}`, `{"a/b":"\u003c\u00e9>"}`, `{"a/b":"<e>"}`, differs("/a~1b", "comes back changed: at character 2, sent “é” (U+00E9), got “e”", `"<é>"`, `"<e>"`, 7)},
		{"a number by its value", `{"n":9007199254740993}`, `{"n":9007199254740993.0}`, `{"n":9007199254740992}`, differs("/n", "comes back changed", "9007199254740993", "9007199254740992", 5)},
		{"a property that was sent", `{"n":0}`, `{"n":-0}`, `{}`, differs("/n", "is missing, though it was sent", "0", "no such property", 0)},
		{"one that was not", `{}`, `{}`, `{"n":1}`, differs("/n", "is shown, though it was not sent", "no n", "1", 5)},
		{"null by absence, even where it may not be sent", `{"n":null}`, `{}`, `{"n":7}`, differs("/n", "comes back as a number", "null", "7", 5)},
		{"a secret that is hidden", `{"a/b":"key","list":["key"]}`, `{"a/b":"***","list":["******"]}`, `{"a/b":"k**","list":["key"]}`, differs("/a~1b", "comes back changed: at character 2, sent “ey”, got “**”", `"key"`, `"k**"`, 7)},
		{"a password", `{"password":"a","login":{"pin":"b"},"n":1}`, `{"login":{"pin":"$2b$10"},"n":1}`, `{"password":"$2b$10","login":{},"n":2}`, differs("/n", "comes back changed", "1", "2", 36)},
		{"but where null may be sent", `{"none":null}`, `{"other":null}`, `{"none":"x"}`, differs("/none", "comes back as a string", "null", `"x"`, 8)},
		{"an instant in any form", `{"when":"2026-01-15T12:00:00Z"}`, `{"when":"2026-01-15T13:00:00.000+01:00"}`, `{"when":"2026-01-15T12:00:00.001Z"}`,
			differs("/when", "comes back changed: at character 20, sent nothing, got “.001”", `"2026-01-15T12:00:00Z"`, `"2026-01-15T12:00:00.001Z"`, 8)},
		{"a UUID in any case", `{"key":"c0f02a6e-5c1d-4b7e-9a3f-000000000000"}`, `{"key":"C0F02A6E-5C1D-4B7E-9A3F-000000000000"}`, `{"key":"c0f02a6e-5c1d-4b7e-9a3f-000000000001"}`,
			differs("/key", "comes back changed: at character 36, sent “0”, got “1”", `"c0f02a6e-5c1d-4b7e-9a3f-000000000000"`, `"c0f02a6e-5c1d-4b7e-9a3f-000000000001"`, 7)},
		{"a float as it is rounded", `{"f":0.1}`, `{"f":0.10000000149}`, `{"f":0.11}`, differs("/f", "comes back changed", "0.1", "0.11", 5)},
		{"a list of its length", `{"list":[1]}`, `{"list":[1]}`, `{"list":[1,1]}`, differs("/list", "comes back changed", `[1]`, `[1,1]`, 8)},
		{"an object of its keys", `{"in":{"a":null}}`, `{"in":{"a":null}}`, `{"in":{"b":null}}`, differs("/in", "comes back changed", `{"a":null}`, `{"b":null}`, 6)},
		{"null removes from a map", `{"in":{"a":1,"b":null}}`, `{"in":{"a":1}}`, `{"in":{"b":null}}`, differs("/in", "comes back changed", `{"a":1,"b":null}`, `{"b":null}`, 6)},
		{"an object and no list", `{"in":{}}`, `{"in":{}}`, `{"in":[]}`, differs("/in", "comes back as a list", `{}`, `[]`, 6)},
		{"a list and no object", `{"list":[]}`, `{"list":[]}`, `{"list":{}}`, differs("/list", "comes back as an object", `[]`, `{}`, 8)},
		{"a number and no text", `{"n":1}`, `{"n":1}`, `{"n":"1"}`, differs("/n", "comes back as a string", `1`, `"1"`, 5)},
		{"a list in its order", `{"list":[1,{"a":[]}]}`, `{"list":[1.0,{"a":[]}]}`, `{"list":[{"a":[]},1]}`, differs("/list", "comes back in another order", `[1,{"a":[]}]`, `[{"a":[]},1]`, 8)},
		{"an object in any order", `{"in":{"a":1,"b":"x"}}`, `{"in":{"b":"x","a":1}}`, `{"in":{"b":"x","c":1}}`, differs("/in", "comes back changed", `{"a":1,"b":"x"}`, `{"b":"x","c":1}`, 6)},
		{"numbers inside an object by their value", `{"in":{"a":1}}`, `{"in":{"a":1.0}}`, `{"in":{"a":2}}`, differs("/in", "comes back changed", `{"a":1}`, `{"a":2}`, 6)},
		{"an object with nothing more in it", `{"in":{"a":1}}`, `{"in":{"a":1e0}}`, `{"in":{"a":1,"b":1}}`, differs("/in", "comes back changed", `{"a":1}`, `{"a":1,"b":1}`, 6)},
		{"a default may be filled in", `{}`, `{"kind":"plain"}`, `{"kind":"plain","a/b":""}`, differs("/a~1b", "is shown, though it was not sent", "no a/b", `""`, 22)},
		{"what only one side carries, in the items of a list", `{"by":[{"name":"a","pass":"p"}]}`, `{"by":[{"name":"a","since":"now","role":"reader"}]}`, `{"by":[{"name":"b"}]}`, differs("/by", "comes back changed", `[{"name":"a","pass":"p"}]`, `[{"name":"b"}]`, 6)},
		{"what nobody declares, in an object with declared properties", `{"by":[{"name":"a","x":1}]}`, `{"by":[{"name":"a","y":1}]}`, `{"by":[{"name":"a","x":2}]}`, differs("/by", "comes back changed", `[{"name":"a","x":1}]`, `[{"name":"a","x":2}]`, 6)},
		{"what only one side carries, in a schema that contains itself", `{"parts":[{"n":1,"parts":[{"n":1}],"secret":"s"}]}`, `{"parts":[{"n":1,"at":"now","parts":[{"n":1,"at":"now"}]}]}`, `{"parts":[{"n":1,"parts":[{"n":2}]}]}`,
			differs("/parts", "comes back changed", `[{"n":1,"parts":[{"n":1}],"secret":"s"}]`, `[{"n":1,"parts":[{"n":2}]}]`, 9)},
		{"what only one side carries", `{"id":7,"secret":"s","at":"then"}`, `{"at":"now"}`, `{"list":[1]}`, differs("/list", "is shown, though it was not sent", "no list", "[1]", 8)},
		{"an empty list for none", `{}`, `{"list":[],"in":{}}`, `{"in":{"a":1}}`, differs("/in", "is shown, though it was not sent", "no in", `{"a":1}`, 6)},
	} {
		t.Run(row.name, func(t *testing.T) {
			assertBreaches(t, echo(t, op, []byte(row.sent), spectest.Answer(200, row.accept)).Breaches)
			result := echo(t, op, []byte(row.sent), spectest.Answer(200, row.reject))
			assertBreaches(t, result.Breaches, row.want)
			if result.Declared != "200" || len(result.Exercised) != 1 || result.Exercised[0] != "x/200/echo" {
				t.Errorf("got %+v", result)
			}
		})
	}
	for name, r := range map[string]check.Response{
		"another schema":        spectest.Answer(226, `{"n":2}`),
		"one of several forms":  spectest.Answer(203, `{"n":2}`),
		"no media type of JSON": spectest.Answer(206, `{"n":2}`),
		"a rejection":           spectest.Answer(400, `{"n":2}`),
		"an undeclared status":  spectest.Answer(202, `{"n":2}`),
		"no JSON":               spectest.Answer(200, `{"n":2`),
		"no object":             spectest.Answer(200, `2`),
	} {
		t.Run(name+" is no echo", func(t *testing.T) {
			if result := echo(t, op, []byte(`{"n":1}`), r); len(result.Breaches)+len(result.Exercised) > 0 {
				t.Errorf("got %+v", result)
			}
		})
	}
	for _, sent := range []string{"", "1", `{"n":1}{}`} {
		if result := echo(t, op, []byte(sent), spectest.Answer(200, `{"n":2}`)); len(result.Breaches)+len(result.Exercised) > 0 {
			t.Errorf("%q was sent: %+v", sent, result)
		}
	}
}

// TestWhatTheServiceAdds checks that a service may set values that were not sent, unless the
// overlay has a text for the clause. Values that were sent must not change.
func TestWhatTheServiceAdds(t *testing.T) {
	const document = "paths:\n  /a: {post: {operationId: x, requestBody: {content: {application/json: {schema: &s {type: object, properties: {name: {type: string}, active: {type: boolean}, meta: {type: object, properties: {version: {type: integer}, tag: {type: string}}}}}}}}, responses: {'200': {description: d, content: {application/json: {schema: *s}}}}}}\n"
	for _, row := range []struct{ sent, shown, open, worded string }{
		{`{"name":"a"}`, `{"name":"a","active":true,"meta":{"version":1}}`, "", "/active/meta"},
		{`{"name":"a","meta":{"tag":"b"}}`, `{"name":"a","meta":{"tag":"b","version":1}}`, "", "/meta"},
		{`{"name":"a","meta":{"tag":"b"}}`, `{"name":"a","meta":{"tag":"c"}}`, "/meta", "/meta"},
		{`{"name":"a","active":true}`, `{"name":"b"}`, "/name/active", "/name/active"},
	} {
		for contract, want := range map[*spec.Contract]string{spectest.Load(t, spectest.Head("3.0.3")+document): row.open, echoing(t, spectest.Head("3.0.3")+document): row.worded} {
			got := ""
			for _, b := range echo(t, contract.Operations[0], []byte(row.sent), spectest.Answer(200, row.shown)).Breaches {
				got += b.Pointer
			}
			if got != want {
				t.Errorf("sent %s, shown %s: breaches at %q, want %q", row.sent, row.shown, got, want)
			}
		}
	}
}

// TestCheckPartialEcho checks that a success must show the values that both schemas describe alike,
// if the thing can be read.
func TestCheckPartialEcho(t *testing.T) {
	const body = "{content: {application/json: {schema: {type: object, properties: {name: {type: string}, size: {type: integer}, secret: {type: string, writeOnly: true}, day: {type: string, format: date}, mail: {type: string, format: email}, kind: {type: string, enum: [a, b]}, etag: {type: string}, reason: {type: string}, hint: {type: string}}}}}}"
	const shown = "description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}, size: {type: integer}, secret: {type: string}, day: {type: string}, mail: {type: string}, kind: {type: string}, etag: {type: string}, reason: {type: string, description: Only for cancelled things.}, hint: {type: string, description: Only digits.}}}}}"
	contract := spectest.Load(t, spectest.Head("3.0.3")+`paths:
  /things:
    post: {operationId: create, requestBody: `+body+`, responses: {'201': {`+shown+`}, '202': {`+shown+`}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {`+shown+`}}}
    put: {operationId: replace, requestBody: `+body+`, responses: {'200': {`+shown+`}}}
    patch: {operationId: change, requestBody: `+body+`, responses: {'200': {`+shown+`}, '203': {description: d, content: {application/json: {schema: {type: object, properties: {day: {type: string}}}}}}}}
  /lines:
    post: {operationId: addLine, requestBody: `+body+`, responses: {'201': {`+shown+`}}}
    get: {operationId: listLines, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object}}}}}}}
  /lines/{id}: {put: {operationId: replaceLine, parameters: [{name: id, in: path, required: true, schema: {type: string}}], requestBody: `+body+`, responses: {'200': {`+shown+`}}}}
  /notes:
    post: {operationId: addNote, requestBody: `+body+`, responses: {'200': {description: d, content: {text/plain: {schema: &seen {type: object, properties: {name: {type: string}}}}, application/json: {schema: *seen}, text/json: {schema: *seen}}}, '201': {description: d, content: {'*/*': {schema: *seen}}}, '203': {description: d, content: {text/plain: {schema: *seen}}}}}
    get: {operationId: listNotes, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object}}}}}}}
  /search:
    post: {operationId: search, requestBody: `+body+`, responses: {'200': {`+shown+`}, '201': {`+shown+`}}}
`)
	for _, row := range []struct {
		operation   string
		status      int
		sent, shown string
		want        string // the message
	}{
		{"create", 201, `{"name":"a","size":1}`, `{"id":"1","name":"a","size":1}`, ""},
		{"create", 201, `{"name":"a"}`, `{"id":"1","name":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"},
		{"create", 202, `{"name":"a"}`, `{"id":"1","name":"b"}`, ""},
		{"replace", 200, `{"name":"new","size":2}`, `{"name":"new","size":1}`, "comes back changed"},
		{"change", 200, `{"size":2}`, `{"name":"old","size":2}`, ""},
		{"change", 200, `{"size":2}`, `{"name":"old","size":1}`, "comes back changed"},
		{"change", 200, `{"size":2}`, `{"name":"old"}`, "is missing, though it was sent"},
		{"change", 200, `{"reason":"a"}`, `{"name":"old"}`, ""},
		{"change", 200, `{"reason":"a"}`, `{"reason":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"},
		{"change", 200, `{"hint":"1"}`, `{"name":"old"}`, "is missing, though it was sent"},
		{"change", 200, `{"etag":"a"}`, `{"etag":"b"}`, ""},
		{"change", 200, `{"size":null}`, `{"name":"old"}`, ""},
		{"change", 200, `{"size":2}`, `{"name":"old","size":null}`, "is missing, though it was sent"},
		{"change", 200, `{"secret":"a"}`, `{"secret":"b"}`, ""},
		{"change", 200, `{"day":"2026-11-25"}`, `{"day":"yesterday"}`, ""}, // it may mean something else
		{"change", 203, `{"day":"2026-11-25"}`, `{"day":"yesterday"}`, ""},
		{"create", 201, `{"mail":"a@b.example","kind":"a"}`, `{"mail":"a@b.example","kind":"a"}`, ""},
		{"create", 201, `{"mail":"a@b.example"}`, `{"mail":"c@b.example"}`, "comes back changed: at character 1, sent “a”, got “c”"},
		{"create", 201, `{"kind":"a"}`, `{"kind":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"},
		{"addLine", 201, `{"size":1000}`, `{"size":1}`, "comes back changed"},
		{"replaceLine", 200, `{"size":2}`, `{"id":"1","size":2}`, ""},
		{"replaceLine", 200, `{"size":2}`, `{"id":"1","size":1}`, "comes back changed"}, // only a list reads it
		{"addNote", 200, `{"name":"a"}`, `{"name":"a"}`, ""},
		{"addNote", 200, `{"name":"a"}`, `{"name":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"},
		{"addNote", 201, `{"name":"a"}`, `{"name":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"},
		{"addNote", 201, `{"name":"a"}`, `created`, ""},
		{"addNote", 203, `{"name":"a"}`, `{"name":"b"}`, ""},
		{"search", 200, `{"name":"a"}`, `{"name":"b"}`, ""},                                                      // the first one found
		{"search", 201, `{"name":"a"}`, `{"name":"b"}`, "comes back changed: at character 1, sent “a”, got “b”"}, // a search was created
	} {
		op, _ := contract.Operation(row.operation)
		result := echo(t, op, []byte(row.sent), spectest.Answer(row.status, row.shown))
		got := ""
		for _, b := range result.Breaches {
			got += b.Message
		}
		if got != row.want {
			t.Errorf("%s: sent %s, shown %s: got %q, want %q", row.operation, row.sent, row.shown, got, row.want)
		}
	}
}

// TestAssignedID checks that a service may assign an id other than the sent one, unless the id is
// required in the request.
func TestAssignedID(t *testing.T) {
	const thing = "type: object, properties: {id: {type: string}, ownerId: {type: string}, name: {type: string}, room: {type: object, properties: {id: {type: string}}}}"
	for _, row := range []struct{ method, more, want string }{
		{"post", "", "/ownerId/room"},
		{"post", ", required: [id]", "/id/ownerId/room"},
		{"put", "", "/id/ownerId/room"},
	} {
		for _, answered := range []string{"&s", "{type: object, allOf: [{" + thing + "}]} #"} { // as a whole, or in part
			document := spectest.Head("3.0.3") + "paths:\n  /a:\n    get: {operationId: list, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object}}}}}}}\n    " + row.method + ":\n      operationId: x\n      requestBody: {content: {application/json: {schema: &s {" + thing + row.more + "}}}}\n      responses:\n        '200':\n          description: d\n          content:\n            application/json:\n              schema: " + strings.Replace(answered, "&s", "*s", 1) + "\n"
			op, _ := spectest.Load(t, document).Operation("x")
			got := ""
			for _, b := range echo(t, op, []byte(`{"id":"mine","ownerId":"a","name":"n","room":{"id":"a"}}`), spectest.Answer(200, `{"id":"7","ownerId":"b","name":"n","room":{"id":"b"}}`)).Breaches {
				got += b.Pointer
			}
			if got != row.want {
				t.Errorf("%s%s, answered by %s: breaches at %q, want %q", row.method, row.more, answered, got, row.want)
			}
		}
	}
}

// Things that a form creates are compared, too. Each field is read by its schema.
func TestCheckShownOfForms(t *testing.T) {
	contract := spectest.Load(t, spectest.Head("3.0.3")+`paths:
  /a:
    post:
      operationId: create
      requestBody: {content: {application/x-www-form-urlencoded: {schema: &thing {type: object, properties: {name: {type: string}, size: {type: integer}, tags: {type: array, items: {type: string}}, file: {type: string, format: binary}}}}, multipart/form-data: {schema: *thing}}}
      responses: {'201': {description: d}}
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: *thing}}}}}
`)
	read, create := contract.Operations[1], contract.Operations[0]
	if read.ID != "read" {
		read, create = create, read
	}
	const parts = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na b\r\n--b\r\nContent-Disposition: form-data; name=\"size\"\r\n\r\n7\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nbytes\r\n--b--\r\n"
	for _, row := range []struct {
		mediaType, sent, shown string
		want                   bool
	}{
		{"application/x-www-form-urlencoded", "name=a%20b&size=7&tags=x&tags=y", `{"name":"a b","size":7,"tags":["x","y"]}`, true},
		{"application/x-www-form-urlencoded", "name=a%20b&size=7", `{"name":"a+b","size":7}`, false},
		{"application/x-www-form-urlencoded", "name=a&size=7", `{"name":"a","size":8}`, false},
		{"application/x-www-form-urlencoded", "name=a&size=7", `{"name":"a"}`, false},
		{"application/x-www-form-urlencoded", "name=&size=7", `{"name":null,"size":7}`, true}, // many forms leave out a value in this way
		{"application/x-www-form-urlencoded", "name=&tags=&size=7", `{"size":7}`, true},
		{"application/x-www-form-urlencoded", "name=&size=7", `{"name":"","size":7}`, true},
		{"multipart/form-data; boundary=b", parts, `{"name":"a b","size":7,"file":"https://files.example/1"}`, true},
		{"multipart/form-data; boundary=b", parts, `{"size":7}`, false},
	} {
		sent := []check.Sent{{Operation: create, MediaType: row.mediaType, Body: []byte(row.sent)}}
		result, err := spectest.Answer(200, row.shown).CheckShown(t.Context(), read, "read/state/created", sent, instance.Limits{})
		if err != nil || (len(result.Breaches) == 0) != row.want {
			t.Errorf("%s: got %+v, %v", row.shown, result.Breaches, err)
		}
	}
}
