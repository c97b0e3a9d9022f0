package spec

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// Note is a flaw of a document that does not prevent reading it. The parts that it affects
// are not judged.
type Note = notes.Note

// reader turns a document into operations. A flaw becomes a note, and the part with the flaw is
// left out.
type reader struct {
	top     document.Place
	notes   *notes.Notes
	schemas *schema.Set
	schemes []Scheme // of the document, including unused ones
	open    bool     // responses may have properties that the document does not declare
	byID    map[string]*Operation
	given   []given                          // examples that are next to their schemas
	made    map[string][]string              // ids of operations by the pointers to their parts
	paths   map[string]map[string]*Operation // by bare path and method

	deriving sync.Mutex
	clauses  map[*schema.Shape]BodyClauses
}

func newReader(top document.Place, found *notes.Notes) *reader {
	r := &reader{
		top: top, notes: found, schemas: schema.NewSet(top.Node), open: mayHaveMore().MatchString(top.To("info").Get("description").Text()),
		byID: map[string]*Operation{}, made: map[string][]string{}, paths: map[string]map[string]*Operation{}, clauses: map[*schema.Shape]BodyClauses{},
	}
	list, _ := r.mapping(top.To("components", "securitySchemes"), "securitySchemes")
	for _, m := range list.All() {
		if scheme, _ := r.mapping(list.To(m.Key), "a security scheme"); scheme.Node != nil {
			r.schemes = append(r.schemes, newScheme(m.Key, scheme))
		}
	}
	return r
}

// mayHaveMore matches the permission of properties that a document does not declare.
var mayHaveMore = pattern.Lazy(`(?i)\b((responses?|answers?|objects?|bodies|resources) (may|can) (also )?(have|contain|include) (further|other|additional|more|undocumented|unknown|new) (properties|fields|members|attributes)|clients (must|should) ignore (properties|fields|members|attributes) that|clients (must|should) ignore (unknown|undocumented|unrecogni[sz]ed) (properties|fields|members|attributes))\b`)

// declared returns the members without extensions, which begin with x-. It is not for headers:
// their names may begin with x-, too.
func declared(at document.Place) []*document.Member {
	return lists.Filter(at.All(), func(m *document.Member) bool { return !strings.HasPrefix(m.Key, "x-") })
}

// mapping resolves a place to a mapping. If this fails, it adds a note and returns it.
func (r *reader) mapping(at document.Place, name string) (document.Place, *Note) {
	meant, err := at.Mapping(name)
	if err != nil {
		return document.Place{}, r.notes.Add(err)
	}
	return meant, nil
}

func (r *reader) operations() (list []*Operation) {
	methods := []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"} // in the order of OpenAPI
	if isVersion(r.top.Get("openapi").Text(), "3.2") {
		methods = append(methods, "query")
	}
	paths, _ := r.mapping(r.top.To("paths"), "paths")
	templates := map[string]string{}
	for _, member := range declared(paths) {
		if !strings.HasPrefix(member.Key, "/") {
			r.notes.Add(paths.KeyErrorf(member, "the path %q must begin with a slash", member.Key))
			continue
		}
		template := placeholder().ReplaceAllString(member.Key, "{}")
		if other, twice := templates[template]; twice {
			r.notes.AddHarmless(paths.KeyErrorf(member, "the paths %s and %s differ only in the names of their parameters", other, member.Key))
		}
		templates[template] = member.Key
		item, note := r.mapping(paths.To(member.Key), "a path item")
		if note != nil || item.Node == nil {
			continue
		}
		for _, method := range methods {
			if at := item.To(method); at.Node != nil {
				list = r.operation(list, member.Key, strings.ToUpper(method), item, at)
			}
		}
		additional := item.To("additionalOperations") // OpenAPI 3.2
		for _, m := range additional.All() {
			list = r.operation(list, member.Key, m.Key, item, additional.To(m.Key))
		}
	}
	return list
}

