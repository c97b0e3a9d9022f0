package suites_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// filmDocument has a list with the number of the films that match its filters.
const filmDocument = `openapi: 3.0.3
info: {title: Films, version: '1'}
paths:
  /films:
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: &new {type: object, required: [title, color], properties: {title: {type: string, maxLength: 90}, color: {type: boolean}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: &film {type: object, required: [id, title, color], properties: {id: {type: string}, title: {type: string}, color: {type: boolean}}}}}}, '400': {description: d}}}
    get: {operationId: list, parameters: [BY, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 500, default: 500}}], responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [films], properties: {films: {type: array, items: *film}, meta: {type: object, properties: {total: {type: integer, description: SAYS}}}}}}}}, '400': {description: d}}}
`

// TestMatchingTotal: a total that counts the matching entries, by its description, counts no others. It may count those
// on other pages.
func TestMatchingTotal(t *testing.T) {
	const byTitle, byColor = "{name: title, in: query, schema: {type: string}}", "{name: color, in: query, schema: {type: boolean}}"
	// counting adds a total to each list: the number of matches and of all films are given.
	counting := func(most int, total func(matching, all int) any) func(*keeper) {
		return func(s *keeper) {
			counted := 0
			s.list = func(r *http.Request) []any {
				query, list := r.URL.Query(), []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					film := s.things[where]
					if title, color := query.Get("title"), query.Get("color"); (title == "" || film["title"] == title) && (color == "" || (color == "true") == film["color"]) {
						list = append(list, film)
					}
				}
				counted = len(list)
				if limit, err := strconv.Atoi(query.Get("limit")); err == nil {
					list = list[:min(limit, len(list))]
				}
				return list[:min(most, len(list))]
			}
			s.answer = func(_, _ string, status int, body any) (int, any) {
				if list, isList := body.([]any); isList {
					body = kept{"films": list, "meta": kept{"total": total(counted, len(s.things))}}
				}
				return status, body
			}
		}
	}
	const matches = "'Number of films that match the filter, not only those on this page'"
	all := func(_, all int) any { return all }
	for _, row := range []struct{ by, says string }{{byTitle, matches}, {byColor, "Count of the matching films on all pages."}, {byColor, matches}}[:sampled(2, 3)] {
		keepers{
			"faithful":      {how: counting(500, func(matching, _ int) any { return matching })},
			"counts more":   {counting(500, all), []string{"list/state/filtered"}},
			"does not know": {how: counting(500, func(int, int) any { return -1 })},
		}.test(t, strings.NewReplacer("BY", row.by, "SAYS", row.says).Replace(filmDocument), "list/state/filtered")
	}
	keepers{
		"three a page": {how: counting(3, func(matching, _ int) any { return matching })},
	}.test(t, strings.NewReplacer("BY", byColor, "SAYS", matches, ", maximum: 500, default: 500", "").Replace(filmDocument))
	for _, says := range []string{"Number of films.", "'Number of films, whether or not they match the filter'", "'The number of all films before the filter, estimated from those that match'", "'Total playing time of the films that match'"}[:sampled(2, 4)] {
		keepers{"counts all": {how: counting(500, all)}}.test(t, strings.NewReplacer("BY", byTitle, "SAYS", says).Replace(filmDocument))
	}
}
