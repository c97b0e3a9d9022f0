package shown_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// written returns a schema of a document of that OpenAPI version, in YAML.
func written(t testing.TB, version, text string) *schema.Schema {
	t.Helper()
	root, err := document.Parse("x.yaml", []byte("openapi: "+version+"\ncomponents: {schemas: {X: "+text+"}}\n"))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return schema.NewSet(root).At(document.Top(root).To("components", "schemas", "X"))
}

// value reads a JSON text.
func value(t testing.TB, text string) any {
	t.Helper()
	read, err := instance.Read(t.Context(), []byte(text), instance.Limits{})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return read.Value
}

// pointers returns the places that are not shown as they were sent.
func pointers(list []shown.Difference) (all string) {
	for _, d := range list {
		all += instance.Pointer(d.Path)
	}
	return all
}

// TestDefaultIsShown: a property that was created without a value has the default, if it is shown.
func TestDefaultIsShown(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {lang: {type: string, default: en}, size: {type: integer, default: 3}, mood: {type: string, default: ''}, list: {type: array, items: {type: string}, default: [a]}}}")
	for _, row := range []struct{ method, sent, shown, want string }{
		{http.MethodPost, `{}`, `{"lang":"en","size":3,"mood":"","list":["a"]}`, ""},
		{http.MethodPost, `{}`, `{"lang":null,"size":3.0}`, ""},
		{http.MethodPost, `{}`, `{"lang":"de","size":3}`, "/lang"},
		{http.MethodPost, `{}`, `{"size":4}`, "/size"},
		{http.MethodPost, `{"size":4}`, `{"size":4}`, ""},
		{http.MethodPost, `{}`, `{"mood":"good","list":["b"]}`, ""},
		{http.MethodPatch, `{}`, `{"lang":"de"}`, ""},
	} {
		sent := []shown.Sent{{Method: row.method, Schema: of, Body: value(t, row.sent)}}
		if got := pointers(shown.Parts(of, sent, value(t, row.shown))); got != row.want {
			t.Errorf("%s %s, shown %s: a difference at %q, want %q", row.method, row.sent, row.shown, got, row.want)
		}
	}
}

