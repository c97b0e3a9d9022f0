package notes

import (
	"context"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

const (
	part    kind = iota // a part of OpenAPI
	names               // a mapping from names to parts
	aSchema             // a JSON Schema
	schemas             // a mapping from names to schemas
)

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
