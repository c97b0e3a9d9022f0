package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
)

// withSubtypes adds what is wrong with objects of a base: a discriminator names the schema
// that each must meet. Requests are judged by binding names only.
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
// discriminator names, as far as that is binding.
func (s *Schema) MeetsSubtypes(d Direction, value any) bool {
	return s.Place.Node == nil || !s.set.hasBases || !s.set.decides || s.Compile(d) != nil ||
		!slices.ContainsFunc(s.withSubtypes(d, value, nil), func(f Fault) bool { return !f.Should })
}

// subtypeWalker finds the objects in a value that are of a base, and judges each by its subtype.
type subtypeWalker struct {
	set       *Set
	direction Direction
	seen      map[part]bool
	faults    []Fault
}

// visit follows what a value must meet for certain. Of alternatives that is the only one
// that it meets.
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
		met := slices.DeleteFunc(slices.Clone(list), func(one *jsonschema.Schema) bool { return one.Validate(value) != nil })
		if len(met) == 1 {
			w.visit(met[0], path, value)
		}
	}
	parts(s, value, func(of *jsonschema.Schema, step string, inner any) { w.visit(of, instance.Below(path, step), inner) })
}

// judge judges an object by the schema that the discriminator of a base names.
func (w *subtypeWalker) judge(pointer string, path []string, value any) {
	object, isObject := value.(map[string]any)
	at := w.set.root.Follow(pointer)
	if !isObject || at.Node == nil || !isBase(at.Node) {
		return
	}
	discriminator := DiscriminatorOf(at)
	name, isText := object[discriminator.Property].(string)
	if !isText {
		return // the base says whether it may be
	}
	family := w.set.family(discriminator)
	subtype, known := family[name]
	if _, isComponent := ComponentAt(at); !known && isComponent && len(family) > 1 && !w.lists(at, discriminator.Property) {
		// "validation SHOULD fail" (OpenAPI 3.0.3 and 3.1.0, Discriminator Object). The value
		// "MUST be the name of this schema or any schema that inherits it" in Swagger 2.0, but
		// what many generators write there are other names than those of their services.
		w.faults = append(w.faults, Fault{
			Path: instance.Below(path, discriminator.Property), Should: true,
			Message: "does not name the schema of its object", Expected: names(family),
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

// lists reports whether the document lists the values of the property of an object, so that
// they are judged.
func (w *subtypeWalker) lists(at document.Place, property string) bool {
	p := w.set.At(at).Shape().Property(property)
	return p != nil && p.Shape.Enum
}

// family is that of a discriminator, which is read once.
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
