package shown

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// showable returns a value as a response can show it. It replaces the parts that the schema of the
// response rejects, such as 1 for a price with two digits, by what is shown. ok is false if the
// schema rejects the whole value.
func showable(of *schema.Schema, sent, shown any) (value any, ok bool) {
	faults, err := of.Faults(schema.Response, sent)
	if err != nil || len(faults) == 0 {
		return sent, true
	}
	isRefused := func(path []string) bool {
		return slices.ContainsFunc(faults, func(f schema.Fault) bool { return slices.Equal(f.Path, path) })
	}
	if _, isObject := sent.(map[string]any); !isObject && isRefused(nil) {
		return nil, false
	}
	return admitted(sent, shown, nil, isRefused), true
}

// admitted returns a value in which each rejected part is replaced by what is shown. It ignores
// faults of an object itself, such as a missing property.
func admitted(sent, shown any, path []string, isRefused func([]string) bool) any {
	switch value := sent.(type) {
	case map[string]any:
		other, _ := shown.(map[string]any)
		object := map[string]any{}
		for name, inner := range value {
			object[name] = admitted(inner, other[name], instance.Below(path, name), isRefused)
		}
		return object
	case []any:
		other, _ := shown.([]any)
		if isRefused(path) || len(other) != len(value) {
			break
		}
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = admitted(item, other[i], instance.Below(path, strconv.Itoa(i)), isRefused)
		}
		return list
	}
	if isRefused(path) {
		return shown
	}
	return sent
}

// isKept reports whether a value is shown as it was sent: a list with exactly its items, and an
// object with all its properties.
func isKept(of *schema.Shape, sent, shown, before any) bool {
	list, isList := sent.([]any)
	items, _ := shown.([]any)
	if !isList {
		return isPart(of, sent, shown, before)
	}
	_, each, _ := of.Down("0", shown)
	return sameItems(of, list, items, func(a, b any) bool { return isItem(each, a, b) })
}

// isPart reports whether an object, or a list in one, has everything that was sent and that the
// response can show. A service may add values to it, such as the owner to a list of writers, but
// not values from before the request.
func isPart(of *schema.Shape, sent, shown, before any) bool {
	switch part := sent.(type) {
	case map[string]any:
		whole, ok := shown.(map[string]any)
		former, _ := before.(map[string]any)
		for name, value := range part {
			p, inner, other := of.Down(name, shown)
			_, there := whole[name]
			if p != nil && (p.WriteOnly && !there || isPassword(p)) {
				continue
			}
			unshown := p == nil && of != nil && len(of.Properties) > 0
			if !there && !unshown && value != nil && !isNothing(p, value) || there && !isNamed(name, value, other) && !isPart(inner, value, other, former[name]) {
				return false
			}
		}
		return ok
	case []any:
		whole, ok := shown.([]any)
		former, _ := before.([]any)
		return ok && areItems(of, part, whole, former)
	}
	return of.Means(sent, shown)
}

// isNamed reports whether an object inside a resource is shown with the id that was sent. Then its
// other values may differ, because the id may name another resource. It is false for an envelope.
func isNamed(name string, sent, shown any) bool {
	want, _ := sent.(map[string]any)
	got, _ := shown.(map[string]any)
	for key, id := range want {
		if IsID(key) && id != nil && instance.Equal(id, got[key]) {
			return !envelope.MatchString(name)
		}
	}
	return false
}

// areItems reports whether a list has all items that were sent, in the same order unless it is a
// set, and no items from before.
func areItems(of *schema.Shape, part, whole, former []any) bool {
	if areMerged(part, whole) || of != nil && of.AnyOrder && !slices.ContainsFunc(part, func(one any) bool { return !instance.Contains(whole, one) }) {
		return true
	}
	at := 0
	for i, item := range whole {
		_, each, _ := of.Down(strconv.Itoa(i), whole)
		switch {
		case at < len(part) && isItem(each, part[at], item):
			at++
		case !instance.Contains(part, item) && instance.Contains(former, item):
			return false
		}
		for at < len(part) && instance.Contains(part[:at], part[at]) {
			at++ // an item that is already there
		}
	}
	return at == len(part)
}

// isItem reports whether an item of a list is shown as it was sent.
func isItem(of *schema.Shape, sent, shown any) bool {
	_, isList := shown.([]any)
	return instance.Equal(sent, shown) || isNamed("", sent, shown) || !isList && isPart(of, sent, shown, nil)
}

// areMerged reports whether a shown list is shorter because two items that were sent name the same
// resource, such as two lines of an order. A service may add them up.
func areMerged(sent, shown []any) bool {
	return 0 < len(shown) && len(shown) < len(sent) && slices.ContainsFunc(sent, func(one any) bool {
		object, _ := one.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Keys(object)), func(name string) bool {
			isSame := func(other any) bool {
				value, there := instance.At(other, []string{name})
				return there && instance.Equal(value, object[name])
			}
			return reference.MatchString(name) && slices.ContainsFunc(sent[slices.IndexFunc(sent, isSame)+1:], isSame)
		})
	})
}

