package suites_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const visitDocument = `openapi: 3.0.3
info: {title: Stays, version: '1'}
paths:
  /rooms:
    post: {operationId: createRoom, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 80}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}}}}, '400': {description: d}}}
  /rooms/{id}: {get: {operationId: getRoom, parameters: [&id {name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: d}, '404': {description: d}}}}
  /rooms/{id}/stays:
    parameters: [*id]
    get:
      operationId: listStays
      parameters:
        - {name: from, in: query, description: Only stays that start at this time or later., schema: {type: string, format: date-time}}
        - {name: to, in: query, description: Only stays that start before this time., schema: {type: string, format: date-time}}
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Stay'}}}}}, '400': {description: d}, '404': {description: d}}
    post:
      operationId: createStay
      description: A stay that overlaps with another one is rejected with 409.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [startsAt, endsAt], properties: {startsAt: {type: string, format: date-time, example: '2031-03-03T09:00:00+01:00'}, endsAt: {type: string, format: date-time, example: '2031-03-03T09:30:00+01:00'}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}, '400': {description: d}, '404': {description: d}, '409': {description: d}}
components:
  schemas:
    Stay: {type: object, required: [id, startsAt, endsAt], properties: {id: {type: string}, startsAt: {type: string, format: date-time}, endsAt: {type: string, format: date-time}}}
`

// TestBetweenTimes: the entries of a list lie between two times, by the verb in the descriptions of from and to. What is created
// for that ends after it starts, and does not overlap. A service may show its times in another offset.
func TestBetweenTimes(t *testing.T) {
	how := func(chooses func(starts, asked time.Time, name string) bool) func(*keeper) {
		return func(s *keeper) {
			at := func(value any) time.Time {
				is, _ := time.Parse(time.RFC3339, fmt.Sprint(value))
				return is.UTC()
			}
			s.store = func(_ string, _, sent, after kept) kept {
				start, end := at(sent["startsAt"]), at(sent["endsAt"])
				for name, is := range map[string]time.Time{"startsAt": start, "endsAt": end} {
					if sent["endsAt"] != nil {
						after[name] = is.Format(time.RFC3339Nano)
					}
				}
				if sent["endsAt"] != nil && !start.Before(end) {
					return nil
				}
				return after
			}
			s.list = func(r *http.Request) []any {
				list := []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					isChosen := strings.HasPrefix(where, r.URL.Path+"/")
					for name, asked := range r.URL.Query() {
						isChosen = isChosen && chooses(at(s.things[where]["startsAt"]), at(asked[0]), name)
					}
					if isChosen {
						list = append(list, s.things[where])
					}
				}
				return list
			}
		}
	}
	rule := func(starts, asked time.Time, name string) bool { return starts.Before(asked) == (name == "to") }
	lost := []string{"listStays/state/filtered"}
	keepers{
		"faithful":        {how: how(rule)},
		"from is ignored": {how(func(starts, asked time.Time, name string) bool { return name == "from" || rule(starts, asked, name) }), lost},
		"to is ignored":   {how(func(starts, asked time.Time, name string) bool { return name == "to" || rule(starts, asked, name) }), lost},
		"from is beyond": {how(func(starts, asked time.Time, name string) bool {
			return rule(starts, asked, name) && !starts.Equal(asked)
		}), lost},
		"to is included": {how(func(starts, asked time.Time, name string) bool {
			return rule(starts, asked, name) || starts.Equal(asked)
		}), lost},
	}.test(t, visitDocument, "listStays/state/filtered")
}
