package suites_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// runOfValid runs the valid requests of a service with one operation x.
func runOfValid(t *testing.T, document string, service http.Handler) result.Report {
	t.Helper()
	contract := specOf(t, "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  "+document+"\n")
	c := suites.NewConfig()
	c.Contract, c.Handler, c.Unsafe, c.Only = contract, service, true, []string{"x/valid/*"}
	return run(t, c)
}

// TestExamplesThatAreRefused: a service may refuse an example of its document because of stored
// data, or the date, but for no other reason.
func TestExamplesThatAreRefused(t *testing.T) {
	const fine = "responses: {'201': {description: d}, '200': {description: d}, '400': {description: d}, '422': {description: d}}"
	taking := func(example, properties string) string {
		return "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {example: " + example + ", schema: {type: object, properties: " + properties + "}}}}, " + fine + "}}"
	}
	finding := func(example, properties string) string {
		return strings.Replace(taking(example, properties), "'201': {description: d}, ", "", 1)
	}
	// refusing is a service that accepts all bodies except those with a text.
	refusing := func(texts ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			for _, text := range texts {
				if strings.Contains(string(body), text) {
					w.WriteHeader(http.StatusUnprocessableEntity)
				}
			}
		}
	}
	// once is a service that accepts each name once, and already has the name of the example.
	once := func(example string) http.HandlerFunc {
		var lock sync.Mutex
		names := map[string]bool{example: true}
		return func(w http.ResponseWriter, r *http.Request) {
			lock.Lock()
			defer lock.Unlock()
			var sent struct{ Name string }
			if json.NewDecoder(r.Body).Decode(&sent); names[sent.Name] {
				w.WriteHeader(http.StatusUnprocessableEntity)
				return
			}
			names[sent.Name] = true
		}
	}
	// keyed is a service that accepts each plate once, and no car of that color.
	keyed := func(color string) http.HandlerFunc {
		var lock sync.Mutex
		plates := map[string]bool{}
		return func(w http.ResponseWriter, r *http.Request) {
			lock.Lock()
			defer lock.Unlock()
			var sent struct{ Plate, Color string }
			switch err := json.NewDecoder(r.Body).Decode(&sent); {
			case err != nil || sent.Plate == "" || color != "" && sent.Color == color:
				w.WriteHeader(http.StatusBadRequest)
			case plates[sent.Plate]:
				w.WriteHeader(http.StatusConflict)
			default:
				plates[sent.Plate] = true
				w.WriteHeader(http.StatusCreated)
			}
		}
	}
	car := strings.Replace(taking("{}", "{plate: {type: string, pattern: '^[A-Z]{3}-[0-9]{4}$', example: ABC-1234}, color: {type: string, enum: [red, blue]}}"), "example: {}, schema: {", "schema: {required: [plate], ", 1)
	car = strings.Replace(car, "'422'", "'409'", 1)
	refusingLimit := func(limit string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("limit") == limit {
				w.WriteHeader(http.StatusBadRequest)
			}
		}
	}
	limited := func(schema string) string {
		return "/a: {get: {operationId: x, parameters: [{name: limit, in: query, description: 'From 1 to 50. Other values are rejected with 400.', schema: {type: integer, " + schema + "}}], " + fine + "}}"
	}
	const priced, linked = "{price: {anyOf: [{type: number}, {type: string}]}}", "{link: {type: string, format: uri, minLength: 8}}"
	const named, text = "{name: {type: string}, private: {type: boolean}}", "{note: {type: string}, n: {type: integer}}"
	for _, row := range []struct {
		name, paths string
		service     http.HandlerFunc
		want        string // the violated clauses
	}{
		{"a name that is taken", taking("{name: Hello-World, private: true}", named), once("Hello-World"), ""},
		{"no name is accepted", taking("{name: Hello-World, private: true}", named), refusing("name"), "x/accepts"},
		{"the id of a member that does not exist", taking("{members: [{value: 2819c223-7f76-453a-919d-413861904646}]}", "{members: {type: array, items: {type: object, properties: {value: {type: string}}}}}"), refusing("2819c223"), ""},
		{"an id by its description", taking("{owner_of: bob}", "{owner_of: {type: string, description: id of the member}}"), refusing("bob"), ""},
		{"a date that is over", taking("{validUntil: '2017-11-01'}", "{validUntil: {type: string, format: date}}"), refusing("2017"), ""},
		{"a year that is over", finding("{exp_year: 2019}", "{exp_year: {type: integer}}"), refusing("2019"), ""},
		{"a text that is stored already", taking("{note: hello, n: 1}", text), refusing("hello"), ""},
		{"a text that is looked for", finding("{note: hello, n: 1}", text), refusing("hello"), "x/accepts"},
		{"numbers and enums", taking("{size: 4, color: red}", "{size: {type: integer}, color: {type: string, enum: [red, blue]}}"), refusing("4"), "x/accepts"},
		{"an amount", finding("{amount: '123.50'}", "{amount: {type: string}}"), refusing("123.50"), "x/accepts"},
		{"a text that spells no number, where a number is allowed too", finding("{}", priced), refusing(`"confo`), ""},
		{"any text, where a number is allowed too", finding("{}", priced), refusing(`"1"`), "x/accepts"},
		{"an address of an unusual scheme", finding("{}", linked), refusing(`"a:`), ""},
		{"a short address", finding("{}", linked), refusing(`"http://a"`), "x/accepts"},
		{"an example of a likely key is sent once", car, keyed(""), ""},
		{"an example of a likely key, and a color is refused", car, keyed("blue"), "x/accepts"},
		{"the maximum, where other values than those of the schema are rejected", limited("minimum: 1, maximum: 50"), refusingLimit("50"), "x/accepts"},
		{"a maximum that the description does not give", limited("minimum: 1, maximum: 100"), refusingLimit("100"), ""},
		{"the title of a person", taking("{title: Dr, n: 2}", "{title: {type: string}, n: {type: integer}}"), func(w http.ResponseWriter, r *http.Request) {
			var sent struct{ Title *string }
			if json.NewDecoder(r.Body).Decode(&sent); sent.Title != nil && *sent.Title != "Dr" {
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
		}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := runOfValid(t, row.paths, row.service)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("breaks %q, want %q: %s", got, row.want, r.Reason)
			}
		})
	}
}

