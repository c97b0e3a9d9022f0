package document

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is a value of a document and its position. Following a $ref leads to the place of its
// target. If Node is nil, there is no value at the place. Methods that lead to other places may
// still be called.
type Place struct {
	*Node

	// Pointer is a JSON pointer (RFC 6901) from the root of the document. In another file of the
	// document, it begins with the name of that file and a number sign.
	Pointer string

	root *Node
}

// Top returns the place of the root of a file.
func Top(root *Node) Place { return Place{Node: root, Pointer: root.source.prefix, root: root} }

// Root returns the place of the root of the same file.
func (p Place) Root() Place { return Top(p.root) }

// Errorf returns an [Error] about the value at this place.
func (p Place) Errorf(format string, args ...any) error {
	e := p.source.error(p.Line, p.Column, fmt.Sprintf(format, args...))
	e.Pointer = p.Pointer
	return e
}

// KeyErrorf returns an [Error] about a key of the object at this place.
func (p Place) KeyErrorf(m *Member, format string, args ...any) error {
	e := p.source.error(m.Line, m.Column, fmt.Sprintf(format, args...))
	e.Pointer = p.Pointer + "/" + EscapePointer(m.Key)
	return e
}

// To follows keys of objects from this place.
func (p Place) To(keys ...string) Place {
	for _, key := range keys {
		if p.Node = p.Node.Get(key); p.Node == nil {
			return Place{root: p.root}
		}
		p.Pointer += "/" + EscapePointer(key)
	}
	return p
}

// Follow returns the place at a JSON pointer from here, or at the Pointer of a place in any file of
// the document. Node is nil if there is no value.
func (p Place) Follow(pointer string) Place {
	if prefix, within, ok := strings.Cut(pointer, "#"); ok && pointer[0] != '/' {
		if p = p.Root(); p.source.bundle == nil || p.source.bundle.roots[prefix] == nil {
			return Place{root: p.root, Pointer: pointer}
		}
		p, pointer = Top(p.source.bundle.roots[prefix]), within
	}
	p.Node, p.Pointer = p.At(pointer), p.Pointer+pointer
	return p
}

// List returns the items of an array, and none for other values.
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

// Mapping is Resolve for a place that must have an object. The error uses name for it.
func (p Place) Mapping(name string) (Place, error) {
	meant, err := p.Resolve()
	if err == nil && meant.Node != nil && meant.Kind != Object {
		err = meant.Errorf("%s must be a mapping, found %s", name, meant.Kind)
	}
	return meant, err
}

// Resolve follows each $ref to the first value without one.
func (p Place) Resolve() (Place, error) {
	hops, err := p.Hops()
	return hops[len(hops)-1], err
}

// Hops returns this place and each place that a $ref leads to, up to the first without a $ref. If
// there is an error, it returns the places before it.
func (p Place) Hops() ([]Place, error) {
	const most = 100
	hops := []Place{p}
	for last := p; last.Get("$ref") != nil; hops = append(hops, last) {
		if len(hops) > most {
			return hops, p.Errorf("$ref goes round in a circle")
		}
		next, err := last.Target()
		if err != nil {
			return hops, err
		}
		last = next
	}
	return hops, nil
}

// Target returns the target of the $ref at this place.
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

// Refer returns the place that a URI reference means (RFC 6901 §6): by a JSON pointer, or by the
// $anchor of a schema (JSON Schema 2020-12 §8.2.2), in this file or another. The error is a
// predicate whose subject is the reference.
func (p Place) Refer(uri string) (Place, error) {
	name, fragment, _ := strings.Cut(uri, "#")
	root := p.Root()
	if name != "" {
		other, err := root.source.other(name)
		if err != nil {
			return p, err
		}
		root = Top(other)
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return p, fmt.Errorf("is not a URI: %w", err)
	}
	target := root
	switch {
	case pointer == "":
	case pointer[0] == '/':
		target = root.Follow(pointer)
	default:
		target = root.anchored(pointer)
	}
	if target.Node == nil {
		return p, errors.New("points to nothing")
	}
	return target, nil
}

// anchored returns the first place of the file with that anchor.
func (p Place) anchored(name string) Place {
	s := p.source
	s.anchoring.Do(func() {
		s.anchors = map[string]Place{}
		p.Root().collect(s.anchors)
	})
	if at, ok := s.anchors[name]; ok {
		return at
	}
	return Place{root: p.root}
}

// collect adds the anchors at this place and below it.
func (p Place) collect(anchors map[string]Place) {
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if name := p.Get(key).Text(); name != "" && anchors[name].Node == nil {
			anchors[name] = p
		}
	}
	for _, item := range p.List() {
		item.collect(anchors)
	}
	for _, m := range p.All() {
		if isInstance := slices.Contains([]string{"example", "examples", "default", "enum", "const"}, m.Key); !isInstance {
			p.To(m.Key).collect(anchors)
		}
	}
}

// Error is an error about one place in a document. Its text is "file:line:column: message",
// followed by the line itself with a caret.
type Error struct {
	File         string
	Line, Column int    // both count from 1; 0 if the place is unknown
	Pointer      string // of the value, as in [Place]; "" if it is unknown
	Message      string
	Hint         string // how to correct it; follows the message
	Excerpt      string // the source line, without its line break
}

// Error returns file, line, column, message and hint, and the excerpt below them.
func (e *Error) Error() string {
	text := e.Message
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, text)
	}
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, text)
	if e.Excerpt == "" {
		return head
	}
	number := fmt.Sprintf("%5d | ", e.Line)
	// For a column beyond the excerpt, the caret is at the end of the excerpt.
	column := min(max(e.Column, 1), utf8.RuneCountInString(e.Excerpt)+1)
	indent := strings.Repeat(" ", len(number)+column-1)
	return head + "\n" + number + e.Excerpt + "\n" + indent + "^"
}

func (s *source) error(line, column int, message string) *Error {
	const width = 160 // so that the excerpt of a minified file stays readable
	text := s.line(line)
	n := 0
	for at := range text {
		if n++; n > width {
			text = text[:at] + "…"
			break
		}
	}
	printable := func(r rune) rune { // keeps the columns in place and a terminal safe
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}
	return &Error{File: s.file, Line: line, Column: column, Message: message, Excerpt: strings.Map(printable, text)}
}
