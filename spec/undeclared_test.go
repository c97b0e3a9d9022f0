package spec_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestMayHaveMore checks which descriptions of a document permit properties that it does not declare. A schema may still
// forbid them.
func TestMayHaveMore(t *testing.T) {
	for says, want := range map[string]string{
		"Keeps plants.": "x/200/body/undeclared should, x/201/body/undeclared must",
		"Properties that are not documented are ignored. Responses may have further properties.": "x/201/body/undeclared must",
		"Clients must ignore unknown fields.":                                                    "x/201/body/undeclared must",
		"Clients should ignore fields that they do not know":                                     "x/201/body/undeclared must",
		"Requests may have further properties.":                                                  "x/200/body/undeclared should, x/201/body/undeclared must",
		"Responses may not have further properties.":                                             "x/200/body/undeclared should, x/201/body/undeclared must",
	} {
		const of = "type: object, properties: {name: {type: string}}"
		document := strings.Replace(spectest.Head("3.0.3"), "title: t,", "title: t, description: '"+says+"',", 1) +
			"paths: {/a: {post: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {" + of + "}}}}, '201': {description: d, content: {application/json: {schema: {" + of + ", additionalProperties: false}}}}}}}}\n"
		var got []string
		for _, c := range spectest.Load(t, document).Operations[0].Clauses() {
			if c.ID.IsUndeclared() {
				got = append(got, string(c.ID)+" "+string(c.Level))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %v", says, got)
		}
	}
}
