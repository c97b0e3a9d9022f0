package suites_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// showsDocument has what many sample documents have: a body that may name the id of the new resource, nullable in
// OpenAPI 3.1, an id that is required only sometimes, and a filter by one of the texts in a list.
const showsDocument = `openapi: 3.1.0
info: {title: Shows, version: '1'}
paths:
  /special-shows:
    get: {operationId: listShows, parameters: [{name: tag, in: query, schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Show'}}}}}}}
    post: {operationId: createShow, requestBody: &show {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Show'}}}}, responses: {'201': &shown {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Show'}}}}, '400': {description: d}}}
  /special-shows/{showId}:
    parameters: [{name: showId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getShow, responses: {'200': *shown, '404': {description: d}}}
    put: {operationId: putShow, requestBody: *show, responses: {'200': *shown, '400': {description: d}, '404': {description: d}}}
    delete: {operationId: deleteShow, responses: {'204': {description: d}, '404': {description: d}}}
  /tickets:
    post: {operationId: buyTicket, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, responses: {'201': &ticket {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, '400': {description: d}}}
  /tickets/{ticketId}:
    parameters: [{name: ticketId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTicket, responses: {'200': *ticket, '404': {description: d}}}
components:
  schemas:
    Show: {type: object, required: [title, tagList], properties: {showId: {type: string}, title: {type: string, minLength: 1, maxLength: 200}, note: {type: string, nullable: true}, tagList: {type: array, items: {type: string}}}}
    Ticket: {type: object, required: [kind], properties: {ticketId: {type: string}, kind: {type: string, enum: [show, hall]}, showId: {type: string, description: Required for tickets to a show.}}}
`

// TestShows: the service gives the ids of new resources, also where a body may name them.
func TestShows(t *testing.T) {
	const shows = "/special-shows/"
	how := func(change func(s *keeper)) func(*keeper) {
		return func(s *keeper) {
			s.key = "showId"
			s.store = func(_ string, _, sent, after kept) kept {
				if sent["kind"] == nil {
					after["note"] = sent["note"]
					return after
				}
				if id, _ := sent["showId"].(string); sent["kind"] == "show" && s.things[shows+id] == nil {
					return nil
				}
				after["ticketId"], after["showId"] = after["showId"], sent["showId"]
				if sent["showId"] == nil {
					delete(after, "showId")
				}
				return after
			}
			s.list = func(r *http.Request) (list []any) {
				list = []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					tags, _ := s.things[where]["tagList"].([]any)
					if tag := r.URL.Query().Get("tag"); strings.HasPrefix(where, shows) && (tag == "" || slices.Contains(tags, any(tag))) {
						list = append(list, s.things[where])
					}
				}
				return list
			}
			change(s)
		}
	}
	// PUT gives a show another path.
	moving := func(isTold bool) func(s *keeper) {
		return func(s *keeper) {
			store := s.store
			s.store = func(method string, before, sent, after kept) kept {
				if after = store(method, before, sent, after); after == nil || method != http.MethodPut {
					return after
				}
				moved := maps.Clone(after)
				moved["showId"] = "moved-" + after["showId"].(string)
				s.things[shows+moved["showId"].(string)] = moved
				if isTold {
					return moved
				}
				after["gone"] = true
				return after
			}
			s.find = func(s *keeper, path string) kept {
				one := s.things[path]
				if strings.HasPrefix(path, shows) && (one["gone"] != nil || one["showId"] != strings.TrimPrefix(path, shows)) {
					return nil
				}
				return one
			}
			s.answer = func(_, _ string, status int, body any) (int, any) {
				if one, is := body.(kept); is {
					body = maps.Clone(one)
					delete(body.(kept), "gone")
				}
				return status, body
			}
		}
	}
	keepers{
		"faithful":         {how: how(func(*keeper) {})},
		"PUT moves a show": {how(moving(true)), []string{"getShow/state/replaced", "putShow/state/idempotent"}},
		"PUT loses a show": {how(moving(false)), []string{"getShow/state/replaced", "listShows/200/body/*/undeclared", "putShow/state/idempotent"}},
		"the filter is ignored": {how(func(s *keeper) {
			list := s.list
			s.list = func(*http.Request) []any { return list(&http.Request{URL: &url.URL{}}) }
		}), []string{"listShows/state/filtered"}},
	}.test(t, showsDocument, "listShows/state/filtered", "getTicket/accepts", "getTicket/state/created")
}
