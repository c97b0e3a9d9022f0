package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestParameters checks that parameters of the operation override those of the path item.
func TestParameters(t *testing.T) {
	contract := spectest.Load(t, spectest.Paths(`  /a:
    parameters: [{name: a, in: query, schema: {}}, {name: b, in: query, schema: {}}, {name: a, in: header, schema: {}}]
    get: {operationId: x, parameters: [{$ref: '#/paths/~1b/get/parameters/0'}], `+fine+`}
  /b:
    get: {operationId: y, parameters: [{name: a, in: query, required: true, schema: {}}, {name: authorization, in: header, schema: {}}], `+fine+`}
  /c:
    parameters: [{name: authorization, in: header, schema: {}}, {name: authorization, in: query, schema: {}}]
    get: {operationId: z, `+fine+`}
`))
	if got, want := told(contract.Operations[2]), "query authorization"; got != want {
		t.Errorf("got %q, want %q: a name is reserved among headers alone", got, want)
	}
	if got, want := told(contract.Operations[0]), "query b, header a, query a required"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// told returns the parameters of an operation as text.
func told(op *spec.Operation) string {
	var words []string
	for _, p := range op.Parameters {
		words = append(words, p.In+" "+p.Name+map[bool]string{true: " required"}[p.Required])
	}
	return strings.Join(words, ", ")
}

// TestParametersAreWritten checks declared and default styles (OpenAPI 3.0.3, Parameter Object).
func TestParametersAreWritten(t *testing.T) {
	for _, row := range []struct{ parameter, style, content, kind string }{
		{"in: query, schema: {type: array, items: {type: integer}}", "form, explode", "", "a list, each item an integer"},
		{"in: query, explode: false, schema: {type: integer, format: int64}", "form", "", "an int64"},
		{"in: query, style: deepObject, allowReserved: true, schema: {type: object}", "deepObject, reserved", "", "an object"},
		{"in: header, schema: {type: boolean}", "simple", "", "a boolean"},
		{"in: header, explode: true, schema: {}", "simple, explode", "", "anything"},
		{"in: cookie, schema: {type: string}", "form, explode", "", "a string"},
		{"in: query, content: {application/json: {schema: {type: object}}}", "", "application/json", "an object"},
	} {
		t.Run(row.parameter, func(t *testing.T) {
			op := spectest.Load(t, spectest.Paths("  /a:\n    get: {operationId: x, parameters: [{name: p, "+row.parameter+"}], responses: {'200': {description: d}}}\n")).Operations[0]
			p := op.Parameters[0]
			style := p.Kind + map[bool]string{true: ", explode"}[p.Explode] + map[bool]string{true: ", reserved"}[p.Reserved]
			if kind := p.Schema.Shape().Describe(); style != row.style || p.Content != row.content || kind != row.kind {
				t.Errorf("written %q, in %q, and is %s", style, p.Content, kind)
			}
		})
	}
}

// TestRequestMediaType checks the default media type of requests.
func TestRequestMediaType(t *testing.T) {
	for _, row := range []struct {
		name     string
		declared []string
		want     string
	}{
		{"JSON itself", []string{"text/csv", "application/problem+json", "application/json; version=2"}, "application/json; version=2"},
		{"a media type of JSON texts", []string{"*/*", "application/hal+json", "application/problem+json"}, "application/hal+json"},
		{"a range that includes JSON", []string{"text/*", "application/*"}, "application/json"},
		{"a range without JSON", []string{"text/*"}, "text/*"},
		{"a range of suffixes", []string{"application/*+json"}, "application/json"},
		{"no JSON", []string{"text/csv", "text/plain"}, "text/csv"},
		{"nothing", nil, ""},
	} {
		content := ""
		for _, mediaType := range row.declared {
			content += fmt.Sprintf("%q: {}, ", mediaType)
		}
		contract := spectest.Load(t, spectest.Paths("  /a:\n    post: {operationId: x, requestBody: {content: {"+content+"}}, responses: {'200': {description: d}}}\n"))
		if got := contract.Operations[0].RequestBody.MediaType(); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestMethodsOfOpenAPI32 checks QUERY and the methods of additionalOperations.
func TestMethodsOfOpenAPI32(t *testing.T) {
	c := spectest.Load(t, spectest.Head("3.2.0")+"paths: {/a: {query: {"+fine+"}, additionalOperations: {LINK: {operationId: link, "+fine+"}}}}\n")
	var got []string
	for _, op := range c.Operations {
		got = append(got, op.Method+" "+op.ID)
	}
	if want := "QUERY query-a, LINK link"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// TestCreatorOf checks which POST creates what a property or query parameter names.
func TestCreatorOf(t *testing.T) {
	const sent = `{required: true, content: {application/json: {schema: {type: object, required: [KEY], properties: {KEY: {type: string}, lead_id: {type: string}}}}}}`
	const shown = `{description: d, content: {application/json: {schema: {type: object, properties: {team: {$ref: '#/components/schemas/Team'}}}}}}`
	for name, row := range map[string]struct{ post, key, status, more string }{
		"add":                        {"add", "team_name", "201", ""},
		"another status":             {"", "team_name", "200", ""},
		"a bare id":                  {"", "id", "201", ""},
		"a property that many have":  {"", "kind", "201", ""},
		"another id is required":     {"", "team_name, lead_id", "201", ""},
		"two operations could do it": {"", "team_name", "201", "  /team/import: {post: {operationId: import, requestBody: " + strings.ReplaceAll(sent, "KEY", "team_name") + ", responses: {'201': " + shown + "}}}\n"},
	} {
		key, _, _ := strings.Cut(row.key, ",")
		body := strings.Replace(strings.Replace(sent, "KEY", row.key, 1), "KEY", key, 1)
		contract := spectest.Load(t, spectest.Head("3.0.3")+"paths:\n"+
			"  /team/add: {post: {operationId: add, requestBody: "+body+", responses: {'"+row.status+"': "+shown+"}}}\n"+row.more+
			"  /team/get: {get: {operationId: get, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}}}}\n"+
			"components: {schemas: {Team: {type: object, properties: {team_name: {type: string}, id: {type: string}, kind: {type: string}}}}}\n")
		get, _ := contract.Operation("get")
		got := ""
		if create := get.CreatorOf(key); create != nil {
			got = create.ID
		}
		if got != row.post {
			t.Errorf("%s: got %q, want %q", name, got, row.post)
		}
	}
}
