package spec_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestParametersAreChecked checks that a request breaks the clause about a parameter if it is
// missing, or if no reading of its text meets the schema.
func TestParametersAreChecked(t *testing.T) {
	const doc = "  /a/{year}:\n    get: {operationId: x, responses: {'200': {description: d}}, parameters: [" +
		"{name: year, in: path, required: true, schema: {type: integer, minimum: 1900}}, " +
		"{name: limit, in: query, required: true, schema: {type: integer, maximum: 9}}, " +
		"{name: sort, in: query, schema: {type: string, enum: [up, down]}}, " +
		"{name: ids, in: query, explode: false, schema: {type: array, minItems: 2, items: {type: integer}}}, " +
		"{name: kinds, in: query, explode: false, schema: {type: array, items: {type: string, enum: [a, b]}}}, " +
		"{name: tags, in: query, schema: {type: array, items: {type: string, enum: [a, b]}}}, " +
		"{name: box, in: query, style: deepObject, schema: {type: object, required: [w], properties: {w: {type: number}}}}, " +
		"{name: range, in: query, schema: {type: object, additionalProperties: false, properties: {lo: {type: integer}, hi: {type: integer}}}}, " +
		"{name: order, in: query, schema: {oneOf: [{type: integer, maximum: 3}, {type: string, enum: [asc, desc]}]}}, " +
		"{name: filter, in: query, content: {application/json: {schema: {type: object, required: [a]}}}}, " +
		"{name: X-Day, in: header, schema: {type: string, format: date}}, " +
		"{name: level, in: cookie, schema: {type: integer}}]}\n"
	for _, row := range []struct{ path, query, header, broken string }{
		{"/a/2000", "limit=7", "", ""},
		{"/a/1800", "limit=7", "", "path/year"},
		{"/a/year", "limit=7", "", "path/year"},
		{"/a/2000", "", "", "query/limit"},
		{"/a/2000", "limit=10", "", "query/limit"},
		{"/a/2000", "limit=07", "", ""},
		{"/a/2000", "limit=seven", "", "query/limit"},
		{"/a/2000", "limit=", "", "query/limit"},
		{"/a/2000", "limit=7&sort=left", "", "query/sort"},
		{"/a/2000", "limit=7&other=left", "", ""},
		{"/a/2000", "limit=7&ids=1,2", "", ""},
		{"/a/2000", "limit=7&ids=1%2C2", "", ""},
		{"/a/2000", "limit=7&ids=1", "", "query/ids"},
		{"/a/2000", "limit=7&ids=1,b", "", "query/ids"},
		{"/a/2000", "limit=7&ids=", "", "query/ids"},
		{"/a/2000", "limit=7&kinds=", "", "unknown"}, // it may be the empty list
		{"/a/2000", "limit=7&kinds=,", "", "query/kinds"},
		{"/a/2000", "limit=7&kinds=c", "", "query/kinds"},
		{"/a/2000", "limit=7&tags=", "", "unknown"},
		{"/a/2000", "limit=7&tags=&tags=", "", "query/tags"},
		{"/a/2000", "limit=7&box[w]=1.5", "", ""},
		{"/a/2000", "limit=7&box%5Bw%5D=wide", "", "query/box"},
		{"/a/2000", "limit=7&box[h]=1", "", "query/box"},
		{"/a/2000", "limit=7&lo=1&hi=2", "", ""},
		{"/a/2000", "limit=7&lo=1&utm_source=x", "", ""}, // it may not belong to the range
		{"/a/2000", "limit=7&lo=one", "", "query/range"},
		{"/a/2000", "limit=7&order=3", "", ""},
		{"/a/2000", "limit=7&order=desc", "", ""},
		{"/a/2000", "limit=7&order=4", "", "query/order"},
		{"/a/2000", "limit=7&order=down", "", "query/order"},
		{"/a/2000", "limit=7&filter=%7B%22a%22%3A1%7D", "", ""},
		{"/a/2000", "limit=7&filter=%7B%7D", "", "query/filter"},
		{"/a/2000", "limit=7", "X-Day: 2026-11-22", ""},
		{"/a/2000", "limit=7", "X-Day: 2026-11-31", "header/X-Day"},
		{"/a/2000", "limit=7", "Cookie: a=b; level=7", ""},
		{"/a/2000", "limit=7", "Cookie: level=high", "cookie/level"},
		{"/b/2000", "limit=7", "", "unknown"},
	} {
		t.Run(row.path+"?"+row.query+" "+row.header, func(t *testing.T) {
			checkSent(t, spectest.Load(t, spectest.Paths(doc)).Operations[0], spec.Request{Path: row.path, Query: row.query, Header: header(row.header)}, "x/request/", row.broken)
		})
	}
}

