package spec_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestRefusals checks what the words of a document say about the states in which an action is rejected, and about the
// actions that must come before.
func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		operation, path string
		conflict, words string // the description of 409, and that of the operation
		after, before   string // the actions after which it is rejected, and those that must come before
	}{
		{"cancel", "cancel", "The order is already cancelled", "", "cancel", ""},
		{"cancel", "cancel", "409 if the order is already cancelled/shipped.", "", "cancel ship", ""},
		{"cancel", "cancel", "Order already shipped, delivered or canceled", "", "cancel ship", ""},
		{"cancel", "cancel", "Conflict: the order has already been cancelled", "", "cancel", ""},
		{"cancel", "cancel", "The order is in state `cancelled` already", "", "cancel", ""},
		{"cancel", "cancel", "Conflict", "Cancels an order. Fails with 409 if it is already cancelled.", "cancel", ""},
		{"cancel", "cancel", "Conflict", "An order can be cancelled only once.", "cancel", ""},
		{"cancel", "cancel", "Conflict", "An order can only be cancelled once it is confirmed.", "", "confirm"},
		{"cancel", "cancel", "Conflict", "Cancels an order. A cancelled order cannot be cancelled again (409).", "cancel", ""},
		{"cancel", "cancel", "Conflict", "An order that is already cancelled cannot be cancelled again (409).", "cancel", ""},
		{"ship", "ship", "Conflict", "An order that was already shipped cannot be shipped again (409).", "ship", ""},
		{"ship", "ship", "Conflict", "An order that is cancelled cannot be shipped.", "cancel", ""},
		{"cancel", "cancel", "d", "Cancels an order. An order that is already cancelled is answered with status 400 and a code.", "cancel", ""},
		{"confirm", "confirm", "The order is not in state draft", "", "cancel confirm ship", ""},
		{"ship", "ship", "d", "Moves the order from `confirmed` to `shipped`.", "", "confirm"},
		{"ship", "ship", "d", "Moves the order from confirmed stock to the customer.", "", ""},
		{"confirm", "confirm", "Not a draft order", "", "", ""},
		{"confirm", "confirm", "d", "Only draft orders can be confirmed.", "cancel confirm ship", ""},
		{"confirm", "confirm", "d", "The order must be in state `draft`.", "cancel confirm ship", ""},
		{"confirm", "confirm", "The order is not open", "", "", ""},
		{"confirm", "confirm", "d", "Confirms an order. An order that is not `draft` gives `409`.", "confirm", ""},
		{"confirm", "confirm", "d", "Moves an order from `draft` to `confirmed`. Any other state gives `409`.", "cancel confirm ship", ""},
		{"ship", "ship", "The order is not confirmed", "", "ship", "confirm"},
		{"ship", "ship", "d", "Only confirmed orders can be shipped.", "cancel ship", "confirm"},
		{"cancel", "cancel", "d", "Moves an order from `draft` or `confirmed` to `cancelled`. Any other state gives `409`. Its goods are `free` again.", "cancel ship", ""},
		{"cancel", "cancel", "d", "Moves an order that is draft or confirmed to the archive. An order in any other state gives 409.", "cancel ship", ""},
		{"cancel", "cancel", "d", "Moves an order from `draft` to `cancelled`. Any other state gives `409`. The order can be cancelled again.", "", ""},
		{"replace", "", "d", "Only an order that is `draft` or `confirmed` can be changed; any other is rejected with 409.", "cancel ship", ""},
		{"ship", "ship", "The order hasn't been confirmed yet", "", "", "confirm"},
		{"ship", "ship", "The order is unconfirmed", "", "", "confirm"},
		{"ship", "ship", "d", "Cannot be shipped until the order is confirmed.", "", "confirm"},
		{"ship", "ship", "d", "Requires a confirmed order.", "", "confirm"},
		{"ship", "ship", "The order must be confirmed first", "", "", "confirm"},
		// The words speak of something else, or leave a way to do it again.
		{"cancel", "cancel", "The customer is already cancelled", "", "", ""},
		{"cancel", "cancel", "Conflict", "An order that is already shipped cannot be changed (409).", "", ""},
		{"cancel", "cancel", "Conflict", "An order whose customer is already cancelled cannot be cancelled (409).", "", ""},
		{"confirm", "confirm", "d", "An order whose customer is not `draft` gives `409`.", "", ""},
		{"confirm", "confirm", "d", "Moves an order from `draft` to `confirmed`. Any other state stays as it is.", "", ""},
		{"confirm", "confirm", "d", "Moves an order from `draft` to `confirmed`. A customer without an address gives `409`.", "", ""},
		{"cancel", "cancel", "An item of the order is already cancelled", "", "", ""},
		{"cancel", "cancel", "The order is already cancelled by another user", "", "", ""},
		{"cancel", "cancel", "The order is already cancelled and refunded", "", "", ""},
		{"cancel", "cancel", "The order is already cancelled, unless forced", "", "", ""},
		{"cancel", "cancel", "The order is already archived", "", "", ""},
		{"cancel", "cancel", "The order cannot be cancelled", "", "", ""},
		{"cancel", "cancel", "The order is already cancelled", "Idempotent.", "", ""},
		{"cancel", "cancel", "The order is already cancelled", "Cancelling an order that is already cancelled has no effect.", "", ""},
		{"cancel", "cancel", "The payment is not confirmed", "", "", "confirm"}, // costs a request
		{"ship", "ship", "The order is already confirmed", "", "confirm", ""},
		{"ship", "ship", "d", "Cannot be shipped once it is cancelled.", "", ""},
		{"ship", "ship", "d", "Only possible before the order is confirmed.", "", ""},
		{"ship", "ship", "d", "Only unconfirmed orders can be shipped.", "", ""},
		{"addShipment", "shipments", "The order is not confirmed", "", "", "confirm"},
		{"addShipment", "shipments", "The order is already cancelled", "", "", ""},
		// A creation below the order.
		{"addReturn", "returns", "The order is cancelled", "", "cancel", ""},
		{"addReturn", "returns", "The order is cancelled or archived", "", "cancel", ""},
		{"addReturn", "returns", "d", "A cancelled order gives 409.", "", ""},
		{"addReturn", "returns", "The order is not shipped", "", "", "ship"},
		{"addReturn", "returns", "The item is cancelled", "", "", ""},
		{"addReturn", "returns", "The order is not cancelled", "", "", "cancel"},
		// A deletion or a replacement.
		{"remove", "", "d", "Only drafts can be deleted; otherwise 409.", "cancel confirm ship", ""},
		{"remove", "", "d", "Only draft orders can be deleted", "cancel confirm ship", ""},
		{"remove", "", "d", "Only draft or cancelled orders can be deleted", "confirm ship", "cancel"}, // costs a request
		{"remove", "", "d", "An order can only be deleted while it is a draft.", "cancel confirm ship", ""},
		{"remove", "", "d", "An order can be deleted only in state `draft`.", "cancel confirm ship", ""},
		{"remove", "", "d", "Only cancelled orders can be deleted.", "confirm ship", "cancel"},
		{"remove", "", "409 if the order is confirmed or shipped", "", "confirm ship", ""},
		{"remove", "", "The order is not a draft", "", "cancel confirm ship", ""},
		{"remove", "", "The order is already shipped", "", "ship", ""},
		{"remove", "", "d", "A shipped order cannot be deleted: 409", "ship", ""},
		{"remove", "", "d", "Shipped and confirmed orders cannot be removed.", "confirm ship", ""},
		{"remove", "", "d", "An order cannot be deleted once it has been shipped.", "ship", ""},
		{"replace", "", "d", "A shipped order can no longer be changed.", "ship", ""},
		{"replace", "", "The order has been confirmed", "Replaces an order.", "confirm", ""},
		{"remove", "", "The customer is confirmed", "", "", ""},
		{"remove", "", "The order is neither shipped or confirmed", "", "", ""},
		{"remove", "", "409 if the order is paid and shipped", "", "", ""},
		{"remove", "", "The order is confirmed by another user", "", "", ""},
		{"remove", "", "The order has confirmed items", "", "", ""},
		{"remove", "", "d", "Only drafts of the caller can be deleted.", "", ""},
		{"remove", "", "d", "Shipped orders cannot be deleted by customers.", "", ""},
		{"remove", "", "d", "Shipped orders cannot be deleted unless forced.", "", ""},
		{"remove", "", "d", "Shipped orders cannot be changed.", "", ""},
		{"remove", "", "d", "Only drafts can be changed.", "", ""},
		{"remove", "", "d", "Deletes a shipped order.", "", ""},
		{"replace", "", "d", "The price of a shipped order cannot be changed.", "", ""},
		{"replace", "", "d", "Shipped orders cannot be changed in price.", "", ""},
	} {
		t.Run(row.operation+": "+row.conflict+" "+row.words, func(t *testing.T) {
			said := map[string]string{row.operation: ", description: " + quoted(row.words) + ", responses: {'200': {description: d}, '409': {description: " + quoted(row.conflict) + "}}}"}
			document := `openapi: 3.0.3
info: {title: Orders, version: '1'}
paths:
  /orders/{orderId}:
    delete: {operationId: remove` + cmp.Or(said["remove"], ", responses: {'200': {description: d}}}") + `
    put: {operationId: replace` + cmp.Or(said["replace"], ", responses: {'200': {description: d}}}") + `
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {status: {type: string, enum: [draft, confirmed, shipped, cancelled]}}}}}}}}
  /orders/{orderId}/shipments/{id}: {get: {operationId: readShipment, responses: {'200': {description: d}}}}
`
			for _, one := range [][2]string{{"cancel", "cancel"}, {"confirm", "confirm"}, {"ship", "ship"}, {"addShipment", "shipments"}} {
				document += "  /orders/{orderId}/" + one[1] + ": {post: {operationId: " + one[0] + cmp.Or(said[one[0]], ", description: '', responses: {'200': {description: d}, '409': {description: d}}}") + "}\n"
			}
			if row.operation == "addReturn" {
				document += "  /orders/{orderId}/returns: {post: {operationId: addReturn" + strings.Replace(said["addReturn"], "'200'", "'201'", 1) + "}\n"
			}
			c, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			op, _ := c.Operation(row.operation)
			isRule := slices.ContainsFunc([]string{" if ", "nly ", " must ", " gives ", "annot ", "can no "}, func(word string) bool { return strings.Contains(row.conflict+" "+row.words, word) })
			if clause, ok := c.Clause(op.ClauseIDs().State(spec.StateConflict)); ok && (clause.Level == spec.Must) != isRule {
				t.Errorf("%s is a %s", clause.ID, clause.Level)
			}
			for what, list := range map[string][]*spec.Operation{row.after: op.RefusedAfter(), row.before + " ": op.Before()} {
				var got []string
				for _, by := range list {
					got = append(got, by.ID)
				}
				slices.Sort(got)
				if strings.Join(got, " ") != strings.TrimSpace(what) {
					t.Errorf("got %v, want %q (refused after, or before with a space)", got, what)
				}
			}
		})
	}
}

