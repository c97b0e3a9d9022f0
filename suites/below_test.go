package suites_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/verdict"
)

// TestListedWithin: the beds of one room are not those of another room, even if both have beds with
// the same ids, or a bed that is the same everywhere.
func TestListedWithin(t *testing.T) {
	beds := func(of func(s *keeper, room string) []any) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any { return of(s, strings.TrimSuffix(r.URL.Path, "/beds")) }
		}
	}
	in := func(s *keeper, room string) (list []any) {
		for _, where := range slices.Sorted(maps.Keys(s.things)) {
			if strings.Contains(where, "/beds/") && strings.HasPrefix(where, room) {
				list = append(list, s.things[where])
			}
		}
		return list
	}
	// shown shows the beds with a room. The list has the first few of all rooms.
	shown := func(room func(path string) string, few int) func(*keeper) {
		return func(s *keeper) {
			with := func(path string, one kept) kept {
				bed := maps.Clone(one)
				bed["roomId"] = room(path)
				return bed
			}
			s.answer = func(method, path string, status int, body any) (int, any) {
				if one, is := body.(kept); is && method == http.MethodPost && strings.HasSuffix(path, "/beds") {
					return status, with(path, one)
				}
				return status, body
			}
			s.list = func(r *http.Request) []any {
				list := []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					if own := strings.HasPrefix(where, strings.TrimSuffix(r.URL.Path, "beds")); strings.Contains(where, "/beds/") && (own || len(list) < few) {
						list = append(list, with(where, s.things[where]))
					}
				}
				return list
			}
		}
	}
	inPath := func(path string) string { return strings.Split(path, "/")[2] }
	document := strings.Replace(bedDocument, "    post: {operationId: createBed,", "    get: {operationId: listBeds, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Bed'}}}}}, '404': {description: d}}}\n    post: {operationId: createBed,", 1)
	keepers{
		"faithful": {},
		"each room has a bed with the last id": {how: beds(func(s *keeper, room string) []any {
			if own := in(s, room+"/"); own != nil {
				return own
			}
			return []any{kept{"id": strconv.Itoa(s.made - 1), "label": "unmade"}}
		})},
		"each room has the same first bed": {how: beds(func(s *keeper, room string) []any {
			return append([]any{kept{"id": "first", "label": "first"}}, in(s, room+"/")...)
		})},
		"lists the beds of all rooms": {beds(func(s *keeper, _ string) []any { return in(s, "/rooms/") }), []string{"listBeds/state/listed-within"}},
	}.test(t, document, "listBeds/state/listed-within")
	keepers{
		"shows the room of each bed":      {how: shown(inPath, 0)},
		"shows a bed of another room":     {shown(inPath, 1), []string{"listBeds/state/listed-within"}},
		"shows each room by another name": {how: shown(func(string) string { return "lobby" }, 0)},
	}.test(t, strings.Replace(document, "Bed: {type: object, required: [label], properties: {", "Bed: {type: object, required: [label], properties: {roomId: {type: string, readOnly: true}, ", 1), "listBeds/state/listed-within")
}

// TestBelowWhatExisted: the list of rooms shows one that existed before, and no operation creates one. A bed is created
// in any room that the client names, so it is read in that room, not in the first one of the list.
func TestBelowWhatExisted(t *testing.T) {
	hotel := func(how func(*keeper)) func(*keeper) {
		return func(s *keeper) {
			s.things["/rooms"] = kept{} // each room exists
			s.answer = func(_, path string, status int, body any) (int, any) {
				if path == "/rooms" {
					return http.StatusOK, []any{kept{"id": "lobby", "name": "Lobby"}}
				}
				return status, body
			}
			if how != nil {
				how(s)
			}
		}
	}
	document := strings.Replace(bedDocument, "post: {operationId: createRoom, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '400'", "get: {operationId: listRooms, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Room'}}}}}, '400'", 1)
	keepers{
		"faithful":            {how: hotel(nil)},
		"loses what it lists": {hotel(func(s *keeper) { s.list = func(*http.Request) []any { return []any{} } }), []string{"listBeds/state/listed"}},
		"loses what it shows": {hotel(func(s *keeper) { s.find = func(*keeper, string) kept { return nil } }), []string{"getBed/state/created"}},
	}.test(t, strings.Replace(document, "    post: {operationId: createBed,", "    get: {operationId: listBeds, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Bed'}}}}}, '404': {description: d}}}\n    post: {operationId: createBed,", 1), "listBeds/state/listed", "getBed/state/created")
}

