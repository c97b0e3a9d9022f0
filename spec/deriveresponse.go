package spec

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
)

func (d *deriver) response(r *response) {
	d.responseHeaders(r)
	content := r.at.To("content")
	switch {
	case r.unread:
		return
	case bodiless(r.status), r.flaw == nil && len(r.content) == 0 && d.top.Get("swagger") != nil: // "no content is returned" (Swagger 2.0, Response Object)
		r.bodiless = d.clause(string(r.ids.Body()), Must, r.at, "a %s response has no body", r.status)
		return
	case len(r.content) > 0:
		d.clause(r.ids.MediaType(), Must, content, "a %s response has the media type %s", r.status, strings.Join(mediaTypes(r.content), " or "))
	}
	if d.op.Method == http.MethodHead {
		r.bodiless = d.clause(string(r.ids.Body()), Must, r.at, "a %s response to HEAD has no body", r.status)
		return
	}
	for i := range r.content {
		c := &r.content[i]
		d.body(r, c, content.To(c.MediaType))
	}
	d.echo(r, content)
}

// body derives the clauses on bodies of JSON texts, and the one on a plain text.
func (d *deriver) body(r *response, c *Content, at document.Place) {
	if c.tellsText() {
		d.clause(string(r.ids.Body()), Must, at, "the text of a %s response is %s", r.status, c.Schema.Shape().Describe())
	}
	if !c.parsed.MayBeJSON() {
		return
	}
	shape := c.Schema.Shape()
	owner, kind := "the body of a "+r.status+" response", shape.Describe()
	if !c.parsed.IsJSON() {
		owner = "a JSON body of a " + r.status + " response"
	}
	if kind == schema.Anything {
		d.clause(string(r.ids.Body()), Must, at, "%s is one JSON value", owner)
	} else {
		d.clause(string(r.ids.Body()), Must, at, "%s is one JSON value: %s", owner, kind)
	}
	var fresh bodyClauses // others may read what is there
	if c.clauses = d.clauses[c.Schema]; c.clauses == nil {
		fresh = make(bodyClauses, shape.Nodes)
		c.clauses, d.clauses[c.Schema] = fresh, fresh
	}
	d.bodyClauses(fresh, r.ids.Body(), "", owner, shape, at)
}

// bodyClauses derives the clauses on what is inside the value that within leads
// to in a body. The schema is shared by all responses that refer to it, so the
// ids are noted without the part that differs, unless ids is nil.
func (d *deriver) bodyClauses(ids bodyClauses, body, within ClauseID, owner string, s *schema.Shape, at document.Place) {
	for _, p := range s.Properties {
		child := within.Property(p.Name)
		kind := p.Shape.Describe()
		id := string(body + child)
		judged := true
		switch {
		case p.WriteOnly: // SHOULD NOT be sent in a response (OpenAPI 3.0.3, Schema Object)
			d.clause(id, Should, p.At, "%s does not contain %s, which is write-only", owner, p.Name)
		case p.Required && kind == schema.Anything:
			d.clause(id, Must, p.At, "in %s, %s is present", owner, p.Name)
		case p.Required:
			d.clause(id, Must, p.At, "in %s, %s is present and is %s", owner, p.Name, kind)
		case kind != schema.Anything:
			d.clause(id, Must, p.At, "in %s, %s, if present, is %s", owner, p.Name, kind)
		default:
			judged = false // nothing can break it
		}
		if ids != nil && judged {
			ids[p.Shape.Index].value = string(child)
		}
		if p.WriteOnly {
			continue
		}
		d.bodyClauses(ids, body, child, p.Name+" of "+owner, p.Shape, p.At)
	}
	if s.TellsUndeclared() {
		level := Should
		if s.Closed {
			level = Must
		}
		undeclared := string(within.Undeclared())
		if ids != nil {
			ids[s.Index].undeclared = undeclared
		}
		d.clause(string(body)+undeclared, level, at, "%s has no undeclared property", owner)
	}
	if s.Each != nil {
		d.bodyClauses(ids, body, within.Items(), "each item of "+owner, s.Each, at)
	}
}

