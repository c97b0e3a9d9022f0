package suites_test

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/verdict"
)

var slotIsNumber = regexp.MustCompile(`"slot"\s*:\s*[0-9.]`)

// TestWhatADocumentLeavesOpen: services that differ in what their document, or HTTP, permits, and
// some that go too far.
func TestWhatADocumentLeavesOpen(t *testing.T) {
	const fine = "responses: {'200': {description: d}, '400': {description: d}}"
	status := func(is func(r *http.Request, body string) int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.WriteHeader(is(r, string(body)))
		}
	}
	always := status(func(*http.Request, string) int { return http.StatusOK })
	unless := func(refused bool) int {
		if refused {
			return http.StatusBadRequest
		}
		return http.StatusOK
	}
	bulk := func(ofFault string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var names []any
			body, _ := io.ReadAll(r.Body)
			named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
			if json.Unmarshal(body, &names) != nil || len(names) == 0 || named != "application/json" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			var parts []string
			for _, name := range names {
				part := `{"status":201}`
				if _, isText := name.(string); !isText {
					part = ofFault
				}
				parts = append(parts, part)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusMultiStatus)
			io.WriteString(w, "["+strings.Join(parts, ",")+"]")
		}
	}
	const many = "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {type: string}}}}}, " +
		"responses: {'207': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {status: {type: integer}}}}}}}, '400': {description: d}}}}"
	const bytesOfAny = "/a: {post: {operationId: x, requestBody: {required: true, content: {'*/*': {schema: {type: string, format: binary}}}}, " + fine + "}}"
	const secured = "/a: {get: {operationId: x, security: [{k: []}], " + fine + "}}\ncomponents: {securitySchemes: {k: {type: apiKey, in: header, name: Authorization}}}"
	manySecured := strings.Replace(many, "operationId: x,", "operationId: x, security: [{k: []}],", 1) + "\ncomponents: {securitySchemes: {k: {type: apiKey, in: header, name: Authorization}}}"
	bulkSecured := func(parts string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				bulk(`{"status":422}`)(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusMultiStatus)
			io.WriteString(w, parts)
		}
	}
	const files = "/a: {get: {operationId: all, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {filename: {type: string}}}}}}}}}}\n" +
		"  /a/{filename}: {get: {operationId: x, parameters: [{name: filename, in: path, required: true, schema: {type: string, pattern: '[a-z]\\.txt$'}}], " + fine + "}}"
	listing := func(filename string, status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path != "/a" {
				w.WriteHeader(status)
				return
			}
			io.WriteString(w, `[{"filename":"`+filename+`"}]`)
		}
	}
	const ranged = "/a: {get: {operationId: x, parameters: [{name: Range, in: header, schema: {type: string, pattern: '^bytes=\\d*-\\d*$'}}], " + fine + "}}"
	aRange := regexp.MustCompile(`^bytes=(\d+-\d*|-\d+)$`)
	const anything = "/a: {get: {operationId: x, responses: {'200': {description: d, content: {'*/*': {schema: {type: object}}}}}}}"
	const optional = "/a: {post: {operationId: x, requestBody: {content: {application/json: {schema: {type: object}}}}, " + fine + "}}"
	const nested = "/a: {get: {operationId: x, parameters: [{name: s, in: query, schema: {type: object, properties: {ids: {type: array, items: {type: integer}}}}}], " + fine + "}}"
	const slots = "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [slot], properties: {slot: {type: integer, minimum: 8, maximum: 17}}}}}}, " +
		"responses: {'201': {description: d}, '400': {description: d}, '422': {description: d}}}}"
	booking := func() http.HandlerFunc {
		var lock sync.Mutex
		booked := map[int64]bool{}
		return status(func(r *http.Request, body string) int {
			lock.Lock()
			defer lock.Unlock()
			named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
			var sent struct{ Slot json.Number }
			decoder := json.NewDecoder(strings.NewReader(body))
			err := decoder.Decode(&sent)
			_, more := decoder.Token()
			slot, noInteger := sent.Slot.Int64()
			switch {
			case err != nil, more != io.EOF, noInteger != nil, slot < 8, slot > 17, named != "application/json", !slotIsNumber.MatchString(body):
				return http.StatusBadRequest
			case booked[slot]:
				return http.StatusUnprocessableEntity
			}
			booked[slot] = true
			return http.StatusCreated
		})
	}
	const period = "/a: {get: {operationId: x, parameters: [{name: from, in: query, schema: {type: string, format: date}}, {name: to, in: query, schema: {type: string, format: date}}], " + fine + "}}"
	asked := func(ofReversed int) http.HandlerFunc {
		return status(func(r *http.Request, _ string) int {
			query, status := r.URL.Query(), http.StatusOK
			for name := range query {
				if _, err := time.Parse(time.DateOnly, query.Get(name)); name == "from" && err != nil || name == "to" && err != nil {
					return http.StatusBadRequest
				}
			}
			if query.Has("to") && query.Get("from") > query.Get("to") {
				status = ofReversed
			}
			return status
		})
	}
	beyond := func(ofBeyond int) http.HandlerFunc {
		return status(func(r *http.Request, _ string) int {
			switch one := r.Header.Get("Range"); {
			case one != "" && !aRange.MatchString(one):
				return http.StatusRequestedRangeNotSatisfiable
			case len(one) > len("bytes=1000"):
				return ofBeyond
			}
			return http.StatusOK
		})
	}
	const stays = "/a: {post: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {startDate: {type: string, format: date}, endDate: {type: string, format: date}}}}}}, " + fine + "}}"
	stay := func(ofReversed int) http.HandlerFunc {
		return status(func(r *http.Request, body string) int {
			named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
			sent, dates := map[string]any{}, map[string]time.Time{}
			refused := json.Unmarshal([]byte(body), &sent) != nil || sent == nil || named != "application/json"
			for _, name := range []string{"startDate", "endDate"} {
				if value, there := sent[name]; there {
					text, _ := value.(string)
					at, err := time.Parse(time.DateOnly, text)
					dates[name], refused = at, refused || err != nil
				}
			}
			if len(dates) > 1 && !refused && dates["endDate"].Before(dates["startDate"]) {
				return ofReversed
			}
			return unless(refused)
		})
	}
	const flags = "requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {" +
		"token: {type: boolean, description: 'If there is a cookie, you do not have to submit it.'}, loud: {type: boolean}}}}}}, responses: {'200': {description: d}, '400': {description: d}, '500': {description: d}, '501': {description: d}}"
	flagged := func(answer func(sent map[string]any) int) http.HandlerFunc {
		return status(func(r *http.Request, body string) int {
			var sent map[string]any
			named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
			refused := json.Unmarshal([]byte(body), &sent) != nil || sent == nil || named != "application/json"
			for _, name := range []string{"token", "loud"} {
				value, there := sent[name]
				_, isFlag := value.(bool)
				refused = refused || there && !isFlag
			}
			if refused {
				return http.StatusBadRequest
			}
			return answer(sent)
		})
	}
	loudly := func(code int) http.HandlerFunc {
		return flagged(func(sent map[string]any) int {
			return map[bool]int{true: code, false: http.StatusOK}[sent["loud"] != nil]
		})
	}
	racing := func() http.HandlerFunc {
		var n atomic.Int64
		const often = 3
		return flagged(func(map[string]any) int { return unless(n.Add(1)%often == 0) })
	}
	public := func(more, statuses string) string {
		return "/a: {get: {operationId: x, security: [], " + more + "responses: {'200': {description: d}, " + statuses + ": {description: d}}}}\n  /b: {get: {operationId: y, responses: {'200': {description: d}}}}"
	}
	asking := status(func(r *http.Request, _ string) int {
		return map[bool]int{true: http.StatusUnauthorized, false: http.StatusOK}[r.URL.Path == "/a"]
	})
	const lists = "/a: {get: {operationId: x, parameters: [{name: q, in: query, schema: {type: array, items: {type: string}}}], " + fine + "}}"
	const changes = "operationId: x, parameters: [{name: id, in: path, required: true, schema: {type: string"
	for _, row := range []struct {
		name, paths string
		service     http.HandlerFunc
		want        string // the violated clauses; - if it may get a warning
	}{
		{"the body of DELETE is ignored", "/a: {delete: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: integer}}}}}}, " + fine + "}}", always, ""},
		{"so is that of GET", "/a: {get: {operationId: x, requestBody: {content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}}, " + fine + "}}", always, ""},
		{"any text is a key", secured, status(func(r *http.Request, _ string) int { return unless(r.Header.Get("Authorization") == "") }), ""},
		{"no text is none", secured, always, "x/request/credential"},
		{"a Range is ignored", ranged, always, ""},
		{"a Range that is none is refused", ranged, status(func(r *http.Request, _ string) int {
			one := r.Header.Get("Range")
			return unless(one != "" && !aRange.MatchString(one))
		}), ""},
		{"a required Range that is none is refused", strings.Replace(ranged, "in: header,", "in: header, required: true,", 1), status(func(r *http.Request, _ string) int {
			one := r.Header.Get("Range")
			return unless(one != "" && !aRange.MatchString(one))
		}), ""},
		{"no media type where any will do", anything, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "{}")
		}, ""},
		{"no media type, and JSON against the schema", anything, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "[]")
		}, "x/200/body"},
		{"no bytes are no JSON", optional, status(func(r *http.Request, body string) int {
			named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
			isObject := json.Valid([]byte(body)) && strings.HasPrefix(strings.TrimSpace(body), "{")
			return unless((body != "" || named != "") && (named != "application/json" || !isObject))
		}), ""},
		{"bytes where any media type will do", bytesOfAny, always, ""},
		{"a service that fails with bytes", bytesOfAny, status(func(*http.Request, string) int { return http.StatusInternalServerError }), "x/answers"},
		{"a list in an object of a query", nested, always, ""},
		{"what is there already", slots, booking(), ""},
		{"an id in a list is invalid in the path", files, listing("notes.md", http.StatusBadRequest), ""},
		{"an id in a list is invalid, so there is no such resource", files, listing("notes.md", http.StatusNotFound), ""},
		{"an id in a list is refused in the path", files, listing("notes.txt", http.StatusBadRequest), "-"},
		{"each part is refused without a key", manySecured, bulkSecured(`[{"status":401,"amount":200}]`), ""},
		{"a part is refused without a key", manySecured, bulkSecured(`[{"status":201},{"status":401}]`), "x/request/credential"},
		{"a part of many is refused", many, bulk(`{"status":422}`), ""},
		{"a period that ends before it starts is refused", stays, stay(http.StatusBadRequest), ""},
		{"a service that fails with it", stays, stay(http.StatusInternalServerError), "x/answers"},
		{"a query for a period that ends before it starts is refused", period, asked(http.StatusBadRequest), ""},
		{"a service that fails with such a query", period, asked(http.StatusInternalServerError), "x/answers"},
		{"a Range beyond the end is not satisfiable", strings.Replace(ranged, "'400'", "'416'", 1), beyond(http.StatusRequestedRangeNotSatisfiable), ""},
		{"a service that fails with a Range beyond the end", strings.Replace(ranged, "'400'", "'416'", 1), beyond(http.StatusInternalServerError), "x/answers"},
		{"a declared 501 refuses", "/a: {post: {operationId: x, " + flags + "}}", loudly(http.StatusNotImplemented), ""},
		{"a declared 500 is a failure", "/a: {post: {operationId: x, " + flags + "}}", loudly(http.StatusInternalServerError), "x/answers"},
		{"an undeclared 502 is one", "/a: {post: {operationId: x, " + flags + "}}", loudly(http.StatusBadGateway), "x/answers"},
		{"the texts of a list have a syntax", lists, status(func(r *http.Request, _ string) int {
			return unless(r.URL.Query().Has("q") && !strings.Contains(r.URL.RawQuery, "%3D"))
		}), ""},
		{"a list of one text is taken for a text", lists, status(func(r *http.Request, _ string) int { return unless(len(r.URL.Query()["q"]) == 1) }), "x/accepts"},
		{"what need not be submitted is missing", "/a: {post: {operationId: x, " + flags + "}}", flagged(func(sent map[string]any) int { return unless(sent["token"] == nil) }), ""},
		{"what has no rule is missing", "/a: {post: {operationId: x, " + flags + "}}", flagged(func(sent map[string]any) int { return unless(sent["loud"] == nil && sent["token"] != nil) }), "x/accepts"},
		{"two changes create the same thing", "/a/{id}: {patch: {" + changes + "}}], " + flags + "}}", racing(), ""},
		{"changes of what is there are refused", "/a/{id}: {patch: {" + changes + ", example: red}}], " + flags + "}}", loudly(http.StatusBadRequest), "x/accepts"},
		{"a credential is asked for where none is needed", public("", "default"), asking, "x/accepts"},
		{"a part of many is let through", many, bulk(`{"status":201}`), "x/request/body"},
		{"a credential may be asked for, though none is needed", public("", "'401'"), asking, "-"},
		{"a value of a request is wrong", public("parameters: [{name: pin, in: query, required: true, schema: {type: integer}}], ", "default"), asking, "-"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			warns := row.want == "-"
			row.want = strings.TrimPrefix(row.want, "-")
			c := suites.NewConfig()
			c.Contract = specOf(t, "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  "+row.paths+"\n")
			c.Limits.MaxRequests = sampled(120, c.Limits.MaxRequests)
			c.Unsafe, c.Handler, c.Target.Token = true, row.service, "key"
			r := run(t, c)
			if got := strings.Join(brokenBy(r, false), " "); got != row.want || (r.Verdict == verdict.Nonconformant) != (row.want != "") {
				t.Errorf("breaks %q, want %q: %s", got, row.want, r.Reason)
			}
			if warned := brokenBy(r, true); row.want == "" && warns != slices.Contains(warned, "x/accepts") {
				t.Errorf("warns of %q", warned)
			}
		})
	}
}
