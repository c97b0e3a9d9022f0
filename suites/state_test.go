package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// keeping changes what is stored for requests with one of the methods.
func keeping(methods string, change func(sent, before shelf) shelf) func(*shelves) {
	return func(s *shelves) {
		s.store = func(_ *shelves, method, _ string, sent, before shelf) shelf {
			whole := maps.Clone(sent)
			if method == http.MethodPatch {
				whole = maps.Clone(before)
				maps.Copy(whole, sent)
			}
			if strings.Contains(methods, method) {
				return change(whole, before)
			}
			return whole
		}
	}
}

func with(key string, change func(any) any) func(shelf, shelf) shelf {
	return func(s, _ shelf) shelf {
		if value, ok := s[key]; ok {
			s[key] = change(value)
		}
		return s
	}
}

// old keeps the former value, if there was one.
func old(key string) func(s, before shelf) shelf {
	return func(s, before shelf) shelf {
		if value, had := before[key]; had {
			s[key] = value
		}
		return s
	}
}

func reading(read func(s *shelves, id string) shelf) func(*shelves) {
	return func(s *shelves) { s.read = read }
}

func TestStateDeviations(t *testing.T) {
	text := func(change func(string) string) func(any) any {
		return func(v any) any { return change(v.(string)) }
	}
	number := func(change func(float64) float64) func(any) any {
		return func(v any) any {
			n, _ := v.(json.Number).Float64()
			return change(n)
		}
	}
	for _, row := range []struct {
		name, clause string
		how          func(*shelves)
	}{
		{"keeps nothing", "getShelf/state/created", keeping("POST", func(_, _ shelf) shelf { return nil })},
		{"forgets the name", "getShelf/state/created", keeping("POST", func(s, _ shelf) shelf { return without("name")(s, nil) })},
		{"forgets the labels", "getShelf/state/replaced", keeping("PUT", without("labels"))},
		{"cuts the name", "getShelf/state/created", keeping("POST", with("name", text(func(s string) string { return s[:min(len(s), 5)] })))},
		{"writes the name in capitals", "getShelf/state/created", keeping("POST", with("name", text(strings.ToUpper)))},
		{"adds to the name", "getShelf/state/created", keeping("POST", with("name", text(func(s string) string { return s + " (new)" })))},
		{"empties the name", "getShelf/state/created", keeping("POST", with("name", text(func(string) string { return "-" })))},
		{"adds one to the height", "getShelf/state/created", keeping("POST", with("height", number(func(n float64) float64 { return n + 1 })))},
		{"doubles the height", "getShelf/state/replaced", keeping("PUT", with("height", number(func(n float64) float64 { return 2*n + 1 })))},
		{"swaps what is wide", "getShelf/state/replaced", keeping("PUT", with("wide", func(v any) any { return v == false }))},
		{"adds a label", "getShelf/state/replaced", keeping("PUT", with("labels", func(v any) any { return append(v.([]any), "more") }))},
		{"keeps no labels", "getShelf/state/replaced", keeping("PUT", with("labels", func(any) any { return []any{} }))},
		{"changes the depth", "getShelf/state/replaced", keeping("PUT", with("depth", number(func(n float64) float64 { return n + 0.5 })))},
		{"shows the first shelf", "getShelf/state/created", reading(func(s *shelves, _ string) shelf {
			return shown(shelf{"id": "1", "name": "first", "height": 1, "created": "x"})
		})},
		{"shows other values in a read", "getShelf/state/created", reading(func(s *shelves, id string) shelf {
			one := shown(s.kept[id])
			one["name"] = "a shelf"
			return one
		})},
		{"refuses to show it", "getShelf/state/created", reading(func(*shelves, string) shelf { return nil })},
		{"keeps no letters beyond ASCII", "getShelf/state/created", keeping("POST", with("name", text(func(s string) string {
			return strings.Map(func(r rune) rune { return map[bool]rune{true: '?', false: r}[r > 127] }, s)
		})))},
		{"keeps what was read in a cache", "getShelf/state/replaced", func(s *shelves) {
			cache := map[string]shelf{}
			s.read = func(s *shelves, id string) shelf {
				if cache[id] == nil {
					cache[id] = shown(s.kept[id])
				}
				return cache[id]
			}
		}},
		{"deletes all shelves", "getShelf/state/apart", func(s *shelves) { s.remove = func(s *shelves, _ string) { clear(s.kept) } }},
		{"changes the next shelf as well", "getShelf/state/apart", func(s *shelves) {
			s.store = func(s *shelves, method, id string, sent, before shelf) shelf {
				whole := maps.Clone(before)
				maps.Copy(whole, sent)
				if method == http.MethodPut {
					whole = maps.Clone(sent)
				}
				for other, one := range s.kept {
					if method == http.MethodPatch && other != id {
						one["name"] = whole["name"]
					}
				}
				return whole
			}
		}},
		{"keeps the old shelf", "getShelf/state/replaced", keeping("PUT", func(_, before shelf) shelf { return before })},
		{"keeps the old name", "getShelf/state/replaced", keeping("PUT", func(s, before shelf) shelf { s["name"] = before["name"]; return s })},
		{"keeps the old height", "getShelf/state/replaced", keeping("PUT", func(s, before shelf) shelf { s["height"] = json.Number("7"); return s })},
		{"keeps the old height by a change", "getShelf/state/changed", keeping("PATCH", old("height"))},
		{"keeps whether it was wide", "getShelf/state/replaced", keeping("PUT", old("wide"))},
		{"keeps whether it was wide by a change", "getShelf/state/changed", keeping("PATCH", old("wide"))},
		{"keeps the old labels", "getShelf/state/replaced", keeping("PUT", old("labels"))},
		{"swaps name and a text", "getShelf/state/replaced", keeping("PUT", with("name", text(func(s string) string { return strings.ReplaceAll(s, " ", "_") })))},
		{"keeps what a replacement leaves out", "getShelf/state/replaced", func(s *shelves) {
			s.store = func(_ *shelves, _, _ string, sent, before shelf) shelf {
				whole := shelf{}
				maps.Copy(whole, before)
				maps.Copy(whole, sent)
				return whole
			}
		}},
		{"replaces by nothing", "getShelf/state/replaced", func(s *shelves) {
			s.store = func(s *shelves, method, id string, sent, _ shelf) shelf {
				if method == http.MethodPut {
					delete(s.kept, id)
					return nil
				}
				return maps.Clone(sent)
			}
		}},
		{"keeps no change", "getShelf/state/changed", keeping("PATCH", func(_, before shelf) shelf { return before })},
		{"changes to something else", "getShelf/state/changed", keeping("PATCH", with("name", text(func(s string) string { return s + "!" })))},
		{"changes the height as well", "getShelf/state/changed", keeping("PATCH", with("height", number(func(n float64) float64 { return n + 1 })))},
		{"loses the height by a change", "getShelf/state/changed", keeping("PATCH", without("height"))},
		{"loses the name by a change", "getShelf/state/changed", keeping("PATCH", without("name"))},
		{"a change replaces everything", "getShelf/state/changed", func(s *shelves) {
			s.store = func(_ *shelves, _, _ string, sent, _ shelf) shelf { return maps.Clone(sent) }
		}},
		{"a change removes", "getShelf/state/changed", func(s *shelves) {
			s.store = func(s *shelves, method, id string, sent, _ shelf) shelf {
				if method == http.MethodPatch {
					delete(s.kept, id)
					return nil
				}
				return maps.Clone(sent)
			}
		}},
		{"deletes nothing", "getShelf/state/deleted", func(s *shelves) { s.remove = func(*shelves, string) {} }},
		{"deletes nothing, and shows another time and code in each read", "getShelf/state/deleted", marks("reads", 1)},
		{"deletes another one", "getShelf/state/deleted", func(s *shelves) { s.remove = func(s *shelves, _ string) { delete(s.kept, "1") } }},
		{"lists nothing", "listShelves/state/listed", func(s *shelves) { s.list = func(*shelves, []shelf) []shelf { return []shelf{} } }},
		{"lists other ids", "listShelves/state/listed", func(s *shelves) {
			s.list = func(_ *shelves, all []shelf) []shelf {
				for _, one := range all {
					one["id"] = "0" + one["id"].(string)
				}
				return all
			}
		}},
		{"lists all but the last", "listShelves/state/listed", func(s *shelves) {
			s.list = func(_ *shelves, all []shelf) []shelf { return all[:max(0, len(all)-1)] }
		}},
		{"lists what is deleted", "listShelves/state/unlisted", func(s *shelves) {
			s.list = func(s *shelves, _ []shelf) []shelf {
				all := []shelf{}
				for _, id := range s.order {
					all = append(all, shelf{"id": id, "name": "n", "height": 1})
				}
				return all
			}
		}},
		{"refuses the same again", "putShelf/state/idempotent", func(s *shelves) {
			last := ""
			s.refused = func(method string, sent shelf) int {
				text := fmt.Sprint(sent)
				if method == http.MethodPut && text == last {
					return http.StatusConflict
				}
				if method == http.MethodPut {
					last = text
				}
				return 0
			}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, shelfDocument)
			c.Limits.Concurrency = 1 // concurrency changes which thing is the last
			found := stateFindings(runShelvesBy(t, c, row.how))
			if !slices.Contains(found, row.clause) {
				t.Errorf("found %v, want %s", found, row.clause)
			}
		})
	}
}

