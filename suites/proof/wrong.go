package proof

import (
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// What a response may not have for its body, one for each place and keyword.

// wrongValue is a body that a response may not have.
type wrongValue struct {
	name, says, text string
	path             []string // of what is wrong with it, with stars
	unions           []int    // after how many steps of the path there are unions
	elsewhere        bool     // the value there is right in another branch
	accepted         bool     // by the second reader
}

// wrongValues are those of a response, one for each place and keyword.
func (r *reader) wrongValues(d *declared) []wrongValue {
	var list []wrongValue
	seen := map[string]bool{}
	for c := range generate.Invalid(d.content.Schema, schema.Response) {
		path := stars(d.content.Schema.Shape(), c.Path, c.Twin)
		name := "body" + instance.Pointer(path) + ": " + c.Kind
		if seen[name] {
			continue
		}
		seen[name] = true
		unions, there := unionsOn(d.judged, c.Path)
		list = append(list, wrongValue{
			name: name, says: c.Says, text: instance.Compact(c.Value), path: path, unions: unions,
			elsewhere: len(unions) > 0 && slices.ContainsFunc(there, func(s *openapi3.Schema) bool { return r.accepts(s, valueAt(c.Value, c.Path)) }), accepted: r.accepts(d.judged, c.Value),
		})
	}
	return list
}

// wrongIn are the wrong values of a response. Responses share them if they share a schema:
// making them costs more than trying them.
func (m *model) wrongIn(d *declared) func() []wrongValue {
	return m.wrong.get(d.content.Schema, func() func() []wrongValue {
		return sync.OnceValue(func() []wrongValue { return m.reader.wrongValues(d) })
	})
}

func valueAt(value any, path []string) any {
	var unknown *schema.Shape
	for _, step := range path {
		_, _, value = unknown.Down(step, value)
	}
	return value
}

// stars is a path with * for the items of lists and the values of maps.
func stars(s *schema.Shape, path []string, value any) []string {
	var list []string
	for _, step := range path {
		p, next, inner := s.Down(step, value)
		if p == nil && next != nil {
			step = "*"
		}
		list = append(list, step)
		s, value = next, inner
		if s == nil {
			break
		}
	}
	return list
}
