package spec

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// deriver reads one operation and derives its clauses on the way.
type deriver struct {
	*reader
	op      *Operation
	request []located // the schemas a JSON request body meets, for the echo
}

func (d *deriver) clause(part string, level Level, at located, format string, args ...any) {
	d.op.add(Clause{
		ID:      d.op.ID + "/" + part,
		Level:   level,
		Section: at.section(),
		Text:    fmt.Sprintf(format, args...),
		Line:    at.line(),
	})
}

func (d *deriver) general(at located) {
	var accepted []string
	if responses := at.Get("responses"); responses != nil {
		for _, m := range responses.Members {
			if strings.HasPrefix(m.Key, "2") {
				accepted = append(accepted, m.Key)
			}
		}
	}
	with := ""
	if len(accepted) > 0 {
		with = ", with " + strings.Join(accepted, " or ")
	}
	d.clause("answers", Must, at, "every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)")
	d.clause("accepts", Must, at, "a request that meets the contract is accepted%s", with)
}

func (d *deriver) silences(at located) {
	if d.op.Security.Needed() {
		d.clause("silent/credential-missing", Silent, at, "which status does a missing credential get?")
		d.clause("silent/credential-invalid", Silent, at, "what does a credential get that the service did not issue?")
	}
	if !d.op.has(d.op.ID + "/default/media-type") {
		d.clause("silent/other-statuses", Silent, at, "which statuses are there beside the declared ones?")
	}
}

// security reads the operation's credential: the first alternative that asks
// for exactly one scheme this harness can carry.
func (d *deriver) security(at located) error {
	list := at.get("security")
	if list.Node == nil {
		list = located{d.root, ""}.get("security")
	}
	if list.Node == nil || len(list.Items) == 0 {
		return nil
	}
	s := &Security{Kind: Other}
	for _, alternative := range list.Items {
		if len(alternative.Members) == 0 {
			s.Optional = true
			continue
		}
		if len(alternative.Members) > 1 || s.Kind != Other {
			continue
		}
		name := alternative.Members[0].Key
		scheme, err := d.resolve(located{d.root, ""}.get("components", "securitySchemes", name))
		if err != nil {
			return err
		}
		s.Scheme = name
		s.Kind, s.In, s.Name = carrier(scheme)
	}
	d.op.Security = s
	if s.Needed() {
		d.clause("request/credential", Must, list, "a request without a %s credential is not accepted", s.Kind)
	}
	return nil
}

func carrier(scheme located) (kind SchemeKind, in, name string) {
	switch scheme.Node.Get("type").Text() {
	case "oauth2", "openIdConnect":
		return Bearer, "header", "Authorization"
	case "apiKey":
		return APIKey, scheme.Get("in").Text(), scheme.Get("name").Text()
	case "http":
		switch strings.ToLower(scheme.Get("scheme").Text()) {
		case "bearer":
			return Bearer, "header", "Authorization"
		case "basic":
			return Basic, "header", "Authorization"
		}
	}
	return Other, "", ""
}

// parameters reads those of the path item and of the operation, which
// override them by name and place.
func (d *deriver) parameters(item, at located) error {
	var all []located
	for _, list := range []located{item.get("parameters"), at.get("parameters")} {
		if list.Node == nil {
			continue
		}
		for i := range list.Items {
			p, err := d.resolve(list.item(i))
			if err != nil {
				return err
			}
			for j, other := range all {
				if other.Get("name").Text() == p.Get("name").Text() && other.Get("in").Text() == p.Get("in").Text() {
					all = append(all[:j], all[j+1:]...)
					break
				}
			}
			all = append(all, p)
		}
	}
	for _, p := range all {
		parameter := Parameter{Name: p.Get("name").Text(), In: p.Get("in").Text(), Required: p.Get("required").True()}
		if parameter.In == "header" && isReservedHeader(parameter.Name) {
			continue // OpenAPI 3.0.3, Parameter Object: such definitions are ignored
		}
		d.op.Parameters = append(d.op.Parameters, parameter)
		shape, err := d.shape(p.get("schema"))
		if err != nil {
			return err
		}
		text := "a request whose %s %s is present and not %s is not accepted"
		if parameter.Required {
			text = "a request whose %s %s is missing or not %s is not accepted"
		} else if shape.describe() == anything {
			continue
		}
		part := fmt.Sprintf("request/%s/%s", parameter.In, segment(parameter.Name))
		d.clause(part, Must, p, text, parameter.In+" parameter", parameter.Name, shape.describe())
	}
	return nil
}

func isReservedHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Accept", "Content-Type", "Authorization":
		return true
	}
	return false
}

func (d *deriver) requestBody(at located) error {
	if at.Node == nil {
		return nil
	}
	at, err := d.resolve(at)
	if err != nil {
		return err
	}
	body := &RequestBody{Required: at.Get("required").True()}
	d.op.RequestBody = body
	content := at.get("content")
	if content.Node == nil {
		return nil
	}
	var schema located
	for _, m := range content.Members {
		body.MediaTypes = append(body.MediaTypes, m.Key)
		if schema.Node == nil && isJSON(m.Key) {
			schema = content.get(m.Key, "schema")
		}
	}
	shape, err := d.shape(schema)
	if err != nil {
		return err
	}
	switch {
	case schema.Node != nil:
		missing := ""
		if body.Required {
			missing = "without a body, or "
		}
		d.clause("request/body", Must, at, "a request %swhose body is not %s, is not accepted", missing, shape.describe())
		d.requestProperties("request/body", "", shape)
		d.request = shape.schemas
	case body.Required:
		d.clause("request/body", Must, at, "a request without a body is not accepted")
	}
	if len(body.MediaTypes) > 0 {
		d.clause("request/media-type", Should, content, "a request whose body is not declared as %s is not accepted", strings.Join(body.MediaTypes, " or "))
	}
	return nil
}

func (d *deriver) requestProperties(part, path string, s *shape) {
	for _, p := range s.properties {
		if p.readOnly {
			continue
		}
		name := strings.TrimPrefix(path+"."+p.name, ".")
		at := part + "/" + segment(p.name)
		kind := p.shape.describe()
		switch {
		case p.required:
			d.clause(at, Must, p.at, "a request whose %s is missing or not %s is not accepted", name, kind)
		case kind != anything:
			d.clause(at, Must, p.at, "a request whose %s is present and not %s is not accepted", name, kind)
		}
		d.requestProperties(at, name, p.shape)
	}
	if s.each != nil {
		d.requestProperties(part+"/*", path+"[]", s.each)
	}
}

// segment makes a name one part of a clause id. The names that the grammar
// uses itself are marked, so that a property called "undeclared" keeps an id
// of its own.
func segment(name string) string {
	escaped := document.EscapePointer(name)
	switch escaped {
	case "undeclared", "*", "":
		return "~" + escaped
	}
	return escaped
}
