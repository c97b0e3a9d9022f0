package generate

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/schema"
)

// What bounds the search for one value. The work is counted in values made and
// validated and not in time, so that the same document gives the same values on
// any machine.
const (
	maxWork  = 10_000
	maxViews = 48  // combinations of branches that are tried for one value
	maxDepth = 16  // of nested values
	maxRoom  = 400 // values inside one value, beyond what is required
)

// NoValueError says that no value of a schema was found within the tries.
type NoValueError struct{ Schema string } // JSON pointer

func (e *NoValueError) Error() string {
	return fmt.Sprintf("no value of the schema %s was found; its limits may contradict each other", e.Schema)
}

// Draw makes a value of a schema from the answers of a tape. The compiled schema
// has accepted it. The error is a [*NoValueError], or says why the schema cannot be
// compiled.
func Draw(s *schema.Schema, d schema.Direction, t Tape) (value any, err error) {
	compiled, err := s.Compiled(d)
	if err != nil {
		return nil, fmt.Errorf("no value can be drawn: %w", err)
	}
	made := draw(s, d, compiled, func(c choice) int { return t.Choose(c.n) })
	if made == nil {
		return nil, &NoValueError{s.Place.Pointer}
	}
	return made.value, nil
}

// draw makes a value of the compiled schema, or nil. First it trusts that values of
// the parts make a value of the whole. If they do not, it checks each step, and at
// last it tries with all that is optional.
func draw(s *schema.Schema, d schema.Direction, compiled *jsonschema.Schema, choose func(choice) int) *made {
	m := &maker{schema: s, direction: d, choose: choose}
	var top conjunction
	if compiled != nil {
		top = conjunction{compiled}
	}
	attempt := func() *made {
		m.work, m.active = maxWork, map[*jsonschema.Schema]int{}
		if one := m.make(nil, top, nil, maxRoom); one != nil && top.met(one.value) {
			return one
		}
		return nil
	}
	one := attempt()
	if one == nil {
		m.careful = true
		one = attempt()
	}
	if one == nil {
		m.choose = full(nil)
		one = attempt()
	}
	return one
}

// maker makes values.
type maker struct {
	schema    *schema.Schema
	direction schema.Direction
	choose    func(choice) int
	careful   bool // each value is validated as soon as it is made
	work      int  // that is left
	salt      int  // makes the items of a list differ
	active    map[*jsonschema.Schema]int
}

// choice is one decision, for those who plan.
type choice struct {
	kind string // "branch", "optional", "items", "value", "detail"
	path []string
	fork fork // of "branch"
	want int  // of "items", how many more are needed so that the list shows what it holds
	n    int
}

// made is a value, how it was made, and the values in it.
type made struct {
	path  []string
	value any
	conjunction
	view *view
	kids []*made // of an object in the order of their names
}

// all gives a value and those in it, outer ones first.
func (m *made) all() iter.Seq[*made] {
	return func(yield func(*made) bool) {
		for level := []*made{m}; len(level) > 0; {
			var next []*made
			for _, one := range level {
				if !yield(one) {
					return
				}
				next = append(next, one.kids...)
			}
			level = next
		}
	}
}

// make makes a value of a conjunction, or nil. The examples are those that the
// document gives for it further up. Room is for how many values in it.
func (m *maker) make(path []string, c conjunction, examples []any, room int) *made {
	if len(path) > maxDepth {
		return nil
	}
	for _, s := range c {
		m.active[resolved(s)]++
		defer func() { m.active[resolved(s)]-- }()
	}
	for v := range m.views(path, c) {
		if m.work--; m.work < 0 {
			return nil
		}
		if v.never {
			continue
		}
		if one := m.fill(path, c, v, examples, room); one != nil && (!m.careful || m.meets(c, one)) {
			return one
		}
	}
	return nil
}

// meets validates a value that was made, which is work, too.
func (m *maker) meets(c conjunction, one *made) bool {
	for range one.all() {
		m.work--
	}
	return c.met(one.value)
}

