package suites_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

const shelfDocument = `openapi: 3.1.0
info: {title: Shelves, version: '1'}
paths:
  /shelves:
    post:
      operationId: addShelf
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}
      responses: {'201': &shelf {description: the shelf, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}, '202': *shelf}
    get:
      operationId: listShelves
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {shelves: {type: array, items: {$ref: '#/components/schemas/Shelf'}}, total: {type: integer}}}}}}}
  /shelves/{shelfId}:
    parameters: [{name: shelfId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getShelf, responses: {'200': *shelf}}
    put:
      operationId: putShelf
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}
      responses: {'200': *shelf, '204': {description: done}}
    patch:
      operationId: patchShelf
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {$ref: '#/components/schemas/Name'}, height: {type: integer, minimum: 1, maximum: 1000}, wide: {type: boolean}}}}}}
      responses: {'200': *shelf, '204': {description: done}}
    delete: {operationId: deleteShelf, responses: {'204': {description: gone}, '200': *shelf}}
components:
  schemas:
    Name: {type: string, minLength: 1, maxLength: 80}
    Shelf:
      type: object
      required: [name, height]
      properties:
        id: {type: string, readOnly: true}
        created: {type: string, readOnly: true}
        name: {$ref: '#/components/schemas/Name'}
        height: {type: integer, minimum: 1, maximum: 1000}
        wide: {type: boolean}
        labels: {type: array, items: {type: string}, maxItems: 5}
        depth: {type: number, default: 20}
        secret: {type: string, writeOnly: true}
`

// pagedShelves is the same document, but the list has pages and the shelves have versions.
var pagedShelves = strings.NewReplacer(
	"operationId: listShelves", "operationId: listShelves\n      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}, {name: wide, in: query, schema: {type: boolean}}]",
	"operationId: putShelf", "operationId: putShelf\n      parameters: [{name: If-Match, in: header, schema: {type: string}}]",
	"getShelf, responses: {'200': *shelf}", "getShelf, responses: {'200': {description: the shelf, headers: {ETag: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}}",
).Replace(shelfDocument)

type shelf = map[string]any

// shelves is a service that stores shelves. Each hook may change it.
type shelves struct {
	mu    sync.Mutex
	kept  map[string]shelf
	order []string

	store   func(s *shelves, method, id string, sent, before shelf) shelf // what is stored for a request; nil stores nothing
	read    func(s *shelves, id string) shelf
	list    func(s *shelves, all []shelf) []shelf
	page    func(limit int, page []shelf) []shelf
	filter  func(wide string, one shelf) bool
	total   func(page int) int
	remove  func(s *shelves, id string)
	answer  func(method string, status int, body shelf) (int, shelf)
	refused func(method string, sent shelf) int
	version func(ifMatch string) int // the status for a version that does not exist; 0 accepts it
	match   func(ifMatch, tag string) bool
	tag     func(tag string) string
	changed func(was, is string) string // the ETag in the response to a change
	sized   string                      // the parameter for the size of a page; "" is limit
	locate  func(id string) string      // returns the Location of what was created, or "" for none
	reads   int
}

func (s *shelves) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, isItem := strings.CutPrefix(r.URL.Path, "/shelves/")
	was := s.tagOf(id)
	status, body := s.respond(r)
	if s.changed != nil && isItem && status == http.StatusOK && r.Method != http.MethodGet {
		w.Header().Set("ETag", s.changed(was, s.tagOf(id)))
	}
	if s.answer != nil {
		if object, ok := body.(shelf); ok || body == nil {
			var changed shelf
			if status, changed = s.answer(r.Method, status, object); changed != nil {
				body = changed
			} else {
				body = nil
			}
		}
	}
	if body != nil && status != http.StatusNoContent {
		w.Header().Set("Content-Type", "application/json")
	}
	if isItem && r.Method == http.MethodGet && status == http.StatusOK {
		w.Header().Set("ETag", s.tagOf(id))
	}
	if s.locate != nil && r.Method == http.MethodPost && status == http.StatusCreated {
		w.Header().Set("Location", s.locate(strconv.Itoa(len(s.order))))
	}
	w.WriteHeader(status)
	if body != nil && status != http.StatusNoContent {
		_ = json.NewEncoder(w).Encode(body)
	}
}

