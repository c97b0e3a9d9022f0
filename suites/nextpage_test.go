package suites_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

const slipDocument = `openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    post: {operationId: addNote, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}}}
    get:
      operationId: listNotes
      parameters: [{name: BY, in: query, schema: {type: stringLISTED}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}, {name: cursor, in: query, schema: {type: string}}]
      responses:
        '200': {description: d, content: {application/json: {schema: {type: object, required: [notes], properties: {notes: {type: array, items: {$ref: '#/components/schemas/Note'}}, NEXT}}}}}
        '400': {description: d}
components:
  schemas:
    New: {type: object, required: [color, title], properties: {color: {type: string, enum: [red, blue]}, title: {type: string, maxLength: 80}}}
    Note: {type: object, required: [id, color, title], properties: {id: {type: string}, color: {type: string, enum: [red, blue]}, title: {type: string}}}
`

// slips serves the document of notes in pages.
type slips struct {
	mu    sync.Mutex
	kept  []kept
	leads func(asked url.Values, at int) (link, cursor string) // to the page that begins there
	asks  func(query url.Values) (url.Values, bool)            // what the service reads in a query with a cursor
	order func(kept []kept) []kept
	shows string                           // the property that leads to the next page
	finds func(one kept, text string) bool // for the parameter q; nil finds all
	lax   bool                             // takes any number of entries per page in a query with a color and a title
}

func (s *slips) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	valid := r.URL.Path == "/notes" && (err == nil && limit > 0 && limit <= 50 || !query.Has("limit") || s.lax && query.Has("color") && query.Has("title"))
	if r.Method == http.MethodPost {
		var sent kept
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &sent)
		title, isText := sent["title"].(string)
		if !valid || !isText || len(title) > 80 || !slices.Contains([]any{"red", "blue"}, sent["color"]) || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.kept = append(s.kept, kept{"id": strconv.Itoa(len(s.kept) + 1), "color": sent["color"], "title": title})
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(s.kept[len(s.kept)-1])
		return
	}
	if limit < 1 {
		limit = 20
	}
	at, bad := strconv.Atoi(strings.TrimLeft(query.Get("cursor"), "c"))
	if query.Has("cursor") && s.asks != nil {
		query, valid = s.asks(query)
		if n, err := strconv.Atoi(query.Get("at")); err == nil {
			at, bad = n, nil
		}
	}
	if !valid || query.Has("cursor") && bad != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	found := slices.Clone(s.kept)
	if s.order != nil {
		found = s.order(found)
	}
	found = slices.DeleteFunc(found, func(one kept) bool {
		return query.Has("q") && s.finds != nil && !s.finds(one, query.Get("q")) || query.Has("color") && one["color"] != query.Get("color") || query.Has("title") && one["title"] != query.Get("title")
	})
	at = min(at, len(found))
	end := min(at+limit, len(found))
	body := kept{"notes": append([]kept{}, found[at:end]...), "next": nil, "nextCursor": nil}
	if end < len(found) {
		link, cursor := s.leads(query, end)
		body["next"], body["nextCursor"] = link, cursor
	}
	for _, name := range []string{"next", "nextCursor"} {
		if body[name] == nil || body[name] == "" || name != s.shows {
			delete(body, name)
		}
	}
	_ = json.NewEncoder(w).Encode(body)
}

