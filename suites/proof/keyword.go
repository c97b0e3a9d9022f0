package proof

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/plantstore/conformance/spec/lists"
)

// mostDepth is the maximum depth at which limits looks for keywords. Documents may be recursive.
const mostDepth = 6

// limits returns all keywords that a request can violate, with their places.
func limits(route *routers.Route) []flaw {
	var list []flaw
	add := func(place, keyword string) { list = append(list, flaw{place, keyword}) }
	security := route.Spec.Security
	if route.Operation.Security != nil {
		security = *route.Operation.Security
	}
	if len(security) > 0 && !slices.ContainsFunc(security, func(one openapi3.SecurityRequirement) bool { return len(one) == 0 }) {
		add(atCredential, "required")
	}
	own := route.Operation.Parameters
	for _, ref := range own {
		ofParameter(ref.Value, add)
	}
	for _, ref := range route.PathItem.Parameters {
		if own.GetByInAndName(ref.Value.In, ref.Value.Name) == nil {
			ofParameter(ref.Value, add)
		}
	}
	if ref := route.Operation.RequestBody; ref != nil && ref.Value != nil {
		ofBody(ref.Value, add)
	}
	return lists.Unique(list)
}

func ofParameter(p *openapi3.Parameter, add func(place, keyword string)) {
	place := p.In + "/" + p.Name
	if p.Required && p.In != openapi3.ParameterInPath {
		add(place, "required")
	}
	if p.Schema == nil {
		return
	}
	walk(place, p.Schema.Value, mostDepth, func(at, keyword string) {
		if s := p.Schema.Value; keyword == "type" && (s.Type.Permits("string") || s.Type.Permits("array")) {
			return // any text is a string, or a list with one entry
		}
		add(at, keyword)
	})
}

func ofBody(body *openapi3.RequestBody, add func(place, keyword string)) {
	if body.Required {
		add(atBody, "required")
	}
	if len(body.Content) > 0 {
		add(atMediaType, "declared")
	}
	for _, mediaType := range sortedKeys(body.Content) {
		if isJSON(mediaType) {
			add(atBody, "syntax")
		}
		if m := body.Content[mediaType]; m.Schema != nil {
			walk(atBody, m.Schema.Value, mostDepth, add)
		}
	}
}

// walk adds the keywords of a schema and of the schemas below it.
func walk(place string, s *openapi3.Schema, depth int, add func(place, keyword string)) {
	if s == nil || depth == 0 {
		return
	}
	own(place, s, add)
	for _, ref := range slices.Concat(s.AllOf, conditional(s)) {
		walk(place, ref.Value, depth-1, add)
	}
	for _, name := range sortedKeys(s.Properties) {
		if p := s.Properties[name].Value; p != nil && !p.ReadOnly {
			walk(place+"/"+name, p, depth-1, add)
		}
	}
	for _, ref := range slices.Concat(others(s, "0"), others(s, "")) {
		if isNone(ref) {
			add(place+"/*", "items")
			continue
		}
		walk(place+"/*", ref.Value, depth-1, add)
	}
}

// own adds the keywords of the schema itself.
func own(place string, s *openapi3.Schema, add func(place, keyword string)) {
	for _, one := range []struct {
		keyword string
		stands  bool
	}{
		{"type", s.Type != nil && !s.Type.IsEmpty()},
		{"enum", len(s.Enum) > 0}, {"const", s.Const != nil},
		{"minimum", s.Min != nil}, {"maximum", s.Max != nil},
		{"exclusiveMinimum", s.ExclusiveMin.IsSet()}, {"exclusiveMaximum", s.ExclusiveMax.IsSet()},
		{"multipleOf", s.MultipleOf != nil},
		{"minLength", s.MinLength > 0}, {"maxLength", s.MaxLength != nil}, {"pattern", s.Pattern != ""},
		{"minItems", s.MinItems > 0}, {"maxItems", s.MaxItems != nil}, {"uniqueItems", s.UniqueItems},
		{"minProperties", s.MinProps > 0}, {"maxProperties", s.MaxProps != nil},
		{"additionalProperties", s.AdditionalProperties.Has != nil && !*s.AdditionalProperties.Has},
		{"oneOf", len(s.OneOf) > 0}, {"anyOf", len(s.AnyOf) > 0}, {"not", s.Not != nil},
		{"contains", s.Contains != nil && (s.MinContains == nil || *s.MinContains > 0)}, {"maxContains", s.Contains != nil && s.MaxContains != nil},
		{"unevaluatedProperties", isFalse(s.UnevaluatedProperties)}, {"unevaluatedItems", isFalse(s.UnevaluatedItems)},
	} {
		if one.stands {
			add(place, one.keyword)
		}
	}
	if _, ok := formats()[s.Format]; ok || s.Format == "int32" || s.Format == "int64" {
		add(place, "format")
	}
	for _, name := range s.Required {
		if ref := s.Properties[name]; ref == nil || ref.Value == nil || !ref.Value.ReadOnly {
			add(place+"/"+name, "required")
		}
	}
	for _, name := range sortedKeys(s.DependentRequired) {
		for _, other := range s.DependentRequired[name] {
			add(place+"/"+other, "dependentRequired")
		}
	}
	if s.PropertyNames != nil {
		// The validator does not tell which object in the whole value has the forbidden name.
		in, rest, _ := strings.Cut(place, "/")
		if name, _, _ := strings.Cut(rest, "/"); in != atBody {
			in += "/" + name
		}
		add(in, "propertyNames")
	}
}

// isFalse reports whether the keyword forbids everything that no other keyword describes.
func isFalse(keyword openapi3.BoolSchema) bool {
	return keyword.Has != nil && !*keyword.Has || isNone(keyword.Schema)
}

// isNone reports whether a schema is false, so that it accepts nothing.
func isNone(ref *openapi3.SchemaRef) bool {
	return ref != nil && ref.Value != nil && ref.Value.Always != nil && !*ref.Value.Always
}

// conditional returns the schemas that only some values of a schema must match.
func conditional(s *openapi3.Schema) (list openapi3.SchemaRefs) {
	list = slices.DeleteFunc(openapi3.SchemaRefs{s.Then, s.Else}, func(ref *openapi3.SchemaRef) bool { return ref == nil })
	for _, name := range sortedKeys(s.DependentSchemas) {
		list = append(list, s.DependentSchemas[name])
	}
	return list
}
