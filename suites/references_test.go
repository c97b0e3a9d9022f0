package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// orderDocument has orders, whose bodies name a customer and products, and customers, whose
// bodies have the id of the path.
const orderDocument = `openapi: 3.0.3
info: {title: Orders, version: '1'}
paths:
  /customers: {post: {operationId: createCustomer, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Named'}}}}, responses: &customer {'201': &one {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}, '200': *one, '404': {description: d}}}}
  /customers/{customerId}:
    parameters: [{name: customerId, in: path, required: true, schema: {type: string}}]
    put: {operationId: putCustomer, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}, responses: *customer}
  /products: {post: {operationId: createProduct, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Named'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}}
  /orders: {post: {operationId: createOrder, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}, responses: &order {'201': &placed {description: d, content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Order'}, {type: object, required: [id], properties: {id: {type: string}}}]}}}}, '200': *placed}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getOrder, responses: *order}
components:
  schemas:
    Named: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 60}}}
    Customer: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string, minLength: 1, maxLength: 60}}}
    Order:
      type: object
      required: [customerId, lines, productIds]
      properties:
        customerId: {type: string}
        productIds: {type: array, minItems: 1, maxItems: 4, items: {type: integer}}
        note: {type: string, maxLength: 40}
        lines: {type: array, minItems: 1, maxItems: 5, items: {type: object, required: [productId, quantity], properties: {productId: {type: integer}, quantity: {type: integer, minimum: 1}}}}
`

// orders serves orderDocument. Requests meet the schema of the operation, unless lax says that the
// service accepts them anyway.
type orders struct {
	contract *spec.Contract
	mu       sync.Mutex
	things   map[string]map[string]any // by the path of each
	strict   bool                      // refuses references to nothing
	lax      func(order map[string]any) bool
}

func (s *orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	text, _ := instance.Read(r.Context(), body, instance.Limits{})
	sent, _ := text.Value.(map[string]any)
	path, answer := strings.Trim(r.URL.Path, "/"), func(status int, thing map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(thing)
	}
	list, id, isItem := strings.Cut(path, "/")
	operation := map[string]string{"POST customers": "createCustomer", "POST products": "createProduct", "POST orders": "createOrder", "PUT customers": "putCustomer", "GET orders": "getOrder"}[r.Method+" "+list]
	there := s.things[path]
	switch {
	case operation == "" || isItem && there == nil:
		w.WriteHeader(http.StatusNotFound)
	case operation == "getOrder":
		answer(http.StatusOK, there)
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"), !s.takes(operation, sent), operation == "putCustomer" && sent["id"] != id, operation == "createOrder" && !s.names(sent):
		w.WriteHeader(http.StatusUnprocessableEntity)
	case isItem:
		s.things[path] = sent
		answer(http.StatusOK, sent)
	default:
		number := strconv.Itoa(len(s.things) + 1)
		if sent["id"] = number; list == "products" {
			sent["id"] = json.Number(number)
		}
		s.things[list+"/"+number] = sent
		answer(http.StatusCreated, sent)
	}
}

func (s *orders) takes(operation string, sent map[string]any) bool {
	op, _ := s.contract.Operation(operation)
	faults, err := op.RequestBody.Of("application/json").Schema.Faults(schema.Request, sent)
	return sent != nil && err == nil && (len(faults) == 0 || operation == "createOrder" && s.lax != nil && s.lax(sent))
}

// names reports whether the customer and the products of an order exist.
func (s *orders) names(order map[string]any) bool {
	customer, _ := cmp.Or(order["customerId"], order["payerId"]).(string)
	products, _ := order["productIds"].([]any)
	lines, _ := order["lines"].([]any)
	for _, line := range lines {
		products = append(products, line.(map[string]any)["productId"])
	}
	return !s.strict || s.things["customers/"+customer] != nil && !slices.ContainsFunc(products, func(product any) bool {
		return s.things["products/"+product.(json.Number).String()] == nil
	})
}

