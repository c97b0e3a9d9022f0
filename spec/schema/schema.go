package schema

import (
	"slices"
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
	root    document.Place
	v30     bool // OpenAPI 3.0 and not 3.1
	mu      sync.Mutex
	schemas map[string]*Schema // by the JSON pointer to them

	compilers [Request + 1]*jsonschema.Compiler

	decides, hasBases bool // of discriminators, see decides and isBase
	families          map[*document.Node]map[string]document.Place
}

// NewSet makes the set of a document, whose version says which dialect its schemas
// are written in.
func NewSet(root *document.Node) *Set {
	s := &Set{root: document.Top(root), v30: Draft4(root), schemas: map[string]*Schema{}, decides: decides(root), hasBases: hasBases(root), families: map[*document.Node]map[string]document.Place{}}
	for d := range s.compilers {
		s.compilers[d] = newCompiler(dialect{root, s.v30, Direction(d)})
	}
	return s
}

// Draft4 reports whether the schemas of a document are of the older dialect: that of
// OpenAPI 3.0 and Swagger 2.0, and not that of OpenAPI 3.1.
func Draft4(root *document.Node) bool {
	version := root.Get("openapi").Text()
	return root.Get("swagger") != nil || version == "3.0" || strings.HasPrefix(version, "3.0.")
}

// Schema is one schema of a document. It is read-only.
type Schema struct {
	Place document.Place // without a node where the document gives no schema

	set      *Set
	once     sync.Once
	shape    *Shape // see Shape
	compiled [Request + 1]struct {
		*jsonschema.Schema
		err error
		ok  bool // it was tried
	}
}

// Shape says what values of the schema may look like. It is read when it is first
// asked for.
func (s *Schema) Shape() *Shape {
	s.once.Do(func() {
		s.shape = &Shape{Nodes: 1}
		if s.Place.Node != nil {
			s.shape = s.set.readShape(s.Place)
		}
	})
	return s.shape
}

// At is the schema at that place, or the one that allows anything where nothing
// stands there. A $ref that is nothing else is the schema that it means.
func (s *Set) At(at document.Place) *Schema {
	if at.Node == nil {
		return &Schema{}
	}
	if hops, err := at.Hops(); err == nil {
		last := len(hops) - 1
		at = hops[max(0, slices.IndexFunc(hops, func(hop document.Place) bool {
			return !s.v30 && len(hop.Members) > 1 || hop.Node == hops[last].Node
		}))]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.schemas[at.Pointer]
	if known == nil {
		known = &Schema{Place: at, set: s}
		s.schemas[at.Pointer] = known
	}
	return known
}

// Of is the schema of a property's value, as the first place that lists it has it.
func (s *Schema) Of(p *Property) *Schema { return s.At(p.At) }

// At is the schema at another place of the document.
func (s *Schema) At(at document.Place) *Schema { return s.set.At(at) }

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
		if c.Schema, c.err = s.set.compilers[d].Compile(resource(d, s.Place.Pointer)); c.err != nil {
			c.err = explainFlaw(s.Place, c.err)
		}
		c.ok = true
	}
	return c.err
}

// Faults judges a value that was read by package instance. They are in the order
// of their places; none says that the value meets the schema. An object of a base must also
// meet the schema that its discriminator names. A response need not where OpenAPI calls that a
// hint; a request is not judged by it then.
func (s *Schema) Faults(d Direction, value any) ([]Fault, error) {
	if err := s.Compile(d); err != nil || s.Place.Node == nil {
		return nil, err
	}
	faults := s.ownFaults(d, value)
	if s.set.hasBases {
		faults = s.withSubtypes(d, value, faults)
	}
	return faults, nil
}

// Meets reports whether a value has no faults. None meets a schema that cannot be judged by.
func (s *Schema) Meets(d Direction, value any) bool {
	faults, err := s.Faults(d, value)
	return err == nil && len(faults) == 0
}

// ownFaults are those of a schema that is compiled, without what discriminators decide.
func (s *Schema) ownFaults(d Direction, value any) []Fault {
	return faultsOf(s.compiled[d].Validate(value), faultTeller{shape: s.Shape(), value: value, direction: d, root: s.Place.Root()})
}

// IsAmbiguous reports whether a value without faults meets several alternatives of a oneOf,
// of which only a discriminator chooses one.
func (s *Schema) IsAmbiguous(d Direction, value any) bool {
	return s.Compile(d) == nil && s.Place.Node != nil && s.compiled[d].Validate(value) != nil
}
