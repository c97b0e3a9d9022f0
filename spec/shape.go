package spec

import (
	"slices"
	"strconv"
	"strings"
)

// anything describes a schema that does not limit the type.
const anything = "anything"

// shape is a schema with its $ref, allOf, anyOf and oneOf merged: which
// properties an object may have, of which kinds. It serves to name clauses
// and to tell declared properties from others; validation itself is the
// compiled schema's.
type shape struct {
	types        []string // JSON types that are allowed; none stands for all
	format       string
	enum         bool
	properties   []*property
	each         *shape    // of the items of a list, or the values of a map
	open, closed bool      // additional properties are settled: allowed, or ruled out
	schemas      []located // every schema an instance must meet as a whole: itself, $ref targets, allOf members
	undeclared   string    // clause on undeclared properties, as property.clause; "" where there is none
	recursive    bool      // values may be nested without limit, as far as is known; set at the top
}

type property struct {
	name                string
	required            bool
	readOnly, writeOnly bool
	preset              bool // it has a default
	at                  located
	shape               *shape
	clause              string // id of its clause in a response, without that of the body; "" where there is none
}

func (s *shape) property(name string) *property {
	if s == nil {
		return nil
	}
	for _, p := range s.properties {
		if p.name == name {
			return p
		}
	}
	return nil
}

// at is the shape of the value at that path within a value of shape s; one
// that limits nothing where the schema says nothing of it.
func (s *shape) at(path []string, value any) *shape {
	for _, step := range path {
		_, s, value = s.down(step, value)
	}
	if s == nil {
		return &shape{}
	}
	return s
}

// declares says whether the schema says which properties the object at that
// path has: it is the whole value, or lies in no property that is undeclared.
func (s *shape) declares(path []string, value any) bool {
	for _, step := range path {
		_, s, value = s.down(step, value)
	}
	return len(path) == 0 || s != nil
}

// clauseAt is the clause on the value at that path, or the last one above it
// that there is, as property.clause has it; "" is the one on the whole body.
func (s *shape) clauseAt(path []string, value any) (clause string) {
	for _, step := range path {
		var p *property
		p, s, value = s.down(step, value)
		if p != nil && p.clause != "" {
			clause = p.clause
		}
	}
	return clause
}

// down goes one step into a value. s may be nil; p is the property stepped
// into, where it is one that the schema lists.
func (s *shape) down(step string, value any) (p *property, next *shape, inner any) {
	switch value := value.(type) {
	case map[string]any:
		inner = value[step]
		if p = s.property(step); p != nil {
			return p, p.shape, inner
		}
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i < len(value) {
			inner = value[i]
		}
	}
	if s == nil {
		return nil, nil, inner
	}
	return nil, s.each, inner
}

// allows says whether a value of that type may meet the schema.
func (s *shape) allows(name string) bool {
	return len(s.types) == 0 || slices.Contains(s.types, name)
}

// tellsUndeclared says whether an undeclared property can be told: a schema
// that lists none, or leaves room for others, has no opinion.
func (s *shape) tellsUndeclared() bool {
	return s.closed || len(s.properties) > 0 && !s.open
}

// describe says what kind of value the schema asks for: "an object",
// "an int32", "a string or null".
func (s *shape) describe() string {
	switch {
	case len(s.types) > 0:
	case s.enum:
		return "one of the declared values"
	default:
		return anything // even where it lists properties: they limit objects, and only those
	}
	return describeTypes(s.types, s.format)
}

// describeText says the same of a parameter, which is text on its way: any
// text is a string, and a list of them.
func (s *shape) describeText() string {
	kind := s.describe()
	switch {
	case s.enum:
		return "one of the declared values"
	case kind == "a string", kind == "an object":
		return anything
	case kind == "a list" && (s.each == nil || s.each.describeText() == anything):
		return anything
	}
	return kind
}

// describeTypes puts types into words, null last.
func describeTypes(types []string, format string) string {
	var words []string
	for _, t := range types {
		if t != "null" {
			words = append(words, typeWords(t, format))
		}
	}
	if len(words) < len(types) {
		words = append(words, "null")
	}
	return strings.Join(words, " or ")
}

func typeWords(name, format string) string {
	switch name {
	case "integer":
		if format == "int32" || format == "int64" {
			return "an " + format
		}
		return "an integer"
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "string":
		if slices.Contains(assertedFormats(), format) {
			return "a string (" + format + ")"
		}
	}
	return "a " + name
}
