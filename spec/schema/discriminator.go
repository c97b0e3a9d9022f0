package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// A Discriminator names the property that says which schema an object meets (OpenAPI 3.0.3,
// Discriminator Object; Swagger 2.0, Schema Object, discriminator).
type Discriminator struct {
	Property string // empty if there is no discriminator

	at      document.Place
	mapping []*document.Member
}

// DiscriminatorOf returns the discriminator of a schema.
func DiscriminatorOf(at document.Place) Discriminator {
	written := at.Get("discriminator")
	if property := written.Text(); property != "" { // Swagger 2.0
		return Discriminator{Property: property, at: at}
	}
	return Discriminator{
		Property: written.Get("propertyName").Text(),
		at:       at,
		mapping:  slices.SortedFunc(slices.Values(written.Get("mapping").All()), func(a, b *document.Member) int { return cmp.Compare(a.Key, b.Key) }),
	}
}

// Tag returns the value of the discriminator that stands for the component with that name.
func (d Discriminator) Tag(name string) string {
	if entry, ok := lists.First(d.mapping, func(m *document.Member) bool { return NameIn(m.Value.Text()) == name }); ok {
		return entry.Key
	}
	return tagOf(components(d.at).To(name), name)
}

// tagOf returns the value that stands for a component without a mapping: that of the extension
// x-ms-discriminator-value, or else its name.
func tagOf(component document.Place, name string) string {
	return cmp.Or(component.Get("x-ms-discriminator-value").Text(), name)
}

// NameIn returns the name of the component that a reference names: its last step.
func NameIn(ref string) string {
	return document.UnescapePointer(ref[strings.LastIndexByte(ref, '/')+1:])
}

// Subtypes returns the components that a value of the schema may be: those of the mapping, or those
// that inherit from the schema.
func (d Discriminator) Subtypes() []document.Place {
	if len(d.mapping) == 0 {
		return d.heirs()
	}
	list := d.at.Root().To("components", "schemas")
	all := lists.Map(d.mapping, func(entry *document.Member) document.Place { return list.To(NameIn(entry.Value.Text())) })
	return lists.Filter(all, func(subtype document.Place) bool { return subtype.Node != nil })
}

// components returns the list that contains the schema, if the schema is a component.
func components(at document.Place) document.Place {
	if _, isComponent := ComponentAt(at); !isComponent {
		return document.Place{}
	}
	return at.Root().Follow(at.Pointer[:strings.LastIndexByte(at.Pointer, '/')])
}

// heirs returns the components that inherit from the schema.
func (d Discriminator) heirs() (all []document.Place) {
	list := components(d.at)
	for _, entry := range list.All() {
		subtype := list.To(entry.Key)
		if entry.Value != d.at.Node && slices.ContainsFunc(Ancestors(subtype), func(parent document.Place) bool { return parent.Node == d.at.Node }) {
			all = append(all, subtype)
		}
	}
	return all
}

// Ancestors returns a schema and all schemas from which it inherits by allOf.
func Ancestors(at document.Place) (all []document.Place) {
	for next := []document.Place{at}; len(next) > 0; next = next[1:] {
		hops, _ := next[0].Hops() // in OpenAPI 3.1 the keywords next to a $ref count
		for _, one := range hops {
			if !slices.ContainsFunc(all, func(known document.Place) bool { return known.Node == one.Node }) {
				all = append(all, one)
				next = append(next, one.To("allOf").List()...)
			}
		}
	}
	return all
}

// isBase reports whether a schema is a base: its values may be of schemas that inherit from it, and
// its discriminator says which of them. The discriminator of a union chooses among the schemas that
// the union lists.
func isBase(n *document.Node) bool {
	return n.Get("discriminator") != nil && n.Get("oneOf") == nil && n.Get("anyOf") == nil
}

// hasChoice reports whether a discriminator chooses among the alternatives of a union: that of the
// union, or that of a base from which all alternatives inherit.
func hasChoice(union document.Place) bool {
	bases := func(one document.Place) []document.Place {
		return slices.DeleteFunc(Ancestors(one), func(at document.Place) bool { return !isBase(at.Node) })
	}
	all := union.To("oneOf").List()
	return union.Get("discriminator") != nil || len(all) > 0 && slices.ContainsFunc(bases(all[0]), func(base document.Place) bool {
		return !slices.ContainsFunc(all, func(one document.Place) bool {
			return !slices.ContainsFunc(bases(one), func(at document.Place) bool { return at.Node == base.Node })
		})
	})
}

// decides reports whether the value of a discriminator is binding: "the property that decides which
// schema definition is used to validate the structure of the model" (Swagger 2.0, Schema Object,
// Composition and Inheritance). OpenAPI 3.0.0 to 3.0.3 and 3.1.0 say much the same. Their later
// patch releases only clarify, so these are followed: "discriminator MUST NOT change the validation
// outcome of the schema" (3.0.4, 3.1.1, and also 3.2).
func decides(root *document.Node) bool { return root.Get("swagger") != nil }