// views gives the view that the choices lead to, and then those that other branches
// lead to: first all that differ in one fork, then in two, and so on.
func (m *maker) views(path []string, c conjunction) iter.Seq[*view] {
	return func(yield func(*view) bool) {
		type plan struct {
			answers []int
			from    int // the forks before are not changed any more
		}
		plans := []plan{{}}
		for tried := 0; len(plans) > 0 && tried < maxViews; tried++ {
			p := plans[0]
			plans = plans[1:]
			asked := 0
			v := m.newView(c, func(f fork) int {
				asked++
				if asked <= len(p.answers) {
					return p.answers[asked-1]
				}
				return m.choose(choice{kind: "branch", path: path, fork: f, n: len(f.branches)})
			})
			if !yield(v) {
				return
			}
			answers := make([]int, len(v.forks))
			for i, f := range v.forks {
				answers[i] = f.chosen
			}
			for i := p.from; i < len(v.forks) && len(plans) < maxViews; i++ {
				for other := range v.forks[i].branches {
					if other != answers[i] {
						plans = append(plans, plan{append(slices.Clone(answers[:i]), other), i + 1})
					}
				}
			}
		}
	}
}

// fill makes a value of a view.
func (m *maker) fill(path []string, c conjunction, v *view, examples []any, room int) *made {
	examples = append(m.examples(v), examples...)
	one := &made{path: path, conjunction: c, view: v}
	if values, listed := v.values(); listed {
		return m.first(one, m.rotated(values))
	}
	types := v.types()
	if len(types) > 1 && types[0] != "null" {
		// A choice among types is one of values, and most schemas have just one.
		at := m.choose(choice{kind: "value", path: path, n: len(types)})
		types = append([]string{types[at]}, slices.Delete(slices.Clone(types), at, at+1)...)
	}
	for _, t := range types {
		var ok bool
		switch t {
		case "object":
			ok = m.object(one, examples, room)
		case "array":
			ok = m.list(one, examples, room)
		default:
			ok = m.scalar(one, t, examples)
		}
		if ok {
			return one
		}
	}
	return m.first(one, examples)
}

// first is the value with the first of the candidates that meets its schemas.
func (m *maker) first(one *made, candidates []any) *made {
	for _, one.value = range candidates {
		if text, ok := one.value.(string); ok {
			const read = 100 // characters, which are as much work as a value
			m.work -= len(text) / read
		}
		if m.work--; m.work < 0 {
			return nil
		}
		if one.met(one.value) {
			one.kids = nil
			return one
		}
	}
	return nil
}

// rotated begins with the candidate that is chosen.
func (m *maker) rotated(candidates []any) []any {
	if len(candidates) < 2 {
		return candidates
	}
	at := (m.choose(choice{kind: "value", n: len(candidates)}) + m.salt) % len(candidates)
	return append(slices.Clone(candidates[at:]), candidates[:at]...)
}

// examples are those that the document gives for a view.
func (m *maker) examples(v *view) (examples []any) {
	for _, s := range v.parts {
		at := m.schema.Source(s)
		if n := at.Get("example"); n != nil {
			examples = append(examples, n.Value())
		}
		for _, item := range at.To("examples").List() {
			examples = append(examples, item.Value())
		}
		if n := at.Get("default"); n != nil {
			examples = append(examples, n.Value())
		}
	}
	return examples
}

// carried says whether values of the direction have a property.
func (m *maker) carried(c conjunction) bool {
	keyword := "readOnly"
	if m.direction == schema.Response {
		keyword = "writeOnly"
	}
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool {
		at := m.schema.Source(s)
		target, _ := at.Resolve() // what cannot be resolved cannot be compiled either
		return at.Get(keyword).True() || target.Get(keyword).True()
	})
}

// within says whether one of the schemas is on the way down already.
func (m *maker) within(c conjunction) bool {
	return slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return m.active[resolved(s)] > 0 && s.Bool == nil })
}

// below is a new path one step down.
func below(path []string, step string) []string { return append(slices.Clip(path), step) }

// sortedKeys are the keys of a map in alphabetical order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