func (r *reader) operation(list []*Operation, path, method string, item, at document.Place) []*Operation {
	at, note := r.mapping(at, "an operation") // OpenAPI does not allow a $ref here, but its meaning is clear
	if note != nil {
		return list
	}
	op := &Operation{Method: method, Path: path, reader: r, at: at, item: item.Pointer}
	op.template = sync.OnceValues(func() (longest, shortest *regexp.Regexp) {
		text := path
		for _, p := range op.Parameters { // a value in these styles begins with this sign
			sign := map[string]string{"matrix": ";", "label": "."}[p.Kind]
			text = strings.ReplaceAll(text, "}{"+p.Name+"}", "}"+sign+"{"+p.Name+"}")
		}
		longest = template(text, "([^/]*)", func(literal string) string { return literal })
		return longest, regexp.MustCompile("(?U)" + longest.String())
	})
	op.initial, op.orders = sync.OnceValues(op.readInitial), sync.OnceValue(op.readOrders)
	op.refused = sync.OnceValue(func() []*Operation { return op.refusals().after() })
	r.identify(op)
	if bare := barePath(path); r.paths[bare] == nil {
		r.paths[bare] = map[string]*Operation{method: op}
	} else if r.paths[bare][method] == nil {
		r.paths[bare][method] = op
	}
	where := item.Pointer + "/parameters"
	r.made[at.Pointer], r.made[where] = append(r.made[at.Pointer], op.ID), append(r.made[where], op.ID)
	op.readSecurity()
	op.readParameters(item)
	op.readRequestBody(at.To("requestBody"))
	op.readResponses(at.To("responses"))
	return append(list, op)
}

// identify gives the operation an id that no earlier operation has.
func (r *reader) identify(op *Operation) {
	at := op.at.To("operationId")
	op.ID = operationID(at.Text(), strings.ToLower(op.Method), op.Path)
	if other := r.byID[op.ID]; other != nil {
		if at.Node == nil {
			at = op.at
		}
		r.notes.AddHarmless(at.Errorf("%s %s and %s %s share the operation id %s", other.Method, other.Path, op.Method, op.Path, op.ID))
		op.ID = operationID("", strings.ToLower(op.Method), op.Path)
	}
	for base, n := op.ID, 2; r.byID[op.ID] != nil; n++ {
		op.ID = fmt.Sprintf("%s-%d", base, n)
	}
	r.byID[op.ID] = op
}

// unsafeInID matches characters that are not safe in a folder name or a clause id.
var unsafeInID = pattern.Lazy(`[^\p{L}\p{N}._-]+`)

// operationID returns an id that is valid as a folder name and in clause ids. It is made of the
// declared id, or else of method and path.
func operationID(id, method, path string) string {
	safe := func(text string) string { return strings.Trim(unsafeInID().ReplaceAllString(text, "-"), "-.") }
	return cmp.Or(safe(id), safe(method+path))
}

// readParameters reads the parameters of the path item and of the operation. An operation overrides
// those with the same name and place.
func (op *Operation) readParameters(item document.Place) {
	var all []document.Place
	for _, l := range append(item.To("parameters").List(), op.at.To("parameters").List()...) {
		p, note := op.reader.mapping(l, "a parameter")
		if note == nil && (p.Get("name").Text() == "" || !slices.Contains([]string{"path", "query", "header", "cookie"}, p.Get("in").Text()) && !isForm(p)) {
			note = op.reader.notes.Add(p.Errorf("a parameter must have a name, and in: path, query, header or cookie, or querystring as a form"))
		}
		if note != nil {
			op.Flaw = cmp.Or(op.Flaw, note)
			continue
		}
		all = slices.DeleteFunc(all, func(other document.Place) bool {
			return other.Get("name").Text() == p.Get("name").Text() && other.Get("in").Text() == p.Get("in").Text()
		})
		all = append(all, p)
	}
	undeclared := placeholder().FindAllString(op.Path, -1)
	for _, p := range all {
		parameter := Parameter{Style: style.Style{Name: p.Get("name").Text(), In: strings.TrimSuffix(p.Get("in").Text(), "string")}, Required: p.Get("required").True(), at: p}
		switch parameter.In {
		case "header":
			if slices.Contains([]string{"Accept", "Content-Type", "Authorization"}, http.CanonicalHeaderKey(parameter.Name)) {
				continue // OpenAPI 3.0.3, Parameter Object: such definitions are ignored
			}
		case "path":
			if !parameter.Required {
				op.reader.notes.AddHarmless(p.Errorf("the path parameter %s must be declared with required: true", parameter.Name))
			}
			if !slices.Contains(undeclared, "{"+parameter.Name+"}") {
				op.reader.notes.AddHarmless(p.Errorf("the path %s has no parameter %s", op.Path, parameter.Name))
				continue
			}
			parameter.Required = true
			undeclared = slices.DeleteFunc(undeclared, func(name string) bool { return name == "{"+parameter.Name+"}" })
		}
		op.readValue(&parameter)
		op.Parameters = append(op.Parameters, parameter)
	}
	for _, name := range slices.Compact(undeclared) {
		name = strings.Trim(name, "{}")
		op.reader.notes.AddHarmless(op.at.Errorf("the path parameter %s is not declared; it is treated as a string", name))
		op.Parameters = append(op.Parameters, Parameter{Style: style.Style{Name: name, In: "path", Kind: "simple"}, Required: true, Schema: op.reader.schemas.At(document.Place{}), at: op.at})
	}
}