func (d *deriver) responseHeaders(r *response) {
	for _, h := range r.headers {
		id := r.ids.Header(h.name)
		kind := h.schema.Shape().Describe()
		switch {
		case h.required && kind == schema.Anything:
			h.clause = d.clause(id, Must, h.at, "a %s response has the header %s", r.status, h.name)
		case h.required:
			h.clause = d.clause(id, Must, h.at, "a %s response has the header %s, which is %s", r.status, h.name, kind)
		case kind != schema.Anything:
			h.clause = d.clause(id, Must, h.at, "in a %s response, the header %s, if present, is %s", r.status, h.name, kind)
		}
	}
}

// echo derives that a success shows the resource that was sent: all of it if the response
// has the schema of the request, or one that the request's includes by allOf; or else those
// values that both describe alike, of an operation that creates or changes what can be read.
// A PATCH carries changes (RFC 5789 §2), which are values of the second kind.
func (d *deriver) echo(r *response, content document.Place) {
	if !strings.HasPrefix(r.status, "2") || len(r.content) != 1 || !r.content[0].parsed.IsJSON() {
		return
	}
	answered := r.content[0].Schema
	properties := answered.Shape().Properties
	isOwn := func(sent document.Place) bool { return sent.Node == answered.Place.Node }
	switch {
	case len(properties) == 0:
	case d.op.Method != http.MethodPatch && slices.ContainsFunc(d.request, isOwn):
		r.echo = echoWhole
		d.clause(r.ids.Echo(), Should, content, "a %s response shows the values that were sent", r.status)
	case r.status != "202" && d.isRead() && slices.ContainsFunc(properties, d.op.sends):
		r.echo = echoPart
		d.clause(r.ids.Echo(), Should, content, "a %s response shows the values that were sent, as far as both describe them alike", r.status)
	}
}

// isRead reports whether another operation reads what this one creates or changes.
func (d *deriver) isRead() bool {
	path := barePath(d.op.Path)
	switch d.op.Method {
	case http.MethodPost:
		return d.paths[path+"/{}"][http.MethodGet] != nil
	case http.MethodPut, http.MethodPatch:
		return d.paths[path][http.MethodGet] != nil
	}
	return false
}

// sends reports whether the JSON requests of an operation have a property that the response
// describes alike.
func (op *Operation) sends(p *schema.Property) bool {
	return op.RequestBody != nil && slices.ContainsFunc(op.RequestBody.Content, func(c Content) bool {
		return c.IsJSON() && isAlike(p, c.Schema.Shape().Property(p.Name))
	})
}

// What a success shows of the request that it answers.
const (
	echoNothing = iota
	echoPart    // the values that it describes as the request does
	echoWhole   // the resource that the request carried
)

// response is what the document declares for one status, or a class of
// statuses, of an operation.
type response struct {
	status  string // "200", "4XX", "default"
	ids     ResponseIDs
	content []Content
	headers []*responseHeader
	links   []Link
	at      document.Place
	echo    int // one of echoNothing, echoPart and echoWhole

	bodiless string // id of the clause that there is no body, "" where there is none

	// Of what is not known, nil where all is.
	flaw   *Note // of the content
	flawed *Note // of the headers
	unread bool  // nothing of it is
}

type responseHeader struct {
	name     string
	at       document.Place
	clause   string // "" where nothing can break it
	required bool
	explode  bool // an object is written as a=1,b=2 and not as a,1,b,2
	json     bool // the field holds a JSON text (OpenAPI 3.0.3, Header Object, content)
	schema   *schema.Schema
	touch    notes.Touch
}

// response gives what is declared for a status: itself before its class
// before default (OpenAPI 3.0.3, Responses Object).
func (op *Operation) response(status int) *response {
	exact := strconv.Itoa(status)
	for _, key := range []string{exact, exact[:1] + "XX", "default"} {
		for _, r := range op.responses {
			if strings.EqualFold(r.status, key) {
				return r
			}
		}
	}
	return nil
}

func isStatus(key string) bool {
	if key == "default" {
		return true
	}
	if len(key) != 3 || key[0] < '1' || key[0] > '5' {
		return false
	}
	if strings.EqualFold(key[1:], "XX") {
		return true
	}
	_, err := strconv.Atoi(key)
	return err == nil
}
