package suites_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites/verdict"
)

// roomDocument has settings without an id: each room has one, and so has the whole service.
const roomDocument = `openapi: 3.1.0
info: {title: Rooms, version: '1'}
paths:
  /rooms:
    post:
      operationId: addRoom
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses: {'201': {description: the room, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '400': {description: no room}}
  /rooms/{roomId}:
    parameters: &room [{name: roomId, in: path, required: true, schema: {type: string}}]
    delete: {operationId: deleteRoom, responses: {'204': {description: gone}, '404': {description: no room}}}
  /rooms/{roomId}/settings:
    parameters: *room
    get: {operationId: getSettings, responses: &settings {'200': {description: the settings, content: {application/json: {schema: {$ref: '#/components/schemas/Settings'}}}}, '404': {description: no room}, '400': {description: no settings}, '409': {description: locked}}}
    put: {operationId: putSettings, requestBody: &all {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Settings'}}}}, responses: *settings}
    patch:
      operationId: patchSettings
      requestBody: {required: true, content: {application/merge-patch+json: {schema: {type: object, properties: {theme: {enum: [light, dark]}, volume: {type: integer, minimum: 0, maximum: 10}}}}}}
      responses: *settings
  /settings:
    get: {operationId: getDefaults, responses: *settings}
    put: {operationId: putDefaults, requestBody: *all, responses: *settings}
components:
  schemas:
    Room: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, minLength: 1, maxLength: 60}}}
    Settings:
      type: object
      required: [theme]
      properties:
        theme: {enum: [light, dark]}
        volume: {type: integer, minimum: 0, maximum: 10}
        greeting: {type: string, maxLength: 100}
`

// partDocument has settings for several times of the day.
var partDocument = strings.Replace(roomDocument, "  /rooms/{roomId}/settings:\n    parameters: *room",
	"  /rooms/{roomId}/settings/{time}:\n    parameters: [{name: roomId, in: path, required: true, schema: {type: string}}, {name: time, in: path, required: true, schema: {enum: [day, night]}}]", 1)

// rooms serves roomDocument. keep returns the settings to store; nil refuses them.
type rooms struct {
	contract *spec.Contract
	mu       sync.Mutex
	settings map[string]map[string]any // by the id of the room; "" are those of the service
	keep     func(method string, sent, before map[string]any) map[string]any
}

func (s *rooms) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	mux.HandleFunc("POST /rooms", func(w http.ResponseWriter, r *http.Request) {
		var room map[string]any
		if s.decode(r, &room) != nil || !s.takes("addRoom", room) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		room["id"] = "r" + strconv.Itoa(len(s.settings))
		s.settings[room["id"].(string)] = map[string]any{"theme": "light"}
		answer(w, http.StatusCreated, room)
	})
	mux.HandleFunc("DELETE /rooms/{room}", func(w http.ResponseWriter, r *http.Request) {
		if s.settings[r.PathValue("room")] == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.settings[r.PathValue("room")] = nil
		w.WriteHeader(http.StatusNoContent)
	})
	serve := func(w http.ResponseWriter, r *http.Request) {
		room := r.PathValue("room")
		before := s.settings[room]
		if before == nil {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.Method == http.MethodGet {
			answer(w, http.StatusOK, before)
			return
		}
		var sent map[string]any
		whole := map[string]any{"theme": "light"}
		if s.decode(r, &sent) != nil || sent == nil || r.Method == http.MethodPut && !s.takes("putSettings", sent) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Method == http.MethodPatch {
			maps.Copy(whole, before)
		}
		maps.Copy(whole, sent)
		if !s.takes("putSettings", whole) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		kept := s.keep(r.Method, whole, before)
		if kept == nil {
			w.WriteHeader(http.StatusConflict)
			return
		}
		s.settings[room] = kept
		answer(w, http.StatusOK, whole)
	}
	mux.HandleFunc("/rooms/{room}/settings", serve)
	mux.HandleFunc("/rooms/{room}/settings/day", serve)
	mux.HandleFunc("/rooms/{room}/settings/night", serve)
	mux.HandleFunc("/settings", serve)
	mux.ServeHTTP(w, r)
}