// TestHidesDeleted checks which descriptions of a list say that it does not have what is deleted.
func TestHidesDeleted(t *testing.T) {
	for says, want := range map[string]bool{
		"Lists the orders. Deleted orders are left out.":                   true,
		"Deleted orders are left out unless `all` is true.":                true,
		"A deleted order is not found (404) until it is restored.":         true,
		"Deleted orders are not returned by default.":                      true,
		"Deleted orders are left out unless the user is an administrator.": false,
		"Deleted orders are not left out.":                                 false,
		"Deleted orders are not returned if they are older than a year.":   false,
		"Orders with deleted items are left out.":                          false,
		"Deleted items are left out.":                                      false,
		"Deleted orders are shown as deleted.":                             false,
		"Lists the orders.":                                                false,
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/orders: {get: {operationId: x, description: "+quoted(says)+", parameters: [{name: all, in: query, schema: {type: boolean}}], responses: {'200': {description: d}}}}}\n").Operations[0]
		if got := op.HidesDeleted(); got != want {
			t.Errorf("%q: %t", says, got)
		}
	}
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// TestExistence checks which properties must name what exists, by the words of a document.
func TestExistence(t *testing.T) {
	for _, row := range []struct{ property, status, words, want string }{
		{"The firmware must exist.", "400", "d", "firmwareId must"},
		{"Must refer to an existing firmware", "400", "d", "firmwareId must"},
		{"d", "404", "404 if the firmware is unknown", "firmwareId must"},
		{"d", "422", "Returned when the firmware does not exist.", "firmwareId must"},
		{"d", "422", "The customer or the firmware does not exist", "customer firmwareId should"},
		{"d", "404", "Firmware not found", "firmwareId should"},
		{"d", "400", "No such firmware, or no such customer", "customer firmwareId should"},
		{"d", "409", "Unknown customer", "customer should"},
		{"d", "422", "A customer that is blocked is rejected with 409, a `firmwareId` that does not exist with 422.", "firmwareId must"},
		{"d", "422", "The body is invalid, the firmware does not exist, or the share is not another one", "firmwareId should"},
		{"d", "422", "The old firmware is the same or the firmware does not exist.", "firmwareId should"},
		// They do not say it.
		{"The firmware to install.", "404", "Not found", ""},
		{"An existing firmware, or a new one.", "404", "d", ""},
		{"The firmware must exist, unless it is a beta.", "404", "d", ""},
		{"d", "404", "The device is unknown", ""},
		{"d", "404", "The license of the firmware does not exist", ""},
		{"d", "404", "The firmware does not exist in the region of the customer", ""},
		{"d", "422", "If the customer has a contract, the firmware does not exist", ""},
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
