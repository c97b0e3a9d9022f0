package suites_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestListedWithin: the beds of one room are not those of another one, even if both have beds with the
// same ids, or one that is the same everywhere.
func TestListedWithin(t *testing.T) {
	beds := func(of func(s *keeper, room string) []any) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any { return of(s, strings.TrimSuffix(r.URL.Path, "/beds")) }
		}
	}
	in := func(s *keeper, room string) (list []any) {
		for _, where := range slices.Sorted(maps.Keys(s.things)) {
			if strings.Contains(where, "/beds/") && strings.HasPrefix(where, room) {
				list = append(list, s.things[where])
			}
		}
		return list
	}
	keepers{
		"faithful": {},
		"each room has a bed with the last id": {how: beds(func(s *keeper, room string) []any {
			if own := in(s, room+"/"); own != nil {
				return own
			}
			return []any{kept{"id": strconv.Itoa(s.made - 1), "label": "unmade"}}
		})},
		"each room has the same first bed": {how: beds(func(s *keeper, room string) []any {
			return append([]any{kept{"id": "first", "label": "first"}}, in(s, room+"/")...)
		})},
		"lists the beds of all rooms": {beds(func(s *keeper, _ string) []any { return in(s, "/rooms/") }), []string{"listBeds/state/listed-within"}},
	}.test(t, strings.Replace(bedDocument, "    post: {operationId: createBed,", "    get: {operationId: listBeds, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Bed'}}}}}, '404': {description: d}}}\n    post: {operationId: createBed,", 1), "listBeds/state/listed-within")
}
