package spec

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/shown"
)

// Sent is a request that made a thing what it is.
type Sent struct {
	Operation *Operation
	MediaType string
	Body      []byte
}

// read is the request for package shown. What is neither a JSON text nor a form is not described.
func (s Sent) read(ctx context.Context, l instance.Limits) shown.Sent {
	of := shown.Sent{Method: s.Operation.Method}
	var c *Content
	if body := s.Operation.RequestBody; body != nil {
		c = body.Of(s.MediaType)
	}
	if c == nil || !c.MayBeJSON() && !c.parsed.IsForm() {
		return of
	}
	of.Schema, of.MergePatch, of.JSONPatch = c.Schema, c.IsMergePatch(), strings.HasPrefix(c.MediaType, "application/json-patch+json")
	switch {
	case c.parsed.IsForm():
		named, _ := mediatype.Parse(s.MediaType) // as Of did
		of.Body, _ = c.read(named, s.Body)       //nolint:contextcheck // what the run itself wrote is small
	case of.JSONPatch:
		text, _ := instance.Read(ctx, s.Body, l)
		of.Body = text.Value
	default:
		of.Body = plain(ctx, s.Body, l)
	}
	return of
}

// plain is the value of a JSON text; nil if it has none, or if it can be read in several ways.
func plain(ctx context.Context, body []byte, l instance.Limits) any {
	text, err := instance.Read(ctx, body, l)
	if err != nil || len(text.Duplicates) > 0 || text.Surrogates > 0 {
		return nil
	}
	return text.Value
}

