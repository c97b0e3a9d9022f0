package generate

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/schema"
)

// IsOpen says whether a valid value holds a text of which the document says what nothing
// here judges (see [schema.IsOpenText]), and which it does not give itself. A service may
// have reasons of its own against it.
func IsOpen(s *schema.Schema, d schema.Direction, value any) bool {
	of, err := newSubject(s, d)
	return err == nil && of.compiled != nil && of.isOpen(conjunction{of.compiled}, value)
}

func (s *subject) isOpen(c conjunction, value any) bool {
	m := s.maker(Minimal{}.plan)
	v := m.newView(c, func(f fork) int {
		return slices.IndexFunc(f.branches, func(b branch) bool {
			return !slices.ContainsFunc(b.schemas, func(part *jsonschema.Schema) bool { return part != nil && !schema.Meets(part, s.root(), value) })
		})
	})
	switch value := value.(type) {
	case string:
		_, listed := v.values()
		return !listed && !slices.Contains(m.examples(v), any(value)) &&
			slices.ContainsFunc(v.parts, func(part *jsonschema.Schema) bool { return schema.IsOpenText(s.source(part)) })
	case []any:
		for i, item := range value {
			if s.isOpen(v.item(i), item) {
				return true
			}
		}
	case map[string]any:
		for name, inner := range value {
			if s.isOpen(v.property(name), inner) {
				return true
			}
		}
	}
	return false
}
