package spec_test

import (
	"cmp"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// TestDefaultIsShown: what is made without a value has the default, if it is shown at all.
func TestDefaultIsShown(t *testing.T) {
	const thing = "{type: object, properties: {lang: {type: string, default: en}, size: {type: integer, default: 3}, mood: {type: string, default: ''}, list: {type: array, items: {type: string}, default: [a]}}}"
	contract := load(t, head("3.0.3")+`paths:
  /a:
    post: {operationId: make, requestBody: {content: {application/json: {schema: `+thing+`}}}, responses: {'201': {description: d}}}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    patch: {operationId: change, requestBody: {content: {application/json: {schema: `+thing+`}}}, responses: {'200': {description: d}}}
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: `+thing+`}}}}}
`)
	read, _ := contract.Operation("read")
	for _, row := range []struct{ operation, sent, shown, want string }{
		{"make", `{}`, `{"lang":"en","size":3,"mood":"","list":["a"]}`, ""},
		{"make", `{}`, `{"lang":null,"size":3.0}`, ""},
		{"make", `{}`, `{"lang":"de","size":3}`, "/lang"},
		{"make", `{}`, `{"size":4}`, "/size"},
		{"make", `{"size":4}`, `{"size":4}`, ""},
		{"make", `{}`, `{"mood":"good","list":["b"]}`, ""},
		{"change", `{}`, `{"lang":"de"}`, ""},
	} {
		op, _ := contract.Operation(row.operation)
		check, err := read.CheckShown(t.Context(), "read/state/created", []spec.Sent{{Operation: op, MediaType: "application/json", Body: []byte(row.sent)}}, answer(200, row.shown), instance.Limits{})
		got := ""
		for _, b := range check.Breaches {
			got += b.Pointer
		}
		if err != nil || got != row.want {
			t.Errorf("%s %s, shown %s: a breach at %q, want %q, %v", row.operation, row.sent, row.shown, got, row.want, err)
		}
	}
}

// TestCheckShownInEnvelopes: what was sent is looked for in what the response, or each of the
// bodies, is only there to hold.
func TestCheckShownInEnvelopes(t *testing.T) {
	const note = "{type: object, properties: {title: {type: string}, text: {type: string}}}"
	const wrapped = "{type: object, properties: {note: " + note + "}}"
	const account = "{type: object, properties: {title: {type: string}, password: {type: string}, inner: {type: object, properties: {password: {type: string}, n: {type: integer}}}}}"
	for name, row := range map[string]struct {
		request, response  string
		method, mediaType  string
		first, then, shown string
		pointer            string // of the breach; "" if there is none
	}{
		"both in an envelope":         {wrapped, wrapped, "put", "", `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c"}}`, ""},
		"what was left out is kept":   {wrapped, wrapped, "put", "", `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c","text":"b"}}`, "/note/text"},
		"a change loses the rest":     {wrapped, wrapped, "patch", "", `{"note":{"title":"a","text":"b"}}`, `{"note":{"title":"c"}}`, `{"note":{"title":"c"}}`, "/note/text"},
		"the body in an envelope":     {wrapped, note, "put", "", `{"note":{"title":"a"}}`, `{"note":{"title":"c"}}`, `{"title":"a"}`, "/title"},
		"the response in an envelope": {note, "{type: object, properties: {ok: {type: boolean}, data: " + note + "}}", "put", "", `{"title":"a"}`, `{"title":"c"}`, `{"ok":true,"data":{"title":"a"}}`, "/data/title"},
		"another thing beside":        {note, "{type: object, properties: {id: {type: string}, author: " + note + "}}", "put", "", `{"title":"a"}`, `{"title":"c"}`, `{"id":"1","author":{"title":"Dr."}}`, ""},
		"an object inside":            {"{type: object, properties: {name: {type: string}, data: " + note + "}}", "{type: object, properties: {name: {type: string}, data: " + note + "}}", "put", "", `{"name":"a"}`, `{"name":"b"}`, `{"name":"a"}`, "/name"},
		"a merge patch keeps":         {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", "patch", "application/merge-patch+json", `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c","text":"b"}}`, ""},
		"a merge patch replaces":      {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", "patch", "application/merge-patch+json", `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c"}}`, "/of"},
		"passwords":                   {account, account, "put", "", `{"title":"a"}`, `{"title":"c","password":"d","inner":{"password":"e","n":1}}`, `{"title":"c","password":"**********","inner":{"password":"x","n":1}}`, ""},
		"what is beside a password":   {account, account, "put", "", `{"title":"a"}`, `{"title":"c","inner":{"password":"e","n":1}}`, `{"title":"c","inner":{"n":2}}`, "/inner"},
		"a patch may replace":         {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", "patch", "", `{"of":{"title":"a","text":"b"}}`, `{"of":{"title":"c"}}`, `{"of":{"title":"c"}}`, ""},
		"a merge patch removes":       {"{type: object, properties: {of: " + note + ", n: {type: integer}}}", "{type: object, properties: {of: " + note + ", n: {type: integer}}}", "patch", "application/merge-patch+json", `{"of":{"title":"a","text":"b"}}`, `{"of":{"text":null}}`, `{"of":{"title":"a"}}`, ""},
	} {
		mediaType := cmp.Or(row.mediaType, "application/json")
		contract := load(t, head("3.1.0")+`paths:
  /notes: {post: {operationId: create, requestBody: {content: {application/json: {schema: `+row.request+`}}}, responses: {'201': {description: d}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: `+row.response+`}}}}}
    `+row.method+`: {operationId: change, requestBody: {content: {`+mediaType+`: {schema: `+row.request+`}}}, responses: {'204': {description: d}}}
`)
		create, _ := contract.Operation("create")
		read, _ := contract.Operation("read")
		by, _ := contract.Operation("change")
		sent := []spec.Sent{{Operation: create, MediaType: "application/json", Body: []byte(row.first)}, {Operation: by, MediaType: mediaType, Body: []byte(row.then)}}
		check, err := read.CheckShown(t.Context(), "read/state/changed", sent, answer(200, row.shown), instance.Limits{})
		got := ""
		for _, b := range check.Breaches {
			got += b.Pointer
		}
		if err != nil || got != row.pointer {
			t.Errorf("%s: a breach at %q, want %q: %+v, %v", name, got, row.pointer, check.Breaches, err)
		}
	}
}

// TestNothingWasSent: a thing that was created without a body may be shown in any way.
func TestNothingWasSent(t *testing.T) {
	contract := load(t, head("3.0.3")+`paths:
  /carts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {status: {type: string, default: open}}}}}}}}
`)
	read, _ := contract.Operation("read")
	check, err := read.CheckShown(t.Context(), "read/state/deleted", nil, answer(200, `{"status":"closed"}`), instance.Limits{})
	if err != nil || len(check.Breaches) > 0 {
		t.Errorf("%+v, %v", check, err)
	}
}

// TestDefaultInside: what an object was sent without has the default there, too, if it is shown.
// What was not sent at all has none.
func TestDefaultInside(t *testing.T) {
	const attributes = "{type: object, properties: {title: {type: string}, status: {type: string, default: draft}, at: {type: string, default: now, readOnly: true}, more: {type: object, properties: {n: {type: integer, default: 3}}}}}"
	const article = "{type: object, required: [data], properties: {data: {type: object, properties: {type: {type: string}, id: {type: string, readOnly: true}, attributes: " + attributes + "}}}}"
	contract := load(t, head("3.0.3")+`paths:
  /a: {post: {operationId: make, requestBody: {content: {application/json: {schema: `+article+`}}}, responses: {'201': {description: d}}}}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    patch: {operationId: change, requestBody: {content: {application/json: {schema: `+article+`}}}, responses: {'200': {description: d}}}
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: `+article+`}}}}}
`)
	read, _ := contract.Operation("read")
	for _, row := range []struct{ operation, sent, shown, want string }{
		{"make", `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"draft"}}}`, ""},
		{"make", `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a"}}}`, ""},
		{"make", `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"published"}}}`, "/data/attributes/status"},
		{"make", `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","at":"then"}}}`, ""},
		{"make", `{"data":{"attributes":{"more":{}}}}`, `{"data":{"attributes":{"more":{"n":4}}}}`, "/data/attributes/more/n"},
		{"make", `{"data":{"attributes":{}}}`, `{"data":{"attributes":{"more":{"n":4}}}}`, ""},
		{"make", `{"data":{"type":"x"}}`, `{"data":{"type":"x","attributes":{"status":"published"}}}`, ""},
		{"change", `{"data":{"attributes":{"title":"a"}}}`, `{"data":{"attributes":{"title":"a","status":"published"}}}`, ""},
	} {
		op, _ := contract.Operation(row.operation)
		check, err := read.CheckShown(t.Context(), "read/state/created", []spec.Sent{{Operation: op, MediaType: "application/json", Body: []byte(row.sent)}}, answer(200, row.shown), instance.Limits{})
		got := ""
		for _, b := range check.Breaches {
			got += b.Pointer
		}
		if err != nil || got != row.want {
			t.Errorf("%s %s, shown %s: a breach at %q, want %q, %v", row.operation, row.sent, row.shown, got, row.want, err)
		}
	}
}

// TestWhatAResponseCannotShow: a value that the schema of the response refuses is shown in
// another way, if at all. Other values are compared as before.
func TestWhatAResponseCannotShow(t *testing.T) {
	const sent = "{type: object, properties: {price: {type: string}, name: {type: string}, list: {type: array, items: {type: string}}, of: {type: object, properties: {code: {type: string}, text: {type: string}}}}}"
	const shown = "{type: object, properties: {price: {type: string, pattern: '^[0-9]+[.][0-9]{2}$'}, name: {type: string}, list: {type: array, items: {type: string, minLength: 2}}, of: {type: object, required: [id], properties: {id: {type: string}, code: {type: string, maxLength: 3}, text: {type: string}}}}}"
	contract := load(t, head("3.0.3")+`paths:
  /a: {post: {operationId: make, requestBody: {content: {application/json: {schema: `+sent+`}}}, responses: {'201': {description: d}}}}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: `+shown+`}}}}}
`)
	read, _ := contract.Operation("read")
	by, _ := contract.Operation("make")
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
		check, err := read.CheckShown(t.Context(), "read/state/created", []spec.Sent{{Operation: by, MediaType: "application/json", Body: []byte(row.sent)}}, answer(200, row.shown), instance.Limits{})
		got := ""
		for _, b := range check.Breaches {
			got += b.Pointer
		}
		if err != nil || got != row.want {
			t.Errorf("%s, shown %s: a breach at %q, want %q, %v", row.sent, row.shown, got, row.want, err)
		}
	}
}

