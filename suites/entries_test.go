package suites_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/suites/verdict"
)

const stayDocument = `openapi: 3.0.3
info: {title: Stays, version: '1'}
paths:
  /stays:
    get:
      operationId: listStays
      parameters: [{name: from, in: query, required: true, schema: {type: string, format: date}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Stay'}}}}}}
    post: {operationId: createStay, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Stay'}}}}, '400': {description: d}}}
components:
  schemas:
    Stay: {type: object, required: [guest], properties: {id: {type: string, readOnly: true}, guest: {type: string, maxLength: 80}}}
`

// asks reports whether the query of a request has the document's parameters, each with one text.
func asks(op *spec.Operation, r *http.Request) bool {
	query := r.URL.Query()
	return !slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool {
		texts, given := query[p.Name]
		switch {
		case p.In != "query":
			return false
		case !given:
			return p.Required
		}
		var value any = texts[0]
		if of := p.Schema.Shape(); of.Allows("integer") && instance.IsNumber(texts[0]) {
			value = instance.Number(texts[0])
		} else if of.Allows("boolean") && (texts[0] == "true" || texts[0] == "false") {
			value = texts[0] == "true"
		}
		if p.Schema.Shape().Allows("array") {
			if !p.Explode && len(texts) == 1 {
				texts = strings.Split(texts[0], ",")
			}
			list := []any{}
			for _, text := range texts {
				list = append(list, text)
			}
			return !p.Schema.Meets(schema.Request, list)
		}
		return !p.Schema.Meets(schema.Request, value) || len(texts) > 1
	})
}

// listing changes the entries of each list.
func listing(change func(list []any) []any) func(*keeper) {
	return func(s *keeper) {
		s.answer = func(method, _ string, status int, body any) (int, any) {
			if list, isList := body.([]any); isList && method == http.MethodGet {
				body = change(list)
			}
			return status, body
		}
	}
}

// TestRequiredFilter: a list that requires a filter may be empty, but must have all entries that
// match the filter.
func TestRequiredFilter(t *testing.T) {
	keepers{
		"faithful":                {},
		"nothing since that day":  {how: listing(func([]any) []any { return []any{} })},
		"not what was made again": {listing(func(list []any) []any { return list[:min(len(list), 1)] }), []string{"listStays/state/listed"}},
	}.test(t, stayDocument, "listStays/state/listed")
}

// TestRequiredSpan: a service may limit the days that a list covers. A thing of another day is not
// in it, a thing of the first day is.
func TestRequiredSpan(t *testing.T) {
	document := strings.NewReplacer("      responses: {'200': {description: d, content: {application/json: {schema: {type: array", "      responses: {'400': {description: d}, '200': {description: d, content: {application/json: {schema: {type: array",
		"{type: string, format: date}}]", "{type: string, format: date}}, {name: to, in: query, required: true, schema: {type: string, format: date}}]").Replace(stayDocument)
	dated := strings.NewReplacer("required: [guest]", "required: [guest, day]", "guest: {type", "day: {type: string, format: date}, guest: {type").Replace(document)
	limited := func(list func(first string, all []any) []any) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any {
				all := []any{}
				for _, where := range slices.Sorted(maps.Keys(s.things)) {
					all = append(all, s.things[where])
				}
				first, err := time.Parse(time.DateOnly, r.URL.Query().Get("from"))
				last, other := time.Parse(time.DateOnly, r.URL.Query().Get("to"))
				if err != nil || other != nil || last.Before(first) || last.Sub(first) > 31*24*time.Hour {
					return nil
				}
				return list(first.Format(time.DateOnly), all)
			}
			s.answer = func(method, _ string, status int, body any) (int, any) {
				if list, isList := body.([]any); isList && method == http.MethodGet && list == nil {
					return http.StatusBadRequest, nil
				}
				return status, body
			}
		}
	}
	old := []any{kept{"id": "old", "guest": "me", "day": "2026-01-01"}}
	keepers{
		"faithful": {how: limited(func(first string, all []any) []any {
			return slices.DeleteFunc(all, func(one any) bool { return one.(kept)["day"] != first })
		})},
		"an old one alone": {limited(func(string, []any) []any { return old }), []string{"listStays/state/listed"}},
	}.test(t, dated, "listStays/state/listed", "listStays/accepts", "listStays/200/body")
	keepers{
		"faithful":         {how: limited(func(_ string, all []any) []any { return all })},
		"an old one alone": {how: limited(func(string, []any) []any { return []any{kept{"id": "old", "guest": "me"}} })},
	}.test(t, document, "listStays/accepts")
}

const switchDocument = `openapi: 3.0.3
info: {title: Flags, version: '1'}
paths:
  /flags:
    get:
      operationId: listFlags
      parameters: [{name: cursor, in: query, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
    post: {operationId: createFlag, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, responses: {'201': {description: d, headers: {Location: {schema: {type: string}}}}, '202': {description: d}, '400': {description: d}}}
  /flags/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getFlag, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, '404': {description: d}}}
    delete: {operationId: deleteFlag, responses: {'202': {description: d}, '204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Flag: {type: object, required: [enabled], properties: {enabled: {type: boolean}, note: {type: string, maxLength: 80}}}
`

