package suites_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// marks keeps deleted things, shows them with that value, and does not list them.
func marks(name string, value any) func(*shelves) {
	return func(s *shelves) {
		gone := map[string]bool{}
		s.remove = func(_ *shelves, id string) { gone[id] = true }
		s.read = func(s *shelves, id string) shelf {
			one := shown(s.kept[id])
			one["active"], one["phase"], one["seen"], one["reads"] = true, "in use", fmt.Sprint("r", s.count()), s.count()
			if gone[id] {
				one[name] = value
			}
			return one
		}
		s.list = func(_ *shelves, all []shelf) []shelf {
			return slices.DeleteFunc(all, func(one shelf) bool { return gone[fmt.Sprint(one["id"])] })
		}
	}
}

// listsAsOver lists what is deleted as over, and what is created as in use.
func listsAsOver(s *shelves) {
	marks("phase", "over")(s)
	s.answer = func(method string, status int, body shelf) (int, shelf) {
		if method == http.MethodPost && status == http.StatusCreated {
			return status, s.read(s, fmt.Sprint(body["id"]))
		}
		return status, body
	}
	s.list = func(s *shelves, all []shelf) []shelf {
		for i, one := range all {
			all[i] = s.read(s, fmt.Sprint(one["id"]))
		}
		return all
	}
}

// count returns another number each time.
func (s *shelves) count() int {
	s.reads++
	return s.reads
}

// TestDeletedShowsAnother: the id of what was deleted must not lead to a shelf with another id. A new shelf may get it.
func TestDeletedShowsAnother(t *testing.T) {
	for id, want := range map[string][]string{"4711": {"getShelf/state/deleted"}, "": nil} {
		c := contractOf(t, shelfDocument)
		c.Only = []string{"getShelf/kept/deleted*"}
		found := stateFindings(runShelvesBy(t, c, func(s *shelves) {
			marks("name", "another")(s)
			read := s.read
			s.read = func(s *shelves, of string) shelf {
				one := read(s, of)
				if one["name"] == "another" {
					one["id"] = cmp.Or(id, of)
				}
				return one
			}
		}))
		if !slices.Equal(found, want) {
			t.Errorf("another shelf, with the id %q: found %v, want %v", id, found, want)
		}
	}
}

// TestDeletedAgain: the service may accept or refuse the second deletion, but must not fail.
func TestDeletedAgain(t *testing.T) {
	for status, want := range map[int][]string{http.StatusNotFound: nil, http.StatusGone: nil, http.StatusConflict: nil, http.StatusNoContent: nil, http.StatusInternalServerError: {"deleteShelf/answers"}} {
		c := contractOf(t, shelfDocument)
		s := &shelves{kept: map[string]shelf{}}
		deleted := false
		s.remove = func(s *shelves, id string) { delete(s.kept, id); deleted = true }
		s.answer = func(method string, was int, body shelf) (int, shelf) {
			if method == http.MethodDelete && was == http.StatusNotFound && deleted {
				return status, nil
			}
			return was, body
		}
		c.Only = []string{"deleteShelf/kept/*"}
		c.Target.BaseURL, c.Target.Handler = "http://service.example", s
		if got := brokenBy(run(t, c), true); !slices.Equal(got, want) {
			t.Errorf("%d: %v is broken, want %v", status, got, want)
		}
	}
}

// TestHidesDeleted: what is deleted may be shown in another state, unless the contract says that it is not.
func TestHidesDeleted(t *testing.T) {
	for says, want := range map[string][]string{
		"":                                    nil,
		"Deleted shelves are not found (404)": {"getShelf/state/deleted", "listShelves/state/unlisted"},
	} {
		c := contractOf(t, strings.NewReplacer("operationId: getShelf,", "operationId: getShelf, description: '"+says+"',", "operationId: listShelves\n", "operationId: listShelves\n      description: '"+says+"'\n").Replace(shelfDocument))
		report := runShelvesBy(t, c, listsAsOver)
		if found := stateFindings(report); !slices.Equal(found, want) {
			t.Errorf("%q: found %v, want %v", says, found, want)
		}
		if isBroken := report.Verdict == verdict.Nonconformant; isBroken != (want != nil) {
			t.Errorf("%q: the verdict is %s", says, report.Verdict)
		}
	}
}

