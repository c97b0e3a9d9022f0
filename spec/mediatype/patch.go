package mediatype

import (
	"slices"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// OnlyRemoves reports whether a body breaks its schema only by null for properties that are
// not required. In a merge patch null removes a property (RFC 7396 §2), so the document does
// not tell whether the body is valid.
func (c Content) OnlyRemoves(value any) bool {
	faults, err := c.Schema.Faults(schema.Request, value)
	return err == nil && len(faults) > 0 && len(c.Certain(faults, value)) == 0
}

// Certain returns those faults of a body that are none of the removals of a merge patch.
func (c Content) Certain(faults []schema.Fault, value any) []schema.Fault {
	left, removes := c.withoutRemovals(value)
	if !removes {
		return faults
	}
	others, err := c.Schema.Faults(schema.Request, left)
	return lists.Filter(faults, func(f schema.Fault) bool {
		return err == nil && slices.ContainsFunc(others, func(o schema.Fault) bool { return slices.Equal(f.Path, o.Path) })
	})
}

// withoutRemovals returns a merge patch without each null that removes a property. removes is false
// if there is none, or if the body is not a merge patch. In a list, null removes nothing.
func (c Content) withoutRemovals(patch any) (left any, removes bool) {
	if !c.IsMergePatch() {
		return patch, false
	}
	return unremoved(c.Schema.Shape(), patch)
}

func unremoved(s *schema.Shape, patch any) (left any, removes bool) {
	object, isObject := patch.(map[string]any)
	if !isObject {
		return patch, false
	}
	kept := map[string]any{}
	for name, value := range object {
		p, inner, _ := s.Down(name, patch)
		if value == nil && (p == nil || !p.Required) {
			removes = true
			continue
		}
		inside, below := unremoved(inner, value)
		kept[name], removes = inside, removes || below
	}
	return kept, removes
}
