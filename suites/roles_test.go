package suites_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites/judge"
)

// TestReferencesInRoles: the two accounts of a transfer are created before, and differ. A service
// may refuse one alternative of the body because an account has no funds, or another currency.
func TestReferencesInRoles(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Ledger, version: '1'}
paths:
  /accounts: {post: {operationId: openAccount, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string, format: uuid}, currency: {type: string, enum: [EUR, USD]}}}}}}}}}
  /transfers:
    post:
      operationId: transfer
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - {type: object, required: [kind, to_account, amount], properties: {kind: {type: string, enum: [deposit]}, to_account: &account {type: string, format: uuid}, payer_account: *account, currency: {type: string, enum: [EUR, USD]}, amount: &amount {type: integer, minimum: 1, maximum: 1000}}}
                - {type: object, required: [kind, from_account, to_account, amount], properties: {kind: {type: string, enum: [internal]}, from_account: *account, to_account: *account, amount: *amount}}
      responses: {'201': {description: d}, '422': {description: no such account or no funds}}
`
	for _, row := range []struct {
		name         string
		least        int
		funds, exist bool // no check of funds, or of accounts that exist
		want         []string
	}{
		{"no account has funds", 1, false, false, nil},
		{"all have funds", 1, true, false, nil},
		{"nothing must exist", 1, true, true, []string{"transfer/state/reference"}}, // 422 says: no such account
		{"an amount of 0", 0, false, false, []string{"transfer/request/body/amount"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, document)
			var created atomic.Int64
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/accounts" {
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id":"7d3e1a52-0000-4000-8000-%012d"}`, created.Add(1))
					return
				}
				body, _ := io.ReadAll(r.Body)
				op, _ := c.Contract.Operation("transfer")
				var value any
				decoder := json.NewDecoder(bytes.NewReader(body))
				decoder.UseNumber()
				err := decoder.Decode(&value)
				if !json.Valid(body) || !utf8.Valid(body) {
					err = errors.New("not one JSON value")
				}
				sent, _ := value.(map[string]any)
				if row.least == 0 && sent["amount"] == json.Number("0") {
					sent["amount"] = json.Number("1")
				}
				isValid := op.RequestBody.JSON().Meets(schema.Request, value)
				isThere := func(name string) bool {
					id, isSent := sent[name].(string)
					n, err := strconv.ParseInt(id[strings.LastIndex(id, "-")+1:], 10, 64)
					return !isSent || row.exist || strings.HasPrefix(id, "7d3e1a52-") && err == nil && n <= created.Load()
				}
				switch {
				case err != nil || !isValid || !strings.EqualFold(r.Header.Get("Content-Type"), "application/json"):
					w.WriteHeader(http.StatusBadRequest)
				case !isThere("from_account"), !isThere("to_account"), !isThere("payer_account"),
					!row.exist && sent["currency"] == "USD", !row.exist && sent["from_account"] == sent["to_account"], !row.funds && sent["kind"] == "internal":
					w.WriteHeader(http.StatusUnprocessableEntity)
				default:
					w.WriteHeader(http.StatusCreated)
				}
			})
			r := run(t, c)
			if got := slices.Concat(broken(r, judge.Violation), broken(r, judge.Warning)); !slices.Equal(got, row.want) {
				t.Errorf("%v are broken, want %v: %s", got, row.want, firstOf(r))
			}
			if len(r.Reached.Missing) > 0 {
				t.Errorf("not reached: %+v", r.Reached.Missing)
			}
		})
	}
}
