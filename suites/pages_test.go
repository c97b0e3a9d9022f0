package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/result"
)

const sheetDocument = `openapi: 3.0.3
info: {title: Sheets, version: '1'}
paths:
  /sheets:
    post: {operationId: addSheet, responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Sheet'}}}}}}
    get:
      operationId: listSheets
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 50}}, WAY]
      responses:
        '200':
          description: all
          headers: {Link: {schema: {type: string}}}
          content: {application/json: {schema: {type: object, properties: {sheets: {type: array, items: {$ref: '#/components/schemas/Sheet'}}, nextCursor: {type: string, nullable: true}}}}}
        '400': {description: d}
        '404': {description: d}
components: {schemas: {Sheet: {type: object, properties: {id: {type: integer}, note: {type: string}}}}}
`

const ownNext = "nextCursor: {type: string, nullable: true}" // of sheetDocument

// sheets is a service that shows its list in pages, in all possible ways.
type sheets struct {
	mu    sync.Mutex
	kept  []int
	reads int

	size    string              // the parameter for the number of entries; "" is limit
	preset  int                 // its default; 0 is 50
	next    string              // the schema of what leads to the next page; "" is that of nextCursor
	from    int                 // 1 if pages are numbered from 0
	skip    func(asked int) int // the first entry of a page
	chooses func(ids []string, id int) bool
	order   func(s *sheets)                                              // before each read
	answer  func(status, at int, body map[string]any, h http.Header) int // at is the first entry of the page
}

