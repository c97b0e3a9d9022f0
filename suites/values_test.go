package suites_test

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// variedShelves is the document of shelves, with more kinds of values.
var variedShelves = strings.NewReplacer(
	"depth: {type: number, default: 20}", `depth: {type: number, default: 20}
        doors: {type: string, enum: [none, wood, glass]}
        since: {type: string, format: date}
        tiers: {type: integer, minimum: 2, maximum: 9}
        back:
          oneOf:
            - {type: object, required: [planks], additionalProperties: false, properties: {planks: {type: integer, minimum: 1, maximum: 20}}}
            - {type: object, required: [color], additionalProperties: false, properties: {color: {type: string, minLength: 1, maxLength: 20}}}`,
).Replace(shelfDocument)

// TestValuesAreKept: a service that loses only some values is found. A service that rewrites them
// in its own form is not.
func TestValuesAreKept(t *testing.T) {
	text := func(change func(string) string) func(any) any {
		return func(v any) any { return change(v.(string)) }
	}
	for name, row := range map[string]struct {
		how  func(*shelves)
		want []string
	}{
		"faithful": {how: func(*shelves) {}},
		"cuts names after 32 characters": {
			keeping("POST PUT PATCH", with("name", text(func(s string) string { return string([]rune(s)[:min(len([]rune(s)), 32)]) }))),
			[]string{"getShelf/state/changed", "getShelf/state/created", "getShelf/state/replaced"},
		},
		"rounds the depth": {
			keeping("POST PUT", with("depth", func(v any) any { f, _ := v.(json.Number).Float64(); return math.Round(f) })),
			[]string{"getShelf/state/created", "getShelf/state/replaced"},
		},
		"knows two kinds of doors": {
			keeping("POST PUT", with("doors", text(func(s string) string { return strings.Replace(s, "glass", "none", 1) }))),
			[]string{"getShelf/state/created", "getShelf/state/replaced"},
		},
		"keeps no colored back": {
			keeping("POST", with("back", func(v any) any {
				if back := v.(shelf); back["color"] == nil {
					return back
				}
				return shelf{"planks": 1}
			})),
			[]string{"getShelf/state/created"},
		},
		"keeps no back of planks": {
			keeping("POST", with("back", func(v any) any {
				if back := v.(shelf); back["planks"] == nil {
					return back
				}
				return shelf{"color": "brown"}
			})),
			[]string{"getShelf/state/changed", "getShelf/state/created"},
		},
		"keeps the old date": {keeping("PUT", old("since")), []string{"getShelf/state/replaced"}},
		"keeps the tiers that a replacement leaves out": {
			keeping("PUT", func(s, before shelf) shelf {
				if s["tiers"] == nil {
					s["tiers"] = before["tiers"]
				}
				return s
			}),
			[]string{"getShelf/state/replaced"},
		},
		"shows nothing with 204": {
			func(s *shelves) {
				s.answer = func(method string, status int, body shelf) (int, shelf) {
					if method == http.MethodGet && body["id"] != nil {
						return http.StatusNoContent, nil
					}
					return status, body
				}
			},
			[]string{"getShelf/state/apart", "getShelf/state/changed", "getShelf/state/created", "getShelf/state/replaced"},
		},
		"gives two tiers if none are sent": {how: keeping("POST PUT", func(s, _ shelf) shelf {
			if s["tiers"] == nil {
				s["tiers"] = 3
			}
			return s
		})},
		"writes the depth with two decimals": {how: keeping("POST PUT", with("depth", func(v any) any {
			f, _ := v.(json.Number).Float64()
			return json.RawMessage(strconv.FormatFloat(f, 'f', 2, 64))
		}))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, variedShelves)
			r := runShelvesBy(t, c, row.how)
			found := stateFindings(r)
			slices.Sort(found)
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v%s", found, row.want, firstOf(r))
			}
		})
	}
}

