package generate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// Limits on the search for one value. Work is counted in values made and validated, not in time, so
// that the same document gives the same values on any machine.
const (
	maxWork  = 10_000
	maxViews = 48  // combinations of branches that are tried for one value
	maxDepth = 16  // of nested values
	maxRoom  = 400 // values inside one value, beyond what is required
)

// A NoValueError says that no value of a schema was found within the limits of the search.
type NoValueError struct{ Schema string } // JSON pointer

func (e *NoValueError) Error() string {
	return fmt.Sprintf("no value of the schema %s was found; its limits may contradict each other", e.Schema)
}

// Draw makes a value of a schema from the answers of a tape. The compiled schema accepts it. The
// error is a [*NoValueError], or says why the schema cannot be compiled.
func Draw(s *schema.Schema, d schema.Direction, t Tape) (value any, err error) {
	return valueOf(drawn(s, d, t, false))
}

func valueOf(_ *subject, one *made, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return one.value, nil
}

// drawn returns the value that a tape makes, and its subject. A search spells texts. If the
// document gives no schema, a search returns an error, because there is nothing to look for.
func drawn(s *schema.Schema, d schema.Direction, t Tape, isSearch bool) (*subject, *made, error) {
	of, err := newSubject(s, d)
	if err != nil {
		return nil, nil, fmt.Errorf("no value can be drawn: %w", err)
	}
	of.letters = isSearch
	one := of.draw(func(c choice) int {
		if r, ok := t.(*Recorder); ok {
			return r.choose(instance.Pointer(c.path), c.n)
		}
		return t.Choose(c.n)
	})
	if one == nil || isSearch && of.compiled == nil {
		return nil, nil, &NoValueError{s.Place.Pointer}
	}
	return of, one, nil
}

// A subject is the schema that values are made from.
type subject struct {
	schema    *schema.Schema
	direction schema.Direction
	compiled  *jsonschema.Schema // nil allows anything
	sources   map[*jsonschema.Schema]document.Place
	inherited map[*jsonschema.Schema][]branch // see subtypes
	apart     [][]string                      // paths of optional properties that are left out if possible
	must      []string                        // the path of an optional property that the value must have
	letters   bool                            // free texts are spelled, and the plainest one is the shortest
}

// newSubject compiles a schema. The error says why it cannot be compiled.
func newSubject(s *schema.Schema, d schema.Direction) (*subject, error) {
	compiled, err := s.Compiled(d)
	if err != nil {
		return nil, err
	}
	return &subject{schema: s, direction: d, compiled: compiled, sources: map[*jsonschema.Schema]document.Place{}, inherited: map[*jsonschema.Schema][]branch{}}, nil
}

// source returns the place of a part of the schema in the document.
func (s *subject) source(part *jsonschema.Schema) document.Place {
	at, known := s.sources[part]
	if !known {
		at = s.schema.Source(part)
		s.sources[part] = at
	}
	return at
}

func (s *subject) root() document.Place {
	if s.schema.Place.Node == nil { // the document gives no schema
		return document.Place{}
	}
	return s.schema.Place.Root()
}

func (s *subject) maker(choose func(choice) int) *maker {
	return &maker{subject: s, choose: choose, work: maxWork, active: map[*jsonschema.Schema]int{}}
}

// draw makes a value of the schema, or returns nil. First it assumes that valid parts make a valid
// whole. If they do not, it validates each step. At last it tries with all optional properties.
func (s *subject) draw(choose func(choice) int) *made {
	var top conjunction
	if s.compiled != nil {
		top = conjunction{s.compiled}
	}
	for attempt := range 3 {
		m := s.maker(choose)
		m.careful = attempt > 0
		if attempt > 1 {
			m.choose = full(nil)
		}
		if one := m.make(nil, top, nil, maxRoom); one != nil && top.met(one.value, s.root()) {
			return one
		}
	}
	return nil
}

// maker makes values.
type maker struct {
	*subject
	choose  func(choice) int
	careful bool // each value is validated as soon as it is made
	work    int  // what is left
	salt    int  // makes the items of a list differ

	keepsExamples bool // examples may repeat, because items may be equal

	active map[*jsonschema.Schema]int
	around conjunction // of the innermost object that is being made
}

// A choice is one decision for a plan or a tape.
type choice struct {
	kind string // "branch", "optional", "items", "value", "detail"
	path []string
	fork fork // of "branch"
	want int  // of "items": how many more items show each kind of item
	n    int
}

// made is a value, how it was made, and the values inside it.
type made struct {
	path  []string
	value any
	conjunction
	view *view
	kids []*made // of an object in alphabetical order

	isTag     bool // it is the discriminator property of the object around it
	truncated bool // there was no room for its optional parts
}

// all returns a value and the values inside it, outer ones first.
func (m *made) all() []*made {
	list := []*made{m}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].kids...)
	}
	return list
}

