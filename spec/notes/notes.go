// Package notes finds the flaws of a document that do not prevent reading it, and the parts that
// they affect.
//
// [Survey] follows every $ref and checks every schema once. This also reads the other files of the
// document. Package spec then adds the flaws that it finds, by [Notes.Add], and calls
// [Notes.Trace]. After that, [Notes.Touching] returns the note that affects a place, if any.
package notes

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

// Note is a flaw of a document that does not prevent reading it. The parts that it affects are not
// judged.
type Note struct {
	*flaw // with File, Line, Column, Pointer, Message and Excerpt

	// Operations are the ids of the operations that are not fully judged because of the flaw, in
	// the document's order.
	Operations []string

	harmless bool // nothing that is judged depends on it
}

// flaw has the fields of an error, without its methods.
type flaw document.Error

// Of makes a note of an error about a place in a document.
func Of(err *document.Error) *Note { return &Note{flaw: (*flaw)(err)} }

// Err returns the note as an error, a [*document.Error].
func (n *Note) Err() error { return (*document.Error)(n.flaw) }

// Sentence returns the note in one line, with its place.
func (n *Note) Sentence() string {
	text, _, _ := strings.Cut(n.Err().Error(), "\n")
	return text
}

// Touch says how a note affects a place.
type Touch struct {
	Note *Note

	// Inverted means that the document without the flawed part may forbid values that the whole
	// permits. If it is false, a value that breaks the rest also breaks the whole.
	Inverted bool
}

// Notes collects the notes of one document.
type Notes struct {
	list    []*Note
	known   map[document.Error]*Note
	holders map[string][]string // pointers to the objects with a $ref, by the pointer to its target
	touched map[string]Touch    // by the pointers to the places and all that contain them
}

// Add adds a flaw, unless it is known, and returns its note. The error should be a
// [*document.Error].
func (n *Notes) Add(err error) *Note { return n.add(err, false) }

// AddHarmless adds a flaw that affects nothing that is judged.
func (n *Notes) AddHarmless(err error) *Note { return n.add(err, true) }

func (n *Notes) add(err error, harmless bool) *Note {
	located, ok := errors.AsType[*document.Error](err)
	if !ok {
		located = &document.Error{Message: err.Error()}
	}
	key := document.Error{File: located.File, Line: located.Line, Column: located.Column, Message: located.Message}
	if known := n.known[key]; known != nil {
		return known
	}
	note := Of(located)
	note.harmless = harmless
	n.known[key] = note
	n.list = append(n.list, note)
	return note
}

// inverting matches the keywords below which a schema that permits more may make the whole permit
// less.
var inverting = regexp.MustCompile(`/(?:not|oneOf|if|contains)(?:/|$)`)

// Trace finds the places that each note affects: those that contain it, and those that refer to one
// of them. operations has the ids of operations by the pointers to their parts. Trace stops when
// the context ends.
func (n *Notes) Trace(ctx context.Context, operations map[string][]string) {
	for _, note := range n.list {
		if note.harmless || ctx.Err() != nil {
			continue
		}
		seen := map[string]bool{} // by pointer: whether it is inverted
		for open := []step{{note.Pointer, strings.HasPrefix(note.Message, selfIncluding)}}; len(open) > 0; {
			next := open[0]
			open = append(open[1:], n.upwards(note, next, operations, seen)...)
		}
	}
}

// step is a place that a note affects.
type step struct {
	pointer  string
	inverted bool
}

// upwards marks all places that contain a place, up to its operation. It returns the places that
// refer to one of them.
func (n *Notes) upwards(note *Note, from step, operations map[string][]string, seen map[string]bool) (holders []step) {
	for end := len(from.pointer); end > 0; end = strings.LastIndexByte(from.pointer[:end], '/') {
		at := step{from.pointer[:end], from.inverted || inverting.MatchString(from.pointer[end:])}
		if before, known := seen[at.pointer]; known && (before || !at.inverted) {
			return holders
		}
		seen[at.pointer] = at.inverted
		if known, ok := n.touched[at.pointer]; !ok || at.inverted && !known.Inverted {
			n.touched[at.pointer] = Touch{note, at.inverted}
		}
		for _, holder := range n.holders[at.pointer] {
			holders = append(holders, step{holder, at.inverted})
		}
		for _, id := range operations[at.pointer] {
			if !slices.Contains(note.Operations, id) {
				note.Operations = append(note.Operations, id)
			}
		}
		if operations[at.pointer] != nil {
			return holders
		}
	}
	return holders
}

// Touching returns the note that affects the place with that pointer. Its Note is nil if there is
// none.
func (n *Notes) Touching(pointer string) Touch { return n.touched[pointer] }

