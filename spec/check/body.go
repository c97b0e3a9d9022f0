package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
)

// jsonBody judges a body that must be one JSON value of a schema.
func (c *checking) jsonBody(ctx context.Context, declared *spec.Declared, media *mediatype.Content) error {
	clause := declared.ClauseIDs().Body()
	text, err := instance.Read(ctx, c.response.Body, c.limits)
	var malformed *instance.FlawError
	switch {
	case errors.As(err, &malformed):
		c.exercise(clause)
		c.breach(Breach{
			Clause: clause, Message: malformed.Message, Pointer: malformed.Pointer, Actual: malformed.Actual, Offset: malformed.Offset,
			Expected: "one JSON value in UTF-8" + media.Schema.Shape().DescribeAfter(": "),
		})
		return nil
	case err != nil:
		return err
	case media.Schema.Shape().Recursive:
		if err := text.Laborious(media.Schema.Work(schema.Response, text.Value)); err != nil {
			return err
		}
	}
	shape := media.ResponseShape()
	faults, err := media.Schema.Faults(schema.Response, text.Value)
	flaw := cmp.Or(media.Flaw, uncompiled(err))
	c.unknown(flaw)
	j := judgement{check: c, ctx: ctx, body: clause, ids: declared.Values(media), reported: map[spec.ClauseID]int{}, exercised: map[spec.ClauseID]bool{}}
	if flaw == nil {
		c.exercise(clause)
	}
	if !j.readAlike(clause, text, media.Schema) {
		return j.finish()
	}
	if !media.Inverted {
		for _, f := range faults {
			j.fault(shape, text.Value, f)
		}
	}
	if status := c.response.Status; media.TellsOtherStatus(text.Value, status) {
		j.fault(shape, text.Value, schema.Fault{
			Path: []string{"status"}, Message: "is not the status of the response (RFC 9457 §3.1.2)", Expected: strconv.Itoa(status), Should: true,
		})
	}
	if flaw == nil {
		j.visit(shape, text.Value)
	}
	return j.finish()
}

// uncompiled returns the note for an error that prevents judging values by a schema, or nil.
func uncompiled(err error) *spec.Note {
	if flaw, ok := errors.AsType[*document.Error](err); ok {
		return notes.Of(flaw)
	}
	return nil
}

// judgement collects the findings in one body.
type judgement struct {
	check    *checking
	ctx      context.Context //nolint:containedctx // of the one call that makes and uses the judgement
	body     spec.ClauseID   // id of the clause about the body
	ids      spec.BodyClauses
	err      error    // of the context
	visited  int      // number of visited values
	path     []string // path of the value that is being visited
	breaches []placed
	reported map[spec.ClauseID]int // number of breaches by clause

	exercised map[spec.ClauseID]bool // the exercised clauses, without the id of the body's clause
}

// placed is a breach and the path to its place.
type placed struct {
	Breach
	path []string
}