// TestFailedSteps: a service that fails at a request which only prepares another one, or cleans up
// after it, breaks the contract there. A service that refuses it does not.
func TestFailedSteps(t *testing.T) {
	answering := func(method string, status int) func(*shelves) {
		return func(s *shelves) {
			s.answer = func(m string, was int, body shelf) (int, shelf) {
				if m == method {
					return status, nil
				}
				return was, body
			}
		}
	}
	for name, row := range map[string]struct {
		how  func(*shelves)
		want string // the violated clause
	}{
		"fails to delete":        {answering(http.MethodDelete, http.StatusInternalServerError), "deleteShelf/answers"},
		"refuses to delete":      {answering(http.MethodDelete, http.StatusConflict), ""},
		"fails to replace":       {answering(http.MethodPut, http.StatusBadGateway), "putShelf/answers"},
		"refuses to replace":     {answering(http.MethodPut, http.StatusForbidden), ""},
		"was not asked for them": {func(*shelves) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, shelfDocument)
			r, broken := runShelvesBy(t, c, row.how), ""
			for _, one := range r.Results {
				for _, f := range one.Findings {
					if f.Severity == judge.Violation {
						broken = string(f.Clause)
					}
				}
			}
			if broken != row.want || (r.Verdict == verdict.Nonconformant) != (row.want != "") {
				t.Errorf("%q is broken, want %q, and the verdict is %s: %s", broken, row.want, r.Verdict, r.Reason)
			}
		})
	}
}

// TestSameCreationAgain: a service may refuse a thing that exists already, but must not fail.
func TestSameCreationAgain(t *testing.T) {
	for name, row := range map[string]struct {
		status int // for a taken name
		want   verdict.Verdict
	}{"takes it": {0, verdict.Conformant}, "refuses it": {http.StatusConflict, verdict.Conformant}, "fails": {http.StatusInternalServerError, verdict.Nonconformant}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, shelfDocument)
			taken := map[any]bool{}
			s := &shelves{kept: map[string]shelf{}, refused: func(method string, sent shelf) int {
				defer func() { taken[sent["name"]] = method == http.MethodPost || taken[sent["name"]] }()
				if method == http.MethodPost && taken[sent["name"]] {
					return row.status
				}
				return 0
			}}
			c.Only = []string{"addShelf/valid/minimal", "addShelf/open/same-values.*"}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			if r := run(t, c); r.Verdict != row.want {
				t.Errorf("%s: %s%s", r.Verdict, r.Reason, firstOf(r))
			}
		})
	}
}

const noteDocument = `openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    post: {operationId: createNote, requestBody: &note {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put: {operationId: putNote, requestBody: *note, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}, '404': {description: d}}}
components:
  schemas:
    Note: {type: object, required: [text], properties: {id: {type: string, readOnly: true}, text: {type: string, maxLength: 80}, made: {type: string, format: date-time, readOnly: true}, reads: {type: integer, readOnly: true}}}
`

// TestReadOnly: a service may refuse or ignore a value for a read-only property, but should not store it.
func TestReadOnly(t *testing.T) {
	given := func(of string, keep bool) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, _, sent, after kept) kept {
				for name, value := range map[string]any{"made": "2026-11-26T08:00:00Z", "reads": 0} {
					if !keep || of != method || sent[name] == nil {
						after[name] = value
					}
				}
				return after
			}
		}
	}
	keepers{
		"leaves them aside": {how: given("", false)},
		"refuses them": {how: func(s *keeper) {
			s.store = func(_ string, _, sent, after kept) kept {
				if sent["made"] != nil {
					return nil
				}
				return after
			}
		}},
		"takes them":          {given(http.MethodPost, true), []string{"createNote/201/body/made", "createNote/201/body/reads"}},
		"takes them with PUT": {given(http.MethodPut, true), []string{"putNote/200/body/made", "putNote/200/body/reads"}},
	}.test(t, noteDocument)
}
