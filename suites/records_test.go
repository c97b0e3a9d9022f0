package suites_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// recordDocument has records whose key is a name and a type that the contract lists, and hosts, which are host names.
const recordDocument = `openapi: 3.0.3
info: {title: Records, version: '1'}
paths:
  /records/{name}/{type}:
    parameters:
      - {name: name, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9-]{1,40}$'}}
      - {name: type, in: path, required: true, schema: {type: string, enum: [A, TXT]}}
    get: {operationId: getRecord, responses: {'200': &record {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Record'}}}}, '404': {description: d}}}
    put: {operationId: putRecord, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Record'}}}}, responses: {'200': *record, '201': *record, '400': {description: d}}}
    delete: {operationId: deleteRecord, responses: {'204': {description: d}, '404': {description: d}}}
  /hosts:
    get:
      operationId: listHosts
      description: 'All hosts, sorted by name.'
      parameters: [{name: name, in: query, description: Only the host with this name, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Host'}}}}}}
    post: {operationId: addHost, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Host'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Host'}}}}, '400': {description: d}}}
components:
  schemas:
    Host: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string, pattern: '^[a-z0-9-]+([.][a-z0-9-]+)+$'}}}
    A: {type: object, required: [type, port], properties: {type: {type: string, enum: [A]}, port: {type: integer, minimum: 1, maximum: 9}}}
    TXT: {type: object, required: [type, text], properties: {type: {type: string, enum: [TXT]}, text: {type: string, maxLength: 20}}}
    Record: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/TXT'}]}
`

// records is a service that stores records and hosts. Each field makes it do something else.
type records struct {
	mu        sync.Mutex
	kept      map[string]kept
	hosts     []any
	retains   bool // what it deletes
	counts    func(text string) int
	strict    bool // refuses a type other than that of the path
	jumbled   bool // lists hosts as they were created
	listsMore bool // ignores the filter
}

func (s *records) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent kept
	_ = json.NewDecoder(r.Body).Decode(&sent)
	status, body := http.StatusOK, any(nil)
	kind := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	one, there := s.kept[r.URL.Path]
	number, isNumber := sent["port"].(float64)
	text, isText := sent["text"].(string)
	name, isName := sent["name"].(string)
	isValid := sent["type"] == "A" && isNumber && number >= 1 && number <= 9 && number == float64(int(number)) || sent["type"] == "TXT" && isText && s.counts(text) <= 20
	switch {
	case r.URL.Path == "/hosts" && r.Method == http.MethodGet:
		hosts := slices.Clone(s.hosts)
		nameOf := func(host any) string { return host.(kept)["name"].(string) }
		if !s.jumbled {
			slices.SortFunc(hosts, func(a, b any) int { return strings.Compare(nameOf(a), nameOf(b)) })
		}
		asked := r.URL.Query()
		body = slices.DeleteFunc(hosts, func(host any) bool { return asked.Has("name") && !s.listsMore && nameOf(host) != asked.Get("name") })
	case r.URL.Path == "/hosts" && isName && strings.Contains(strings.Trim(name, "."), ".") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == "" && !strings.Contains("."+name+".", ".."):
		sent["id"] = len(s.hosts) + 1
		status, body, s.hosts = http.StatusCreated, sent, append(s.hosts, sent)
	case r.URL.Path == "/hosts":
		status = http.StatusBadRequest
	case r.Method == http.MethodPut && (!isValid || s.strict && sent["type"] != kind):
		status = http.StatusBadRequest
	case r.Method == http.MethodPut:
		s.kept[r.URL.Path], body = sent, sent
		if !there {
			status = http.StatusCreated
		}
	case !there:
		status = http.StatusNotFound
	case r.Method == http.MethodDelete:
		if status = http.StatusNoContent; !s.retains {
			delete(s.kept, r.URL.Path)
		}
	default:
		body = one
	}
	if body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

// TestRecords: a key may have a part that the contract lists. The type in a body is that in the path, so that each kind
// of record is reached. Host names are filtered and sorted like other texts.
func TestRecords(t *testing.T) {
	config := contractOf(t, recordDocument)
	config.Only = []string{"*/state/*", "putRecord/accepts"}
	for name, row := range map[string]struct {
		how  func(*records)
		want string
	}{
		"faithful":             {func(s *records) { s.strict = true }, ""},
		"any type":             {func(*records) {}, ""},
		"retains":              {func(s *records) { s.strict, s.retains = true, true }, "getRecord/state/deleted"},
		"a shorter text":       {func(s *records) { s.strict, s.counts = true, func(text string) int { return len(text) + 1 } }, "putRecord/accepts"},
		"hosts in no order":    {func(s *records) { s.jumbled = true }, "listHosts/state/sorted"},
		"hosts of other names": {func(s *records) { s.listsMore = true }, "listHosts/state/filtered"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := &records{kept: map[string]kept{}, counts: utf8.RuneCountInString}, config
			row.how(s)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", s
			r := run(t, c)
			if got := strings.Join(stateFindings(r), " ") + firstOf(r); got != row.want && !(strings.HasPrefix(row.want, "put") && strings.Contains(got, row.want)) {
				t.Errorf("found %q, want %q", got, row.want)
			}
		})
	}
}
