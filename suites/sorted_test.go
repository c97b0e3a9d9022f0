package suites_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

const stoneDocument = `openapi: 3.0.3
info: {title: Stones, version: '1'}
paths:
  /stones:
    post:
      operationId: addStone
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Stone'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Stone'}}}}, '400': {description: d}}
    get:
      operationId: listStones
      parameters: [BY]
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Stone'}}}}}, '400': {description: d}}
components:
  schemas:
    Stone: {type: object, properties: {id: {type: integer, readOnly: true}, weight: {type: number, nullable: true}, found: {type: string, format: date-time}, name: {type: string}}}
`

// TestSorted: entries are in the order that is asked for, as far as the document says what that is.
func TestSorted(t *testing.T) {
	const either, signed = "{name: sort, in: query, schema: {type: string, enum: [weight, found, name]}}", "{name: sort, in: query, schema: {type: string, enum: [weight, -weight, found, -found]}}"
	const two = "{name: order_by, in: query, schema: {type: string, enum: [weight]}}, {name: dir, in: query, schema: {type: string, enum: [asc, desc]}}"
	number := func(stone map[string]any) float64 { n, _ := stone["weight"].(float64); return n }
	// sorted sorts by weight or time, as the query asks.
	sorted := func(asked string, list []map[string]any) {
		slices.SortStableFunc(list, func(a, b map[string]any) int {
			n := cmp.Compare(number(a), number(b))
			if strings.Contains(asked, "found") {
				one, _ := a["found"].(string)
				other, _ := b["found"].(string)
				n = cmp.Compare(one, other)
			}
			if strings.Contains(asked, "=-") || strings.Contains(asked, "desc") {
				n = -n
			}
			return n
		})
	}
	falling := func(asked string, list []map[string]any) { sorted(asked, list); slices.Reverse(list) }
	for name, row := range map[string]struct {
		by    string
		order func(asked string, list []map[string]any)
		want  bool
	}{
		"in order":                {by: signed, order: sorted},
		"in order, by two":        {by: two, order: sorted},
		"in the other order":      {signed, falling, true},
		"in either order":         {by: either, order: falling},
		"as created":              {either, nil, true},
		"as created, by one":      {signed, nil, true},
		"as created, by two":      {two, nil, true},
		"without their direction": {two, func(_ string, list []map[string]any) { sorted("", list) }, true},
		"those without it first": {by: signed, order: func(asked string, list []map[string]any) {
			sorted(asked, list)
			for i := range list {
				if i%2 == 0 {
					delete(list[i], "weight")
				}
			}
		}},
		"null anywhere": {by: signed, order: func(asked string, list []map[string]any) {
			sorted(asked, list)
			for i := range list {
				if i%2 == 1 {
					list[i]["weight"] = nil
				}
			}
		}},
		"what is pinned first": {by: strings.Replace(either, "query,", "query, description: Pinned stones come first.,", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.Replace(stoneDocument, "BY", row.by, 1))
			var mu sync.Mutex
			var all []map[string]any
			c.Only, c.Target.BaseURL = []string{"*/state/*"}, "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				w.Header().Set("Content-Type", "application/json")
				if r.Method == http.MethodPost {
					var stone map[string]any
					_ = json.NewDecoder(r.Body).Decode(&stone)
					stone["id"] = len(all) + 1
					all = append(all, stone)
					w.WriteHeader(http.StatusCreated)
					_ = json.NewEncoder(w).Encode(stone)
					return
				}
				list := []map[string]any{}
				for _, stone := range all {
					list = append(list, maps.Clone(stone))
				}
				if row.order != nil && r.URL.RawQuery != "" {
					row.order(r.URL.RawQuery, list)
				}
				_ = json.NewEncoder(w).Encode(list)
			})
			if r := run(t, c); slices.Contains(warned(r), "listStones/state/sorted") != row.want || len(warned(r)) > 1 {
				t.Errorf("found %v%s", warned(r), firstOf(r))
			}
		})
	}
}
