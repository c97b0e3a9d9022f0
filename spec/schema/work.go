package schema

import (
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Work is how many schemas a value and its parts are held against, at most. Where both
// alternatives of a schema contain the schema itself, each level of a value doubles it.
func (s *Schema) Work(d Direction, value any) float64 {
	if s.Compile(d) != nil || s.Place.Node == nil {
		return 0
	}
	return counter{}.count(s.compiled[d].Schema, value)
}

// counter has the counts that are known. Values are told apart by where they lie; those
// without parts are all alike.
type counter map[part]float64

type part struct {
	schema *jsonschema.Schema
	value  uintptr
}

func (c counter) count(s *jsonschema.Schema, value any) float64 {
	if s == nil {
		return 0
	}
	key := part{schema: s}
	switch value.(type) {
	case map[string]any, []any:
		key.value = reflect.ValueOf(value).Pointer()
	}
	if n, known := c[key]; known {
		return n
	}
	c[key] = 1 // of a schema that is reached from itself
	n := 1 + c.all(value, s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	if s.DynamicRef != nil {
		n += c.count(s.DynamicRef.Ref, value)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		n += c.all(value, list...)
	}
	for _, other := range s.DependentSchemas {
		n += c.count(other, value)
	}
	n += c.parts(s, value)
	c[key] = n
	return n
}

// parts counts the schemas that the parts of a value are held against.
func (c counter) parts(s *jsonschema.Schema, value any) (n float64) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			n += c.all(inner, s.Properties[name], s.UnevaluatedProperties)
			for pattern, other := range s.PatternProperties {
				if pattern.MatchString(name) {
					n += c.count(other, inner)
				}
			}
			if other, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && s.Properties[name] == nil {
				n += c.count(other, inner)
			}
		}
	case []any:
		for i, item := range value {
			n += c.all(item, s.Contains, s.UnevaluatedItems)
			if i < len(s.PrefixItems) {
				n += c.count(s.PrefixItems[i], item)
			} else {
				n += c.count(s.Items2020, item)
			}
		}
	}
	return n
}

func (c counter) all(value any, schemas ...*jsonschema.Schema) (n float64) {
	for _, s := range schemas {
		n += c.count(s, value)
	}
	return n
}