// TestWithinChanged: a bed in another room is the same bed if it is shown as in its own room, not
// as it was sent.
func TestWithinChanged(t *testing.T) {
	in := func(other func(s *keeper, path string) kept) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, _, after kept) kept {
				if label, ok := after["label"].(string); ok {
					after["label"] = strings.ToUpper(label)
				}
				return after
			}
			s.find = func(s *keeper, path string) kept {
				if one := s.things[path]; one != nil || !strings.Contains(path, "/beds/") {
					return one
				}
				return other(s, path)
			}
		}
	}
	changed := []string{"createBed/201/echo", "getBed/state/created"}
	keepers{
		"each room has all beds": {in(func(_ *keeper, path string) kept {
			return kept{"id": path[strings.LastIndex(path, "/")+1:], "label": "UNMADE"}
		}), changed},
		"finds a bed by its id alone": {in(func(s *keeper, path string) kept {
			_, id, _ := strings.Cut(path, "/beds/")
			for where, one := range s.things {
				if strings.HasSuffix(where, "/beds/"+id) {
					return one
				}
			}
			return nil
		}), append(changed, "getBed/state/within")},
	}.test(t, bedDocument)
}

// TestWithinChosen: what a client puts in one room, under a name that it chooses, is in no other
// room. Each room may have a default under each name.
func TestWithinChosen(t *testing.T) {
	document := strings.NewReplacer("    post: {operationId: createBed,", "    x-post: {operationId: createBed,", "    get: {operationId: getBed,",
		"    put: {operationId: putBed, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Bed'}}}}, responses: {'201': {description: d}, '204': {description: d}, '400': {description: d}, '404': {description: d}}}\n    get: {operationId: getBed,").Replace(bedDocument)
	flags := strings.Replace(document, "label: {type: string, maxLength: 80}}", "label: {type: boolean}}", 1)
	for _, row := range []struct {
		name, document string
		find           func(beds map[string]string, id string) string // what a room shows if no bed was put there
		want           []string
	}{
		{"faithful", document, nil, nil},
		{"finds a bed by its name alone", document, func(beds map[string]string, id string) string {
			for where, bed := range beds {
				if strings.HasSuffix(where, "/beds/"+id) {
					return bed
				}
			}
			return ""
		}, []string{"getBed/state/within"}},
		{"each room has a bed of each name", document, func(map[string]string, string) string { return `{"label":"unmade"}` }, nil},
		{"each flag is off at first", flags, func(map[string]string, string) string { return `{"label":false}` }, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := contractOf(t, row.document)
			put, _ := c.Contract.Operation("putBed")
			var mu sync.Mutex
			rooms, beds := 0, map[string]string{}
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				body, _ := io.ReadAll(r.Body)
				op := put
				if r.URL.Path == "/rooms" {
					op, _ = c.Contract.Operation("createRoom")
				}
				faults, _ := op.CheckRequest(spec.Request{Header: r.Header, Body: body, HasBody: len(body) > 0}) //nolint:contextcheck // what the run sends is small
				room, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/rooms/"), "/beds/")
				n, err := strconv.Atoi(room)
				shown := beds[r.URL.Path]
				if shown == "" && row.find != nil {
					shown = row.find(beds, id)
				}
				w.Header().Set("Content-Type", "application/json")
				switch {
				case r.Method != http.MethodGet && len(faults) > 0:
					w.WriteHeader(http.StatusBadRequest)
				case r.URL.Path == "/rooms":
					rooms++
					w.WriteHeader(http.StatusCreated)
					_, _ = fmt.Fprintf(w, `{"id":"%d","name":"room"}`, rooms)
				case err != nil || n < 1 || n > rooms, r.Method == http.MethodGet && shown == "":
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodGet:
					_, _ = io.WriteString(w, shown)
				case beds[r.URL.Path] == "":
					w.WriteHeader(http.StatusCreated)
					beds[r.URL.Path] = string(body)
				default:
					w.WriteHeader(http.StatusNoContent)
					beds[r.URL.Path] = string(body)
				}
			})
			found := slices.DeleteFunc(warned(run(t, c)), func(clause string) bool { return !strings.HasPrefix(clause, "getBed/state/within") })
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v", found, row.want)
			}
		})
	}
}

