package generate

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/schema"
)

// addTags notes the value of each discriminator of a component or its parents that means
// the component. What chose it before, such as the mapping of a union, says more.
func (v *view) addTags(s *jsonschema.Schema) {
	at := v.source(s)
	name, isComponent := schema.ComponentAt(at)
	if !isComponent {
		return
	}
	for _, parent := range schema.Ancestors(at) {
		if d := schema.DiscriminatorOf(parent); d.Property != "" && v.tags[d.Property] == "" {
			v.tags[d.Property] = d.Tag(name)
		}
	}
}

// subtypes is the choice between the components that a schema with a discriminator may turn
// out to be: those of its mapping, or those that inherit from it. There is none where its
// discriminator has a value already, or where none can be had.
func (m *maker) subtypes(v *view, s *jsonschema.Schema) fork {
	at := m.source(s)
	d := schema.DiscriminatorOf(at)
	if d.Property == "" || v.tags[d.Property] != "" || s.OneOf != nil || s.AnyOf != nil || s.AdditionalProperties == false {
		return fork{}
	}
	branches, known := m.inherited[s]
	if !known {
		branches = m.subtypesOf(d)
		m.inherited[s] = branches
	}
	return fork{of: s, keyword: "discriminator", branches: branches}
}

func (m *maker) subtypesOf(d schema.Discriminator) (branches []branch) {
	for _, subtype := range d.Subtypes() {
		name := schema.NameIn(subtype.Pointer)
		if compiled, err := m.schema.At(subtype).Compiled(m.direction); err == nil {
			branches = append(branches, branch{label: slug(name), schemas: []*jsonschema.Schema{compiled}, tag: d.Tag(name), says: "is a " + name})
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
