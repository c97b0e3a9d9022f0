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
)

// members stores each value, unless refuse returns a status for it.
type members struct {
	refuse func(sent, other kept) int // the status for a value that is taken; 0 accepts it
	key    string                     // of a request, a header field
	replay int                        // the status of the same request with the same key; 0 creates once more
	byBody bool                       // the body is the key

	lock sync.Mutex
	made []kept
	seen map[string]kept
}

func (s *members) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	var sent kept
	var err error
	if err = r.ParseForm(); len(r.PostForm) > 0 {
		sent = kept{"email": r.PostForm.Get("email"), "team": r.PostForm.Get("team")}
	} else if err == nil {
		err = json.NewDecoder(r.Body).Decode(&sent)
	}
	if inner, isEnvelope := sent["member"].(kept); isEnvelope {
		sent = inner
	}
	if err != nil || sent["email"] == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	answer := func(status int, one kept) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(one)
	}
	key := r.Header.Get(s.key)
	if s.byBody {
		key = fmt.Sprint(sent["email"])
	}
	if one := s.seen[key]; key != "" && one != nil && s.replay != 0 {
		answer(s.replay, one)
		return
	}
	for _, other := range s.made {
		if s.refuse == nil || s.refuse(sent, other) == 0 {
			continue
		}
		if status := s.refuse(sent, other); status > 299 {
			w.WriteHeader(status)
		} else {
			answer(status, other)
		}
		return
	}
	one := maps.Clone(sent)
	one["id"] = fmt.Sprint("m", len(s.made))
	s.made, s.seen[key] = append(s.made, one), one
	answer(http.StatusCreated, one)
}

// TestRepeatedCreations: a second resource with a taken value is refused, if the document says so. A
// request with the key of another one creates nothing.
func TestRepeatedCreations(t *testing.T) {
	const withKey = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /members:
    post:
      operationId: x
      parameters: [{name: Idempotency-Key, in: header, description: A request with the same key creates nothing twice., schema: {type: string, maxLength: 64}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email, team], properties: {email: {type: string, maxLength: 90}, team: {type: string, maxLength: 90}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, email: {type: string}, team: {type: string}}}}}}, '400': {description: d}, '409': {description: d}}
