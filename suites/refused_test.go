package suites_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const hintDocument = `openapi: 3.0.3
info: {title: Tasks, version: '1'}
paths:
  /tasks:
    get:
      operationId: listTasks
      parameters: [{name: state, in: query, schema: {type: string, enum: [open, done]}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Task'}}}}}}
    post: {operationId: createTask, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '400': {description: d}}}
  /tasks/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTask, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '404': {description: d}}}
    delete: {operationId: deleteTask, responses: {'204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Task: {type: object, required: [title], properties: {id: {type: string, readOnly: true}, title: {type: string, maxLength: 80}, state: {type: string, enum: [open, done]}, hint: {type: string, maxLength: 80}, folderId: {type: string}, size: {type: object, required: [width], properties: {width: {type: integer, minimum: 1}}}}}
`

// TestRefusedBeside: a service that refuses any value of one property, and so the full body, is
// tested against the rest of its contract.
func TestRefusedBeside(t *testing.T) {
	knowing := func(refused string, how func(*keeper)) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, sent, after kept) kept {
				if sent[refused] != nil {
					return nil
				}
				return after
			}
			s.list = func(r *http.Request) []any {
				list, asked := []any{}, r.URL.Query().Get("state")
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					if asked == "" || s.things[where]["state"] == asked {
						list = append(list, s.things[where])
					}
				}
				return list
			}
			how(s)
		}
	}
	c := contractOf(t, hintDocument)
	c.Loaded, c.Limits.MaxRequests, c.Limits.Concurrency, c.Tries = nil, sampled(900, 0), 1, 1
	c, err := c.Load()
	if err != nil {
		t.Fatal(err)
	}
	c = aboutValues(c)
	for name, row := range map[string]struct {
		refused string
		how     func(*keeper)
		want    []string
	}{
		"knows no hint":   {"hint", func(*keeper) {}, nil},
		"knows no folder": {"folderId", func(*keeper) {}, nil},
		"deletes all": {"hint", func(s *keeper) {
			s.answer = func(method, _ string, status int, body any) (int, any) {
				if method == http.MethodDelete {
					clear(s.things)
				}
				return status, body
			}
		}, []string{"getTask/state/apart"}},
		"lists open ones as done": {"hint", func(s *keeper) {
			chosen := s.list
			s.list = func(r *http.Request) []any {
				if r.URL.Query().Get("state") == "done" {
					r = r.Clone(r.Context())
					r.URL.RawQuery = ""
				}
				return chosen(r)
			}
		}, []string{"listTasks/state/filtered"}},
		"takes any width": {"hint", func(s *keeper) {
			c := contractOf(t, strings.ReplaceAll(hintDocument, ", minimum: 1", ""))
			s.contract = c.Contract
		}, []string{"createTask/201/body/size/width", "createTask/request/body/size/width"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := c, &keeper{contract: c.Contract, things: map[string]kept{}}
			knowing(row.refused, row.how)(s)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			tested := []spec.ClauseID{"getTask/state/apart", "getTask/state/created", "listTasks/state/filtered", "createTask/request/body/size/width"}
			for _, c := range r.Clauses {
				if row.want == nil && slices.Contains(tested, c.ID) && c.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", c.ID, c.Status)
				}
			}
		})
	}
}

// TestRefusedCreations: the report says that a service refuses all creations as invalid, unless the
// document may have a reason for that.
func TestRefusedCreations(t *testing.T) {
	t.Parallel()
	title := "title: {type: string, maxLength: 80"
	for name, row := range map[string]struct {
		from, to string // in the document
		status   int
		want     []string
	}{
		"invalid":                     {status: http.StatusBadRequest, want: []string{"createTask/accepts"}},
		"not for this caller":         {status: http.StatusForbidden},
		"in conflict":                 {status: http.StatusConflict},
		"a rule in words":             {title, title + ", description: The title of an existing plan", http.StatusBadRequest, nil},
		"a rule about another":        {"hint: {type: string", "hint: {type: string, description: Required if there is no folder", http.StatusBadRequest, nil},
		"a reference":                 {"required: [title]", "required: [title, folderId]", http.StatusBadRequest, nil},
		"a reference by its words":    {"required: [title], properties: {", "required: [title, room], properties: {room: {type: string, maxLength: 40, description: The identifier of the room to meet in.}, ", http.StatusBadRequest, nil},
		"people":                      {"required: [title], properties: {", "required: [title, mentions], properties: {mentions: {type: array, minItems: 1, items: {type: string, maxLength: 9}}, ", http.StatusBadRequest, nil},
		"rows that must fit together": {"required: [title], properties: {", "required: [title, ring], properties: {ring: {type: array, minItems: 1, items: {type: array, minItems: 2, items: {type: number}}}, ", http.StatusBadRequest, nil},
		"what may be there already":   {"required: [title]", "required: [state]", http.StatusBadRequest, nil},
		"a text with a grammar":       {title, title + ", format: cron", http.StatusBadRequest, nil},
		"a parameter":                 {"operationId: createTask,", "operationId: createTask, parameters: [{name: X-Of, in: header, required: true, schema: {type: string}}],", http.StatusBadRequest, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.Replace(strings.Replace(hintDocument, row.from, row.to, 1), "paths:\n", `paths:
  /rooms: {post: {operationId: addRoom, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}
`, 1))
			c.Only = []string{"*/valid/*"}
			s := &keeper{contract: c.Contract, things: map[string]kept{}, list: func(*http.Request) []any { return []any{} }}
			s.answer = func(method, path string, status int, body any) (int, any) {
				if method == http.MethodPost && path == "/tasks" {
					return row.status, nil
				}
				return status, body
			}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) || r.Verdict != verdict.Conformant {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
		})
	}
}

