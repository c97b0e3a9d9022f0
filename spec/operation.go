package spec

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// Operation is one method on one path of the contract, with all data to write its requests and to
// judge its responses.
type Operation struct {
	ID          string // operationId, or else made of method and path
	Method      string // in capitals
	Path        string // template, such as "/things/{id}"
	Parameters  []Parameter
	RequestBody *RequestBody // nil if the operation takes none
	Security    Security

	// Flaw is the first note that affects a parameter or the body, or nil. If there is one, it is
	// unknown which requests are valid.
	Flaw *Note

	reader    *reader
	at        document.Place
	item      string // the pointer to its path item
	responses []*Declared

	template func() (longest, shortest *regexp.Regexp) // match an escaped path, with a group for each parameter

	once    sync.Once // see derive
	clauses []Clause
	ids     map[ClauseID]int // index in clauses
	streams []string
	worded  map[ClauseID]bool // clauses with a text from the overlay
}

// Clauses returns the clauses of the operation, silences last. They are derived on first
// use.
func (op *Operation) Clauses() []Clause {
	op.derive()
	return op.clauses
}

// IsSafe reports whether the method is safe, that is, only reads (RFC 9110 §9.2.1).
func (op *Operation) IsSafe() bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "QUERY"}, op.Method)
}

// Words returns the summaries and descriptions of the operation, its parameters and the properties
// of its body.
func (op *Operation) Words() (list []string) {
	places := append([]document.Place{op.at}, lists.Map(op.Parameters, func(p Parameter) document.Place { return p.at })...)
	if op.RequestBody != nil {
		for _, c := range op.RequestBody.Content {
			for _, p := range c.Schema.Shape().Properties {
				places = append(places, p.At)
			}
		}
	}
	for _, at := range places {
		for _, key := range []string{"summary", "description"} {
			if text := at.Get(key).Text(); text != "" {
				list = append(list, text)
			}
		}
	}
	return list
}

// SuccessMediaTypes returns the media types of successes in the order of the document,
// without ranges.
func (op *Operation) SuccessMediaTypes() []string {
	return lists.Unique(mediaTypes(lists.Filter(op.successContent(), func(c Content) bool { return !c.IsRange() })))
}

// successContent returns the content of all successes.
func (op *Operation) successContent() (list []Content) {
	for _, r := range op.Successes() {
		list = append(list, r.Content...)
	}
	return list
}

// Streams returns the media types of streams that a success may have: the declared ones, or
// all known ones if the document declares no content.
func (op *Operation) Streams() []string {
	op.derive()
	return op.streams
}

// ClauseIDs returns the maker of the ids of the clauses of the operation.
func (op *Operation) ClauseIDs() ClauseIDs { return ClauseIDs(op.ID) }

// Parameter is one parameter of an operation.
type Parameter struct {
	style.Style // name, place, and how the value is written
	Required    bool
	Schema      *schema.Schema // of the value
	Content     string         // the media type of the value, if the document declares one
	Examples    []any          // in the document's order; they may not meet the schema
	at          document.Place
}

// Description returns what the document says about the parameter.
func (p Parameter) Description() string { return p.at.Get("description").Text() }

// Takes reports whether the schema allows a text as the value of the parameter. If it allows other types
// than texts, any text may be one of them, and Takes returns true.
func (p Parameter) Takes(text string) bool {
	return !slices.Equal(p.Schema.Shape().TypesBesideNull(), []string{"string"}) || p.Schema.Meets(schema.Request, text)
}

// MayBeIgnored reports whether HTTP permits a service to ignore the header field if it does not
// understand the value, even if the document declares otherwise. Examples are a range in an unknown
// unit, a malformed date and a preference (RFC 9110 §12.5, §13.1 and §14.2, RFC 9111 §5.2, RFC 7240
// §2, and Trace Context).
func (p Parameter) MayBeIgnored() bool {
	return p.In == "header" && slices.Contains([]string{
		"Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Accept-Charset", "Accept-Encoding", "Accept-Language",
		"Prefer", "Cache-Control", "Pragma", "User-Agent", "Referer", "Traceparent", "Tracestate",
	}, http.CanonicalHeaderKey(p.Name))
}

// Spreads reports whether the parameter may be an object whose properties are written as
// separate query parameters or cookies.
func (p Parameter) Spreads() bool {
	return p.Kind == "form" && !isForm(p.at) && p.Explode && (p.In == "query" || p.In == "cookie") && slices.Contains(p.Schema.Shape().Types, "object")
}