// TestReferences: things that a body names are created before, so a service may require them.
func TestReferences(t *testing.T) {
	longNote := func(order map[string]any) bool {
		note, _ := order["note"].(string)
		return len(note) > 40
	}
	noQuantity := func(order map[string]any) bool {
		return strings.Contains(instance.Compact(order), `"quantity":0`)
	}
	noProducts := func(order map[string]any) bool {
		return strings.Contains(instance.Compact(order), `"productIds":[]`)
	}
	for _, row := range []struct {
		name   string
		strict bool
		lax    func(order map[string]any) bool
		broken []string // clauses
	}{
		{"each must exist", true, nil, nil},
		{"nothing must exist", false, nil, nil},
		{"a note that is too long", true, longNote, []string{"createOrder/request/body/note"}},
		{"a quantity of 0", true, noQuantity, []string{"createOrder/request/body/lines/*/quantity"}},
		{"no products", true, noProducts, []string{"createOrder/request/body/productIds"}},
		{"a customer that does not exist", false, nil, []string{"createOrder/state/reference"}},
		{"no such customer, which must exist", true, nil, nil},
		{"no products, and words name the customer", true, noProducts, []string{"createOrder/request/body/productIds"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			document := orderDocument
			if strings.Contains(row.name, "words") {
				document = strings.NewReplacer("[customerId, lines", "[payerId, lines", "        customerId: {", "        payerId: {description: 'ID of the customer who pays', ").Replace(document)
			}
			if strings.Contains(row.name, "exist") && strings.Contains(row.name, " customer") {
				document = strings.NewReplacer("customerId: {", "customerId: {description: The customer must exist., ").Replace(document)
			}
			c := contractOf(t, document)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", &orders{contract: c.Contract, things: map[string]map[string]any{}, strict: row.strict, lax: row.lax}
			r := run(t, c)
			var broken []string
			for _, clause := range r.Clauses {
				if clause.Status == verdict.ClauseFailed && !strings.Contains(string(clause.ID), "/201/") {
					broken = append(broken, string(clause.ID))
				}
			}
			if !slices.Equal(broken, row.broken) {
				t.Errorf("%v are broken, want %v: %s", broken, row.broken, firstOf(r))
			}
			if len(r.Reached.Missing) > 0 {
				t.Errorf("not reached: %+v", r.Reached.Missing)
			}
		})
	}
}

// TestShownID: a thing is shown with the id that its path names.
func TestShownID(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things: {post: {operationId: create, responses: {'201': &thing {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {}}}}}}, '200': *thing}}}
  /things/{id}: {parameters: [{name: id, in: path, required: true, schema: {}}], get: {operationId: read, responses: {'200': *thing, '404': {description: none}}}}
`
	other := []string{"read/state/created"}
	for _, row := range []struct {
		id   string // of the thing with that number, as JSON
		more int    // a read shows the thing that is that many things further
		want []string
	}{
		{"%d", 0, nil},
		{"%d", 1, other},
		{`"org_x4Fb%03d"`, 0, nil},
		{`"org_x4Fb%03d"`, 1, other},
		{`"u-%d"`, 1, other},
		{`"01HZX4FB6Q2M8W%012d"`, 1, other},
		{`"green-house%d"`, 1, nil}, // a name may be written differently
		{`"red"`, 1, nil},
	} {
		t.Run(fmt.Sprintf("%s and %d more", row.id, row.more), func(t *testing.T) {
			c := contractOf(t, document)
			var created atomic.Int64
			id := func(n int64) string {
				if strings.Contains(row.id, "%") {
					return fmt.Sprintf(row.id, n)
				}
				return row.id
			}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				named := strings.TrimPrefix(r.URL.Path, "/things/")
				w.Header().Set("Content-Type", "application/json")
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id":%s}`, id(created.Add(1)))
					return
				}
				for n := range created.Load() {
					if strings.Trim(id(n+1), `"`) == named {
						_, _ = fmt.Fprintf(w, `{"id":%s}`, id(n+1+int64(row.more)))
						return
					}
				}
				w.WriteHeader(http.StatusNotFound)
			})
			found := stateFindings(run(t, c))
			if found = slices.Compact(found); !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v", found, row.want)
			}
		})
	}
}