// TestFormsAreChecked checks the same for the fields of a form, and for texts.
func TestFormsAreChecked(t *testing.T) {
	const doc = "  /a:\n    post: {operationId: x, responses: {'200': {description: d}}, requestBody: {required: true, content: {" +
		"application/x-www-form-urlencoded: {schema: &s {type: object, required: [name, n], properties: {name: {type: string, maxLength: 5}, n: {type: integer}, tags: {type: array, items: {type: string, enum: [a, b]}}}}}, " +
		"multipart/form-data: {schema: {type: object, required: [name, n], properties: {name: {type: string, maxLength: 5}, n: {type: integer}, tags: {type: array, items: {type: string, enum: [a, b]}}, box: {type: object, required: [w]}}}}, " +
		"text/plain: {schema: {type: string, pattern: ^a}}, application/xml: {schema: {type: object}}}}}\n"
	op := spectest.Load(t, spectest.Paths(doc)).Operations[0]
	part := func(parts ...string) string {
		var b strings.Builder
		for i := 0; i < len(parts); i += 2 {
			b.WriteString("--b\r\nContent-Disposition: form-data; name=" + parts[i] + "\r\n\r\n" + parts[i+1] + "\r\n")
		}
		return b.String() + "--b--\r\n"
	}
	inJSON := func(body string) string {
		return strings.ReplaceAll(body, "\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n")
	}
	for _, row := range []struct{ mediaType, body, broken string }{
		{"application/x-www-form-urlencoded", "name=ann&n=7", ""},
		{"application/x-www-form-urlencoded", "name=12&n=7&tags=a&tags=b&more=1", ""},
		{"application/x-www-form-urlencoded", "name=ann", "n"},
		{"application/x-www-form-urlencoded", "name=ann&n=b", "n"},
		{"application/x-www-form-urlencoded", "name=annabel&n=7", "name"},
		{"application/x-www-form-urlencoded", "name=ann&n=7&tags=c", "tags"},
		{"multipart/form-data; boundary=b", part("name", "ann", "n", "7", "tags", "a"), ""},
		{"multipart/form-data; boundary=b", part("name", "ann", "n", "seven"), "n"},
		{"multipart/form-data; boundary=b", inJSON(part("name", "{}", "n", "7", "tags", "a")), "x/request/body"}, // one of them is not JSON
		{"multipart/form-data; boundary=b", inJSON(part("name", "{}", "n", "7")), ""},                            // a text that is JSON
		{"multipart/form-data; boundary=b", inJSON(part("name", `{"a": 1}`, "n", "7")), "name"},                  // a long one
		{"multipart/form-data; boundary=b", inJSON(part("name", "ann", "n", "{}")), "x/request/body"},
		{"multipart/form-data; boundary=b", inJSON(part("name", `"ann"`, "n", "{}")), "n"},
		{"multipart/form-data; boundary=b", inJSON(part("name", `"ann"`, "n", "7", "box", "{}")), "box/w"},
		{"multipart/form-data; boundary=b", "none", "x/request/body"},
		{"text/plain", "abc", ""},
		{"text/plain", "bc", "x/request/body"},
		{"application/xml", "<a/>", "unknown"},
	} {
		t.Run(row.mediaType+" "+row.body, func(t *testing.T) {
			r := spec.Request{Path: "/a", Header: header("Content-Type: " + row.mediaType), Body: []byte(row.body), HasBody: true}
			checkSent(t, op, r, "x/request/body/", row.broken)
		})
	}
}

func header(line string) http.Header {
	name, value, _ := strings.Cut(line, ": ")
	if name == "" {
		return http.Header{}
	}
	return http.Header{name: {value}}
}

func checkSent(t *testing.T, op *spec.Operation, r spec.Request, prefix, want string) {
	t.Helper()
	broken, known := op.CheckRequest(r)
	for i := range broken {
		broken[i] = spec.ClauseID(strings.TrimPrefix(string(broken[i]), prefix))
	}
	if !known {
		broken = append(broken, "unknown")
	}
	if got := joined(broken); got != want {
		t.Errorf("breaks %q, want %q", got, want)
	}
}

// TestFormsAreWritten checks that a written form is read back.
func TestFormsAreWritten(t *testing.T) {
	const doc = "  /a:\n    post: {operationId: x, responses: {'200': {description: d}}, requestBody: {content: {%: {schema: {type: object, additionalProperties: false, properties: {name: {type: string}, tags: {type: array, items: {type: integer}}, file: {type: string, format: binary}}}}}}}\n"
	for mediaType, want := range map[string]string{
		"application/x-www-form-urlencoded": "name=a%20b&tags=1&tags=2",
		"multipart/form-data":               "\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\n2\r\n",
	} {
		op := spectest.Load(t, spectest.Paths(strings.ReplaceAll(doc, "%", mediaType))).Operations[0]
		body, sent, err := op.RequestBody.Content[0].Write(map[string]any{"name": "a b", "tags": []any{json.Number("1"), json.Number("2")}})
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %q, %v", sent, body, err)
			continue
		}
		checkSent(t, op, spec.Request{Path: "/a", Header: header("Content-Type: " + sent), Body: body, HasBody: true}, "", "")
	}
}
