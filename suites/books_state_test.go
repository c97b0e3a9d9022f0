package suites_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
)

type object = map[string]any

// forgetful is a proxy for a bookshop. It changes responses depending on earlier requests.
type forgetful struct {
	shop http.Handler

	mu      sync.Mutex
	touched map[string]string // the last method that changed something, by path
	before  map[string]object // by path, what was shown before that
	gone    []object
	puts    map[string]bool

	read  map[string]func(now, before object) object // by the last method; nil refuses
	list  func(items, gone []any) []any
	again int // the status of a second PUT
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var former object
	if r.Method != http.MethodGet && r.Method != http.MethodPost {
		look := r.Clone(r.Context())
		look.Method, look.Body = http.MethodGet, http.NoBody
		if seen := f.answer(look); seen.Code == http.StatusOK {
			former = parsed(seen.Body.Bytes())
		}
	}
	made := f.answer(r)
	where := r.URL.Path
	body := parsed(made.Body.Bytes())
	switch ok := made.Code/100 == 2; {
	case ok && r.Method == http.MethodGet && where == "/books":
		if items, isList := body["items"].([]any); isList && f.list != nil {
			gone := []any{}
			for _, one := range f.gone {
				gone = append(gone, one)
			}
			body["items"] = f.list(items, gone)
			f.put(made, body)
		}
	case r.Method == http.MethodGet:
		change := f.read[f.touched[where]]
		if change == nil || !ok && f.touched[where] != http.MethodDelete {
			break
		}
		if body = change(maps.Clone(body), f.before[where]); body == nil {
			made = httptest.NewRecorder()
			made.WriteHeader(http.StatusNotFound)
			break
		}
		made.Code = http.StatusOK
		f.put(made, body)
	case ok && r.Method == http.MethodPost:
		f.touched[made.Header().Get("Location")] = r.Method
	case ok:
		if r.Method == http.MethodPut && f.puts[where] && f.again != 0 {
			made = httptest.NewRecorder()
			made.WriteHeader(f.again)
			break
		}
		f.puts[where] = r.Method == http.MethodPut
		f.touched[where], f.before[where] = r.Method, former
		if r.Method == http.MethodDelete {
			f.gone = append(f.gone, former)
		}
	}
	maps.Copy(w.Header(), made.Header())
	w.WriteHeader(made.Code)
	_, _ = w.Write(made.Body.Bytes())
}

func (f *forgetful) answer(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.shop.ServeHTTP(w, r)
	return w
}

func (*forgetful) put(w *httptest.ResponseRecorder, body object) {
	text, _ := json.Marshal(body)
	w.Body = bytes.NewBuffer(text)
	w.Header().Del("Content-Length")
	w.Header().Set("Content-Type", "application/json")
}

func parsed(text []byte) object {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value object
	if err := decoder.Decode(&value); err != nil && err != io.EOF {
		return nil
	}
	return value
}

