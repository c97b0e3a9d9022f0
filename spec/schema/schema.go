package schema

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
)

// A Direction says whether a value is part of a response or of a request.
type Direction int

// The directions.
const (
	Response Direction = iota // from the service
	Request                   // to it
)

// A Set holds the schemas of one document. It is safe for concurrent use.
type Set struct {
	root    document.Place
	v30     bool // OpenAPI 3.0 or Swagger 2.0, not OpenAPI 3.1
	mu      sync.Mutex
	schemas map[string]*Schema // by JSON pointer

	compilers [Request + 1]*jsonschema.Compiler

	decides, hasBases bool // discriminators are binding (see decides); a component is a base (see isBase)
	families          map[*document.Node]map[string]document.Place
}

// NewSet returns the schemas of a document. The version of the document decides their dialect.
func NewSet(root *document.Node) *Set {
	components := slices.Concat(root.Get("components").Get("schemas").All(), root.Get("definitions").All())
	s := &Set{
		root: document.Top(root), v30: Draft4(root), schemas: map[string]*Schema{}, decides: decides(root),
		hasBases: slices.ContainsFunc(components, func(m *document.Member) bool { return isBase(m.Value) }),
		families: map[*document.Node]map[string]document.Place{},
	}
	for d := range s.compilers {
		s.compilers[d] = newCompiler(dialect{root, s.v30, Direction(d)})
	}
	return s
}

// Draft4 reports whether the schemas of a document use the older dialect: that of OpenAPI 3.0 and
// Swagger 2.0, not that of OpenAPI 3.1.
func Draft4(root *document.Node) bool {
	version := root.Get("openapi").Text()
	return root.Get("swagger") != nil || version == "3.0" || strings.HasPrefix(version, "3.0.")
}

// A Schema is one schema of a document. It is read-only.
type Schema struct {
	Place document.Place // its node is nil if the document gives no schema

	set      *Set
	once     sync.Once
	shape    *Shape // see Shape
	compiled [Request + 1]struct {
		*jsonschema.Schema
		err error
		ok  bool // compilation was tried
	}
}

// Shape returns what values of the schema may look like. The first call reads it.
func (s *Schema) Shape() *Shape {
	s.once.Do(func() {
		s.shape = &Shape{Nodes: 1}
		if s.Place.Node != nil {
			s.shape = s.set.readShape(s.Place)
		}
	})
	return s.shape
}

// At returns the schema at a place, or one that allows anything if the node of the place is nil. If
// a schema has nothing but a $ref, At returns the schema that it refers to.
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

// Of returns the schema of a property's value, from the first place that lists the property.
func (s *Schema) Of(p *Property) *Schema { return s.At(p.At) }

// At returns the schema at another place of the document.
func (s *Schema) At(at document.Place) *Schema { return s.set.At(at) }

// Compile prepares the schema to validate values of that direction. [Schema.Faults] calls it. The
// error names a place in the document and says why the schema cannot be used.
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

// Faults validates a value that package instance has read. It returns the faults in the order of
// their places, or none if the value meets the schema. An object of a base (see isBase) must also
// meet the schema that its discriminator names. Where OpenAPI calls the discriminator a hint, a
// response should meet that schema (see Should of [Fault]), and a request is not checked against
// it.
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

// Meets reports whether a value has no faults. It is false if the schema cannot be compiled.
func (s *Schema) Meets(d Direction, value any) bool {
	faults, err := s.Faults(d, value)
	return err == nil && len(faults) == 0
}

// ownFaults returns the faults of a compiled schema, without those that depend on discriminators.
func (s *Schema) ownFaults(d Direction, value any) []Fault {
	return faultsOf(s.compiled[d].Validate(value), faultTeller{shape: s.Shape(), value: value, direction: d, root: s.Place.Root()})
}

// IsAmbiguous reports whether a value without faults meets several alternatives of a oneOf. Only a
// discriminator chooses one of them.
func (s *Schema) IsAmbiguous(d Direction, value any) bool {
	return s.Compile(d) == nil && s.Place.Node != nil && s.compiled[d].Validate(value) != nil
}

// Work returns the maximum number of schemas that a value and its parts are validated against. If
// both alternatives of a schema contain the schema itself, each level of a value doubles the
// number.
func (s *Schema) Work(d Direction, value any) float64 {
	compiled, _ := s.Compiled(d)
	return counter{}.count(compiled, value)
}

// A counter holds the counts that are known. Objects and lists are distinguished by their address.
// All other values share one count.
type counter map[part]float64

type part struct {
	schema *jsonschema.Schema
	value  uintptr
}

func partOf(s *jsonschema.Schema, value any) part {
	key := part{schema: s}
	switch value.(type) {
	case map[string]any, []any:
		key.value = reflect.ValueOf(value).Pointer()
	}
	return key
}

func (c counter) count(s *jsonschema.Schema, value any) float64 {
	if s == nil {
		return 0
	}
	key := partOf(s, value)
	if n, known := c[key]; known {
		return n
	}
	c[key] = 1 // if the schema is reached from itself
	whole := slices.Concat([]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf)
	if s.DynamicRef != nil {
		whole = append(whole, s.DynamicRef.Ref)
	}
	n := 1 + c.all(value, slices.AppendSeq(whole, maps.Values(s.DependentSchemas))...)
	parts(s, value, func(of *jsonschema.Schema, _ string, inner any) { n += c.count(of, inner) })
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			n += c.count(s.UnevaluatedProperties, inner)
		}
	case []any:
		for _, item := range value {
			n += c.all(item, s.Contains, s.UnevaluatedItems)
		}
	}
	c[key] = n
	return n
}

// parts visits each part of a value, with each schema that it must meet and the step to it.
func parts(s *jsonschema.Schema, value any, visit func(of *jsonschema.Schema, step string, inner any)) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			visit(s.Properties[name], name, inner)
			for pattern, other := range s.PatternProperties {
				if pattern.MatchString(name) {
					visit(other, name, inner)
				}
			}
			if other, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && s.Properties[name] == nil {
				visit(other, name, inner)
			}
		}
	case []any:
		for i, item := range value {
			of := s.Items2020
			if i < len(s.PrefixItems) {
				of = s.PrefixItems[i]
			}
			visit(of, strconv.Itoa(i), item)
		}
	}
}

func (c counter) all(value any, schemas ...*jsonschema.Schema) (n float64) {
	for _, s := range schemas {
		n += c.count(s, value)
	}
	return n
}
