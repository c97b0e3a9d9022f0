package suites_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// tinDocument has a list of things that PUT creates. It has no POST.
const tinDocument = `openapi: 3.0.3
info: {title: Tins, version: '1'}
paths:
  /tins:
    get:
      operationId: listTins
      parameters: [{name: ownerId, in: query, schema: {type: integer, minimum: 1}}]
      responses: {'200': {description: the tins, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Tin'}}}}}, '400': {description: invalid}}
  /tins/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string, pattern: '^[A-Za-z0-9]{6,20}$'}}]
    get: {operationId: getTin, responses: {'200': &tin {description: the tin, content: {application/json: {schema: {$ref: '#/components/schemas/Tin'}}}}, '400': {description: invalid}, '404': {description: none}}}
    put:
      operationId: putTin
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [ownerId], properties: {ownerId: {type: integer, minimum: 1}}}}}}
      responses: {'200': *tin, '201': *tin, '400': {description: invalid}}
    delete: {operationId: deleteTin, responses: {'204': {description: gone}, '400': {description: invalid}, '404': {description: none}}}
components:
  schemas:
    Tin: {type: object, required: [code, ownerId], properties: {code: {type: string}, ownerId: {type: integer}}}
`

type tin struct {
	Code    string      `json:"code"`
	OwnerID json.Number `json:"ownerId"`
}

// TestListsOfWhatPutCreates: a list shows things that PUT creates like those that POST creates, and
// all of them are removed.
func TestListsOfWhatPutCreates(t *testing.T) {
	byOwner := func(list []tin, owner string) []tin {
		return slices.DeleteFunc(slices.Clone(list), func(one tin) bool { return owner != "" && one.OwnerID.String() != owner })
	}
	for name, row := range map[string]struct {
		list func(kept []tin, owner string) []tin
		code func(string) string
		want []string
		made bool // each PUT answers 201
	}{
		"faithful": {list: byOwner},
		"newest first": {list: func(kept []tin, owner string) []tin {
			list := byOwner(kept, owner)
			slices.Reverse(list)
			return list
		}},
		"codes in capitals":     {list: byOwner, code: strings.ToUpper},
		"all owners":            {list: func(kept []tin, _ string) []tin { return kept }, want: []string{"listTins/state/filtered"}},
		"replaced with 201":     {list: byOwner, made: true, want: []string{"putTin/accepts"}},
		"others than the owner": {list: func(kept []tin, owner string) []tin { return byOwner(kept, owner+"0") }, want: []string{"listTins/state/filtered", "listTins/state/listed"}},
		"the first alone":       {list: func(kept []tin, owner string) []tin { list := byOwner(kept, owner); return list[:min(1, len(list))] }, want: []string{"listTins/state/listed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			kept := []tin{}
			c := contractOf(t, tinDocument)
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				code, isItem := strings.CutPrefix(r.URL.Path, "/tins/")
				owner := r.URL.Query()["ownerId"]
				if row.code != nil {
					code = row.code(code)
				}
				at := slices.IndexFunc(kept, func(one tin) bool { return one.Code == code })
				op, _ := c.Contract.Operation(map[bool]string{true: "getTin", false: "listTins"}[isItem])
				if r.Method == http.MethodPut {
					op, _ = c.Contract.Operation("putTin")
				}
				var answer any
				body, _ := io.ReadAll(r.Body)
				status, sent := http.StatusOK, spec.Request{Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: r.Header, Body: body, HasBody: len(body) > 0}
				switch broken, _ := op.CheckRequest(sent); { //nolint:contextcheck // what the run sends is small
				case len(broken) > 0:
					status = http.StatusBadRequest
				case !isItem:
					answer = row.list(kept, strings.Join(owner, ""))
				case r.Method == http.MethodPut:
					one := tin{Code: code}
					_ = json.Unmarshal(body, &one)
					if one.Code = code; at < 0 {
						at, kept, status = len(kept), append(kept, one), http.StatusCreated
					}
					if kept[at] = one; row.made {
						status = http.StatusCreated
					}
					answer = one
				case at < 0:
					status = http.StatusNotFound
				case r.Method == http.MethodDelete:
					kept, status = slices.Delete(slices.Clone(kept), at, at+1), http.StatusNoContent
				default:
					answer = kept[at]
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				if answer != nil {
					_ = json.NewEncoder(w).Encode(answer)
				}
			})
			r := run(t, c)
			if found := warned(r); !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v%s", found, row.want, firstOf(r))
			}
			if len(kept) > 0 {
				t.Errorf("%d are not removed", len(kept))
			}
		})
	}
}
