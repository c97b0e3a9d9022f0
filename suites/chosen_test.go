package suites_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/plantstore/conformance/suites/verdict"
)

// flagDocument has flags whose keys clients choose, in environments that the document lists.
const flagDocument = `openapi: 3.1.0
info: {title: Flags, version: '1'}
paths:
  /envs/{env}/flags/{key}:
    parameters:
      - {name: env, in: path, required: true, schema: {type: string, enum: [dev, prod]}}
      - {name: key, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9-]{1,40}$'}}
    get: {operationId: getFlag, responses: {'200': &flag {description: the flag, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, '404': {description: none}}}
    put:
      operationId: putFlag
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
      responses: {'200': *flag, '201': *flag, '400': {description: invalid}}
    delete: {operationId: deleteFlag, responses: {'204': {description: gone}, '404': {description: none}}}
components:
  schemas:
    Flag: {type: object, required: [title], properties: {title: {type: string, minLength: 1, maxLength: 80}, note: {type: string, maxLength: 80}}}
`

// versionedFlags is the same document with versions, which a replacement must name.
func versionedFlags(ifMatch string) string {
	return strings.NewReplacer(
		"description: the flag", "description: the flag, headers: {ETag: {schema: {type: string}}}",
		"operationId: putFlag", "operationId: putFlag\n      parameters: [{name: If-Match, in: header, schema: {type: string, pattern: '"+ifMatch+"'}}]",
		"'400': {", "'412': {description: another version}, '428': {description: no version}, '400': {",
	).Replace(flagDocument)
}

// TestThingsThatPutCreates: a thing that PUT creates is replaced by PUT, read again, and removed.
func TestThingsThatPutCreates(t *testing.T) {
	lost := func(sent, before map[string]any) map[string]any {
		if before != nil {
			return before
		}
		return sent
	}
	is := func(given, tag string) bool { return given == tag }
	const quoted = `^(W/)?"[0-9a-f]{8}"$`
	for name, row := range map[string]struct {
		ifMatch string // its pattern, if things have versions
		weak    string // the prefix of each version
		match   func(given, tag string) bool
		store   func(sent, before map[string]any) map[string]any
		asks    bool // for the version
		keeps   bool // deleted things
		quiet   bool // about new things
		want    []string
	}{
		"faithful":                               {},
		"has versions":                           {asks: true, ifMatch: quoted, match: is},
		"has versions that never match":          {asks: true, ifMatch: quoted, weak: "W/", match: func(string, string) bool { return false }},
		"has versions that If-Match cannot name": {asks: true, ifMatch: "^[0-9a-f]{8}$", match: func(given, tag string) bool { return `"`+given+`"` == tag }},
		"refuses the current version":            {asks: true, ifMatch: quoted, match: func(string, string) bool { return false }, want: []string{"putFlag/state/current"}},
		"takes any version":                      {asks: true, ifMatch: quoted, match: func(string, string) bool { return true }, want: []string{"putFlag/state/precondition"}},
		"an update with its version is lost":     {asks: true, ifMatch: quoted, match: is, store: lost, want: []string{"getFlag/state/replaced"}},
		"need not be asked for a version":        {ifMatch: quoted, match: is},
		"an update without its version is lost":  {ifMatch: quoted, weak: "W/", match: func(string, string) bool { return false }, store: lost, want: []string{"getFlag/state/replaced"}},
		"an update is lost":                      {store: lost, want: []string{"getFlag/state/replaced"}},
		"an update is a merge": {store: func(sent, before map[string]any) map[string]any {
			all := map[string]any{}
			maps.Copy(all, before)
			maps.Copy(all, sent)
			return all
		}, want: []string{"getFlag/state/replaced"}},
		"nothing is deleted":     {keeps: true, want: []string{"getFlag/state/deleted"}},
		"a creation is not told": {quiet: true, want: []string{"putFlag/accepts"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := flagDocument
			if row.match != nil {
				document = versionedFlags(row.ifMatch)
			}
			c := contractOf(t, document)
			var mu sync.Mutex
			kept := map[string]map[string]any{}
			c.Only = []string{"*/state/*"}
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				before := kept[r.URL.Path]
				tag, given := "", r.Header.Get("If-Match")
				show := func(one map[string]any) {
					if row.match != nil && one != nil {
						tag = fmt.Sprintf("%s\"%08x\"", row.weak, crc32.ChecksumIEEE(fmt.Append(nil, one)))
						w.Header().Set("ETag", tag)
					}
				}
				show(before)
				switch {
				case r.Method == http.MethodPut && given == "" && tag != "" && row.asks:
					w.WriteHeader(http.StatusPreconditionRequired)
					return
				case r.Method == http.MethodPut && given != "" && !row.match(given, tag):
					w.WriteHeader(http.StatusPreconditionFailed)
					return
				case r.Method == http.MethodPut:
					var sent map[string]any
					body, _ := io.ReadAll(r.Body)
					if _ = json.Unmarshal(body, &sent); sent["title"] == nil {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					if row.store != nil {
						sent = row.store(sent, before)
					}
					kept[r.URL.Path] = sent
					show(sent)
				case before == nil:
					w.WriteHeader(http.StatusNotFound)
					return
				case r.Method == http.MethodDelete:
					if !row.keeps {
						delete(kept, r.URL.Path)
					}
					w.WriteHeader(http.StatusNoContent)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				if r.Method == http.MethodPut && before == nil && !row.quiet {
					w.WriteHeader(http.StatusCreated)
				}
				_ = json.NewEncoder(w).Encode(kept[r.URL.Path])
			})
			r := run(t, c)
			found := warned(r)
			if !slices.Equal(found, row.want) {
				t.Errorf("found %v, want %v%s", found, row.want, firstOf(r))
			}
			if left := slices.Collect(maps.Keys(kept)); !row.keeps && len(left) > 0 {
				t.Errorf("not removed: %s", strings.Join(left, ", "))
			}
		})
	}
}

