package suites_test

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// kept is a thing that a keeper stores.
type kept = map[string]any

// keeper is a service for any document. It stores by path what is posted to a list, put to a thing, or changed
// by a patch. A request is valid if it meets the schema of its operation. Each hook may change this.
type keeper struct {
	alone    bool // handles one request at a time, because others could change its data
	contract *spec.Contract
	mu       sync.Mutex
	things   map[string]kept
	made     int
	key      string // the property with the id; "" is id
	chosen   bool   // the client chooses it
	lax      bool   // values that no schema accepts are valid
	empties  bool   // deletes what has entries, though the document says that it does not

	store  func(method string, before, sent, after kept) kept // what is stored for a request; nil refuses it
	find   func(s *keeper, path string) kept
	answer func(method, path string, status int, body any) (int, any)
	list   func(r *http.Request) []any       // entries of a list that no operation creates
	patch  func(list []any) kept             // what a list changes; nil refuses it
	update func(path string, sent kept) kept // what a POST makes of the existing thing; nil if it creates one
}

func (s *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, body := s.respond(w.Header(), r)
	if s.answer != nil {
		status, body = s.answer(r.Method, r.URL.Path, status, body)
	}
	if body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func (s *keeper) respond(header http.Header, r *http.Request) (status int, body any) {
	path := r.URL.Path
	op := s.operation(r.Method, path)
	if op == nil {
		return http.StatusNotFound, nil
	}
	sent, valid := s.sent(op, r)
	if !valid || !s.lax && !asks(op, r) {
		return http.StatusBadRequest, nil
	}
	segments := strings.Split(op.Path, "/")
	parent := strings.Join(strings.Split(path, "/")[:len(segments)-1], "/")
	isItem := strings.HasSuffix(op.Path, "}")
	before := s.at(path)
	switch {
	case strings.Contains(strings.TrimSuffix(op.Path, "/"+segments[len(segments)-1]), "}") && s.owner(parent) == nil, isItem && before == nil:
		return http.StatusNotFound, nil
	case !s.empties && op.Occupier() != nil && slices.ContainsFunc(slices.Collect(maps.Keys(s.things)), func(where string) bool { return strings.HasPrefix(where, path+"/") }):
		return http.StatusConflict, nil
	case r.Method == http.MethodDelete:
		maps.DeleteFunc(s.things, func(where string, _ kept) bool { return where == path || strings.HasPrefix(where, path+"/") })
		return http.StatusNoContent, nil
	case r.Method == http.MethodGet && (isItem || before != nil):
		return http.StatusOK, before
	case r.Method == http.MethodGet && s.list != nil:
		return http.StatusOK, s.list(r)
	case r.Method == http.MethodGet && s.operation(http.MethodPost, path) == nil:
		return http.StatusOK, kept{}
	case r.Method == http.MethodGet:
		list := []any{}
		for _, where := range slices.Sorted(maps.Keys(s.things)) {
			if rest, below := strings.CutPrefix(where, path+"/"); below && !strings.Contains(rest, "/") {
				list = append(list, s.things[where])
			}
		}
		return http.StatusOK, list
	}
	if r.Method == http.MethodPost && s.update != nil && s.update(path, sent) != nil {
		s.things[path] = s.update(path, sent)
		return http.StatusOK, s.things[path]
	}
	after := kept{}
	if r.Method == http.MethodPatch {
		maps.Copy(after, before)
	}
	maps.Copy(after, sent)
	status = http.StatusOK
	switch key := cmp.Or(s.key, "id"); {
	case r.Method == http.MethodPost:
		s.made++
		id := strconv.Itoa(s.made)
		if s.chosen {
			id, _ = sent[key].(string)
		}
		if status, path, after[key] = http.StatusCreated, path+"/"+id, id; s.chosen && s.things[path] != nil {
			return http.StatusConflict, nil
		}
		header.Set("Location", path)
	case before[key] != nil:
		after[key] = before[key]
	}
	if s.store != nil {
		after = s.store(r.Method, before, sent, after)
	}
	if after == nil {
		return http.StatusBadRequest, nil
	}
	switch s.things[path] = after; {
	case op.Declares(status):
		return status, after
	case op.Declares(http.StatusOK):
		return http.StatusOK, after
	}
	return http.StatusNoContent, nil
}

// at returns what is stored there.
func (s *keeper) at(path string) kept {
	if s.find != nil {
		return s.find(s, path)
	}
	return s.things[path]
}

// owner returns the nearest thing above a path.
func (s *keeper) owner(path string) kept {
	for ; path != ""; path = path[:strings.LastIndex(path, "/")] {
		if one := s.things[path]; one != nil {
			return one
		}
	}
	return nil
}

// operation returns the operation of a request.
func (s *keeper) operation(method, path string) *spec.Operation {
	segments := strings.Split(path, "/")
	for _, op := range s.contract.Operations {
		template := strings.Split(op.Path, "/")
		if op.Method == method && len(template) == len(segments) && !slices.ContainsFunc(template, func(one string) bool {
			return one != segments[slices.Index(template, one)] && !strings.HasPrefix(one, "{")
		}) {
			return op
		}
	}
	return nil
}

// sent returns the object in a request, or what its list changes.
func (s *keeper) sent(op *spec.Operation, r *http.Request) (sent kept, valid bool) {
	if op.RequestBody == nil {
		return nil, true
	}
	named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	content := op.RequestBody.Of(named)
	body, _ := io.ReadAll(r.Body)
	text, err := instance.Read(r.Context(), body, instance.Limits{})
	if content == nil || err != nil || len(text.Duplicates) > 0 {
		return nil, false
	}
	faults, err := content.Schema.Faults(schema.Request, text.Value)
	isValid := err == nil && len(faults) == 0 || s.lax
	if list, isList := text.Value.([]any); isList && s.patch != nil {
		sent = s.patch(list)
		return sent, isValid && sent != nil
	}
	sent, isObject := text.Value.(kept)
	maps.DeleteFunc(sent, func(name string, _ any) bool { return content.Schema.Shape().Member(name) == nil })
	return sent, isValid && isObject
}

// runKeeper returns the report of a run against a keeper of that document, and what is still stored.
func runKeeper(t *testing.T, document string, how func(*keeper)) (r result.Report, things map[string]kept) {
	t.Helper()
	c := contractOf(t, document)
	c.Limits.MaxRequests = 0
	s := &keeper{contract: c.Contract, things: map[string]kept{}}
	if how != nil {
		how(s)
	}
	if s.alone {
		c.Limits.Concurrency = 1
	}
	c.Target.BaseURL, c.Target.Handler = "http://service.example", s
	return run(t, c), s.things
}

// warned returns the clauses with a warning or a violation.
func warned(r result.Report) (ids []string) {
	for _, c := range r.Clauses {
		if c.Status == verdict.ClauseFailed || c.Status == verdict.ClauseWarned {
			ids = append(ids, string(c.ID))
		}
	}
	slices.Sort(ids)
	return ids
}

const mapDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post: {operationId: createThing, requestBody: &thing {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '400': {description: d}}}
  /things/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, '400': {description: d}, '404': {description: d}}}
    delete: {operationId: deleteThing, responses: {'204': {description: d}, '404': {description: d}}}
  /things/{id}/labels:
    parameters: *id
    get: {operationId: getLabels, responses: &labels {'200': {description: d, content: {application/json: {schema: &map {type: object, additionalProperties: {type: string}}}}}, '400': {description: d}, '404': {description: d}}}
    put: {operationId: putLabels, requestBody: {required: true, content: {application/json: {schema: *map}}}, responses: *labels}