func (s *sheets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		s.kept = append(s.kept, len(s.kept)+1)
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id":%d}`, len(s.kept))
		return
	}
	number := func(name string, other int) int {
		text := r.URL.Query().Get(name)
		n, err := strconv.Atoi(strings.TrimPrefix(text, "c"))
		if text == "" || err != nil {
			return other
		}
		return n
	}
	if s.order != nil {
		s.order(s)
	}
	limit := number(cmp.Or(s.size, "limit"), cmp.Or(s.preset, 50))
	at := max((number("page", 1-s.from)-1+s.from)*limit, number("offset", 0), number("cursor", 0), slices.Index(s.kept, number("starting_after", 0))+1)
	next := at + limit
	if s.skip != nil {
		at = s.skip(at)
	}
	at = min(at, len(s.kept))
	entries, body, status := []any{}, map[string]any{"nextCursor": nil}, http.StatusOK
	asked := r.URL.Query().Get("ids")
	for _, id := range s.kept[at:min(at+limit, len(s.kept))] {
		if asked != "" && s.chooses != nil && !s.chooses(strings.Split(asked, ","), id) {
			continue
		}
		entries = append(entries, map[string]any{"id": id})
	}
	if body["sheets"] = entries; next < len(s.kept) {
		body["nextCursor"] = fmt.Sprint("c", next)
		w.Header().Set("Link", fmt.Sprintf(`</sheets?limit=9>; rel="first", <?limit=%d&cursor=c%d>; title="next; page"; rel=next`, limit, next))
	}
	if s.answer != nil {
		status = s.answer(status, at, body, w.Header())
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// TestPages: the second page has the entry after that of the first page, no matter how a client
// requests it. A store may change at any time, and there may be no second page.
func TestPages(t *testing.T) {
	const page, offset, cursor = "{name: page, in: query, schema: {type: integer, minimum: 1}}", "{name: offset, in: query, schema: {type: integer}}", "{name: cursor, in: query, schema: {type: string}}"
	const after = "{name: starting_after, in: query, schema: {type: integer}}"
	const ids = "{name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}"
	chosen := func(ids []string, id int) bool { return slices.Contains(ids, strconv.Itoa(id)) }
	busy := func(s *sheets) {
		s.reads++
		s.kept = slices.Insert(s.kept, 0, 1000+s.reads)
	}
	seconds := 0
	// brief adds an entry before every other read of the second page, and deletes it afterwards.
	brief := func(at int) int {
		if at > 0 {
			seconds++
		}
		return max(0, at-seconds%2)
	}
	// showing changes the entries and the value that leads to the next page.
	showing := func(change func(all []any) []any, cursor any, link string) func(int, int, map[string]any, http.Header) int {
		return func(status, _ int, body map[string]any, h http.Header) int {
			body["sheets"], body["nextCursor"] = change(body["sheets"].([]any)), cursor
			if h.Del("Link"); link != "" {
				h.Set("Link", link)
			}
			return status
		}
	}
	// linking adds a link to the next page to the body, with that schema. Its query is "" on the last page.
	linking := func(schema string, show func(body map[string]any, query string)) *sheets {
		return &sheets{next: schema, answer: func(status, _ int, body map[string]any, h http.Header) int {
			_, link, _ := strings.Cut(h.Get("Link"), ", <")
			query, _, _ := strings.Cut(link, ">")
			delete(body, "nextCursor")
			h.Del("Link")
			show(body, query)
			return status
		}}
	}
	const inLinks, inHAL, address = "links: {type: object, properties: {next: {type: string, nullable: true}}}", "_links: {type: object, properties: {next: {type: object, properties: {href: {type: string}}}}}", "next: {type: string, nullable: true, format: uri}"
	linked := func(prefix string) func(map[string]any, string) {
		return func(body map[string]any, query string) {
			if body["next"] = nil; query != "" {
				body["next"] = prefix + query
			}
		}
	}
	emptyAfter := func(cursor any) *sheets { // no entries on the pages after the first
		return &sheets{answer: func(status, at int, body map[string]any, h http.Header) int {
			if at > 0 {
				body["sheets"], body["nextCursor"] = []any{}, cursor
				h.Del("Link")
			}
			return status
		}}
	}
	// ending shows a cursor on each page, and whether there are more.
	ending := func(schema string) *sheets {
		return &sheets{next: schema, answer: func(status, at int, body map[string]any, _ http.Header) int {
			if body["has_more"] = body["nextCursor"] != nil; body["nextCursor"] == nil {
				body["nextCursor"] = fmt.Sprint("c", at+1)
			}
			return status
		}}
	}
	counting := func(words string) *sheets {
		return &sheets{chooses: chosen, next: ownNext + ", total: {type: integer, description: " + words + "}", answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["total"] = 100
			return status
		}}
	}
	allButLast := func(all []any) []any { return all[:max(min(1, len(all)), len(all)-1)] }
	for name, row := range map[string]struct {
		way    string
		how    *sheets
		broken string
	}{
		"by a link": {way: cursor, how: linking(inLinks, func(body map[string]any, query string) { body["links"] = map[string]any{"next": query} })},
		"by a link of HAL": {way: cursor, how: linking(inHAL, func(body map[string]any, query string) {
			if query != "" {
				body["_links"] = map[string]any{"next": map[string]any{"href": "/sheets" + query}}
			}
		})},
		"by an address":               {way: page, how: linking(address, linked("http://service.example/sheets"))},
		"by the address of a proxy":   {way: page, how: linking(address, linked("https://inner.example/v1/sheets"))},
		"by the address of a service": {way: page, how: linking(address, linked("http://service.example/older"))},
		"an address to the same page": {page, linking(address, func(body map[string]any, _ string) { body["next"] = "http://service.example/sheets?limit=1" }), "paged"},
		"no address":                  {page, linking(address, func(map[string]any, string) {}), "paged"},
		"no link":                     {page, linking(inHAL, func(map[string]any, string) {}), "paged"},
		"the first page again, by a link": {cursor, linking(inLinks, func(body map[string]any, query string) {
			body["links"] = map[string]any{"next": strings.Replace(query, "cursor", "page", 1)}
		}), "paged"},
		"by page":                              {way: page},
		"by offset":                            {way: offset},
		"by cursor":                            {way: cursor},
		"by the last entry":                    {way: after},
		"by a page from 0":                     {way: "{name: page, in: query, schema: {type: integer, default: 0}}", how: &sheets{from: 1}},
		"newest first":                         {way: page, how: &sheets{order: busy}},
		"newest first, again":                  {way: cursor, how: &sheets{order: busy}},
		"newest first, and one comes and goes": {way: page, how: &sheets{skip: brief}},
		"of entries that may be the same": {way: cursor, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			for _, entry := range body["sheets"].([]any) {
				delete(entry.(map[string]any), "id")
			}
			return status
		}}},
		"by another address": {way: page, how: &sheets{answer: func(status, _ int, _ map[string]any, h http.Header) int {
			h.Set("Link", `</older?cursor=7>; rel="next", <http://other.example/sheets>; rel=next`)
			return status
		}}},
		"404 beyond the first page": {way: page, how: &sheets{answer: func(status, at int, _ map[string]any, h http.Header) int {
			if h.Del("Link"); at > 0 {
				return http.StatusNotFound
			}
			return status
		}}},
		"the first page again, by page":            {page, &sheets{skip: func(int) int { return 0 }}, "paged"},
		"the first page again, by offset":          {offset, &sheets{skip: func(int) int { return 0 }}, "paged"},
		"the first page again, by cursor":          {cursor, &sheets{skip: func(int) int { return 0 }}, "paged"},
		"the first page again, by entry":           {after, &sheets{skip: func(int) int { return 0 }}, "paged"},
		"the last entry again":                     {after, &sheets{skip: func(at int) int { return max(0, at-1) }}, "paged"},
		"skips an entry":                           {offset, &sheets{skip: func(at int) int { return 2 * at }}, "paged"},
		"an empty page after the first":            {offset, emptyAfter(nil), "paged"},
		"an empty page that leads to more entries": {way: cursor, how: emptyAfter("c9")},
		"refuses its cursor": {cursor, &sheets{answer: func(status, at int, _ map[string]any, h http.Header) int {
			if at > 0 {
				return http.StatusBadRequest
			}
			return status
		}}, "paged"},
		"a Link to the same page": {page, &sheets{answer: func(status, _ int, _ map[string]any, h http.Header) int {
			h.Set("Link", `<?limit=1>; rel="last next"`)
			return status
		}}, "paged"},
		"refuses a page of one": {way: page, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			if entries := body["sheets"].([]any); len(entries) == 1 && body["nextCursor"] != nil {
				return http.StatusBadRequest
			}
			return status
		}}},
		"a total of more than one": {way: page, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["meta"] = map[string]any{"totalSize": 2}
			return status
		}}},
		"no more on the first page": {page, &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["meta"] = map[string]any{"hasMore": false}
			return status
		}}, "paged"},
		"more on each page but the last": {way: page, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["has_more"], body["last"] = body["nextCursor"] != nil, body["nextCursor"] == nil
			return status
		}}},
		"more on the last page": {cursor, &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["has_more"] = true
			return status
		}}, "paged"},
		"a cursor on the last page":                 {way: cursor, how: ending(ownNext)},
		"a cursor on the last page, which has none": {cursor, ending("nextCursor: {type: string, nullable: true, description: Null on the last page.}"), "paged"},
		"a total of all":                            {way: ids, how: counting("Number of sheets.")},
		"a total of all, which is of those chosen":  {ids, counting("Number of sheets that match."), "filtered"},
		"no more of another list": {way: page, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["authors"] = map[string]any{"data": []any{}, "has_more": false}
			return status
		}}},
		"a total of one": {page, &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["meta"] = map[string]any{"totalSize": 1}
			return status
		}}, "paged"},
		"a count of all": {page, &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["count"], body["previous"] = 1, nil
			return status
		}}, "paged"},
		"a count of the page": {way: page, how: &sheets{answer: func(status, _ int, body map[string]any, _ http.Header) int {
			body["count"], body["next"] = 1, nil
			return status
		}}},
		"a total of none": {page, &sheets{answer: func(status, _ int, body map[string]any, h http.Header) int {
			if len(body["sheets"].([]any)) > 1 {
				h.Set("X-Total", "0")
			}
			return status
		}}, "listed"},
		"nothing":               {page, &sheets{answer: showing(func([]any) []any { return []any{} }, nil, "")}, "listed"},
		"nothing, and a cursor": {way: cursor, how: &sheets{answer: showing(func([]any) []any { return []any{} }, "c0", "")}},
		"nothing, and a Link":   {way: page, how: &sheets{answer: showing(func([]any) []any { return []any{} }, nil, `</older?cursor=7>; rel="next"`)}},
		"a total of none for a room that must be chosen": {way: page + ", {name: room, in: query, required: true, schema: {type: string}}", how: &sheets{answer: func(status, _ int, body map[string]any, h http.Header) int {
			body["sheets"], body["nextCursor"] = []any{}, nil
			h.Del("Link")
			h.Set("X-Total", "0")
			return status
		}}},
		"not the last entry":               {page, &sheets{answer: showing(allButLast, nil, "")}, "listed"},
		"not the last entry, and a cursor": {way: cursor, how: &sheets{answer: showing(allButLast, "c1", "")}},
		"not the last entry, and a larger total": {way: page, how: &sheets{answer: func(status, at int, body map[string]any, h http.Header) int {
			body["total"] = 50
			return showing(allButLast, nil, "")(status, at, body, h)
		}}},
		"those with an id": {way: ids, how: &sheets{chooses: chosen}},
		"those with an id, as 1.0": {way: ids, how: &sheets{chooses: chosen, answer: func(status, _ int, body map[string]any, _ http.Header) int {
			for _, entry := range body["sheets"].([]any) {
				sheet := entry.(map[string]any)
				sheet["id"] = json.Number(fmt.Sprint(sheet["id"], ".0"))
			}
			return status
		}}},
		"none":        {way: ids, how: &sheets{chooses: func([]string, int) bool { return false }}},
		"all of them": {ids, nil, "filtered"},
		"no cursor": {cursor, &sheets{answer: func(status, _ int, body map[string]any, h http.Header) int {
			h.Del("Link")
			delete(body, "nextCursor")
			return status
		}}, "paged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if row.how == nil {
				row.how = &sheets{}
			}
			c := contractOf(t, strings.NewReplacer("WAY", row.way, ownNext, cmp.Or(row.how.next, ownNext)).Replace(sheetDocument))
			c.Limits.Concurrency = 1 // concurrency changes which entry is the last
			c.Target.BaseURL, c.Target.Handler, c.Only = "http://service.example", row.how, []string{"*/state/*"}
			want := []string{}
			if row.broken != "" {
				want = append(want, "listSheets/state/"+row.broken)
			}
			if r := run(t, c); !slices.Equal(stateFindings(r), want) || firstOf(r) != "" {
				t.Errorf("found %v, want %v%s", stateFindings(r), want, firstOf(r))
			}
		})
	}
}