func (s *shelves) respond(r *http.Request) (status int, body any) {
	var sent shelf
	id, isItem := strings.CutPrefix(r.URL.Path, "/shelves/")
	if r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch {
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		if decoder.Decode(&sent) != nil || decoder.More() || !s.valid(sent, r.Method) {
			return http.StatusBadRequest, nil
		}
	}
	if s.refused != nil {
		if status := s.refused(r.Method, sent); status != 0 {
			return status, nil
		}
	}
	if isItem && s.kept[id] == nil {
		return http.StatusNotFound, nil
	}
	if version := r.Header.Get("If-Match"); version != "" && version != "*" && !s.matches(version, s.tagOf(id)) {
		status := http.StatusPreconditionFailed
		if s.version != nil {
			status = s.version(version)
		}
		if status != 0 {
			return status, nil
		}
	}
	switch r.Method {
	case http.MethodGet:
		if isItem {
			if shown := s.reading(id); shown != nil {
				return http.StatusOK, shown
			}
			return http.StatusNotFound, nil
		}
		all := []shelf{}
		for _, id := range s.order {
			wide, one := r.URL.Query().Get("wide"), s.kept[id]
			if one != nil && (wide == "" || s.filter == nil && fmt.Sprint(one["wide"]) == wide || s.filter != nil && s.filter(wide, one)) {
				all = append(all, shown(one))
			}
		}
		limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get(cmp.Or(s.sized, "limit")), "50"))
		if err != nil || limit < 1 || limit > 50 {
			return http.StatusBadRequest, nil
		}
		if s.list != nil {
			all = s.list(s, all)
		}
		total := len(all)
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		all = all[:max(0, len(all)-limit*max(0, page-1))]
		if all = all[max(0, len(all)-limit):]; s.page != nil {
			all = s.page(limit, all)
		}
		if s.total != nil {
			total = s.total(len(all))
		}
		return http.StatusOK, shelf{"shelves": all, "total": total}
	case http.MethodDelete:
		if s.remove != nil {
			s.remove(s, id)
		} else {
			delete(s.kept, id)
		}
		return http.StatusNoContent, nil
	case http.MethodPost:
		id = strconv.Itoa(len(s.order) + 1)
		s.order = append(s.order, id)
	}
	before := s.kept[id]
	if before == nil {
		before = shelf{}
	}
	whole := maps.Clone(sent)
	if r.Method == http.MethodPatch {
		whole = maps.Clone(before)
		maps.Copy(whole, sent)
	}
	answered := maps.Clone(whole)
	if s.store != nil {
		whole = s.store(s, r.Method, id, sent, before)
	}
	if whole != nil {
		whole["id"], whole["created"] = id, "2026-11-22"
		s.kept[id] = whole
	}
	answered["id"], answered["created"] = id, "2026-11-22"
	if r.Method == http.MethodPost {
		return http.StatusCreated, shown(answered)
	}
	return http.StatusOK, shown(answered)
}

// tagOf returns the version of a shelf.
func (s *shelves) tagOf(id string) string {
	sum := fnv.New32a()
	_, _ = fmt.Fprint(sum, s.kept[id])
	tag := fmt.Sprintf(`"%08x"`, sum.Sum32())
	if s.tag != nil {
		tag = s.tag(tag)
	}
	return tag
}

func (s *shelves) matches(ifMatch, tag string) bool {
	if s.match != nil {
		return s.match(ifMatch, tag)
	}
	return ifMatch == tag
}

func (s *shelves) reading(id string) shelf {
	if s.read != nil {
		return s.read(s, id)
	}
	return shown(s.kept[id])
}

// cancels keeps deleted shelves, and shows them as the deletion did.
func cancels(s *shelves) {
	var last shelf
	s.remove = func(s *shelves, id string) { s.kept[id]["phase"] = "cancelled"; last = shown(s.kept[id]) }
	s.answer = func(method string, status int, body shelf) (int, shelf) {
		if method == http.MethodDelete && status == http.StatusNoContent {
			return http.StatusOK, last
		}
		return status, body
	}
}

