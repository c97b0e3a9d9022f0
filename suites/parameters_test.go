package suites_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

const flats = `openapi: 3.0.3
info: {title: Flats, version: '1'}
paths:
  /flats:
    get:
      operationId: listFlats
      parameters:
        - {name: beds, in: query, schema: {type: integer, minimum: 1, maximum: 9}}
        - {name: view, in: query, schema: {type: string, enum: [sea, hill]}}
        - {name: X-Tenant, in: header, schema: {type: string, pattern: '^[a-z]+$'}}
      responses: {'200': {description: d}, '400': {description: d}}
`

// TestParametersBesideOthers: each parameter has its limits, whatever others are sent. A service may
// check one only if another is sent, or is not.
func TestParametersBesideOthers(t *testing.T) {
	const query = "listFlats/request/query/"
	valid := map[string]*regexp.Regexp{"beds": regexp.MustCompile(`^[1-9]$`), "view": regexp.MustCompile(`^(sea|hill)$`), "tenant": regexp.MustCompile(`^[a-z]+$`)}
	for name, row := range map[string]struct {
		unchecked string // the service does not check this parameter
		with      string // if this one is sent, too
		without   bool   // or rather if that one is not sent
		want      string // violated clauses
	}{
		"all checked":            {},
		"leading zeros accepted": {unchecked: "07"},
		"beds beside a view":     {unchecked: "beds", with: "view", want: query + "beds"},
		"beds beside a tenant":   {unchecked: "beds", with: "tenant", want: query + "beds"},
		"beds without a view":    {unchecked: "beds", with: "view", without: true, want: query + "beds"},
		"a view beside beds":     {unchecked: "view", with: "beds", want: query + "view"},
		"a view beside a tenant": {unchecked: "view", with: "tenant", want: query + "view"},
		"a tenant beside a view": {unchecked: "tenant", with: "view", want: "listFlats/request/header/X-Tenant"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, flats)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent := map[string][]string{"beds": r.URL.Query()["beds"], "view": r.URL.Query()["view"], "tenant": r.Header["X-Tenant"]}
				for parameter, values := range sent {
					isUnchecked := parameter == row.unchecked && (sent[row.with] != nil) != row.without
					if row.unchecked == "07" && parameter == "beds" && values != nil {
						values = []string{strings.TrimPrefix(values[0], "0")}
					}
					if values != nil && !isUnchecked && !valid[parameter].MatchString(values[0]) {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
				}
			})
			r := run(t, c)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("violated: %q, want %q%s", got, row.want, firstOf(r))
			}
		})
	}
}

const teamsDocument = `openapi: 3.0.3
info: {title: Teams, version: '1'}
paths:
  /team/add:
    post:
      operationId: addTeam
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {team: {$ref: '#/components/schemas/Team'}}}}}}, '400': {description: d}}
  /team/get:
    get:
      operationId: getTeam
      parameters: [{name: team_name, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}, '404': {description: d}}
components:
  schemas:
    Team: {type: object, required: [team_name, members], properties: {team_name: {type: string}, members: {type: array, items: {type: string}}}}
`

