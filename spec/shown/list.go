package shown

import (
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// List finds the list in the body of a response that has one of these shapes: the body itself, or
// the list in an object that a shape describes. If none describes one, that is the only list in
// the object, or else in the objects inside.
func List(responses []*schema.Shape, body any) (list []any, ok bool) {
	if list, ok = body.([]any); ok {
		return list, true
	}
	described := false
	for _, of := range responses {
		path, list := listIn(of)
		if list == nil || len(path) == 0 {
			continue
		}
		inner, _ := instance.At(body, path)
		if found, ok := inner.([]any); ok {
			return found, true
		}
		described = true
	}
	if described {
		return nil, false
	}
	lists := listsIn(body)
	if object, _ := body.(map[string]any); len(lists) == 0 {
		for _, inner := range object {
			lists = append(lists, listsIn(inner)...)
		}
	}
	if len(lists) != 1 {
		return nil, false
	}
	return lists[0], true
}

// Entries is the shape of the entries of the list that a response is or has, and the path to the first of
// them. If there is no such list, the path is nil and the shape is that of what the response holds; it is nil if
// the contract says nothing of that.
func Entries(of *schema.Shape) (each *schema.Shape, first []string) {
	path, list := listIn(of)
	if list == nil {
		return of.Each, nil
	}
	return list.Each, append(slices.Clone(path), "0")
}

func listsIn(body any) (lists [][]any) {
	object, _ := body.(map[string]any)
	for _, value := range object {
		if list, ok := value.([]any); ok {
			lists = append(lists, list)
		}
	}
	return lists
}

// described is a list in an object, and the path to it.
type described struct {
	path []string
	list *schema.Shape
}

// listIn is the list that a response is or has, and the path to it. If an object has none, those
// of the objects inside count, as in HAL. Of several lists it is the one whose entries have an id,
// or else the only one of objects: the others are about the whole, such as links and warnings.
func listIn(s *schema.Shape) (path []string, list *schema.Shape) {
	if s.IsArray() {
		return nil, s
	}
	var lists, deeper []described
	for _, p := range s.Properties {
		if p.Shape.IsArray() {
			lists = append(lists, described{[]string{p.Name}, p.Shape})
		}
		for _, inner := range p.Shape.Properties {
			if inner.Shape.IsArray() {
				deeper = append(deeper, described{[]string{p.Name, inner.Name}, inner.Shape})
			}
		}
	}
	if len(lists) == 0 {
		lists = deeper
	}
	for _, isSuch := range []func(described) bool{
		func(d described) bool {
			return d.list.Each != nil && (showsID(d.list.Each) || slices.ContainsFunc(d.list.Each.Properties, func(p *schema.Property) bool { return showsID(p.Shape) }))
		},
		func(d described) bool { return d.list.Each != nil && len(d.list.Each.Properties) > 0 },
		func(d described) bool { return envelope.MatchString(d.path[len(d.path)-1]) },
	} {
		if such := slices.DeleteFunc(slices.Clone(lists), func(d described) bool { return !isSuch(d) }); len(lists) > 1 && len(such) > 0 {
			lists = such
		}
	}
	if len(lists) != 1 {
		return nil, nil
	}
	return lists[0].path, lists[0].list
}

// showsID reports whether an object has an id.
func showsID(s *schema.Shape) bool {
	return slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return IsID(p.Name) })
}

// IsID reports whether a name is that of the id of the thing that has it.
func IsID(name string) bool { return idName.MatchString(name) }

var idName = regexp.MustCompile(`^_?(?i:id|uuid|guid)$`)
