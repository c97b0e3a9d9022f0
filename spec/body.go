package spec

import (
	"fmt"
	"strings"
)

// jsonBody judges a body that must be one JSON value of a schema.
func (c *check) jsonBody(declared *response, media *mediaContent) {
	clause := declared.clause + "/body"
	value, flaw := parseValue(c.response.Body)
	if flaw != nil {
		c.breach(Breach{
			Clause: clause, Message: flaw.message, Pointer: flaw.pointer,
			Expected: "one JSON text, in UTF-8: " + media.shape.describe(), Actual: flaw.actual, Offset: flaw.offset,
		})
		return
	}
	walk := bodyWalk{check: c}
	walk.visit(clause, "", media.shape, value)
	if media.schema != nil {
		walk.breaches = append(walk.breaches, c.schemaBreaches(clause, media, value)...)
	}
	places := locate(c.response.Body, walk.breaches)
	for _, b := range walk.breaches {
		c.breach(places.fill(b))
	}
}

// bodyWalk notes which clauses a body puts to the test, and the properties
// that nothing declares.
type bodyWalk struct {
	check    *check
	breaches []Breach
	seen     map[string]bool
}

func (w *bodyWalk) exercise(clause string) {
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	if w.check.op.has(clause) && !w.seen[clause] {
		w.seen[clause] = true
		w.check.exercise(clause)
	}
}

func (w *bodyWalk) visit(clause, pointer string, s *shape, value any) {
	switch value := value.(type) {
	case map[string]any:
		w.object(clause, pointer, s, value)
	case []any:
		if s.each == nil {
			return
		}
		for i, item := range value {
			w.visit(clause+"/*", fmt.Sprintf("%s/%d", pointer, i), s.each, item)
		}
	}
}

func (w *bodyWalk) object(clause, pointer string, s *shape, object map[string]any) {
	for _, p := range s.properties {
		value, present := object[p.name]
		if p.required || present {
			w.exercise(clause + "/" + segment(p.name))
		}
		if present && !p.writeOnly {
			w.visit(clause+"/"+segment(p.name), pointer+"/"+escape(p.name), p.shape, value)
		}
	}
	if s.checksUndeclared() {
		w.exercise(clause + "/undeclared")
	}
	for _, name := range sortedKeys(object) {
		p := s.property(name)
		switch {
		case p != nil && !p.writeOnly:
		case s.open && s.each != nil && p == nil:
			w.visit(clause+"/*", pointer+"/"+escape(name), s.each, object[name])
		case s.checksUndeclared() && !s.closed || p != nil && p.writeOnly:
			w.undeclared(clause, pointer+"/"+escape(name), name, s)
		}
	}
}

func (w *bodyWalk) undeclared(clause, pointer, name string, s *shape) {
	if len(w.breaches) >= maxBreaches {
		return
	}
	var declared []string
	for _, p := range s.properties {
		if !p.writeOnly {
			declared = append(declared, p.name)
		}
	}
	w.breaches = append(w.breaches, Breach{
		Clause:   w.check.op.nearest(clause + "/undeclared"),
		Message:  fmt.Sprintf("has the property %q, which the contract does not declare", name),
		Pointer:  pointer,
		Expected: "only " + strings.Join(declared, ", "),
	})
}