// TestDeletedSwitches: a deletion that does nothing is found if something identifies the thing,
// whether or not its creation got 202. A page that never showed the thing is not evidence.
func TestDeletedSwitches(t *testing.T) {
	flags := func(deletes bool, page int, statuses map[string]int) func(*keeper) {
		return func(s *keeper) {
			first := []any{kept{"id": "0"}}
			if all := map[string]kept{}; !deletes {
				s.find = func(s *keeper, path string) kept {
					if one := s.things[path]; one != nil {
						all[path] = one
					}
					return all[path]
				}
			}
			s.answer = func(method, path string, status int, body any) (int, any) {
				switch one, _ := body.(kept); {
				case method == http.MethodPost && status == http.StatusCreated:
					first, body = append(first, kept{"id": one["id"]}), nil
				case one != nil && status == http.StatusOK:
					one = maps.Clone(one)
					delete(one, "id")
					body = one
				case status == http.StatusOK && page > 0:
					body = first[:min(page, len(first))]
				case status == http.StatusOK:
					list := []any{}
					for _, one := range body.([]any) {
						list = append(list, kept{"id": one.(kept)["id"]})
					}
					body = list
				}
				if other := statuses[method]; other != 0 && status/100 == 2 {
					status = other
				}
				return status, body
			}
		}
	}
	keepers{
		"faithful":                              {how: flags(true, 0, nil)},
		"deletes nothing":                       {flags(false, 0, nil), []string{"getFlag/state/deleted"}},
		"creates later":                         {how: flags(true, 0, map[string]int{http.MethodPost: http.StatusAccepted})},
		"creates later, and deletes nothing":    {flags(false, 0, map[string]int{http.MethodPost: http.StatusAccepted}), []string{"getFlag/state/deleted"}},
		"deletes later":                         {how: flags(false, 0, map[string]int{http.MethodDelete: http.StatusAccepted})},
		"lists what is deleted on a first page": {flags(true, 1000, nil), []string{"listFlags/state/unlisted"}},
	}.test(t, switchDocument, "getFlag/state/deleted", "listFlags/state/unlisted")
	r, _ := runKeeper(t, switchDocument, flags(true, 1, nil))
	for _, c := range r.Clauses {
		if c.ID == "listFlags/state/unlisted" && c.Status != verdict.ClauseVacuous {
			t.Errorf("by a page that has it neither before nor after, %s is %s", c.ID, c.Status)
		}
	}
}

const hotelDocument = `openapi: 3.0.3
info: {title: Hotels, version: '1'}
paths:
  /hotels:
    get:
      operationId: listHotels
      parameters: [{name: 'page[size]', in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Hotel'}}}}}, '400': {description: d}}
components:
  schemas:
    Hotel: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
`

// TestSizes: no page has more entries than requested, even if no operation creates an entry.
func TestSizes(t *testing.T) {
	hotels := func(shown func(asked int) int) func(*keeper) {
		return func(s *keeper) {
			s.list = func(r *http.Request) []any {
				asked, err := strconv.Atoi(r.URL.Query().Get("page[size]"))
				if err != nil {
					asked = 20
				}
				list := []any{}
				for i := range shown(asked) {
					list = append(list, kept{"id": strconv.Itoa(i), "name": "Hotel"})
				}
				return list
			}
		}
	}
	keepers{
		"faithful":         {how: hotels(func(asked int) int { return min(asked, 12) })},
		"fewer":            {how: hotels(func(asked int) int { return min(asked, 12) / 2 })},
		"none":             {how: hotels(func(int) int { return 0 })},
		"all":              {hotels(func(int) int { return 12 }), []string{"listHotels/state/paged"}},
		"one more than so": {hotels(func(asked int) int { return asked + 1 }), []string{"listHotels/state/paged"}},
	}.test(t, hotelDocument, "listHotels/state/paged")
}

const boxDocument = `openapi: 3.0.3
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    post: {operationId: createBox, requestBody: &box {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}, '400': {description: d}}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getBox, responses: &one {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}, '400': {description: d}, '404': {description: d}}}
    put: {operationId: putBox, requestBody: *box, responses: *one}
    patch: {operationId: patchBox, requestBody: {required: true, content: {application/json: {schema: {type: object, minProperties: 1, properties: {closed: {type: boolean}, sealed: {type: boolean}, weight: {type: integer, minimum: 0}, tags: &tags {type: array, items: {type: string, maxLength: 40}}}}}}}, responses: *one}
components:
  schemas:
    Box: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}, closed: {type: boolean}, sealed: {type: boolean}, weight: {type: integer, minimum: 0}, tags: *tags, size: {type: object, required: [width], properties: {width: {type: integer}, note: {type: string, maxLength: 80}, unit: {type: string, maxLength: 80, default: mm}}}}}
`

