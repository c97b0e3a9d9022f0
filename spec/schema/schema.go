package schema

import (
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
)

// Direction says on which way a value is that is judged.
type Direction int

// The directions.
const (
	Response Direction = iota // from the service
	Request                   // to it
)

// Set are the schemas of one document. It may be used by several at a time.
type Set struct {
	root    *document.Node
	v30     bool // OpenAPI 3.0 and not 3.1
	mu      sync.Mutex
	schemas map[string]*Schema // by the JSON pointer to them

	compilers [Request + 1]*jsonschema.Compiler
}

// NewSet makes the set of a document, whose key openapi says which dialect its
// schemas are written in.
func NewSet(root *document.Node) *Set {
	version := root.Get("openapi").Text()
	s := &Set{root: root, v30: version == "3.0" || strings.HasPrefix(version, "3.0."), schemas: map[string]*Schema{}}
	for d := range s.compilers {
		s.compilers[d] = newCompiler(dialect{root, s.v30, Direction(d)})
	}
	return s
}

// Schema is one schema of a document. It is read-only.
type Schema struct {
	*Shape
	Place    document.Place   // without a node where the document gives no schema
	Includes []document.Place // every schema that a value must meet as a whole: this, what it refers to, members of allOf
	Nodes    int              // of the shape, see Shape.Index

	// Recursive says that values may be nested without limit, as far as is known.
	Recursive bool

	set      *Set
	compiled [Request + 1]struct {
		*jsonschema.Schema
		err error
		ok  bool // it was tried
	}
}

// At is the schema at that place, or the one that allows anything where nothing
// stands there. A $ref that is nothing else is the schema that it means.
//
// The error, about a place in the document, says why no shape can be read.
func (s *Set) At(at document.Place) (*Schema, error) {
	if at.Node == nil {
		return &Schema{Shape: &Shape{}, Nodes: 1}, nil
	}
	if s.v30 || len(at.Members) == 1 {
		var err error
		if at, err = at.Resolve(); err != nil {
			return nil, err //nolint:wrapcheck // it names the place
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.schemas[at.Pointer]; known != nil {
		return known, nil
	}
	shape, recursive, err := readShape(at, s.v30)
	if err != nil {
		return nil, err
	}
	schema := &Schema{Shape: shape, Place: at, Includes: shape.schemas, Recursive: recursive, set: s}
	schema.Nodes = shape.number(0)
	s.schemas[at.Pointer] = schema
	return schema, nil
}

// Of is the schema of a property's value, as the first place that lists it has it;
// one that allows anything where that cannot be read.
func (s *Schema) Of(p *Property) *Schema {
	of, err := s.set.At(p.At)
	if err != nil {
		return &Schema{Shape: &Shape{}, Nodes: 1}
	}
	return of
}

// Compile makes the schema ready to judge values of that direction, which
// [Schema.Faults] does by itself. The error, about a place in the document, says
// why it cannot be judged by.
func (s *Schema) Compile(d Direction) error {
	if s.Place.Node == nil {
		return nil
	}
	s.set.mu.Lock()
	defer s.set.mu.Unlock()
	c := &s.compiled[d]
	if !c.ok {
		c.Schema, c.err = compile(s.set.compilers[d], d, s.Place)
		c.ok = true
	}
	return c.err
}

// Faults judges a value that was read by package instance. They are in the order
// of their places; none says that the value meets the schema.
func (s *Schema) Faults(d Direction, value any) ([]Fault, error) {
	if err := s.Compile(d); err != nil || s.Place.Node == nil {
		return nil, err
	}
	return faultsOf(s.compiled[d].Validate(value), faultTeller{shape: s.Shape, value: value, direction: d}), nil
}