// TestRulesThatAreTold: the description of the operation has a rule about stored values, and names the status. A service
// that rejects other values breaks its document.
func TestRulesThatAreTold(t *testing.T) {
	contract := specOf(t, `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    post:
      operationId: x
      description: The stock cannot become negative; such a request is rejected with 422.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [delta, reason], properties: {delta: {type: integer, minimum: -9, maximum: 9, example: 5}, reason: {type: string, enum: [sale, loss]}}}}}}
      responses: {'200': {description: d}, '400': {description: d}, '422': {description: d}}
`)
	for lost, want := range map[string]string{"": "", "loss": "x/accepts"} {
		c := suites.NewConfig()
		c.Contract, c.Unsafe, c.Only = contract, true, []string{"x/valid/*", "x/type/body.delta*"}
		c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var sent struct {
				Delta  *int
				Reason string
			}
			body, _ := io.ReadAll(r.Body)
			err := json.Unmarshal(body, &sent)
			switch {
			case err != nil || r.Header.Get("Content-Type") == "" || sent.Delta == nil || *sent.Delta < -9 || *sent.Delta > 9 || sent.Reason != "sale" && sent.Reason != "loss" || sent.Reason == lost:
				w.WriteHeader(http.StatusBadRequest)
			case *sent.Delta < 0:
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
		})
		r := run(t, c)
		got := slices.DeleteFunc(append(broken(r, judge.Violation), broken(r, judge.Warning)...), func(id string) bool { return id != "x/accepts" })
		if strings.Join(got, " ") != want {
			t.Errorf("%s: breaks %q, want %q: %s", lost, got, want, r.Reason)
		}
	}
}

// TestKeysOfRequests: a service that accepts each key of a request once, as its document says, even
// if the document has an example of a key.
func TestKeysOfRequests(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    parameters: [&key {name: X-Request-ID, in: header, required: true, description: 'Unique to the call.', example: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721, schema: {type: string, format: uuid}}]
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}}}}, '400': {description: d}}}
  /a/{id}:
    parameters: [*key, {name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, n: {type: integer}}}}}}, '400': {description: d}, '404': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}}}
