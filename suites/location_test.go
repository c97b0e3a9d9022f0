package suites_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// locatedShelves is the document of shelves, whose creation gives a Location.
var locatedShelves = strings.Replace(shelfDocument, "{'201': &shelf {", "{'201': &shelf {headers: {Location: {schema: {type: string}}}, ", 1)

// TestLocation: a Location leads to the created thing (RFC 9110 §15.3.2). A service may write it in
// several ways, or omit it: no request is sent to another list.
func TestLocation(t *testing.T) {
	at := func(location string) func(string) string {
		return func(id string) string { return strings.ReplaceAll(location, "ID", id) }
	}
	for name, row := range map[string]struct {
		locate     func(id string) string
		found      bool
		undeclared bool
	}{
		"the shelf":                      {at("/shelves/ID"), false, false},
		"with its host":                  {at("http://service.example/shelves/ID"), false, false},
		"relative to the list":           {at("shelves/ID"), false, false},
		"behind a gateway":               {at("https://gateway.example/v2/shelves/ID"), false, false},
		"relative to nothing":            {at("ID"), false, false},
		"the list itself":                {at("shelves"), true, false},
		"the list, with its host":        {at("http://service.example/shelves/"), true, false},
		"of the list by a query":         {at("/shelves?shelfId=ID"), false, false},
		"none":                           {at(""), false, false},
		"of another list":                {at("/racks/ID"), false, false},
		"a shelf that there is not":      {at("/shelves/0ID"), true, false},
		"another shelf":                  {at("/shelves/1"), true, false},
		"of a value that nobody defined": {at("/shelves/undefined"), true, false},
		"undeclared":                     {at("/shelves/ID"), false, true},
		"undeclared, by another name":    {at("/shelves/shelf-ID"), false, true},
		"undeclared, within the shelf":   {at("/shelves/ID/1"), false, true},
		"another shelf, undeclared":      {at("https://gateway.example/v2/shelves/1"), true, true},
		"the list, undeclared":           {at("/shelves"), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, map[bool]string{true: shelfDocument, false: locatedShelves}[row.undeclared])
			r := runShelvesBy(t, c, func(s *shelves) { s.locate = row.locate })
			if found := stateFindings(r); (strings.Join(found, " ") == "getShelf/state/created") != row.found || len(found) > 1 {
				t.Errorf("found %v%s", found, firstOf(r))
			}
		})
	}
}

// TestBareIDs: a response that is the id of the created thing leads to it. If it is a message, it
// leads to nothing, and nothing is found.
func TestBareIDs(t *testing.T) {
	document := strings.Replace(hintDocument, "      parameters: [{name: state, in: query, schema: {type: string, enum: [open, done]}}]\n", "", 1)
	document = strings.Replace(document, "{'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}", "{'201': {description: d, content: {application/json: {schema: {type: string}}}}", 1)
	for name, row := range map[string]struct {
		message, loses bool
		want           string
	}{
		"the id":                   {},
		"the id of less":           {loses: true, want: "getTask/state/created"},
		"a message":                {message: true},
		"a message beside of less": {message: true, loses: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, document)
			s := &keeper{contract: c.Contract, things: map[string]kept{}}
			s.answer = func(method, _ string, status int, body any) (int, any) {
				one, _ := body.(kept)
				switch {
				case method == http.MethodPost && status == http.StatusCreated && row.message:
					return status, "created"
				case method == http.MethodPost && status == http.StatusCreated:
					return status, one["id"]
				case method == http.MethodGet && row.loses && one != nil:
					return status, kept{"id": one["id"], "title": "another"}
				}
				return status, body
			}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				recorder := httptest.NewRecorder()
				s.ServeHTTP(recorder, r)
				recorder.Header().Del("Location")
				maps.Copy(w.Header(), recorder.Header())
				w.WriteHeader(recorder.Code)
				_, _ = w.Write(recorder.Body.Bytes())
			})
			c.Limits.MaxRequests = 0
			r := run(t, c)
			if found := strings.Join(stateFindings(r), " "); found != row.want || !row.message && len(s.things) > 0 {
				t.Errorf("found %s, want %s; %d are left%s", found, row.want, len(s.things), firstOf(r))
			}
		})
	}
}

const ruleDocument = `openapi: 3.0.3
info: {title: Rules, version: '1'}
paths:
  /rules:
    post: {operationId: createRule, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [days], properties: {days: &days {type: integer, minimum: 1, maximum: 900}}}}}}, responses: {'201': {description: d, headers: {Location: {schema: {type: string}}}}, '400': {description: d}}}
  /rules/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getRule, responses: &rule {'200': {description: d, content: {application/json: {schema: &one {type: object, required: [id, days], properties: {id: {type: integer}, days: *days}}}}}, '404': {description: d}}}
    put: {operationId: putRule, requestBody: {required: true, content: {application/json: {schema: *one}}}, responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}}}
`

// TestLocationInBody: if only the Location of a creation has the id, a body that repeats the id of the path has it as
// a number, or as a text if the schema says so. A service may require that.
func TestLocationInBody(t *testing.T) {
	for _, kind := range []string{"integer", "string"}[:sampled(1, 2)] {
		rules := func(store func(before, after kept) kept) func(*keeper) {
			return func(s *keeper) {
				written := func(id any) any {
					if text, isText := id.(string); isText && kind == "integer" {
						return json.Number(text)
					}
					return id
				}
				s.store = func(method string, before, sent, after kept) kept {
					after["id"] = written(after["id"])
					if method == http.MethodPut && sent["id"] != before["id"] {
						return nil
					}
					return store(before, after)
				}
				s.answer = func(method, _ string, status int, body any) (int, any) {
					if method != http.MethodGet {
						body = nil
					}
					return status, body
				}
			}
		}
		keepers{
			"faithful": {how: rules(func(_, after kept) kept { return after })},
			"replaces nothing": {rules(func(before, after kept) kept {
				return maps.Clone(map[bool]kept{true: after, false: before}[before == nil])
			}), []string{"getRule/state/replaced"}},
		}.test(t, strings.NewReplacer("{id: {type: integer}", "{id: {type: "+kind+"}", "schema: {type: integer}", "schema: {type: "+kind+"}").Replace(ruleDocument), "getRule/state/replaced", "putRule/request/body/days")
	}
}