// TestEnvelopes: the values are found in the envelope of the response, or of each request body.
func TestEnvelopes(t *testing.T) {
	const note = "{type: object, properties: {title: {type: string}, text: {type: string}}}"
	const wrapped = "{type: object, properties: {note: " + note + "}}"
	const account = "{type: object, properties: {title: {type: string}, password: {type: string}, inner: {type: object, properties: {password: {type: string}, n: {type: integer}}}}}"
	for name, row := range map[string]struct {
		request, response  string
		method             string
		isMergePatch       bool
		first, then, shown string
		pointer            string // of the difference; "" if there is none
	}{
		"both in an envelope":                      {wrapped, wrapped, http.MethodPut, false, `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c"}}`, ""},
		"what was left out is kept":                {wrapped, wrapped, http.MethodPut, false, `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c","text":"b"}}`, "/note/text"},
		"a change loses the rest":                  {wrapped, wrapped, http.MethodPatch, false, `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c"}}`, "/note/text"},
		"the body in an envelope":                  {wrapped, note, http.MethodPut, false, `{"note":{"title":"a"}}`, `{"note":{"title":"c"}}`, `{"title":"a"}`, "/title"},
		"the response in an envelope":              {note, "{type: object, properties: {ok: {type: boolean}, data: " + note + "}}", http.MethodPut, false, `{"title":"a"}`, `{"title":"c"}`, `{"ok":true,"data":{"title":"a"}}`, "/data/title"},
		"a nested object that is another resource": {note, "{type: object, properties: {id: {type: string}, author: " + note + "}}", http.MethodPut, false, `{"title":"a"}`, `{"title":"c"}`, `{"id":"1","author":{"title":"Dr."}}`, ""},
		"an object inside":                         {"{type: object, properties: {name: {type: string}, data: " + note + "}}", "{type: object, properties: {name: {type: string}, data: " + note + "}}", http.MethodPut, false, `{"name":"a"}`, `{"name":"b"}`, `{"name":"a"}`, "/name"},
		"a merge patch keeps":                      {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", http.MethodPatch, true, `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c","text":"b"}}`, ""},
		"a merge patch replaces":                   {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", http.MethodPatch, true, `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c"}}`, "/of"},
		"passwords":                                {account, account, http.MethodPut, false, `{"title":"a"}`, `{"title":"c","password":"d","inner":{"password":"e","n":1}}`, `{"title":"c","password":"**********","inner":{"password":"x","n":1}}`, ""},
		"what is beside a password":                {account, account, http.MethodPut, false, `{"title":"a"}`, `{"title":"c","inner":{"password":"e","n":1}}`, `{"title":"c","inner":{"n":2}}`, "/inner"},
		"a patch may replace":                      {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", http.MethodPatch, false, `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c"}}`, ""},
		"a merge patch removes":                    {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", http.MethodPatch, true, `{"of":{"title":"a","text":"b"}}`, `{"of":{"text":null}}`, `{"of":{"title":"a"}}`, ""},
	} {
		request := written(t, "3.1.0", row.request)
		sent := []shown.Sent{
			{Method: http.MethodPost, Schema: request, Body: value(t, row.first)},
			{Method: row.method, Schema: request, Body: value(t, row.then), MergePatch: row.isMergePatch},
		}
		if got := pointers(shown.Parts(written(t, "3.1.0", row.response), sent, value(t, row.shown))); got != row.pointer {
			t.Errorf("%s: a difference at %q, want %q", name, got, row.pointer)
		}
	}
}

// TestNothingWasSent: a thing that was created without a body may be shown in any way.
func TestNothingWasSent(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {status: {type: string, default: open}}}")
	if got := shown.Parts(of, nil, value(t, `{"status":"closed"}`)); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestDefaultInside: a property that was left out of an inner object has the default, if it is
// shown. An inner object that was not sent has no defaults.
func TestDefaultInside(t *testing.T) {
	const attributes = "{type: object, properties: {title: {type: string}, status: {type: string, default: draft}, at: {type: string, default: now, readOnly: true}, more: {type: object, properties: {n: {type: integer, default: 3}}}}}"
	of := written(t, "3.0.3", "{type: object, required: [data], properties: {data: {type: object, properties: {type: {type: string}, id: {type: string, readOnly: true}, attributes: "+attributes+"}}}}")
	for _, row := range []struct{ method, sent, shown, want string }{
		{http.MethodPost, `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"draft"}}}`, ""},
		{http.MethodPost, `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a"}}}`, ""},
		{http.MethodPost, `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"published"}}}`, "/data/attributes/status"},
		{http.MethodPost, `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","at":"then"}}}`, ""},
		{http.MethodPost, `{"data":{"attributes":{"more":{}}}}`, `{"data":{"attributes":{"more":{"n":4}}}}`, "/data/attributes/more/n"},
		{http.MethodPost, `{"data":{"attributes":{}}}`, `{"data":{"attributes":{"more":{"n":4}}}}`, ""},
		{http.MethodPost, `{"data":{"type":"x"}}`, `{"data":{"type":"x","attributes":{"status":"published"}}}`, ""},
		{http.MethodPatch, `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"published"}}}`, ""},
	} {
		sent := []shown.Sent{{Method: row.method, Schema: of, Body: value(t, row.sent)}}
		if got := pointers(shown.Parts(of, sent, value(t, row.shown))); got != row.want {
			t.Errorf("%s %s, shown %s: a difference at %q, want %q", row.method, row.sent, row.shown, got, row.want)
		}
	}
}

