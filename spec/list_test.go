package spec_test

import (
	"encoding/json"
	"testing"
)

// TestListIn: which of the lists in a response has its entries.
func TestListIn(t *testing.T) {
	const texts, items, other = "{type: array, items: {type: string}}", "{type: array, items: {type: object, properties: {id: {type: string}, n: {type: integer}}}}", "{type: array, items: {type: object, properties: {rel: {type: string}}}}"
	const inside = "{type: array, items: {type: object, properties: {url: {type: string}, resource: {type: object, properties: {id: {type: string}}}}}}"
	for _, row := range []struct{ name, properties, body, want string }{
		{"one of texts", "{a: " + texts + "}", `{"a":["x"]}`, `["x"]`},
		{"another one that is not described", "{a: " + texts + "}", `{"a":["x"],"b":["y"]}`, `["x"]`},
		{"the one with ids", "{schemas: " + texts + ", Resources: " + items + ", links: " + other + "}", `{"schemas":["x"],"Resources":[{"id":"1"}],"links":[]}`, `[{"id":"1"}]`},
		{"which is left out", "{schemas: " + texts + ", Resources: " + items + "}", `{"schemas":["x"]}`, `none`},
		{"ids one level deeper", "{link: " + other + ", entry: " + inside + "}", `{"link":[{"rel":"self"}],"entry":[{"resource":{"id":"1"}}]}`, `[{"resource":{"id":"1"}}]`},
		{"the only one of objects", "{books: " + other + ", unreachable: " + texts + "}", `{"books":[],"unreachable":["x"]}`, `[]`},
		{"two with ids, and a usual name", "{data: " + items + ", included: " + items + "}", `{"data":[],"included":[{"id":"1"}]}`, `[]`},
		{"two alike", "{open: " + items + ", done: " + items + "}", `{"open":[{"id":"1"}],"done":[]}`, `none`},
		{"below another object", "{page: {type: object, properties: {n: {type: integer}}}, _embedded: {type: object, properties: {shelves: " + items + ", words: " + texts + "}}}", `{"_embedded":{"words":["x"],"shelves":[]}}`, `[]`},
		{"none that is described", "{}", `{"any":[1]}`, `[1]`},
	} {
		op := load(t, head("3.0.3")+"paths:\n  /a: {get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: "+row.properties+"}}}}}}}\n").Operations[0]
		var body any
		if err := json.Unmarshal([]byte(row.body), &body); err != nil {
			t.Fatal(err)
		}
		got := "none"
		if list, ok := op.ListIn(body); ok {
			text, _ := json.Marshal(list)
			got = string(text)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}