const fileDocument = `openapi: 3.1.0
info: {title: Files, version: '1'}
paths:
  /files/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9-]{1,40}$'}}]
    get: {operationId: getFile, responses: {'200': {description: the file, content: {MEDIA: {schema: {type: string}}}}, '404': {description: none}}}
    put: {operationId: putFile, requestBody: {required: true, content: {MEDIA: {schema: {type: string}}}}, responses: {'201': {description: new}, '204': {description: replaced}, '400': {description: invalid}}}
    delete: {operationId: deleteFile, responses: {'204': {description: gone}, '404': {description: none}}}
`

// TestOctets: after a PUT of octets, a read returns these and never the earlier ones. Other formats
// may be rewritten.
func TestOctets(t *testing.T) {
	keepsOld := func(sent, before string) string { return cmp.Or(before, sent) }
	short := func(sent, _ string) string { return sent[:len(sent)-1] }
	lines := func(sent, _ string) string { return strings.ReplaceAll(sent, " ", "\r\n") + "\n" }
	for name, row := range map[string]struct {
		media string
		store func(sent, before string) string
		shown string // the media type of a response; "" means that of the document
		want  []string
	}{
		"octets":                    {media: "application/octet-stream"},
		"old octets":                {"application/octet-stream", keepsOld, "", []string{"getFile/state/replaced"}},
		"fewer octets":              {"application/octet-stream", short, "", []string{"getFile/state/created", "getFile/state/replaced"}},
		"old octets in a wrong one": {"application/octet-stream", keepsOld, "text/plain", []string{"getFile/200/media-type"}},
		"a text with other lines":   {media: "text/plain", store: lines, shown: "text/plain; charset=utf-8"},
		"an old text":               {"text/plain", keepsOld, "text/plain; charset=utf-8", []string{"getFile/state/replaced"}},
		"an old document":           {"application/vnd.acme.note", keepsOld, "", []string{"getFile/state/replaced"}},
		"an old image":              {media: "image/png", store: keepsOld},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, strings.ReplaceAll(fileDocument, "MEDIA", row.media))
			c.Only = []string{"*/state/*"}
			var mu sync.Mutex
			kept := map[string]string{}
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				before, has := kept[r.URL.Path]
				body, _ := io.ReadAll(r.Body)
				switch sent := string(body); {
				case r.Method == http.MethodPut && (r.Header.Get("Content-Type") != row.media || sent == ""):
					w.WriteHeader(http.StatusBadRequest)
				case r.Method == http.MethodPut:
					if row.store != nil {
						sent = row.store(sent, before)
					}
					kept[r.URL.Path] = sent
					w.WriteHeader(map[bool]int{true: http.StatusNoContent, false: http.StatusCreated}[has])
				case !has:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodDelete:
					delete(kept, r.URL.Path)
					w.WriteHeader(http.StatusNoContent)
				default:
					w.Header().Set("Content-Type", cmp.Or(row.shown, row.media))
					_, _ = io.WriteString(w, before)
				}
			})
			if r := run(t, c); !slices.Equal(warned(r), row.want) {
				t.Errorf("found %v, want %v%s", warned(r), row.want, firstOf(r))
			}
		})
	}
}