// TestNextPages: the page to which a filtered list leads meets the filter too. A token may stand for the whole query.
func TestNextPages(t *testing.T) {
	const link, cursor = "next: {type: string, format: uri-reference}", "nextCursor: {type: string}"
	whole := func(first url.Values, at int) (string, string) {
		first.Set("cursor", fmt.Sprint("c", at))
		return "/notes?" + first.Encode(), fmt.Sprint("c", at)
	}
	lost := func(first url.Values, at int) (string, string) {
		return fmt.Sprintf("/notes?limit=%s&cursor=c%d", first.Get("limit"), at), fmt.Sprint("c", at)
	}
	token := func(first url.Values, at int) (string, string) {
		first.Set("at", strconv.Itoa(at))
		text := base64.RawURLEncoding.EncodeToString([]byte(first.Encode()))
		return "/notes?cursor=" + text, text
	}
	opened := func(query url.Values) (url.Values, bool) {
		text, err := base64.RawURLEncoding.DecodeString(query.Get("cursor"))
		first, _ := url.ParseQuery(string(text))
		return first, err == nil && first.Has("at")
	}
	onlyCursor := func(query url.Values) (url.Values, bool) {
		return url.Values{"cursor": query["cursor"], "limit": query["limit"]}, true
	}
	alone := func(query url.Values) (url.Values, bool) { return query, len(query) == 1 }
	newest := func(all []kept) []kept { slices.Reverse(all); return all }
	for name, row := range map[string]struct {
		by, next string
		how      *slips
		isLost   bool
	}{
		"faithful":                         {"color", link, &slips{leads: whole}, false},
		"a link without the color":         {"color", link, &slips{leads: lost}, true},
		"a link without the color, newest": {"color", link, &slips{leads: lost, order: newest}, true},
		"a link without the title":         {"title", link, &slips{leads: lost}, true},
		"a link with the title":            {"title", link, &slips{leads: whole, order: newest}, false},
		"a link with a token":              {"color", link, &slips{leads: token, asks: opened}, false},
		"a cursor with the color":          {"color", cursor, &slips{leads: whole}, false},
		"a cursor that ignores the color":  {"color", cursor, &slips{leads: whole, asks: onlyCursor}, true},
		"a cursor that is a token":         {"title", cursor, &slips{leads: token, asks: opened}, false},
		"a cursor that stands alone":       {"color", cursor, &slips{leads: whole, asks: alone}, false},
		"no link, though there is more":    {"color", cursor, &slips{leads: func(url.Values, int) (string, string) { return "", "c1" }}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.NewReplacer("BY", row.by, "LISTED", map[string]string{"color": ", enum: [red, blue]"}[row.by], "NEXT", row.next).Replace(slipDocument))
			c.Limits.Concurrency = 1
			row.how.shows, _, _ = strings.Cut(row.next, ":")
			c.Target.BaseURL, c.Target.Handler, c.Only = "http://service.example", row.how, []string{"*/state/*"}
			r := run(t, c)
			if got := stateFindings(r); slices.Contains(got, "listNotes/state/filtered") != row.isLost || firstOf(r) != "" {
				t.Errorf("found %v%s", got, firstOf(r))
			}
			tested := false
			for _, one := range r.Results {
				isPage := strings.Contains(one.Fixture, "filtered."+row.by+".by")
				tested = tested || isPage
				if name == "faithful" && isPage && one.Status != judge.Passed {
					t.Errorf("%s is %s: %s", one.Fixture, one.Status, fmt.Sprint(one.Findings))
				}
			}
			if !tested {
				t.Error("no request follows a filtered page")
			}
		})
	}
}

// TestInventedCursor: a service refuses a cursor that it did not give, so the request with all parameters has none.
func TestInventedCursor(t *testing.T) {
	c := contractOf(t, strings.NewReplacer("BY", "color", "LISTED", ", enum: [red, blue]", "NEXT", "nextCursor: {type: string}", "{name: cursor", "{name: title, in: query, schema: {type: string}}, {name: cursor").Replace(slipDocument))
	opened := func(query url.Values) (url.Values, bool) { return query, strings.HasPrefix(query.Get("cursor"), "c0") }
	c.Only = []string{"listNotes/*/query.limit*"}
	c.Target.BaseURL, c.Target.Handler = "http://service.example", &slips{lax: true, asks: opened, leads: func(_ url.Values, at int) (string, string) { return "", fmt.Sprint("c0", at) }, shows: "nextCursor"}
	r := run(t, c)
	if got := warned(r); !slices.Equal(got, []string{"listNotes/request/query/limit"}) {
		t.Errorf("found %v%s", got, firstOf(r))
	}
}

// TestSearch: a list with a search has only entries that contain the text, if the description says so. It need not have
// all of them.
func TestSearch(t *testing.T) {
	const contains = "Only notes whose title contains this text."
	title := func(one kept) string { text, _ := one["title"].(string); return text }
	for name, row := range map[string]struct {
		says  string
		finds func(one kept, text string) bool
		isBad bool
	}{
		"faithful":   {contains, func(one kept, text string) bool { return strings.Contains(title(one), text) }, false},
		"ignores it": {contains, nil, true},
		"ignores case": {contains, func(one kept, text string) bool {
			return strings.Contains(strings.ToLower(title(one)), strings.ToLower(text))
		}, false},
		"finds nothing yet":      {contains, func(kept, string) bool { return false }, false},
		"finds the first letter": {contains, func(one kept, text string) bool { return strings.Contains(title(one), text[:1]) }, true},
		"finds similar ones":     {"Notes that match this text, best first.", func(kept, string) bool { return true }, false},
		"finds others, too":      {"Only notes whose title or color contains this text.", func(kept, string) bool { return true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.NewReplacer("{name: BY, in: query, schema: {type: stringLISTED}}", "{name: q, in: query, description: '"+row.says+"', schema: {type: string}}", "NEXT", "nextCursor: {type: string}").Replace(slipDocument))
			c.Only = []string{"*/state/*"}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", &slips{finds: row.finds, leads: func(_ url.Values, at int) (string, string) { return "", fmt.Sprint("c", at) }, shows: "nextCursor"}
			r := run(t, c)
			if got := stateFindings(r); slices.Contains(got, "listNotes/state/filtered") != row.isBad || len(got) > 1 || firstOf(r) != "" {
				t.Errorf("found %v%s", got, firstOf(r))
			}
			for _, one := range r.Clauses {
				if name == "faithful" && one.ID == "listNotes/state/filtered" && one.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", one.ID, one.Status)
				}
			}
		})
	}
}
