package suites_test

import (
	"fmt"
	"net/http"
	"slices"
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
		c, err := contractOf(shelfDocument)
		if err != nil {
			t.Fatal(err)
		}
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