// family maps each value of a discriminator to the schema that it stands for. The node of a schema
// that is not in the document is nil.
func (d Discriminator) family() map[string]document.Place {
	list := components(d.at)
	of := map[string]document.Place{}
	for _, heir := range append(d.heirs(), d.at) {
		if name, isComponent := ComponentAt(heir); isComponent {
			of[tagOf(heir, name)] = heir
		}
	}
	for _, entry := range d.mapping { // to a name or a reference
		means := entry.Value.Text()
		if of[entry.Key] = list.To(means); list.Node == nil || of[entry.Key].Node == nil {
			of[entry.Key] = document.Place{}
			if at, err := d.at.Refer(means); err == nil {
				of[entry.Key] = at
			}
		}
	}
	return of
}

// withSubtypes adds the faults of objects of a base: a discriminator names the schema that each
// must meet. For requests, only binding faults are added.
func (s *Schema) withSubtypes(d Direction, value any, faults []Fault) []Fault {
	w := subtypeWalker{set: s.set, direction: d, seen: map[part]bool{}}
	w.visit(s.compiled[d].Schema, nil, value)
	w.faults = slices.DeleteFunc(w.faults, func(f Fault) bool {
		return f.Should && d == Request || slices.ContainsFunc(faults, func(known Fault) bool {
			return known.Message == f.Message && slices.Equal(known.Path, f.Path)
		})
	})
	if len(w.faults) == 0 {
		return faults
	}
	return (&faultTeller{faults: append(faults, w.faults...)}).sorted()
}

// MeetsSubtypes reports whether each object of a base in a value meets the schema that its
// discriminator names. It is true if discriminators are not binding.
func (s *Schema) MeetsSubtypes(d Direction, value any) bool {
	return s.Place.Node == nil || !s.set.hasBases || !s.set.decides || s.Compile(d) != nil ||
		!slices.ContainsFunc(s.withSubtypes(d, value, nil), func(f Fault) bool { return !f.Should })
}

// A subtypeWalker finds the objects of a base in a value, and validates each against its subtype.
type subtypeWalker struct {
	set       *Set
	direction Direction
	seen      map[part]bool
	faults    []Fault
}

// visit follows the schemas that a value must meet in any case. It follows an alternative only if
// the value meets no other.
func (w *subtypeWalker) visit(s *jsonschema.Schema, path []string, value any) {
	key := partOf(s, value)
	if s == nil || key.value == 0 || w.seen[key] || len(w.faults) >= maxFaults {
		return
	}
	w.seen[key] = true
	if pointer, ok := pointerOf(s.Location); ok {
		w.judge(pointer, path, value)
	}
	w.visit(s.Ref, path, value)
	if s.DynamicRef != nil {
		w.visit(s.DynamicRef.Ref, path, value)
	}
	for _, one := range s.AllOf {
		w.visit(one, path, value)
	}
	for _, list := range [][]*jsonschema.Schema{s.OneOf, s.AnyOf} {
		met := lists.Filter(list, func(one *jsonschema.Schema) bool { return one.Validate(value) == nil })
		if len(met) == 1 {
			w.visit(met[0], path, value)
		}
	}
	parts(s, value, func(of *jsonschema.Schema, step string, inner any) { w.visit(of, instance.Below(path, step), inner) })
}

// judge validates an object against the schema that the discriminator of a base names.
func (w *subtypeWalker) judge(pointer string, path []string, value any) {
	object, isObject := value.(map[string]any)
	at := w.set.root.Follow(pointer)
	if !isObject || at.Node == nil || !isBase(at.Node) {
		return
	}
	discriminator := DiscriminatorOf(at)
	name, isText := object[discriminator.Property].(string)
	if !isText {
		return // the base decides whether that is allowed
	}
	family := w.set.family(discriminator)
	subtype, known := family[name]
	p := w.set.At(at).Shape().Property(discriminator.Property)
	isListed := p != nil && p.Shape.Enum // then the enum of the base is checked
	if _, isComponent := ComponentAt(at); !known && isComponent && len(family) > 1 && !isListed {
		// "validation SHOULD fail" (OpenAPI 3.0.3 and 3.1.0, Discriminator Object). The value "MUST
		// be the name of this schema or any schema that inherits it" in Swagger 2.0, but many
		// generators write names there that their services do not use.
		w.faults = append(w.faults, Fault{
			Path: instance.Below(path, discriminator.Property), Should: true,
			Message: "does not name the schema of its object", Expected: oneOf(slices.Sorted(maps.Keys(family))),
		})
	}
	if subtype.Node == nil {
		return
	}
	of := w.set.At(subtype)
	if of.Compile(w.direction) != nil || w.seen[partOf(of.compiled[w.direction].Schema, value)] {
		return
	}
	for _, f := range of.ownFaults(w.direction, value) {
		f.Path = slices.Concat(path, f.Path)
		if f.Undeclared {
			f.Owner = slices.Concat(path, f.Owner)
		}
		f.Expected += fmt.Sprintf(" (%s is %q)", discriminator.Property, name)
		f.Should = !w.set.decides
		w.faults = append(w.faults, f)
	}
	w.visit(of.compiled[w.direction].Schema, path, value)
}

// family returns the schemas of a discriminator by value. It reads them once.
func (s *Set) family(d Discriminator) map[string]document.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.families[d.at.Node]
	if known == nil {
		known = d.family()
		s.families[d.at.Node] = known
	}
	return known
}
