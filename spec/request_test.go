package spec_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestRequestsAreReadInTheirDirection: a request needs no required read-only property, and it is
// unknown whether a service accepts one. A required write-only property must be present.
func TestRequestsAreReadInTheirDirection(t *testing.T) {
	const head = "  /a:\n    post: {operationId: x, responses: {'200': {description: d}}, requestBody: {required: true, content: {application/json: {schema: "
	direct := head + "{type: object, required: [id, name, password], properties: {id: {type: integer, readOnly: true}, name: {type: string}, password: {type: string, writeOnly: true}, parts: {type: array, items: {type: object, required: [at], properties: {at: {type: string, readOnly: true}, n: {type: integer}}}}}}}}}}\n"
	merged := head + "{allOf: [{required: [id, name, password]}, {type: object, properties: {id: {type: integer, readOnly: true}, name: {type: string}, password: {type: string, writeOnly: true}}}]}}}}}\n"
	for _, row := range []struct{ name, paths, body, broken string }{
		{"without the read-only ones", direct, `{"name":"a","password":"b","parts":[{"n":1}]}`, ""},
		{"without the write-only one", direct, `{"name":"a"}`, "password"},
		{"with a read-only one", direct, `{"id":1,"name":"a","password":"b"}`, "unknown"},
		{"with a read-only one of another type", direct, `{"id":"1","name":"a","password":"b"}`, "unknown"},
		{"with a read-only one in an item", direct, `{"name":"a","password":"b","parts":[{"at":"c"}]}`, "unknown"},
		{"with a read-only one, without another", direct, `{"id":1,"name":"a"}`, "password unknown"},
		{"with a wrong one in an item", direct, `{"name":"a","password":"b","parts":[{"n":"1"}]}`, "parts/*/n"},
		{"merged, without the read-only one", merged, `{"name":"a","password":"b"}`, ""},
		{"merged, without the write-only one", merged, `{"name":"a"}`, "password"},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := spectest.Load(t, spectest.Paths(row.paths)).Operations[0]
			broken, known := op.CheckRequest(spec.Request{
				Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(row.body), HasBody: true,
			})
			for i := range broken {
				broken[i] = spec.ClauseID(strings.TrimPrefix(string(broken[i]), "x/request/body/"))
			}
			if !known {
				broken = append(broken, "unknown")
			}
			if got := joined(broken); got != row.broken {
				t.Errorf("breaks %q, want %q", got, row.broken)
			}
		})
	}
}

// TestSharedSegments checks that a path breaks a parameter only if there is one way to split it.
func TestSharedSegments(t *testing.T) {
	const zoom, text, small = "{type: integer, maximum: 9}", "{type: string}", "{type: integer, minimum: 1, maximum: 9}"
	for _, row := range []struct{ path, a, b, style, sent, broken string }{
		{"{a}{b}", text, zoom, "matrix", "roads;b=19", "b"},
		{"{a}{b}", text, zoom, "matrix", "roads;b=9", ""},
		{"{a}{b}", text, zoom, "label", "roads.19", "b"},
		{"{a}{b}", text, zoom, "label", "roads.north.19", "unknown"},
		{"{a}{b}", text, zoom, "simple", "roads19", "unknown"},
		{"{a}.{b}", small, text, "simple", "x.y", "a"},
		{"{a}.{b}", small, text, "simple", "1.x.y", "unknown"},
		{"{a}-{b}", text, small, "simple", "x--1", "unknown"},
		{"{a}-{b}", small, small, "simple", "0-10", "a b"},
		{"{a},{b}", text, small, "simple", "x%2C1,10", "unknown"},
		{"{a},{b}", text, small, "simple", "x%2F1,10", "b"},
		{"{a},{b}", text, small, "simple", "%C3%A9,10", "b"},
		{"{a}-x/{b}", text, small, "simple", "-x-x/10", "b"},
	} {
		op := spectest.Load(t, spectest.Paths("  /"+row.path+":\n    get: {operationId: x, responses: {'200': {description: d}}, parameters: [{name: a, in: path, required: true, schema: "+row.a+"}, {name: b, in: path, required: true, style: "+row.style+", schema: "+row.b+"}]}\n")).Operations[0]
		broken, known := op.CheckRequest(spec.Request{Path: "/" + row.sent})
		if got := strings.ReplaceAll(joined(broken), "x/request/path/", ""); known == (row.broken == "unknown") || known && got != row.broken {
			t.Errorf("%s breaks %q of %s, want %q", row.sent, got, row.path, row.broken)
		}
	}
}