// TestBoxes: a replacement removes what it omits from an inner object, and each value may become
// false, 0 or an empty list.
func TestBoxes(t *testing.T) {
	merging := func(inner func(old, now kept) kept) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, _, after kept) kept {
				old, had := before["size"].(kept)
				if now, has := after["size"].(kept); had && has && method == http.MethodPut {
					after = maps.Clone(after)
					after["size"] = inner(old, now)
				}
				return after
			}
		}
	}
	keeping := func(name string, nothing any) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, _, after kept) kept {
				if method == http.MethodPatch && instance.Equal(after[name], nothing) && before[name] != nil {
					after[name] = before[name]
				}
				return after
			}
		}
	}
	// tagged changes how a PATCH sets tags. An empty list is not shown.
	tagged := func(change func(old, now []any) []any) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, sent, after kept) kept {
				now, has := sent["tags"].([]any)
				if old, _ := before["tags"].([]any); has && method == http.MethodPatch {
					if after["tags"] = change(old, now); len(change(old, now)) == 0 {
						delete(after, "tags")
					}
				}
				return after
			}
		}
	}
	keepers{
		"faithful": {},
		"keeps what is left out of the size": {merging(func(old, now kept) kept {
			whole := maps.Clone(old)
			maps.Copy(whole, now)
			return whole
		}), []string{"getBox/state/replaced"}},
		"another note for what is left out": {how: merging(func(_, now kept) kept {
			whole := kept{"note": "none", "unit": "mm"}
			maps.Copy(whole, now)
			return whole
		})},
		"takes closed: false for nothing": {keeping("closed", false), []string{"getBox/state/changed"}},
		"takes sealed: false for nothing": {keeping("sealed", false), []string{"getBox/state/changed"}},
		"takes weight: 0 for nothing":     {keeping("weight", json.Number("0")), []string{"getBox/state/changed"}},
		"takes tags: [] for nothing":      {keeping("tags", []any{}), []string{"getBox/state/changed"}},
		"adds to the tags":                {tagged(func(old, now []any) []any { return slices.Concat(old, now) }), []string{"getBox/state/changed"}},
		"shows no empty list":             {how: tagged(func(_, now []any) []any { return now })},
		"cannot be sealed again": {how: func(s *keeper) {
			s.store = func(method string, before, sent, after kept) kept {
				if method == http.MethodPatch && sent["sealed"] == false && before["sealed"] == true {
					return nil
				}
				return after
			}
		}},
	}.test(t, boxDocument, "getBox/state/replaced", "getBox/state/changed")
}

// TestIDs: a thing that is read by the id from a creation or a list shows that id, and so does a
// thing that is replaced or changed.
func TestIDs(t *testing.T) {
	numbered := func(change func(method string, id int) int) func(*keeper) {
		return func(s *keeper) {
			s.answer = func(method, _ string, status int, body any) (int, any) {
				if one, isOne := body.(kept); isOne && one["id"] != nil {
					id, _ := strconv.Atoi(one["id"].(string))
					one = maps.Clone(one)
					one["id"] = change(method, id)
					body = one
				}
				return status, body
			}
		}
	}
	other := func(of string) func(*keeper) {
		return numbered(func(method string, id int) int {
			if method == of {
				return id + 1000
			}
			return id
		})
	}
	document := strings.Replace(boxDocument, "id: {type: string, readOnly: true}", "id: {type: integer, readOnly: true}", 1)
	keepers{
		"faithful":             {how: numbered(func(_ string, id int) int { return id })},
		"another one replaced": {other(http.MethodPut), []string{"putBox/200/body/id"}},
		"another one changed":  {other(http.MethodPatch), []string{"patchBox/200/body/id"}},
	}.test(t, document)
	hotels := func(shown func(id string) any) func(*keeper) {
		return func(s *keeper) {
			s.list = func(*http.Request) []any { return []any{kept{"id": 7, "name": "Hotel"}} }
			s.find = func(_ *keeper, path string) kept {
				if id, isItem := strings.CutPrefix(path, "/hotels/"); isItem && id == "7" {
					return kept{"id": shown(id), "name": "Hotel"}
				}
				return nil
			}
		}
	}
	document = strings.Replace(strings.Replace(hotelDocument, "id: {type: string}", "id: {type: integer}", 1), "components:",
		"  /hotels/{hotelId}: {get: {operationId: getHotel, parameters: [{name: hotelId, in: path, required: true, schema: {type: integer}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Hotel'}}}}, '400': {description: d}, '404': {description: d}}}}\ncomponents:", 1)
	keepers{
		"faithful":        {how: hotels(func(string) any { return 7 })},
		"in another form": {how: hotels(func(string) any { return json.RawMessage("7.0") })},
		"the next hotel":  {hotels(func(string) any { return 8 }), []string{"getHotel/200/body/id"}},
	}.test(t, document)
}
