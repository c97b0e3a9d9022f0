package spec

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
)

// bodyClauses are the ids of the clauses on what is inside the bodies of one
// schema, by the numbers of its shapes, without the id of the body's clause, which
// they follow; "" where there is none.
type bodyClauses []struct {
	value      ClauseID // on the value of a property
	undeclared ClauseID // on undeclared properties
}

// at returns the value at that path, its property if it has one, and the clause on it or else on the
// nearest value above it; "" is the clause on the whole body.
func (ids bodyClauses) at(s *schema.Shape, path []string, value any) (clause ClauseID, p *schema.Property, inner any) {
	for _, step := range path {
		if p, s, value = s.Down(step, value); p != nil && ids[p.Shape.Index].value != "" {
			clause = ids[p.Shape.Index].value
		}
	}
	return clause, p, value
}

// jsonBody judges a body that must be one JSON value of a schema.
func (c *check) jsonBody(ctx context.Context, declared *Declared, media *Content) error {
	clause := declared.ids.Body()
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
	shape := media.shape()
	faults, err := media.Schema.Faults(schema.Response, text.Value)
	flaw := cmp.Or(media.Flaw, uncompiled(err))
	c.unknown(flaw)
	j := judgement{check: c, ctx: ctx, body: clause, ids: media.clauses, reported: map[ClauseID]int{}, exercised: map[ClauseID]bool{}}
	if flaw == nil {
		c.exercise(clause)
	}
	if !j.readAlike(clause, text, media.Schema) {
		return j.finish()
	}
	if !media.touch.Inverted {
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

// shape is the shape of the bodies. A problem document may have members that the contract does not
// declare (RFC 9457 §3.2).
func (c Content) shape() *schema.Shape {
	shape := c.Schema.Shape()
	if !c.isProblem() || shape.Closed {
		return shape
	}
	open := *shape
	open.Open = true
	return &open
}

func (c Content) isProblem() bool { return c.parsed.Subtype == "problem+json" }

// TellsOtherStatus reports whether a problem document has another number than the status of the response,
// which the schema would allow as well.
func (c Content) TellsOtherStatus(value any, status int) bool {
	place := []string{"status"}
	told, _ := instance.At(value, place)
	number, isNumber := told.(json.Number)
	should := json.Number(strconv.Itoa(status))
	if !c.isProblem() || !isNumber || instance.Equal(number, should) {
		return false
	}
	now, err := c.Schema.Faults(schema.Response, value)
	then, _ := c.Schema.Faults(schema.Response, instance.Put(value, place, should))
	return err == nil && len(now) == len(then)
}

// uncompiled is the note of the error for which values cannot be judged by a schema.
func uncompiled(err error) *Note {
	if flaw, ok := errors.AsType[*document.Error](err); ok {
		return notes.Of(flaw)
	}
	return nil
}

// judgement is what is found in one body.
type judgement struct {
	check    *check
	ctx      context.Context //nolint:containedctx // of the one call that makes and uses the judgement
	body     ClauseID        // id of the clause on the body
	ids      bodyClauses
	err      error    // of the context
	visited  int      // values
	path     []string // of the value that is visited
	breaches []placed
	reported map[ClauseID]int // breaches by clause

	exercised map[ClauseID]bool // the clauses that were, without the id of the body's
}

// placed is a breach and the path to its place.
type placed struct {
	Breach
	path []string
}

// readAlike reports whether all readers take the body for the same value, and
// tells of what they may read in different ways: duplicate keys and halves of
// surrogate pairs. RFC 8259 permits both. A duplicate key where the contract
// declares the object breaks its clause anyway: the value is ambiguous.
func (j *judgement) readAlike(clause ClauseID, text instance.Text, s *schema.Schema) bool {
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

// ofSeveral ends a message about the first of several places.
func ofSeveral(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(": the first of %d", n)
}

// fault notes a breach of the clause on the place of the fault.
func (j *judgement) fault(s *schema.Shape, value any, f schema.Fault) {
	at := f.Path
	if f.Undeclared {
		at = f.Owner
	}
	clause, p, inner := j.ids.at(s, at, value)
	// Where only some alternative or condition rules undeclared properties out, their clause is a
	// should, and what breaks the schema is reported of the object itself.
	if owner := s.At(at, value); f.Undeclared && owner.Closed {
		clause = cmp.Or(j.ids[owner.Index].undeclared, clause)
	}
	// A service that writes null mostly means that an optional property is left out.
	if p != nil && !p.Required && inner == nil && f.Message == "has the wrong type" {
		f.Expected += ", or no " + p.Name + " at all"
	}
	j.note(j.body+clause, func() schema.Fault { return f })
}

// note makes a breach of a fault, where there is room for one more.
func (j *judgement) note(clause ClauseID, tell func() schema.Fault) {
	if j.reported[clause] >= maxPerClause {
		return
	}
	j.reported[clause]++
	f := tell()
	j.breaches = append(j.breaches, placed{Breach{Clause: clause, Message: f.Message, Pointer: f.Pointer(), Expected: f.Expected, Should: f.Should}, f.Path})
}

// finish finds the place of each breach in the bytes and tells them in that
// order.
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

// visitsPerLook is how many values are visited between two looks at the context.
const visitsPerLook = 1024

// exercise notes a clause on what is inside the body, if there is one.
func (j *judgement) exercise(clause ClauseID) {
	if clause != "" && !j.exercised[clause] {
		j.exercised[clause] = true
		j.check.Exercised = append(j.check.Exercised, j.body+clause)
	}
}

// visit notes which clauses a value puts to the test, and breaches of those
// that no compiled schema can judge: undeclared and write-only properties. It
// visits nothing more once the context has ended.
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
	declared := 0 // of the object's properties
	for _, p := range s.Properties {
		value, present := object[p.Name]
		if p.Required || p.WriteOnly || present {
			j.exercise(j.ids[p.Shape.Index].value)
		}
		if !present {
			continue
		}
		declared++
		if !p.WriteOnly {
			j.down(p.Name, p.Shape, value)
			continue
		}
		j.note(j.body+j.ids[p.Shape.Index].value, func() schema.Fault {
			return schema.Fault{Path: append(slices.Clip(j.path), p.Name), Message: "is shown, though it is write-only", Expected: "no " + p.Name}
		})
	}
	j.exercise(j.ids[s.Index].undeclared)
	if declared < len(object) {
		j.further(s, object)
	}
}

// further looks at the properties that the schema does not list.
func (j *judgement) further(s *schema.Shape, object map[string]any) {
	others := func() []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(name string) bool { return s.Property(name) != nil })
	}
	switch {
	case s.Open && s.Each != nil:
		for _, name := range others() {
			j.down(name, s.Each, object[name])
		}
	case !s.Closed && j.ids[s.Index].undeclared != "": // what a closed object must not have its schema tells by itself
		j.note(j.body+j.ids[s.Index].undeclared, func() schema.Fault { return s.Undeclared(schema.Response, slices.Clone(j.path), others()) })
	}
}

// As returns c for bodies that are sent as application/subtype, one media type of the range.
func (c Content) As(subtype string) Content {
	c.parsed = mediatype.Type{Kind: "application", Subtype: subtype}
	c.MediaType = c.parsed.Kind + "/" + subtype
	return c
}

// IsText reports whether c is a range in which any text is a valid body if it is sent with
// that media type.
func (c Content) IsText(mediaType string) bool { return c.IsRange() && !isJSONType(mediaType) }
