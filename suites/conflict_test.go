package suites_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/verdict"
)

const shippingDocument = `openapi: 3.0.3
info: {title: Orders, version: '1'}
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 80}}}}}}
      responses: {'201': &new {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}, '202': *new, '400': {description: d}}
  /orders/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getOrder, responses: {'200': &order {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}, '404': {description: d}}}
    REMOVE
  /orders/{id}/confirm:
    parameters: *id
    post: {operationId: confirmOrder, responses: {'200': *order, '404': {description: d}, '409': {description: CONFIRM}}}
  /orders/{id}/cancel:
    parameters: *id
    post: {operationId: cancelOrder, responses: {'200': *order, '404': {description: d}, '409': {description: CANCEL}}}
  /orders/{id}/shipments:
    parameters: *id
    post:
      operationId: createShipment
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [weight], properties: {weight: {type: integer, minimum: 1, maximum: 30}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [weight], properties: {weight: {type: integer}}}}}}, '400': {description: d}, '404': {description: d}, '409': {description: SHIP}}
components:
  schemas:
    Order: {type: object, required: [id, title], properties: {id: {type: string, readOnly: true}, title: {type: string, maxLength: 80}, status: {type: string, enum: [draft, confirmed, refunded, cancelled], readOnly: true}}}
`

// shipping serves the document of orders. A state in a list permits an action, and the empty list permits it in all.
type shipping struct {
	contract *spec.Contract
	mu       sync.Mutex
	orders   []kept
	confirm  []string // states in which an order is confirmed
	cancel   []string // and cancelled
	ship     []string // and gets shipments
	remove   []string // and is deleted
	reaches  string   // the state after it is cancelled; "" is cancelled
	hides    bool     // shows no state
	queues   bool     // creates orders with 202
	light    bool     // takes a shipment without weight
}

func (s *shipping) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	segments := append(strings.Split(strings.Trim(r.URL.Path, "/"), "/"), "", "")
	op, _ := s.contract.Operation(map[string]string{"POST": "createOrder", "GET ": "getOrder", "DELETE": "deleteOrder", "POST confirm": "confirmOrder", "POST cancel": "cancelOrder", "POST shipments": "createShipment"}[strings.TrimSpace(r.Method+" "+segments[2])+map[bool]string{true: " "}[r.Method == http.MethodGet]])
	body, _ := io.ReadAll(r.Body)
	number, _ := strconv.Atoi(segments[1])
	answer := func(status int, value kept) {
		value = map[bool]kept{true: {"id": value["id"], "title": value["title"]}, false: value}[s.hides && value["id"] != nil]
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value)
	}
	if op == nil || op.ID != "createOrder" && (number < 1 || number > len(s.orders) || s.orders[number-1] == nil) {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	var sent kept
	broken, _ := op.CheckRequest(spec.Request{Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: r.Header, Body: body, HasBody: len(body) > 0}) //nolint:contextcheck // what the run sends is small
	if isObject := json.Unmarshal(body, &sent) == nil; op.RequestBody != nil && (len(broken) > 0 || !isObject) && !(s.light && op.ID == "createShipment" && string(body) == "{}" && r.Header.Get("Content-Type") == "application/json") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if op.ID == "createOrder" {
		s.orders = append(s.orders, kept{"id": strconv.Itoa(len(s.orders) + 1), "title": sent["title"], "status": "draft"})
		answer(map[bool]int{true: http.StatusAccepted, false: http.StatusCreated}[s.queues], s.orders[len(s.orders)-1])
		return
	}
	order := s.orders[number-1]
	permitted := map[string][]string{"confirmOrder": s.confirm, "cancelOrder": s.cancel, "createShipment": s.ship, "deleteOrder": s.remove}[op.ID]
	state, _ := order["status"].(string)
	switch {
	case len(permitted) > 0 && !slices.Contains(permitted, state):
		w.WriteHeader(http.StatusConflict)
		return
	case op.ID == "deleteOrder":
		s.orders[number-1] = nil
		w.WriteHeader(http.StatusNoContent)
		return
	case op.ID == "createShipment":
		answer(http.StatusCreated, kept{"weight": cmp.Or[any](sent["weight"], 1)})
		return
	case op.ID == "confirmOrder":
		order["status"] = "confirmed"
	case op.ID == "cancelOrder":
		order["status"] = map[bool]string{true: "cancelled", false: s.reaches}[s.reaches == ""]
	}
	answer(http.StatusOK, order)
}

