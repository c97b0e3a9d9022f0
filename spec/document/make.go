package document

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// MakeObject makes an object with the position of this place, for a translated document.
func (p Place) MakeObject(members ...*Member) *Node {
	n := p.make(Object, "")
	for _, m := range members {
		n.add(m)
	}
	return n
}

// MakeList makes a list with the position of this place.
func (p Place) MakeList(items ...*Node) *Node {
	n := p.make(Array, "")
	n.Items = items
	return n
}

// MakeText makes a string with the position of this place.
func (p Place) MakeText(text string) *Node { return p.make(String, text) }

// MakeBool makes a boolean with the position of this place.
func (p Place) MakeBool(value bool) *Node { return p.make(Bool, strconv.FormatBool(value)) }

func (p Place) make(k Kind, literal string) *Node {
	return &Node{Kind: k, Literal: literal, Line: p.Line, Column: p.Column, source: p.source, origin: p.Pointer}
}

// Rewrite returns a copy of the value. key converts each key. scalar converts a copy of each value
// that is neither an object nor a list. top is the key of the member of n that contains it. Either
// may be nil.
func (n *Node) Rewrite(key func(string) string, scalar func(n *Node, top string) (*Node, error)) (*Node, error) {
	return n.rewrite(key, scalar, "")
}

func (n *Node) rewrite(key func(string) string, scalar func(*Node, string) (*Node, error), top string) (*Node, error) {
	another := *n
	another.Items, another.Members, another.byKey = slices.Grow([]*Node(nil), len(n.Items)), slices.Grow([]*Member(nil), len(n.Members)), nil
	if n.Kind != Object && n.Kind != Array {
		if scalar == nil {
			return &another, nil
		}
		return scalar(&another, top)
	}
	for _, item := range n.Items {
		one, err := item.rewrite(key, scalar, top)
		if err != nil {
			return nil, err
		}
		another.Items = append(another.Items, one)
	}
	for _, m := range n.Members {
		member := *m
		if key != nil {
			member.Key = key(m.Key)
		}
		var err error
		if member.Value, err = m.Value.rewrite(key, scalar, cmp.Or(top, m.Key)); err != nil {
			return nil, err
		}
		another.Members = append(another.Members, &member)
	}
	return &another, nil
}

// Move returns the value at this place as a member of another object, and keeps its origin.
func (p Place) Move(key string) *Member {
	p.Node.origin = p.Pointer
	return p.As(key, p.Node)
}

// As returns a made value as a member of an object. Its key has the position of this place.
func (p Place) As(key string, value *Node) *Member {
	return &Member{Key: key, Value: value, Line: p.Line, Column: p.Column}
}

// Translated makes the root of a translated document. It replaces the root that the parts were made
// from.
func Translated(root *Node, members ...*Member) *Node {
	top := Top(root)
	n := top.MakeObject(members...)
	s := root.source
	s.root, s.translated = n, true
	if s.bundle != nil {
		s.bundle.read[s.path] = n
	}
	return n
}

// Origin returns the pointer to the place in the original document, before translation.
func (p Place) Origin() string {
	if !p.root.source.translated {
		return p.Pointer
	}
	at, origin, rest := p.root, "", p.Pointer
	for end := 0; end < len(p.Pointer) && at != nil; {
		from := end + 1
		if end = strings.IndexByte(p.Pointer[from:], '/') + from; end < from {
			end = len(p.Pointer)
		}
		if at = at.step(p.Pointer[from:end]); at != nil && at.origin != "" {
			origin, rest = at.origin, p.Pointer[end:]
		}
	}
	return origin + rest
}
