package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// bins is a service that shows only in Location what it created.
const bins = `openapi: 3.0.3
info: {title: Bins, version: '1'}
paths:
  /bins:
    post: {operationId: addBin, responses: {'201': {description: made, headers: {Location: {schema: {type: string}}}}}}
    get: {operationId: listBins, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {}}}}}}}
  /bins/{binId}:
    parameters: [{name: binId, in: path, required: true, schema: {type: string}}]
    delete: {operationId: deleteBin, responses: {'204': {description: gone}, '404': {description: d}}}
`

// binService lists its bins in the form that entry returns. It begins with two bins.
type binService struct {
	last   int
	kept   []int
	gone   []int // deleted
	reads  int   // of entries
	listed func(s *binService) []int
	entry  func(s *binService, id int) any
	locate string   // the Location before the id; "" is /bins/
	astray []string // paths of DELETE that match no bin
}

func (s *binService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/bins/"))
	switch r.Method {
	case http.MethodPost:
		s.last++
		s.kept = append(s.kept, s.last)
		location := cmp.Or(s.locate, "/bins/") + strconv.Itoa(s.last)
		w.Header().Set("Location", strings.TrimSuffix(location, "#"+strconv.Itoa(s.last)))
		w.WriteHeader(http.StatusCreated)
	case http.MethodDelete:
		if id == 0 && !strings.Contains(r.URL.Path, "conform") {
			s.astray = append(s.astray, r.URL.Path)
		}
		if !slices.Contains(s.kept, id) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.gone, s.kept = append(s.gone, id), slices.DeleteFunc(s.kept, func(one int) bool { return one == id })
		w.WriteHeader(http.StatusNoContent)
	default:
		ids, list := s.kept, []any{}
		if s.listed != nil {
			ids = s.listed(s)
		}
		for _, id := range ids {
			list = append(list, s.entry(s, id))
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list)
	}
}

// TestLocationOfTheList: a Location is relative to the list. A Location that is the list itself
// gives no id, so no request is sent to an entry with the name of the list.
func TestLocationOfTheList(t *testing.T) {
	for _, row := range []struct {
		locate string
		broken bool
		want   string
	}{
		{"bins/", false, ""}, {"./bins/", false, ""}, {"http://service.example/bins/", false, ""}, {"bins#", false, ""}, {"/bins#", false, ""},
		{"bins/", true, "listBins/state/unlisted"},
	} {
		c := contractOf(t, bins)
		c.Limits.Concurrency = 1
		s := &binService{last: 2, kept: []int{1, 2}, locate: row.locate, entry: func(_ *binService, id int) any { return map[string]any{"id": id} }}
		if row.broken {
			s.listed = func(s *binService) []int { return slices.Concat(s.kept, s.gone) }
		}
		c.Handler = s
		r := run(t, c)
		if found := strings.Join(stateFindings(r), " "); found != row.want || len(s.astray) > 0 {
			t.Errorf("%s: found %q, want %q; deleted %q", row.locate, found, row.want, s.astray)
		}
	}
}

