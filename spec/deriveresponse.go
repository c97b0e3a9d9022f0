package spec

import (
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

func (d *deriver) response(r *Declared) {
	d.responseHeaders(r)
	content, _ := r.at.To("content").Resolve() // some documents have a $ref here; readContent notes one that leads nowhere
	level := Must
	if r.Status[0] == '2' && !IsBodiless(r.Status) && len(d.op.at.To("x-produces").List()) > 0 {
		level = Should // in Swagger 2.0, media types without a schema are a contradiction
	}
	switch {
	case r.unread:
		return
	case IsBodiless(r.Status), r.Flaw == nil && len(r.Content) == 0 && d.top.Get("swagger") != nil: // "no content is returned" (Swagger 2.0, Response Object)
		r.NoBody = d.clause(r.ids.Body(), level, r.at, "a %s response has no body", r.Status)
		return
	case len(r.Content) > 0:
		d.clause(r.ids.MediaType(), Must, content, "a %s response has the media type %s", r.Status, strings.Join(mediaTypes(r.Content), " or "))
	}
	if d.op.Method == http.MethodHead {
		r.NoBody = d.clause(r.ids.Body(), Must, r.at, "a %s response to HEAD has no body", r.Status)
		return
	}
	for i := range r.Content {
		c := &r.Content[i]
		d.body(r, c, content.To(c.MediaType))
	}
	d.echo(r, content)
}

// body derives the clauses about JSON bodies, and the one about a plain text.
func (d *deriver) body(r *Declared, c *mediatype.Content, at document.Place) {
	if c.TellsText() {
		d.clause(r.ids.Body(), Must, at, "the text of a %s response is %s", r.Status, c.Schema.Shape().Describe())
	}
	if !c.MayBeJSON() {
		return
	}
	shape := c.ResponseShape()
	owner := "the body of a " + r.Status + " response"
	if !c.IsJSON() {
		owner = "a JSON body of a " + r.Status + " response"
	}
	d.clause(r.ids.Body(), Must, at, "%s is one JSON value%s", owner, shape.DescribeAfter(": "))
	var fresh BodyClauses // nil if the schema has ids already, which others may be reading
	if d.clauses[shape] == nil {
		fresh = make(BodyClauses, shape.Nodes)
		d.clauses[shape] = fresh
	}
	if r.values[c.Schema] == nil || shape == c.Schema.Shape() { // a problem document has fewer clauses than another body of the schema
		r.values[c.Schema] = d.clauses[shape]
	}
	d.values(fresh, r.ids.Body(), "", owner, shape, at)
}

// values derives the clauses about the parts of the value at within in a body. It records them
// in ids, unless ids is nil. Responses may share the schema, so these ids lack the id of the body.
func (d *deriver) values(ids BodyClauses, body, within ClauseID, owner string, s *schema.Shape, at document.Place) {
	for _, p := range s.Properties {
		child := within.Property(p.Name)
		kind := p.Shape.Describe()
		id := body + child
		judged := true
		switch {
		case p.WriteOnly: // SHOULD NOT be sent in a response (OpenAPI 3.0.3, Schema Object)
			d.clause(id, Should, p.At, "%s does not contain %s, which is write-only", owner, p.Name)
		case p.Required:
			d.clause(id, Must, p.At, "in %s, %s is present%s", owner, p.Name, p.Shape.DescribeAfter(" and is "))
		case kind != schema.Anything:
			d.clause(id, Must, p.At, "in %s, %s, if present, is %s", owner, p.Name, kind)
		default:
			judged = false // nothing can break it
		}
		if ids != nil && judged {
			ids[p.Shape.Index].Value = child
		}
		if p.WriteOnly {
			continue
		}
		d.values(ids, body, child, p.Name+" of "+owner, p.Shape, p.At)
	}
	if s.Closed || s.TellsUndeclared() && !d.open {
		level := Should
		if s.Closed {
			level = Must
		}
		undeclared := within.Undeclared()
		if ids != nil {
			ids[s.Index].Undeclared = undeclared
		}
		d.clause(body+undeclared, level, at, "%s has no undeclared property", owner)
	}
	if s.Each != nil {
		d.values(ids, body, within.Items(), "each item of "+owner, s.Each, at)
	}
}

func (d *deriver) responseHeaders(r *Declared) {
	for _, h := range r.Headers {
		id := r.ids.Header(h.Name)
		kind := h.Schema.Shape().Describe()
		switch {
		case h.Required:
			h.Clause = d.clause(id, Must, h.at, "a %s response has the header %s%s", r.Status, h.Name, h.Schema.Shape().DescribeAfter(", which is "))
		case kind != schema.Anything:
			h.Clause = d.clause(id, Must, h.at, "in a %s response, the header %s, if present, is %s", r.Status, h.Name, kind)
		}
	}
}

// echo derives the clause that a success shows the values that were sent. It applies to all values
// if the response has the schema of the request, or one that this includes by allOf. Otherwise it
// applies to the values that both describe alike, if another operation reads what this one creates
// or changes, or a POST is answered by 201, which says that it created something (RFC 9110 §15.3.2).
// For a PATCH only this second case is possible, as it carries changes (RFC 5789 §2).
func (d *deriver) echo(r *Declared, content document.Place) {
	if !strings.HasPrefix(r.Status, "2") || !slices.ContainsFunc(r.Content, mediatype.Content.MayBeJSON) {
		return
	}
	answered := r.Content[0].Schema // must be the same in all media types; ASP.NET lists three
	if slices.ContainsFunc(r.Content, func(c mediatype.Content) bool { return c.Schema.Place.Node != answered.Place.Node }) {
		return
	}
	isOwn := func(sent document.Place) bool { return sent.Node == answered.Place.Node }
	switch {
	case len(answered.Shape().Properties) == 0 && !answered.Shape().IsMap():
	case d.op.Method != http.MethodPatch && slices.ContainsFunc(d.request, isOwn):
		r.Echo = EchoWhole
		d.clause(r.ids.Echo(), Should, content, "a %s response shows the values that were sent", r.Status)
	case r.Status != "202" && (d.isRead() || d.op.Method == http.MethodPost && r.Status == "201") && d.op.sends(answered.Shape()):
		r.Echo = EchoPart
		d.clause(r.ids.Echo(), Should, content, "a %s response shows the values that were sent, as far as both describe them alike", r.Status)
	}
}

// isRead reports whether another operation reads what this one creates or changes, perhaps only as an entry of a list.
func (d *deriver) isRead() bool {
	path := barePath(d.op.Path)
	isListed := func(path string) bool {
		list := d.paths[path][http.MethodGet]
		return list != nil && list.IsList()
	}
	switch d.op.Method {
	case http.MethodPost:
		return d.paths[path+"/{}"][http.MethodGet] != nil || isListed(path)
	case http.MethodPut, http.MethodPatch:
		above, isEntry := strings.CutSuffix(path, "/{}")
		return d.paths[path][http.MethodGet] != nil || isEntry && isListed(above)
	}
	return false
}

// sends reports whether the JSON requests or forms of an operation have a property that the
// response describes alike.
func (op *Operation) sends(of *schema.Shape) bool {
	return op.RequestBody != nil && slices.ContainsFunc(op.RequestBody.Content, func(c mediatype.Content) bool {
		return (c.MayBeJSON() && !c.IsPatch() || c.IsForm()) && shown.Alike(of, c.Schema)
	})
}