// TestDeletedOfAnother: a service that changes the values that it is sent still shows the same
// thing after its deletion, if it shows what it showed before. It may give the id to another resource.
func TestDeletedOfAnother(t *testing.T) {
	capitals := keeping("POST PUT PATCH", with("name", func(v any) any { return strings.ToUpper(v.(string)) }))
	changed := []string{"getShelf/state/changed", "getShelf/state/created", "getShelf/state/replaced"}
	for name, row := range map[string]struct {
		remove func(s *shelves, id string)
		store  func(s *shelves)
		answer bool // a deletion returns what it deleted
		want   []string
	}{
		"deletes":         {store: capitals, want: changed},
		"deletes nothing": {func(*shelves, string) {}, capitals, false, append([]string{"getShelf/state/deleted", "listShelves/state/unlisted"}, changed...)},
		"answers with what it keeps": {func(*shelves, string) {}, func(*shelves) {}, true,
			[]string{"getShelf/state/deleted", "listShelves/state/unlisted"}},
		"gives the id again": {func(s *shelves, id string) {
			s.kept[id] = shelf{"id": id, "name": "ANOTHER", "height": json.Number("9"), "created": "later"}
		}, capitals, true, append([]string{"listShelves/state/unlisted"}, changed...)},
		"changes the height of all": {func(s *shelves, id string) {
			delete(s.kept, id)
			for _, one := range s.kept {
				one["height"] = json.Number("99")
			}
		}, capitals, false, append([]string{"getShelf/state/apart"}, changed...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, shelfDocument)
			c.Limits.Concurrency = 1 // deletions of other fixtures change the heights of this one
			found := stateFindings(runShelvesBy(t, c, func(s *shelves) {
				row.store(s)
				s.remove = row.remove
				var last shelf
				s.answer = func(method string, status int, body shelf) (int, shelf) {
					if method == http.MethodGet && body["id"] != nil {
						last = maps.Clone(body)
					}
					if row.answer && method == http.MethodDelete && status == http.StatusNoContent {
						return http.StatusOK, last
					}
					return status, body
				}
			}))
			slices.Sort(found)
			slices.Sort(row.want)
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v", found, row.want)
			}
		})
	}
}

const jobDocument = `openapi: 3.0.3
info: {title: Jobs, version: '1'}
paths:
  /jobs:
    post: {operationId: createJob, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, maxLength: 80}}}}}}, responses: {'201': &job {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, '400': {description: d}}}
  /jobs/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getJob, responses: {'200': *job, '404': {description: d}}}
  /jobs/{id}/cancel:
    parameters: *id
    post: {operationId: cancelJob, responses: {'200': *job, '202': *job, '404': {description: d}}}
  /jobs/{id}/preview:
    parameters: *id
    post: {operationId: previewJob, responses: {'200': *job, '404': {description: d}}}
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  schemas:
    Job: {type: object, required: [id, name, state], properties: {id: {type: string}, name: {type: string}, state: {type: string}, version: {type: integer}, updated: {type: string, format: date-time}, cancelled: {type: string, nullable: true}, of: {type: string, nullable: true}, held: {type: boolean}, syncing: {type: boolean}}}
`