// TestCheckShownOfMaps: a map is compared entry by entry, also if it is the whole body.
func TestCheckShownOfMaps(t *testing.T) {
	for _, of := range []string{"{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: true}"} {
		contract := load(t, head("3.1.0")+`paths:
  /notes/{id}/labels:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: `+of+`}}}}}
    put: {operationId: set, requestBody: {content: {application/json: {schema: `+of+`}}}, responses: {'200': {description: d, content: {application/json: {schema: `+of+`}}}}}
    patch: {operationId: change, requestBody: {content: {application/merge-patch+json: {schema: `+of+`}}}, responses: {'204': {description: d}}}
`)
		read, _ := contract.Operation("read")
		set, _ := contract.Operation("set")
		change, _ := contract.Operation("change")
		for _, row := range []struct {
			by          *spec.Operation
			then, shown string
			want        string // the pointer of the breach
		}{
			{set, `{"b":"new"}`, `{"b":"new"}`, ""},
			{set, `{"b":"new"}`, `{"b":"new","owner":"me"}`, ""},
			{set, `{"b":"new"}`, `{}`, "/b"},
			{set, `{"b":"new"}`, `{"b":"old"}`, "/b"},
			{set, `{"b":"new"}`, `{"a":"old","b":"new"}`, "/a"},
			{set, `{}`, `{"a":"old"}`, "/a"},
			{set, `{}`, `{"a":"another"}`, ""},
			{change, `{"b":"new"}`, `{"a":"old","b":"new"}`, ""},
			{change, `{"b":"new"}`, `{"b":"new"}`, "/a"},
		} {
			sent := []spec.Sent{{Operation: set, MediaType: "application/json", Body: []byte(`{"a":"old"}`)}, {Operation: row.by, MediaType: row.by.RequestBody.MediaType(), Body: []byte(row.then)}}
			check, err := read.CheckShown(t.Context(), "read/state/replaced", sent, answer(200, row.shown), instance.Limits{})
			got := ""
			for _, b := range check.Breaches {
				got += b.Pointer
			}
			if err != nil || got != row.want {
				t.Errorf("%s, then %s is shown: a breach at %q, want %q, %v", row.then, row.shown, got, row.want, err)
			}
		}
		check, err := set.CheckEcho(t.Context(), spec.Sent{Operation: set, MediaType: "application/json", Body: []byte(`{"a":"new"}`)}, answer(200, `{"a":"old"}`), instance.Limits{})
		if err != nil || len(check.Breaches) != 1 || check.Breaches[0].Pointer != "/a" {
			t.Errorf("%+v, %v", check.Breaches, err)
		}
	}
}

