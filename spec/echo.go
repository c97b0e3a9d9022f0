package spec

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// CheckEcho compares a success with the request that it answers: where the
// contract gives both the same schema, what comes back is what was sent, and
// otherwise what both describe alike, if the thing can be read. It says nothing
// where either is no JSON object, or may be read in several ways.
//
// The error is a [*instance.LimitError] where the response exceeds a limit, or that of
// the context where it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request Sent, r Response, l instance.Limits) (Check, error) {
	var c Check
	op.derive()
	declared := op.response(r.Status)
	if declared == nil || declared.echo == echoNothing {
		return c, nil
	}
	content := declared.json(r.Header)
	if content == nil {
		return c, nil
	}
	if declared.echo == echoPart {
		return op.CheckShown(ctx, declared.ids.Echo(), []Sent{request}, r, l)
	}
	sent, err := instance.Read(ctx, request.Body, l)
	want, _ := sent.Value.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil, want == nil, len(sent.Duplicates) > 0, sent.Surrogates > 0, !instance.IsObject(r.Body):
		return c, nil //nolint:nilerr // what cannot be read in one way only is not compared
	}
	shown, err := instance.Read(ctx, r.Body, l)
	var flaw *instance.FlawError
	got, _ := shown.Value.(map[string]any)
	switch {
	case errors.As(err, &flaw):
		return c, nil // the judgement of the body reports it
	case err != nil:
		return c, err
	case got == nil, len(shown.Duplicates) > 0:
		return c, nil
	}
	c.Declared, c.Exercised = declared.Status, []string{declared.ids.Echo()}
	for _, p := range members(content.Schema.Shape(), want, got) {
		message, expected := difference(p, want, got, op.worded[declared.ids.Echo()])
		if message == "" {
			continue
		}
		b := Breach{Clause: declared.ids.Echo(), Message: message, Pointer: instance.Pointer([]string{p.Name}), Expected: expected}
		var found bool
		if b.Offset, b.Actual, found = instance.Find(r.Body, []string{p.Name}); !found {
			b.Actual = "no such property"
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// members are the properties of an object; of a map those that one of its values has.
func members(of *schema.Shape, values ...map[string]any) []*schema.Property {
	if !of.IsMap() {
		return of.Properties
	}
	var names []string
	for _, value := range values {
		names = slices.AppendSeq(names, maps.Keys(value))
	}
	slices.Sort(names)
	var list []*schema.Property
	for _, name := range slices.Compact(names) {
		list = append(list, of.Member(name))
	}
	return list
}

// difference says what happened to a property on its way, as a predicate of it, and what was
// expected; nothing where it came back as it was sent. What a service adds to what was sent, such
// as a version or whether a user is active, is its own, unless the contract says in words that it
// shows only that.
func difference(p *schema.Property, sent, shown map[string]any, only bool) (message, expected string) {
	want, wanted := sent[p.Name]
	got, present := shown[p.Name]
	isNone := wanted != present && want == nil && got == nil && p.Shape.Allows("null")
	switch {
	case p.ReadOnly || p.WriteOnly || isPassword(p) || isNone || !wanted && instance.IsEmpty(got): // many services show no null, or null or an empty list for what there is not
		return "", ""
	case wanted && !present:
		return "is missing, though it was sent", instance.Compact(want)
	case present && !wanted && (!only || p.Preset || assigned.MatchString(p.Name)):
		return "", ""
	case present && !wanted:
		return "is shown, though it was not sent", "no " + p.Name
	case wanted && !isShown(p.Shape, want, got, only):
		return change(want, got), instance.Compact(want)
	}
	return "", ""
}

// isShown reports whether a value is shown as it was sent, apart from what in it only one
// direction carries, and from defaults, ids and what nobody declares.
func isShown(of *schema.Shape, sent, shown any, only bool) bool {
	switch want := sent.(type) {
	case map[string]any:
		got, isObject := shown.(map[string]any)
		mayDiffer := of != nil && (of.Unread || len(of.Properties) > 0)
		for _, object := range []map[string]any{want, got} {
			for name := range object {
				value, wanted := want[name]
				other, present := got[name]
				p := of.Property(name)
				switch {
				case p != nil:
					if message, _ := difference(p, want, got, only); message != "" {
						return false
					}
				case wanted != present && (mayDiffer || wanted && value == nil): // null may remove (RFC 7396 §2)
				case wanted != present || !isShown(shapeAt(of, name, want), value, other, only):
					return false
				}
			}
		}
		return isObject
	case []any:
		got, isList := shown.([]any)
		each := shapeAt(of, "", sent)
		return isList && sameItems(of, want, got, func(a, b any) bool { return isShown(each, a, b, only) })
	}
	return of.Means(sent, shown)
}

// sameItems reports whether two lists have the same items, in the same order unless items
// are not repeated: then a service may keep them as a set.
func sameItems(of *schema.Shape, want, got []any, same func(a, b any) bool) bool {
	if len(want) != len(got) || of == nil || !of.Unique {
		return slices.EqualFunc(want, got, same)
	}
	return !slices.ContainsFunc(want, func(one any) bool {
		return !slices.ContainsFunc(got, func(other any) bool { return same(one, other) })
	})
}

// shapeAt is the shape of what lies in a value of that shape.
func shapeAt(of *schema.Shape, name string, value any) *schema.Shape {
	if of != nil && of.Unread {
		return of
	}
	_, inner, _ := of.Down(name, value)
	return inner
}

// assigned are names of ids, which a service may give to what is sent without one.
var assigned = regexp.MustCompile(`^(?i:_?id|_?key|uuid|guid)$|(Id|ID|[_-]id|Uuid|UUID)$`)

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

// change says how a value differs from the one that was sent.
func change(want, got any) string {
	sent, wasText := want.(string)
	shown, isText := got.(string)
	switch {
	case wasText && isText:
		return "comes back changed: " + instance.Difference(sent, shown)
	case isReordered(want, got):
		return "comes back in another order"
	case instance.TypeOf(want) != instance.TypeOf(got):
		return "comes back as " + schema.DescribeType(instance.TypeOf(got))
	}
	return "comes back changed"
}

// isReordered reports whether a list has the items of another one in another order.
func isReordered(want, got any) bool {
	sent, wasList := want.([]any)
	shown, isList := got.([]any)
	return wasList && isList && sameItems(&schema.Shape{Unique: true}, sent, shown, instance.Equal)
}