components:
  schemas:
    Thing: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}, notes: {type: object, additionalProperties: true}}}
`

// TestMaps: the entries of a map are stored and shown like other values.
func TestMaps(t *testing.T) {
	keepers{
		"faithful": {},
		"adds a label": {how: func(s *keeper) {
			s.answer = func(method, path string, status int, body any) (int, any) {
				if labels, ok := body.(kept); ok && method == http.MethodGet && strings.HasSuffix(path, "/labels") {
					labels = maps.Clone(labels)
					labels["owner"] = "me"
					return status, labels
				}
				return status, body
			}
		}},
		"keeps no notes": {func(s *keeper) {
			s.store = func(_ string, _, _, after kept) kept {
				if after["notes"] != nil {
					after = maps.Clone(after)
					after["notes"] = kept{}
				}
				return after
			}
		}, []string{"createThing/201/echo", "getThing/state/created"}},
		"keeps the first labels": {func(s *keeper) {
			s.store = func(_ string, before, _, after kept) kept {
				if before != nil {
					return before
				}
				return after
			}
		}, []string{"getLabels/state/replaced"}},
		"shows no labels": {func(s *keeper) {
			s.answer = func(method, _ string, status int, body any) (int, any) {
				if method == http.MethodPut && status == http.StatusOK {
					body = kept{}
				}
				return status, body
			}
		}, []string{"putLabels/200/echo"}},
		"keeps what labels were replaced": {func(s *keeper) {
			s.store = func(_ string, before, _, after kept) kept {
				whole := maps.Clone(after)
				for name, value := range before {
					if whole[name] == nil {
						whole[name] = value
					}
				}
				return whole
			}
		}, []string{"getLabels/state/replaced"}},
	}.test(t, mapDocument)
}

const changedDocument = `openapi: 3.0.3
info: {title: Tasks, version: '1'}
paths:
  /tasks:
    post: {operationId: createTask, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '400': {description: d}}}
  /tasks/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTask, responses: &task {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '400': {description: d}, '404': {description: d}}}
    patch: {operationId: patchTask, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {done: {type: boolean}, coupon: &coupon {type: string, nullable: true, pattern: '^[A-Z0-9]{4,8}$'}}}}}}, responses: *task}
