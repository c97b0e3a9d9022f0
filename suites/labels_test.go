package suites_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

const labelDocument = `openapi: 3.0.3
info: {title: Labels, version: '1'}
paths:
  /notes:
    post: {operationId: addNote, responses: &added {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}
  /labels:
    post: {operationId: addLabel, responses: *added}
  /notes/{note_id}/labels:
    parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: listLabels, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}}}}, '404': {description: d}}}
  /notes/{note_id}/labels/{label_id}:
    parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}, {name: label_id, in: path, required: true, schema: {type: integer}}]
    put: {operationId: putLabel, responses: &done {'204': {description: d}, '404': {description: d}}}
    delete: {operationId: removeLabel, responses: *done}
`

// shownLabels is how the document changes if labels are only listed, and notes can be deleted.
func shownLabels() *strings.Replacer {
	return strings.NewReplacer("post: {operationId: addLabel, responses: *added}", "get: {operationId: allLabels, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}}",
		"  /labels:", "  /notes/{note_id}: {delete: {operationId: removeNote, parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}], responses: {'204': {description: d}, '404': {description: d}}}}\n  /labels:")
}

// TestLabels: PUT relates an entry of one list to an entry of another, and DELETE removes what PUT
// related. Before that, there is nothing to remove. The list of a note has its own labels. If no request creates
// a label, the notes of the run are related to one that the list of labels shows.
func TestLabels(t *testing.T) {
	path := regexp.MustCompile(`^/notes/([0-9]+)/(?:labels|marks)/?([0-9]*)$`)
	listed, unlisted, within := "listLabels/state/listed", "listLabels/state/unlisted", "listLabels/state/listed-within"
	for name, row := range map[string]struct {
		breaks string // the method that finds nothing
		want   []string
	}{
		"relates nothing":     {"PUT nothing", []string{listed, "removeLabel/accepts"}},
		"ends nothing":        {"DELETE nothing", []string{unlisted}},
		"lists no labels":     {"GET nothing", []string{listed}},
		"lists all of all":    {"GET all", []string{within}},
		"has a label already": {"GET more", nil},
		"shown, faithful":     {},
		"shown, all have it":  {"POST relates", nil},
		"shown, no labels":    {"GET nothing", []string{listed}},
		"shown, ends nothing": {"DELETE nothing", []string{unlisted}},
		"shown, fails":        {"PUT 500", []string{"putLabel/answers"}},
		"marks, faithful":     {},
		"marks, ends nothing": {"DELETE nothing", []string{unlisted}},
		"faithful":            {},
		"removes nothing":     {http.MethodDelete, []string{"removeLabel/accepts"}},
		"fails to relate":     {"PUT 500", []string{"putLabel/answers"}},
		"fails to remove":     {"DELETE 500", []string{"removeLabel/answers"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := labelDocument
			if strings.HasPrefix(name, "marks") { // only label_id tells what it names
				document = strings.ReplaceAll(document, "{note_id}/labels", "{note_id}/marks")
			}
			isShown := strings.HasPrefix(name, "shown")
			if isShown {
				document = shownLabels().Replace(document)
			}
			c := contractOf(t, document)
			var mu sync.Mutex
			last, kept, related := 10, map[string]bool{"/labels/7": isShown}, map[string]bool{} // a number is an id of one list only
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				_, _ = io.Copy(io.Discard, r.Body)
				if isShown && r.URL.Path == "/labels" {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `[{"id":7}]`)
					return
				}
				if isShown && r.Method == http.MethodDelete && kept[r.URL.Path] {
					delete(kept, r.URL.Path)
					w.WriteHeader(http.StatusNoContent)
					return
				}
				if r.Method == http.MethodPost {
					last++
					kept[fmt.Sprint(r.URL.Path, "/", last)] = true
					if row.breaks == "POST relates" {
						related[fmt.Sprint(r.URL.Path, "/", last, "/labels/7")] = true
					}
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusCreated)
					_ = json.NewEncoder(w).Encode(map[string]int{"id": last})
					return
				}
				pair := path.FindStringSubmatch(r.URL.Path)
				switch {
				case len(pair) > 0 && pair[2] == "" && kept["/notes/"+pair[1]]:
					w.Header().Set("Content-Type", "application/json")
					list := []map[string]int{}
					for where, is := range related {
						of := path.FindStringSubmatch(where)
						if id, _ := strconv.Atoi(of[2]); is && row.breaks != "GET nothing" && (of[1] == pair[1] || row.breaks == "GET all") {
							list = append(list, map[string]int{"id": id})
						}
					}
					if row.breaks == "GET more" {
						list = append(list, map[string]int{"id": 0})
					}
					_ = json.NewEncoder(w).Encode(list)
					return
				case len(pair) == 0 || !kept["/notes/"+pair[1]] || !kept["/labels/"+pair[2]] || r.Method == row.breaks, r.Method == http.MethodDelete && !related[r.URL.Path]:
					w.WriteHeader(http.StatusNotFound)
					return
				case r.Method+" 500" == row.breaks:
					w.WriteHeader(http.StatusInternalServerError)
					return
				}
				if r.Method+" nothing" != row.breaks {
					related[r.URL.Path] = r.Method == http.MethodPut
				}
				w.WriteHeader(http.StatusNoContent)
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("found %v, want %v%s", got, row.want, firstOf(r))
			}
			for _, one := range r.Clauses {
				if one.ID == "removeLabel/accepts" && row.breaks == "" && one.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", one.ID, one.Status)
				}
			}
		})
	}
}
