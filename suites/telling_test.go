package suites_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
)

const offerDocument = `openapi: 3.1.0
info: {title: Offers, version: '1'}
paths:
  /offers:
    post: {operationId: createOffer, requestBody: &offer {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, '400': {description: d}}}
  /offers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getOffer, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, '400': {description: d}, '404': {description: d}}}
    put: {operationId: putOffer, requestBody: *offer, responses: *one}
    patch: {operationId: patchOffer, requestBody: {required: true, content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/Change'}}}}, responses: *one}
components:
  schemas:
    Offer: {type: object, required: [title], properties: {id: {type: string, readOnly: true}, title: {type: string, maxLength: 80}, note: {type: [string, 'null']}, price: {type: [integer, 'null']}, stock: {type: integer}, hue: {type: string, example: red}, at: {type: array, prefixItems: [{type: integer}, {type: integer}], items: false, minItems: 2}, names: {type: array, items: {type: string}, minItems: 2}}}
    Change: {type: object, properties: {title: {type: string, maxLength: 80}, note: {type: [string, 'null']}, price: {type: [integer, 'null']}, stock: {type: integer}}}
`

// TestTellingValues: requests whose results are read again have values that reveal a service that
// stores others. A service may refuse some values, and omit null.
func TestTellingValues(t *testing.T) {
	storing := func(change func(method string, before, sent, after kept) bool) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, sent, after kept) kept {
				if !change(method, before, sent, after) {
					return nil
				}
				return after
			}
		}
	}
	swap := func(name string) func(_ string, _, _, after kept) bool {
		return func(_ string, _, _, after kept) bool {
			if list, _ := after[name].([]any); len(list) == 2 {
				after[name] = []any{list[1], list[0]}
			}
			return true
		}
	}
	keepers{
		"faithful": {},
		"refuses more than one, and nothing": {how: storing(func(_ string, _, _, after kept) bool {
			return after["stock"] == nil || after["stock"] == json.Number("1")
		})},
		"shows no null": {how: storing(func(_ string, _, _, after kept) bool {
			if after["price"] == nil {
				delete(after, "price")
			}
			return true
		})},
		"ignores a price of null": {storing(func(_ string, before, sent, after kept) bool {
			if price, has := sent["price"]; has && price == nil && before["price"] != nil {
				after["price"] = before["price"]
			}
			return true
		}), []string{"getOffer/state/changed"}},
		"takes 0 for what was not sent": {storing(func(_ string, before, _, after kept) bool {
			if after["stock"] == json.Number("0") && before["stock"] != nil {
				after["stock"] = before["stock"]
			}
			return true
		}), []string{"getOffer/state/changed", "getOffer/state/replaced"}},
		"keeps the stock": {storing(func(_ string, before, _, after kept) bool {
			if before["stock"] != nil {
				after["stock"] = before["stock"]
			}
			return true
		}), []string{"getOffer/state/changed", "getOffer/state/replaced"}},
		"keeps the hue": {storing(func(_ string, before, _, after kept) bool {
			if before["hue"] != nil {
				after["hue"] = before["hue"]
			}
			return true
		}), []string{"getOffer/state/replaced"}},
		"knows one hue": {how: storing(func(_ string, _, _, after kept) bool {
			return after["hue"] == nil || after["hue"] == "red"
		})},
		"swaps a pair":    {storing(swap("at")), []string{"createOffer/201/echo", "getOffer/state/created", "getOffer/state/replaced", "putOffer/200/echo"}},
		"swaps the names": {storing(swap("names")), []string{"createOffer/201/echo", "getOffer/state/created", "getOffer/state/replaced", "putOffer/200/echo"}},
	}.test(t, offerDocument)
}

