package spec

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// deriver reads one operation and derives its clauses on the way.
type deriver struct {
	*reader
	op      *Operation
	request []located // the schemas a JSON request body meets, for the echo
}

// clause adds a clause to the operation and gives its id.
func (d *deriver) clause(id string, level Level, at located, format string, args ...any) string {
	d.op.add(Clause{
		ID:      id,
		Level:   level,
		Section: at.section(),
		Text:    fmt.Sprintf(format, args...),
		Line:    at.Line,
	})
	return id
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
		with = " with " + strings.Join(accepted, " or ")
	}
	d.clause(d.op.ClauseIDs().Answers(), Must, at, "every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)")
	d.clause(d.op.ClauseIDs().Accepts(), Must, at, "a valid request is accepted%s", with)
}

func (d *deriver) silences(at located) {
	ids := d.op.ClauseIDs()
	if d.op.Security.Needed() {
		d.clause(ids.Silence(CredentialMissing), Silent, at, "which status does a request without a credential get?")
		d.clause(ids.Silence(CredentialInvalid), Silent, at, "which response does an unknown credential get?")
	}
	if !slices.ContainsFunc(d.op.responses, func(r *response) bool { return r.status == "default" }) {
		d.clause(ids.Silence(OtherStatuses), Silent, at, "which undeclared statuses are possible?")
	}
	if slices.ContainsFunc(d.op.responses, func(r *response) bool { return len(r.content) == 0 && r.bodiless == "" }) {
		d.clause(ids.Silence(undeclaredContent), Silent, at, "which body does a response have if the contract declares no content for it?")
	}
}

// security reads the credentials that the operation asks for. A scheme that
// does not exist is an error only where it would be the one that is used.
func (d *deriver) security(at located) error {
	list := at.get("security")
	if list.Node == nil {
		list = located{d.root, ""}.get("security")
	}
	if list.Node == nil || len(list.Items) == 0 {
		return nil
	}
	var s Security
	for _, item := range list.Items {
		alternative := Alternative{}
		for _, m := range item.Members {
			scheme, err := d.resolve(located{d.root, ""}.get("components", "securitySchemes", m.Key))
			if err != nil {
				return err
			}
			one := Scheme{Name: m.Key, Kind: Other}
			if _, carried := s.Carried(); scheme.Node != nil {
				one.Kind, one.In, one.Field = carrier(scheme)
			} else if len(item.Members) == 1 && !carried {
				return fmt.Errorf("reading the contract: %w", m.Errorf("there is no security scheme %s", m.Key))
			}
			alternative = append(alternative, one)
		}
		s = append(s, alternative)
	}
	d.op.Security = s
	if s.Needed() {
		carried, _ := s.Carried()
		words := credentialWords(carried.Kind)
		if len(list.Items) > 1 {
			words = "any of the permitted credentials"
		}
		d.clause(d.op.ClauseIDs().Credential(), Must, list, "a request without %s must be rejected", words)
	}
	return nil
}

func credentialWords(kind SchemeKind) string {
	switch kind {
	case Bearer, Basic:
		return fmt.Sprintf("a %s credential", kind)
	case APIKey:
		return "an API key"
	}
	return "a credential"
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
	for _, l := range append(item.get("parameters").list(), at.get("parameters").list()...) {
		p, err := d.resolve(l)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(other located) bool {
			return other.Get("name").Text() == p.Get("name").Text() && other.Get("in").Text() == p.Get("in").Text()
		})
		all = append(all, p)
	}
	for _, p := range all {
		parameter := Parameter{Name: p.Get("name").Text(), In: p.Get("in").Text(), Required: p.Get("required").True()}
		if parameter.In == "header" && isReservedHeader(parameter.Name) {
			continue // OpenAPI 3.0.3, Parameter Object: such definitions are ignored
		}
		d.op.Parameters = append(d.op.Parameters, parameter)
		if err := d.parameterClause(parameter, p); err != nil {
			return err
		}
	}
	return nil
}

