package schema

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

const (
	// maxShapeDepth bounds how deep clauses are derived, in properties and items. Deeper values are
	// still judged: their faults count against the last clause above them.
	maxShapeDepth = 6
	// maxShapeNodes bounds how many schemas are read for one body. If there are more, the whole
	// body is read less deep. So the order of properties does not decide which of them have
	// clauses.
	maxShapeNodes = 250
	// maxTopNodes bounds how many schemas are read at the lowest depth.
	maxTopNodes = 5000
)

// A shapeReader reads one schema of the document and all schemas that it consists of. What it
// cannot read has no limits, because flaws are reported elsewhere.
type shapeReader struct {
	v30       bool
	decides   bool                   // discriminators are binding, see decides
	active    map[*document.Node]int // schemas that are being read, and their depth
	deepest   int
	nodes     int
	recursive bool // a schema was not read completely, or contains itself
}

func (s *Set) readShape(at document.Place) *Shape {
	for depth := maxShapeDepth; ; depth-- {
		w := &shapeReader{v30: s.v30, decides: s.decides, active: map[*document.Node]int{}, deepest: depth}
		shape := w.read(at, 0)
		if w.nodes <= maxShapeNodes || depth == 1 {
			shape.Nodes, shape.Recursive = shape.number(0), w.recursive
			return shape
		}
	}
}

// full reports whether too many schemas were read to go on.
func (w *shapeReader) full() bool {
	return w.nodes > maxShapeNodes && w.deepest > 1 || w.nodes > maxTopNodes
}

func (w *shapeReader) read(l document.Place, depth int) *Shape {
	if l.Node == nil {
		return &Shape{}
	}
	if depth > w.deepest || w.full() {
		w.recursive = true
		return &Shape{Open: true, Unread: true} // what was not read may declare any property
	}
	w.nodes++
	if _, circular := w.active[l.Node]; circular {
		w.recursive = true
		return &Shape{Types: w.types(l), Open: true, Unread: true, tag: w.tag(l)} // a recursive schema is read once
	}
	w.active[l.Node] = depth
	defer delete(w.active, l.Node)

	s := &Shape{}
	if l.Get("$ref") != nil {
		target, err := l.Target()
		if err != nil {
			return &Shape{Open: true}
		}
		if s = w.read(target, depth); w.v30 {
			return s // OpenAPI 3.0.3, Reference Object: siblings of $ref are ignored
		}
	}
	s.and(w.own(l, depth))
	w.combine(s, l, depth)
	_, isComponent := ComponentAt(l) // a component is not Inherited only because its parent is
	s.Inherited = s.Inherited && !isComponent || isBase(l.Node)
	s.tag = cmp.Or(w.tag(l), s.tag)
	if w.v30 && isNullable(l.Node) {
		s.allowNull()
	}
	return s
}

// tag returns the property that decides which schema a value must meet, or "".
func (w *shapeReader) tag(l document.Place) string {
	if _, isComponent := ComponentAt(l); w.decides && isComponent && isBase(l.Node) {
		return DiscriminatorOf(l).Property
	}
	return ""
}

// own reads the keywords of the schema itself, without the schemas that it is combined with.
func (w *shapeReader) own(l document.Place, depth int) *Shape {
	s := &Shape{Types: w.types(l), Format: l.Get("format").Text(), limits: limitsOf(l)}
	s.AnyOrder = l.Get("uniqueItems").True() || reordered.MatchString(l.Get("description").Text())
	s.values = lists.Map(l.To("enum").List(), document.Place.Value)
	if n := l.Get("const"); n != nil {
		s.values = append(s.values, n.Value())
	}
	s.Enum = l.Get("enum") != nil || l.Get("const") != nil
	if !w.v30 && s.Format == "" && l.Get("contentMediaType") != nil && l.Get("contentEncoding") == nil {
		s.Format = "binary" // OpenAPI 3.1.0 §4.8.14.2
	}
	if depth == 0 {
		s.Includes = []document.Place{l}
	}
	w.properties(s, l, depth)
	w.further(s, l, depth)
	return s
}

// reordered matches a description that says that a list does not keep the order in which items were
// sent.
var reordered = regexp.MustCompile(`(?i)\b(sorted|unordered|ordered by|ascending|descending|(any|no|alphabetical|numerical|chronological) order|order\b[^.]*(n't| not | may ))`)

func (w *shapeReader) types(l document.Place) (names []string) {
	t := l.Get("type")
	if t == nil {
		return nil
	}
	list := t.List()
	if w.v30 {
		list = []*document.Node{t}
	}
	names = lists.Filter(lists.Map(list, (*document.Node).Text), func(name string) bool { return name != "" })
	if w.v30 && isNullable(l.Node) {
		names = append(names, "null")
	}
	return names
}