func shown(one shelf) shelf {
	one = maps.Clone(one)
	delete(one, "secret")
	if _, ok := one["depth"]; !ok {
		one["depth"] = 20
	}
	return one
}

func (s *shelves) valid(sent shelf, method string) bool {
	name, hasName := sent["name"].(string)
	_, anyName := sent["name"]
	height, hasHeight := sent["height"].(json.Number)
	_, anyHeight := sent["height"]
	n, err := strconv.ParseFloat(height.String(), 64)
	whole := hasHeight && err == nil && n == float64(int(n)) && n >= 1 && n <= 1000
	if method != http.MethodPatch && (!anyName || !anyHeight) {
		return false
	}
	labels, isList := sent["labels"].([]any)
	_, anyLabels := sent["labels"]
	_, isBool := sent["wide"].(bool)
	_, anyWide := sent["wide"]
	_, isNumber := sent["depth"].(json.Number)
	_, anyDepth := sent["depth"]
	_, isSecret := sent["secret"].(string)
	_, anySecret := sent["secret"]
	texts := !slices.ContainsFunc(labels, func(l any) bool { _, ok := l.(string); return !ok })
	return sent != nil && (!anyName || hasName && name != "" && len([]rune(name)) <= 80) && (!anyHeight || whole) &&
		(method == http.MethodPatch || (!anyLabels || isList && texts && len(labels) <= 5) && (!anyDepth || isNumber) && (!anySecret || isSecret)) && (!anyWide || isBool)
}

// runShelves returns the report of a run against a service with two shelves.
func runShelves(t *testing.T, how func(*shelves)) result.Report {
	t.Helper()
	c := contractOf(t, shelfDocument)
	return runShelvesBy(t, c, how)
}

func runShelvesBy(t *testing.T, c suites.Config, how func(*shelves)) result.Report {
	t.Helper()
	if !long {
		c.Only = []string{"*/state/*"}
	}
	s := &shelves{kept: map[string]shelf{}, order: []string{"1", "2"}}
	for _, id := range s.order {
		s.kept[id] = shelf{"id": id, "name": "held " + id, "height": 5, "created": "before"}
	}
	how(s)
	c.Target.BaseURL, c.Target.Handler = "http://service.example", s
	return run(t, c)
}

// contracts are loaded once, because many tests use the same document.
var contracts sync.Map

// contractOf returns a run of a document, with most of its derived fixtures: see aboutValues.
func contractOf(t *testing.T, document string) suites.Config {
	t.Helper()
	sample(t)
	load, _ := contracts.LoadOrStore(document, sync.OnceValues(func() (suites.Config, error) {
		c, err := ownContract(document)
		return aboutValues(c), err
	}))
	c, err := load.(func() (suites.Config, error))()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ownContract returns the contract of a test that changes it.
func ownContract(document string) (suites.Config, error) {
	c := suites.NewConfig()
	c.Seed, c.Limits.MaxRequests = 1, 520
	var err error
	if c.Contract, err = spec.Load(context.Background(), spec.Source{Name: "shelves.yaml", Data: []byte(document)}, nil); err != nil {
		return c, err
	}
	return c.Load()
}

func firstOf(r result.Report) string {
	var b strings.Builder
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Severity == judge.Violation && b.Len() < 1000 {
				fmt.Fprintf(&b, "\n%s: %s: %s %s, expected %s, got %s", one.Fixture, f.Clause, f.Pointer, f.Message, f.Expected, f.Actual)
			}
		}
	}
	return b.String()
}

func stateFindings(r result.Report) []string {
	var found []string
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Clause.State() != "" && f.Severity != judge.Observation && !slices.Contains(found, string(f.Clause)) {
				found = append(found, string(f.Clause))
			}
		}
	}
	slices.Sort(found)
	return found
}

func without(key string) func(shelf, shelf) shelf {
	return func(s, _ shelf) shelf { delete(s, key); return s }
}
