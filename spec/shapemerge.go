package spec

import (
	"cmp"
	"slices"
)

// and narrows s to what meets the other shape too, as allOf does.
func (s *shape) and(other *shape) {
	s.types = bothTypes(s.types, other.types)
	s.format = cmp.Or(s.format, other.format)
	s.enum = s.enum || other.enum
	for _, p := range other.properties {
		mine := s.property(p.name)
		if mine == nil {
			s.properties = append(s.properties, p)
			continue
		}
		mine.required = mine.required || p.required
		mine.readOnly = mine.readOnly || p.readOnly
		mine.writeOnly = mine.writeOnly || p.writeOnly
		mine.preset = mine.preset || p.preset
		mine.shape.and(p.shape)
	}
	if s.each != nil && other.each != nil {
		s.each.and(other.each)
	}
	s.each = cmp.Or(s.each, other.each)
	s.open = s.open || other.open
	s.closed = s.closed || other.closed
	s.schemas = append(s.schemas, other.schemas...)
}

// or widens s to what meets the other shape instead, as anyOf and oneOf do. A
// property of either is a declared one; only what both require is required.
func (s *shape) or(other *shape) {
	s.format = eitherFormat(s, other)
	s.types = eitherTypes(s.types, other.types)
	s.enum = s.enum && other.enum
	for _, p := range s.properties {
		p.required = p.required && other.property(p.name) != nil
	}
	for _, p := range other.properties {
		mine := s.property(p.name)
		if mine == nil {
			p.required = false
			s.properties = append(s.properties, p)
			continue
		}
		mine.required = mine.required && p.required
		mine.readOnly = mine.readOnly && p.readOnly
		mine.writeOnly = mine.writeOnly && p.writeOnly
		mine.preset = mine.preset || p.preset
		mine.shape.or(p.shape)
	}
	if s.each != nil && other.each != nil {
		s.each.or(other.each)
	}
	s.each = cmp.Or(s.each, other.each)
	s.open = s.open || other.open
	s.closed = s.closed && other.closed
}

// mention adds the properties that an object may have under some condition.
func (s *shape) mention(other *shape) {
	for _, p := range other.properties {
		if s.property(p.name) == nil {
			p.required = false
			s.properties = append(s.properties, p)
		}
	}
	s.open = s.open || other.open
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

func eitherFormat(a, b *shape) string {
	isNull := func(s *shape) bool { return slices.Equal(s.types, []string{"null"}) }
	switch {
	case a.format == b.format, isNull(b):
		return a.format
	case isNull(a):
		return b.format
	}
	return ""
}