// TestBookStateDeviations: a bookshop that forgets something is found, by the clause about it.
// TestDerived runs the faithful one, and all its variations, with all derived fixtures. No row
// tests an entry that is missing in a list, because the list has pages.
func TestBookStateDeviations(t *testing.T) {
	after := func(method string, change func(now, before object) object) func(*forgetful) {
		return func(f *forgetful) { f.read[method] = change }
	}
	set := func(method, at string, value func(old any) any) func(*forgetful) {
		return after(method, func(now, _ object) object {
			within, name := now, path.Base(at)
			if outer := path.Dir(at); outer != "." {
				inner, _ := now[outer].(object)
				within = maps.Clone(inner)
				now[outer] = within
			}
			if old, ok := within[name]; ok && old != nil {
				if within[name] = value(old); within[name] == nil {
					delete(within, name)
				}
			}
			return now
		})
	}
	to := func(value any) func(any) any { return func(any) any { return value } }
	text := func(change func(string) string) func(any) any {
		return func(old any) any { s, _ := old.(string); return change(s) }
	}
	one, other := func(a, b any) func(any) any {
		return func(old any) any {
			if old == a {
				return b
			}
			return a
		}
	}, func(a, b string) func(any) any {
		return func(old any) any {
			if n, _ := old.(json.Number); n.String() == a {
				return json.Number(b)
			}
			return json.Number(a)
		}
	}
	const post, put, patch, remove = http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	for _, row := range []struct {
		says, clause string // or clauses
		how          func(*forgetful)
	}{
		{"does not find a new book", "getBook/state/created", after(post, func(_, _ object) object { return nil })},
		{"shows a new title in capitals", "getBook/state/created", set(post, "title", text(func(s string) string { return strings.ToUpper(s) + "!" }))},
		{"cuts the title of a new book", "getBook/state/created", set(post, "title", text(func(s string) string { return s[:len(s)-1] }))},
		{"reverses the title of a new book", "getBook/state/created", set(post, "title", text(func(s string) string { return "a" + s }))},
		{"shows another author of a new book", "getBook/state/created", set(post, "author", to("Anonymous"))},
		{"shows another language of a new book", "getBook/state/created", set(post, "language", one("en", "de"))},
		{"forgets the subtitle", "getBook/state/created", set(post, "subtitle", to(nil))},
		{"forgets the ISBN", "getBook/state/created", set(post, "isbn", to(nil))},
		{"shows another ISBN", "getBook/state/created", set(post, "isbn", one("978-0000000001", "978-0000000002"))},
		{"shows another amount", "getBook/state/created", set(post, "price/amount", other("1.25", "2.5"))},
		{"shows another currency", "getBook/state/created", set(post, "price/currency", one("CHF", "EUR"))},
		{"shows another edition", "getBook/state/created", set(post, "edition", to(object{"kind": "paper", "pages": 4711}))},
		{"forgets the tags", "getBook/state/created", set(post, "tags", to(nil))},
		{"adds a tag", "getBook/state/created", set(post, "tags", func(old any) any { list, _ := old.([]any); return append(slices.Clone(list), "added") })},
		{"keeps the first tag alone", "getBook/state/created", set(post, "tags", func(old any) any {
			if list, _ := old.([]any); len(list) > 1 {
				return list[:1]
			}
			return []any{"one"}
		})},
		{"shows another day", "getBook/state/created", set(post, "published", one("1999-12-31", "2000-01-01"))},
		{"rounds the rating", "getBook/state/created", set(post, "rating", other("0.5", "1.5"))},
		{"sells one at once", "getBook/state/created", set(post, "stock", other("0", "1"))},
		{"keeps the barcode as a floating-point number", "getBook/state/created", set(post, "barcode", other("9007199254740992", "9007199254740994"))},
		{"forgets the publisher", "getBook/state/created", set(post, "publisher", to(nil))},
		{"keeps the old book", "getBook/state/replaced", after(put, func(_, before object) object { return before })},
		{"keeps the old title", "getBook/state/replaced", after(put, func(now, before object) object { now["title"] = before["title"].(string) + "."; return now })},
		{"loses a replaced book", "getBook/state/replaced", after(put, func(_, _ object) object { return nil })},
		{"replaces the title by something else", "getBook/state/replaced", set(put, "title", to("Untitled"))},
		{"replaces the price by another one", "getBook/state/replaced", set(put, "price", to(object{"amount": json.Number("7.77"), "currency": "EUR"}))},
		{"keeps no change", "getBook/state/changed", after(patch, func(_, before object) object { return before })},
		{"loses a changed book", "getBook/state/changed", after(patch, func(_, _ object) object { return nil })},
		{"changes the title as well", "getBook/state/changed", set(patch, "title", text(func(s string) string { return s + " (changed)" }))},
		{"changes the language as well", "getBook/state/changed", set(patch, "language", one("cy", "en"))},
		{"forgets the tags by a change", "getBook/state/changed", set(patch, "tags", to(nil))},
		{"loses the price by a change", "getBook/state/changed", set(patch, "price", to(object{"amount": json.Number("0.01"), "currency": "EUR"}))},
		{"shows what was removed", "getBook/state/deleted", after(remove, func(_, before object) object { return before })},
		{"shows an empty book for what was removed", "getBook/state/deleted", after(remove, func(_, _ object) object { return object{} })},
		{"lists what was removed", "listBooks/state/filtered listBooks/state/sorted listBooks/state/unlisted", func(f *forgetful) {
			f.list = func(items, gone []any) []any {
				const page = 20 // the default; a smaller one is requested
				if room := page - len(items); len(items) > 1 && room > 0 {
					return slices.Concat(gone[max(0, len(gone)-room):], items)
				}
				return items
			}
		}},
		{"gives no pages, and each book four times", "listBooks/state/filtered listBooks/state/listed listBooks/state/paged listBooks/state/sorted", func(f *forgetful) {
			f.list = func(items, _ []any) []any { return slices.Concat(items, items, items, items) }
		}},
		{"refuses the same replacement again", "replaceBook/state/idempotent", func(f *forgetful) { f.again = http.StatusConflict }},
		{"fails for the same replacement again", "replaceBook/state/idempotent", func(f *forgetful) { f.again = http.StatusBadRequest }},
	} {
		t.Run(row.says, func(t *testing.T) {
			sample(t)
			t.Parallel()
			s := books.Service()
			c, err := bookState()
			if err != nil {
				t.Fatal(err)
			}
			f := &forgetful{
				shop: s.New(services.Options{}), touched: map[string]string{}, before: map[string]object{}, puts: map[string]bool{},
				read: map[string]func(now, before object) object{},
			}
			row.how(f)
			c.Limits.Concurrency = 1 // whether removed books change the order of a list depends on when they were removed
			c.Target.BaseURL, c.Target.Handler, c.Target.Credentials = "http://service.example", f, s.Credentials
			r := run(t, c)
			if found := stateFindings(r); !slices.Equal(found, strings.Fields(row.clause)) {
				t.Errorf("found %v, want %s alone%s", found, row.clause, firstOf(r))
			}
		})
	}
}

var fewBooks = sync.OnceValues(func() (suites.Config, error) { return loadDerived(books.Service(), 600) })

// bookState returns the configuration of runs that test what the bookshop keeps.
var bookState = sync.OnceValues(func() (c suites.Config, err error) {
	if c, err = fewBooks(); err != nil {
		return c, err
	}
	needed := map[string]bool{}
	for _, f := range slices.Backward(c.Loaded) {
		if needed[f.ID] = needed[f.ID] || f.Clause.ID.State() != ""; needed[f.ID] {
			for _, id := range f.Needs() {
				needed[id] = true
			}
		}
	}
	c.Loaded = slices.DeleteFunc(slices.Clone(c.Loaded), func(f fixtures.Fixture) bool { return !needed[f.ID] })
	c.Only = []string{"*/state/*"}
	return c, nil
})
