package schema

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
	v30       bool
	active    map[*document.Node]int // schemas on the way down, and how deep they began
	nodes     int
	recursive bool // a schema was not read to its end, or contains itself
}

func readShape(at document.Place, v30 bool) (s *Shape, recursive bool, err error) {
	w := &shapeReader{v30: v30, active: map[*document.Node]int{}}
	s, err = w.read(at, 0)
	return s, w.recursive, err
}

func (w *shapeReader) read(l document.Place, depth int) (*Shape, error) {
	if l.Node == nil {
		return &Shape{}, nil
	}
	if depth > maxShapeDepth || w.nodes > maxShapeNodes {
		w.recursive = true
		return &Shape{Open: true}, nil // nothing may be called undeclared by what was not read
	}
	w.nodes++
	if began, circular := w.active[l.Node]; circular {
		if began == depth {
			return nil, l.Errorf("the schema includes itself, so that no value can be judged by it")
		}
		w.recursive = true
		return &Shape{Types: w.types(l), Open: true}, nil // a recursive schema is read once
	}
	w.active[l.Node] = depth
	defer delete(w.active, l.Node)
	if t := l.To("type"); w.v30 && t.Node != nil && t.Kind != document.String {
		return nil, t.Errorf("type must be a string in OpenAPI 3.0, found %s; null is written as nullable: true", t.Kind)
	}

	s := &Shape{}
	if l.Get("$ref") != nil {
		target, err := l.Target()
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
func (w *shapeReader) own(l document.Place, depth int) (*Shape, error) {
	s := &Shape{Types: w.types(l), Format: l.Get("format").Text(), Enum: l.Get("enum") != nil || l.Get("const") != nil, schemas: []document.Place{l}, values: valuesOf(l), limits: limitsOf(l)}
	if err := w.properties(s, l, depth); err != nil {
		return nil, err
	}
	return s, w.further(s, l, depth)
}

func (w *shapeReader) types(l document.Place) []string {
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

func (w *shapeReader) properties(s *Shape, l document.Place, depth int) error {
	if list := l.To("properties"); list.Node != nil {
		for _, m := range list.Members {
			at := list.To(m.Key)
			shape, err := w.read(at, depth+1)
			if err != nil {
				return err
			}
			resolved, err := at.Resolve()
			if err != nil {
				return err
			}
			says := func(keyword string) bool { return resolved.Get(keyword).True() || !w.v30 && at.Get(keyword).True() }
			s.Properties = append(s.Properties, &Property{
				Name: m.Key, At: at, Shape: shape,
				ReadOnly: says("readOnly"), WriteOnly: says("writeOnly"), Preset: resolved.Get("default") != nil,
			})
		}
	}
	if list := l.Get("required"); list != nil {
		for _, item := range list.Items {
			name := item.Text()
			if s.Property(name) == nil {
				s.Properties = append(s.Properties, &Property{Name: name, At: l.To("required"), Shape: &Shape{}})
			}
			s.Property(name).Required = true
		}
	}
	return nil
}

// further reads what is said of items and of properties that are not listed.
func (w *shapeReader) further(s *Shape, l document.Place, depth int) error {
	// Where the first is there, nothing is left unevaluated.
	if n := cmp.Or(l.Get("additionalProperties"), l.Get("unevaluatedProperties")); n != nil {
		s.Closed = n.Kind == document.Bool && !n.True()
		s.Open = !s.Closed
	}
	s.Open = s.Open || l.Get("patternProperties") != nil
	each := []document.Place{l.To("items"), l.To("additionalProperties")}
	for _, at := range append(each, l.To("prefixItems").List()...) {
		if at.Node == nil || at.Kind != document.Object {
			continue
		}
		one, err := w.read(at, depth+1)
		if err != nil {
			return err
		}
		if s.Each == nil {
			s.Each = one
		} else {
			s.Each.or(one)
		}
	}
	return nil
}

// combine merges the schemas that l is combined with. Those that apply only
// under a condition declare properties, and no more.
func (w *shapeReader) combine(s *Shape, l document.Place, depth int) error {
	for _, at := range l.To("allOf").List() {
		one, err := w.read(at, depth)
		if err != nil {
			return err
		}
		s.and(one)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if err := w.alternatives(s, l.To(keyword).List(), depth); err != nil {
			return err
		}
	}
	conditional := []document.Place{l.To("then"), l.To("else")}
	dependent := l.To("dependentSchemas")
	for _, m := range dependent.All() {
		conditional = append(conditional, dependent.To(m.Key))
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
func (w *shapeReader) alternatives(s *Shape, members []document.Place, depth int) error {
	var union *Shape
	for _, at := range members {
		one, err := w.read(at, depth)
		if err != nil {
			return err
		}
		// An object that nothing is said of is one that may have any property.
		one.Open = one.Open || len(s.Properties)+len(one.Properties) == 0 && one.Allows("object") && !one.Closed
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