`
	contract := specOf(t, document)
	for lost, want := range map[bool]string{false: "", true: "get/accepts get/state/created remove/accepts"} {
		c := suites.NewConfig()
		c.Contract, c.Handler, c.Only = contract, &calls{lost: lost, seen: map[string]bool{}, kept: map[string]json.RawMessage{}}, []string{"*/valid/minimal", "get/kept/*"}
		r := run(t, c)
		if got := strings.Join(append(broken(r, judge.Violation), broken(r, judge.Warning)...), " "); got != want || (r.Counts.Unjudged > 0) != lost {
			t.Errorf("breaks %q, want %q, and %d are unjudged: %s", got, want, r.Counts.Unjudged, r.Reason)
		}
	}
}

// calls stores each body under an id, and refuses a key that it has seen.
type calls struct {
	lost bool // it stores nothing

	lock sync.Mutex
	seen map[string]bool
	kept map[string]json.RawMessage
}

func (s *calls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	key := r.Header.Get("X-Request-ID")
	id := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/a"), "/")
	var sent struct{ N *json.Number }
	err := json.NewDecoder(r.Body).Decode(&sent)
	switch {
	case s.seen[key], r.Method == http.MethodPost && (err != nil || sent.N == nil):
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPost:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		text := []byte(`{"id":"` + key + `","n":` + sent.N.String() + `}`)
		if !s.lost {
			s.kept[key] = text
		}
		_, _ = w.Write(text)
	case s.kept[id] == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(s.kept, id)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.kept[id])
	}
	s.seen[key] = true
}

// TestThingsThatPatchCreates: a PATCH creates a thing that does not exist. Then a service may
// require more than the schema of a change does. Each request has a different name.
func TestThingsThatPatchCreates(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /things/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '404': {description: d}}}
    patch:
      operationId: upsert
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'200': {description: d}, '201': {description: d}, '400': {description: d}}
    delete: {operationId: remove, responses: {'204': {description: d}, '404': {description: d}}}
components: {schemas: {Thing: {type: object, properties: {maker: {type: integer, minimum: 1, maximum: 9}, weight: {type: integer, minimum: 1, maximum: 9}}}}}
`
	contract := specOf(t, document)
	for lost, want := range map[bool]string{false: "", true: "get/state/changed"} {
		var lock sync.Mutex
		kept := map[string]map[string]any{}
		c := suites.NewConfig()
		c.Contract, c.Only = contract, []string{"upsert/valid/*", "get/*"}
		c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			lock.Lock()
			defer lock.Unlock()
			thing, there := kept[r.URL.Path]
			switch {
			case r.Method == http.MethodPatch:
				body, _ := io.ReadAll(r.Body)
				changed := map[string]any{}
				_ = json.Unmarshal([]byte(jsonText(thing)), &changed)
				if json.Unmarshal(body, &changed) != nil || changed["maker"] == nil {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				if !lost || !there {
					kept[r.URL.Path] = changed
				}
				w.WriteHeader(map[bool]int{false: http.StatusCreated, true: http.StatusOK}[there])
			case !there:
				w.WriteHeader(http.StatusNotFound)
			case r.Method == http.MethodDelete:
				delete(kept, r.URL.Path)
				w.WriteHeader(http.StatusNoContent)
			default:
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, jsonText(thing))
			}
		})
		r := run(t, c)
		if got := strings.Join(append(broken(r, judge.Violation), broken(r, judge.Warning)...), " "); got != want || r.Reached.Operations.Reached < 2 {
			t.Errorf("breaks %q, want %q: %s", got, want, r.Reason)
		}
	}
}

// jsonText returns a value as JSON text.
func jsonText(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// TestExamplesAsCompany: a service that accepts only bodies whose values fit together, as in the
// example of its document, is tested with faults in the example.
func TestExamplesAsCompany(t *testing.T) {
	const patch = "/a: {patch: {operationId: x, requestBody: {required: true, content: {application/json-patch+json: {example: [{op: replace, path: /note, value: hello}], schema: {type: array, minItems: 1, items: {type: object, required: [op, path, value], properties: {op: {type: string, enum: [replace, test]}, path: {type: string}, value: {type: string}}}}}}}, responses: {'200': {description: d}, '400': {description: d}, '422': {description: d}}}}"
	const rules = "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {example: {often: true, times: 4}, schema: {type: object, required: [often, times], properties: {often: {type: boolean}, times: {type: integer, minimum: 2, maximum: 9}}}}}}, responses: {'200': {description: d}, '400': {description: d}}}}"
	taking := func(takes func(body []byte) bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); !takes(body) {
				w.WriteHeader(http.StatusBadRequest)
			}
		}
	}
	patched := func(needsValue bool) http.HandlerFunc {
		return taking(func(body []byte) bool {
			var sent []map[string]any
			if json.Unmarshal(body, &sent) != nil || len(sent) == 0 {
				return false
			}
			for _, one := range sent {
				value, there := one["value"]
				if _, isText := value.(string); one["path"] != "/note" || one["op"] != "replace" && one["op"] != "test" || !isText && (needsValue || there) {
					return false
				}
			}
			return true
		})
	}
	often := func(most float64) http.HandlerFunc {
		return taking(func(body []byte) bool {
			var sent struct {
				Often *bool
				Times *float64
			}
			return json.Unmarshal(body, &sent) == nil && sent.Often != nil && *sent.Often && sent.Times != nil && *sent.Times >= 2 && *sent.Times <= most && *sent.Times == float64(int(*sent.Times))
		})
	}
	for _, row := range []struct {
		name, paths string
		service     http.HandlerFunc
		want        string // the violated clauses
	}{
		{"a patch of what there is", patch, patched(true), ""},
		{"a patch without its value", patch, patched(false), "x/request/body/*/value"},
		{"values that fit together", rules, often(9), ""},
		{"no maximum", rules, often(1e9), "x/request/body/times"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			contract := specOf(t, "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  "+row.paths+"\n")
			c := suites.NewConfig()
			c.Contract, c.Handler, c.Unsafe, c.Only = contract, row.service, true, []string{"x/required/*", "x/m*/*", "x/valid/*"}
			r := run(t, c)
			if got := strings.Join(broken(r, judge.Violation), " "); got != row.want {
				t.Errorf("breaks %q, want %q: %s", got, row.want, r.Reason)
			}
		})
	}
}