// readAlike records breaches for what JSON readers may interpret differently: duplicate keys and
// halves of surrogate pairs. RFC 8259 permits both, so they are warnings. It returns false for a
// duplicate key in an object that the contract declares: the value is ambiguous, which breaks the
// clause.
func (j *judgement) readAlike(clause spec.ClauseID, text instance.Text, s *schema.Schema) bool {
	var must, should []instance.Duplicate
	for _, d := range text.Duplicates {
		if s.Shape().At(d.Path[:len(d.Path)-1], text.Value).Index >= 0 {
			must = append(must, d)
		} else {
			should = append(should, d)
		}
	}
	tell := func(list []instance.Duplicate, b Breach) {
		b.Clause, b.Pointer, b.Offset = clause, instance.Pointer(list[0].Path), list[0].Offset
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
	if text.Surrogates > 0 {
		j.check.breach(Breach{
			Clause: clause, Message: "has half of a surrogate pair as an escape, which stands for no character (RFC 8259 §8.2)" + ofSeveral(text.Surrogates),
			Pointer: text.Surrogate.Pointer, Expected: "escapes that stand for characters", Actual: text.Surrogate.Actual, Offset: text.Surrogate.Offset, Should: true,
		})
	}
	return true
}

// ofSeveral returns the end of a message about the first of n places.
func ofSeveral(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(": the first of %d", n)
}

// fault records a breach of the clause about the place of the fault.
func (j *judgement) fault(s *schema.Shape, value any, f schema.Fault) {
	at := f.Path
	if f.Undeclared {
		at = f.Owner
	}
	clause, p, inner := j.ids.At(s, at, value)
	// If only an alternative or a condition forbids undeclared properties, their clause is a
	// should. Then the fault breaks the clause about the object itself.
	if owner := s.At(at, value); f.Undeclared && owner.Closed {
		clause = cmp.Or(j.ids[owner.Index].Undeclared, clause)
	}
	// A service that writes null usually means that the optional property is absent.
	if p != nil && !p.Required && inner == nil && f.Message == "has the wrong type" {
		f.Expected += ", or no " + p.Name + " at all"
	}
	j.note(j.body+clause, func() schema.Fault { return f })
}

// note records a breach for a fault, at most maxPerClause per clause.
func (j *judgement) note(clause spec.ClauseID, tell func() schema.Fault) {
	if j.reported[clause] >= maxPerClause {
		return
	}
	j.reported[clause]++
	f := tell()
	j.breaches = append(j.breaches, placed{Breach{Clause: clause, Message: f.Message, Pointer: f.Pointer(), Expected: f.Expected, Should: f.Should}, f.Path})
}

// finish locates each breach in the body and reports the breaches in the order of their offsets.
func (j *judgement) finish() error {
	for i := range j.breaches {
		b := &j.breaches[i]
		if j.ended() {
			return j.err
		}
		b.locate(j.check.response.Body, b.path)
	}
	slices.SortStableFunc(j.breaches, func(a, b placed) int { return cmp.Compare(a.Offset, b.Offset) })
	for _, b := range j.breaches {
		j.check.exercise(b.Clause)
		j.check.breach(b.Breach)
	}
	return j.err
}

func (j *judgement) ended() bool {
	if j.err == nil {
		j.err = j.ctx.Err()
	}
	return j.err != nil
}

// visitsPerLook is the number of values that are visited between two checks of the context.
const visitsPerLook = 1024

// exercise records that the body exercises a clause about a value in it. It ignores "".
func (j *judgement) exercise(clause spec.ClauseID) {
	if clause != "" && !j.exercised[clause] {
		j.exercised[clause] = true
		j.check.Exercised = append(j.check.Exercised, j.body+clause)
	}
}

// visit records which clauses a value exercises. It also records breaches that no compiled schema
// can find: undeclared and write-only properties. It stops when the context ends.
func (j *judgement) visit(s *schema.Shape, value any) {
	if j.visited++; j.visited%visitsPerLook == 1 && j.ended() || j.err != nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		j.object(s, value)
	case []any:
		if s.Each == nil {
			return
		}
		for i, item := range value {
			j.down(strconv.Itoa(i), s.Each, item)
		}
	}
}

func (j *judgement) down(step string, s *schema.Shape, value any) {
	j.path = append(j.path, step)
	j.visit(s, value)
	j.path = j.path[:len(j.path)-1]
}

func (j *judgement) object(s *schema.Shape, object map[string]any) {
	declared := 0 // number of declared properties that the object has
	for _, p := range s.Properties {
		value, present := object[p.Name]
		if p.Required || p.WriteOnly || present {
			j.exercise(j.ids[p.Shape.Index].Value)
		}
		if !present {
			continue
		}
		declared++
		if !p.WriteOnly {
			j.down(p.Name, p.Shape, value)
			continue
		}
		j.note(j.body+j.ids[p.Shape.Index].Value, func() schema.Fault {
			return schema.Fault{Path: append(slices.Clip(j.path), p.Name), Message: "is shown, though it is write-only", Expected: "no " + p.Name}
		})
	}
	j.exercise(j.ids[s.Index].Undeclared)
	if declared < len(object) {
		j.further(s, object)
	}
}

// further judges the properties that the schema does not list.
func (j *judgement) further(s *schema.Shape, object map[string]any) {
	others := func() []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(name string) bool { return s.Property(name) != nil })
	}
	switch {
	case s.Open && s.Each != nil:
		for _, name := range others() {
			j.down(name, s.Each, object[name])
		}
	case !s.Closed && j.ids[s.Index].Undeclared != "": // the schema itself rejects undeclared properties of a closed object
		j.note(j.body+j.ids[s.Index].Undeclared, func() schema.Fault { return s.Undeclared(schema.Response, slices.Clone(j.path), others()) })
	}
}