func TestStateVariations(t *testing.T) {
	answer := func(change func(method string, status int, body shelf) (int, shelf)) func(*shelves) {
		return func(s *shelves) { s.answer = change }
	}
	refusing := func(status int, methods string) func(*shelves) {
		return func(s *shelves) {
			s.refused = func(method string, _ shelf) int {
				if strings.Contains(methods, method) {
					return status
				}
				return 0
			}
		}
	}
	status := func(method string, from, to int) func(*shelves) {
		return answer(func(m string, status int, body shelf) (int, shelf) {
			if m == method && status == from {
				return to, body
			}
			return status, body
		})
	}
	show := func(change func(one shelf)) func(*shelves) {
		return reading(func(s *shelves, id string) shelf {
			one := shown(s.kept[id])
			change(one)
			return one
		})
	}
	for name, how := range map[string]func(*shelves){
		"faithful":             func(*shelves) {},
		"410 for what is gone": status(http.MethodGet, 404, 410),
		"403 for what is gone": status(http.MethodGet, 404, 403),
		"400 for what is gone": status(http.MethodGet, 404, 400),
		"200 and the shelf for a deletion": answer(func(m string, s int, b shelf) (int, shelf) {
			if m == "DELETE" && s == 204 {
				return 200, shelf{"name": "n", "height": 1}
			}
			return s, b
		}),
		"204 for a replacement": status(http.MethodPut, 200, 204),
		"204 for a change":      status(http.MethodPatch, 200, 204),
		"202 for a creation":    status(http.MethodPost, 201, 202),
		"202, and nothing is there yet": func(s *shelves) {
			keeping("POST", func(_, _ shelf) shelf { return nil })(s)
			status(http.MethodPost, 201, 202)(s)
		},
		"reads what the deletion showed": answer(func(m string, s int, b shelf) (int, shelf) {
			gone := shelf{"name": "gone", "height": 1}
			if m == http.MethodDelete && s == http.StatusNoContent || m == http.MethodGet && s == http.StatusNotFound {
				return http.StatusOK, gone
			}
			return s, b
		}),
		"cancels what is deleted":       cancels,
		"shows when it was deleted":     marks("deletedAt", "2026-11-26T08:00:00Z"),
		"shows it as not active":        marks("active", false),
		"shows it as over":              marks("phase", "over"),
		"lists it as over":              listsAsOver,
		"shows more":                    show(func(one shelf) { one["conformanceMore"] = 1 }),
		"shows null for what is absent": show(func(shelf) {}),
		"adds labels where none were sent": show(func(one shelf) {
			if one["labels"] == nil {
				one["labels"] = []string{}
			}
		}),
		"adds what is wide": show(func(one shelf) {
			if one["wide"] == nil {
				one["wide"] = false
			}
		}),
		"writes numbers with a point":          show(func(one shelf) { one["height"] = json.RawMessage(fmt.Sprint(one["height"]) + ".0") }),
		"another creation time":                show(func(one shelf) { one["created"] = "now" }),
		"an id in its own spelling":            show(func(one shelf) { one["id"] = "#" + fmt.Sprint(one["id"]) }),
		"a default instead of the depth":       keeping("POST PUT", func(s, _ shelf) shelf { return s }),
		"refuses every creation":               refusing(http.StatusUnprocessableEntity, "POST"),
		"refuses creations for now":            refusing(http.StatusConflict, "POST"),
		"refuses every replacement":            refusing(http.StatusUnprocessableEntity, "PUT"),
		"refuses every change":                 refusing(http.StatusConflict, "PATCH"),
		"refuses every deletion":               refusing(http.StatusForbidden, "DELETE"),
		"forbids all changes":                  refusing(http.StatusForbidden, "POST PUT PATCH DELETE"),
		"lists the newest first":               func(s *shelves) { s.list = func(_ *shelves, all []shelf) []shelf { slices.Reverse(all); return all } },
		"lists the oldest two, and counts all": func(s *shelves) { s.page = func(_ int, all []shelf) []shelf { return all[:min(len(all), 2)] } },
		"lists ids and names alone": func(s *shelves) {
			s.list = func(_ *shelves, all []shelf) []shelf {
				for i, one := range all {
					all[i] = shelf{"id": one["id"], "name": one["name"], "height": one["height"]}
				}
				return all
			}
		},
		"keeps a secret": show(func(one shelf) { delete(one, "secret") }),
		"no id in the answer, but a Location": answer(func(m string, s int, b shelf) (int, shelf) {
			if m == "POST" {
				delete(b, "id")
			}
			return s, b
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runShelves(t, how)
			if found := stateFindings(r); len(found) > 0 {
				t.Errorf("alarm: %v%s", found, firstOf(r))
			}
			if r.Verdict == verdict.Nonconformant {
				t.Errorf("%s: %s", r.Headline, firstOf(r))
			}
		})
	}
}