// CheckEcho compares a success with the request that it answers: where the
// contract gives both the same schema, what comes back is what was sent, and
// otherwise what both describe alike, if the thing can be read. It says nothing
// where either is no JSON object, or may be read in several ways.
//
// The error is a [*instance.LimitError] where the response exceeds a limit, or that of
// the context where it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request Sent, r Response, l instance.Limits) (Check, error) {
	op.derive()
	declared := op.response(r.Status)
	if declared == nil || declared.echo == echoNothing {
		return Check{}, nil
	}
	clause, content := declared.ids.Echo(), declared.json(r.Header)
	if content == nil {
		return Check{}, nil
	}
	if declared.echo == echoPart {
		return op.CheckShown(ctx, clause, []Sent{request}, r, l)
	}
	sent, isObject := plain(ctx, request.Body, l).(map[string]any)
	if ctx.Err() != nil || !isObject || !instance.IsObject(r.Body) {
		return Check{}, ctx.Err()
	}
	text, err := instance.Read(ctx, r.Body, l)
	got, isObject := text.Value.(map[string]any)
	switch _, isFlaw := errors.AsType[*instance.FlawError](err); {
	case err != nil && !isFlaw:
		return Check{}, err
	case !isObject, len(text.Duplicates) > 0:
		return Check{}, nil // the judgement of the body reports it
	}
	c := Check{Declared: declared.Status, Exercised: []string{clause}}
	for _, d := range shown.Whole(content.Schema.Shape(), sent, got, op.worded[clause]) {
		b, _ := differs(clause, d, r.Body)
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// CheckShown compares a success with what was sent before: each value that a request had
// and that the contract describes alike in both. What the service adds is its own.
//
// The error is that of the context if it ended first.
func (op *Operation) CheckShown(ctx context.Context, clause string, sent []Sent, r Response, l instance.Limits) (Check, error) {
	c := Check{Exercised: []string{clause}}
	declared := op.response(r.Status)
	if declared == nil || len(sent) == 0 {
		return c, nil
	}
	content := declared.json(r.Header)
	if content == nil {
		return c, nil
	}
	text, err := instance.Read(ctx, r.Body, l)
	if ctx.Err() != nil || err != nil || len(text.Duplicates) > 0 {
		return c, ctx.Err() // the judgement of the body reports the rest
	}
	requests := make([]shown.Sent, len(sent))
	for i, s := range sent {
		requests[i] = s.read(ctx, l)
	}
	for _, d := range shown.Parts(content.Schema, requests, text.Value) {
		b, isThere := differs(clause, d, r.Body)
		if b.Should = true; !isThere {
			b.Offset = -1
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// differs is the breach of a clause by a value that is not shown as it was sent.
func differs(clause string, d shown.Difference, body []byte) (b Breach, isThere bool) {
	b = Breach{Clause: clause, Message: d.Message, Pointer: instance.Pointer(d.Path), Expected: d.Expected}
	if b.Offset, b.Actual, isThere = instance.Find(body, d.Path); !isThere {
		b.Actual = "no such property"
	}
	return b, isThere
}

// ListIn finds the list in the body of a success: the body itself, or the list in an object that
// the contract describes. If it describes none, that is the only list in the object, or else in
// the objects inside.
func (op *Operation) ListIn(body any) (list []any, ok bool) { return shown.List(op.shapes(), body) }

// isList reports whether a success of the operation is a list, or has one.
func (op *Operation) isList() bool {
	return slices.ContainsFunc(op.shapes(), func(of *schema.Shape) bool {
		_, ok := shown.Entries(of)
		return ok
	})
}

// shapes are those of the JSON texts that a success may be.
func (op *Operation) shapes() (list []*schema.Shape) {
	for _, r := range op.Successes() {
		for _, c := range r.Content {
			if c.MayBeJSON() {
				list = append(list, c.Schema.Shape())
			}
		}
	}
	return list
}

// Filter chooses entries of a list by a property of theirs: a query parameter, or in the style
// deepObject a property of one.
type Filter struct {
	Parameter
	Member   string // of the parameter, if it is an object
	Key      string // what the query calls it
	Property string // of the entries
	IsOrder  bool   // it may ask for higher or lower values as well
	IsList   bool   // it takes several values
	IsChoice bool   // the contract lists all values
	Of       *schema.Schema
}

// Filters are the query parameters that choose entries of the list by a property of that name
// and meaning: a state, say, or a flag. It says nothing of one of which the document has in
// words that it adds entries, or leaves some out.
func (op *Operation) Filters() (list []Filter) {
	add := func(f Filter, name, words string) {
		by := f.Of.Shape()
		if f.IsList = isArray(by); f.IsList {
			by = by.Each
		}
		if f.In != "query" || by == nil || widening.MatchString(words) || !mayChoose(by) || !f.IsList && f.Member == "" && !by.Enum && paging.MatchString(name) {
			return
		}
		f.IsChoice = by.Enum || by.Allows("boolean")
		f.IsOrder = !f.IsList && !f.IsChoice && (by.Format == "date" || by.Allows("integer"))
		if f.Property = op.chosen(name, by); f.Property != "" {
			list = append(list, f)
		}
	}
	for _, p := range op.Parameters {
		if p.Kind != "deepObject" {
			add(Filter{Parameter: p, Key: p.Name, Of: p.Schema}, p.Name, p.Description())
			continue
		}
		for _, m := range p.Schema.Shape().Properties {
			add(Filter{Parameter: p, Member: m.Name, Key: p.Name + "[" + m.Name + "]", Of: p.Schema.Of(m)}, m.Name, m.At.Get("description").Text())
		}
	}
	return list
}

// chosen is the property of the entries of a list that a filter of that name and shape chooses by; ""
// if there is none.
func (op *Operation) chosen(name string, by *schema.Shape) string {
	for _, of := range op.shapes() {
		entry, _ := shown.Entries(of)
		for _, property := range []string{name, name + "s", strings.TrimSuffix(name, "s")} {
			p := entry.Property(property)
			if p != nil && (isKind(p.Shape, by) || isArray(p.Shape) && p.Shape.Each != nil && isKind(p.Shape.Each, by)) {
				return property
			}
		}
	}
	return ""
}

// isKind reports whether a value means what the filter asks for. A format says how large a number may be.
func isKind(of, by *schema.Shape) bool {
	integer := []string{"integer"}
	return of.IsLike(by) || !by.Enum && slices.Equal(of.TypesBesideNull(), integer) && slices.Equal(by.TypesBesideNull(), integer)
}

func isArray(s *schema.Shape) bool { return slices.Equal(s.TypesBesideNull(), []string{"array"}) }

// mayChoose reports whether values of a shape are compared as a whole: a text may also be searched.
func mayChoose(of *schema.Shape) bool {
	switch types := of.TypesBesideNull(); {
	case slices.Equal(types, []string{"string"}):
		return of.Enum || slices.Contains([]string{"uuid", "email", "date"}, of.Format)
	default:
		return slices.Equal(types, []string{"integer"}) || slices.Equal(types, []string{"boolean"})
	}
}

// Chooses reports whether a text of a query is one value of the filter.
func (f Filter) Chooses(text string) bool {
	var value any = text
	of := f.Of.Shape()
	if f.IsList {
		of = of.Each
	}
	switch {
	case of.Allows("boolean"):
		value = text == "true"
	case of.Allows("integer") && instance.IsNumber(text):
		value = instance.Number(text)
	}
	if f.IsList {
		value = []any{value}
	}
	return !(f.IsList && strings.ContainsAny(text, ",| ")) && f.Of.Meets(schema.Request, value)
}

// Asking is what the parameter takes to ask for one value.
func (f Filter) Asking(value any) any {
	if f.IsList {
		value = []any{value}
	}
	if f.Member != "" {
		value = map[string]any{f.Member: value}
	}
	return value
}

// NextPage is a way to ask for the page after the first one: a query parameter takes Value, or what
// the first page shows at Path. If nothing says whether pages are counted from 0, Value may be that
// of the page after it.
type NextPage struct {
	Name     string
	Value    json.Number
	IsSecond bool
	Path     []string
}

// NextPages are the ways to ask for the second page of a list whose pages have one entry each.
func (op *Operation) NextPages() (list []NextPage) {
	for _, p := range op.Parameters {
		of := p.Schema.Shape()
		switch {
		case p.In != "query":
		case pageNumber.MatchString(p.Name) && slices.Contains(of.Types, "integer"):
			next := NextPage{Name: p.Name, Value: "2", IsSecond: !p.Schema.Meets(schema.Request, json.Number("0"))}
			if pageOffset.MatchString(p.Name) {
				next.Value, next.IsSecond = "1", true
			}
			if first, err := strconv.Atoi(p.Schema.Place.Get("default").Text()); err == nil {
				next.Value, next.IsSecond = json.Number(strconv.Itoa(first+1)), true
			}
			list = append(list, next)
		case pageCursor.MatchString(p.Name):
			if at := op.cursorAt(of); at != nil {
				list = append(list, NextPage{Name: p.Name, Path: at})
			}
		}
	}
	return list
}

// cursorAt is where a page shows the value of that shape that leads to the next one; nil if it does
// not. An address is no such value.
func (op *Operation) cursorAt(of *schema.Shape) []string {
	isNext := func(p *schema.Property) bool {
		return nextCursor.MatchString(p.Name) && slices.Equal(p.Shape.TypesBesideNull(), of.TypesBesideNull()) && p.Shape.Format == of.Format
	}
	for _, of := range op.shapes() {
		for _, p := range of.Properties {
			if isNext(p) {
				return []string{p.Name}
			}
			if i := slices.IndexFunc(p.Shape.Properties, isNext); i >= 0 {
				return []string{p.Name, p.Shape.Properties[i].Name}
			}
		}
	}
	return nil
}

var (
	pageNumber = regexp.MustCompile(`(?i)^[_$]?(page|page[_-]?(number|no|num|index)|page\[(number|offset)\]|offset|skip|start[_-]?(index|at))$`)
	pageOffset = regexp.MustCompile(`(?i)offset|skip|start[_-]?at`)
	pageCursor = regexp.MustCompile(`(?i)^(page[_-]?|next[_-]?)?cursor$|^(page|next|next[_-]?page|continuation)[_-]?token$|^(starting[_-]?)?after$`)
	nextCursor = regexp.MustCompile(`(?i)^(next|next[_-]?(page|token|key|id)|(next|end|page|next[_-]?page)?[_-]?cursor|(page|next[_-]?page|continuation)[_-]?token)$`)
)

// json is the JSON content that a response names, or the only one if it names none of
// those declared; nil if it is not known.
func (r *Declared) json(header http.Header) *Content {
	if len(r.Content) == 1 && r.Content[0].Flaw == nil && r.Content[0].MayBeJSON() {
		return &r.Content[0]
	}
	named, err := mediatype.Parse(header.Get("Content-Type"))
	if err != nil {
		return nil
	}
	if best := mostSpecific(r.Content, named); best != nil && best.Flaw == nil && named.IsJSON() {
		return best
	}
	return nil
}
