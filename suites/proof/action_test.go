package proof_test

import (
	"strings"
	"testing"
)

// TestActions: the service knows which actions were executed on a resource, and each action that it accepts in a state
// that the contract excludes is found.
func TestActions(t *testing.T) {
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /jobs: {post: {operationId: add, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
  /jobs/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, phase: {type: string, enum: [draft, submitted, cancelled]}}}}}}, '404': {description: d}}}
  /jobs/{id}/submit: {parameters: *id, post: {operationId: submit, responses: {'204': {description: d}, '409': {description: The job is not in state draft}}}}
  /jobs/{id}/cancel: {parameters: *id, post: {operationId: cancel, responses: {'204': {description: d}, '409': {description: The job is already cancelled}}}}
`))
	for _, one := range p.Unshown {
		if strings.Contains(one.Deviation, "conflict") {
			t.Errorf("%s %s: %s", one.Operation, one.Deviation, one.Reason)
		}
	}
	if !p.Whole() {
		t.Error(p.Text(true))
	}
}