const followDocument = `openapi: 3.0.3
info: {title: Followers, version: '1'}
paths:
  /people:
    post: {operationId: addPerson, requestBody: {required: true, content: {application/json: {schema: &person {type: object, required: [nick], properties: {nick: {$ref: '#/components/schemas/Nick'}}}}}}, responses: {'201': {description: d, content: {application/json: {schema: *person}}}, '400': {description: d}, '409': {description: d}}}
  /people/{nick}/following: {get: {operationId: listFollowing, parameters: [{name: nick, in: path, required: true, schema: {$ref: '#/components/schemas/Nick'}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: *person}}}}, '404': {description: d}}}}
  /people/{nick}/following/{other}:
    parameters: [{name: nick, in: path, required: true, schema: {$ref: '#/components/schemas/Nick'}}, {name: other, in: path, required: true, schema: {$ref: '#/components/schemas/Nick'}}]
    get: {operationId: checkFollow, responses: &follow {'200': {description: d, content: {application/json: {schema: {type: object, required: [since], properties: {since: {type: string}}}}}}, '404': {description: d}}}
    put: {operationId: follow, responses: *follow}
components: {schemas: {Nick: {type: string, pattern: '^[a-z0-9]{3,20}$'}}}
`

// TestRelations: PUT relates two things that the run has created. Nobody can follow themselves.
func TestRelations(t *testing.T) {
	for name, row := range map[string]struct {
		forgets bool
		hides   bool // whom somebody follows
		want    []string
	}{
		"faithful":                 {},
		"forgets who follows whom": {true, false, []string{"checkFollow/accepts", "listFollowing/state/listed"}},
		"lists nobody":             {false, true, []string{"listFollowing/state/listed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := contractOf(t, followDocument)
			var mu sync.Mutex
			people, follows := map[string]bool{}, map[string]bool{}
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				w.Header().Set("Content-Type", "application/json")
				var sent map[string]any
				named, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
				pair := strings.Split(r.URL.Path, "/")
				switch {
				case r.Method == http.MethodPost:
					body, _ := io.ReadAll(r.Body)
					fault := json.Unmarshal(body, &sent)
					nick, _ := sent["nick"].(string)
					if fault != nil || named != "application/json" || !nicks.MatchString(nick) || people[nick] {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					people[nick] = true
					w.WriteHeader(http.StatusCreated)
					_ = json.NewEncoder(w).Encode(map[string]string{"nick": nick})
					return
				case len(pair) == 4 && people[pair[2]]:
					list := []map[string]string{}
					for where := range follows {
						if other, is := strings.CutPrefix(where, r.URL.Path+"/"); is && !row.hides {
							list = append(list, map[string]string{"nick": other})
						}
					}
					_ = json.NewEncoder(w).Encode(list)
					return
				case len(pair) != 5 || !people[pair[2]] || !people[pair[4]] || r.Method == http.MethodGet && !follows[r.URL.Path], pair[2] == pair[4]:
					w.WriteHeader(http.StatusNotFound)
					return
				case r.Method == http.MethodPut && !row.forgets:
					follows[r.URL.Path] = true
				}
				_, _ = io.WriteString(w, `{"since":"today"}`)
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) {
				t.Errorf("found %v, want %v%s", got, row.want, firstOf(r))
			}
			for _, one := range r.Clauses {
				if one.ID == "follow/200/body/since" && one.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", one.ID, one.Status)
				}
			}
		})
	}
}

