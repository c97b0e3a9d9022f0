package spec

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// response is what the document declares for one status, or a class of
// statuses, of an operation.
type response struct {
	status  string // "200", "4XX", "default"
	clause  string // "<operationId>/<status>"
	content []*mediaContent
	headers []*responseHeader
	echo    bool // the body is the resource that the request carried
}

type mediaContent struct {
	mediaRange mediaType // the declared media type or range
	declared   string    // as the document writes it
	json       bool
	schema     *jsonschema.Schema // nil where any value will do
	shape      *shape
}

type responseHeader struct {
	name     string
	clause   string
	required bool
	schema   *jsonschema.Schema // nil where any text will do
	shape    *shape
}

// response gives what is declared for a status: itself before its class
// before default (OpenAPI 3.0.3, Responses Object).
func (op *Operation) response(status int) *response {
	exact := strconv.Itoa(status)
	best := (*response)(nil)
	rank := 0
	for _, r := range op.responses {
		matched := 0
		switch {
		case r.status == exact:
			matched = 3
		case strings.EqualFold(r.status, exact[:1]+"XX"):
			matched = 2
		case r.status == "default":
			matched = 1
		}
		if matched > rank {
			best, rank = r, matched
		}
	}
	return best
}

func (d *deriver) responses(at located) error {
	if at.Node == nil {
		return nil
	}
	for _, m := range at.Members {
		if strings.HasPrefix(m.Key, "x-") {
			continue
		}
		if !isStatus(m.Key) {
			return fmt.Errorf("reading the contract: %w", m.Value.Errorf("%q is no status: it must be like 200, 4XX or default", m.Key))
		}
		l, err := d.resolve(at.get(m.Key))
		if err != nil {
			return err
		}
		if err := d.response(m.Key, l); err != nil {
			return err
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

func (d *deriver) response(status string, at located) error {
	r := &response{status: status, clause: d.op.ID + "/" + status}
	d.op.responses = append(d.op.responses, r)
	if err := d.responseHeaders(r, at.get("headers")); err != nil {
		return err
	}
	content := at.get("content")
	if content.Node == nil || len(content.Members) == 0 {
		d.clause(status+"/body", Must, at, "%s has no body", status)
		return nil
	}
	var names []string
	for _, m := range content.Members {
		names = append(names, m.Key)
	}
	d.clause(status+"/media-type", Must, content, "%s is answered as %s", status, strings.Join(names, " or "))
	for _, m := range content.Members {
		media, err := d.mediaContent(status, content.get(m.Key), m.Key)
		if err != nil {
			return err
		}
		r.content = append(r.content, media)
	}
	d.echo(r, content)
	return nil
}

func (d *deriver) mediaContent(status string, at located, declared string) (*mediaContent, error) {
	parsed, err := parseMediaType(declared)
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %v", at.Errorf("media type %q: %s", declared, err))
	}
	media := &mediaContent{mediaRange: parsed, declared: declared, json: isJSON(declared)}
	schema := at.get("schema")
	if media.shape, err = d.shape(schema); err != nil {
		return nil, err
	}
	if media.json {
		kind := media.shape.describe()
		if kind == anything {
			kind = "value"
		}
		d.clause(status+"/body", Must, at, "the body of %s is one JSON text: %s", status, kind)
		d.bodyProperties(status+"/body", "the body", status, media.shape, at)
		if schema.Node != nil {
			media.schema, err = d.schemas.compile(schema)
		}
	} else {
		d.clause(status+"/body", Must, at, "%s has a body", status)
	}
	return media, err
}

func (d *deriver) bodyProperties(part, owner, status string, s *shape, at located) {
	for _, p := range s.properties {
		if p.writeOnly {
			continue // it may be sent, not answered (OpenAPI 3.0.3, Schema Object)
		}
		child := part + "/" + segment(p.name)
		if p.required {
			d.clause(child, Must, p.at, "%s of %s has %s, %s", owner, status, p.name, p.shape.describe())
		} else {
			d.clause(child, Must, p.at, "%s of %s, where it has %s, has it as %s", owner, status, p.name, p.shape.describe())
		}
		d.bodyProperties(child, p.name, status, p.shape, p.at)
	}
	if s.checksUndeclared() {
		level := Should
		if s.closed {
			level = Must
		}
		d.clause(part+"/undeclared", level, at, "%s of %s has no property that is not declared", owner, status)
	}
	if s.each != nil {
		d.bodyProperties(part+"/*", "each entry", status, s.each, at)
	}
}

// checksUndeclared says whether an undeclared property can be told: a schema
// that lists none, or leaves room for others, has no opinion.
func (s *shape) checksUndeclared() bool {
	return s.closed || len(s.properties) > 0 && !s.open
}

func (d *deriver) responseHeaders(r *response, at located) error {
	if at.Node == nil {
		return nil
	}
	for _, m := range at.Members {
		if http.CanonicalHeaderKey(m.Key) == "Content-Type" {
			continue // OpenAPI 3.0.3, Response Object: such a definition is ignored
		}
		l, err := d.resolve(at.get(m.Key))
		if err != nil {
			return err
		}
		h := &responseHeader{name: m.Key, required: l.Get("required").True()}
		part := fmt.Sprintf("%s/header/%s", r.status, segment(m.Key))
		h.clause = d.op.ID + "/" + part
		schema := l.get("schema")
		if h.shape, err = d.shape(schema); err != nil {
			return err
		}
		if schema.Node != nil {
			if h.schema, err = d.schemas.compile(schema); err != nil {
				return err
			}
		}
		if h.required {
			d.clause(part, Must, l, "%s has the header %s, %s", r.status, h.name, h.shape.describe())
		} else {
			d.clause(part, Must, l, "%s, where it has the header %s, has it as %s", r.status, h.name, h.shape.describe())
		}
		r.headers = append(r.headers, h)
	}
	return nil
}

// echo derives that a success shows the resource that was sent. It follows
// only where both sides name the same schema: the response's is the request's
// own, or one that the request's includes by allOf.
func (d *deriver) echo(r *response, content located) {
	if !strings.HasPrefix(r.status, "2") || len(r.content) != 1 || !r.content[0].json {
		return
	}
	answered := r.content[0].shape
	if len(answered.schemas) == 0 || len(answered.properties) == 0 {
		return
	}
	for _, sent := range d.request {
		if answered.schemas[0].Node == sent.Node {
			r.echo = true
			d.clause(r.status+"/echo", Should, content, "what %s shows is what was sent", r.status)
			return
		}
	}
}
