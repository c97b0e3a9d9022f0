package document

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Place is a value of a document and where it stands. Following a $ref leads to
// the place of what it means. A place whose Node is nil is one where nothing
// stands; the methods that lead on may be called on it.
type Place struct {
	*Node
	Pointer string // JSON pointer (RFC 6901) from the root
	root    *Node
}

// Top is the place of the document's root.
func Top(root *Node) Place { return Place{Node: root, root: root} }

// Root is the place of the root of the same document.
func (p Place) Root() Place { return Top(p.root) }

// To follows keys of objects.
func (p Place) To(keys ...string) Place {
	for _, key := range keys {
		p.Node, p.Pointer = p.Node.Get(key), p.Pointer+"/"+EscapePointer(key)
	}
	return p
}

// Follow follows a JSON pointer from here; Node is nil where it leads nowhere.
func (p Place) Follow(pointer string) Place {
	p.Node, p.Pointer = p.At(pointer), p.Pointer+pointer
	return p
}

// List are the items of an array; none where there is no array.
func (p Place) List() []Place {
	if p.Node == nil {
		return nil
	}
	items := make([]Place, len(p.Items))
	for i, item := range p.Items {
		items[i] = Place{item, fmt.Sprintf("%s/%d", p.Pointer, i), p.root}
	}
	return items
}

// Mapping is an [Error] where something stands here that is no object. name is
// what it is called in the error.
func (p Place) Mapping(name string) error {
	if p.Node == nil || p.Kind == Object {
		return nil
	}
	return p.Errorf("%s must be a mapping, found %s", name, p.Kind)
}

// Resolve follows $ref until there is none.
func (p Place) Resolve() (Place, error) {
	const maxHops = 100
	start := p
	for range maxHops {
		if p.Get("$ref") == nil {
			return p, nil
		}
		next, err := p.Target()
		if err != nil {
			return p, err
		}
		p = next
	}
	return p, start.Errorf("$ref goes round in a circle")
}

// Target is what the $ref means that stands here. Only references into the
// document itself are followed.
func (p Place) Target() (Place, error) {
	ref := p.To("$ref")
	if ref.Kind != String {
		return p, ref.Errorf("$ref must be a string, found %s", ref.Kind)
	}
	target, err := p.Root().Refer(ref.Text())
	if err != nil {
		return p, ref.Errorf("$ref %q %s", ref.Literal, err)
	}
	return target, nil
}

// Refer is the place in the document that a URI reference means (RFC 6901 §6): by a
// JSON pointer, or by the $anchor of a schema (JSON Schema 2020-12 §8.2.2). The
// error is a predicate of the reference.
func (p Place) Refer(uri string) (Place, error) {
	fragment, ok := strings.CutPrefix(uri, "#")
	if !ok {
		return p, errors.New("leaves the document; bundle the contract into one file first")
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return p, fmt.Errorf("is not a URI: %w", err)
	}
	target := p.Root().Follow(pointer)
	if pointer != "" && pointer[0] != '/' {
		target = p.Root().anchored(pointer)
	}
	if target.Node == nil {
		return p, errors.New("points to nothing")
	}
	return target, nil
}

// anchored is the first place below this one that has an anchor of that name.
func (p Place) anchored(name string) Place {
	if p.Get("$anchor").Text() == name || p.Get("$dynamicAnchor").Text() == name {
		return p
	}
	inner := p.List()
	for _, m := range p.All() {
		switch m.Key {
		case "example", "examples", "default", "enum", "const": // instances
		default:
			inner = append(inner, p.To(m.Key))
		}
	}
	for _, at := range inner {
		if found := at.anchored(name); found.Node != nil {
			return found
		}
	}
	return Place{root: p.root}
}
