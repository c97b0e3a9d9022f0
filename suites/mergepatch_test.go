package suites_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

const mergeDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: &sent {type: object, required: [name], properties: {name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}
      responses: {'201': &thing {description: d, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}, '400': {description: d}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': *thing, '404': {description: d}}}
    patch:
      operationId: patchThing
      requestBody: {required: true, content: {application/merge-patch+json: {schema: {type: object, properties: {name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}
      responses: {'200': *thing, '400': {description: d}, '404': {description: d}}
`

// things changes what it keeps by merge patches. null says what a null in one does: "removes",
// "is refused", "is kept".
func things(null string, colors ...string) http.Handler {
	var mu sync.Mutex
	kept := map[string]map[string]any{}
	isRight := func(one map[string]any) bool {
		_, named := one["name"].(string)
		color, has := one["color"]
		text, isText := color.(string)
		return named && (!has || isText && (colors == nil || slices.Contains(colors, text)) || color == nil && null == "is kept")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := strings.Trim(strings.TrimPrefix(r.URL.Path, "/things"), "/")
		var sent map[string]any
		text, _ := io.ReadAll(r.Body)
		want, status := map[string]string{http.MethodPost: "application/json", http.MethodPatch: "application/merge-patch+json"}[r.Method], http.StatusOK
		named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		switch {
		case id != "" && kept[id] == nil:
			w.WriteHeader(http.StatusNotFound)
			return
		case want != "" && (named != want || json.Unmarshal(text, &sent) != nil || sent == nil):
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		one := maps.Clone(kept[id])
		if id == "" {
			one, id, status = map[string]any{"id": fmt.Sprint("t", len(kept))}, fmt.Sprint("t", len(kept)), http.StatusCreated
		}
		for _, name := range []string{"name", "color"} {
			value, has := sent[name]
			switch {
			case has && value == nil && r.Method == http.MethodPatch && null == "removes":
				delete(one, name)
			case has:
				one[name] = value
			}
		}
		if !isRight(one) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		kept[id] = one
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(one)
	})
}

// TestNullInMergePatches: null removes a property (RFC 7396 §2), and a service may refuse it by
// the schema.
func TestNullInMergePatches(t *testing.T) {
	for name, row := range map[string]struct {
		service http.Handler
		want    string // of the clauses that it breaks
	}{
		"removes":    {things("removes", "red", "blue"), ""},
		"is refused": {things("is refused", "red", "blue"), ""},
		"is kept":    {things("is kept", "red", "blue"), "addThing/201/body/color addThing/request/body/color patchThing/200/body/color"},
		"any color":  {things("removes"), "addThing/201/body/color addThing/request/body/color patchThing/200/body/color patchThing/request/body/color"},
	} {
		c, err := shelfContract(mergeDocument)
		if err != nil {
			t.Fatal(err)
		}
		c.Limits.MaxRequests = 0
		c.Handler = row.service
		r := run(t, c)
		if broken := strings.Join(violated(r), " "); broken != row.want || (r.Verdict == judge.Conformant) != (row.want == "") {
			t.Errorf("%s: breaks %s, want %s; %s%s", name, broken, row.want, r.Headline, firstOf(r))
		}
	}
}

// violated are the clauses that a run found violations of.
func violated(r result.Report) (list []string) {
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Severity == judge.Violation && !slices.Contains(list, f.Clause) {
				list = append(list, f.Clause)
			}
		}
	}
	slices.Sort(list)
	return list
}

// TestAnyMediaType: an object in any media type is sent as JSON.
func TestAnyMediaType(t *testing.T) {
	for name, row := range map[string]struct {
		service http.Handler
		want    string // of the clauses that it breaks
	}{
		"faithful":  {things("removes", "red", "blue"), ""},
		"any color": {things("removes"), "addThing/201/body/color addThing/request/body/color patchThing/200/body/color patchThing/request/body/color"},
	} {
		c, err := shelfContract(strings.Replace(mergeDocument, "{application/json: {schema: &sent", "{'*/*': {schema: &sent", 1))
		if err != nil {
			t.Fatal(err)
		}
		c.Limits.MaxRequests = 0
		c.Handler = row.service
		r := run(t, c)
		if broken := strings.Join(violated(r), " "); broken != row.want || (r.Verdict == judge.Conformant) != (row.want == "") {
			t.Errorf("%s: breaks %s, want %s; %s%s", name, broken, row.want, r.Headline, firstOf(r))
		}
	}
}
