package proof

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
)

// each returns the single errors in err.
func each(err error) []error {
	several, ok := err.(openapi3.MultiError) //nolint:errorlint // which is not wrapped
	if !ok && err != nil {
		return []error{err}
	}
	return slices.Concat(lists.Map(several, each)...)
}

func flawsOf(err error) []flaw {
	if _, ok := errors.AsType[*openapi3filter.SecurityRequirementsError](err); ok {
		return []flaw{{atCredential, "required"}}
	}
	e, ok := errors.AsType[*openapi3filter.RequestError](err)
	if !ok {
		return []flaw{{atBody, "unreadable"}}
	}
	place, schema := atBody, (*openapi3.Schema)(nil)
	if p := e.Parameter; p != nil {
		place = p.In + "/" + p.Name
		if p.Schema != nil {
			schema = p.Schema.Value
		}
	} else if e.RequestBody != nil {
		if m := e.RequestBody.Content.Get(e.Input.Request.Header.Get("Content-Type")); m != nil && m.Schema != nil {
			schema = m.Schema.Value
		}
	}
	switch parse, isParse := errors.AsType[*openapi3filter.ParseError](e.Err); {
	case e.Err == nil:
		return []flaw{{atMediaType, "declared"}}
	case errors.Is(e.Err, openapi3filter.ErrInvalidRequired):
		return []flaw{{place, "required"}}
	case errors.Is(e.Err, openapi3filter.ErrInvalidEmptyValue):
		return []flaw{{place, "type"}}
	case isParse && e.Parameter == nil:
		for _, step := range parse.Path() {
			if name, ok := step.(string); ok {
				return []flaw{{place + "/" + name, "type"}}
			}
		}
		return []flaw{{place, "syntax"}}
	case isParse:
		return []flaw{{place, "type"}}
	}
	return broken(place, schema, e.Err)
}

// broken returns the keywords that a value violates, according to an error or several.
func broken(place string, schema *openapi3.Schema, err error) []flaw {
	return slices.Concat(lists.Map(each(err), func(one error) []flaw { return brokenBy(place, schema, one) })...)
}

// brokenBy returns the keywords that a single error names. A fault inside oneOf, anyOf, not, contains or
// propertyNames is reported as that keyword, because the intended branch, item or name is unknown.
func brokenBy(place string, schema *openapi3.Schema, err error) []flaw {
	e, ok := err.(*openapi3.SchemaError) //nolint:errorlint // those inside it come below
	if !ok {
		return []flaw{{place, "type"}}
	}
	keyword, path := e.SchemaField, e.JSONPointer()
	switch keyword {
	case "oneOf", "anyOf", "not", "discriminator", "contains", "maxContains":
		return []flaw{{at(place, schema, path), keyword}}
	case "minContains":
		return []flaw{{at(place, schema, path), "contains"}}
	case "propertyNames":
		return []flaw{{place, keyword}} // the validator overwrites the path of such an error
	case "properties":
		keyword = "additionalProperties"
	case "nullable":
		keyword = "type"
	}
	if inner, ok := errors.AsType[openapi3.MultiError](e.Origin); ok && len(inner) > 0 {
		return broken(place, schema, inner)
	}
	var missing []string
	if cause, ok := errors.AsType[*jsonschema.ValidationError](err); ok { // OpenAPI 3.1 or later
		switch broken := cause.ErrorKind.(type) {
		case *kind.Required:
			missing = broken.Missing
		case *kind.DependentRequired:
			keyword, missing = "dependentRequired", broken.Missing
		case *kind.FalseSchema:
			keyword = cause.SchemaURL[strings.LastIndex(cause.SchemaURL, "/")+1:]
			if strings.HasPrefix(keyword, "unevaluated") {
				path = path[:len(path)-1]
			}
		case *kind.Not:
			keyword = "not"
		}
	}
	if len(missing) == 0 {
		return []flaw{{at(place, schema, path), keyword}}
	}
	return lists.Map(missing, func(name string) flaw { return flaw{at(place, schema, append(path, name)), keyword} })
}

// at returns the place of a value below another one. The items of a list and the values of a
// map are all named *.
func at(place string, schema *openapi3.Schema, path []string) string {
	all := parts(schema)
	for _, step := range path {
		next, declared := below(all, step)
		if len(next) == 0 {
			return place // the flaw of an undeclared property belongs to its object
		}
		if !declared {
			step = "*"
		}
		place += "/" + step
		all = next
	}
	return place
}

// below returns the schemas of a declared property, or else of the items or undeclared properties.
func below(all []*openapi3.Schema, step string) (next []*openapi3.Schema, declared bool) {
	for _, s := range all {
		if p := s.Properties[step]; p != nil {
			next = append(next, parts(p.Value)...)
		}
	}
	if len(next) > 0 {
		return next, true
	}
	for _, s := range all {
		for _, ref := range others(s, step) {
			next = append(next, parts(ref.Value)...)
		}
	}
	return next, false
}