// TestActions: a read shows what the response to an action showed, except for future changes, times
// and versions, another resource, and values that are shown only once or to only one caller.
func TestActions(t *testing.T) {
	jobs := func(told, stored kept, status int) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, _, after kept) kept {
				maps.Copy(after, kept{"state": "open", "version": 1, "updated": "2026-11-26T08:00:00Z", "cancelled": nil, "of": nil, "held": false, "syncing": false})
				return after
			}
			s.answer = func(_, path string, was int, body any) (int, any) {
				item, isAction := strings.CutSuffix(strings.Replace(path, ":", "/", 1), "/cancel")
				if one := s.things[strings.TrimSuffix(path, "/preview")]; one != nil && strings.HasSuffix(path, "/preview") {
					answer := maps.Clone(one)
					answer["state"], answer["held"] = "planned", true
					return http.StatusOK, answer
				}
				one := s.things[item]
				if isAction && (one == nil || was == http.StatusBadRequest) {
					return map[bool]int{true: http.StatusNotFound, false: was}[one == nil], nil
				}
				if isAction {
					answer := maps.Clone(one)
					maps.Copy(answer, told)
					if answer["id"] == "0" {
						answer["of"] = one["id"]
					}
					maps.Copy(one, stored)
					return status, answer
				}
				return was, body
			}
		}
	}
	cancelled := kept{"state": "cancelled", "version": 2, "updated": "2026-11-27T08:00:00Z", "cancelled": "by me"}
	lost := []string{"getJob/state/changed"}
	keepers{
		"faithful":               {how: jobs(cancelled, cancelled, http.StatusOK)},
		"keeps no state":         {jobs(cancelled, kept{"cancelled": "by me"}, http.StatusOK), lost},
		"keeps no note":          {jobs(cancelled, kept{"state": "cancelled"}, http.StatusOK), lost},
		"keeps nothing":          {jobs(cancelled, nil, http.StatusOK), lost},
		"keeps time and version": {how: jobs(cancelled, kept{"state": "cancelled", "cancelled": "by me"}, http.StatusOK)},
		"is over by the read":    {how: jobs(cancelled, kept{"state": "removed", "cancelled": "by you"}, http.StatusOK)},
		"does it later":          {how: jobs(cancelled, nil, http.StatusAccepted)},
		"begins to do it":        {how: jobs(kept{"state": "cancelling"}, nil, http.StatusOK)},
		"is to do it":            {how: jobs(kept{"state": "cancel_pending"}, nil, http.StatusOK)},
		"shows a copy":           {how: jobs(kept{"id": "0", "state": "new"}, nil, http.StatusOK)},
		"shows a link once":      {how: jobs(kept{"cancelled": "https://example.com/4711"}, nil, http.StatusOK)},
		"shows a key once":       {how: jobs(kept{"cancelled": "k3y-4711"}, nil, http.StatusOK)},
		"has done it":            {how: jobs(kept{"syncing": true, "state": "offline"}, nil, http.StatusOK)},
		"keeps no flag":          {jobs(kept{"held": true}, nil, http.StatusOK), lost},
		"keeps no time":          {jobs(kept{"cancelled": "2026-11-27T08:00:00Z"}, nil, http.StatusOK), lost},
		"moves it away": {how: func(s *keeper) {
			jobs(cancelled, cancelled, http.StatusOK)(s)
			s.find = func(s *keeper, path string) kept {
				if one := s.things[path]; one["state"] == "open" {
					return one
				}
				return nil
			}
		}},
		"shows it as it is": {how: jobs(nil, cancelled, http.StatusOK)},
	}.test(t, jobDocument, "getJob/state/changed")
	keepers{
		"shows a flag of the caller": {how: jobs(kept{"held": true}, nil, http.StatusOK)},
		"keeps no state":             {jobs(cancelled, nil, http.StatusOK), lost},
	}.test(t, strings.Replace(jobDocument, "operationId: cancelJob,", "operationId: cancelJob, security: [{}, {key: []}],", 1))
	listed := func(says string) string {
		return strings.NewReplacer("state: {type: string}", "state: {type: string, enum: [open, planned, cancelling, cancelled]}", "operationId: cancelJob,", "operationId: cancelJob, description: "+says+",").Replace(jobDocument)
	}
	ignored := []string{"cancelJob/state/reached"}
	keepers{
		"faithful":           {how: jobs(cancelled, cancelled, http.StatusOK)},
		"does nothing":       {jobs(nil, nil, http.StatusOK), ignored},
		"only notes a time":  {jobs(kept{"updated": "2026-11-27T08:00:00Z"}, kept{"updated": "2026-11-27T08:00:00Z"}, http.StatusOK), ignored},
		"does it later":      {how: jobs(nil, nil, http.StatusAccepted)},
		"begins to do it":    {how: jobs(kept{"state": "cancelling"}, nil, http.StatusOK)},
		"shows it as it is":  {how: jobs(nil, cancelled, http.StatusOK)},
		"notes that it will": {how: jobs(kept{"held": true}, kept{"held": true}, http.StatusOK)},
	}.test(t, listed("Returns the cancelled job."))
	keepers{
		"does nothing": {how: jobs(nil, nil, http.StatusOK)},
	}.test(t, listed("Asks the owner."))
	noting := func(isStored bool, told string) func(*keeper) { // a job shows the reason of its cancellation from then on
		return func(s *keeper) {
			jobs(cancelled, cancelled, http.StatusOK)(s)
			answer := s.answer
			s.answer = func(method, path string, was int, body any) (int, any) {
				sent, _ := body.(kept)
				status, answered := answer(method, path, was, body)
				if job, isJob := answered.(kept); isJob && strings.HasSuffix(path, "/cancel") && status == http.StatusOK {
					job["reason"] = cmp.Or(told, fmt.Sprint(sent["reason"]))
					if one := s.things[strings.TrimSuffix(path, "/cancel")]; isStored {
						one["reason"] = job["reason"]
					}
				}
				return status, answered
			}
		}
	}
	keepers{
		"faithful":           {how: noting(true, "")},
		"keeps no reason":    {noting(false, ""), lost},
		"shows a code, once": {how: noting(false, "k3y-4711")},
	}.test(t, strings.NewReplacer("operationId: cancelJob,", "operationId: cancelJob, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [reason], properties: {reason: {type: string, maxLength: 80}}}}}},",
		"of: {type", "reason: {type: string}, of: {type", "'202': *job, '404'", "'202': *job, '400': {description: d}, '404'").Replace(jobDocument), "getJob/state/changed")
	held := kept{"held": true}
	keepers{
		"faithful":            {how: jobs(held, held, http.StatusOK)},
		"does nothing":        {jobs(nil, nil, http.StatusOK), ignored},
		"does it later":       {how: jobs(nil, nil, http.StatusAccepted)},
		"shows another state": {how: jobs(nil, kept{"state": "waiting"}, http.StatusOK)},
	}.test(t, strings.Replace(jobDocument, "operationId: cancelJob,", "operationId: cancelJob, summary: Mark a job as held.,", 1), "cancelJob/state/reached")
	showing := func(told, stored kept) func(*keeper) { return jobs(told, stored, http.StatusOK) }
	noted := strings.Replace(jobDocument, "operationId: cancelJob,", "operationId: cancelJob, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [cancelled], properties: {cancelled: {type: string, minLength: 3}}}}}},", 1)
	keepers{
		"shows another text": {how: showing(cancelled, cancelled)},
		"keeps no text":      {showing(kept{"state": "cancelled"}, kept{"state": "cancelled"}), lost},
		"keeps it later":     {how: jobs(kept{"state": "cancelled"}, kept{"state": "cancelled"}, http.StatusAccepted)},
	}.test(t, noted, "getJob/state/changed")
	keepers{ // a job has that text from its creation, so the action may use it for something else
		"keeps no text": {how: func(s *keeper) {
			showing(kept{"state": "cancelled"}, kept{"state": "cancelled"})(s)
			store := s.store
			s.store = func(method string, before, sent, after kept) kept {
				after = store(method, before, sent, after)
				after["cancelled"] = sent["cancelled"]
				return after
			}
		}},
	}.test(t, strings.Replace(noted, "properties: {name: {type: string", "properties: {cancelled: {type: string}, name: {type: string", 1))
	queued := func(how func(*keeper)) func(*keeper) { // a job is created with 202
		return func(s *keeper) {
			how(s)
			answer := s.answer
			s.answer = func(method, path string, was int, body any) (int, any) {
				if was == http.StatusCreated {
					return http.StatusAccepted, body
				}
				return answer(method, path, was, body)
			}
		}
	}
	keepers{
		"faithful":       {how: queued(jobs(cancelled, cancelled, http.StatusOK))},
		"keeps no state": {queued(jobs(cancelled, nil, http.StatusOK)), lost},
		"does it later":  {how: queued(jobs(cancelled, nil, http.StatusAccepted))},
	}.test(t, strings.Replace(jobDocument, "'400': {description: d}", "'202': *job, '400': {description: d}", 1))
	keepers{
		"faithful":             {how: jobs(cancelled, cancelled, http.StatusOK)},
		"does nothing":         {jobs(nil, nil, http.StatusOK), ignored},
		"does nothing, in 204": {jobs(nil, nil, http.StatusNoContent), ignored},
		"only notes it":        {jobs(kept{"held": true}, kept{"held": true}, http.StatusOK), ignored},
		"does it later":        {how: jobs(nil, nil, http.StatusAccepted)},
		"has another state":    {how: jobs(nil, kept{"state": "planned"}, http.StatusNoContent)},
	}.test(t, strings.Replace(listed("Sets `state` to `cancelled`."), "'202': *job", "'202': *job, '204': {description: d}", 1), "cancelJob/state/reached")
	keepers{
		"faithful":      {how: jobs(cancelled, cancelled, http.StatusOK)},
		"does nothing":  {jobs(nil, nil, http.StatusOK), ignored},
		"keeps nothing": {jobs(cancelled, nil, http.StatusOK), lost},
		"does it later": {how: jobs(nil, nil, http.StatusAccepted)},
	}.test(t, strings.Replace(listed("Returns the cancelled job."), "{id}/cancel", "{id}:cancel", 1))
}