components:
  schemas:
    Task: {type: object, required: [title], properties: {id: {type: string, readOnly: true}, title: {type: string, maxLength: 80}, coupon: *coupon, done: {type: boolean, default: false}, note: {type: string, nullable: true}}}
`

// TestNothing: false and null are values, which differ from a missing one.
func TestNothing(t *testing.T) {
	storing := func(change func(before, sent, after kept)) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, before, sent, after kept) kept { change(before, sent, after); return after }
		}
	}
	keepers{
		"faithful": {how: storing(func(_, _, after kept) {
			if after["done"] == nil {
				after["done"] = false
			}
		})},
		"shows no null": {how: storing(func(_, _, after kept) {
			if after["note"] == nil {
				delete(after, "note")
			}
		})},
		"takes false for what is left out": {storing(func(before, sent, after kept) {
			if sent["done"] != true {
				after["done"] = before["done"] == true
			}
		}), []string{"getTask/state/changed"}},
		"takes null for what is left out": {storing(func(before, sent, after kept) {
			_, has := sent["coupon"]
			after["coupon"] = map[bool]any{true: before["coupon"], false: after["coupon"]}[has && sent["coupon"] == nil && before != nil]
		}), []string{"getTask/state/changed"}},
		"writes null as a text": {storing(func(_, sent, after kept) {
			if note, has := sent["note"]; has && note == nil {
				after["note"] = "null"
			}
		}), []string{"createTask/201/echo", "getTask/state/created"}},
	}.test(t, changedDocument)
}

const bedDocument = `openapi: 3.0.3
info: {title: Rooms, version: '1'}
paths:
  /rooms:
    post: {operationId: createRoom, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '400': {description: d}}}
  /rooms/{roomId}/beds:
    parameters: [&room {name: roomId, in: path, required: true, schema: {type: string}}]
    post: {operationId: createBed, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Bed'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Bed'}}}}, '400': {description: d}, '404': {description: d}}}
  /rooms/{roomId}/beds/{bedId}:
    parameters: [*room, {name: bedId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getBed, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Bed'}}}}, '404': {description: d}}}
components:
  schemas:
    Room: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}}}
    Bed: {type: object, required: [label], properties: {id: {type: string, readOnly: true}, label: {type: string, maxLength: 80}}}
`

// bedsLater makes the service create a bed later.
func bedsLater(s *keeper) {
	s.answer = func(_, path string, status int, body any) (int, any) {
		return map[bool]int{true: http.StatusAccepted, false: status}[status == http.StatusCreated && strings.HasSuffix(path, "/beds")], body
	}
}

// TestWithin: a thing that is created in one room is in no other room, unless that has its own.
func TestWithin(t *testing.T) {
	byID := func(s *keeper) {
		s.find = func(s *keeper, path string) kept {
			for where, one := range s.things {
				if strings.Contains(where, "/beds/") && strings.HasSuffix(where, path[strings.LastIndex(path, "/"):]) {
					return one
				}
			}
			return nil
		}
	}
	keepers{
		"faithful": {},
		"each room has all beds, unlike each other": {how: func(s *keeper) {
			s.find = func(s *keeper, path string) kept {
				if one := s.things[path]; one != nil {
					return one
				}
				return kept{"id": path[strings.LastIndex(path, "/")+1:], "label": "unmade"}
			}
		}},
		"finds a bed by its id alone": {byID, []string{"getBed/state/within"}},
	}.test(t, bedDocument, "getBed/state/within")
	keepers{
		"makes beds soon": {how: bedsLater},
		"makes beds soon, and finds one by its id alone": {func(s *keeper) { byID(s); bedsLater(s) }, []string{"getBed/state/within"}},
	}.test(t, strings.Replace(bedDocument, "'400': {description: d}, '404'", "'202': {description: later}, '400': {description: d}, '404'", 1), "getBed/state/within")
}
