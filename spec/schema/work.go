package schema

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Work is how many schemas a value and its parts are held against, at most. Where both
// alternatives of a schema contain the schema itself, each level of a value doubles it.
func (s *Schema) Work(d Direction, value any) float64 {
	compiled, _ := s.Compiled(d)
	return counter{}.count(compiled, value)
}

// counter has the counts that are known. Values are told apart by where they lie; those
// without parts are all alike.
type counter map[part]float64

type part struct {
	schema *jsonschema.Schema
	value  uintptr
}

func partOf(s *jsonschema.Schema, value any) part {
	key := part{schema: s}
	switch value.(type) {
	case map[string]any, []any:
		key.value = reflect.ValueOf(value).Pointer()
	}
	return key
}

func (c counter) count(s *jsonschema.Schema, value any) float64 {
	if s == nil {
		return 0
	}
	key := partOf(s, value)
	if n, known := c[key]; known {
		return n
	}
	c[key] = 1 // of a schema that is reached from itself
	whole := slices.Concat([]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf)
	if s.DynamicRef != nil {
		whole = append(whole, s.DynamicRef.Ref)
	}
	n := 1 + c.all(value, slices.AppendSeq(whole, maps.Values(s.DependentSchemas))...)
	parts(s, value, func(of *jsonschema.Schema, _ string, inner any) { n += c.count(of, inner) })
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			n += c.count(s.UnevaluatedProperties, inner)
		}
	case []any:
		for _, item := range value {
			n += c.all(item, s.Contains, s.UnevaluatedItems)
		}
	}
	c[key] = n
	return n
}

// parts visits the schemas that each part of a value must meet, with the step to it.
func parts(s *jsonschema.Schema, value any, visit func(of *jsonschema.Schema, step string, inner any)) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			visit(s.Properties[name], name, inner)
			for pattern, other := range s.PatternProperties {
				if pattern.MatchString(name) {
					visit(other, name, inner)
				}
			}
			if other, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && s.Properties[name] == nil {
				visit(other, name, inner)
			}
		}
	case []any:
		for i, item := range value {
			of := s.Items2020
			if i < len(s.PrefixItems) {
				of = s.PrefixItems[i]
			}
			visit(of, strconv.Itoa(i), item)
		}
	}
}

func (c counter) all(value any, schemas ...*jsonschema.Schema) (n float64) {
	for _, s := range schemas {
		n += c.count(s, value)
	}
	return n
}
