package schema

import (
	"cmp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
)

// and narrows s to what meets the other shape too, as allOf does.
func (s *Shape) and(other *Shape) {
	s.Types = bothTypes(s.Types, other.Types)
	s.Format = cmp.Or(s.Format, other.Format)
	if !s.Enum {
		s.Enum, s.values = other.Enum, other.values
	} else if other.Enum {
		s.values = slices.DeleteFunc(slices.Clone(s.values), func(v any) bool {
			return !slices.ContainsFunc(other.values, func(o any) bool { return instance.Equal(v, o) })
		})
	}
	for _, limit := range other.limits {
		if !slices.Contains(s.limits, limit) {
			s.limits = append(s.limits, limit)
		}
	}
	s.merge(other, func(a, b bool) bool { return a || b }, (*Shape).and)
	s.tag = cmp.Or(s.tag, other.tag)
	s.Includes = append(s.Includes, other.Includes...)
}

// or widens s to what meets the other shape instead, as anyOf and oneOf do. A
// property of either is a declared one; only what both require is required.
func (s *Shape) or(other *Shape) {
	switch null := []string{"null"}; {
	case slices.Equal(other.Types, null):
		s.allowNull()
		return
	case slices.Equal(s.Types, null):
		*s = *other
		s.allowNull()
		return
	}
	limited := s.limited() && other.limited()
	s.Format = eitherFormat(s, other)
	s.Types = eitherTypes(s.Types, other.Types)
	s.Enum, s.values = s.Enum && other.Enum, slices.Concat(s.values, other.values)
	if !slices.Equal(s.limits, other.limits) {
		s.limits = nil
	}
	if limited && !s.limited() { // each in its own way
		s.limits = []string{"that meets one of the alternatives"}
	}
	for _, sides := range [][2]*Shape{{s, other}, {other, s}} {
		for _, p := range sides[0].Properties {
			p.Required = p.Required && sides[1].Property(p.Name) != nil
		}
	}
	s.merge(other, func(a, b bool) bool { return a && b }, (*Shape).or)
	if s.tag != other.tag {
		s.tag = ""
	}
}

// merge adds what lies in values of the other shape. What both shapes say counts as both does,
// and what only makes a judgement milder as soon as one says it.
func (s *Shape) merge(other *Shape, both func(a, b bool) bool, into func(s, other *Shape)) {
	for _, p := range other.Properties {
		mine := s.Property(p.Name)
		if mine == nil {
			s.Properties = append(s.Properties, p)
			continue
		}
		mine.Required, mine.ReadOnly, mine.WriteOnly = both(mine.Required, p.Required), both(mine.ReadOnly, p.ReadOnly), both(mine.WriteOnly, p.WriteOnly)
		mine.Preset = mine.Preset || p.Preset
		into(mine.Shape, p.Shape)
	}
	if s.Each != nil && other.Each != nil {
		into(s.Each, other.Each)
	}
	s.Each = cmp.Or(s.Each, other.Each)
	s.Closed = both(s.Closed, other.Closed)
	s.Unique = s.Unique || other.Unique
	s.Open = s.Open || other.Open
	s.Unread = s.Unread || other.Unread
	s.Inherited = s.Inherited || other.Inherited
}

func (s *Shape) allowNull() {
	if len(s.Types) > 0 {
		s.Types = eitherTypes(slices.Clip(s.Types), []string{"null"})
	}
	if s.Enum && !slices.Contains(s.values, nil) {
		s.values = append(slices.Clip(s.values), nil)
	}
}

// mention adds the properties that an object may have under some condition.
func (s *Shape) mention(other *Shape) {
	for _, p := range other.Properties {
		if s.Property(p.Name) == nil {
			p.Required = false
			s.Properties = append(s.Properties, p)
		}
	}
	s.Open = s.Open || other.Open
	s.Unread = s.Unread || other.Unread
}

func bothTypes(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	var both []string
	for _, t := range a {
		switch {
		case slices.Contains(b, t), t == "integer" && slices.Contains(b, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	if both == nil {
		return a // the other says nothing, or contradicts, which no words make better
	}
	return both
}

func eitherTypes(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for _, t := range b {
		if !slices.Contains(a, t) {
			a = append(a, t)
		}
	}
	return a
}

func eitherFormat(a, b *Shape) string {
	isNull := func(s *Shape) bool { return slices.Equal(s.Types, []string{"null"}) }
	switch {
	case a.Format == b.Format, isNull(b):
		return a.Format
	case isNull(a):
		return b.Format
	}
	return ""
}