// readValue reads the schema, the style and the examples of a parameter (OpenAPI 3.0.3, Parameter
// Object).
func (op *Operation) readValue(p *Parameter) {
	value := p.at.To("schema")
	if isForm(p.at) {
		p.Style = style.Style{Name: p.Name, In: "query", Kind: "form", Explode: true}
		value = p.at.To("content", urlEncoded, "schema")
	} else if content, err := p.at.To("content").Resolve(); err == nil && len(content.All()) == 1 {
		p.Content = content.All()[0].Key
		value = content.To(p.Content, "schema")
	} else {
		p.Style = written(p.Style, p.at)
	}
	p.Schema = op.reader.schemas.At(value)
	p.Examples = op.reader.examples(p.at, p.Schema)
}

// urlEncoded is the media type of forms that are written like a query.
const urlEncoded = "application/x-www-form-urlencoded"

// isForm reports whether a parameter is the whole query as a form: its properties are
// parameters (OpenAPI 3.2.0, Parameter Object).
func isForm(p document.Place) bool {
	return p.Get("in").Text() == "querystring" && p.To("content", urlEncoded).Node != nil
}

// written returns s with the style that the document declares at that place, or the default style.
func written(s style.Style, at document.Place) style.Style {
	s.Kind = cmp.Or(at.Get("style").Text(), map[string]string{"query": "form", "cookie": "form"}[s.In], "simple")
	s.Explode = at.Get("explode").True() || at.Get("explode") == nil && s.Kind == "form"
	s.Reserved = at.Get("allowReserved").True()
	return s
}

func (op *Operation) readRequestBody(at document.Place) {
	if at.Node == nil {
		return
	}
	op.RequestBody = &RequestBody{}
	body, note := op.reader.mapping(at, "a request body")
	if note != nil {
		return
	}
	op.RequestBody.at = body
	op.RequestBody.Required = body.Get("required").True()
	op.RequestBody.Content, _ = op.readContent(body.To("content"))
	if op.ignoresBody() {
		op.reader.notes.AddHarmless(body.Errorf("the body of %s means nothing in HTTP, so a service may ignore it: no clause is derived from it", op.Method))
		if !op.RequestBody.Required {
			op.RequestBody = nil
		}
	}
}

// ignoresBody reports whether a service may ignore the body of a request: HTTP gives it no meaning
// (RFC 9110 §9.3), and OpenAPI 3.0 says that its declaration is ignored.
func (op *Operation) ignoresBody() bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodTrace}, op.Method)
}

// readContent reads the declared media types of a body. The note, if any, is about an entry that is
// left out.
func (op *Operation) readContent(at document.Place) (list []mediatype.Content, note *Note) {
	at, note = op.reader.mapping(at, "content")
	for _, m := range at.All() {
		c := mediatype.Content{MediaType: m.Key}
		var err error
		if c.Type, err = mediatype.Parse(m.Key); err != nil {
			flaw := at.KeyErrorf(m, "the media type %q %s", m.Key, err)
			note = cmp.Or(note, op.reader.notes.Add(flaw))
			continue
		}
		media, flaw := op.reader.mapping(at.To(m.Key), "a media type")
		if flaw != nil {
			note = cmp.Or(note, flaw)
			continue
		}
		c.Schema = op.reader.schemas.At(media.To("schema"))
		c.Examples = op.reader.examples(media, c.Schema)
		for _, field := range media.To("encoding").All() {
			if c.Fields == nil {
				c.Fields = map[string]mediatype.Field{}
			}
			at := media.To("encoding", field.Key)
			isStyled := !isVersion(op.reader.top.Get("openapi").Text(), "3.0") && (at.Get("style") != nil || at.Get("explode") != nil || at.Get("allowReserved") != nil)
			c.Fields[field.Key] = mediatype.Field{Style: written(style.Style{Name: field.Key, In: "query"}, at), ContentType: at.Get("contentType").Text(), IsStyled: isStyled}
		}
		list = append(list, c)
	}
	return list, note
}

