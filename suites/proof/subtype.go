package proof

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// byName begins the key of a schema that an object must meet if its discriminator has the
// value that follows. kin-openapi reads no such key.
const byName = "discriminator "

// inherit gives each schema with a discriminator those that inherit from it, or that are
// mapped to, where OpenAPI lets the value decide. kin-openapi has a discriminator choose
// among the schemas of a union only.
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

// named are the flaws of objects in a value that do not meet the schema that they name. all
// are the schemas of the value.
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
		for _, one := range each(of.Value.VisitJSON(value, append(slices.Clip(options), openapi3.MultiErrors())...)) {
			list = append(list, broken(place, of.Value, one)...)
		}
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

// visiting is how values are held against schemas.
func (r *reader) visiting() []openapi3.SchemaValidationOption {
	options := slices.Clip(r.options.SchemaValidationOptions)
	if r.document.IsOpenAPI31OrLater() {
		options = append(options, openapi3.EnableJSONSchema2020())
	}
	return options
}