// reference matches the name of a property by which an item names a resource.
var reference = regexp.MustCompile(`(?i)(^|_)(id|sku|code|key|ref|number)$|I[dD]$`)

// sameItems reports whether two lists have the same items, in the same order unless the shape
// allows any order. Then a service may keep them as a set.
func sameItems(of *schema.Shape, want, got []any, same func(a, b any) bool) bool {
	if len(want) != len(got) || of == nil || !of.AnyOrder {
		return areMerged(want, got) || slices.EqualFunc(want, got, same)
	}
	return !slices.ContainsFunc(want, func(one any) bool {
		return !slices.ContainsFunc(got, func(other any) bool { return same(one, other) })
	})
}

// isTelling reports whether a value is or contains one that a service would not choose by itself.
func isTelling(of *schema.Shape, value any) bool {
	switch v := value.(type) {
	case string:
		return v != "" && (of == nil || !of.Enum)
	case json.Number:
		return v != "0" && v != "1" && (of == nil || !of.Enum)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool {
			_, each, _ := of.Down("0", value)
			return isTelling(each, item)
		})
	case map[string]any:
		for name := range v {
			if _, inner, one := of.Down(name, value); isTelling(inner, one) {
				return true
			}
		}
	}
	return false
}

// change says how a value differs from the one that was sent.
func change(want, got any) string {
	sent, wasText := want.(string)
	shown, isText := got.(string)
	list, wasList := want.([]any)
	items, isList := got.([]any)
	switch {
	case wasText && isText:
		return "comes back changed: " + instance.Difference(sent, shown)
	case wasList && isList && sameItems(&schema.Shape{AnyOrder: true}, list, items, instance.Equal):
		return "comes back in another order"
	case instance.TypeOf(want) != instance.TypeOf(got):
		return "comes back as " + schema.DescribeType(instance.TypeOf(got))
	}
	return "comes back changed"
}

// Whole compares a response of that shape with the request that it answers, if both have the same
// schema. only is true if the contract says in words that a response shows only what was sent.
func Whole(of *schema.Shape, sent, shown map[string]any, only bool) (list []Difference) {
	for _, p := range members(of, sent, shown) {
		if message, expected := difference(p, sent, shown, only); message != "" {
			list = append(list, Difference{[]string{p.Name}, message, expected})
		}
	}
	return list
}

// members returns the properties of an object. For a map, it returns one for each key of the
// values.
func members(of *schema.Shape, values ...map[string]any) []*schema.Property {
	if !of.IsMap() {
		return of.Properties
	}
	var names []string
	for _, value := range values {
		names = slices.AppendSeq(names, maps.Keys(value))
	}
	slices.Sort(names)
	return lists.Map(slices.Compact(names), of.Member)
}

// difference says how a property in the response differs from the request, as a predicate of the
// property, and what was expected. message is "" if it does not differ. Unless only is true (see
// [Whole]), the service may add values, such as a version or whether a user is active.
func difference(p *schema.Property, sent, shown map[string]any, only bool) (message, expected string) {
	want, wanted := sent[p.Name]
	got, present := shown[p.Name]
	isNone := wanted != present && want == nil && got == nil && (wanted || p.Shape.Allows("null")) || !present && isNothing(p, want)
	switch {
	case p.ReadOnly || p.WriteOnly || isPassword(p) || isNone || !wanted && instance.IsEmpty(got): // many services omit null, or show null or an empty list for a missing value
		return "", ""
	case wanted && !present:
		return NotShown, instance.Compact(want)
	case present && !wanted && (!only || p.Preset || assigned.MatchString(p.Name)):
		return "", ""
	case present && !wanted:
		return "is shown, though it was not sent", "no " + p.Name
	case wanted && !isNamed(p.Name, want, got) && !isShown(p.Shape, want, got, only):
		return change(want, got), instance.Compact(want)
	}
	return "", ""
}

// isNothing reports whether a value of an optional property is an empty list or object. Many
// services omit it, such as those with protocol buffers.
func isNothing(p *schema.Property, value any) bool {
	return p != nil && !p.Required && instance.IsEmpty(value) && p.Shape.Allows(instance.TypeOf(value))
}

// isShown reports whether a value is shown as it was sent, except for ids, defaults, undeclared
// properties, and properties that only one direction carries.
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

// shapeAt returns the shape of a value inside a value of that shape.
func shapeAt(of *schema.Shape, name string, value any) *schema.Shape {
	if of != nil && of.Unread {
		return of
	}
	_, inner, _ := of.Down(name, value)
	return inner
}

// assigned matches the names of ids that a service may assign if the request has none.
var assigned = regexp.MustCompile(`^(?i:_?id|_?key|uuid|guid)$|(Id|ID|[_-]id|Uuid|UUID)$`)