// All returns the notes, sorted by place.
func (n *Notes) All() []*Note {
	slices.SortStableFunc(n.list, func(a, b *Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return n.list
}

const selfIncluding = "the schema includes itself"

// surveyor visits the parts of a document.
type surveyor struct {
	*Notes
	ctx     context.Context //nolint:containedctx // of the one call that makes and uses the surveyor
	v30     bool
	visited map[*document.Node]bool
	schemas map[*document.Node]bool // true after include has followed all parts of the schema
	further []further
	steps   int
}

// further is the target of a $ref that is visited later.
type further struct {
	document.Place
	kind
}

// kind is the kind of value at a place.
type kind int

const (
	part    kind = iota // a part of OpenAPI
	names               // a mapping from names to parts
	aSchema             // a JSON Schema
	schemas             // a mapping from names to schemas
)

// Survey finds the flaws of a document's references and schemas. The error is that
// of the context.
func Survey(ctx context.Context, top document.Place) (*Notes, error) {
	s := &surveyor{
		Notes: &Notes{known: map[document.Error]*Note{}, holders: map[string][]string{}, touched: map[string]Touch{}},
		ctx:   ctx, v30: schema.Draft4(top.Node),
		visited: map[*document.Node]bool{}, schemas: map[*document.Node]bool{},
	}
	s.visit(top, part)
	for len(s.further) > 0 {
		next := s.further[0]
		s.further = s.further[1:]
		s.visit(next.Place, next.kind)
	}
	return s.Notes, ctx.Err()
}

// placesPerLook is the number of places that are visited between two checks of the context.
const placesPerLook = 1024

func (s *surveyor) visit(at document.Place, k kind) {
	if at.Kind != document.Object && at.Kind != document.Array && k != aSchema {
		return
	}
	if s.steps++; s.steps%placesPerLook == 0 && s.ctx.Err() != nil || s.visited[at.Node] {
		return
	}
	s.visited[at.Node] = true
	if k == aSchema {
		s.schema(at)
		return
	}
	if k == part && at.Get("$ref") != nil {
		s.reference(at, part)
	}
	for _, item := range at.List() {
		s.visit(item, map[kind]kind{schemas: aSchema}[k])
	}
	for _, m := range at.All() {
		inner, ok := k.below(m.Key)
		if ok && (inner == aSchema || m.Value.Kind == document.Object || m.Value.Kind == document.Array) {
			s.visit(at.To(m.Key), inner)
		}
	}
}

// below returns the kind of the value under a key. ok is false if OpenAPI gives it no meaning.
func (k kind) below(key string) (inner kind, ok bool) {
	switch {
	case k == names:
		return part, true
	case k == schemas, key == "schema":
		return aSchema, true
	case strings.HasPrefix(key, "x-"), slices.Contains([]string{"example", "examples", "default", "enum", "const"}, key):
		return part, false
	case key == "schemas", key == "definitions":
		return schemas, true
	case slices.Contains([]string{
		"paths", "webhooks", "pathItems", "responses", "content", "headers", "parameters", "requestBodies",
		"callbacks", "encoding", "links", "securitySchemes", "securityDefinitions", "scopes", "variables", "mapping",
	}, key):
		return names, true
	}
	return part, true
}

func (s *surveyor) reference(at document.Place, k kind) {
	if _, err := at.Resolve(); err != nil {
		s.Add(err)
		return
	}
	target, _ := at.Target()
	s.holders[target.Pointer] = append(s.holders[target.Pointer], at.Pointer)
	if !s.visited[target.Node] {
		s.further = append(s.further, further{target, k})
	}
}

func (s *surveyor) schema(at document.Place) {
	flaws, inner := schema.Inspect(at, s.v30)
	for _, f := range flaws {
		s.add(f.Place.Errorf("%s", f.Message), f.Harmless)
	}
	if at.Get("$ref") != nil && !slices.ContainsFunc(flaws, func(f schema.Flaw) bool { return strings.HasSuffix(f.Place.Pointer, "/$ref") }) {
		s.reference(at, aSchema)
	}
	s.include(at)
	for _, place := range inner {
		s.visit(place, aSchema)
	}
}

// include follows the parts of the schema at a place, to find a schema that includes itself. No
// value can be judged by such a schema.
func (s *surveyor) include(at document.Place) {
	left, entered := s.schemas[at.Node]
	if at.Node == nil || at.Kind != document.Object || left {
		return
	}
	if entered {
		s.Add(at.Errorf("%s, so that no value can be judged by it", selfIncluding))
		return
	}
	if _, err := at.Resolve(); err != nil {
		return // it is reported separately
	}
	s.schemas[at.Node] = false
	defer func() { s.schemas[at.Node] = true }()
	if ref := at.Get("$ref"); ref != nil {
		if target, err := at.Target(); err == nil {
			s.include(target)
		}
		if s.v30 {
			return
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, one := range at.To(key).List() {
			s.include(one)
		}
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		s.include(at.To(key))
	}
	dependent := at.To("dependentSchemas")
	for _, m := range dependent.All() {
		s.include(dependent.To(m.Key))
	}
}