const cardDocument = `openapi: 3.0.3
info: {title: Cards, version: '1'}
paths:
  /cards:
    get: {operationId: listCards, parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 90, default: 2}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Card'}}}}}, '400': {description: d}}}
    post: {operationId: createCard, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}, '400': {description: d}}}
  /cards/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getCard, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}, '404': {description: d}}}
    delete: {operationId: deleteCard, responses: {'204': {description: d}, '404': {description: d}}}
components:
  schemas:
    Card: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string, maxLength: 80}}}
`

// TestDeletedOnLaterPages: a deletion is judged by the longest page, because the usual one may not have what was created.
func TestDeletedOnLaterPages(t *testing.T) {
	listing := func(isListed bool) func(*keeper) {
		return func(s *keeper) {
			s.things["/cards/0a"], s.things["/cards/0b"] = kept{"id": "0a", "name": "first"}, kept{"id": "0b", "name": "second"}
			made := map[string]kept{}
			s.store = func(_ string, _, _, after kept) kept { made["/cards/"+after["id"].(string)] = after; return after }
			s.list = func(r *http.Request) []any {
				of := maps.Clone(s.things)
				if isListed {
					maps.Copy(of, made)
				}
				list := []any{}
				for _, path := range slices.Sorted(maps.Keys(of)) {
					list = append(list, of[path])
				}
				limit, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("limit"), "2"))
				if err != nil || limit < 1 {
					return list
				}
				return list[:min(limit, len(list))]
			}
		}
	}
	keepers{
		"faithful":           {how: listing(false)},
		"lists what is gone": {listing(true), []string{"listCards/state/unlisted"}},
	}.test(t, cardDocument, "listCards/state/unlisted")
}
