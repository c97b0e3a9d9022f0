package suites_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

const jsonPatchDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}}}}}}
      responses:
        '201': {description: d, content: {application/json: {schema: &thing {type: object, required: [number, name], properties: {number: {type: string}, name: {type: string}, note: {type: string}}}}}, links: {get: {operationId: getThing, parameters: {id: '$response.body#/number'}}}}
        '400': {description: d}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': {description: d, content: {application/json: {schema: *thing}}}, '404': {description: d}}}
    patch:
      operationId: patchThing
      requestBody:
        required: true
        content:
          application/json-patch+json:
            schema: {type: array, minItems: 1, items: {type: object, required: [op, path], properties: {op: {type: string, enum: [add, replace, remove, test]}, path: {type: string}, value: {}}}}
            example: [{op: replace, path: /note, value: leave at the door}]
      responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}, '422': {description: d}}
    delete: {operationId: deleteThing, responses: {'204': {description: d}, '404': {description: d}}}
`

type jsonPatch []struct {
	Op, Path *string
	Value    any
}

func (p jsonPatch) isValid() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(one struct {
		Op, Path *string
		Value    any
	}) bool {
		return one.Op == nil || one.Path == nil || !slices.Contains([]string{"add", "replace", "remove", "test"}, *one.Op)
	})
}

// patchable keeps things. change makes another one of a thing and a patch of its note.
func patchable(change func(thing shelf, note any) shelf) http.Handler {
	var mu sync.Mutex
	kept := map[string]shelf{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Name, Note *string }
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") || json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Name == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		one := shelf{"number": fmt.Sprint("t", len(kept)), "name": *sent.Name}
		if sent.Note != nil {
			one["note"] = *sent.Note
		}
		kept[one["number"].(string)] = one
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", "/things/"+one["number"].(string))
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(one)
	})
	mux.HandleFunc("/things/{id}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := r.PathValue("id")
		var sent jsonPatch
		switch {
		case kept[id] == nil:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(kept[id])
		case r.Method == http.MethodDelete:
			kept[id] = nil
			w.WriteHeader(http.StatusNoContent)
		case json.NewDecoder(r.Body).Decode(&sent) != nil || !sent.isValid():
			w.WriteHeader(http.StatusBadRequest)
		case len(sent) != 1 || *sent[0].Path != "/note" || sent[0].Value == nil:
			w.WriteHeader(http.StatusUnprocessableEntity)
		default:
			kept[id] = change(maps.Clone(kept[id]), sent[0].Value)
			w.WriteHeader(http.StatusNoContent)
		}
	})
	return mux
}

// TestJSONPatchIsKept: what a JSON Patch sets is read again, also where a link says where the id is.
func TestJSONPatchIsKept(t *testing.T) {
	for name, row := range map[string]struct {
		change func(thing shelf, note any) shelf
		want   string
	}{
		"faithful":         {func(thing shelf, note any) shelf { thing["note"] = note; return thing }, ""},
		"changes nothing":  {func(thing shelf, _ any) shelf { return thing }, "getThing/state/changed"},
		"loses the rest":   {func(thing shelf, note any) shelf { return shelf{"number": thing["number"], "name": "", "note": note} }, "getThing/state/changed"},
		"removes the note": {func(thing shelf, _ any) shelf { delete(thing, "note"); return thing }, "getThing/state/changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := shelfContract(jsonPatchDocument)
			if err != nil {
				t.Fatal(err)
			}
			c.Only, c.Handler = []string{"getThing/kept/*"}, patchable(row.change)
			r := run(t, c)
			if found := strings.Join(stateFindings(r), " "); found != row.want || r.Verdict == judge.Nonconformant {
				t.Errorf("found %s, want %s; %s%s", found, row.want, r.Reason, firstOf(r))
			}
			if !slices.ContainsFunc(r.Clauses, func(c judge.Clause) bool { return c.ID == "getThing/state/changed" && c.Status != judge.ClauseVacuous }) {
				t.Error("the change was not put to the test")
			}
		})
	}
}