func (s *rooms) decode(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	err := decoder.Decode(into)
	if decoder.More() {
		return errors.New("more than one JSON value")
	}
	return err
}

// takes reports whether the body meets the schema of its operation.
func (s *rooms) takes(operation string, body map[string]any) bool {
	op, _ := s.contract.Operation(operation)
	faults, err := op.RequestBody.Of("application/json").Schema.Faults(schema.Request, body)
	return body != nil && err == nil && len(faults) == 0
}

func TestSettings(t *testing.T) {
	type values = map[string]any
	always := func(_ string, sent, _ values) values { return sent }
	by := func(method string, keep func(sent, before values) values) func(string, values, values) values {
		return func(m string, sent, before values) values {
			if m == method {
				return keep(sent, before)
			}
			return sent
		}
	}
	for i, row := range []struct {
		name string
		keep func(method string, sent, before values) values
		want []string // clauses with a warning
	}{
		{"keeps all", always, nil},
		{"keeps nothing of a replacement", by(http.MethodPut, func(_, before values) values { return before }), []string{"getSettings/state/replaced"}},
		{"keeps nothing of a change", by(http.MethodPatch, func(_, before values) values { return before }), []string{"getSettings/state/changed"}},
		{"forgets the greeting", by(http.MethodPut, func(sent, _ values) values { delete(sent, "greeting"); return sent }), []string{"getSettings/state/replaced"}},
		{"keeps the old theme", by(http.MethodPatch, func(sent, before values) values { sent["theme"] = before["theme"]; return sent }), []string{"getSettings/state/changed"}},
		{"keeps what a replacement leaves out", func(m string, sent, before values) values {
			if m == http.MethodPut {
				whole := maps.Clone(before)
				maps.Copy(whole, sent)
				return whole
			}
			return sent
		}, []string{"getSettings/state/replaced"}},
		{"refuses replacements", by(http.MethodPut, func(values, values) values { return nil }), nil},
		{"refuses changes", by(http.MethodPatch, func(values, values) values { return nil }), nil},
		{"adds a value", func(_ string, sent, _ values) values { sent["since"] = "today"; return sent }, nil},
	} {
		for name, document := range map[string]string{"": roomDocument, ", by their names": partDocument} {
			if name != "" && i%3 != 1 && !long {
				continue
			}
			t.Run(row.name+name, func(t *testing.T) {
				t.Parallel()
				c := contractOf(t, document)
				c.Unsafe = true // sends also what changes the settings of the whole service
				c.Target.BaseURL, c.Target.Handler = "http://service.example", &rooms{contract: c.Contract, settings: map[string]map[string]any{"": {"theme": "light"}}, keep: row.keep}
				r := run(t, c)
				found := stateFindings(r)
				if !slices.Equal(found, row.want) {
					t.Errorf("found %v, want %v", found, row.want)
				}
				if r.Verdict == verdict.Nonconformant {
					t.Errorf("%s: %s", r.Headline, firstOf(r))
				}
			})
		}
	}
}

// TestNullSettings: a service that shows null does not show what was sent, though null is a valid value.
func TestNullSettings(t *testing.T) {
	const shown = "description: the settings, content: {application/json: {schema: "
	document := strings.Replace(roomDocument, shown+"{$ref: '#/components/schemas/Settings'}", shown+"{anyOf: [{$ref: '#/components/schemas/Settings'}, {type: 'null'}]}", 1)
	for _, forgets := range []bool{false, true} {
		c := contractOf(t, document)
		service := &rooms{contract: c.Contract, settings: map[string]map[string]any{"": {"theme": "light"}}, keep: func(_ string, sent, _ map[string]any) map[string]any { return sent }}
		c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if forgets && r.Method == http.MethodGet {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte("null\n"))
				return
			}
			service.ServeHTTP(w, r)
		})
		found := stateFindings(run(t, c))
		if want := map[bool][]string{true: {"getSettings/state/changed", "getSettings/state/replaced"}}[forgets]; !slices.Equal(slices.Compact(slices.Sorted(slices.Values(found))), want) {
			t.Errorf("forgets %t: found %v, want %v", forgets, found, want)
		}
	}
}
