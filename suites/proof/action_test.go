package proof_test

import (
	"strings"
	"testing"
)

// TestActions: the service knows which actions were executed on a resource. Each action that it accepts in a state
// that the contract excludes is found, and so is each that does not lead to its state.
func TestActions(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /jobs: {post: {operationId: add, description: A new job is a draft., responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, phase: &phase {type: string, enum: [draft, submitted, cancelled]}}}}}}}}}
  /jobs/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, phase: *phase, locked: {type: boolean}}}}}}, '404': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}, '404': {description: d}, '409': {description: d}}, description: Only drafts can be deleted.}
  /jobs/{id}/submit: {parameters: *id, post: {operationId: submit, description: Sets phase to submitted., responses: {'204': {description: d}, '409': {description: The job is not in state draft}}}}
  /jobs/{id}/cancel: {parameters: *id, post: {operationId: cancel, responses: {'204': {description: d}, '409': {description: The job is already cancelled}}}}
  /jobs/{id}/lock: {parameters: *id, post: {operationId: lock, summary: Lock a job, responses: {'204': {description: d}}}}
`))
	for _, one := range p.Unshown {
		if strings.Contains(one.Deviation, "conflict") || strings.Contains(one.Deviation, "reached") || strings.Contains(one.Deviation, "initial") {
			t.Errorf("%s %s: %s", one.Operation, one.Deviation, one.Reason)
		}
	}
	if !p.Whole() {
		t.Error(p.Text(true))
	}
}