// TestMergePatches checks that null removes a property (RFC 7396 §2), even if the schema does not
// allow null.
func TestMergePatches(t *testing.T) {
	const object = "{type: object, minProperties: 1, required: [id], properties: {id: {type: string}, color: {type: string, enum: [red]}, size: {type: object, required: [w], properties: {w: {type: integer}, h: {type: integer}}}, list: {type: array, items: {type: object, properties: {a: {type: string}}}}, note: {type: string, nullable: true}, mood: {enum: [good]}, any: {oneOf: [{type: string}, {type: object, properties: {b: {type: integer}}}]}}, additionalProperties: {type: string}}"
	for _, row := range []struct{ body, merged, plain string }{
		{`{"id":"a","color":"red"}`, "", ""},
		{`{"id":"a","color":null}`, "unknown", "color"},
		{`{"id":"a","color":"blue"}`, "color", "color"},
		{`{"id":null,"color":"red"}`, "id", "id"},
		{`{"id":null,"color":null}`, "id unknown", "color id"},
		{`{"id":"a","color":null,"size":7}`, "size unknown", "color size"},
		{`{"id":"a","size":{"w":1,"h":null}}`, "unknown", "size/h"},
		{`{"id":"a","size":{"w":null}}`, "size/w", "size/w"},
		{`{"id":"a","list":[{"a":null}]}`, "list/*/a", "list/*/a"},
		{`{"id":"a","list":null}`, "unknown", "list"},
		{`{"id":"a","more":null}`, "unknown", ""},
		{`{"id":"a","mood":null}`, "unknown", "mood"},
		{`{"id":"a","note":null}`, "", ""},
	} {
		for mediaType, want := range map[string]string{"application/merge-patch+json": row.merged, "application/json": row.plain} {
			op := spectest.Load(t, spectest.Paths("  /a:\n    patch: {operationId: x, responses: {'200': {description: d}}, requestBody: {required: true, content: {"+mediaType+": {schema: "+object+"}}}}\n")).Operations[0]
			broken, known := op.CheckRequest(spec.Request{Header: http.Header{"Content-Type": {mediaType}}, Body: []byte(row.body), HasBody: true})
			for i := range broken {
				broken[i] = spec.ClauseID(strings.TrimPrefix(strings.TrimPrefix(string(broken[i]), "x/request/body"), "/"))
			}
			slices.Sort(broken)
			if !known {
				broken = append(broken, "unknown")
			}
			if got := joined(broken); got != want {
				t.Errorf("%s %s breaks %q, want %q", mediaType, row.body, got, want)
			}
		}
	}
}

// TestRequestsAreReadByTheMostSpecific checks that the most specific media type applies to a
// request, in any order.
func TestRequestsAreReadByTheMostSpecific(t *testing.T) {
	const specific, wide = "application/json: {schema: {type: object, required: [a], properties: {a: {}}}}", "'*/*': {schema: {type: object, required: [b], properties: {b: {}}}}"
	for _, content := range []string{specific + ", " + wide, wide + ", " + specific} {
		contract := spectest.Load(t, spectest.Paths("  /a: {post: {operationId: x, requestBody: {content: {"+content+"}}, "+fine+"}}\n"))
		_, a := contract.Clause("x/request/body/a")
		_, b := contract.Clause("x/request/body/b")
		if !a || b {
			t.Errorf("%s: a %v, b %v", content, a, b)
		}
	}
}

// joined returns ids as one text.
func joined(ids []spec.ClauseID) string { return strings.Trim(fmt.Sprint(ids), "[]") }
