package suites_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/verdict"
)

const couponDocument = `openapi: 3.0.3
info: {title: Coupons, version: '1'}
paths:
  /coupons:
    post:
      operationId: addCoupon
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Coupon'}}}}
      responses: {'201': {description: d}, '422': {description: d}}
components:
  schemas:
    Coupon:
      type: object
      required: [code, kind, value]
      additionalProperties: false
      properties:
        code: {type: string, maxLength: 60}
        kind: {type: string, enum: [percent, fixed]}
        value: {type: integer, minimum: 0, maximum: 100000}
        currency: {type: string, enum: [EUR, USD]}
        lowest: {type: integer, minimum: 1, maximum: 50}
        use: {type: object, additionalProperties: false, properties: {total: {type: integer, minimum: 1, maximum: 50}, perCustomer: {type: integer, minimum: 1, maximum: 50}}}
`

// coupon is the body of a request to these services. A property that is not sent is nil.
type coupon struct {
	Code     string
	Kind     string
	Value    int
	Currency *string
	Lowest   *int
	Use      struct{ Total, PerCustomer *int }
}

// coupons accept each body that meets the schema, unless a rule refuses it.
func coupons(t *testing.T, refuses func(coupon) bool) http.Handler {
	t.Helper()
	c := contractOf(t, couponDocument)
	op, _ := c.Contract.Operation("addCoupon")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		broken, _ := op.CheckRequest(spec.Request{Header: r.Header, Body: text, HasBody: len(text) > 0}) //nolint:contextcheck // what the run sends is small
		var one coupon
		if len(broken) > 0 || json.Unmarshal(text, &one) != nil || refuses(one) {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
}

// TestRulesAcrossValues: a service may refuse a valid value together with some other values, by a
// rule that no schema can express. If it always refuses the value, it breaks the contract.
func TestRulesAcrossValues(t *testing.T) {
	above := func(a, b *int) bool { return a != nil && b != nil && *a > *b }
	for name, row := range map[string]struct {
		refuses func(coupon) bool
		want    verdict.Verdict
		warns   bool
	}{
		"no rule":             {func(coupon) bool { return false }, verdict.Conformant, false},
		"a percentage is 100": {func(c coupon) bool { return c.Kind == "percent" && c.Value > 100 }, verdict.Conformant, true},
		"a sum has a currency": {func(c coupon) bool {
			return c.Kind == "fixed" && c.Currency == nil || c.Kind == "percent" && c.Value > 100
		}, verdict.Conformant, true},
		"a customer's and all uses": {func(c coupon) bool { return above(c.Use.PerCustomer, c.Use.Total) }, verdict.Conformant, true},
		"no currency beside fixed":  {func(c coupon) bool { return c.Kind == "fixed" && c.Currency != nil }, verdict.Conformant, true},
		"a lowest value":            {func(c coupon) bool { return c.Lowest != nil && c.Value < *c.Lowest }, verdict.Conformant, true},
		"never the maximum":         {func(c coupon) bool { return c.Value == 100000 }, verdict.Nonconformant, true},
		"never the maximum of uses": {func(c coupon) bool { return c.Use.Total != nil && *c.Use.Total == 50 }, verdict.Nonconformant, true},
		"no dollars":                {func(c coupon) bool { return c.Currency != nil && *c.Currency == "USD" }, verdict.Nonconformant, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, couponDocument)
			c.Limits.MaxRequests, c.Handler = sampled(400, 0), coupons(t, row.refuses)
			r := run(t, c)
			if r.Verdict != row.want || (len(brokenBy(r, true)) > 0) != row.warns {
				t.Errorf("%s: %s%s", r.Headline, strings.Join(brokenBy(r, true), " "), firstOf(r))
			}
		})
	}
}