// TestParameterNamesWhatAPostCreates: a query parameter names a team by the name that the client gave it.
func TestParameterNamesWhatAPostCreates(t *testing.T) {
	for name, row := range map[string]struct {
		shown string
		want  []string
	}{
		"faithful":   {`[]`, nil},
		"no members": {`null`, []string{"getTeam/200/body/members"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var teams sync.Map
			c := contractOf(t, teamsDocument)
			mux := http.NewServeMux()
			c.Target.BaseURL, c.Target.Handler = "http://service.example", mux
			mux.HandleFunc("POST /team/add", func(w http.ResponseWriter, r *http.Request) {
				team := map[string]any{}
				given, isText := "", false
				if body, _ := io.ReadAll(r.Body); json.Unmarshal(body, &team) == nil {
					given, isText = team["team_name"].(string)
				}
				members, isList := team["members"].([]any)
				isOther := func(member any) bool { _, isText := member.(string); return !isText }
				if !isText || !isList || slices.ContainsFunc(members, isOther) {
					http.Error(w, "", http.StatusBadRequest)
					return
				}
				teams.Store(given, nil)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
				_ = json.NewEncoder(w).Encode(map[string]any{"team": team})
			})
			mux.HandleFunc("GET /team/get", func(w http.ResponseWriter, r *http.Request) {
				asked := r.URL.Query().Get("team_name")
				if _, known := teams.Load(asked); !known {
					http.Error(w, "", http.StatusNotFound)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"team_name":%q,"members":%s}`, asked, row.shown)
			})
			r := run(t, c)
			if got := broken(r, judge.Violation); !slices.Equal(got, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			if c := verdict.ClauseNamed(r.Clauses, "getTeam/200/body/team_name"); c.Status != verdict.ClausePassed {
				t.Errorf("%s is %s", c.ID, c.Status)
			}
		})
	}
}

const registry = `openapi: 3.0.3
info: {title: Registry, version: '1'}
paths:
  /pet:
    post: {operationId: addPet, requestBody: &pet {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, '400': {description: d}, '404': {description: d}}}
    put: {operationId: updatePet, requestBody: *pet, responses: *one}
  /pet/{petId}:
    get: {operationId: getPet, parameters: [{name: petId, in: path, required: true, schema: {type: integer}}], responses: *one}
  /user:
    post: {operationId: addUser, requestBody: &user {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, responses: &someone {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: d}, '404': {description: d}}}
  /user/{username}:
    parameters: [{name: username, in: path, required: true, schema: {type: string}}]
    get: {operationId: getUser, responses: *someone}
    put: {operationId: updateUser, requestBody: *user, responses: *someone}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {id: {type: integer}, name: {type: string}, tag: {type: string}}}
    User: {type: object, properties: {username: {type: string}, phone: {type: string}}}
`

// TestBodyNamesTheResource: PUT on the path of a list needs the optional id in its body to know what it replaces, and
// a service that does not invent the name of a user gets a warning. PUT on that name need not forget it. What PUT sends
// can be read, and the rest may stay.
func TestBodyNamesTheResource(t *testing.T) {
	for name, row := range map[string]struct {
		hides bool // the answer to PUT has no name
		store func(before, sent kept) kept
		want  []string
	}{
		"faithful":       {false, nil, []string{"addUser/accepts"}},
		"shows no names": {true, nil, []string{"addUser/accepts", "updatePet/200/body/name", "updatePet/200/echo"}},
		"stores nothing": {false, func(before, _ kept) kept { return before }, []string{"addUser/accepts", "getPet/state/replaced"}},
		"keeps the rest": {false, func(before, sent kept) kept {
			whole := maps.Clone(before)
			maps.Copy(whole, sent)
			return whole
		}, []string{"addUser/accepts"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, registry)
			var mu sync.Mutex
			things := map[string]kept{}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				var sent kept
				body, _ := io.ReadAll(r.Body)
				list, key, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
				property := map[string]string{"pet": "id", "user": "username"}[list]
				op, known := c.Contract.Operation(map[string]string{"POSTpet": "addPet", "PUTpet": "updatePet", "GETpet": "getPet", "POSTuser": "addUser", "PUTuser": "updateUser", "GETuser": "getUser"}[r.Method+list])
				if !known {
					http.Error(w, "", http.StatusNotFound)
					return
				}
				flaws, _ := op.CheckRequest(spec.Request{Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: r.Header, Body: body, HasBody: len(body) > 0}) //nolint:contextcheck // what the run sends is small
				if len(flaws) > 0 || op.RequestBody != nil && json.Unmarshal(body, &sent) != nil {
					http.Error(w, "", http.StatusBadRequest)
					return
				}
				if key == "" && sent[property] == nil && op.ID == "addPet" {
					sent[property] = 500_000 + len(things)
				}
				if key == "" {
					var isText bool
					if key, isText = sent[property].(string); !isText {
						key = instance.Compact(sent[property])
					}
				}
				switch {
				case key == "null":
					http.Error(w, "", http.StatusBadRequest)
					return
				case r.Method != http.MethodPost && things[list+key] == nil:
					http.Error(w, "", http.StatusNotFound)
					return
				case r.Method != http.MethodGet:
					if op.ID == "updateUser" {
						sent[property] = key
					}
					maps.DeleteFunc(sent, func(name string, _ any) bool {
						return op.RequestBody.JSON().Shape().Property(name) == nil
					})
					if row.store != nil && op.ID == "updatePet" {
						things[list+key] = row.store(things[list+key], sent)
						break
					}
					things[list+key] = sent
				}
				shown := maps.Clone(things[list+key])
				if row.store != nil && op.ID == "updatePet" {
					shown = sent
				}
				if row.hides && op.ID == "updatePet" {
					delete(shown, "name")
				}
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(shown)
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			if c := verdict.ClauseNamed(r.Clauses, "updatePet/200/body/name"); c.Status != verdict.ClausePassed && !row.hides {
				t.Errorf("%s is %s", c.ID, c.Status)
			}
		})
	}
}
