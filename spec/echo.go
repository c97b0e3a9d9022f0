package spec

import (
	"encoding/json"
	"reflect"
)

// CheckEcho holds a success against the request it answers: where the
// contract gives both the same schema, what is shown is what was sent. It
// says nothing where either is no JSON object.
func (op *Operation) CheckEcho(request []byte, r Response) Check {
	var c Check
	declared := op.response(r.Status)
	if declared == nil || !declared.echo {
		return c
	}
	sent, _ := parseValue(request) // what is no JSON is no object either
	shown, _ := parseValue(r.Body)
	sentObject, ok := sent.(map[string]any)
	shownObject, shownOK := shown.(map[string]any)
	if !ok || !shownOK {
		return c
	}
	c.Declared, c.Exercised = declared.status, []string{declared.clause + "/echo"}
	for _, p := range declared.content[0].shape.properties {
		want, wanted := sentObject[p.name]
		got, present := shownObject[p.name]
		b := Breach{Clause: declared.clause + "/echo", Pointer: "/" + escape(p.name)}
		switch {
		case p.readOnly || p.writeOnly:
			continue
		case wanted && !present:
			b.Message, b.Expected = "is missing, though it was sent", compact(want)
		case present && !wanted && !p.preset:
			b.Message, b.Expected = "is shown, though it was not sent", "no "+p.name
		case wanted && !equal(want, got):
			b.Message, b.Expected = "differs from what was sent", compact(want)
		default:
			continue
		}
		var found bool
		if b.Offset, b.Actual, found = find(r.Body, b.Pointer); !found {
			b.Actual = "no such property"
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c
}

// equal compares JSON values, numbers by their value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		x, _ := rational(a)
		y, ok := rational(b)
		return ok && x.Cmp(y) == 0
	case []any:
		list, ok := b.([]any)
		if !ok || len(a) != len(list) {
			return false
		}
		for i := range a {
			if !equal(a[i], list[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := b.(map[string]any)
		if !ok || len(a) != len(object) {
			return false
		}
		for key := range a {
			other, present := object[key]
			if !present || !equal(a[key], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
