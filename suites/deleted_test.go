package suites_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// marks keeps what is deleted, shows it with that value, and lists it no more.
func marks(name string, value any) func(*shelves) {
	return func(s *shelves) {
		gone := map[string]bool{}
		s.remove = func(_ *shelves, id string) { gone[id] = true }
		s.read = func(s *shelves, id string) shelf {
			one := shown(s.kept[id])
			one["active"], one["phase"], one["seen"], one["reads"] = true, "in use", fmt.Sprint("r", s.count()), s.count()
			if gone[id] {
				one[name] = value
			}
			return one
		}
		s.list = func(_ *shelves, all []shelf) []shelf {
			return slices.DeleteFunc(all, func(one shelf) bool { return gone[fmt.Sprint(one["id"])] })
		}
	}
}

// count is another number each time.
func (s *shelves) count() int {
	s.reads++
	return s.reads
}

// TestDeletedAgain: the second deletion may be refused or not, but may not fail.
func TestDeletedAgain(t *testing.T) {
	for status, want := range map[int][]string{http.StatusNotFound: nil, http.StatusGone: nil, http.StatusConflict: nil, http.StatusNoContent: nil, http.StatusInternalServerError: {"deleteShelf/answers"}} {
		c := contractOf(t, shelfDocument)
		s := &shelves{kept: map[string]shelf{}}
		deleted := false
		s.remove = func(s *shelves, id string) { delete(s.kept, id); deleted = true }
		s.answer = func(method string, was int, body shelf) (int, shelf) {
			if method == http.MethodDelete && was == http.StatusNotFound && deleted {
				return status, nil
			}
			return was, body
		}
		c.Only = []string{"deleteShelf/kept/*"}
		c.Target.BaseURL, c.Target.Handler = "http://service.example", s
		if got := brokenBy(run(t, c), true); !slices.Equal(got, want) {
			t.Errorf("%d: %v is broken, want %v", status, got, want)
		}
	}
}

// TestDeletedOfAnother: a service that changes what it is sent shows the same thing after its deletion if
// it shows what it showed before that. It may give the id to another thing.
func TestDeletedOfAnother(t *testing.T) {
	capitals := keeping("POST PUT PATCH", with("name", func(v any) any { return strings.ToUpper(v.(string)) }))
	changed := []string{"getShelf/state/changed", "getShelf/state/created", "getShelf/state/replaced"}
	for name, row := range map[string]struct {
		remove func(s *shelves, id string)
		store  func(s *shelves)
		answer bool // a deletion answers with what it deleted
		want   []string
	}{
		"deletes":         {store: capitals, want: changed},
		"deletes nothing": {func(*shelves, string) {}, capitals, false, append([]string{"getShelf/state/deleted", "listShelves/state/unlisted"}, changed...)},
		"answers with what it keeps": {func(*shelves, string) {}, func(*shelves) {}, true,
			[]string{"getShelf/state/deleted", "listShelves/state/unlisted"}},
		"gives the id again": {func(s *shelves, id string) {
			s.kept[id] = shelf{"id": id, "name": "ANOTHER", "height": json.Number("9"), "created": "later"}
		}, capitals, true, append([]string{"listShelves/state/unlisted"}, changed...)},
		"changes the height of all": {func(s *shelves, id string) {
			delete(s.kept, id)
			for _, one := range s.kept {
				one["height"] = json.Number("99")
			}
		}, capitals, false, append([]string{"getShelf/state/apart"}, changed...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, shelfDocument)
			c.Limits.Concurrency = 1 // what another fixture deletes changes the heights of this one
			found := stateFindings(runShelvesBy(t, c, func(s *shelves) {
				row.store(s)
				s.remove = row.remove
				var last shelf
				s.answer = func(method string, status int, body shelf) (int, shelf) {
					if method == http.MethodGet && body["id"] != nil {
						last = maps.Clone(body)
					}
					if row.answer && method == http.MethodDelete && status == http.StatusNoContent {
						return http.StatusOK, last
					}
					return status, body
				}
			}))
			slices.Sort(found)
			slices.Sort(row.want)
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v", found, row.want)
			}
		})
	}
}