func (op *Operation) readResponses(at document.Place) {
	responses, note := op.reader.mapping(at, "responses")
	if note == nil && len(declared(responses)) == 0 {
		op.reader.notes.AddHarmless(op.at.Errorf("the operation declares no response"))
	}
	for _, m := range declared(responses) {
		if !declarable().MatchString(m.Key) {
			op.reader.notes.AddHarmless(responses.KeyErrorf(m, "%q is not a status: it must be like 200, 4XX or default", m.Key))
			continue
		}
		r := &Declared{Status: m.Key, ids: op.ClauseIDs().Response(m.Key), values: map[*schema.Schema]BodyClauses{}}
		op.responses = append(op.responses, r)
		l, note := op.reader.mapping(responses.To(m.Key), "a response")
		if note == nil && !slices.ContainsFunc([]string{"description", "summary", "content", "headers", "links"}, func(key string) bool { return l.Get(key) != nil }) {
			note = op.reader.notes.Add(l.Errorf("a response must have a description; this has no content and no headers either"))
		}
		if r.at, r.Flaw = l, note; note != nil {
			r.at = responses.To(m.Key)
			r.unread = true
			continue
		}
		op.readHeaders(r)
		r.Links = op.readLinks(l.To("links"))
		if IsBodiless(r.Status) {
			continue // even if content is declared
		}
		if r.Content, note = op.readContent(l.To("content")); note != nil {
			r.Flaw = note
		}
	}
}

func (op *Operation) readHeaders(r *Declared) {
	headers, note := op.reader.mapping(r.at.To("headers"), "headers")
	r.HeaderFlaw = note
	for _, m := range headers.All() {
		if http.CanonicalHeaderKey(m.Key) == "Content-Type" {
			continue // OpenAPI 3.0.3, Response Object: such a definition is ignored
		}
		l, note := op.reader.mapping(headers.To(m.Key), "a header")
		if note != nil {
			r.HeaderFlaw = cmp.Or(r.HeaderFlaw, note)
			continue
		}
		written, value := style.Style{Name: m.Key, In: "header", Kind: "simple", Explode: l.Get("explode").True()}, l.To("schema")
		content, _ := l.To("content").Resolve()
		for _, media := range content.All() { // has exactly one entry (OpenAPI 3.0.3, Header Object)
			if mediatype.IsJSONType(media.Key) {
				written.Kind, value = "", content.To(media.Key, "schema")
			}
		}
		r.Headers = append(r.Headers, &DeclaredHeader{Style: written, Required: l.Get("required").True(), Schema: op.reader.schemas.At(value), at: l})
	}
}

// declarable matches the valid keys of responses (OpenAPI 3.0.3, Responses Object).
var declarable = pattern.Lazy(`^([1-5]([0-9]{2}|[Xx]{2})|default)$`)

// trace sets the notes that affect the operation. It is called after all notes are known.
func (op *Operation) trace() {
	touch := op.reader.notes.Touching
	op.Flaw = cmp.Or(op.Flaw, touch(op.at.Pointer+"/parameters").Flaw, touch(op.item+"/parameters").Flaw, touch(op.at.Pointer+"/requestBody").Flaw)
	content := func(list []mediatype.Content) {
		for i := range list {
			list[i].Touch = touch(list[i].Schema.Place.Pointer)
		}
	}
	if b := op.RequestBody; b != nil {
		content(b.Content)
	}
	for _, r := range op.responses {
		content(r.Content)
		for _, h := range r.Headers {
			h.Touch = touch(h.Schema.Place.Pointer)
		}
	}
}
