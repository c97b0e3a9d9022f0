package suites_test

import (
	"net/http"
	"strings"
	"testing"
)

const stationDocument = `openapi: 3.0.3
info: {title: Trips, version: '1'}
paths:
  /stations:
    get: {operationId: listStations, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: string}, city: {type: string}}}}}}}}}
  /trips:
    post: {operationId: createTrip, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Trip'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Trip'}}}}, '400': {description: d}, '404': {description: The station does not exist}}}
  /trips/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTrip, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Trip'}}}}, '404': {description: d}}}
    delete: {operationId: deleteTrip, responses: {'204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Trip: {type: object, required: [stationId, seats], properties: {id: {type: string, readOnly: true}, stationId: {type: string}, seats: {type: integer, minimum: 1, maximum: 9}}}
`

// TestCatalogue: what no operation creates, such as a station, comes from the list that shows it. Each creation that needs
// one is refused otherwise.
func TestCatalogue(t *testing.T) {
	from := func(stations ...any) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any { return stations }
			s.store = func(_ string, _, sent, after kept) kept {
				for _, one := range stations {
					if one.(kept)["id"] == sent["stationId"] {
						return after
					}
				}
				return nil
			}
		}
	}
	first := kept{"id": "berlin", "city": "Berlin"}
	keepers{
		"faithful": {how: from(first)},
		"loses the seats": {func(s *keeper) {
			from(first)(s)
			store := s.store
			s.store = func(method string, before, sent, after kept) kept {
				after = store(method, before, sent, after)
				if after != nil {
					after["seats"] = 1
				}
				return after
			}
		}, []string{"createTrip/201/echo", "getTrip/state/created"}},
	}.test(t, stationDocument)
	for name, row := range map[string]struct {
		stations []any
		reached  bool
	}{"one station": {[]any{first}, true}, "no station": {nil, false}} {
		r, _ := runKeeper(t, stationDocument, from(row.stations...))
		if reached := !strings.Contains(r.Reason, "not reached"); reached != row.reached {
			t.Errorf("%s: reached is %t: %s", name, reached, r.Reason)
		}
	}
}
