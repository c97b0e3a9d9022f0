package schema

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
)

// Compiled is the schema as the values of that direction are judged by it. It is
// nil where the document gives no schema, which allows anything. It is for package
// generate, which makes values from its parts; to judge a value, use
// [Schema.Faults].
//
// The error is that of [Schema.Compile].
func (s *Schema) Compiled(d Direction) (*jsonschema.Schema, error) {
	if err := s.Compile(d); err != nil || s.Place.Node == nil {
		return nil, err
	}
	return s.compiled[d].Schema, nil
}

// Source is the place in the document that a part of a compiled schema was
// translated from. Its node is nil if the part is not from the document.
func (s *Schema) Source(part *jsonschema.Schema) document.Place {
	pointer, ok := pointerOf(part.Location)
	if !ok || s.Place.Node == nil {
		return document.Place{}
	}
	return s.Place.Root().Follow(pointer)
}

// ComponentAt is the name of the component that stands at a place, if one does.
func ComponentAt(at document.Place) (name string, ok bool) {
	for _, list := range []string{"/components/schemas/", "/definitions/"} {
		if name, ok = strings.CutPrefix(at.Pointer, list); ok {
			return document.UnescapePointer(name), !strings.Contains(name, "/")
		}
	}
	return "", false
}

// GoPattern writes a pattern of a document in the syntax of package regexp.
func GoPattern(pattern string) string { return fromECMA(pattern) }