var nicks = regexp.MustCompile(`^[a-z0-9]{3,20}$`)

const uploadDocument = `openapi: 3.0.3
info: {title: Uploads, version: '1'}
paths:
  /files: {post: {operationId: upload, requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary}}}}}}, responses: {'201': {description: new, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}, '202': {description: later, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}, '400': {description: invalid}, '409': {description: There is a file with this name}}}}
  /files/{id}: {delete: {operationId: remove, parameters: [&id {name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: gone}, '404': {description: none}}}}
  /files/{id}/content: {get: {operationId: download, parameters: [*id], responses: {'200': {description: the bytes, content: {application/octet-stream: {schema: {type: string, format: binary}}, text/plain: {schema: {type: string}}}}, '404': {description: none}}}}
`

// TestUploads: the content of a file that a form uploads is shown as it was sent. A service may
// refuse a second file with the same name.
func TestUploads(t *testing.T) {
	for name, row := range map[string]struct {
		status int
		store  func(sent []byte) []byte
		shown  string
		want   []string
	}{
		"cuts an image":         {http.StatusCreated, func(sent []byte) []byte { return sent[:1] }, "application/octet-stream", []string{"download/state/created"}},
		"faithful":              {http.StatusCreated, bytes.Clone, "application/octet-stream", nil},
		"as text":               {http.StatusCreated, bytes.ToUpper, "text/plain", nil},
		"scans it before":       {http.StatusAccepted, func([]byte) []byte { return []byte{} }, "application/octet-stream", nil},
		"an empty file":         {http.StatusCreated, func([]byte) []byte { return []byte{} }, "application/octet-stream", []string{"download/state/created"}},
		"only its first letter": {http.StatusCreated, func(sent []byte) []byte { return sent[:1] }, "application/octet-stream", []string{"download/state/created"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, field := uploadDocument, "file"
			if name == "cuts an image" { // the path names the file as the form does
				field = "image"
				document = strings.NewReplacer("required: [file]", "required: [image]", "file: {type", "image: {type", "/content:", "/image:").Replace(document)
			}
			c := contractOf(t, document)
			var mu sync.Mutex
			kept, names := map[string][]byte{}, map[string]bool{}
			c.Target.BaseURL = "http://service.example"
			c.Target.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				id := strings.Split(r.URL.Path+"//", "/")[2]
				file, header, err := r.FormFile(field)
				switch {
				case r.Method == http.MethodPost && err != nil:
					w.WriteHeader(http.StatusBadRequest)
				case r.Method == http.MethodPost && names[header.Filename]:
					w.WriteHeader(http.StatusConflict)
				case r.Method == http.MethodPost:
					sent, _ := io.ReadAll(file)
					id, names[header.Filename] = strconv.Itoa(len(names)), true
					kept[id] = row.store(sent)
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(row.status)
					_, _ = fmt.Fprintf(w, `{"id":%q}`, id)
				case kept[id] == nil:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodDelete:
					delete(kept, id)
					w.WriteHeader(http.StatusNoContent)
				default:
					w.Header().Set("Content-Type", row.shown)
					_, _ = w.Write(kept[id])
				}
			})
			r := run(t, c)
			if got := warned(r); !slices.Equal(got, row.want) || len(r.Reached.Missing) > 0 {
				t.Errorf("found %v, want %v, not reached: %+v%s", got, row.want, r.Reached.Missing, firstOf(r))
			}
		})
	}
}
