package spec

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
)

// CheckEcho compares a success with the request that it answers: where the
// contract gives both the same schema, what comes back is what was sent. It
// says nothing where either is no JSON object, or may be read in several ways.
//
// The error is a [*LimitError] where the response exceeds a limit, or that of
// the context where it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request []byte, r Response, l Limits) (Check, error) {
	var c Check
	declared := op.response(r.Status)
	if declared == nil || !declared.echo {
		return c, nil
	}
	sent := newJSONReader(ctx, request, l)
	shown := newJSONReader(ctx, r.Body, l)
	want, err := sent.soleObject()
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err() //nolint:wrapcheck // says what it is
	case err != nil, want == nil, sent.surrogates > 0:
		return c, nil //nolint:nilerr // what cannot be read in one way only is not compared
	}
	got, err := shown.soleObject()
	if err != nil || got == nil {
		return c, err
	}
	c.Declared, c.Exercised = declared.status, []string{declared.ids.Echo()}
	for _, p := range declared.content[0].shape.properties {
		message, expected := difference(p, want, got)
		if message == "" {
			continue
		}
		b := Breach{Clause: declared.ids.Echo(), Message: message, Pointer: pointer([]string{p.name}), Expected: expected}
		var found bool
		if b.Offset, b.Actual, found = find(r.Body, []string{p.name}); !found {
			b.Actual = "no such property"
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// soleObject reads a JSON object. What is none, or has a key twice, is nil.
func (r *jsonReader) soleObject() (map[string]any, error) {
	value, err := r.read()
	var malformed *flawError
	if errors.As(err, &malformed) || len(r.duplicates) > 0 {
		return nil, nil
	}
	object, _ := value.(map[string]any)
	return object, err
}

// difference says what happened to a property on its way, as a predicate of
// it, and what was expected; nothing where it came back as it was sent.
func difference(p *property, sent, shown map[string]any) (message, expected string) {
	want, wanted := sent[p.name]
	got, present := shown[p.name]
	switch {
	case p.readOnly || p.writeOnly:
		return "", ""
	case wanted && !present:
		return "is missing, though it was sent", compact(want)
	case present && !wanted && !p.preset:
		return "is shown, though it was not sent", "no " + p.name
	case wanted && !equal(want, got):
		return change(want, got), compact(want)
	}
	return "", ""
}

// change says how a value differs from the one that was sent.
func change(want, got any) string {
	sent, wasText := want.(string)
	shown, isText := got.(string)
	switch {
	case wasText && isText:
		return textChange(sent, shown)
	case jsonType(want) != jsonType(got):
		return "comes back as " + jsonType(got)
	}
	return "comes back changed"
}

func jsonType(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
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