// TestBelowDeleted: after a room was deleted, its beds cannot be read, unless the room is only
// marked as deleted or will be deleted later. The list of its beds may be refused or empty.
func TestBelowDeleted(t *testing.T) {
	document := strings.NewReplacer("  /rooms/{roomId}/beds:", `  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getRoom, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}, '404': {description: d}}}
    delete: {operationId: deleteRoom, responses: {'202': {description: d}, '204': {description: d}, '404': {description: d}, '409': {description: d}}}
  /rooms/{roomId}/beds:`, "    post: {operationId: createBed,", `    get: {operationId: listBeds, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Bed'}}}}}, '404': {description: d}}}
    post: {operationId: createBed,`, "name: {type: string, maxLength: 80}}", "name: {type: string, maxLength: 80}, archived: {type: boolean}}", "label: {type: string, maxLength: 80}}", "label: {type: string, maxLength: 80}, lost: {type: boolean}}").Replace(bedDocument)
	// after returns what can be read after a room was deleted: everything that it had.
	after := func(deleted int, read func(was kept) any, list func(was []any) any) func(*keeper) {
		return func(s *keeper) {
			all, order := map[string]kept{}, []string{}
			s.answer = func(method, path string, status int, body any) (int, any) {
				one, _ := body.(kept)
				isRoom := strings.Count(path, "/") == 2
				switch {
				case method == http.MethodPost && status == http.StatusCreated:
					path += "/" + one["id"].(string)
					all[path], order = maps.Clone(one), append(order, path)
				case method == http.MethodDelete && status == http.StatusNoContent && isRoom:
					return deleted, nil
				case method != http.MethodGet || status != http.StatusNotFound:
				case strings.HasSuffix(path, "/beds") && list != nil && all[strings.TrimSuffix(path, "/beds")] != nil:
					was := []any{}
					for _, where := range order {
						if strings.HasPrefix(where, path+"/") {
							was = append(was, all[where])
						}
					}
					return http.StatusOK, list(was)
				case all[path] != nil && read != nil && read(all[path]) != nil:
					return http.StatusOK, read(all[path])
				}
				return status, body
			}
		}
	}
	whole := func(was []any) any { return was }
	bed := func(was kept) any {
		if was["label"] == nil {
			return nil
		}
		return was
	}
	instead := func(other int) func(*keeper) {
		return func(s *keeper) {
			s.answer = func(method, _ string, status int, body any) (int, any) {
				return map[bool]int{true: other, false: status}[method == http.MethodGet && status == http.StatusNotFound], body
			}
		}
	}
	marked := func(name string) func(was kept) any {
		return func(was kept) any {
			other := maps.Clone(was)
			other[name] = true
			return other
		}
	}
	keepers{
		"faithful":                 {},
		"shows the beds":           {after(http.StatusNoContent, bed, nil), []string{"getBed/state/deleted"}},
		"lists the beds":           {after(http.StatusNoContent, nil, whole), []string{"listBeds/state/unlisted"}},
		"shows and lists the beds": {after(http.StatusNoContent, bed, whole), []string{"getBed/state/deleted", "listBeds/state/unlisted"}},
		"lists no beds":            {how: after(http.StatusNoContent, nil, func([]any) any { return []any{} })},
		"the beds are gone":        {how: instead(http.StatusGone)},
		"the room is invalid":      {how: instead(http.StatusBadRequest)},
		"the beds are forbidden":   {how: instead(http.StatusForbidden)},
		"deletes later":            {how: after(http.StatusAccepted, func(was kept) any { return was }, whole)},
		"marks the room": {how: after(http.StatusNoContent, func(was kept) any {
			return map[bool]any{true: was, false: marked("archived")(was)}[was["label"] != nil]
		}, whole)},
		"marks the beds": {how: after(http.StatusNoContent, func(was kept) any { return map[bool]any{true: marked("lost")(was)}[was["label"] != nil] }, nil)},
	}.test(t, document, "getBed/state/deleted", "listBeds/state/unlisted")
}