`
	const key = "Idempotency-Key"
	inEnvelope := strings.NewReplacer("'409': {description: d}", "'409': {description: A member with this email exists.}", "creates nothing twice", "is shown in logs",
		"schema: {type: object, required: [email", "schema: {type: object, required: [member], properties: {member: {type: object, required: [email", "}}}}}}\n", "}}}}}}}}\n").Replace(withKey)
	returning := strings.Replace(withKey, "creates nothing twice", "returns the original response", 1)
	asForm := strings.Replace(withKey, "application/json", "application/x-www-form-urlencoded", 1)
	sameIn := func(status int, names ...string) func(sent, other kept) int {
		return func(sent, other kept) int {
			if slices.ContainsFunc(names, func(name string) bool { return sent[name] != other[name] }) {
				return 0
			}
			return status
		}
	}
	for name, row := range map[string]struct {
		document string
		service  *members
		want     string
	}{
		"takes an email twice":          {inEnvelope, &members{}, "x/state/unique"},
		"shows the first one":           {inEnvelope, &members{refuse: sameIn(201, "email")}, "x/state/unique"},
		"looks at the whole body":       {inEnvelope, &members{refuse: sameIn(409, "email", "team")}, "x/state/unique"},
		"refuses it":                    {inEnvelope, &members{refuse: sameIn(409, "email")}, ""},
		"refuses it with another 4xx":   {inEnvelope, &members{refuse: sameIn(422, "email")}, ""},
		"ignores the key":               {withKey, &members{}, "x/state/idempotent"},
		"takes the body for the key":    {withKey, &members{byBody: true, replay: 201}, "x/state/idempotent"},
		"ignores the key of a form":     {asForm, &members{}, "x/state/idempotent"},
		"shows what the form made":      {asForm, &members{key: key, replay: 201}, ""},
		"says that it is the first one": {withKey, &members{byBody: true, replay: 200}, ""},
		"shows the first answer":        {withKey, &members{key: key, replay: 201}, ""},
		"shows the first one with 200":  {withKey, &members{key: key, replay: 200}, ""},
		"refuses the key":               {withKey, &members{key: key, replay: 409}, ""},
		"refuses what it must show":     {returning, &members{key: key, replay: 409}, "x/state/idempotent"},
		"shows the first, as it must":   {returning, &members{key: key, replay: 201, refuse: sameIn(409, "email")}, ""},
		"also refuses the email":        {withKey, &members{key: key, replay: 201, refuse: sameIn(409, "email")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, row.document)
			row.service.seen = map[string]kept{}
			c.Handler, c.Only = row.service, []string{"x/valid/minimal", "x/kept/*"}
			r := run(t, c)
			if got := strings.Join(warned(r), " "); got != row.want {
				t.Errorf("breaks %q, want %q: %s%s", got, row.want, r.Reason, firstOf(r))
			}
		})
	}
}

// TestTakenByChange: a change must not give a resource the unique value of another one, if the document says so.
func TestTakenByChange(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /members:
    post: {operationId: add, requestBody: &body {required: true, content: {application/json: {schema: {type: object, required: [email, team], properties: {email: {type: string, maxLength: 90}, team: {type: string, maxLength: 90}}}}}}, responses: {'201': {description: d, content: &member {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, email: {type: string}, team: {type: string}}}}}}, '400': {description: d}, '409': &taken {description: A member with this email exists.}}}
  /members/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: d, content: *member}, '404': {description: d}}}
    put: {operationId: replace, summary: Replaces a member, requestBody: *body, responses: {'200': {description: d, content: *member}, '400': {description: d}, '404': {description: d}, '409': *taken}}
    patch: {operationId: change, requestBody: {required: true, content: {application/merge-patch+json: {schema: {type: object, properties: {email: {type: string, maxLength: 90}, team: {type: string, maxLength: 90}}}}}}, responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}, '409': *taken}}
`
	// refusing stores a member with the email of another one only as taken says.
	refusing := func(taken func(method string, before, after kept) kept) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, _, after kept) kept {
				for _, other := range s.things {
					if other["id"] != after["id"] && other["email"] == after["email"] {
						return taken(method, before, after)
					}
				}
				return after
			}
		}
	}
	keepers{
		"faithful": {how: refusing(func(string, kept, kept) kept { return nil })},
		"looks at creations alone": {refusing(func(method string, _, after kept) kept {
			if method == http.MethodPost {
				return nil
			}
			return after
		}), []string{"change/state/unique", "replace/state/unique"}},
		"looks at changes alone": {refusing(func(method string, _, after kept) kept {
			if method != http.MethodPost {
				return nil
			}
			return after
		}), []string{"add/state/unique"}},
		"keeps the old email": {refusing(func(_ string, before, after kept) kept {
			if before == nil {
				return nil
			}
			after["email"] = before["email"]
			return after
		}), []string{"replace/200/echo"}},
	}.test(t, document, "add/state/unique", "change/state/unique", "replace/state/unique")
	keepers{"may have it twice": {how: func(*keeper) {}}}.test(t, strings.ReplaceAll(document, "A member with this email exists.", "The version is another one."))
}

// TestTakenInAnotherCase: a value that another resource has in another case is taken, if the document says that values are
// compared without regard to case.
func TestTakenInAnotherCase(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /members:
    post: {operationId: add, description: 'No two members may have the same email; addresses are compared irrespective of case (409).', requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email], properties: {email: {type: string, format: email}, team: {type: string}}}}}}, responses: {'201': {description: d, content: &member {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, email: {type: string}, team: {type: string}}}}}}, '400': {description: d}, '409': {description: d}}}
  /members/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get, responses: {'200': {description: d, content: *member}, '404': {description: d}}}
    delete: {operationId: remove, responses: {'204': {description: d}, '404': {description: d}}}
`
	refusing := func(isSame func(one, other string) bool) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, _, after kept) kept {
				for _, other := range s.things {
					if isSame(fmt.Sprint(other["email"]), fmt.Sprint(after["email"])) {
						return nil
					}
				}
				return after
			}
		}
	}
	exactly := func(one, other string) bool { return one == other }
	keepers{
		"faithful":      {how: refusing(strings.EqualFold)},
		"compares case": {refusing(exactly), []string{"add/state/unique"}},
	}.test(t, document, "add/state/unique")
	for _, words := range []string{"", "; addresses are case-sensitive, though domains are compared irrespective of case"} {
		keepers{"compares case": {how: refusing(exactly)}}.test(t, strings.Replace(document, "; addresses are compared irrespective of case", words, 1))
	}
}