// TestReferencesInForms: things that a field of a form names are created before, according to the
// document's text on the field.
func TestReferencesInForms(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Prices, version: '1'}
paths:
  /products: {post: {operationId: createProduct, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
  /prices:
    post:
      operationId: createPrice
      requestBody:
        required: true
        content:
          MEDIA:
            schema: {type: object, required: [product, amount], properties: {product: {type: string, description: The ID of the product.}, amount: {type: integer, minimum: 0, maximum: 1000}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}
`
	for _, row := range []struct {
		name, media string
		lenient     bool // accepts any product
		lowest      int
		want        []string
	}{
		{"a form", "application/x-www-form-urlencoded", false, 0, nil},
		{"parts", "multipart/form-data", false, 0, nil},
		{"nothing must exist", "application/x-www-form-urlencoded", true, 0, nil},
		{"an amount below 0", "application/x-www-form-urlencoded", false, -5, []string{"createPrice/request/body/amount"}},
		{"an amount below 0 in parts", "multipart/form-data", false, -5, []string{"createPrice/request/body/amount"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.Replace(document, "MEDIA", row.media, 1))
			var created atomic.Int64
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				named, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
				if r.URL.Path == "/prices" && (named != row.media || err != nil || r.ParseMultipartForm(1<<20) != nil && named == "multipart/form-data") {
					w.WriteHeader(http.StatusUnsupportedMediaType)
					return
				}
				amount, err := strconv.Atoi(r.PostFormValue("amount"))
				product, isNumber := strconv.ParseInt(strings.TrimPrefix(r.PostFormValue("product"), "product-"), 10, 64)
				isThere := isNumber == nil && product > 0 && product <= created.Load() || row.lenient && r.PostForm.Has("product")
				if r.URL.Path == "/prices" && (err != nil || amount < row.lowest || amount > 1000 || !isThere || len(r.PostForm["amount"]) > 1) {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
				_, _ = fmt.Fprintf(w, `{"id":"product-%d"}`, created.Add(1))
			})
			r := run(t, c)
			if got := broken(r, judge.Violation); !slices.Equal(got, row.want) {
				t.Errorf("%v are broken, want %v: %s", got, row.want, firstOf(r))
			}
			if len(r.Reached.Missing) > 0 {
				t.Errorf("not reached: %+v", r.Reached.Missing)
			}
		})
	}
}

// TestNestedReferences: the id in an object names a thing, according to the property around it or
// the type next to it. An action on a list has the ids of its entries.
func TestNestedReferences(t *testing.T) {
	const document = `openapi: 3.1.0
info: {title: Articles, version: '1'}
paths:
  /people: {post: {operationId: addPerson, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 60}}}}}}, responses: &made {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, name: {type: string}}}}}}, '400': {description: d}}}}
  /people:batchGet: {post: {operationId: somePeople, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [ids], properties: {ids: {type: array, minItems: 1, maxItems: 3, items: {type: string}}, note: {type: string, maxLength: 60}}}}}}, responses: &done {'200': {description: d}, '400': {description: d}}}}
  /articles: {post: {operationId: addArticle, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, author], properties: {title: {type: string, maxLength: 60}, author: AUTHOR}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}, additionalProperties: true}}}}}}}
  /articles/{id}/author:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put: {operationId: setAuthor, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id, type], properties: {id: {type: string, minLength: 1}, type: {const: people}, note: {type: string, maxLength: 60}}}}}}, responses: *done}
