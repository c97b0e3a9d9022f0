package schema

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// A Shape is a schema with its $ref, allOf, anyOf and oneOf merged. It says what values may look
// like: which properties an object may have, and of which kinds. [Schema.Faults] says whether a
// value meets the schema.
type Shape struct {
	Index        int      // its number, for use in tables: 0 for the top, -1 if the schema does not describe the value
	Types        []string // allowed JSON types; empty if all are allowed
	Format       string
	Enum         bool // there is a list of values
	Properties   []*Property
	Each         *Shape // of the items of a list or the values of a map; nil if the schema does not describe them
	AnyOrder     bool   // items may be shown in another order: they are unique, or the description mentions an order
	Open, Closed bool   // additional properties are explicitly allowed, or forbidden
	Unread       bool   // more may be declared: the schema contains itself, or is too large to be read completely
	Inherited    bool   // values may have the properties of schemas that inherit from this one

	values []any    // of Enum
	limits []string // other limits of the value itself, in words: "of at least 1"
	tag    string   // the property whose value decides which inheriting schema a value must meet

	// Set only for the shape of a whole schema. Includes are the schemas that a value must meet as
	// a whole: the schema itself, what it refers to, members of allOf.
	Includes  []document.Place
	Nodes     int  // the number of shapes, see Index
	Recursive bool // values may be nested without limit: the schema contains itself, or was not read completely
}

// A Property is a property that a schema lists.
type Property struct {
	Name                string
	Required            bool
	ReadOnly, WriteOnly bool
	Preset              bool // it has a default
	At                  document.Place
	Shape               *Shape
}

// Carried reports whether values of that direction carry the property.
func (p *Property) Carried(d Direction) bool {
	if d == Request {
		return !p.ReadOnly
	}
	return !p.WriteOnly
}

// number numbers the shapes, starting with next, and returns the next free number.
func (s *Shape) number(next int) int {
	if s == nil {
		return next
	}
	s.Index = next
	next++
	for _, p := range s.Properties {
		next = p.Shape.number(next)
	}
	return s.Each.number(next)
}

// Property returns the property with that name, or nil. s may be nil.
func (s *Shape) Property(name string) *Property {
	if s == nil {
		return nil
	}
	p, _ := lists.First(s.Properties, func(p *Property) bool { return p.Name == name })
	return p
}

// Listed returns the allowed values of a shape that lists them, or those of the items of a list.
func (s *Shape) Listed() []any {
	if s.IsArray() && s.Each != nil {
		return s.Each.values
	}
	return s.values
}

// IsMap reports whether values are objects whose property names the client chooses. s may be nil.
func (s *Shape) IsMap() bool {
	return s != nil && len(s.Properties) == 0 && (s.Each != nil || s.Open) && !s.Unread && slices.Equal(s.TypesBesideNull(), []string{"object"})
}

// IsArray reports whether values are arrays, or null.
func (s *Shape) IsArray() bool { return slices.Equal(s.TypesBesideNull(), []string{"array"}) }

// Member returns the property with that name, or in a map the entry with that name. It returns nil
// if the schema does not describe it.
func (s *Shape) Member(name string) *Property {
	p := s.Property(name)
	if p == nil && s.IsMap() {
		p = &Property{Name: name, Shape: cmp.Or(s.Each, &Shape{Index: -1})}
	}
	return p
}

// Inside returns the path and the shape of the resource that a value is about. In an envelope such as
// {"note": {…}}, an object whose only property is an object too, it is that property. Otherwise it
// is the value itself. s may be nil.
func (s *Shape) Inside() (path []string, resource *Shape) {
	if s == nil || len(s.Properties) != 1 || len(s.Properties[0].Shape.Properties) == 0 {
		return nil, s
	}
	return []string{s.Properties[0].Name}, s.Properties[0].Shape
}

// At returns the shape of the value at that path within a value of shape s. If the schema does not
// describe the value, the shape limits nothing.
func (s *Shape) At(path []string, value any) *Shape {
	for _, step := range path {
		_, s, value = s.Down(step, value)
	}
	if s == nil {
		return &Shape{Index: -1}
	}
	return s
}

// Down goes one step into a value. s may be nil. p is the property at that step, or nil if the
// schema does not list it.
func (s *Shape) Down(step string, value any) (p *Property, next *Shape, inner any) {
	switch value := value.(type) {
	case map[string]any:
		inner = value[step]
		if p = s.Property(step); p != nil {
			return p, p.Shape, inner
		}
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i < len(value) {
			inner = value[i]
		}
	}
	if s == nil {
		return nil, nil, inner
	}
	return nil, s.Each, inner
}

