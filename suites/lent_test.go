package suites_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

const loanDocument = `openapi: 3.0.3
info: {title: Loans, version: '1'}
paths:
  /copies:
    post: {operationId: createCopy, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Copy'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Copy'}}}}, '400': {description: d}}}
  /copies/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getCopy, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Copy'}}}}, '404': {description: d}}}
  /loans:
    get: {operationId: listLoans, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Loan'}}}}}}}
    post: {operationId: createLoan, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}, '400': {description: d}, '409': {description: d}}}
  /loans/{id}:
    parameters: *id
    get: {operationId: getLoan, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}, '404': {description: d}}}
components:
  schemas:
    Copy: {type: object, required: [barcode], properties: {id: {type: string, readOnly: true}, barcode: {type: string, maxLength: 80}}}
    Loan: {type: object, required: [copyId], properties: {id: {type: string, readOnly: true}, copyId: {type: string}, days: {type: integer, minimum: 1, maximum: 30}}}
`

// TestLent: a copy is lent to one person at a time, so that a second loan needs a copy of its own. Without it, no fixture
// that needs two loans would give evidence.
func TestLent(t *testing.T) {
	once := func(s *keeper) {
		lent := map[any]bool{}
		s.store = func(_ string, _, sent, after kept) kept {
			copied, isLoan := sent["copyId"].(string)
			if isLoan && (lent[copied] || s.things["/copies/"+copied] == nil) {
				return nil
			}
			lent[copied] = isLoan
			return after
		}
	}
	r, _ := runKeeper(t, loanDocument, once)
	for _, one := range r.Results {
		if strings.Contains(one.Fixture, "/kept/") && one.Status == judge.Unjudged {
			t.Errorf("%s is %s: %s", one.Fixture, one.Status, one.Reason)
		}
	}
	keepers{
		"lists one loan": {func(s *keeper) {
			once(s)
			s.answer = func(method, path string, status int, body any) (int, any) {
				if list, isList := body.([]any); isList && method == http.MethodGet && path == "/loans" && len(list) > 1 {
					body = list[:1]
				}
				return status, body
			}
		}, []string{"listLoans/state/listed"}},
	}.test(t, loanDocument)
}