`
	author := func(of kept) string {
		inner, _ := of["author"].(kept)
		if data, ok := inner["data"].(kept); ok {
			inner = data
		}
		if of["type"] != nil {
			inner = of
		}
		id, _ := inner["id"].(string)
		return id
	}
	strict := func(s *keeper) {
		isThere := func(id any) bool {
			return s.things[fmt.Sprint("/people/", id)] != nil || s.things[fmt.Sprint("/authors/", id)] != nil
		}
		s.store = func(_ string, _, sent, after kept) kept {
			ids, _ := sent["ids"].([]any)
			if id := author(sent); id != "" && !isThere(id) || !slices.ContainsFunc(ids, isThere) && ids != nil {
				return nil
			}
			return after
		}
	}
	for name, row := range map[string]struct {
		list, object string
		loose        []string // clauses
	}{
		"by the property": {"authors", "{type: object, required: [id], properties: {id: {type: string, minLength: 1}}}", nil},
		"by the type":     {"people", "{type: object, required: [data], properties: {data: {type: object, required: [id, type], properties: {id: {type: string, minLength: 1}, type: {type: string, enum: [people]}}}}}", nil},
		"of several ids":  {"people", "{type: object, required: [data], properties: {editor: {type: object, required: [id, type], properties: {id: {type: string, minLength: 1}, type: {const: people}}}, data: {oneOf: [{type: 'null'}, {type: object, required: [id, type], properties: {id: {type: string, minLength: 1}, type: {const: people}, role: {type: string, maxLength: 60}}}]}}}", []string{"addArticle/request/body/author/data/role"}},
	} {
		if name == "by the type" && !long {
			continue // like several ids
		}
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(strings.Replace(document, "AUTHOR", row.object, 1), "people", row.list)
			loose := specOf(t, strings.ReplaceAll(text, "maxLength: 60", "maxLength: 60000"))
			keepers{
				"faithful":           {how: strict},
				"nothing must exist": {},
				"takes long texts": {func(s *keeper) { strict(s); s.contract = loose }, append(row.loose,
					"addArticle/request/body/title", "addPerson/request/body/name", "setAuthor/request/body/note", "somePeople/request/body/note",
				)},
			}.test(t, text, "addArticle/accepts", "setAuthor/accepts", "somePeople/accepts")
		})
	}
}

// TestStateThatAThingHas: a service may refuse the state that a new thing already has. The requests
// use the next state, so that their faults are tested.
func TestStateThatAThingHas(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Tickets, version: '1'}
paths:
  /tickets: {post: {operationId: addTicket, responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}
  /tickets/{id}/state:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put: {operationId: moveTicket, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [state], properties: {state: {type: string, enum: [open, closed]}, comment: {type: string, maxLength: 60}}}}}}, responses: {'200': {description: d}, '400': {description: d}, '409': {description: It has that state.}}}
`
	loose := specOf(t, strings.ReplaceAll(document, "maxLength: 60", "maxLength: 60000"))
	refusing := func(state string) func(*keeper) {
		return func(s *keeper) {
			has := false
			s.store = func(method string, _, sent, after kept) kept {
				if has = method == http.MethodPut && sent["state"] == state; has {
					return nil
				}
				return after
			}
			s.answer = func(_, _ string, status int, body any) (int, any) {
				if has {
					has, status = false, http.StatusConflict
				}
				return status, body
			}
		}
	}
	keepers{
		"faithful":                 {how: refusing("open")},
		"takes each state":         {},
		"things are closed before": {how: refusing("closed")},
		"takes long comments":      {func(s *keeper) { refusing("open")(s); s.contract = loose }, []string{"moveTicket/request/body/comment"}},
	}.test(t, document, "moveTicket/request/body/comment", "moveTicket/request/body/state")
	begins := strings.Replace(document, "{id: {type: string}}", "{id: {type: string}, state: {type: string, enum: [new, open, closed]}}", 1)
	keepers{
		"faithful":            {how: refusing("closed")}, // the new thing is in neither state
		"takes each state":    {},
		"takes long comments": {func(s *keeper) { refusing("closed")(s); s.contract = loose }, []string{"moveTicket/request/body/comment"}},
	}.test(t, begins, "moveTicket/request/body/comment", "moveTicket/request/body/state")
}
