package spec

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// deriver reads one operation and derives its clauses on the way.
type deriver struct {
	*reader
	op      *Operation
	request []document.Place // the schemas that a JSON request body meets, for the echo
}

// clause adds a clause to the operation and gives its id.
func (d *deriver) clause(id string, level Level, at document.Place, format string, args ...any) string {
	d.op.add(Clause{
		ID:      id,
		Level:   level,
		Section: section(at),
		Text:    fmt.Sprintf(format, args...),
		Line:    at.Line,
	})
	return id
}

func (d *deriver) general(at document.Place) {
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

func (d *deriver) silences(at document.Place) {
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

// parameters reads those of the path item and of the operation, which
// override them by name and place.
func (d *deriver) parameters(item, at document.Place) error {
	var all []document.Place
	for _, l := range append(item.To("parameters").List(), at.To("parameters").List()...) {
		p, err := l.Resolve()
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(other document.Place) bool {
			return other.Get("name").Text() == p.Get("name").Text() && other.Get("in").Text() == p.Get("in").Text()
		})
		all = append(all, p)
	}
	for _, p := range all {
		parameter := Parameter{Style: style.Style{Name: p.Get("name").Text(), In: p.Get("in").Text()}, Required: p.Get("required").True()}
		if parameter.In == "header" && isReservedHeader(parameter.Name) {
			continue // OpenAPI 3.0.3, Parameter Object: such definitions are ignored
		}
		if err := d.value(&parameter, p); err != nil {
			return err
		}
		parameter.Examples = examples(p)
		d.op.Parameters = append(d.op.Parameters, parameter)
		name := parameter.In + " parameter " + parameter.Name
		d.limit(d.op.ClauseIDs().Parameter(parameter.In, parameter.Name), p, name, parameter.Required, parameter.Schema.DescribeText())
	}
	return nil
}

// value reads what the value of a parameter is like and how it is written
// (OpenAPI 3.0.3, Parameter Object).
func (d *deriver) value(p *Parameter, at document.Place) error {
	value := at.To("schema")
	if content := at.To("content"); len(content.All()) == 1 {
		p.Content = content.All()[0].Key
		value = content.To(p.Content, "schema")
	} else {
		p.Style = written(p.Style, at)
	}
	var err error
	p.Schema, err = d.schemas.At(value)
	return err //nolint:wrapcheck // it names the place
}

// examples are those that stand beside a schema. What cannot be resolved is no
// example (OpenAPI 3.0.3, Example Object).
func examples(at document.Place) (list []any) {
	if n := at.Get("example"); n != nil {
		list = append(list, n.Value())
	}
	for _, m := range at.To("examples").All() {
		if one, err := at.To("examples", m.Key).Resolve(); err == nil && one.Get("value") != nil {
			list = append(list, one.Get("value").Value())
		}
	}
	return list
}

// written is how a parameter or a field is written, by what stands at that place.
func written(s style.Style, at document.Place) style.Style {
	s.Style = cmp.Or(at.Get("style").Text(), map[string]string{"query": "form", "cookie": "form"}[s.In], "simple")
	s.Explode = at.Get("explode").True() || at.Get("explode") == nil && s.Style == "form"
	s.Reserved = at.Get("allowReserved").True()
	return s
}

// limit derives the clause on a part of a request, where there is anything
// that could break it.
func (d *deriver) limit(id string, at document.Place, name string, required bool, kind string) {
	switch {
	case required && kind == schema.Anything:
		d.clause(id, Must, at, "a request whose %s is missing must be rejected", name)
	case required:
		d.clause(id, Must, at, "a request whose %s is missing or not %s must be rejected", name, kind)
	case kind != schema.Anything:
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

func (d *deriver) requestBody(at document.Place) error {
	if at.Node == nil {
		return nil
	}
	at, err := at.Resolve()
	if err != nil {
		return err
	}
	body := &RequestBody{Required: at.Get("required").True()}
	d.op.RequestBody = body
	if body.Content, err = d.content(at.To("content")); err != nil {
		return err
	}
	kind := schema.Anything
	if s := body.JSON(); s != nil {
		if kind = s.Describe(); kind == schema.Anything {
			kind = "a JSON value"
		}
		d.request = s.Includes
	}
	ids := d.op.ClauseIDs()
	d.limit(string(ids.RequestBody()), at, "body", body.Required, kind)
	if s := body.JSON(); s != nil {
		d.requestProperties(ids.RequestBody(), "", s.Shape)
	}
	for _, c := range body.Content {
		if c.parsed.isJSON() && !c.parsed.isRange() || c.parsed.isForm() {
			d.requestProperties(ids.RequestBody(), "", c.Schema.Shape)
		}
	}
	if len(body.Content) > 0 && !slices.ContainsFunc(body.Content, func(c Content) bool { return c.parsed.kind == "*" }) {
		d.clause(ids.RequestMediaType(), Should, at.To("content"), "a request whose body is not declared as %s should be rejected", strings.Join(mediaTypes(body.Content), " or "))
	}
	return nil
}

// content reads what is declared for each media type of a body.
func (d *deriver) content(at document.Place) ([]Content, error) {
	if err := at.Mapping("content"); err != nil {
		return nil, err //nolint:wrapcheck // it names the place
	}
	var list []Content
	for _, m := range at.All() {
		c := Content{MediaType: m.Key}
		var err error
		if c.parsed, err = parseMediaType(m.Key); err != nil {
			return nil, m.Errorf("the media type %q %s", m.Key, err)
		}
		media := at.To(m.Key)
		if err := media.Mapping("a media type"); err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		if c.Schema, err = d.schemas.At(media.To("schema")); err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		c.Examples = examples(media)
		for _, field := range media.To("encoding").All() {
			if c.Fields == nil {
				c.Fields = map[string]Field{}
			}
			at := media.To("encoding", field.Key)
			c.Fields[field.Key] = Field{written(style.Style{Name: field.Key, In: "query"}, at), at.Get("contentType").Text()}
		}
		list = append(list, c)
	}
	return list, nil
}

func (d *deriver) requestProperties(id ClauseID, path string, s *schema.Shape) {
	for _, p := range s.Properties {
		if p.ReadOnly {
			continue
		}
		name := strings.TrimPrefix(path+"."+p.Name, ".")
		at := id.Property(p.Name)
		d.limit(string(at), p.At, name, p.Required, p.Shape.Describe())
		d.requestProperties(at, name, p.Shape)
	}
	if s.Each != nil {
		d.requestProperties(id.Items(), path+"[]", s.Each)
	}
}
