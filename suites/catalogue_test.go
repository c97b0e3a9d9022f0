package suites_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
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
	}{"one station": {[]any{first}, true}, "no station": {[]any{}, false}} {
		r, _ := runKeeper(t, stationDocument, from(row.stations...))
		i := slices.IndexFunc(r.Results, func(one result.Result) bool { return one.Fixture == "createTrip/valid/minimal" })
		if reached := r.Results[i].Status == judge.Passed; reached != row.reached || r.Verdict != verdict.Conformant {
			t.Errorf("%s: %s, and reached is %t: %s", name, r.Verdict, reached, r.Results[i].Reason)
		}
	}
}

const projectDocument = `openapi: 3.0.3
info: {title: Jobs, version: '1'}
paths:
  /projects:
    get: {operationId: listProjects, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
  /projects/{project}/jobs:
    parameters: [&project {name: project, in: path, required: true, schema: {type: string}}]
    post: {operationId: createJob, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, '400': {description: d}, '404': {description: d}}}
  /projects/{project}/jobs/{job}:
    parameters: [*project, {name: job, in: path, required: true, schema: {type: string}}]
    get: {operationId: getJob, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, '404': {description: d}}}
    delete: {operationId: deleteJob, responses: {'204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Job: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}, size: {type: integer, minimum: 1}}}
`

// TestBelowCatalogue: a run creates jobs in a project that the list of projects shows, if it can delete them.
func TestBelowCatalogue(t *testing.T) {
	in := func(s *keeper) {
		s.things["/projects/alpha"] = kept{"id": "alpha"}
		s.list = func(*http.Request) []any { return []any{kept{"id": "alpha"}} }
	}
	keepers{
		"faithful": {how: in},
		"loses the size": {func(s *keeper) {
			in(s)
			s.store = func(_ string, _, _, after kept) kept { delete(after, "size"); return after }
		}, []string{"createJob/201/echo", "getJob/state/created"}},
		"deletes nothing": {func(s *keeper) {
			in(s)
			made := map[any]kept{}
			s.store = func(_ string, _, _, after kept) kept { made[after["id"]] = after; return after }
			s.answer = func(method, path string, status int, body any) (int, any) {
				if method == http.MethodDelete && status == http.StatusNoContent {
					s.things[path] = made[path[strings.LastIndex(path, "/")+1:]]
				}
				return status, body
			}
		}, []string{"getJob/state/deleted"}},
	}.test(t, projectDocument)
}