// TestBelowOthers: below an existing thing, which an example of the document names, a run changes
// and deletes only what it created there.
func TestBelowOthers(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /repos/{repo}:
    parameters: [&repo {name: repo, in: path, required: true, example: hello, schema: {type: string}}]
    put: {operationId: putRepo, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, responses: {'200': {description: d}, '400': {description: d}, '404': {description: d}}}
    delete: {operationId: deleteRepo, responses: {'204': {description: d}, '404': {description: d}}}
  /repos/{repo}/notes:
    parameters: [*repo]
    get: {operationId: listNotes, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}, '404': {description: d}}}
    post: {operationId: addNote, requestBody: &note {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}, '404': {description: d}}}
  /repos/{repo}/notes/{id}:
    parameters: [REPO, {name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getNote, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}, '404': {description: d}}}
    patch: {operationId: patchNote, requestBody: *note, responses: *one}
    delete: {operationId: deleteNote, responses: {'204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Note: {type: object, properties: {id: {type: string, readOnly: true}, title: {type: string, maxLength: 80}}}
`
	const same, other = "*repo", "{name: repo, in: path, required: true, example: world, schema: {type: string}}"
	for name, row := range map[string]struct {
		repo  string
		store func(method string, before, sent, after kept) kept
		want  []string
	}{
		"faithful": {repo: same},
		"changes nothing": {same, func(_ string, before, _, after kept) kept {
			if before != nil {
				return before
			}
			return after
		}, []string{"getNote/state/changed", "patchNote/200/echo"}},
		"another example": {repo: other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mine := kept{"id": "1", "title": "mine"}
			reached := false
			r, things := runKeeper(t, strings.Replace(document, "REPO", row.repo, 1), func(s *keeper) {
				s.made, s.store = 1, row.store
				for _, repo := range []string{"hello", "world"} {
					s.things["/repos/"+repo], s.things["/repos/"+repo+"/notes/1"] = kept{"id": repo}, mine
				}
				s.answer = func(method, path string, status int, body any) (int, any) {
					reached = reached || method == "DELETE" && strings.HasPrefix(path, "/repos/hello/notes/") && status == 204
					return status, body
				}
			})
			if got := warned(r); !slices.Equal(got, row.want) || r.Verdict != verdict.Conformant {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			if at := slices.IndexFunc(r.Reached.Missing, func(u verdict.Unreached) bool { return slices.Contains(u.Operations, "deleteRepo") }); at < 0 || !strings.Contains(r.Reached.Missing[at].Reason, "--unsafe") {
				t.Errorf("does not say what deleteRepo needs: %v", r.Reached.Missing)
			}
			if len(things) != 4 || !maps.Equal(mine, things["/repos/hello/notes/1"]) || mine["title"] != "mine" || !reached || len(r.Left()) > 0 {
				t.Errorf("still there: %v, reported %v; deleted its own: %t", things, r.Left(), reached)
			}
		})
	}
}

// TestOccupied: a room that has beds is not deleted, if the document says so. The beds may come later.
func TestOccupied(t *testing.T) {
	document := func(description string) string {
		return strings.NewReplacer("  /rooms/{roomId}/beds:", "  /rooms/{id}: {delete: {operationId: deleteRoom, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: d}, '404': {description: d}, '409': {description: "+description+"}}}}\n  /rooms/{roomId}/beds:",
			"    get: {operationId: getBed,", "    delete: {operationId: deleteBed, responses: {'204': {description: d}, '404': {description: d}}}\n    get: {operationId: getBed,",
			"'400': {description: d}, '404'", "'202': {description: later}, '400': {description: d}, '404'").Replace(bedDocument)
	}
	keepers{
		"faithful":        {},
		"deletes it":      {func(s *keeper) { s.empties = true }, []string{"deleteRoom/state/occupied"}},
		"makes beds soon": {how: func(s *keeper) { s.empties = true; bedsLater(s) }},
	}.test(t, document("The room has beds"), "deleteRoom/state/occupied")
	keepers{"deletes it": {func(s *keeper) { s.empties = true }, []string{"deleteRoom/state/occupied"}}}.test(t, document("A room with open bills or any beds"), "deleteRoom/state/occupied")
	keepers{"deletes a room without open beds": {how: func(s *keeper) { s.empties = true }}}.test(t, document("The room has open beds"))
}