// TestChangedByPost: a POST on an item that, by its description, updates the item changes the values that it is
// sent. Other effects are open, unless the document says that the rest stays, and so are those of another POST.
func TestChangedByPost(t *testing.T) {
	document := func(says string) string {
		return `openapi: 3.1.0
info: {title: Offers, version: '1'}
paths:
  /offers:
    post: {operationId: createOffer, requestBody: &offer {required: true, content: {application/json: {schema: &new {type: object, required: [title], properties: {title: {type: string, maxLength: 80}, stock: {type: integer, default: 5}, note: {type: string}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, '400': {description: d}}}
  /offers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getOffer, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, '400': {description: d}, '404': {description: d}}}
    post: {operationId: postOffer, description: "` + says + `", requestBody: *offer, responses: *one}
components:
  schemas:
    Offer: {type: object, properties: {id: {type: string}, title: {type: string}, stock: {type: integer}, note: {type: string}}}
`
	}
	// A keeper makes an entry for each POST, at any path.
	posting := func(change func(before, sent kept) kept) func(*keeper) {
		return func(s *keeper) {
			s.update = func(path string, sent kept) kept {
				if s.things[path] == nil {
					return nil
				}
				return change(s.things[path], sent)
			}
		}
	}
	merged := func(before, sent kept) kept {
		after := maps.Clone(before)
		maps.Copy(after, sent)
		return after
	}
	ignored := func(before, _ kept) kept { return before }
	forgetful := func(before, sent kept) kept { return merged(kept{"id": before["id"], "stock": 7}, sent) }
	keepers{
		"faithful":          {how: posting(merged)},
		"forgets the rest":  {how: posting(forgetful)},
		"keeps what it has": {posting(ignored), []string{"getOffer/state/changed"}},
	}.test(t, document("<p>Updates an offer.</p>"), "getOffer/state/changed")
	keepers{
		"faithful":         {how: posting(merged)},
		"forgets the rest": {posting(forgetful), []string{"getOffer/state/changed"}},
	}.test(t, document("Updates an offer. Any parameters not provided are left unchanged."))
	keepers{"forgets the rest": {how: posting(forgetful)}}.test(t, document("Updates an offer. Any parameters not provided keep their defaults."))
	alternatives := strings.NewReplacer("responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}", "responses: {'200': {description: d, content: {application/json: {schema: {anyOf: [{$ref: '#/components/schemas/Offer'}, {type: object, required: [gone], properties: {gone: {const: true}}}]}",
		"responses: *one", "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}, '400': {description: d}, '404': {description: d}}").Replace(document("Updates an offer."))
	keepers{
		"faithful":          {how: posting(merged)},
		"keeps what it has": {posting(ignored), []string{"getOffer/state/changed"}},
	}.test(t, alternatives, "getOffer/state/changed")
	keepers{
		"keeps what it has": {how: posting(ignored)},
	}.test(t, document("Reserves an offer."))
	keepers{
		"faithful": {how: func(s *keeper) {
			s.store = func(_ string, before, _, after kept) kept {
				if before != nil {
					after = merged(before, after)
				}
				return after
			}
		}},
		"forgets the rest": {want: []string{"getOffer/state/replaced"}},
	}.test(t, strings.Replace(document("Changes the details given; what is left out stays as it is."), "post: {operationId: postOffer", "put: {operationId: putOffer", 1))
	hidesTitle := func(s *keeper) {
		posting(merged)(s)
		s.answer = func(method, _ string, status int, body any) (int, any) {
			if one, isOne := body.(kept); isOne && method == http.MethodGet {
				rest := maps.Clone(one)
				delete(rest, "title")
				body = rest
			}
			return status, body
		}
	}
	keepers{"hides the title": {how: hidesTitle}}.test(t, strings.Replace(document("Updates an offer."), "operationId: getOffer", "description: The `title` is left out unless the caller owns the offer., operationId: getOffer", 1))
	keepers{
		"hides the title": {hidesTitle, []string{"getOffer/state/changed", "getOffer/state/created"}},
	}.test(t, strings.Replace(document("Updates an offer."), "operationId: getOffer", "description: The caller must own the offer unless its title is short., operationId: getOffer", 1))
}

// TestFilterOfMembers: a filter that takes several members of an enum is tested with an entry that has another
// member. It must show what was created with the requested member. A service may give entries another member
// than was sent, which is another fault. A filter that takes any text may search in longer texts.
func TestFilterOfMembers(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Permits, version: '1'}
paths:
  /lots:
    post: {operationId: createLot, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}}}}, '400': {description: d}}}
  /lots/{id}/permits:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: listPermits, parameters: [{name: zone, in: query, schema: {type: array, items: {type: string, enum: [A, B, C]}}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Permit'}}}}}, '400': {description: d}}}
    post: {operationId: createPermit, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Permit'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Permit'}}}}, '400': {description: d}}}
