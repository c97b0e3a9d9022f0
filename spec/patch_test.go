package spec_test

import (
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// TestCheckShownAfterJSONPatch: what an operation adds, replaces or removes by its name is known
// (RFC 6902 §4), and what may become of the rest is left alone.
func TestCheckShownAfterJSONPatch(t *testing.T) {
	const thing = "content: {application/json: {schema: {type: object, properties: {id: {type: string, readOnly: true}, title: {type: string}, text: {type: string}, a/b: {type: string}, tags: {type: array, items: {type: string}}}}}}"
	contract := load(t, head("3.1.0")+`paths:
  /things: {post: {operationId: create, requestBody: {`+thing+`}, responses: {'201': {description: d}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, `+thing+`}}}
    patch: {operationId: change, requestBody: {content: {application/json-patch+json: {schema: {type: array, items: {type: object}}}}}, responses: {'204': {description: d}}}
`)
	create, _ := contract.Operation("create")
	read, _ := contract.Operation("read")
	change, _ := contract.Operation("change")
	for name, row := range map[string]struct {
		patch, shown string
		want         string // the pointers of the breaches
	}{
		"replaced":                     {`[{"op":"replace","path":"/text","value":"c"}]`, `{"title":"a","text":"c","tags":["x"]}`, ""},
		"not replaced":                 {`[{"op":"replace","path":"/text","value":"c"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/text"},
		"replaced, and the rest lost":  {`[{"op":"replace","path":"/text","value":"c"}]`, `{"text":"c"}`, "/title/tags"},
		"not added":                    {`[{"op":"add","path":"/a~1b","value":"c"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/a~1b"},
		"the last of two":              {`[{"op":"add","path":"/text","value":"c"},{"op":"replace","path":"/text","value":"d"}]`, `{"title":"a","text":"d","tags":["x"]}`, ""},
		"removed":                      {`[{"op":"remove","path":"/text"}]`, `{"title":"a","tags":["x"]}`, ""},
		"not removed":                  {`[{"op":"remove","path":"/text"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/text"},
		"tested alone":                 {`[{"op":"test","path":"/text","value":"b"}]`, `{"title":"a","text":"c","tags":["x"]}`, "/text"},
		"moved":                        {`[{"op":"move","from":"/text","path":"/title"}]`, `{"title":"b","tags":["x"]}`, ""},
		"an item of a list":            {`[{"op":"add","path":"/tags/-","value":"y"}]`, `{"title":"a","text":"b","tags":["x","y"]}`, ""},
		"the whole":                    {`[{"op":"replace","path":"","value":{"title":"z"}}]`, `{"title":"z"}`, ""},
		"what the service sets itself": {`[{"op":"replace","path":"/id","value":"7"}]`, `{"id":"1","title":"a","text":"b","tags":["x"]}`, ""},
		"no list of operations":        {`{"text":"c"}`, `{"title":"q"}`, ""},
	} {
		sent := []spec.Sent{{Operation: create, MediaType: "application/json", Body: []byte(`{"title":"a","text":"b","tags":["x"]}`)}, {Operation: change, MediaType: "application/json-patch+json", Body: []byte(row.patch)}}
		check, err := read.CheckShown(t.Context(), "read/state/changed", sent, answer(200, row.shown), instance.Limits{})
		got := ""
		for _, b := range check.Breaches {
			got += b.Pointer
		}
		if err != nil || got != row.want {
			t.Errorf("%s: a breach at %q, want %q, %v", name, got, row.want, err)
		}
	}
}