// TestPagesAndVersions: a page with more entries than requested is found, and so is a change for a
// version that does not exist.
func TestPagesAndVersions(t *testing.T) {
	refuses := func(status int) func(*shelves) {
		return func(s *shelves) { s.version = func(string) int { return status } }
	}
	for name, row := range map[string]struct {
		how  func(*shelves)
		want string
	}{
		"faithful":          {how: func(*shelves) {}},
		"an empty page":     {func(s *shelves) { s.page = func(_ int, page []shelf) []shelf { return page[:0] } }, "listShelves/state/filtered listShelves/state/listed"},
		"a conflict":        {how: refuses(http.StatusConflict)},
		"an unknown header": {how: refuses(http.StatusBadRequest)},
		"one entry too many": {func(s *shelves) {
			s.page = func(_ int, page []shelf) []shelf { return append(page, shelf{"id": "1", "name": "n", "height": 1}) }
		}, "listShelves/state/paged"},
		"a total of the page alone": {func(s *shelves) { s.total = func(page int) int { return page } }, "listShelves/state/paged"},
		"no filter":                 {func(s *shelves) { s.filter = func(string, shelf) bool { return true } }, "listShelves/state/filtered"},
		"a filter that hides all":   {func(s *shelves) { s.filter = func(string, shelf) bool { return false } }, "listShelves/state/filtered"},
		"a filter that hides what is wide": {func(s *shelves) {
			s.filter = func(wide string, one shelf) bool { return wide == "false" && one["wide"] == false }
		}, "listShelves/state/filtered"},
		"pages of one": {how: func(s *shelves) { s.page = func(_ int, page []shelf) []shelf { return page[:min(1, len(page))] } }},
		"the opposite filter": {func(s *shelves) {
			s.filter = func(wide string, one shelf) bool { return fmt.Sprint(one["wide"]) != wide }
		}, "listShelves/state/filtered"},
		"a filter that also shows what says nothing": {how: func(s *shelves) {
			s.filter = func(wide string, one shelf) bool { return one["wide"] == nil || fmt.Sprint(one["wide"]) == wide }
		}},
		"asks for the version of what it has": {refusesPutAgain(http.StatusPreconditionRequired), ""},
		"refuses what it has":                 {refusesPutAgain(http.StatusConflict), "putShelf/state/idempotent"},
		"no versions":                         {refuses(0), "putShelf/state/precondition"},
		"one version alone":                   {func(s *shelves) { s.tag = func(string) string { return `"1"` } }, "getShelf/state/versioned"},
		"the version of before, after a PATCH alone": {func(s *shelves) {
			old := map[string]string{} // by the expected one
			s.tag = func(tag string) string { return cmp.Or(old[tag], tag) }
			s.store = func(s *shelves, method, id string, sent, before shelf) shelf {
				whole := maps.Clone(sent)
				if was := s.tagOf(id); method == http.MethodPatch {
					whole = maps.Clone(before)
					maps.Copy(whole, sent)
					s.kept[id] = whole
					old[s.tagOf(id)] = was
				}
				return whole
			}
		}, "getShelf/state/versioned"},
		"never the version": {func(s *shelves) { s.match = func(_, _ string) bool { return false } }, "putShelf/state/current"},
		"weak versions": {how: func(s *shelves) {
			s.tag = func(tag string) string { return "W/" + tag }
			s.match = func(_, _ string) bool { return false }
		}},
		"one weak version": {how: func(s *shelves) { s.tag = func(string) string { return `W/"1"` } }},
		"no version shown": {how: func(s *shelves) { s.tag = func(string) string { return "" } }},
		"locked": {how: func(s *shelves) {
			s.match, s.version = func(_, _ string) bool { return false }, func(string) int { return http.StatusLocked }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract := contractOf(t, pagedShelves)
			r := runShelvesBy(t, contract, row.how)
			if got := strings.Join(stateFindings(r), " "); got != row.want {
				t.Errorf("found %s, want %s%s", got, row.want, firstOf(r))
			}
			for _, id := range []string{"listShelves/state/paged", "putShelf/state/precondition"} {
				if id == "listShelves/state/paged" && name == "an empty page" { // not evidence
					continue
				}
				if !slices.ContainsFunc(r.Clauses, func(c verdict.Clause) bool { return string(c.ID) == id && c.Status != verdict.ClauseVacuous }) {
					t.Errorf("%s was not put to the test", id)
				}
			}
		})
	}
}
