package spec_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// TestRequestsAreReadInTheirDirection: what only responses carry is missed by no
// request, and whether a service takes it is not told; what only requests carry is
// missed.
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
			op := load(t, paths(row.paths)).Operations[0]
			broken, known := op.CheckRequest(spec.Request{
				Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(row.body), HasBody: true,
			})
			for i := range broken {
				broken[i] = strings.TrimPrefix(broken[i], "x/request/body/")
			}
			if !known {
				broken = append(broken, "unknown")
			}
			if got := strings.Join(broken, " "); got != row.broken {
				t.Errorf("breaks %q, want %q", got, row.broken)
			}
		})
	}
}
