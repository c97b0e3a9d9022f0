package generate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

// discriminator is how a schema lets a property tell which schema an object meets
// (OpenAPI 3.0.3, Discriminator Object; Swagger 2.0, Schema Object, discriminator).
type discriminator struct {
	property string // empty where there is no discriminator
	mapping  []*document.Member
}

func discriminatorOf(at document.Place) discriminator {
	written := at.Get("discriminator")
	if property := written.Text(); property != "" { // Swagger 2.0
		return discriminator{property: property}
	}
	return discriminator{
		property: written.Get("propertyName").Text(),
		mapping:  slices.SortedFunc(slices.Values(written.Get("mapping").All()), func(a, b *document.Member) int { return cmp.Compare(a.Key, b.Key) }),
	}
}

// tag is the value that means the component of that name.
func (d discriminator) tag(name string) string {
	for _, entry := range d.mapping {
		if nameIn(entry.Value.Text()) == name {
			return entry.Key
		}
	}
	return name
}

// nameIn is the last step of a reference to a component: its name.
func nameIn(ref string) string {
	return document.UnescapePointer(ref[strings.LastIndexByte(ref, '/')+1:])
}

// ancestors is a schema and all that it inherits from by allOf.
func ancestors(at document.Place) (all []document.Place) {
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

// addTags notes the value of each discriminator of a component or its parents that means
// the component. What chose it before, such as the mapping of a union, says more.
func (v *view) addTags(s *jsonschema.Schema) {
	at := v.source(s)
	name, isComponent := schema.ComponentAt(at)
	if !isComponent {
		return
	}
	for _, parent := range ancestors(at) {
		if d := discriminatorOf(parent); d.property != "" && v.tags[d.property] == "" {
			v.tags[d.property] = d.tag(name)
		}
	}
}

// subtypes is the choice between the components that a schema with a discriminator may turn
// out to be: those of its mapping, or those that inherit from it. There is none where its
// discriminator has a value already, or where none can be had.
func (m *maker) subtypes(v *view, s *jsonschema.Schema) fork {
	at := m.source(s)
	d := discriminatorOf(at)
	if d.property == "" || v.tags[d.property] != "" || s.OneOf != nil || s.AnyOf != nil || s.AdditionalProperties == false {
		return fork{}
	}
	branches, known := m.inherited[s]
	if !known {
		branches = m.subtypesAt(at, d)
		m.inherited[s] = branches
	}
	return fork{of: s, keyword: "discriminator", branches: branches}
}

func (m *maker) subtypesAt(at document.Place, d discriminator) (branches []branch) {
	var all []document.Place
	for _, entry := range d.mapping {
		list := at.Root().To("components", "schemas")
		if subtype := list.To(nameIn(entry.Value.Text())); subtype.Node != nil {
			all = append(all, subtype)
		}
	}
	if _, isComponent := schema.ComponentAt(at); isComponent && len(d.mapping) == 0 {
		list := at.Root().Follow(at.Pointer[:strings.LastIndexByte(at.Pointer, '/')])
		for _, entry := range list.All() {
			if subtype := list.To(entry.Key); entry.Value != at.Node && slices.ContainsFunc(ancestors(subtype), func(parent document.Place) bool { return parent.Node == at.Node }) {
				all = append(all, subtype)
			}
		}
	}
	for _, subtype := range all {
		name := nameIn(subtype.Pointer)
		if compiled, err := m.schema.At(subtype).Compiled(m.direction); err == nil {
			branches = append(branches, branch{label: slug(name), schemas: []*jsonschema.Schema{compiled}, tag: d.tag(name), says: "is a " + name})
		}
	}
	return branches
}

// constant is a schema of one value, which is not in the document.
func constant(value any) *jsonschema.Schema {
	s := synthetic()
	s.Const = &value
	return s
}