// TestWhatAResponseCannotShow: a value that the schema of the response rejects may be shown in
// another form, or not at all. Other values are compared as usual.
func TestWhatAResponseCannotShow(t *testing.T) {
	request := written(t, "3.0.3", "{type: object, properties: {price: {type: string}, name: {type: string}, list: {type: array, items: {type: string}}, of: {type: object, properties: {code: {type: string}, text: {type: string}}}}}")
	response := written(t, "3.0.3", "{type: object, properties: {price: {type: string, pattern: '^[0-9]+[.][0-9]{2}$'}, name: {type: string}, list: {type: array, items: {type: string, minLength: 2}}, of: {type: object, required: [id], properties: {id: {type: string}, code: {type: string, maxLength: 3}, text: {type: string}}}}}")
	for _, row := range []struct{ sent, shown, want string }{
		{`{"price":"1"}`, `{"price":"1.00"}`, ""},
		{`{"price":"1"}`, `{}`, ""},
		{`{"price":"1.00"}`, `{"price":"2.00"}`, "/price"},
		{`{"price":"1.00"}`, `{}`, "/price"},
		{`{"price":"1","name":"a"}`, `{"price":"1.00","name":"b"}`, "/name"},
		{`{"list":["a","bc"]}`, `{"list":["--","bc"]}`, ""},
		{`{"list":["a","bc"]}`, `{"list":["--","xx"]}`, "/list"},
		{`{"of":{"code":"12345","text":"t"}}`, `{"of":{"id":"1","code":"123","text":"t"}}`, ""},
		{`{"of":{"code":"12345","text":"t"}}`, `{"of":{"id":"1","text":"t"}}`, ""},
		{`{"of":{"code":"12345","text":"t"}}`, `{"of":{"id":"1","code":"123","text":"u"}}`, "/of"},
		{`{"of":{"code":"123","text":"t"}}`, `{"of":{"id":"1","code":"321","text":"t"}}`, "/of"},
		{`{"of":{"text":"t"}}`, `{}`, "/of"},
	} {
		sent := []shown.Sent{{Method: http.MethodPost, Schema: request, Body: value(t, row.sent)}}
		if got := pointers(shown.Parts(response, sent, value(t, row.shown))); got != row.want {
			t.Errorf("%s, shown %s: a difference at %q, want %q", row.sent, row.shown, got, row.want)
		}
	}
}

// TestMaps: a map is compared entry by entry, even if it is the whole body.
func TestMaps(t *testing.T) {
	for _, text := range []string{"{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: true}"} {
		of := written(t, "3.1.0", text)
		for _, row := range []struct {
			method, then, shown string
			want                string // the pointer of the difference
		}{
			{http.MethodPut, `{"b":"new"}`, `{"b":"new"}`, ""},
			{http.MethodPut, `{"b":"new"}`, `{"b":"new","owner":"me"}`, ""},
			{http.MethodPut, `{"b":"new"}`, `{}`, "/b"},
			{http.MethodPut, `{"b":"new"}`, `{"b":"old"}`, "/b"},
			{http.MethodPut, `{"b":"new"}`, `{"a":"old","b":"new"}`, "/a"},
			{http.MethodPut, `{}`, `{"a":"old"}`, "/a"},
			{http.MethodPut, `{}`, `{"a":"another"}`, ""},
			{http.MethodPatch, `{"b":"new"}`, `{"a":"old","b":"new"}`, ""},
			{http.MethodPatch, `{"b":"new"}`, `{"b":"new"}`, "/a"},
		} {
			sent := []shown.Sent{{Method: http.MethodPut, Schema: of, Body: value(t, `{"a":"old"}`)}, {Method: row.method, Schema: of, Body: value(t, row.then), MergePatch: row.method == http.MethodPatch}}
			if got := pointers(shown.Parts(of, sent, value(t, row.shown))); got != row.want {
				t.Errorf("%s, then %s is shown: a difference at %q, want %q", row.then, row.shown, got, row.want)
			}
		}
		if got := pointers(shown.Whole(of.Shape(), map[string]any{"a": "new"}, map[string]any{"a": "old"}, false)); got != "/a" {
			t.Errorf("a difference at %q", got)
		}
	}
}

