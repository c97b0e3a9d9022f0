package shown

import (
	"maps"
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// Whole compares a response of that shape with the request that it answers, if both have the same
// schema. only says that the contract says in words that a response shows only what was sent.
func Whole(of *schema.Shape, sent, shown map[string]any, only bool) (list []Difference) {
	for _, p := range members(of, sent, shown) {
		if message, expected := difference(p, sent, shown, only); message != "" {
			list = append(list, Difference{[]string{p.Name}, message, expected})
		}
	}
	return list
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
	isNone := wanted != present && want == nil && got == nil && (wanted || p.Shape.Allows("null")) || !present && isNothing(p, want)
	switch {
	case p.ReadOnly || p.WriteOnly || isPassword(p) || isNone || !wanted && instance.IsEmpty(got): // many services show no null, or null or an empty list for what there is not
		return "", ""
	case wanted && !present:
		return "is missing, though it was sent", instance.Compact(want)
	case present && !wanted && (!only || p.Preset || assigned.MatchString(p.Name)):
		return "", ""
	case present && !wanted:
		return "is shown, though it was not sent", "no " + p.Name
	case wanted && !isNamed(p.Name, want, got) && !isShown(p.Shape, want, got, only):
		return change(want, got), instance.Compact(want)
	}
	return "", ""
}

// isNothing reports whether a value of a property is an empty list or object: many services, such as
// those of protocol buffers, do not show one that they need not show.
func isNothing(p *schema.Property, value any) bool {
	return p != nil && !p.Required && instance.IsEmpty(value) && p.Shape.Allows(instance.TypeOf(value))
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
		return isList && sameItems(of, want, got, func(a, b any) bool { return isNamed("", a, b) || isShown(each, a, b, only) })
	}
	return of.Means(sent, shown)
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
