package spec

import (
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// isList reports whether a success of the operation is a list, or has one.
func (op *Operation) isList() bool {
	return slices.ContainsFunc(op.Successes(), func(r *Declared) bool {
		return slices.ContainsFunc(r.Content, func(c Content) bool { return c.MayBeJSON() && hasList(c.Schema.Shape()) })
	})
}

// ListIn finds the list in the body of a success: the body itself, or the list in an object that
// the contract describes. If it describes none, that is the only list in the object, or else in
// the objects inside.
func (op *Operation) ListIn(body any) (list []any, ok bool) {
	if list, ok = body.([]any); ok {
		return list, true
	}
	described := false
	for _, r := range op.Successes() {
		for _, c := range r.Content {
			path, of := listIn(c.Schema.Shape())
			if !c.MayBeJSON() || of == nil || len(path) == 0 {
				continue
			}
			inner, _ := instance.At(body, path)
			if list, ok = inner.([]any); ok {
				return list, true
			}
			described = true
		}
	}
	if described {
		return nil, false
	}
	return onlyList(body)
}

// onlyList is the only list in an object. If the object has none, it looks into the objects inside.
func onlyList(body any) ([]any, bool) {
	var lists, deeper [][]any
	object, _ := body.(map[string]any)
	for _, value := range object {
		switch value := value.(type) {
		case []any:
			lists = append(lists, value)
		case map[string]any:
			for _, inner := range value {
				if list, ok := inner.([]any); ok {
					deeper = append(deeper, list)
				}
			}
		}
	}
	if len(lists) == 0 {
		lists = deeper
	}
	if len(lists) != 1 {
		return nil, false
	}
	return lists[0], true
}

// hasList reports whether a response is a list, or has one.
func hasList(s *schema.Shape) bool {
	_, of := listIn(s)
	return of != nil
}

// listed is the shape of the entries of a list, or of the list in a response; nil if there is no
// such list.
func listed(s *schema.Shape) *schema.Shape {
	if _, of := listIn(s); of != nil {
		return of.Each
	}
	return s.Each
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
	if isArray(s) {
		return nil, s
	}
	var lists, deeper []described
	for _, p := range s.Properties {
		if isArray(p.Shape) {
			lists = append(lists, described{[]string{p.Name}, p.Shape})
		}
		for _, inner := range p.Shape.Properties {
			if isArray(inner.Shape) {
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
	return slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return idName.MatchString(p.Name) })
}

var idName = regexp.MustCompile(`^_?(?i:id|uuid|guid)$`)

func isArray(s *schema.Shape) bool { return len(s.Types) == 1 && s.Types[0] == "array" }