// others returns the schemas of an item, or of a property that is not declared by its name.
func others(s *openapi3.Schema, step string) (list openapi3.SchemaRefs) {
	if _, err := strconv.Atoi(step); err == nil && (s.Items != nil || s.PrefixItems != nil) {
		list = slices.Clone(s.PrefixItems)
		if s.Items != nil {
			list = append(list, s.Items)
		}
		return list
	}
	for _, pattern := range sortedKeys(s.PatternProperties) {
		list = append(list, s.PatternProperties[pattern])
	}
	if each := s.AdditionalProperties.Schema; each != nil {
		list = append(list, each)
	}
	return list
}

// parts returns a schema and all schemas that it is composed of.
func parts(s *openapi3.Schema) []*openapi3.Schema {
	var list []*openapi3.Schema
	for left := []*openapi3.Schema{s}; len(left) > 0; left = left[1:] {
		one := left[0]
		if one == nil || slices.Contains(list, one) {
			continue
		}
		list = append(list, one)
		for _, ref := range slices.Concat(one.AllOf, one.OneOf, one.AnyOf, conditional(one)) {
			left = append(left, ref.Value)
		}
	}
	return list
}

// within reports whether the clause place equals above or is below it.
func within(place, above spec.ClauseID) bool {
	return place == above || strings.HasPrefix(string(place), string(above)+"/")
}

// unionsOn returns after how many steps of a path there are unions. there are the schemas of
// the value at the path, from all branches.
func unionsOn(schema *openapi3.Schema, path []string) (list []int, there []*openapi3.Schema) {
	all := parts(schema)
	for i := 0; ; i++ {
		if slices.ContainsFunc(all, func(s *openapi3.Schema) bool { return len(s.OneOf)+len(s.AnyOf) > 0 }) {
			list = append(list, i)
		}
		if i == len(path) {
			return list, all
		}
		all, _ = below(all, path[i])
	}
}

// byName is the prefix of a key in DependentSchemas. After it comes the value of a discriminator
// for which an object must match the schema. kin-openapi does not evaluate such a key.
const byName = "discriminator "

// inherit adds to each schema with a discriminator the schemas that inherit from it or that
// it is mapped to, in the versions of OpenAPI where the value chooses among them. kin-openapi
// uses a discriminator only in a union.
func (r *reader) inherit(isSwagger bool) {
	if !isSwagger && !slices.Contains([]string{"3.0.0", "3.0.1", "3.0.2", "3.0.3", "3.1.0"}, r.document.OpenAPI) || r.document.Components == nil {
		return
	}
	all := r.document.Components.Schemas
	for _, name := range sortedKeys(all) {
		base := all[name].Value
		if base == nil || base.Discriminator == nil || len(base.OneOf)+len(base.AnyOf) > 0 {
			continue
		}
		of := openapi3.Schemas{}
		for other, ref := range all {
			if ref.Value != base && inherits(ref.Value, base, mostDepth) {
				of[byName+other] = ref
			}
		}
		for value, ref := range base.Discriminator.Mapping {
			if mapped := all[ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]]; mapped != nil && mapped.Value != base {
				of[byName+value] = mapped
			}
		}
		base.DependentSchemas = of
	}
}

func inherits(s, base *openapi3.Schema, depth int) bool {
	return s != nil && depth > 0 && slices.ContainsFunc(s.AllOf, func(ref *openapi3.SchemaRef) bool {
		return ref.Value == base || inherits(ref.Value, base, depth-1)
	})
}

// named returns the flaws of the objects in a value that do not match the schema that their
// discriminator names. all are the schemas of the value.
func (r *reader) named(place string, all []*openapi3.Schema, value any, options []openapi3.SchemaValidationOption) (list []flaw) {
	object, isObject := value.(map[string]any)
	for _, s := range all {
		if !isObject || s.Discriminator == nil {
			continue
		}
		name, _ := object[s.Discriminator.PropertyName].(string)
		of := s.DependentSchemas[byName+name]
		if of == nil {
			continue
		}
		list = append(list, broken(place, of.Value, of.Value.VisitJSON(value, append(slices.Clip(options), openapi3.MultiErrors())...))...)
	}
	into := func(step string, inner any) {
		next, declared := below(all, step)
		if !declared {
			step = "*"
		}
		if len(next) > 0 {
			list = append(list, r.named(place+"/"+step, next, inner, options)...)
		}
	}
	for _, name := range sortedKeys(object) {
		into(name, object[name])
	}
	items, _ := value.([]any)
	for i, item := range items {
		into(strconv.Itoa(i), item)
	}
	return list
}

// visiting returns the options for validating values against schemas.
func (r *reader) visiting() []openapi3.SchemaValidationOption {
	options := slices.Clip(r.options.SchemaValidationOptions)
	if r.document.IsOpenAPI31OrLater() {
		options = append(options, openapi3.EnableJSONSchema2020())
	}
	return options
}
