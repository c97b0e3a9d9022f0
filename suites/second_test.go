package suites_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// notes serves the second contract, with one point changed.
type notes struct {
	total      string // the header X-Total; "" is 2
	next       string
	list       string
	dropped    int    // status of a deletion; 0 is 204
	droppedOut string // body of a deletion
	problem    string // media type of a rejection
	told       string // status in a rejection; "" is its own
	anonymous  bool
	anyLimit   bool
}

func (n notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/health", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, "up")
	})
	mux.HandleFunc("GET /v2/notes", func(w http.ResponseWriter, r *http.Request) {
		limit := r.URL.Query().Get("limit")
		number, err := strconv.Atoi(limit)
		switch {
		case !n.anonymous && r.Header.Get("X-Key") != token:
			n.reject(w, 401)
		case r.Header.Get("X-Tenant") == "":
			n.reject(w, 400)
		case !n.anyLimit && limit != "" && (err != nil || number < 1 || number > 100):
			n.reject(w, 422)
		default:
			if n.total != "none" {
				w.Header().Set("X-Total", cmp.Or(n.total, "2"))
			}
			if n.next != "" {
				w.Header().Set("X-Next", n.next)
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, cmp.Or(n.list, `[{"id":1,"text":"a","at":"2026-02-28T10:00:00Z"},{"id":2,"text":null}]`))
		}
	})
	mux.HandleFunc("DELETE /v2/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		switch {
		case r.Header.Get("X-Key") != token:
			n.reject(w, 403)
		case err != nil:
			n.reject(w, 404)
		default:
			w.WriteHeader(cmp.Or(n.dropped, http.StatusNoContent))
			fmt.Fprint(w, n.droppedOut)
		}
	})
	mux.ServeHTTP(w, r)
}

func (n notes) reject(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", cmp.Or(n.problem, "application/problem+json"))
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"title":"no","status":%s}`, cmp.Or(n.told, strconv.Itoa(status)))
}

// The engine depends on no contract: another one, with features that the first does not have, is
// judged by the same rules.
func TestAnotherContract(t *testing.T) {
	for _, row := range []struct {
		name     string
		service  notes
		broken   []string
		warnings []string
	}{
		{"as it must be", notes{}, nil, nil},
		{"no required header", notes{total: "none"}, []string{"listNotes/200/header/X-Total"}, nil},
		{"a header of the wrong type", notes{total: "two"}, []string{"listNotes/200/header/X-Total"}, nil},
		{"a header out of bounds", notes{total: "-1"}, []string{"listNotes/200/header/X-Total"}, nil},
		{"an optional header that is right", notes{next: "/v2/notes?page=2"}, nil, nil},
		{"an optional header of the wrong format", notes{next: "http://[::1"}, []string{"listNotes/200/header/X-Next"}, nil},
		{"an empty list", notes{list: `[]`}, nil, nil},
		{"an object for a list", notes{list: `{}`}, []string{"listNotes/200/body"}, nil},
		{"an item without its property", notes{list: `[{"id":1,"text":""},{"id":2}]`}, []string{"listNotes/200/body/*/text"}, nil},
		{"an item with a property that is ruled out", notes{list: `[{"id":1,"text":"","x":1}]`}, []string{"listNotes/200/body/*/undeclared"}, nil},
		{"an id beyond int64", notes{list: `[{"id":9223372036854775808,"text":""}]`}, []string{"listNotes/200/body/*/id"}, nil},
		{"an id at the end of int64", notes{list: `[{"id":9223372036854775807,"text":""}]`}, nil, nil},
		{"30 February", notes{list: `[{"id":1,"text":"","at":"2026-02-30T00:00:00Z"}]`}, []string{"listNotes/200/body/*/at"}, nil},
		{"202 for 204, which default declares", notes{dropped: 202, droppedOut: `{"title":""}`}, []string{"dropNote/default/media-type"}, []string{"dropNote/accepts"}},
		{"problems as plain JSON", notes{problem: "application/json"}, []string{"dropNote/default/media-type", "listNotes/default/media-type"}, nil},
		{"problems with another status", notes{told: "500"}, nil, []string{"dropNote/default/body/status", "listNotes/default/body/status"}},
		{"no key asked for", notes{anonymous: true}, []string{"listNotes/request/credential"}, nil},
		{"any limit taken", notes{anyLimit: true}, []string{"listNotes/request/query/limit"}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := run(t, secondContract(t, row.service))
			if got := broken(r, judge.Violation); !slices.Equal(got, row.broken) {
				t.Errorf("broken %q, want %q", got, row.broken)
			}
			if got := broken(r, judge.Warning); !slices.Equal(got, row.warnings) {
				t.Errorf("warnings %q, want %q", got, row.warnings)
			}
			want := verdict.Conformant
			if row.broken != nil {
				want = verdict.Nonconformant
			}
			if r.Verdict != want {
				t.Errorf("%s: %s; want %s", r.Verdict, r.Reason, want)
			}
		})
	}
}

// A report has the clauses of the operations in its run, and they are the same in each shard.
func TestReportHasTheClausesOfItsOperations(t *testing.T) {
	for _, row := range []struct {
		name       string
		only, skip []string
		want       []string
	}{
		{"no filter", nil, nil, []string{"dropNote", "health", "listNotes"}},
		{"only one operation", []string{"listNotes/*"}, nil, []string{"listNotes"}},
		{"only one fixture", []string{"dropNote/valid/first"}, nil, []string{"dropNote"}},
		{"all but one operation", nil, []string{"listNotes/*"}, []string{"dropNote", "health"}},
		{"all but one fixture", nil, []string{"dropNote/valid/first"}, []string{"dropNote", "health", "listNotes"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, shard := range []suites.Shard{{}, {Index: 1, Of: 1}} {
				c := secondContract(t, notes{})
				c.Only, c.Skip, c.Shard = row.only, row.skip, shard
				operations := map[string]bool{}
				for _, clause := range run(t, c).Clauses {
					operations[clause.ID.Operation()] = true
				}
				if got := slices.Sorted(maps.Keys(operations)); !slices.Equal(got, row.want) {
					t.Errorf("shard %v: clauses of %q, want %q", shard, got, row.want)
				}
			}
		})
	}
}