// RequestBody is the declared request body of an operation.
type RequestBody struct {
	Required bool
	Content  []Content // in the document's order
	at       document.Place
}

// Content describes bodies of one media type or of a range of media types.
type Content struct {
	MediaType string // as the document writes it
	Schema    *schema.Schema
	Fields    map[string]Field // how the properties of a form are written, if the document says so
	Examples  []any            // of whole bodies, in the document's order; they may not meet the schema
	Flaw      *Note            // why it is unknown which values are valid, or nil

	touch   notes.Touch
	parsed  mediatype.Type
	clauses bodyClauses // only for JSON bodies of a response
}

// Field says how one property of a form is written (OpenAPI 3.0.3, Encoding Object).
type Field struct {
	style.Style
	ContentType string // of its part in a multipart body; "" is the default for its type
	IsStyled    bool   // the document declares a style, which also applies to a multipart part (OpenAPI 3.1, Encoding Object)
}

// MediaType returns the default media type of fixtures: application/json if it is declared,
// else the first other JSON media type, else application/json if a range includes it, else
// the first media type. It is "" if b is nil or has no content.
func (b *RequestBody) MediaType() string {
	if b == nil || len(b.Content) == 0 {
		return ""
	}
	var suffixed, ranged string
	for _, c := range b.Content {
		switch m := c.parsed; {
		case m.Subtype == "json":
			return c.MediaType
		case m.IsJSON() && !m.IsRange():
			suffixed = cmp.Or(suffixed, c.MediaType)
		case m.Covers(mediatype.Type{Kind: "application", Subtype: "json"}), m.IsJSON():
			ranged = "application/json"
		}
	}
	return cmp.Or(suffixed, ranged, b.Content[0].MediaType)
}

// Of returns what is declared for bodies with that media type, or nil. b may be nil.
func (b *RequestBody) Of(mediaType string) *Content {
	named, err := mediatype.Parse(mediaType)
	if b == nil || err != nil {
		return nil
	}
	return mostSpecific(b.Content, named)
}

// IsRange reports whether the media type is a range, such as text/*.
func (c Content) IsRange() bool { return c.parsed.IsRange() }

// IsJSONPatch reports whether a body is a JSON Patch, a list of operations (RFC 6902).
func (c Content) IsJSONPatch() bool {
	return strings.HasPrefix(c.MediaType, "application/json-patch+json")
}

// IsMergePatch reports whether a body is a merge patch of the stored value (RFC 7396).
func (c Content) IsMergePatch() bool {
	return strings.HasPrefix(c.MediaType, "application/merge-patch+json")
}

// MayBeJSON reports whether the bodies are or may be JSON texts.
func (c Content) MayBeJSON() bool { return c.parsed.MayBeJSON() }

// JSON returns the schema for JSON bodies, or nil if the document has none. b may be nil.
func (b *RequestBody) JSON() *schema.Schema {
	if best := b.Of(b.MediaType()); best != nil && isJSONType(b.MediaType()) && best.Schema.Place.Node != nil {
		return best.Schema
	}
	return nil
}

// mostSpecific returns the content with the most specific media type that covers named, or nil.
func mostSpecific(content []Content, named mediatype.Type) (best *Content) {
	for i, c := range content {
		if c.parsed.Covers(named) && (best == nil || c.parsed.Precision() > best.parsed.Precision()) {
			best = &content[i]
		}
	}
	return best
}

func mediaTypes(content []Content) []string {
	return lists.Map(content, func(c Content) string { return c.MediaType })
}

// Parameter returns the parameter with that place and name.
func (op *Operation) Parameter(in, name string) (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return p.In == in && p.Name == name })
}

// Declares reports whether the contract declares that status for the operation: by number,
// by class (4XX) or by default.
func (op *Operation) Declares(status int) bool { return op.response(status) != nil }

func (op *Operation) add(c Clause) {
	if _, known := op.ids[c.ID]; known {
		return // the same property in two branches of a schema is one clause
	}
	c.Operation = op.ID
	op.ids[c.ID] = len(op.clauses)
	op.clauses = append(op.clauses, c)
}

// clause returns the index of the clause with that id in op.clauses, or -1.
func (op *Operation) clause(id ClauseID) int {
	op.derive()
	if i, ok := op.ids[id]; ok {
		return i
	}
	return -1
}

