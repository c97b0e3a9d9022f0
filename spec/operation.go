package spec

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
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
	initial  func() (to Reached, ok bool)              // see Initial
	orders   func() []Order                            // see Orders
	refused  func() []*Operation                       // see RefusedAfter

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
	return lists.Unique(mediaTypes(lists.Filter(op.successContent(), func(c mediatype.Content) bool { return !c.IsRange() })))
}

// successContent returns the content of all successes.
func (op *Operation) successContent() (list []mediatype.Content) {
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

// Parameter returns the parameter with that place and name.
func (op *Operation) Parameter(in, name string) (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return p.In == in && p.Name == name })
}

// Names reports whether the contract declares a response with exactly that status key, such as 201
// or 4XX.
func (op *Operation) Names(status string) bool {
	return slices.ContainsFunc(op.Responses(), func(d *Declared) bool { return d.Status == status })
}

// DeclaresFailure reports whether the contract declares a 5xx other than 500 by its number,
// such as 501 for a function that the service does not have. Clients are prepared for it, so
// it is a rejection. A 500 is always an error of the service, even if the contract declares
// it (RFC 9110 §15.6.1).
func (op *Operation) DeclaresFailure(status int) bool {
	return status > http.StatusInternalServerError && op.Names(strconv.Itoa(status))
}

// Declares reports whether the contract declares that status for the operation: by number,
// by class (4XX) or by default.
func (op *Operation) Declares(status int) bool { return op.response(status) != nil }

// Response returns what the contract declares for a status, with its clauses, or nil. Precedence: the
// status itself, its class, default (OpenAPI 3.0.3, Responses Object).
func (op *Operation) Response(status int) *Declared {
	op.derive()
	return op.response(status)
}

func (op *Operation) response(status int) *Declared {
	exact := strconv.Itoa(status)
	for _, key := range []string{exact, exact[:1] + "XX", "default"} {
		for _, r := range op.responses {
			if strings.EqualFold(r.Status, key) {
				return r
			}
		}
	}
	return nil
}

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

// IsWorded reports whether the overlay gives the clause its text.
func (op *Operation) IsWorded(id ClauseID) bool { return op.worded[id] }

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
	Content []mediatype.Content
	Headers []*DeclaredHeader
	Links   []Link

	// What clauses say, beside those about values. It is known after [Operation.Response].
	Echo   Echo
	NoBody ClauseID // id of the clause that there is no body, or ""

	Flaw       *Note // why some content is unknown, or nil
	HeaderFlaw *Note // why some headers are unknown, or nil

	ids    ResponseIDs
	values map[*schema.Schema]BodyClauses // see Values
	at     document.Place
	unread bool // the response cannot be read
}

// Echo says which values of a request a success shows.
type Echo int

// The values that a success shows.
const (
	EchoNothing Echo = iota
	EchoPart         // the values that request and response describe alike
	EchoWhole        // all values
)

// IsBodiless reports whether HTTP forbids a body in a response with that status, even if the contract
// declares one (RFC 9110 §15.2, §15.3.5, §15.4.5).
func IsBodiless(status string) bool { return status[0] == '1' || status == "204" || status == "304" }

// Description returns what the document says about the response in words.
func (r *Declared) Description() string { return r.at.Get("description").Text() }

// ClauseIDs returns the maker of the ids of the clauses about the response.
func (r *Declared) ClauseIDs() ResponseIDs { return r.ids }

// Values returns the ids of the clauses about the values in a JSON body.
func (r *Declared) Values(c *mediatype.Content) BodyClauses { return r.values[c.Schema] }

// MediaTypes returns the declared media types, in the order of the document.
func (r *Declared) MediaTypes() []string { return mediaTypes(r.Content) }

func mediaTypes(content []mediatype.Content) []string {
	return lists.Map(content, func(c mediatype.Content) string { return c.MediaType })
}

// Of returns what is declared for bodies with that media type, or nil.
func (r *Declared) Of(named mediatype.Type) *mediatype.Content {
	return mediatype.MostSpecific(r.Content, named)
}

// DeclaredHeader is a header field of a declared response.
type DeclaredHeader struct {
	style.Style          // name, and how the value is written
	Clause      ClauseID // "" if nothing can break it
	Required    bool
	Schema      *schema.Schema
	notes.Touch // whether a flaw affects the schema

	at document.Place
}

// Header returns the declared header field with that name, in any case, or nil.
func (r *Declared) Header(name string) *DeclaredHeader {
	h, _ := lists.First(r.Headers, func(h *DeclaredHeader) bool { return strings.EqualFold(h.Name, name) })
	return h
}

// streams returns the media types of streams that the response may have.
func (r *Declared) streams() (list []string) {
	if r.Status[0] != '2' && r.Status != "default" || IsBodiless(r.Status) || r.NoBody != "" {
		return nil
	}
	for _, name := range mediatype.Streams() {
		named, err := mediatype.Parse(name)
		if err == nil && (len(r.Content) == 0 || mediatype.MostSpecific(r.Content, named) != nil) {
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

// ActsLater reports whether 202 is the only declared success: what the request asks for may be done
// later, or never (RFC 9110 §15.3.3).
func (op *Operation) ActsLater() bool {
	successes := op.Successes()
	return len(successes) > 0 && !slices.ContainsFunc(successes, func(d *Declared) bool { return d.Status != "202" })
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