// TestCheckShownOfNull: a value in the place of null is not what was sent, unless the service may
// choose it, or writes it for what there is not.
func TestCheckShownOfNull(t *testing.T) {
	const thing = "content: {application/json: {schema: {type: object, properties: {note: {type: string, nullable: true}, mood: {type: string, nullable: true, default: calm}, size: {type: integer, nullable: true}, ownerId: {type: string, nullable: true}}}}}"
	contract := load(t, head("3.0.3")+"paths:\n  /things: {post: {operationId: create, requestBody: {"+thing+"}, responses: {'201': {description: d}}}}\n"+
		"  /things/{id}: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], get: {operationId: read, responses: {'200': {description: d, "+thing+"}}}}\n")
	read, _ := contract.Operation("read")
	create, _ := contract.Operation("create")
	sent := []spec.Sent{{Operation: create, MediaType: "application/json", Body: []byte(`{"note":null,"mood":null,"size":null,"ownerId":null}`)}}
	for shown, want := range map[string]int{
		`{"note":null,"mood":null,"size":null,"ownerId":null}`: 0, `{}`: 0, `{"note":"","mood":"calm","size":0,"ownerId":"me"}`: 0,
		`{"note":"null"}`: 1, `{"note":"None","size":7}`: 2,
	} {
		check, err := read.CheckShown(t.Context(), "read/state/created", sent, answer(200, shown), instance.Limits{})
		if err != nil || len(check.Breaches) != want {
			t.Errorf("%s: %+v, %v", shown, check.Breaches, err)
		}
	}
}