func (d *deriver) parameterClause(parameter Parameter, at located) error {
	schema, err := d.component(at.get("schema"))
	if err != nil {
		return err
	}
	shape, err := d.shape(schema)
	if err != nil {
		return err
	}
	d.limit(d.op.ClauseIDs().Parameter(parameter.In, parameter.Name), at, parameter.In+" parameter "+parameter.Name, parameter.Required, shape.describeText())
	return nil
}

// limit derives the clause on a part of a request, where there is anything
// that could break it.
func (d *deriver) limit(id string, at located, name string, required bool, kind string) {
	switch {
	case required && kind == anything:
		d.clause(id, Must, at, "a request whose %s is missing must be rejected", name)
	case required:
		d.clause(id, Must, at, "a request whose %s is missing or not %s must be rejected", name, kind)
	case kind != anything:
		d.clause(id, Must, at, "a request whose %s is present and not %s must be rejected", name, kind)
	}
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
	if err := content.mapping("content"); err != nil {
		return err
	}
	takesAll := len(content.members()) == 0 // no media type is ruled out
	for _, m := range content.members() {
		parsed, err := parseMediaType(m.Key)
		if err != nil {
			return fmt.Errorf("reading the contract: %w", m.Errorf("the media type %q %s", m.Key, err))
		}
		body.MediaTypes = append(body.MediaTypes, m.Key)
		takesAll = takesAll || parsed.kind == "*"
	}
	schema, err := d.component(jsonSchema(content, body.MediaType()))
	if err != nil {
		return err
	}
	shape, err := d.shape(schema)
	if err != nil {
		return err
	}
	kind := shape.describe()
	if schema.Node != nil && kind == anything {
		kind = "a JSON value"
	}
	d.limit(d.op.ClauseIDs().RequestBody(), at, "body", body.Required, kind)
	d.requestProperties(ClauseID(d.op.ClauseIDs().RequestBody()), "", shape)
	d.request = shape.schemas
	if schema.Node != nil {
		body.schema = d.requestSchema(schema, shape)
	}
	if !takesAll {
		d.clause(d.op.ClauseIDs().RequestMediaType(), Should, content, "a request whose body is not declared as %s should be rejected", strings.Join(body.MediaTypes, " or "))
	}
	return nil
}

// requestSchema compiles the schema of a body when it is first asked for. One
// with read-only properties says of requests less than it seems to.
func (d *deriver) requestSchema(at located, s *shape) func() (*jsonschema.Schema, *shape) {
	schemas := d.schemas
	return sync.OnceValues(func() (*jsonschema.Schema, *shape) {
		if s.hasReadOnly(maxShapeDepth) {
			return nil, s
		}
		compiled, err := schemas.compile(at)
		if err != nil {
			return nil, s
		}
		return compiled, s
	})
}

// hasReadOnly looks for a read-only property, so many levels down.
func (s *shape) hasReadOnly(depth int) bool {
	if s == nil || depth == 0 {
		return false
	}
	return s.each.hasReadOnly(depth-1) || slices.ContainsFunc(s.properties, func(p *property) bool {
		return p.readOnly || p.shape.hasReadOnly(depth-1)
	})
}

// jsonSchema is the schema by which a request body of that media type is read,
// where it is one of JSON texts.
func jsonSchema(content located, sent string) located {
	var schema located
	precision := -1
	mediaType, _ := parseMediaType(sent) // "" is none of JSON texts
	if !mediaType.isJSON() {
		return schema
	}
	for _, m := range content.members() {
		declared, _ := parseMediaType(m.Key) // which was read before
		if declared.covers(mediaType) && declared.precision() > precision {
			schema, precision = content.get(m.Key, "schema"), declared.precision()
		}
	}
	return schema
}

func (d *deriver) requestProperties(id ClauseID, path string, s *shape) {
	for _, p := range s.properties {
		if p.readOnly {
			continue
		}
		name := strings.TrimPrefix(path+"."+p.name, ".")
		at := id.Property(p.name)
		d.limit(string(at), p.at, name, p.required, p.shape.describe())
		d.requestProperties(at, name, p.shape)
	}
	if s.each != nil {
		d.requestProperties(id.Items(), path+"[]", s.each)
	}
}