components:
  schemas:
    Permit: {type: object, required: [zone], properties: {id: {type: string, readOnly: true}, zone: {type: string, enum: [A, B, C]}}}
`
	listing := func(keeps func(zones []string, zone string) bool) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any {
				list := []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					zone, isText := s.things[where]["zone"].(string)
					if !isText {
						zone = instance.Compact(s.things[where]["zone"])
					}
					if zones := r.URL.Query()["zone"]; strings.HasPrefix(where, r.URL.Path+"/") && (len(zones) == 0 || keeps(zones, zone)) {
						list = append(list, s.things[where])
					}
				}
				return list
			}
		}
	}
	keepers{
		"faithful":      {how: listing(slices.Contains)},
		"lists nothing": {listing(func([]string, string) bool { return false }), []string{"listPermits/state/filtered"}},
		"assigns the zone": {func(s *keeper) {
			listing(slices.Contains)(s)
			s.store = func(_ string, _, _, after kept) kept {
				if after["zone"] != nil {
					after["zone"] = "C"
				}
				return after
			}
		}, []string{"createPermit/201/echo"}},
		"ignores the filter": {listing(func([]string, string) bool { return true }), []string{"listPermits/state/filtered"}},
		"takes the first":    {listing(func(zones []string, zone string) bool { return zone == zones[0] }), []string{"listPermits/state/filtered"}},
		"takes the last":     {listing(func(zones []string, zone string) bool { return zone == zones[len(zones)-1] }), []string{"listPermits/state/filtered"}},
	}.test(t, document, "listPermits/state/filtered")
	split := func(zones []string) []string { return strings.Split(zones[0], ",") }
	keepers{
		"faithful":        {how: listing(func(zones []string, zone string) bool { return slices.Contains(split(zones), zone) })},
		"takes the first": {listing(func(zones []string, zone string) bool { return zone == split(zones)[0] }), []string{"listPermits/state/filtered"}},
	}.test(t, strings.NewReplacer("{type: array, items: {type: string, enum: [A, B, C]}}", "{type: array, items: {type: string}}, explode: false", "{type: string, enum: [A, B, C]}", "{type: string, maxLength: 40}").Replace(document))
	// has returns how many of the requested zones an entry with several zones has.
	has := func(zones []string, zone string) (n, of int) {
		asked := strings.Split(zones[0], "|")
		for _, one := range asked {
			n += strings.Count(zone, strconv.Quote(one))
		}
		return n, len(asked)
	}
	keepers{
		"has all":            {how: listing(func(zones []string, zone string) bool { n, of := has(zones, zone); return n == of })},
		"has any":            {how: listing(func(zones []string, zone string) bool { n, _ := has(zones, zone); return n > 0 })},
		"ignores the filter": {listing(func([]string, string) bool { return true }), []string{"listPermits/state/filtered"}},
		"takes two for one":  {listing(func(zones []string, zone string) bool { return strings.Contains(zone, strconv.Quote(zones[0])) }), []string{"listPermits/state/filtered"}},
	}.test(t, strings.NewReplacer("{type: array, items: {type: string, enum: [A, B, C]}}", "{type: array, items: {type: string}}, style: pipeDelimited, explode: false", "required: [zone], ", "", "{type: string, enum: [A, B, C]}", "{type: array, items: {type: string, pattern: '^[a-z]+$'}}").Replace(document), "listPermits/state/filtered")
	lists := func(no string) func([]string, string) bool {
		return func(zones []string, zone string) bool { return zone != no && slices.Contains(zones, zone) }
	}
	one := strings.Replace(document, "{type: array, items: {type: string, enum: [A, B, C]}}", "{type: string, enum: [A, B, C]}", 1)
	keepers{
		"faithful":   {how: listing(slices.Contains)},
		"lists no B": {listing(lists("B")), []string{"listPermits/state/filtered"}},
	}.test(t, one, "listPermits/state/filtered")
	keepers{
		"lists no queued ones, which are soon done": {how: listing(lists("queued"))},
		"lists no C": {listing(lists("C")), []string{"listPermits/state/filtered"}},
	}.test(t, strings.ReplaceAll(one, "[A, B, C]", "[A, queued, C]"))
	naming := func(zone func(sent string) any) func(*keeper) {
		return func(s *keeper) {
			listing(slices.Contains)(s)
			s.store = func(_ string, _, _, after kept) kept {
				if sent, is := after["zone"].(string); is {
					if after["zone"] = zone(sent); after["zone"] == nil {
						return nil
					}
				}
				return after
			}
		}
	}
	keepers{
		"faithful":              {how: listing(slices.Contains)},
		"looks into the texts":  {how: listing(func(zones []string, zone string) bool { return strings.Contains(zone, strings.Trim(zones[0], "c")) })},
		"assigns the zone":      {naming(func(string) any { return "north" }), []string{"createPermit/201/echo"}},
		"knows its own zones":   {how: naming(func(sent string) any { return map[bool]any{true: sent}[strings.HasPrefix(sent, "conformance")] })},
		"ignores the filter":    {listing(func([]string, string) bool { return true }), []string{"listPermits/state/filtered"}},
		"lists nothing":         {listing(func([]string, string) bool { return false }), []string{"listPermits/state/filtered"}},
		"looks for other texts": {listing(func(zones []string, zone string) bool { return zone != zones[0] }), []string{"listPermits/state/filtered"}},
	}.test(t, strings.ReplaceAll(one, "{type: string, enum: [A, B, C]}", "{type: string, maxLength: 40}"))
}

// TestFiltersTogether: an entry has the value of each filter, not only of one.
func TestFiltersTogether(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Shirts, version: '1'}
paths:
  /shirts:
    get: {operationId: listShirts, parameters: [{name: color, in: query, schema: &color {type: string, enum: [red, blue]}}, {name: size, in: query, schema: &size {type: string, enum: [small, large]}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: &shirt {type: object, required: [color, size], properties: {id: {type: string, readOnly: true}, color: *color, size: *size}}}}}}, '400': {description: d}}}
    post: {operationId: createShirt, requestBody: {required: true, content: {application/json: {schema: *shirt}}}, responses: {'201': {description: d, content: {application/json: {schema: *shirt}}}, '400': {description: d}}}
`
	listing := func(fewest func(asked int) int) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any {
				list, query := []any{}, r.URL.Query()
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					has := 0
					for name := range query {
						if s.things[where][name] == query.Get(name) {
							has++
						}
					}
					if has >= fewest(len(query)) {
						list = append(list, s.things[where])
					}
				}
				return list
			}
		}
	}
	either := listing(func(asked int) int { return min(asked, 1) })
	keepers{
		"faithful":   {how: listing(func(asked int) int { return asked })},
		"either one": {either, []string{"listShirts/state/filtered"}},
	}.test(t, document, "listShirts/state/filtered")
	keepers{"either one, as it says": {how: either}}.test(t, strings.Replace(document, "listShirts,", "listShirts, description: 'Shows the shirts that match any of the filters.',", 1))
}

// TestTooEarly: a part of a new thing may not exist yet, if the contract declares 409 for that. The
// thing itself must exist.
func TestTooEarly(t *testing.T) {
	conflict := func(ofLabels bool) func(*keeper) {
		return func(s *keeper) {
			s.answer = func(method, path string, status int, body any) (int, any) {
				if method == http.MethodGet && status == http.StatusOK && strings.HasSuffix(path, "/labels") == ofLabels {
					return http.StatusConflict, nil
				}
				return status, body
			}
		}
	}
	declared := strings.ReplaceAll(mapDocument, "'404': {description: d}", "'404': {description: d}, '409': {description: not yet}")
	for says, row := range map[string]struct {
		document string
		how      func(*keeper)
		found    bool
	}{
		"labels that are not there yet": {declared, conflict(true), false},
		"an undeclared 409":             {mapDocument, conflict(true), true},
		"a thing that is not there yet": {declared, conflict(false), true},
	} {
		if r, _ := runKeeper(t, row.document, row.how); (len(warned(r)) > 0) != row.found {
			t.Errorf("%s: found %v%s", says, warned(r), firstOf(r))
		}
	}
}