// TestPageSizes: a list has no more entries than requested, whatever the name of the parameter is.
// A parameter with this name may also be about a property of entries.
func TestPageSizes(t *testing.T) {
	for parameter, row := range map[string]struct {
		size   string // that the service uses
		broken bool
		preset int
	}{
		"name: max, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 50}":                                   {size: "max"},
		"name: max, in: query, schema: {type: integer, minimum: 1, maximum: 60, default: 60}":                                   {size: "limit", broken: true},
		"name: n, in: query, description: Return at most so many results, schema: {type: integer, minimum: 0, maximum: 9}":      {size: "limit", broken: true},
		"name: size, in: query, description: Sheets of that size, schema: {type: integer, minimum: 1, maximum: 90}":             {size: "limit"},
		"name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 1}":                                  {size: "limit", preset: 1},
		"name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 60, default: 1}":                                  {size: "limit", broken: true},
		"name: size, in: query, description: Sheets of that size, schema: {type: integer, minimum: 1, maximum: 90, default: 1}": {size: "limit"},
		"name: limit, in: query, schema: {type: integer, default: 0}":                                                           {size: "limit"},
	} {
		t.Run(parameter, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.Replace(sheetDocument, "name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 50}}, WAY", parameter+"}", 1))
			c.Target.BaseURL, c.Target.Handler, c.Only = "http://service.example", &sheets{size: row.size, preset: row.preset}, []string{"*/state/*"}
			if r := run(t, c); slices.Contains(stateFindings(r), "listSheets/state/paged") != row.broken || firstOf(r) != "" {
				t.Errorf("found %v%s", stateFindings(r), firstOf(r))
			}
		})
	}
}

// TestPagesComeLast: pages are compared when no other fixture adds entries.
func TestPagesComeLast(t *testing.T) {
	c := contractOf(t, strings.Replace(sheetDocument, "WAY", "{name: page, in: query, schema: {type: integer, minimum: 1}}", 1))
	var order []string
	c.Observe = func(e result.Event) {
		if e.Result != nil {
			order = append(order, string(e.Result.Clause))
		}
	}
	c.Target.BaseURL, c.Target.Handler = "http://service.example", &sheets{}
	run(t, c)
	pages := slices.Index(order, "listSheets/state/paged")
	if pages < 1 || slices.ContainsFunc(order[pages:], func(clause string) bool { return clause != "listSheets/state/paged" }) {
		t.Errorf("the results come in the order %s", strings.Join(order, " "))
	}
}