// TestRefusedMediaType: the report says that a service does not support the declared media type,
// even if the thing that the request names may not exist.
func TestRefusedMediaType(t *testing.T) {
	t.Parallel()
	document := strings.Replace(hintDocument, "components:\n", `  /tasks/{id}/notes:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post: {operationId: addNote, requestBody: {required: true, content: {TYPE: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}}, responses: {'201': {description: d}, '400': {description: d}, '404': {description: d}}}
components:
`, 1)
	for name, row := range map[string]struct {
		mediaType string
		status    int
		want      []string
	}{
		"JSON":                       {"application/json", http.StatusUnsupportedMediaType, []string{"addNote/accepts"}},
		"a form":                     {"application/x-www-form-urlencoded", http.StatusUnsupportedMediaType, []string{"addNote/accepts"}},
		"what may have wrong files":  {"multipart/form-data", http.StatusUnsupportedMediaType, nil},
		"refused for another reason": {"application/json", http.StatusUnprocessableEntity, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.Replace(document, "TYPE", row.mediaType, 1))
			c.Only = []string{"addNote/valid/*"}
			s := &keeper{contract: c.Contract, things: map[string]kept{}}
			s.answer = func(method, path string, status int, body any) (int, any) {
				if strings.HasSuffix(path, "/notes") {
					return row.status, nil
				}
				return status, body
			}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			if r := run(t, c); !slices.Equal(warned(r), row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, warned(r), row.want, firstOf(r))
			}
		})
	}
}

// TestRefusedGrants: a service grants scopes to a client, so it may refuse a scope that the contract lists.
func TestRefusedGrants(t *testing.T) {
	t.Parallel()
	const document = `openapi: 3.0.3
info: {title: Tokens, version: '1'}
paths:
  /token:
    post:
      operationId: issue
      requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [grant_type], properties: {grant_type: {type: string, enum: [client_credentials]}, scope: {type: string, enum: [read, write]}}}}}}
      responses: {'200': {description: d}, '400': {description: d}}
`
	for name, row := range map[string]struct {
		property, code string
		want           []string
	}{
		"another scope": {"grant_type", "invalid_scope", nil},
		"no grant":      {"grant_type", "unauthorized_client", nil},
		"invalid":       {"grant_type", "invalid_request", []string{"issue/accepts"}},
		"of no grant":   {"kind", "invalid_scope", []string{"issue/accepts"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.ReplaceAll(document, "grant_type", row.property))
			c.Only = []string{"*/valid/*"}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.FormValue("scope") == "write" {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = w.Write([]byte(`{"error": "` + row.code + `"}`))
				}
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
		})
	}
}

// TestEntriesOfTheList: if the run must not create anything, it reads an entry of the list.
func TestEntriesOfTheList(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		title any // of the entry, if it is read by its id
		want  []string
		path  string // "" is /tasks
	}{
		"right":                             {title: "spring"},
		"without title":                     {want: []string{"getTask/200/body/title"}},
		"right, by a singular path":         {title: "spring", path: "/task"},
		"without title, by a singular path": {want: []string{"getTask/200/body/title"}, path: "/task"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := cmp.Or(row.path, "/tasks") + "/"
			c := contractOf(t, strings.Replace(hintDocument, "/tasks/{", item+"{", 1))
			c.Loaded, c.Limits.MaxRequests = nil, 300
			s := &keeper{contract: c.Contract, things: map[string]kept{item + "spring": {"id": "spring", "title": "spring"}}}
			s.list = func(*http.Request) []any { return []any{kept{"id": "spring", "title": "spring", "state": "open"}} }
			s.answer = func(method, path string, status int, body any) (int, any) {
				switch {
				case method == http.MethodPost:
					return http.StatusForbidden, nil
				case path == item+"spring":
					return status, kept{"id": "spring", "title": row.title}
				}
				return status, body
			}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			r := run(t, c)
			found := slices.DeleteFunc(warned(r), func(id string) bool { return !strings.HasPrefix(id, "getTask") })
			reads := slices.ContainsFunc(r.Results, func(one result.Result) bool {
				return one.Fixture == "getTask/kept/entry" && one.Status != judge.Unjudged
			})
			if !slices.Equal(found, row.want) || !reads || s.things[item+"spring"] == nil {
				t.Errorf("%s: found %v, want %v; read an entry: %t%s", r.Verdict, found, row.want, reads, firstOf(r))
			}
		})
	}
}
