package spec

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// preset is the default for what the last request left out, if that made or replaced the whole thing
// (OpenAPI 3.0.3, Schema Object: the value that is assumed if none is sent); nil for none.
func preset(name string, sent []Sent) any {
	last := sent[len(sent)-1]
	return last.assumed(last.shape().Property(name))
}

// assumed is the default of a property of the request, in it or in an object in it.
func (s Sent) assumed(q *schema.Property) any {
	if q == nil || s.Operation.Method != http.MethodPost && s.Operation.Method != http.MethodPut || q.Shape.HasParts() {
		return nil
	}
	given := q.At.Get("default")
	if given == nil || given.Value() == any("") { // which many services do not show
		return nil
	}
	if !s.content().Schema.Of(q).Meets(schema.Request, given.Value()) {
		return nil
	}
	return given.Value()
}

// otherDefault is the first property in an object that the last request left out and the response
// shows with another value than the default: the path to it, below that object, and the default.
func otherDefault(p *schema.Property, sent []Sent, value, shown any) (path []string, given any) {
	last := sent[len(sent)-1]
	return last.otherDefault(p, last.shape().Property(p.Name), value, shown)
}

func (s Sent) otherDefault(p, q *schema.Property, sent, shown any) (path []string, given any) {
	object, wasObject := sent.(map[string]any)
	got, isObject := shown.(map[string]any)
	if q == nil || !wasObject || !isObject {
		return nil, nil
	}
	for _, inner := range q.Shape.Properties {
		of, actual := p.Shape.Property(inner.Name), got[inner.Name]
		value, was := object[inner.Name]
		switch {
		case of == nil || !isAlike(of, inner) || actual == nil:
		case was:
			if below, given := s.otherDefault(of, inner, value, actual); given != nil {
				return append([]string{inner.Name}, below...), given
			}
		default:
			if given := s.assumed(inner); given != nil && !of.Shape.Means(given, actual) {
				return []string{inner.Name}, given
			}
		}
	}
	return nil, nil
}

// showable is a value as a response can show it: what its schema refuses in it, such as 1 where a
// price has two digits, is as it is shown. ok is false if that is the whole value.
func showable(of *schema.Schema, sent, shown any) (value any, ok bool) {
	faults, err := of.Faults(schema.Response, sent)
	if err != nil || len(faults) == 0 {
		return sent, true
	}
	isRefused := func(path []string) bool {
		return slices.ContainsFunc(faults, func(f schema.Fault) bool { return slices.Equal(f.Path, path) })
	}
	if _, isObject := sent.(map[string]any); !isObject && isRefused(nil) {
		return nil, false
	}
	return admitted(sent, shown, nil, isRefused), true
}

// admitted is a value with what is shown in the place of what is refused. That an object lacks
// something is another matter.
func admitted(sent, shown any, path []string, isRefused func([]string) bool) any {
	switch value := sent.(type) {
	case map[string]any:
		other, _ := shown.(map[string]any)
		object := map[string]any{}
		for name, inner := range value {
			object[name] = admitted(inner, other[name], instance.Below(path, name), isRefused)
		}
		return object
	case []any:
		other, _ := shown.([]any)
		if isRefused(path) || len(other) != len(value) {
			break
		}
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = admitted(item, other[i], instance.Below(path, strconv.Itoa(i)), isRefused)
		}
		return list
	}
	if isRefused(path) {
		return shown
	}
	return sent
}
