package suites_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

const accountsDocument = `openapi: 3.0.3
info: {title: Accounts, version: '1'}
paths:
  /accounts:
    post:
      operationId: signUp
      parameters: [{name: Idempotency-Key, in: header, required: true, schema: {type: string, format: uuid}}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [email, handle]
              properties:
                email: {type: string, format: email}
                handle: {type: string, pattern: '^[a-z0-9-]{3,40}$'}
                projectId: {type: integer}
                manager: {type: integer, format: int64}
                newsletter: {type: boolean}
      responses:
        '201': {description: made, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
        '400': {description: not valid}
        '422': {description: taken or not known}
  /accounts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: account
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}, text/plain: {schema: {type: string, enum: [open, closed]}}}}
        '404': {description: none}
        '406': {description: not in that form}
    patch:
      operationId: edit
      requestBody:
        required: true
        content:
          application/json-patch+json:
            schema: {type: array, minItems: 1, items: {type: object, required: [op, path], properties: {op: {enum: [add, replace, remove]}, path: {type: string}, value: {}}}}
      responses: {'204': {description: d}, '400': {description: d}, '404': {description: d}, '422': {description: d}}
    delete:
      operationId: close
      responses: {'202': {description: will be closed}, '404': {description: none}}
components:
  schemas:
    Account: {type: object, required: [id, email], properties: {id: {type: string}, email: {type: string, format: email}, handle: {type: string}}}
`

// accounts conforms to its document: emails and handles are unique, an idempotency key is for one
// payload, projectId and manager can name nothing that exists, a JSON Patch needs its values, and a
// closed account can be read for as long as the service likes.
type accounts struct {
	text string // of an account in text/plain

	mu   sync.Mutex
	kept map[string]map[string]any
	used map[string]string // payloads by key
}

var (
	email  = regexp.MustCompile(`^[A-Za-z0-9.-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$`)
	handle = regexp.MustCompile(`^[a-z0-9-]{3,40}$`)
	uuid   = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
)

func (s *accounts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	id := strings.TrimPrefix(r.URL.Path, "/accounts/")
	one := s.kept[id]
	switch {
	case r.Method == http.MethodPost:
		s.signUp(w, r, body)
	case one == nil:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodGet && r.Header.Get("Accept") == "text/plain":
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, s.text)
	case r.Method == http.MethodGet:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(one)
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.WriteHeader(patched(r, body))
	}
}

func patched(r *http.Request, body []byte) int {
	var changes []map[string]any
	if !strings.EqualFold(r.Header.Get("Content-Type"), "application/json-patch+json") || json.Unmarshal(body, &changes) != nil || len(changes) == 0 {
		return http.StatusBadRequest
	}
	for _, c := range changes {
		op, _ := c["op"].(string)
		if _, isText := c["path"].(string); !isText || op != "add" && op != "replace" && op != "remove" {
			return http.StatusBadRequest
		}
		if _, there := c["value"]; !there && op != "remove" {
			return http.StatusUnprocessableEntity
		}
	}
	return http.StatusNoContent
}

func (s *accounts) signUp(w http.ResponseWriter, r *http.Request, body []byte) {
	var sent map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	err := decoder.Decode(&sent)
	_, more := decoder.Token()
	key := r.Header.Get("Idempotency-Key")
	if err != nil || more != io.EOF || !strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "application/json") || !uuid.MatchString(key) || !valid(sent) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	refused := s.used[key] != "" && s.used[key] != string(body) || sent["projectId"] != nil || sent["manager"] != nil
	for _, other := range s.kept {
		refused = refused || s.used[key] == "" && (other["email"] == sent["email"] || other["handle"] == sent["handle"])
	}
	if refused {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	s.used[key] = string(body)
	id := fmt.Sprint("a", len(s.kept)+1)
	s.kept[id] = map[string]any{"id": id, "email": sent["email"], "handle": sent["handle"]}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Location", "/accounts/"+id)
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(s.kept[id])
}

func valid(sent map[string]any) bool {
	of := func(name string, is func(any) bool) bool { value, there := sent[name]; return !there || is(value) }
	isInteger := func(v any) bool {
		n, ok := v.(json.Number)
		_, err := n.Int64()
		return ok && (err == nil || regexp.MustCompile(`^-?[0-9]+(\.0+)?([eE]\+?[0-9]+)?$`).MatchString(n.String()))
	}
	address, isText := sent["email"].(string)
	short, isShort := sent["handle"].(string)
	return isText && email.MatchString(address) && isShort && handle.MatchString(short) && of("projectId", isInteger) && of("manager", isInteger) &&
		of("newsletter", func(v any) bool { _, ok := v.(bool); return ok })
}

// TestFreedomsOfAccounts: a service may refuse a value that is taken, a reference to nothing, and a
// patch without what its operations need. With 202 it may act later. Responses in another declared
// form are still judged.
func TestFreedomsOfAccounts(t *testing.T) {
	c, err := ownContract(accountsDocument) // all its fixtures
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"open": "", "lost": "account/200/body"} {
		c.Handler = &accounts{text: text, kept: map[string]map[string]any{}, used: map[string]string{}}
		r := run(t, c)
		if broken := strings.Join(brokenBy(r, false), " "); broken != want || (r.Verdict == verdict.Conformant) != (want == "") {
			t.Errorf("with the text %q it breaks %q: %s", text, broken, r.Reason)
		}
		for _, one := range r.Results {
			for _, f := range one.Findings {
				if f.Severity == judge.Warning && (strings.Contains(string(f.Clause), "/accepts") || strings.Contains(string(f.Clause), "/state/")) {
					t.Errorf("%s: %s: %s, got %s", one.Fixture, f.Clause, f.Message, f.Actual)
				}
			}
		}
	}
}