// eachSchema visits all schemas of the operation, with the direction of their values.
func (op *Operation) eachSchema(visit func(*schema.Schema, schema.Direction)) {
	for _, p := range op.Parameters {
		visit(p.Schema, schema.Request)
	}
	if op.RequestBody != nil {
		for _, c := range op.RequestBody.Content {
			visit(c.Schema, schema.Request)
		}
	}
	for _, r := range op.responses {
		for _, c := range r.Content {
			visit(c.Schema, schema.Response)
		}
		for _, h := range r.Headers {
			visit(h.Schema, schema.Response)
		}
	}
}

// Declared is what the document declares for a status or a class of statuses.
type Declared struct {
	Status  string // such as 201, 4XX or default
	Content []Content
	Headers []*DeclaredHeader
	Links   []Link

	ids      ResponseIDs
	at       document.Place
	echo     int      // one of echoNothing, echoPart and echoWhole
	bodiless ClauseID // id of the clause that there is no body, or ""

	flaw   *Note // why some content is unknown, or nil
	flawed *Note // why some headers are unknown, or nil
	unread bool  // the response cannot be read
}

// Description returns what the document says about the response in words.
func (r *Declared) Description() string { return r.at.Get("description").Text() }

// DeclaredHeader is a header field of a declared response.
type DeclaredHeader struct {
	style.Style          // name, and how the value is written
	Clause      ClauseID // "" if nothing can break it
	Required    bool
	Schema      *schema.Schema

	at    document.Place
	touch notes.Touch
}

// Header returns the declared header field with that name, in any case, or nil.
func (r *Declared) Header(name string) *DeclaredHeader {
	h, _ := lists.First(r.Headers, func(h *DeclaredHeader) bool { return strings.EqualFold(h.Name, name) })
	return h
}

// streams returns the media types of streams that the response may have.
func (r *Declared) streams() (list []string) {
	if r.Status[0] != '2' && r.Status != "default" || bodiless(r.Status) || r.bodiless != "" {
		return nil
	}
	for _, name := range mediatype.Streams() {
		named, err := mediatype.Parse(name)
		if err == nil && (len(r.Content) == 0 || mostSpecific(r.Content, named) != nil) {
			list = append(list, name)
		}
	}
	return list
}

// Link leads from a response to another operation (OpenAPI 3.0.3, Link Object).
type Link struct {
	operation  string // its id; "" if the link names method and path
	method     string
	path       string
	Parameters map[string]string // runtime expressions by parameter, such as path.id or id
}

// LeadsTo reports whether the link leads to that operation.
func (l Link) LeadsTo(op *Operation) bool {
	return l.operation == op.ID || l.operation == "" && l.method == op.Method && l.path == op.Path
}

// DeclaredID returns the operationId as the document writes it. It returns "" if there is none, or
// if an earlier operation has the same id.
func (op *Operation) DeclaredID() string {
	if id := op.at.To("operationId").Text(); operationID(id, "", "") == op.ID {
		return id
	}
	return ""
}

// Successes returns the declared 2xx responses, in the order of the document.
func (op *Operation) Successes() []*Declared {
	return slices.DeleteFunc(op.Responses(), func(d *Declared) bool { return !strings.HasPrefix(d.Status, "2") })
}

// NamesSuccess reports whether the contract declares a response with a 2xx or 3xx status.
func (op *Operation) NamesSuccess() bool {
	return slices.ContainsFunc(op.responses, func(d *Declared) bool { return strings.HasPrefix(d.Status, "2") || strings.HasPrefix(d.Status, "3") })
}

// Responses returns the declared responses that can be read, in the order of the document.
func (op *Operation) Responses() []*Declared {
	return lists.Filter(op.responses, func(d *Declared) bool { return !d.unread })
}

// readLinks reads the links of a response. It skips links that cannot be read.
func (op *Operation) readLinks(at document.Place) (list []Link) {
	links, err := at.Resolve()
	if err != nil || at.Node == nil {
		return nil
	}
	for _, m := range links.All() {
		l, err := links.To(m.Key).Resolve()
		if err != nil {
			continue
		}
		link := Link{operation: operationID(l.Get("operationId").Text(), "", ""), Parameters: map[string]string{}}
		if ref, ok := strings.CutPrefix(l.Get("operationRef").Text(), "#/paths/"); ok {
			path, method, _ := strings.Cut(ref, "/")
			link.method, link.path = strings.ToUpper(method), document.UnescapePointer(path)
		}
		for _, p := range l.Get("parameters").All() {
			if text := p.Value.Text(); text != "" {
				link.Parameters[p.Key] = text
			}
		}
		list = append(list, link)
	}
	return list
}