// TestListed: the run looks for the id of what it created or deleted, under any name that the list
// may use and in any form. If entries show no ids, the list is not judged. A number that equals the
// id by chance does not cause a finding.
func TestListed(t *testing.T) {
	byID := func(_ *binService, id int) any { return map[string]any{"id": id} }
	all := func(s *binService) []int { return slices.Concat(s.kept, s.gone) }
	none := func(*binService) []int { return nil }
	twice := func(s *binService) []int { return slices.Concat(s.kept, s.kept) }
	held := func(s *binService) []int {
		return slices.DeleteFunc(slices.Clone(s.kept), func(id int) bool { return id > 2 })
	}
	for _, row := range []struct {
		name   string
		entry  func(s *binService, id int) any
		listed func(s *binService) []int
		want   []string
	}{
		{"numbers", byID, nil, nil},
		{"texts", func(_ *binService, id int) any { return map[string]any{"id": strconv.Itoa(id)} }, nil, nil},
		{"as the path calls it", func(_ *binService, id int) any { return map[string]any{"bin_id": id, "owner": map[string]any{"id": 9}} }, nil, nil},
		{"by another name", func(_ *binService, id int) any { return map[string]any{"number": id, "weight": 3} }, nil, nil},
		{"addresses", func(_ *binService, id int) any {
			return map[string]any{"self": fmt.Sprint("http://service.example/bins/", id)}
		}, nil, nil},
		{"paths alone", func(_ *binService, id int) any { return fmt.Sprint("/bins/", id) }, nil, nil},
		{"ids alone", func(_ *binService, id int) any { return id }, nil, nil},
		{"in an object", func(_ *binService, id int) any { return map[string]any{"bin": map[string]any{"id": id, "size": 1}} }, nil, nil},
		{"no ids", func(*binService, int) any { return map[string]any{"size": 1} }, nil, nil},
		{"a number like the id of what is gone", func(s *binService, id int) any { return map[string]any{"id": id, "size": s.last} }, nil, nil},
		{"an owner with the id of what is gone", func(s *binService, id int) any {
			return map[string]any{"id": id, "owner": map[string]any{"id": s.last}}
		}, nil, nil},
		{"two objects with ids", func(s *binService, id int) any {
			return map[string]any{"bin": map[string]any{"id": id}, "owner": map[string]any{"id": s.last}}
		}, nil, nil},
		{"not what was created", byID, held, []string{"listBins/state/listed"}},
		{"not what was created, of addresses", func(_ *binService, id int) any { return fmt.Sprint("/bins/", id) }, held, []string{"listBins/state/listed"}},
		{"nothing", byID, none, []string{"listBins/state/listed"}},
		{"each one twice", byID, twice, []string{"listBins/state/listed"}},
		{"each one twice, by its path", func(_ *binService, id int) any { return fmt.Sprint("/bins/", id) }, twice, []string{"listBins/state/listed"}},
		{"each one in two versions", func(s *binService, id int) any {
			s.reads++
			return map[string]any{"id": id, "size": s.reads}
		}, twice, nil},
		{"no ids, each one twice", func(*binService, int) any { return map[string]any{"size": 1} }, twice, nil},
		{"each second one", byID, func(s *binService) (ids []int) {
			for i := 0; i < len(s.kept); i += 2 {
				ids = append(ids, s.kept[i])
			}
			return ids
		}, []string{"listBins/state/listed"}},
		{"what was deleted", byID, all, []string{"listBins/state/unlisted"}},
		{"ids of what was deleted", func(_ *binService, id int) any { return strconv.Itoa(id) }, all, []string{"listBins/state/unlisted"}},
		{"what was deleted, in an object", func(_ *binService, id int) any { return map[string]any{"bin": map[string]any{"binId": id}} }, all, []string{"listBins/state/unlisted"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, bins)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", &binService{last: 2, kept: []int{1, 2}, entry: row.entry, listed: row.listed}
			c.Only, c.Limits.Concurrency = []string{"*/state/*"}, 1
			r := run(t, c)
			if found := stateFindings(r); !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v%s", found, row.want, firstOf(r))
			}
			if r.Verdict == verdict.Nonconformant {
				t.Errorf("%s: %s", r.Headline, firstOf(r))
			}
			for _, one := range r.Results { // without ids, and without the entry before its deletion, there is no evidence
				silent := map[string]string{"numbers": "", "no ids": "listed unlisted", "nothing": "unlisted"}
				if clauses, known := silent[row.name]; known && (one.Status == judge.Unjudged && one.Excused) != slices.Contains(strings.Fields(clauses), one.Clause.State()) {
					t.Errorf("%s is %s: %s", one.Fixture, one.Status, one.Reason)
				}
			}
		})
	}
}

// TestListedWithoutItems: a created thing is looked for in its list, even if no operation is about
// a single entry.
func TestListedWithoutItems(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    post: {operationId: addNote, responses: {'201': {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}
    get: {operationId: listNotes, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}}}
`
	for name, row := range map[string]struct {
		loses bool
		want  []string
	}{"all": {}, "not the new one": {true, []string{"listNotes/state/listed"}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, document)
			var last atomic.Int64
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id":%d}`, last.Add(1))
					return
				}
				list := []map[string]any{}
				for id := int64(1); id <= last.Load() && !row.loses; id++ {
					list = append(list, map[string]any{"id": id})
				}
				_ = json.NewEncoder(w).Encode(list)
			})
			if found := stateFindings(run(t, c)); !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v", found, row.want)
			}
		})
	}
}
