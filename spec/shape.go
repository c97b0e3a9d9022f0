package spec

import (
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// maxShapeDepth bounds how deep clauses are derived. What lies deeper is still
// judged; its faults count against the last clause above it.
const maxShapeDepth = 6

// maxShapeNodes bounds how many schemas are read for one body, so that a
// document whose schemas refer to each other in every way loads in time.
const maxShapeNodes = 5000

// anything describes a schema that does not limit the type.
const anything = "anything"

// shape is a schema with its allOf, anyOf, oneOf and $ref merged: which
// properties an object may have, of which kinds. It serves to name clauses
// and to tell declared properties from others; validation itself is the
// compiled schema's.
type shape struct {
	types      []string
	format     string
	enum       bool
	properties []*property
	each       *shape    // of the items of a list, or the values of a map
	open       bool      // additionalProperties or patternProperties settle further properties
	closed     bool      // additionalProperties: false
	schemas    []located // every schema an instance must meet as a whole: itself, $ref targets, allOf members
}

type property struct {
	name                string
	required            bool
	readOnly, writeOnly bool
	at                  located
	shape               *shape
}

func (s *shape) property(name string) *property {
	for _, p := range s.properties {
		if p.name == name {
			return p
		}
	}
	return nil
}

// describe says what kind of value the schema asks for: "an object",
// "an int32", "a string or null".
func (s *shape) describe() string {
	if len(s.types) == 0 {
		if len(s.properties) > 0 {
			return "an object"
		}
		if s.enum {
			return "one of the declared values"
		}
		return anything
	}
	var words []string
	for _, t := range s.types {
		words = append(words, typeWords(t, s.format))
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
	case "null":
		return "null"
	case "string":
		if slices.Contains(assertedFormats(), format) {
			return "a string (" + format + ")"
		}
	}
	return "a " + name
}

// shape reads the schema at l, which may be absent.
func (r *reader) shape(l located) (*shape, error) {
	s := &shape{}
	w := &shapeWalk{reader: r, active: map[*document.Node]bool{}}
	return s, w.merge(s, l, true, 0)
}

type shapeWalk struct {
	*reader
	active map[*document.Node]bool // schemas on the way down, so that a recursive one ends
	nodes  int
}

// merge adds to s what the schema at l says. whole is false below anyOf and
// oneOf, where nothing is certain to be required.
func (w *shapeWalk) merge(s *shape, l located, whole bool, depth int) error {
	if l.Node == nil {
		return nil
	}
	l, err := w.resolveInto(s, l, whole)
	if err != nil || w.active[l.Node] || depth > maxShapeDepth || w.nodes > maxShapeNodes {
		return err
	}
	w.nodes++
	w.active[l.Node] = true
	defer delete(w.active, l.Node)

	w.mergeTypes(s, l)
	if err := w.mergeProperties(s, l, whole, depth); err != nil {
		return err
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list := l.get(keyword)
		if list.Node == nil {
			continue
		}
		for i := range list.Items {
			if err := w.merge(s, list.item(i), whole && keyword == "allOf", depth); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *shapeWalk) resolveInto(s *shape, l located, whole bool) (located, error) {
	resolved, err := w.resolve(l)
	if err == nil && whole {
		s.schemas = append(s.schemas, resolved)
	}
	return resolved, err
}

func (w *shapeWalk) mergeTypes(s *shape, l located) {
	add := func(name string) {
		if name != "" && !slices.Contains(s.types, name) {
			s.types = append(s.types, name)
		}
	}
	if t := l.Get("type"); t != nil {
		add(t.Text())
		for _, item := range t.Items {
			add(item.Text())
		}
		if l.Get("nullable").True() {
			add("null")
		}
	}
	if format := l.Get("format").Text(); format != "" {
		s.format = format
	}
	s.enum = s.enum || l.Get("enum") != nil
}

func (w *shapeWalk) mergeProperties(s *shape, l located, whole bool, depth int) error {
	var required []string
	if list := l.Get("required"); list != nil {
		for _, item := range list.Items {
			required = append(required, item.Text())
		}
	}
	if properties := l.get("properties"); properties.Node != nil {
		for _, m := range properties.Members {
			at := properties.get(m.Key)
			p := s.property(m.Key)
			if p == nil {
				p = &property{name: m.Key, at: at, shape: &shape{}}
				s.properties = append(s.properties, p)
			}
			resolved, err := w.resolve(at)
			if err != nil {
				return err
			}
			p.readOnly = p.readOnly || resolved.Get("readOnly").True()
			p.writeOnly = p.writeOnly || resolved.Get("writeOnly").True()
			if err := w.merge(p.shape, at, true, depth+1); err != nil {
				return err
			}
		}
	}
	if whole {
		for _, name := range required {
			if s.property(name) == nil {
				s.properties = append(s.properties, &property{name: name, at: l.get("required"), shape: &shape{}})
			}
			s.property(name).required = true
		}
	}
	return w.mergeOpenness(s, l, depth)
}

func (w *shapeWalk) mergeOpenness(s *shape, l located, depth int) error {
	s.open = s.open || l.Get("patternProperties") != nil
	each := l.get("items")
	if additional := l.get("additionalProperties"); additional.Node != nil {
		switch {
		case additional.Kind == document.Bool && !additional.True():
			s.closed = true
		default:
			s.open = true
			each = additional
		}
	}
	if each.Node == nil || each.Kind != document.Object {
		return nil
	}
	if s.each == nil {
		s.each = &shape{}
	}
	return w.merge(s.each, each, true, depth+1)
}
