package swagger

import (
	"slices"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// parameters translates the parameters of a path item and of an operation. An operation overrides
// those with the same name and place.
func (t *translator) parameters(item, at document.Place) (members []*document.Member) {
	var all []document.Place
	for _, written := range append(item.To("parameters").List(), at.To("parameters").List()...) {
		p, err := written.Resolve()
		if err != nil || p.Kind != document.Object {
			all = append(all, written) // the reader of the result reports it
			continue
		}
		all = slices.DeleteFunc(all, func(other document.Place) bool {
			return other.Get("name").Text() == p.Get("name").Text() && other.Get("in").Text() == p.Get("in").Text()
		})
		all = append(all, p)
	}
	var list []*document.Node
	var form []document.Place
	var body *document.Member
	for _, p := range all {
		switch p.Get("in").Text() {
		case "body":
			if body != nil {
				t.flaws = append(t.flaws, p.Errorf("an operation has one body; this second one is left out"))
				continue
			}
			body = p.As("requestBody", t.body(p, t.mediaTypes(at, "consumes")))
		case "formData":
			form = append(form, p)
		default:
			list = append(list, t.parameter(p))
		}
	}
	if body != nil && len(form) > 0 {
		t.flaws = append(t.flaws, form[0].Errorf("an operation has a body or a form, not both; the form is left out"))
	} else if len(form) > 0 {
		body = form[0].As("requestBody", t.form(form, t.mediaTypes(at, "consumes")))
	}
	if len(list) > 0 {
		members = append(members, at.As("parameters", at.MakeList(list...)))
	}
	if body != nil {
		members = append(members, body)
	}
	return members
}

func (t *translator) parameter(p document.Place) *document.Node {
	if p.Kind != document.Object || p.Get("$ref") != nil || p.Get("schema") != nil {
		return p.Node
	}
	members := lists.Filter(p.Members, func(m *document.Member) bool { return !isValueKeyword(m.Key) && m.Key != "collectionFormat" })
	members = append(members, t.style(p)...)
	return p.MakeObject(append(members, p.As("schema", valueSchema(p)))...)
}

// style returns the members that say how a list is written.
func (t *translator) style(p document.Place) []*document.Member {
	if p.Get("type").Text() != "array" {
		return nil
	}
	style, explode := "simple", false
	if in := p.Get("in").Text(); in == "query" || in == "formData" {
		style = "form"
	}
	switch format := p.Get("collectionFormat").Text(); format {
	case "", "csv":
	case "ssv":
		style = "spaceDelimited"
	case "pipes":
		style = "pipeDelimited"
	case "multi":
		explode = true
	default:
		t.flaws = append(t.flaws, p.To("collectionFormat").Errorf("the collectionFormat %s is not supported; commas are used", format))
	}
	return []*document.Member{p.As("style", p.MakeText(style)), p.As("explode", p.MakeBool(explode))}
}

// isValueKeyword reports whether a key of a parameter or header limits its value.
func isValueKeyword(key string) bool {
	return slices.Contains([]string{
		"type", "format", "items", "default", "enum", "multipleOf", "pattern", "uniqueItems",
		"maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "maxItems", "minItems",
	}, key)
}

// valueSchema returns the schema of the value of a parameter or header.
func valueSchema(p document.Place) *document.Node {
	if p.Get("type").Text() == "file" {
		return p.MakeObject(p.As("type", p.MakeText("string")), p.As("format", p.MakeText("binary")))
	}
	return p.MakeObject(lists.Filter(p.Members, func(m *document.Member) bool { return isValueKeyword(m.Key) })...)
}

func (t *translator) body(p document.Place, mediaTypes []string) *document.Node {
	var media []*document.Member
	if schema := p.To("schema"); schema.Node != nil {
		media = append(media, schema.Move("schema"))
	}
	content := lists.Map(mediaTypes, func(name string) *document.Member { return p.As(name, p.MakeObject(media...)) })
	return p.MakeObject(p.As("required", p.MakeBool(p.Get("required").True())), p.As("content", p.MakeObject(content...)))
}

// form makes a request body from the fields of a form.
func (t *translator) form(fields []document.Place, consumes []string) *document.Node {
	const multipart, encoded = "multipart/form-data", "application/x-www-form-urlencoded"
	first := fields[0]
	mediaTypes := lists.Filter(consumes, func(name string) bool { return name == multipart || name == encoded })
	var properties, encoding []*document.Member
	var required []*document.Node
	files := false
	for _, p := range fields {
		name := p.Get("name").Text()
		files = files || p.Get("type").Text() == "file"
		properties = append(properties, p.As(name, valueSchema(p)))
		if style := t.style(p); style != nil {
			encoding = append(encoding, p.As(name, p.MakeObject(style...)))
		}
		if p.Get("required").True() {
			required = append(required, p.MakeText(name))
		}
	}
	switch {
	case files:
		mediaTypes = []string{multipart}
	case len(mediaTypes) == 0:
		mediaTypes = []string{encoded}
	}
	members := []*document.Member{first.As("type", first.MakeText("object")), first.As("properties", first.MakeObject(properties...))}
	if len(required) > 0 {
		members = append(members, first.As("required", first.MakeList(required...)))
	}
	schema := first.MakeObject(members...)
	var content []*document.Member
	for _, mediaType := range mediaTypes {
		media := []*document.Member{first.As("schema", schema)}
		if len(encoding) > 0 {
			media = append(media, first.As("encoding", first.MakeObject(encoding...)))
		}
		content = append(content, first.As(mediaType, first.MakeObject(media...)))
	}
	return first.MakeObject(first.As("required", first.MakeBool(len(required) > 0)), first.As("content", first.MakeObject(content...)))
}
