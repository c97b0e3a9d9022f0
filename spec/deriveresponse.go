package spec

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

func (d *deriver) responses(at located) error {
	if err := at.mapping("responses"); err != nil {
		return err
	}
	for _, m := range at.declared() {
		if !isStatus(m.Key) {
			return fmt.Errorf("reading the contract: %w", m.Errorf("%q is not a status: it must be like 200, 4XX or default", m.Key))
		}
		l, err := d.resolve(at.get(m.Key))
		if err != nil {
			return err
		}
		if err := l.mapping("a response"); err != nil {
			return err
		}
		if err := d.response(m.Key, l); err != nil {
			return err
		}
	}
	return nil
}

func (d *deriver) response(status string, at located) error {
	r := &response{status: status, ids: d.op.ClauseIDs().Response(status)}
	d.op.responses = append(d.op.responses, r)
	if err := d.responseHeaders(r, at.get("headers")); err != nil {
		return err
	}
	content := at.get("content")
	if err := content.mapping("content"); err != nil {
		return err
	}
	members := content.members()
	if bodiless(status) {
		r.bodiless = d.clause(string(r.ids.Body()), Must, at, "a %s response has no body", status)
		return nil
	}
	if len(members) > 0 {
		var names []string
		for _, m := range members {
			names = append(names, m.Key)
		}
		d.clause(r.ids.MediaType(), Must, content, "a %s response has the media type %s", status, strings.Join(names, " or "))
	}
	if d.op.Method == http.MethodHead {
		r.bodiless = d.clause(string(r.ids.Body()), Must, at, "a %s response to HEAD has no body", status)
	}
	for _, m := range members {
		media, err := d.mediaContent(r, content.get(m.Key), m)
		if err != nil {
			return err
		}
		r.content = append(r.content, media)
	}
	d.echo(r, content)
	return nil
}

func (d *deriver) mediaContent(r *response, at located, m *document.Member) (*mediaContent, error) {
	parsed, err := parseMediaType(m.Key)
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", m.Errorf("the media type %q %s", m.Key, err))
	}
	if err := at.mapping("a media type"); err != nil {
		return nil, err
	}
	media := &mediaContent{mediaRange: parsed, declared: m.Key}
	schema, err := d.component(at.get("schema"))
	if err != nil {
		return nil, err
	}
	if media.shape, err = d.shape(schema); err != nil || d.op.Method == http.MethodHead {
		return media, err
	}
	if !parsed.mayBeJSON() {
		return media, nil
	}
	owner, kind := "the body of a "+r.status+" response", media.shape.describe()
	if !parsed.isJSON() {
		owner = "a JSON body of a " + r.status + " response"
	}
	if kind == anything {
		d.clause(string(r.ids.Body()), Must, at, "%s is one JSON value", owner)
	} else {
		d.clause(string(r.ids.Body()), Must, at, "%s is one JSON value: %s", owner, kind)
	}
	d.bodyClauses(r.ids.Body(), "", owner, media.shape, at)
	if schema.Node != nil {
		media.schema, err = d.schemas.compile(schema)
	}
	return media, err
}

// bodyClauses derives the clauses on what is inside the value that within leads
// to in a body. The shape is shared by all responses of its schema, so it gets
// the part of the ids that is the same in all of them.
func (d *deriver) bodyClauses(body, within ClauseID, owner string, s *shape, at located) {
	for _, p := range s.properties {
		child := within.Property(p.name)
		kind := p.shape.describe()
		id := string(body + child)
		p.clause = string(child)
		switch {
		case p.writeOnly: // SHOULD NOT be sent in a response (OpenAPI 3.0.3, Schema Object)
			d.clause(id, Should, p.at, "%s does not contain %s, which is write-only", owner, p.name)
			continue
		case p.required && kind == anything:
			d.clause(id, Must, p.at, "in %s, %s is present", owner, p.name)
		case p.required:
			d.clause(id, Must, p.at, "in %s, %s is present and is %s", owner, p.name, kind)
		case kind != anything:
			d.clause(id, Must, p.at, "in %s, %s, if present, is %s", owner, p.name, kind)
		default:
			p.clause = "" // nothing can break it
		}
		d.bodyClauses(body, child, p.name+" of "+owner, p.shape, p.at)
	}
	if s.tellsUndeclared() {
		level := Should
		if s.closed {
			level = Must
		}
		s.undeclared = string(within.Undeclared())
		d.clause(string(body)+s.undeclared, level, at, "%s has no undeclared property", owner)
	}
	if s.each != nil {
		d.bodyClauses(body, within.Items(), "each item of "+owner, s.each, at)
	}
}

func (d *deriver) responseHeaders(r *response, at located) error {
	if err := at.mapping("headers"); err != nil {
		return err
	}
	for _, m := range at.members() {
		if http.CanonicalHeaderKey(m.Key) == "Content-Type" {
			continue // OpenAPI 3.0.3, Response Object: such a definition is ignored
		}
		l, err := d.resolve(at.get(m.Key))
		if err != nil {
			return err
		}
		if err := l.mapping("a header"); err != nil {
			return err
		}
		h := &responseHeader{name: m.Key, required: l.Get("required").True(), explode: l.Get("explode").True()}
		schema, err := d.component(l.get("schema"))
		if err != nil {
			return err
		}
		if h.shape, err = d.shape(schema); err != nil {
			return err
		}
		if schema.Node != nil {
			if h.schema, err = d.schemas.compile(schema); err != nil {
				return err
			}
		}
		id := r.ids.Header(m.Key)
		kind := h.shape.describe()
		switch {
		case h.required && kind == anything:
			h.clause = d.clause(id, Must, l, "a %s response has the header %s", r.status, h.name)
		case h.required:
			h.clause = d.clause(id, Must, l, "a %s response has the header %s, which is %s", r.status, h.name, kind)
		case kind != anything:
			h.clause = d.clause(id, Must, l, "in a %s response, the header %s, if present, is %s", r.status, h.name, kind)
		default:
			continue // nothing can break it
		}
		r.headers = append(r.headers, h)
	}
	return nil
}

// echo derives that a success shows the resource that was sent. It follows
// only where both sides name the same schema: the response's is the request's
// own, or one that the request's includes by allOf. A PATCH carries changes
// (RFC 5789 §2), so nothing follows for it.
func (d *deriver) echo(r *response, content located) {
	if !strings.HasPrefix(r.status, "2") || len(r.content) != 1 || !r.content[0].mediaRange.isJSON() || d.op.Method == http.MethodPatch {
		return
	}
	answered := r.content[0].shape
	if len(answered.properties) == 0 {
		return
	}
	if slices.ContainsFunc(d.request, func(sent located) bool { return sent.Node == answered.schemas[0].Node }) {
		r.echo = true
		d.clause(r.ids.Echo(), Should, content, "a %s response shows the values that were sent", r.status)
	}
}
