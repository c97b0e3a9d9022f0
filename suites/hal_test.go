package suites_test

import (
	"strings"
	"testing"
)

// embeddedShelves is the document of shelves whose list is in an object, as in HAL.
var embeddedShelves = strings.NewReplacer(
	"shelves: {type: array, items: {$ref: '#/components/schemas/Shelf'}}, total: {type: integer}",
	"_embedded: {type: object, properties: {shelves: {type: array, items: {$ref: '#/components/schemas/Shelf'}}}}, page: {type: object, properties: {totalElements: {type: integer}}}",
	"{name: limit,", "{name: page, in: query, schema: {type: integer}}, {name: size,",
).Replace(pagedShelves)

// TestListsInObjects: the list of a response is found one object deeper, too.
func TestListsInObjects(t *testing.T) {
	for name, row := range map[string]struct {
		how  func(*shelves)
		want string
	}{
		"faithful":      {how: func(*shelves) {}},
		"lists nothing": {func(s *shelves) { s.list = func(*shelves, []shelf) []shelf { return []shelf{} } }, "listShelves/state/filtered listShelves/state/listed listShelves/state/paged"},
		"a page of all": {func(s *shelves) {
			s.page = func(_ int, page []shelf) []shelf { return append(page, shelf{"id": "1", "name": "n", "height": 1}) }
		}, "listShelves/state/paged"},
		"a total of the page": {func(s *shelves) { s.total = func(page int) int { return page } }, "listShelves/state/paged"},
		"no filter":           {func(s *shelves) { s.filter = func(string, shelf) bool { return true } }, "listShelves/state/filtered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, embeddedShelves)
			r := runShelvesBy(t, c, func(s *shelves) {
				row.how(s)
				s.sized = "size"
				s.answer = func(_ string, status int, body shelf) (int, shelf) {
					if list, ok := body["shelves"]; ok {
						body = shelf{"_embedded": shelf{"shelves": list}, "page": shelf{"totalElements": body["total"]}}
					}
					return status, body
				}
			})
			if got := strings.Join(stateFindings(r), " "); got != row.want {
				t.Errorf("found %s, want %s%s", got, row.want, firstOf(r))
			}
		})
	}
}

// severalLists is the document of shelves with several lists in a response.
var severalLists = strings.Replace(shelfDocument,
	"properties: {shelves: {type: array, items: {$ref: '#/components/schemas/Shelf'}}, total: {type: integer}}",
	"properties: {schemas: {type: array, items: {type: string}}, shelves: {type: array, items: {$ref: '#/components/schemas/Shelf'}}, links: {type: array, items: {type: object, properties: {rel: {type: string}}}}}", 1)

// TestSeveralLists: the list whose entries have ids is judged.
func TestSeveralLists(t *testing.T) {
	for name, row := range map[string]struct {
		how   func(*shelves)
		empty bool // the list is omitted
		want  string
	}{
		"faithful":              {how: func(*shelves) {}},
		"no list where none is": {how: func(*shelves) {}, empty: true},
		"lists nothing":         {how: func(s *shelves) { s.list = func(*shelves, []shelf) []shelf { return []shelf{} } }, want: "listShelves/state/listed"},
		"lists what is deleted": {how: func(s *shelves) {
			s.list = func(s *shelves, _ []shelf) []shelf {
				all := []shelf{}
				for _, id := range s.order {
					all = append(all, shelf{"id": id, "name": "n", "height": 1})
				}
				return all
			}
		}, want: "listShelves/state/unlisted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, severalLists)
			c.Limits.Concurrency = 1 // other fixtures create entries, which would push one out of the 50 that are shown
			r := runShelvesBy(t, c, func(s *shelves) {
				row.how(s)
				s.answer = func(_ string, status int, body shelf) (int, shelf) {
					if list, ok := body["shelves"]; ok {
						body = shelf{"schemas": []string{"list"}, "links": []shelf{{"rel": "self"}}}
						if !row.empty {
							body["shelves"] = list
						}
					}
					return status, body
				}
			})
			if got := strings.Join(stateFindings(r), " "); got != row.want {
				t.Errorf("found %s, want %s%s", got, row.want, firstOf(r))
			}
		})
	}
}
