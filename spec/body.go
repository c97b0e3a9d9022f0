package spec

import (
	"slices"
	"strconv"
)

// jsonBody judges a body that must be one JSON value of a schema.
func (c *check) jsonBody(declared *response, media *mediaContent) {
	clause := declared.clause + "/body"
	value, flaw := parseValue(c.response.Body)
	if flaw != nil {
		expected := "one JSON text in UTF-8"
		if kind := media.shape.describe(); kind != anything {
			expected += ": " + kind
		}
		c.breach(Breach{
			Clause: clause, Message: flaw.message, Pointer: flaw.pointer,
			Expected: expected, Actual: flaw.actual, Offset: flaw.offset,
		})
		return
	}
	j := judgement{check: c}
	if media.schema != nil {
		for _, f := range faultsOf(media.schema.Validate(value), media.shape, value) {
			j.fault(media.shape, clause, value, f)
		}
	}
	j.visit(media.shape, value)
	j.finish()
}

// judgement is what is found in one body.
type judgement struct {
	check    *check
	path     []string // of the value that is visited
	breaches []Breach
}

// fault notes a breach of the clause on the place of the fault.
func (j *judgement) fault(s *shape, clause string, value any, f fault) {
	at := f.path
	if f.undeclared {
		at = at[:len(at)-1] // the clause is the owner's
	}
	clause = s.clauseAt(clause, at, value)
	if owner := s.at(at, value); f.undeclared && owner.undeclared != "" {
		clause = owner.undeclared
	}
	j.note(clause, f)
}

func (j *judgement) note(clause string, f fault) {
	if clause != "" && room(j.breaches, clause) {
		j.breaches = append(j.breaches, Breach{Clause: clause, Message: f.message, Pointer: f.pointer(), Expected: f.expected})
	}
}

// finish finds the place of each breach in the bytes and tells them in that
// order.
func (j *judgement) finish() {
	for i := range j.breaches {
		b := &j.breaches[i]
		var found bool
		if b.Offset, b.Actual, found = find(j.check.response.Body, b.Pointer); !found {
			b.Actual = "no such property"
		}
	}
	slices.SortStableFunc(j.breaches, func(a, b Breach) int { return int(a.Offset - b.Offset) })
	for _, b := range j.breaches {
		j.check.breach(b)
	}
}

func (j *judgement) exercise(clause string) {
	if clause != "" && !slices.Contains(j.check.Exercised, clause) {
		j.check.exercise(clause)
	}
}

// visit notes which clauses a value puts to the test, and breaches of those
// that no compiled schema can judge: undeclared and write-only properties.
func (j *judgement) visit(s *shape, value any) {
	switch value := value.(type) {
	case map[string]any:
		j.object(s, value)
	case []any:
		if s.each == nil {
			return
		}
		for i, item := range value {
			j.down(strconv.Itoa(i), s.each, item)
		}
	}
}

func (j *judgement) down(step string, s *shape, value any) {
	j.path = append(j.path, step)
	j.visit(s, value)
	j.path = j.path[:len(j.path)-1]
}

func (j *judgement) object(s *shape, object map[string]any) {
	for _, p := range s.properties {
		value, present := object[p.name]
		if p.required || p.writeOnly || present {
			j.exercise(p.clause)
		}
		switch {
		case present && p.writeOnly:
			j.note(p.clause, fault{
				path: below(j.path, p.name), message: "is shown, though it is write-only", expected: "no " + p.name,
			})
		case present:
			j.down(p.name, p.shape, value)
		}
	}
	j.exercise(s.undeclared)
	j.further(s, object)
}

// further looks at the properties that the schema does not list, in an order
// of their own.
func (j *judgement) further(s *shape, object map[string]any) {
	var names []string
	for name := range object {
		if s.property(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case s.open && s.each != nil:
			j.down(name, s.each, object[name])
		case !s.closed: // what a closed object must not have its schema tells by itself
			j.note(s.undeclared, undeclaredFault(below(j.path, name), s))
		}
	}
}