// Allows reports whether a value of that type may meet the schema.
func (s *Shape) Allows(name string) bool { return len(s.Types) == 0 || slices.Contains(s.Types, name) }

// HasParts reports whether the schema names arrays or objects among the types of its values.
func (s *Shape) HasParts() bool {
	return slices.Contains(s.Types, "array") || slices.Contains(s.Types, "object")
}

// IsLike reports whether a value of this shape means the same as a value of the other. They need
// the same format and the same types. If the other lists its values, it must list all values of
// this one instead. Limits of length or size make no difference, nor does null. The other may omit
// a list of values or a format such as email: many services describe their responses that way. Objects
// that have no property in common are about different things.
func (s *Shape) IsLike(other *Shape) bool {
	isListed := func(value any) bool { return value == nil || instance.Contains(other.values, value) }
	switch {
	case other.Enum && !s.Enum, !other.Enum && !slices.Equal(s.TypesBesideNull(), other.TypesBesideNull()):
		return false
	case s.Format != other.Format && (other.Format != "" || !slices.Contains([]string{"email", "hostname", "ipv4", "ipv6", "uri", "url"}, s.Format)):
		return false
	case other.Enum && slices.ContainsFunc(s.values, func(value any) bool { return !isListed(value) }):
		return false
	}
	if len(s.Properties) > 0 && len(other.Properties) > 0 {
		return slices.ContainsFunc(s.Properties, func(p *Property) bool { return other.Property(p.Name) != nil })
	}
	return len(s.Properties)+len(other.Properties) > 0 || s.Each == nil || other.Each == nil || s.Each.IsLike(other.Each)
}

// Means reports whether two values mean the same. They do if they are equal, or if the format says
// that they are the same instant, UUID or rounded number in another notation. A text of asterisks
// stands for any other text. s may be nil.
func (s *Shape) Means(value, other any) bool {
	one, isText := value.(string)
	two, areTexts := other.(string)
	if instance.Equal(value, other) || isText && areTexts && mask.MatchString(two) {
		return true
	}
	if s == nil {
		return false
	}
	number, isNumber := value.(json.Number)
	rounded, areNumbers := other.(json.Number)
	switch {
	case isText && areTexts && s.Format == "date-time": // RFC 3339 §5.6
		then, err := time.Parse(time.RFC3339Nano, one)
		again, otherErr := time.Parse(time.RFC3339Nano, two)
		return err == nil && otherErr == nil && then.Equal(again)
	case isText && areTexts && s.Format == "decimal": // 1 and 1.00
		a, isNumber := instance.Rational(instance.Number(one))
		b, areNumbers := instance.Rational(instance.Number(two))
		return isNumber && areNumbers && a.Cmp(b) == 0
	case isText && areTexts && s.Format == "uuid": // RFC 9562 §4
		return strings.EqualFold(one, two)
	case isNumber && areNumbers && s.Format == "float", isNumber && areNumbers && s.Format == "double": // OpenAPI 3.0.3, Data Types
		bits := map[string]int{"float": 32, "double": 64}[s.Format]
		a, err := strconv.ParseFloat(number.String(), bits)
		b, otherErr := strconv.ParseFloat(rounded.String(), bits)
		return err == nil && otherErr == nil && a == b
	}
	return false
}

// mask matches a text that a service shows instead of a secret.
var mask = regexp.MustCompile(`^(\*{3,}|•{3,})$`)

// TypesBesideNull returns the types other than null, in alphabetical order.
func (s *Shape) TypesBesideNull() []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(s.Types)), func(name string) bool { return name == "null" })
}

// IsFile reports whether the value is the content of a file (OpenAPI 3.0.3,
// Considerations for File Uploads).
func (s *Shape) IsFile() bool { return s.Format == "binary" }

// TellsUndeclared reports whether the schema says if a property is undeclared. A schema that lists
// no properties, or that allows others, does not.
func (s *Shape) TellsUndeclared() bool {
	return s.Closed || len(s.Properties) > 0 && !s.Open && !s.Inherited
}

// PlainName returns a name in lower case without hyphens and underscores, so that different
// spellings of a name are equal.
func PlainName(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}