// TestConflicts: an action is rejected in a state for which the document says so, and a resource gets the state that an
// operation needs. Where the document says nothing, or the resource is back in its former state, all is permitted.
func TestConflicts(t *testing.T) {
	draft, open := []string{"draft"}, []string{"draft", "confirmed"}
	const again, confirmed, notConfirmed = "Returned if the order is already cancelled", "The order is not in state draft", "The order is not confirmed"
	const key = "}}, parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}], x-n: {n: {n: n"
	const onlyDraft = "Only draft orders can be confirmed"
	const onlyDrafts = "delete: Only drafts can be deleted."
	for name, row := range map[string]struct {
		service               *shipping
		confirm, cancel, ship string // descriptions of 409, or of a deletion
		want                  []string
	}{
		"faithful":                              {&shipping{confirm: draft, cancel: open, ship: []string{"confirmed"}}, confirmed, again, notConfirmed, nil},
		"cancels again":                         {&shipping{confirm: draft}, confirmed, again, "d", []string{"cancelOrder/state/conflict"}},
		"cancels again, without its key":        {&shipping{confirm: draft}, confirmed, again + key, "d", []string{"cancelOrder/state/conflict"}},
		"cancels once, without its key":         {&shipping{confirm: draft, cancel: open}, confirmed, again + key, "d", nil},
		"cancels again, with a key":             {&shipping{confirm: draft}, confirmed, again + strings.Replace(key, "header", "header, required: true", 1), "d", []string{"cancelOrder/request/header/Idempotency-Key"}},
		"confirms again":                        {&shipping{cancel: open}, confirmed, again, "d", []string{"confirmOrder/state/conflict"}},
		"confirms what is cancelled":            {&shipping{confirm: open, cancel: open}, "If it is already cancelled.", "d", "d", nil},
		"cancels what is confirmed":             {&shipping{confirm: draft}, "d", "409 if the order is already cancelled or confirmed", "d", []string{"cancelOrder/state/conflict"}},
		"cancels again what it queued":          {&shipping{confirm: draft, queues: true}, confirmed, again, "d", []string{"cancelOrder/state/conflict"}},
		"cancels again, and shows no state":     {&shipping{hides: true}, "d", again, "d", []string{"cancelOrder/state/conflict"}},
		"confirms again, and shows no state":    {&shipping{hides: true}, confirmed, "d", "d", nil},
		"nothing is said":                       {&shipping{}, "Conflict", "The order cannot be cancelled", "d", nil},
		"the customer is cancelled":             {&shipping{}, "d", "The customer is already cancelled", "d", nil},
		"is a draft again":                      {&shipping{reaches: "draft"}, "d", again, "d", []string{"cancelOrder/state/reached"}},
		"is refunded at once":                   {&shipping{reaches: "refunded"}, "d", again, "d", nil},
		"takes a shipment without weight":       {&shipping{confirm: draft, ship: []string{"confirmed"}, light: true}, "d", "d", notConfirmed, []string{"createShipment/request/body/weight"}},
		"needs no state for that":               {&shipping{confirm: []string{"refunded"}, light: true}, "d", "d", notConfirmed, []string{"createShipment/request/body/weight"}},
		"keeps all but drafts":                  {&shipping{confirm: draft, cancel: open, remove: draft}, "d", "d", onlyDrafts, nil},
		"keeps what is cancelled":               {&shipping{confirm: draft, cancel: open, remove: open}, "d", "d", onlyDrafts, []string{"deleteOrder/state/conflict"}},
		"deletes in any state":                  {&shipping{confirm: draft, cancel: open}, "d", "d", onlyDrafts, []string{"deleteOrder/state/conflict"}},
		"deletes what is back in draft":         {&shipping{confirm: []string{"refunded"}, reaches: "draft"}, "d", "d", onlyDrafts, []string{"cancelOrder/state/reached"}},
		"deletes what is cancelled":             {&shipping{confirm: draft, cancel: open, remove: []string{"cancelled"}}, "d", "d", "delete: Only cancelled orders can be deleted.", nil},
		"ships what is cancelled":               {&shipping{}, "d", "d", "The order is cancelled or refunded", []string{"createShipment/state/conflict"}},
		"ships nothing that is cancelled":       {&shipping{ship: open}, "d", "d", "The order is cancelled or refunded", nil},
		"ships what is back in draft":           {&shipping{reaches: "draft"}, "d", "d", "The order is cancelled", []string{"cancelOrder/state/reached"}},
		"confirms again what is cancelled":      {&shipping{confirm: []string{"draft", "cancelled"}}, onlyDraft, "d", "d", []string{"confirmOrder/state/conflict"}},
		"permits it for what is cancelled":      {&shipping{confirm: []string{"draft", "cancelled"}}, strings.Replace(onlyDraft, "draft", "draft or cancelled", 1), "d", "d", nil},
		"cancels a draft":                       {&shipping{confirm: draft, cancel: open}, "d", strings.NewReplacer("draft", "confirmed", "confirmed", "cancelled").Replace(onlyDraft), "d", []string{"cancelOrder/state/conflict"}},
		"cancels only what is confirmed":        {&shipping{confirm: draft, cancel: []string{"confirmed"}}, "d", strings.NewReplacer("draft", "confirmed", "confirmed", "cancelled").Replace(onlyDraft), "d", nil},
		"only says that there is some conflict": {&shipping{confirm: draft, ship: []string{"confirmed"}}, "d", "d", "Conflict", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remove := ""
			if said, isAbout := strings.CutPrefix(row.ship, "delete: "); isAbout {
				row.ship, remove = "d", "    delete: {operationId: deleteOrder, description: "+said+", responses: {'204': {description: d}, '404': {description: d}, '409': {description: d}}}\n"
			}
			c := contractOf(t, strings.NewReplacer("    REMOVE\n", remove, "CONFIRM", row.confirm, "CANCEL", row.cancel, "SHIP", row.ship).Replace(shippingDocument))
			row.service.contract = c.Contract
			c.Target.BaseURL, c.Target.Handler = "http://service.example", row.service
			r := run(t, aboutValues(c))
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			for _, one := range r.Clauses {
				if isTested := one.ID.State() == "conflict" || one.ID == "createShipment/201/body/weight"; isTested && (name == "faithful" || one.ID.Status() != "") && one.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", one.ID, one.Status)
				}
			}
		})
	}
}