// make makes a value that meets a conjunction, or returns nil. examples are those that the document
// gives for the value further up. room bounds how many values may be inside it.
func (m *maker) make(path []string, c conjunction, examples []any, room int) *made {
	if len(path) > maxDepth {
		return nil
	}
	m.enter(c, 1)
	defer m.enter(c, -1)
	// The view of the choices comes first. Then come the views with other branches: all that differ
	// in one fork, then in two, and so on.
	plans := []viewPlan{{}}
	for tried := 0; len(plans) > 0 && tried < maxViews; tried++ {
		p, asked := plans[0], 0
		v := m.newView(c, func(f fork) int {
			if asked++; asked <= len(p.answers) {
				return p.answers[asked-1]
			}
			return m.choose(choice{kind: "branch", path: path, fork: f, n: len(f.branches)})
		})
		if m.work--; m.work < 0 {
			return nil
		}
		if !v.never {
			if one := m.fill(path, c, v, examples, room); one != nil && (!m.careful || m.meets(c, one)) {
				return one
			}
		}
		plans = append(plans[1:], p.neighbours(v)...)
	}
	return nil
}

// meets validates a value that was made. Validation counts as work, too.
func (m *maker) meets(c conjunction, one *made) bool {
	m.work -= len(one.all())
	return c.met(one.value, m.root())
}

// enter adds by, which is 1 or -1, to the number of values that are being made of each schema.
func (m *maker) enter(c conjunction, by int) {
	for _, s := range c {
		m.active[resolved(s)] += by
	}
}

// A viewPlan holds the answers at the first forks of a view. The answers before from are already
// changed.
type viewPlan struct {
	answers []int
	from    int
}

// neighbours returns the plans that differ from the choices of a view in one further fork.
func (p viewPlan) neighbours(v *view) (plans []viewPlan) {
	answers := lists.Map(v.forks, func(f fork) int { return f.chosen })
	for i := p.from; i < len(v.forks) && len(plans) < maxViews; i++ {
		for other := range v.forks[i].branches {
			if other != answers[i] {
				plans = append(plans, viewPlan{append(slices.Clone(answers[:i]), other), i + 1})
			}
		}
	}
	return plans
}

func (m *maker) fill(path []string, c conjunction, v *view, examples []any, room int) *made {
	examples = append(m.examples(v), examples...)
	one := &made{path: path, conjunction: c, view: v}
	if values, listed := v.values(); listed {
		return m.first(one, m.rotated(path, values))
	}
	types := v.types()
	if len(types) > 1 && types[0] != "null" {
		// A type is chosen like a value. Most schemas have only one type.
		at := m.choose(choice{kind: "value", path: path, n: len(types)})
		types = append([]string{types[at]}, slices.Delete(slices.Clone(types), at, at+1)...)
	}
	for _, t := range types {
		var ok bool
		switch t {
		case "object":
			outer := m.around
			m.around = c
			ok = m.object(one, ofType[map[string]any](examples), room)
			m.around = outer
		case "array":
			ok = m.list(one, ofType[[]any](examples), room)
		default:
			ok = m.scalar(one, t, examples)
		}
		if ok {
			return one
		}
	}
	return m.first(one, examples)
}

// first returns the value with the first candidate that meets its schemas, or nil.
func (m *maker) first(one *made, candidates []any) *made {
	for _, one.value = range candidates {
		if text, ok := one.value.(string); ok {
			const read = 100 // characters that count as much work as a value
			m.work -= len(text) / read
		}
		if m.work--; m.work < 0 {
			return nil
		}
		if one.met(one.value, m.root()) {
			one.kids = nil
			return one
		}
	}
	return nil
}

// rotated returns the candidates, beginning with the one that is chosen.
func (m *maker) rotated(path []string, candidates []any) []any {
	if len(candidates) < 2 {
		return candidates
	}
	at := (m.choose(choice{kind: "value", path: path, n: len(candidates)}) + m.salt) % len(candidates)
	return append(slices.Clone(candidates[at:]), candidates[:at]...)
}

// examples returns the examples and defaults that the document gives for a view.
func (m *maker) examples(v *view) (examples []any) {
	for _, s := range v.parts {
		at := m.source(s)
		examples = append(examples, examplesOf(at)...)
		if n := at.Get("default"); n != nil {
			examples = append(examples, n.Value())
		}
	}
	return examples
}

// examplesOf returns the examples of the schema at a place.
func examplesOf(at document.Place) (examples []any) {
	if n := at.Get("example"); n != nil {
		examples = append(examples, n.Value())
	}
	return append(examples, lists.Map(at.To("examples").List(), document.Place.Value)...)
}

// carried reports whether values of the direction have a property with these schemas.
func (m *maker) carried(c conjunction) bool {
	keyword := "readOnly"
	if m.direction == schema.Response {
		keyword = "writeOnly"
	}
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool {
		return schema.Says(m.source(s), keyword, false)
	})
}

// within reports whether a value around this one already has one of the schemas. A recursive object
// is nested once.
func (m *maker) within(c conjunction) bool {
	return slices.ContainsFunc(c, func(s *jsonschema.Schema) bool {
		s = resolved(s)
		allowed := 0
		if slices.ContainsFunc(m.around, func(outer *jsonschema.Schema) bool { return resolved(outer) == s }) {
			allowed = 1
		}
		return m.active[s] > allowed && s.Bool == nil
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