func (w *shapeReader) properties(s *Shape, l document.Place, depth int) {
	list := l.To("properties")
	for _, m := range list.All() {
		if w.full() {
			s.Open, s.Unread = true, true
			return
		}
		at := list.To(m.Key)
		hops, _ := at.Hops()
		s.Properties = append(s.Properties, &Property{
			Name: m.Key, At: at, Shape: w.read(at, depth+1), ReadOnly: Says(at, "readOnly", w.v30), WriteOnly: Says(at, "writeOnly", w.v30),
			Preset: slices.ContainsFunc(hops, func(hop document.Place) bool { return hop.Get("default") != nil }),
		})
	}
	for _, item := range l.To("required").List() {
		name := item.Text()
		if item.Kind != document.String {
			continue
		}
		if s.Property(name) == nil {
			s.Properties = append(s.Properties, &Property{Name: name, At: l.To("required"), Shape: &Shape{}})
		}
		s.Property(name).Required = true
	}
}

// further reads the schemas of items and of properties that are not listed.
func (w *shapeReader) further(s *Shape, l document.Place, depth int) {
	// With additionalProperties, no property is left unevaluated.
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
		if one := w.read(at, depth+1); s.Each == nil {
			s.Each = one
		} else {
			s.Each.or(one)
		}
	}
}

// combine merges the schemas that l is combined with. Those that apply only under a condition only
// add optional properties.
func (w *shapeReader) combine(s *Shape, l document.Place, depth int) {
	for _, at := range l.To("allOf").List() {
		s.and(w.read(at, depth))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		w.alternatives(s, l.To(keyword).List(), depth)
	}
	conditional := []document.Place{l.To("then"), l.To("else")}
	dependent := l.To("dependentSchemas")
	for _, m := range dependent.All() {
		conditional = append(conditional, dependent.To(m.Key))
	}
	for _, at := range conditional {
		other := w.read(at, depth)
		for _, p := range other.Properties {
			if s.Property(p.Name) == nil {
				p.Required = false
				s.Properties = append(s.Properties, p)
			}
		}
		s.Open = s.Open || other.Open
		s.Unread = s.Unread || other.Unread
	}
}

// alternatives narrows s to values that meet one of the members.
func (w *shapeReader) alternatives(s *Shape, members []document.Place, depth int) {
	var union *Shape
	for _, at := range members {
		if w.full() {
			s.Open, s.Unread = true, true
			return
		}
		one := w.read(at, depth)
		// An object without described properties may have any property.
		one.Open = one.Open || len(s.Properties)+len(one.Properties) == 0 && one.Allows("object") && !one.Closed
		if union == nil {
			union = one
		} else {
			union.or(one)
		}
	}
	if union != nil {
		union.Includes = nil
		s.and(union)
	}
}

// and narrows s to values that also meet the other shape, as allOf does.
func (s *Shape) and(other *Shape) {
	s.Types = bothTypes(s.Types, other.Types)
	s.Format = cmp.Or(s.Format, other.Format)
	if !s.Enum {
		s.Enum, s.values = other.Enum, other.values
	} else if other.Enum {
		s.values = lists.Filter(s.values, func(v any) bool {
			return slices.ContainsFunc(other.values, func(o any) bool { return instance.Equal(v, o) })
		})
	}
	s.limits = union(s.limits, other.limits)
	s.merge(other, func(a, b bool) bool { return a || b }, (*Shape).and)
	s.tag = cmp.Or(s.tag, other.tag)
	s.Includes = append(s.Includes, other.Includes...)
}

// or widens s to values that meet the other shape instead, as anyOf and oneOf do. A property is
// declared if either shape declares it, and required only if both require it.
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
	if s.Format != other.Format {
		s.Format = ""
	}
	s.Types = eitherTypes(s.Types, other.Types)
	s.Enum, s.values = s.Enum && other.Enum, slices.Concat(s.values, other.values)
	if !slices.Equal(s.limits, other.limits) {
		s.limits = nil
	}
	if limited && !s.limited() { // each has other limits
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

// merge adds the properties and items of the other shape. both combines the flags of the two
// shapes. A flag that only makes validation more lenient is set if either shape sets it.
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
	s.AnyOrder = s.AnyOrder || other.AnyOrder
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

func bothTypes(a, b []string) (both []string) {
	if len(a) == 0 {
		return b
	}
	for _, t := range a {
		switch {
		case slices.Contains(b, t), t == "integer" && slices.Contains(b, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	if both == nil {
		return a // b says nothing, or contradicts a
	}
	return both
}

func eitherTypes(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	return union(a, b)
}

// union adds to a list the items of another list that it lacks.
func union(list, other []string) []string {
	for _, one := range other {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}
