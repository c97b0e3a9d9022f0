package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// jsonBody judges a body that must be one JSON value of a schema.
func (c *check) jsonBody(ctx context.Context, declared *response, media *mediaContent) error {
	clause := string(declared.ids.Body())
	r := newJSONReader(ctx, c.response.Body, c.limits)
	value, err := r.read()
	var malformed *flawError
	switch {
	case errors.As(err, &malformed):
		c.exercise(clause)
		c.malformed(clause, media.shape, malformed.flaw)
		return nil
	case err != nil:
		return err
	case media.shape.recursive && r.levels > max(stepsPerLevel*r.limits.Depth, levelsPerValue*r.values):
		return tooDeepInAll(r.limits.Depth)
	}
	j := judgement{check: c, ctx: ctx, body: clause, exercised: map[string]bool{}}
	c.exercise(clause)
	if !j.readAlike(clause, r, media.shape, value) {
		return j.finish()
	}
	if media.schema != nil {
		for _, f := range faultsOf(media.schema.Validate(value), media.shape, value) {
			j.fault(media.shape, value, f)
		}
	}
	j.visit(media.shape, value)
	return j.finish()
}

// malformed tells of a body that is not one JSON value.
func (c *check) malformed(clause string, s *shape, f flaw) {
	expected := "one JSON value in UTF-8"
	if kind := s.describe(); kind != anything {
		expected += ": " + kind
	}
	c.breach(Breach{Clause: clause, Message: f.message, Pointer: f.pointer, Expected: expected, Actual: f.actual, Offset: f.offset})
}

// judgement is what is found in one body.
type judgement struct {
	check    *check
	ctx      context.Context //nolint:containedctx // of the one call that makes and uses the judgement
	body     string          // id of the clause on the body
	err      error           // of the context
	visited  int             // values
	path     []string        // of the value that is visited
	breaches []placed
	told     map[string]int // breaches by clause

	exercised map[string]bool // the clauses that were, without the id of the body's
}

// placed is a breach and the path to its place.
type placed struct {
	Breach
	path []string
}

// readAlike says whether all readers take the body for the same value, and
// tells of what they may read in different ways: duplicate keys and halves of
// surrogate pairs. RFC 8259 permits both. A duplicate key where the contract
// declares the object breaks its clause all the same: nobody knows which value
// is meant.
func (j *judgement) readAlike(clause string, r *jsonReader, s *shape, value any) bool {
	var must, should []duplicate
	for _, d := range r.duplicates {
		if s.declares(d.path[:len(d.path)-1], value) {
			must = append(must, d)
		} else {
			should = append(should, d)
		}
	}
	tell := func(list []duplicate, b Breach) {
		b.Clause, b.Pointer, b.Offset = clause, pointer(list[0].path), list[0].offset
		b.Message += ofSeveral(len(list))
		b.Expected, b.Actual = "each key once in its object", string(j.check.response.Body)
		j.check.breach(b)
	}
	if len(must) > 0 {
		tell(must, Breach{Message: "is a duplicate key (RFC 7493 §2.3)"})
		return false
	}
	if len(should) > 0 {
		tell(should, Breach{Message: "is a duplicate key, which readers take in different ways (RFC 8259 §4)", Should: true})
	}
	if r.surrogates > 0 {
		j.check.breach(Breach{
			Clause: clause, Message: "has half of a surrogate pair as an escape, which stands for no character (RFC 8259 §8.2)" + ofSeveral(r.surrogates),
			Pointer: r.surrogate.pointer, Expected: "escapes that stand for characters", Actual: r.surrogate.actual, Offset: r.surrogate.offset, Should: true,
		})
	}
	return true
}

// ofSeveral ends a message about the first of several places.
func ofSeveral(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(": the first of %d", n)
}

// fault notes a breach of the clause on the place of the fault.
func (j *judgement) fault(s *shape, value any, f fault) {
	at := f.path
	if f.undeclared == one {
		at = at[:len(at)-1] // the clause is the owner's
	}
	clause := s.clauseAt(at, value)
	if owner := s.at(at, value); f.undeclared != none && owner.undeclared != "" {
		clause = owner.undeclared
	}
	j.note(j.body+clause, func() fault { return f })
}

// note makes a breach of a fault, where there is room for one more.
func (j *judgement) note(clause string, tell func() fault) {
	if !j.check.room(clause) || j.told[clause] >= maxPerClause {
		return
	}
	if j.told == nil {
		j.told = map[string]int{}
	}
	j.told[clause]++
	f := tell()
	j.breaches = append(j.breaches, placed{Breach{Clause: clause, Message: f.message, Pointer: pointer(f.path), Expected: f.expected}, f.path})
}

// finish finds the place of each breach in the bytes and tells them in that
// order.
func (j *judgement) finish() error {
	for i := range j.breaches {
		b := &j.breaches[i]
		if j.ended() {
			return j.err
		}
		var found bool
		if b.Offset, b.Actual, found = find(j.check.response.Body, b.path); !found {
			b.Actual = "no such property"
		}
	}
	slices.SortStableFunc(j.breaches, func(a, b placed) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, b := range j.breaches {
		j.check.breach(b.Breach)
	}
	return j.err
}

// ended says whether the context has ended.
func (j *judgement) ended() bool {
	if j.err == nil {
		j.err = j.ctx.Err()
	}
	return j.err != nil
}

// exercise notes a clause that the shape has, if it has one.
func (j *judgement) exercise(clause string) {
	if clause != "" && !j.exercised[clause] {
		j.exercised[clause] = true
		j.check.exercise(j.body + clause)
	}
}

// visit notes which clauses a value puts to the test, and breaches of those
// that no compiled schema can judge: undeclared and write-only properties. It
// visits nothing more once the context has ended.
func (j *judgement) visit(s *shape, value any) {
	if j.visited++; j.visited%valuesPerLook == 1 && j.ended() || j.err != nil {
		return
	}
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
	declared := 0 // of the object's properties
	for _, p := range s.properties {
		value, present := object[p.name]
		if p.required || p.writeOnly || present {
			j.exercise(p.clause)
		}
		if !present {
			continue
		}
		declared++
		if !p.writeOnly {
			j.down(p.name, p.shape, value)
			continue
		}
		j.note(j.body+p.clause, func() fault {
			return fault{path: below(j.path, p.name), message: "is shown, though it is write-only", expected: "no " + p.name}
		})
	}
	j.exercise(s.undeclared)
	if declared < len(object) {
		j.further(s, object)
	}
}

// further looks at the properties that the schema does not list.
func (j *judgement) further(s *shape, object map[string]any) {
	others := func(yield func(string) bool) {
		listed := make(map[string]bool, len(s.properties))
		for _, p := range s.properties {
			listed[p.name] = true
		}
		for name := range object {
			if !listed[name] && !yield(name) {
				return
			}
		}
	}
	switch {
	case s.open && s.each != nil:
		for _, name := range slices.Sorted(others) {
			j.down(name, s.each, object[name])
		}
	case !s.closed && s.undeclared != "": // what a closed object must not have its schema tells by itself
		j.note(j.body+s.undeclared, func() fault { return undeclaredFault(slices.Clone(j.path), others, s) })
	}
}
