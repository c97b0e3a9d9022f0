package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// TestExistence checks which properties must name what exists, by the words of a document.
func TestExistence(t *testing.T) {
	for _, row := range []struct{ property, status, words, want string }{
		{"The firmware must exist.", "400", "d", "firmwareId must"},
		{"Must refer to an existing firmware", "400", "d", "firmwareId must"},
		{"d", "404", "404 if the firmware is unknown", "firmwareId must"},
		{"d", "422", "Returned when the firmware does not exist.", "firmwareId must"},
		{"d", "422", "The customer or the firmware does not exist", "customer firmwareId should"},
		{"d", "404", "Firmware not found", "firmwareId should"},
		{"d", "400", "No such firmware, or no such customer", "firmwareId should"},
		{"d", "409", "Unknown customer", "customer should"},
		// They do not say it.
		{"The firmware to install.", "404", "Not found", ""},
		{"An existing firmware, or a new one.", "404", "d", ""},
		{"The firmware must exist, unless it is a beta.", "404", "d", ""},
		{"d", "404", "The device is unknown", ""},
		{"d", "404", "The license of the firmware does not exist", ""},
		{"d", "404", "The firmware does not exist in the region of the customer", ""},
		{"d", "503", "The firmware does not exist", ""},
	} {
		t.Run(row.property+" "+row.words, func(t *testing.T) {
			c, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(`openapi: 3.0.3
info: {title: Rollouts, version: '1'}
paths:
  /rollouts: {post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {customer: {type: string}, firmwareId: {type: integer, description: ` + quoted(row.property) + `}, share: {type: number}}}}}}, responses: {'201': {description: d}, '` + row.status + `': {description: ` + quoted(row.words) + `}}}}
`)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			op, _ := c.Operation("add")
			_, list, _ := op.References()
			got := ""
			for _, p := range list {
				got += p.Name + " "
			}
			if clause, ok := c.Clause(op.ClauseIDs().State(spec.StateReference)); ok {
				got += fmt.Sprint(clause.Level)
			}
			if strings.TrimSpace(got) != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
