package suites_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

type paper = map[string]any

// papers serves the papers of package proof, which are receipts or letters, according to their kind.
type papers struct {
	mu   sync.Mutex
	kept map[string]paper
	made int

	show func(one paper) paper
	lax  func(sent paper) bool // what is accepted although it is invalid
}

func (s *papers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := func(status int, body any) {
		if body == nil {
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	var sent paper
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		decoder := json.NewDecoder(r.Body)
		named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		isJSON := named == "application/json"
		if !isJSON || decoder.Decode(&sent) != nil || decoder.More() || !isPaper(sent) && (s.lax == nil || !s.lax(sent)) {
			answer(http.StatusBadRequest, nil)
			return
		}
	}
	id, isItem := strings.CutPrefix(r.URL.Path, "/papers/")
	switch {
	case isItem && s.kept[id] == nil:
		answer(http.StatusNotFound, nil)
	case !isItem && r.Method == http.MethodGet:
		all := []paper{}
		for _, one := range s.kept {
			all = append(all, s.shown(one))
		}
		answer(http.StatusOK, all)
	case r.Method == http.MethodDelete:
		delete(s.kept, id)
		answer(http.StatusNoContent, nil)
	case r.Method == http.MethodGet:
		answer(http.StatusOK, s.shown(s.kept[id]))
	case isItem:
		sent["id"], s.kept[id] = id, sent
		answer(http.StatusOK, s.shown(sent))
	default:
		s.made++
		id = strconv.Itoa(s.made)
		sent["id"], s.kept[id] = id, sent
		answer(http.StatusCreated, s.shown(sent))
	}
}

func (s *papers) shown(one paper) paper {
	if s.show == nil {
		return one
	}
	return s.show(maps.Clone(one))
}

func isPaper(one paper) bool {
	isText := func(name string) bool { _, ok := one[name].(string); return ok }
	if !isText("kind") || !isText("title") {
		return false
	}
	switch one["kind"] {
	case "Receipt":
		total, isNumber := one["total"].(float64)
		_, has := one["total"]
		return isText("supplier") && (!has || isNumber && total >= 0 && total == float64(int64(total)))
	case "Letter":
		return isText("to")
	}
	return one["kind"] == "Paper"
}

// TestSubtypes: the schema that the kind of a paper names is judged, in responses and requests.
func TestSubtypes(t *testing.T) {
	document, err := os.ReadFile("proof/testdata/papers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	show := func(change func(one paper)) func(*papers) {
		return func(s *papers) { s.show = func(one paper) paper { change(one); return one } }
	}
	ofReceipts := func(change func(one paper)) func(*papers) {
		return show(func(one paper) {
			if one["kind"] == "Receipt" {
				change(one)
			}
		})
	}
	all := []string{"createPaper/201/body", "getPaper/200/body", "listPapers/200/body", "putPaper/200/body"}
	for name, row := range map[string]struct {
		how    func(*papers)
		broken []string
	}{
		"faithful":           {how: func(*papers) {}},
		"shows more":         {how: show(func(one paper) { one["color"] = "blue" })},
		"shows another kind": {how: show(func(one paper) { one["kind"] = "Ticket" })}, // a warning
		"takes a receipt without a supplier": {func(s *papers) {
			s.lax = func(sent paper) bool {
				return sent["kind"] == "Receipt" && sent["supplier"] == nil && isPaper(paper{"kind": "Paper", "title": sent["title"]})
			}
			ofReceipts(func(one paper) { one["supplier"] = cmp.Or(one["supplier"], any("unknown")) })(s)
		}, []string{"createPaper/request/body", "putPaper/request/body"}},
		"shows no supplier":      {ofReceipts(func(one paper) { delete(one, "supplier") }), all},
		"shows a number as text": {ofReceipts(func(one paper) { one["total"] = "7" }), all},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, string(document))
			service := &papers{kept: map[string]paper{}}
			row.how(service)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", service
			r := run(t, c)
			if got := slices.Sorted(slices.Values(brokenBy(r, false))); !slices.Equal(got, row.broken) {
				t.Errorf("%v is broken, want %v%s", got, row.broken, firstOf(r))
			}
		})
	}
}
