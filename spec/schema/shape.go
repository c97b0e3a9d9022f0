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

// Shape is a schema with its $ref, allOf, anyOf and oneOf merged: which
// properties an object may have, of which kinds. It says what values may look
// like; whether one meets the schema, [Schema.Faults] says.
type Shape struct {
	Index        int      // its number in the schema, from 0, which is the top, for tables beside it; -1 of what the schema says nothing of
	Types        []string // JSON types that are allowed; none stands for all
	Format       string
	Enum         bool // there is a list of values
	Properties   []*Property
	Each         *Shape // of the items of a list, or the values of a map; nil where nothing is said of them
	AnyOrder     bool   // items may be shown in another order: none is repeated, as in a set, or the description speaks of their order
	Open, Closed bool   // additional properties are settled: allowed, or ruled out
	Unread       bool   // more may be declared: the schema contains itself, or is too large to be read whole
	Inherited    bool   // values may be of schemas that inherit from it, and have their properties

	values []any    // of Enum
	limits []string // further ones of the value itself, in words: "of at least 1"
	tag    string   // the property whose value decides which schema that inherits from it a value must meet

	// Of the shape of a whole schema alone. Includes are the schemas that a value must
	// meet as a whole: the schema itself, what it refers to, members of allOf.
	Includes  []document.Place
	Nodes     int  // in all, see Index
	Recursive bool // values may be nested without limit, as far as is known
}

// Property is one that a schema lists.
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

// number gives the shapes their numbers, the first one first, and the next one
// that is free.
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

// Property is the one of that name, or nil; s may be nil.
func (s *Shape) Property(name string) *Property {
	if s == nil {
		return nil
	}
	p, _ := lists.First(s.Properties, func(p *Property) bool { return p.Name == name })
	return p
}

// Listed are the values of a shape that lists all, or those of the items of a list.
func (s *Shape) Listed() []any {
	if s.IsArray() && s.Each != nil {
		return s.Each.values
	}
	return s.values
}

// IsMap reports whether values are objects whose properties have the names that a client gives
// them. s may be nil.
func (s *Shape) IsMap() bool {
	return s != nil && len(s.Properties) == 0 && (s.Each != nil || s.Open) && !s.Unread && slices.Equal(s.TypesBesideNull(), []string{"object"})
}

// IsArray reports whether values are arrays, or null.
func (s *Shape) IsArray() bool { return slices.Equal(s.TypesBesideNull(), []string{"array"}) }

// Member is the property of that name, also of a map; nil if nothing is said of it.
func (s *Shape) Member(name string) *Property {
	p := s.Property(name)
	if p == nil && s.IsMap() {
		p = &Property{Name: name, Shape: cmp.Or(s.Each, &Shape{Index: -1})}
	}
	return p
}

// Inside is where the thing lies that a value is about, and its shape: in an envelope, which is an object
// with one property that is an object, too, as in {"note": {…}}, or else it is the value itself. s may be nil.
func (s *Shape) Inside() (path []string, thing *Shape) {
	if s == nil || len(s.Properties) != 1 || len(s.Properties[0].Shape.Properties) == 0 {
		return nil, s
	}
	return []string{s.Properties[0].Name}, s.Properties[0].Shape
}

// At is the shape of the value at that path within a value of shape s; one
// that limits nothing where the schema says nothing of it.
func (s *Shape) At(path []string, value any) *Shape {
	for _, step := range path {
		_, s, value = s.Down(step, value)
	}
	if s == nil {
		return &Shape{Index: -1}
	}
	return s
}

// Down goes one step into a value. s may be nil; p is the property stepped
// into, where it is one that the schema lists.
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

// HasParts reports whether the schema names lists or objects among the types of its values.
func (s *Shape) HasParts() bool {
	return slices.Contains(s.Types, "array") || slices.Contains(s.Types, "object")
}

// IsLike reports whether a value of this shape means the same as one of the other: it has the
// same types and format, or if the other lists its values, all of this one are among them. How
// long or large it may be makes no difference, nor does null. The other may leave out that a text
// is an address or one of several: that is how many services describe what they show.
func (s *Shape) IsLike(other *Shape) bool {
	isListed := func(value any) bool {
		return value == nil || slices.ContainsFunc(other.values, func(one any) bool { return instance.Equal(one, value) })
	}
	switch {
	case other.Enum && !s.Enum, !other.Enum && !slices.Equal(s.TypesBesideNull(), other.TypesBesideNull()):
		return false
	case s.Format != other.Format && (other.Format != "" || !slices.Contains([]string{"email", "hostname", "ipv4", "ipv6", "uri", "url"}, s.Format)):
		return false
	case other.Enum && slices.ContainsFunc(s.values, func(value any) bool { return !isListed(value) }):
		return false
	}
	return len(s.Properties)+len(other.Properties) > 0 || s.Each == nil || other.Each == nil || s.Each.IsLike(other.Each)
}

// Means reports whether two values mean the same: equal ones, and in a format that is named
// the same instant, UUID or rounded number, however they are written. A text of asterisks hides
// another text. s may be nil.
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

// mask matches what is shown in place of a secret.
var mask = regexp.MustCompile(`^(\*{3,}|•{3,})$`)

// TypesBesideNull are the types of a value that is not null, by the alphabet.
func (s *Shape) TypesBesideNull() []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(s.Types)), func(name string) bool { return name == "null" })
}

// IsFile reports whether the value is the content of a file (OpenAPI 3.0.3,
// Considerations for File Uploads).
func (s *Shape) IsFile() bool { return s.Format == "binary" }

// TellsUndeclared reports whether an undeclared property can be told: a schema
// that lists none, or leaves room for others, has no opinion.
func (s *Shape) TellsUndeclared() bool {
	return s.Closed || len(s.Properties) > 0 && !s.Open && !s.Inherited
}

// PlainName is a name in lower case and without the hyphens and underscores between its words, so
// that names are equal which are only written in different ways.
func PlainName(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, name))
}
