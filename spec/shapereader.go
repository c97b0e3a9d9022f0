package spec

import (
	"cmp"

	"github.com/plantstore/conformance/spec/document"
)

const (
	// maxShapeDepth bounds how deep clauses are derived, in properties and
	// items. What lies deeper is still judged; its faults count against the
	// last clause above it.
	maxShapeDepth = 6
	// maxShapeNodes bounds how many schemas are read for one body, so that a
	// document whose schemas refer to each other in every way loads in time.
	maxShapeNodes = 5000
)

// shapeReader reads one schema of the document and all that it is made of.
type shapeReader struct {
	*reader
	active    map[*document.Node]int // schemas on the way down, and how deep they began
	nodes     int
	recursive bool // a schema was not read to its end, or contains itself
}

// shape reads the schema at l, which may be absent, once for all who use it.
func (r *reader) shape(l located) (*shape, error) {
	if known := r.shapes[l.pointer]; known != nil {
		return known, nil
	}
	w := &shapeReader{reader: r, active: map[*document.Node]int{}}
	s, err := w.read(l, 0)
	if err == nil {
		s.recursive = w.recursive
		r.shapes[l.pointer] = s
	}
	return s, err
}

func (w *shapeReader) read(l located, depth int) (*shape, error) {
	if l.Node == nil {
		return &shape{}, nil
	}
	if depth > maxShapeDepth || w.nodes > maxShapeNodes {
		w.recursive = true
		return &shape{open: true}, nil // nothing may be called undeclared by what was not read
	}
	w.nodes++
	if began, circular := w.active[l.Node]; circular {
		if began == depth {
			return nil, l.fail("the schema includes itself, so that no value can be judged by it")
		}
		w.recursive = true
		return &shape{types: w.types(l), open: true}, nil // a recursive schema is read once
	}
	w.active[l.Node] = depth
	defer delete(w.active, l.Node)
	if t := l.get("type"); w.v30 && t.Node != nil && t.Kind != document.String {
		return nil, t.fail("type must be a string in OpenAPI 3.0, found %s; null is written as nullable: true", t.Kind)
	}

	s := &shape{}
	if l.Get("$ref") != nil {
		target, err := w.step(l)
		if err != nil {
			return nil, err
		}
		if s, err = w.read(target, depth); err != nil || w.v30 {
			return s, err // OpenAPI 3.0.3, Reference Object: what stands beside $ref is ignored
		}
	}
	own, err := w.own(l, depth)
	if err != nil {
		return nil, err
	}
	s.and(own)
	return s, w.combine(s, l, depth)
}

// own is what the schema says by itself.
func (w *shapeReader) own(l located, depth int) (*shape, error) {
	s := &shape{types: w.types(l), format: l.Get("format").Text(), enum: l.Get("enum") != nil, schemas: []located{l}}
	if err := w.properties(s, l, depth); err != nil {
		return nil, err
	}
	return s, w.further(s, l, depth)
}

func (w *shapeReader) types(l located) []string {
	t := l.Get("type")
	if t == nil {
		return nil
	}
	var names []string
	if name := t.Text(); name != "" {
		names = append(names, name)
	}
	for _, item := range t.Items {
		if name := item.Text(); name != "" {
			names = append(names, name)
		}
	}
	if w.v30 && l.Get("nullable").True() {
		names = append(names, "null")
	}
	return names
}

func (w *shapeReader) properties(s *shape, l located, depth int) error {
	if list := l.get("properties"); list.Node != nil {
		for _, m := range list.Members {
			at := list.get(m.Key)
			shape, err := w.read(at, depth+1)
			if err != nil {
				return err
			}
			resolved, err := w.resolve(at)
			if err != nil {
				return err
			}
			says := func(keyword string) bool { return resolved.Get(keyword).True() || !w.v30 && at.Get(keyword).True() }
			s.properties = append(s.properties, &property{
				name: m.Key, at: at, shape: shape,
				readOnly: says("readOnly"), writeOnly: says("writeOnly"), preset: resolved.Get("default") != nil,
			})
		}
	}
	if list := l.Get("required"); list != nil {
		for _, item := range list.Items {
			name := item.Text()
			if s.property(name) == nil {
				s.properties = append(s.properties, &property{name: name, at: l.get("required"), shape: &shape{}})
			}
			s.property(name).required = true
		}
	}
	return nil
}

// further reads what is said of items and of properties that are not listed.
func (w *shapeReader) further(s *shape, l located, depth int) error {
	// Where the first is there, nothing is left unevaluated.
	if n := cmp.Or(l.Get("additionalProperties"), l.Get("unevaluatedProperties")); n != nil {
		s.closed = n.Kind == document.Bool && !n.True()
		s.open = !s.closed
	}
	s.open = s.open || l.Get("patternProperties") != nil
	each := []located{l.get("items"), l.get("additionalProperties")}
	for _, at := range append(each, l.get("prefixItems").list()...) {
		if at.Node == nil || at.Kind != document.Object {
			continue
		}
		one, err := w.read(at, depth+1)
		if err != nil {
			return err
		}
		if s.each == nil {
			s.each = one
		} else {
			s.each.or(one)
		}
	}
	return nil
}

// combine merges the schemas that l is combined with. Those that apply only
// under a condition declare properties, and no more.
func (w *shapeReader) combine(s *shape, l located, depth int) error {
	for _, at := range l.get("allOf").list() {
		one, err := w.read(at, depth)
		if err != nil {
			return err
		}
		s.and(one)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if err := w.alternatives(s, l.get(keyword).list(), depth); err != nil {
			return err
		}
	}
	conditional := []located{l.get("then"), l.get("else")}
	dependent := l.get("dependentSchemas")
	for _, m := range dependent.members() {
		conditional = append(conditional, dependent.get(m.Key))
	}
	for _, at := range conditional {
		one, err := w.read(at, depth)
		if err != nil {
			return err
		}
		s.mention(one)
	}
	return nil
}

// alternatives narrows s to what meets one of the members.
func (w *shapeReader) alternatives(s *shape, members []located, depth int) error {
	var union *shape
	for _, at := range members {
		one, err := w.read(at, depth)
		if err != nil {
			return err
		}
		// An object that nothing is said of is one that may have any property.
		one.open = one.open || len(s.properties)+len(one.properties) == 0 && one.allows("object") && !one.closed
		if union == nil {
			union = one
		} else {
			union.or(one)
		}
	}
	if union != nil {
		union.schemas = nil
		s.and(union)
	}
	return nil
}