// TestNull: a value instead of null is a difference, unless the service may choose the value or
// shows an empty one.
func TestNull(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {note: {type: string, nullable: true}, mood: {type: string, nullable: true, default: calm}, size: {type: integer, nullable: true}, ownerId: {type: string, nullable: true}}}")
	sent := []shown.Sent{{Method: http.MethodPost, Schema: of, Body: value(t, `{"note":null,"mood":null,"size":null,"ownerId":null}`)}}
	for text, want := range map[string]int{
		`{"note":null,"mood":null,"size":null,"ownerId":null}`: 0, `{}`: 0, `{"note":"","mood":"calm","size":0,"ownerId":"me"}`: 0,
		`{"note":"null"}`: 1, `{"note":"None","size":7}`: 2,
	} {
		if got := shown.Parts(of, sent, value(t, text)); len(got) != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestUnlikeSchemas: properties that a request cannot set, or a response cannot show, are not
// compared.
func TestUnlikeSchemas(t *testing.T) {
	const parent = "{type: object, properties: {id: {type: string}, by: {type: string}}}"
	const asShown = "{type: object, properties: {id: {type: string}, name: {type: string}}}"
	create := written(t, "3.0.3", "{type: object, properties: {kind: {type: string}, name: {type: string}, parent: "+parent+"}}")
	replace := written(t, "3.0.3", "{type: object, properties: {name: {type: string}, parent: "+parent+", role: {type: string, enum: [a, b]}, tint: {type: string, enum: [red]}, note: {type: string, maxLength: 9}, day: {type: string}, by: {type: array, items: "+parent+"}, parts: {type: array, items: {type: object, properties: {size: {type: string}}}}}}")
	read := written(t, "3.0.3", "{type: object, properties: {kind: {type: string}, name: {type: string}, parent: "+asShown+", role: {type: string, nullable: true, enum: [c, b, a]}, tint: {type: string, enum: [rot]}, note: {type: string, nullable: true}, day: {type: string, format: date}, by: {type: array, items: "+asShown+"}, parts: {type: array, items: {type: object, properties: {part_id: {type: string}}}}}}")
	sent := []shown.Sent{
		{Method: http.MethodPost, Schema: create, Body: value(t, `{"kind":"a","name":"b","parent":{"id":"1","by":"me"}}`)},
		{Method: http.MethodPut, Schema: replace, Body: value(t, `{"parent":{"id":"2","by":"me"},"role":"a","tint":"red","note":"n","day":"d","by":[{"id":"1","by":"me"}],"parts":[{"size":"s"}]}`)},
	}
	rest := `"role":"a","note":"n","by":[{"id":"1","name":"one"}]`
	for text, want := range map[string]bool{
		`{"kind":"a","parent":{"id":"2"},` + rest + `}`:                                true, // the second request cannot set kind, the response cannot show by
		`{"parent":{"id":"2","name":"a parent"},` + rest + `}`:                         true,
		`{"parent":{"id":"2"},"tint":"rot","day":"2026-11-23",` + rest + `}`:           true, // tint and day mean something else in the response
		`{"parent":{"id":"2"},"parts":[{"part_id":"1"},{"part_id":"2"}],` + rest + `}`: true, // such parts are something else
		`{"parent":{"id":"1"},` + rest + `}`:                                           false,
		`{"parent":{"name":"a parent"},` + rest + `}`:                                  false,
		`{"name":"b","parent":{"id":"2"},` + rest + `}`:                                false,
		`{"parent":{"id":"2","by":"somebody"},` + rest + `}`:                           true, // the id names another resource
		`{"parent":{"id":"2"},"role":"c","note":"n","by":[{"id":"1"}]}`:                false,
		`{"parent":{"id":"2"},"role":"a","note":"m","by":[{"id":"1"}]}`:                false,
		`{"parent":{"id":"2"},"role":"a","note":"n","by":[{"id":"2"}]}`:                false,
		`{"parent":{"id":"2"},"role":"a","note":"n","by":[{"id":"1"},{"id":"1"}]}`:     false,
	} {
		if got := shown.Parts(read, sent, value(t, text)); (len(got) == 0) != want {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}

// TestShownDefault: a property that a request leaves out may be shown with its default, even if it
// was sent before. So may a required property that cannot be null.
func TestShownDefault(t *testing.T) {
	const c = "{type: string, nullable: true}"
	request := written(t, "3.0.3", "{type: object, properties: {a: {type: string, default: en}, b: {type: string}, c: "+c+", d: {type: string}}}")
	response := written(t, "3.0.3", "{type: object, required: [c, d], properties: {a: {type: string}, b: {type: string}, c: "+c+", d: {type: string}}}")
	first := value(t, `{"a":"en","b":"de","c":"fr","d":"it"}`)
	sent := []shown.Sent{{Method: http.MethodPut, Schema: request, Body: first}, {Method: http.MethodPut, Schema: request, Body: map[string]any{}}}
	if got := pointers(shown.Parts(response, sent, first)); got != "/b/c" {
		t.Errorf("differences at %q", got)
	}
}

// TestReplaced: after a replacement, a response shows what was sent and what the service adds, but
// no values from before.
func TestReplaced(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {may: {type: object, properties: {set: {type: array, uniqueItems: true, items: {}}, sorted: {type: array, items: {}, description: Kept in ascending order.}}, additionalProperties: {type: array, items: {}}}, other: {}}}")
	for name, row := range map[string]struct {
		first, second, shown string
		want                 bool
	}{
		"what was sent":           {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":["y"]}`, true},
		"an addition":             {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":["y","owner"],"b":["owner"]}`, true},
		"an addition before":      {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":["owner","y"]}`, true},
		"as a set":                {`{"a":["x"]}`, `{"a":["y","y","x"]}`, `{"a":["y","x","owner"]}`, true},
		"what was there before":   {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":["y","x"]}`, false},
		"nothing of it":           {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":[]}`, false},
		"a part of it":            {`{"a":["x"]}`, `{"a":["y","z"]}`, `{"a":["z","owner"]}`, false},
		"in another order":        {`{"a":["x"]}`, `{"a":["y","z"]}`, `{"a":["z","y"]}`, false},
		"an addition to an item":  {`{"a":[{"n":1}]}`, `{"a":[{"n":2}]}`, `{"a":[{"id":7,"n":2}]}`, true},
		"an item with the old":    {`{"a":[{"n":1}]}`, `{"a":[{"n":2}]}`, `{"a":[{"id":7,"n":1}]}`, false},
		"something else instead":  {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":"y"}`, false},
		"null instead":            {`{"a":["x"]}`, `{"a":["y"]}`, `{"a":null}`, false},
		"a set in another order":  {`{"set":["x"]}`, `{"set":["y","z"]}`, `{"set":["z","y"]}`, true},
		"a list that is sorted":   {`{"sorted":["x"]}`, `{"sorted":["z","y"]}`, `{"sorted":["y","z"]}`, true},
		"sorted, without one":     {`{"sorted":["x"]}`, `{"sorted":["z","y"]}`, `{"sorted":["y"]}`, false},
		"two lines of one thing":  {`{"a":[]}`, `{"a":[{"sku":"x","n":1},{"sku":"x","n":2}]}`, `{"a":[{"sku":"x","n":3}]}`, true},
		"lines of two things":     {`{"a":[]}`, `{"a":[{"sku":"x","n":1},{"sku":"y","n":2}]}`, `{"a":[{"sku":"x","n":3}]}`, false},
		"two lines with one size": {`{"a":[]}`, `{"a":[{"size":"x","n":1},{"size":"x","n":2}]}`, `{"a":[{"size":"x","n":3}]}`, false},
		"a set without an item":   {`{"set":["x"]}`, `{"set":["y","z"]}`, `{"set":["z"]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []shown.Sent
			for _, body := range []string{row.first, row.second} {
				sent = append(sent, shown.Sent{Method: http.MethodPut, Schema: of, Body: value(t, `{"may":`+body+`}`)})
			}
			if got := shown.Parts(of, sent, value(t, `{"may":`+row.shown+`}`)); (len(got) == 0) != row.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestRemovedByNull: null in a change removes the value, or is the new value (RFC 7396 §2). In both
// cases the old value is wrong.
func TestRemovedByNull(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, required: [name], properties: {name: {type: string, nullable: true}}}")
	sent := []shown.Sent{{Method: http.MethodPost, Schema: of, Body: value(t, `{"name":"a plant"}`)}, {Method: http.MethodPatch, Schema: of, Body: value(t, `{"name":null}`)}}
	for text, want := range map[string]int{`{"name":null}`: 0, `{"name":"another"}`: 0, `{"name":"a plant"}`: 1} {
		if got := shown.Parts(of, sent, value(t, text)); len(got) != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestChangedTexts: a finding shows the first characters that differ, with their code points if
// they are hard to read.
func TestChangedTexts(t *testing.T) {
	of := written(t, "3.0.3", "{type: object, properties: {name: {type: string}}}").Shape()
	for _, row := range []struct{ sent, got, want string }{
		{"fern", "moss", "at character 1, sent “fern”, got “moss”"},
		{"", "x", "at character 1, sent nothing, got “x”"},
		{"a", "", "at character 1, sent “a”, got nothing"},
		{"a &amp; b", "a & b", "at character 4, sent “amp;”, got nothing"},
		{"conformance d'or", "conformance d&#39;or", "at character 14, sent “'” (U+0027), got “&#39;”"},
		{" a ", "a", "at character 1, sent “ a ”, got “a”"},
		{"a\u00a0\u200b", "a", "at character 2, sent U+00A0 U+200B, got nothing"},
		{"a\u0000b", "a", "at character 2, sent “\x00b” (U+0000 U+0062), got nothing"},
		{"aéé", "aé\ufffd", "at character 3, sent “é” (U+00E9), got “\ufffd” (U+FFFD)"},
		{"e\u0301", "\u00e9", "at character 1, sent “e\u0301” (U+0065 U+0301), got “é” (U+00E9)"},
		{"a🌱b", "a??b", "at character 2, sent “🌱” (U+1F331), got “??”"},
		{"ab" + strings.Repeat("x", 20), "a", "at character 2, sent “b” and 20 more, got nothing"},
	} {
		t.Run(row.want, func(t *testing.T) {
			list := shown.Whole(of, map[string]any{"name": row.sent}, map[string]any{"name": row.got}, false)
			if want := "comes back changed: " + row.want; len(list) != 1 || list[0].Message != want {
				t.Errorf("%q, %q\ngot  %+v\nwant %s", row.sent, row.got, list, want)
			}
		})
	}
}

// TestJSONPatch: properties that an operation adds, replaces or removes by name are compared (RFC
// 6902 §4). Properties with an unknown result are not.
func TestJSONPatch(t *testing.T) {
	of := written(t, "3.1.0", "{type: object, properties: {id: {type: string, readOnly: true}, title: {type: string}, text: {type: string}, a/b: {type: string}, tags: {type: array, items: {type: string}}}}")
	operations := written(t, "3.1.0", "{type: array, items: {type: object}}")
	for name, row := range map[string]struct {
		patch, shown string
		want         string // the pointers of the differences
	}{
		"replaced":                     {`[{"op":"replace","path":"/text","value":"c"}]`, `{"title":"a","text":"c","tags":["x"]}`, ""},
		"not replaced":                 {`[{"op":"replace","path":"/text","value":"c"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/text"},
		"replaced, and the rest lost":  {`[{"op":"replace","path":"/text","value":"c"}]`, `{"text":"c"}`, "/title/tags"},
		"not added":                    {`[{"op":"add","path":"/a~1b","value":"c"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/a~1b"},
		"the last of two":              {`[{"op":"add","path":"/text","value":"c"},{"op":"replace","path":"/text","value":"d"}]`, `{"title":"a","text":"d","tags":["x"]}`, ""},
		"removed":                      {`[{"op":"remove","path":"/text"}]`, `{"title":"a","tags":["x"]}`, ""},
		"not removed":                  {`[{"op":"remove","path":"/text"}]`, `{"title":"a","text":"b","tags":["x"]}`, "/text"},
		"tested alone":                 {`[{"op":"test","path":"/text","value":"b"}]`, `{"title":"a","text":"c","tags":["x"]}`, "/text"},
		"moved":                        {`[{"op":"move","from":"/text","path":"/title"}]`, `{"title":"b","tags":["x"]}`, ""},
		"an item of a list":            {`[{"op":"add","path":"/tags/-","value":"y"}]`, `{"title":"a","text":"b","tags":["x","y"]}`, ""},
		"the whole":                    {`[{"op":"replace","path":"","value":{"title":"z"}}]`, `{"title":"z"}`, ""},
		"what the service sets itself": {`[{"op":"replace","path":"/id","value":"7"}]`, `{"id":"1","title":"a","text":"b","tags":["x"]}`, ""},
		"no list of operations":        {`{"text":"c"}`, `{"title":"q"}`, ""},
	} {
		sent := []shown.Sent{
			{Method: http.MethodPost, Schema: of, Body: value(t, `{"title":"a","text":"b","tags":["x"]}`)},
			{Method: http.MethodPatch, Schema: operations, Body: value(t, row.patch), Patch: true},
		}
		if got := pointers(shown.Parts(of, sent, value(t, row.shown))); got != row.want {
			t.Errorf("%s: a difference at %q, want %q", name, got, row.want)
		}
	}
}

// TestList: which of the lists in a response holds its entries.
func TestList(t *testing.T) {
	const texts, items, other = "{type: array, items: {type: string}}", "{type: array, items: {type: object, properties: {id: {type: string}, n: {type: integer}}}}", "{type: array, items: {type: object, properties: {rel: {type: string}}}}"
	const inside = "{type: array, items: {type: object, properties: {url: {type: string}, resource: {type: object, properties: {id: {type: string}}}}}}"
	for _, row := range []struct{ name, properties, body, want string }{
		{"one of texts", "{a: " + texts + "}", `{"a":["x"]}`, `["x"]`},
		{"another one that is not described", "{a: " + texts + "}", `{"a":["x"],"b":["y"]}`, `["x"]`},
		{"the one with ids", "{schemas: " + texts + ", Resources: " + items + ", links: " + other + "}", `{"schemas":["x"],"Resources":[{"id":"1"}],"links":[]}`, `[{"id":"1"}]`},
		{"which is left out", "{schemas: " + texts + ", Resources: " + items + "}", `{"schemas":["x"]}`, `none`},
		{"ids one level deeper", "{link: " + other + ", entry: " + inside + "}", `{"link":[{"rel":"self"}],"entry":[{"resource":{"id":"1"}}]}`, `[{"resource":{"id":"1"}}]`},
		{"the only one of objects", "{books: " + other + ", unreachable: " + texts + "}", `{"books":[],"unreachable":["x"]}`, `[]`},
		{"two with ids, and a usual name", "{data: " + items + ", included: " + items + "}", `{"data":[],"included":[{"id":"1"}]}`, `[]`},
		{"two alike", "{open: " + items + ", done: " + items + "}", `{"open":[{"id":"1"}],"done":[]}`, `none`},
		{"below another object", "{page: {type: object, properties: {n: {type: integer}}}, _embedded: {type: object, properties: {shelves: " + items + ", words: " + texts + "}}}", `{"_embedded":{"words":["x"],"shelves":[]}}`, `[]`},
		{"one that may be null", "{items: {nullable: true, " + items[1:] + ", total: {type: integer}}", `{"items":[{"id":"1"}],"total":1}`, `[{"id":"1"}]`},
		{"which is null", "{items: {nullable: true, " + items[1:] + "}", `{"items":null,"other":[1]}`, `none`},
		{"none that is described", "{}", `{"any":[1]}`, `[1]`},
	} {
		of := written(t, "3.0.3", "{type: object, properties: "+row.properties+"}").Shape()
		got := "none"
		if list, ok := shown.List([]*schema.Shape{of}, value(t, row.body)); ok {
			text, _ := json.Marshal(list)
			got = string(text)
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}
