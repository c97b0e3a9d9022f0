package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/result"
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
    Stone: {type: object, properties: {id: {type: integer, readOnly: true}, weight: {type: number, nullable: true}, found: {type: string, format: date-time}, seen: {type: string, format: date-time, readOnly: true}, name: {type: string}}}
`

// runStones runs the state fixtures against a service that lists the stones as list says.
func runStones(t *testing.T, by string, list func(query url.Values, all []map[string]any) []map[string]any) result.Report {
	t.Helper()
	c := contractOf(t, strings.Replace(stoneDocument, "BY", by, 1))
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
			stone["id"], stone["seen"] = len(all)+1, seen
			all = append(all, stone)
			w.WriteHeader(http.StatusCreated)
			_ = json.NewEncoder(w).Encode(stone)
			return
		}
		stones := []map[string]any{}
		for _, stone := range all {
			stones = append(stones, maps.Clone(stone))
		}
		_ = json.NewEncoder(w).Encode(list(r.URL.Query(), stones))
	})
	return run(t, c)
}

// seen is when all stones were seen.
const seen = "2026-05-01T12:00:00Z"

// weight returns the weight of a stone; 0 if it shows none.
func weight(stone map[string]any) float64 { n, _ := stone["weight"].(float64); return n }

// TestSorted: entries are in the requested order, as far as the document describes it.
func TestSorted(t *testing.T) {
	const either, signed = "{name: sort, in: query, schema: {type: string, enum: [weight, found, name]}}", "{name: sort, in: query, schema: {type: string, enum: [weight, -weight, found, -found]}}"
	const two = "{name: order_by, in: query, schema: {type: string, enum: [weight]}}, {name: dir, in: query, schema: {type: string, enum: [asc, desc]}}"
	usual := strings.Replace(signed, "-found]", "-found], default: -weight", 1)
	const listed = "{name: sort, in: query, schema: {type: string, pattern: '^-?(weight|found)$'}}"
	const byName = "{name: sort, in: query, schema: {type: string, enum: [name, -name]}}"
	// sorted sorts by weight, time or name, as the query asks.
	sorted := func(asked string, list []map[string]any) {
		slices.SortStableFunc(list, func(a, b map[string]any) int {
			n := cmp.Compare(weight(a), weight(b))
			for _, by := range []string{"found", "name"} {
				if strings.Contains(asked, by) {
					one, _ := a[by].(string)
					other, _ := b[by].(string)
					n = cmp.Compare(strings.ToUpper(one), strings.ToUpper(other))
				}
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
		"in order":                 {by: signed, order: sorted},
		"in order, by two":         {by: two, order: sorted},
		"in the other order":       {signed, falling, true},
		"in either order":          {by: either, order: falling},
		"as created":               {either, nil, true},
		"as created, by one":       {signed, nil, true},
		"as created, by two":       {two, nil, true},
		"as created, by a page":    {strings.Replace(signed, "schema", "description: 'Applies to the first `limit` entries, too.', schema", 1), nil, true},
		"in order, by a pattern":   {by: listed, order: sorted},
		"as created, by a pattern": {listed, nil, true},
		"by name":                  {by: byName, order: sorted},
		"names as created":         {byName, nil, true},
		"names in the other order": {byName, falling, true},
		"names without symbols": {by: byName, order: func(asked string, list []map[string]any) {
			slices.SortStableFunc(list, func(a, b map[string]any) int {
				plain := func(stone map[string]any) string {
					return strings.NewReplacer(" ", "", "-", "").Replace(fmt.Sprint(stone["name"]))
				}
				if strings.Contains(asked, "-") {
					a, b = b, a
				}
				return cmp.Compare(plain(a), plain(b))
			})
		}},
		"names of some languages": {by: byName, order: func(asked string, list []map[string]any) {
			for i, stone := range list { // ch after h, v as w, and Latin before Greek or not
				names := []string{"hrad", "chata", "Dub", "a v 2", "a w 1", "a v 1", "β", "b"}
				stone["name"] = names[min(i, len(names)-1)]
			}
			if strings.Contains(asked, "-") {
				slices.Reverse(list)
			}
		}},
		"in the default order":     {by: usual, order: func(asked string, list []map[string]any) { sorted(cmp.Or(asked, "=-"), list) }},
		"not in the default order": {usual, func(asked string, list []map[string]any) { sorted(cmp.Or(asked, "="), list) }, true},
		"without their direction":  {two, func(_ string, list []map[string]any) { sorted("", list) }, true},
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
			r := runStones(t, row.by, func(query url.Values, list []map[string]any) []map[string]any {
				if row.order != nil && (len(query) > 0 || row.by == usual) {
					row.order(query.Encode(), list)
				}
				return list
			})
			if slices.Contains(warned(r), "listStones/state/sorted") != row.want || len(warned(r)) > 1 {
				t.Errorf("found %v%s", warned(r), firstOf(r))
			}
		})
	}
}

// TestAlwaysSorted: entries are in the order in the description of the list, unless their times are the same.
func TestAlwaysSorted(t *testing.T) {
	listing := func(seconds int, order func(list []any)) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, _, after kept) kept {
				after["seen"], after["created_at"] = seen, time.Date(2026, 5, 1, 12, 0, seconds*len(s.things), 0, time.UTC).Format(time.RFC3339)
				return after
			}
			s.list = func(*http.Request) []any {
				all := []any{}
				for _, one := range slices.Collect(maps.Values(s.things)) {
					all = append(all, one)
				}
				slices.SortFunc(all, func(a, b any) int {
					return strings.Compare(a.(kept)["created_at"].(string), b.(kept)["created_at"].(string))
				})
				order(all)
				return all
			}
		}
	}
	same := func([]any) {}
	document := strings.NewReplacer("parameters: [BY]", "summary: 'Stones, newest first'", "    Stone: {type: object, properties: {", "    Stone: {type: object, properties: {created_at: {type: string, format: date-time, readOnly: true}, ", "id: {type: integer,", "id: {type: string,").Replace(stoneDocument)
	keepers{
		"newest first": {how: listing(1, slices.Reverse[[]any])},
		"at one time":  {how: listing(0, same)},
		"oldest first": {listing(1, same), []string{"listStones/state/sorted"}},
		"one is late": {how: listing(1, func(list []any) {
			slices.Reverse(list)
			if len(list) > 1 {
				list[0], list[1] = list[1], list[0]
			}
		})},
	}.test(t, document)
	keepers{
		"by another time": {how: listing(1, same)},
		"oldest first": {func(s *keeper) {
			listing(1, same)(s)
			store := s.store
			s.store = func(method string, before, sent, after kept) kept {
				one := store(method, before, sent, after)
				one["seen"] = one["created_at"]
				return one
			}
		}, []string{"listStones/state/sorted"}},
	}.test(t, strings.Replace(document, "newest first", "sorted by `seen`, newest first", 1))
	keepers{
		"as they came": {listing(1, same), []string{"listStones/state/sorted"}},
		"by the sent time": {how: listing(1, func(list []any) {
			slices.SortStableFunc(list, func(a, b any) int {
				return strings.Compare(fmt.Sprint(b.(kept)["found"]), fmt.Sprint(a.(kept)["found"]))
			})
		})},
	}.test(t, strings.Replace(document, "newest first", "sorted by `found`, newest first", 1))
	byName := func(list []any) {
		slices.SortStableFunc(list, func(a, b any) int {
			return strings.Compare(fmt.Sprint(a.(kept)["name"]), fmt.Sprint(b.(kept)["name"]))
		})
	}
	keepers{
		"as they came": {listing(1, same), []string{"listStones/state/sorted"}},
		"by name":      {how: listing(1, byName)},
		"from z to a":  {how: listing(1, func(list []any) { byName(list); slices.Reverse(list) })},
	}.test(t, strings.Replace(document, "newest first", "sorted by name", 1))
}

// TestBounds: a list has nothing beyond the requested bounds, and everything within. An entry equal
// to a bound is optional, unless the document says which.
func TestBounds(t *testing.T) {
	const bounds = "{name: weight_from, in: query, schema: {type: number}}, {name: weight_to, in: query, schema: {type: number}}, " +
		"{name: seen, in: query, style: deepObject, schema: {type: object, properties: {after: {type: string, format: date-time}, before: {type: string, format: date-time}}}}"
	number := func(text string, unset float64) float64 {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
		return unset
	}
	above := func(query url.Values, stone map[string]any) bool {
		return weight(stone) >= number(query.Get("weight_from"), 0)
	}
	below := func(query url.Values, stone map[string]any) bool {
		return weight(stone) <= number(query.Get("weight_to"), 1e9)
	}
	unlike := func(names ...string) func(url.Values, map[string]any) bool {
		return func(query url.Values, stone map[string]any) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return weight(stone) == number(query.Get(name), -1) })
		}
	}
	// found returns when a stone was found, and the requested bound; without a bound, it returns an earlier time.
	found := func(query url.Values, stone map[string]any) (at, from time.Time) {
		text, _ := stone["found"].(string)
		at, _ = time.Parse(time.RFC3339, text)
		from, err := time.Parse(time.RFC3339, query.Get("found_from"))
		if err != nil {
			from = at.Add(-time.Hour)
		}
		return at, from
	}
	later := func(query url.Values, stone map[string]any) bool {
		at, from := found(query, stone)
		return at.After(from)
	}
	inTime := func(query url.Values, stone map[string]any) bool {
		at, from := found(query, stone)
		return query.Get("seen[after]") < seen && cmp.Or(query.Get("seen[before]"), "3") > seen && !at.Before(from)
	}
	const included = "{name: weight_from, description: At least this weight., in: query, schema: {type: number}}, {name: weight_to, description: No more than this., in: query, schema: {type: number}}"
	excluded := strings.NewReplacer("At least this", "More than this", "No more than this", "The weight is lower than that").Replace(included)
	foundFrom := func(says string) string {
		return "{name: found_from, description: " + says + " that time., in: query, schema: {type: string, format: date-time}}"
	}
	type conditions []func(query url.Values, stone map[string]any) bool
	for name, row := range map[string]struct {
		has  conditions
		want bool
		by   string // "" means all bounds, which leave open whether equal values match
	}{
		"within all bounds": {has: conditions{above, below, inTime}},
		"not what is equal": {has: conditions{above, below, inTime, unlike("weight_from", "weight_to")}},
		"nothing":           {has: conditions{func(query url.Values, _ map[string]any) bool { return len(query) == 0 }}, want: true},
		"no lower bound":    {has: conditions{below, inTime}, want: true},
		"no upper bound":    {has: conditions{above, inTime}, want: true},
		"at any time":       {has: conditions{above, below}, want: true},

		"what is equal, as said":     {has: conditions{above, below, inTime}, by: included},
		"without the least":          {conditions{above, below, inTime, unlike("weight_from")}, true, included},
		"without the most":           {conditions{above, below, inTime, unlike("weight_to")}, true, included},
		"not what is equal, as said": {has: conditions{above, below, inTime, unlike("weight_from", "weight_to")}, by: excluded},
		"with the very lower bound":  {conditions{above, below, inTime, unlike("weight_to")}, true, excluded},
		"not what was found then":    {conditions{above, below, inTime, later}, true, foundFrom("On or after")},
		"what was found after it":    {has: conditions{above, below, inTime, later}, by: foundFrom("Found after")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runStones(t, cmp.Or(row.by, bounds), func(query url.Values, list []map[string]any) []map[string]any {
				return slices.DeleteFunc(list, func(stone map[string]any) bool {
					return slices.ContainsFunc(row.has, func(is func(url.Values, map[string]any) bool) bool { return !is(query, stone) })
				})
			})
			if got := warned(r); slices.Contains(got, "listStones/state/filtered") != row.want || len(got) > 1 {
				t.Errorf("found %v%s", got, firstOf(r))
			}
		})
	}
}

// TestFilterByDay: a list has only the entries with a time on the requested day, in the time zone of the service.
func TestFilterByDay(t *testing.T) {
	onDay := func(zone int) func(url.Values, map[string]any) bool {
		return func(query url.Values, stone map[string]any) bool {
			at, err := time.Parse(time.RFC3339, fmt.Sprint(stone["found"]))
			return err == nil && at.In(time.FixedZone("", zone*3600)).Format(time.DateOnly) == query.Get("found")
		}
	}
	all := func(url.Values, map[string]any) bool { return true }
	for name, row := range map[string]struct {
		says string
		has  func(query url.Values, stone map[string]any) bool
		want bool
	}{
		"on that day":          {"Only stones that were found on this day.", onDay(0), false},
		"on a day far in east": {"Only stones that were found on this day.", onDay(14), false},
		"on a day far in west": {"Only stones that were found on this day.", onDay(-12), false},
		"on any day":           {"Stones found on the given date.", all, true},
		"since that day":       {"Stones found on this day or later.", all, false},
		"of a day":             {"The day.", all, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runStones(t, "{name: found, in: query, description: "+row.says+", schema: {type: string, format: date}}", func(query url.Values, all []map[string]any) []map[string]any {
				return slices.DeleteFunc(all, func(stone map[string]any) bool { return query.Has("found") && !row.has(query, stone) })
			})
			if found := slices.Contains(warned(r), "listStones/state/filtered"); found != row.want {
				t.Errorf("found %v%s", warned(r), firstOf(r))
			}
		})
	}
}
