package spec

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/textchange"
)

// CheckEcho compares a success with the request that it answers: where the
// contract gives both the same schema, what comes back is what was sent. It
// says nothing where either is no JSON object, or may be read in several ways.
//
// The error is a [*instance.LimitError] where the response exceeds a limit, or that of
// the context where it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request []byte, r Response, l instance.Limits) (Check, error) {
	var c Check
	op.derive()
	declared := op.response(r.Status)
	if declared == nil || !declared.echo || declared.content[0].Flaw != nil {
		return c, nil
	}
	sent, err := instance.Read(ctx, request, l)
	want, _ := sent.Value.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err() //nolint:wrapcheck // says what it is
	case err != nil, want == nil, len(sent.Duplicates) > 0, sent.Surrogates > 0:
		return c, nil //nolint:nilerr // what cannot be read in one way only is not compared
	}
	shown, err := instance.Read(ctx, r.Body, l)
	var flaw *instance.FlawError
	got, _ := shown.Value.(map[string]any)
	switch {
	case errors.As(err, &flaw):
		return c, nil // which is told where the body is judged
	case err != nil:
		return c, err //nolint:wrapcheck // of the limit or the context: it says what it is
	case got == nil, len(shown.Duplicates) > 0:
		return c, nil
	}
	c.Declared, c.Exercised = declared.status, []string{declared.ids.Echo()}
	for _, p := range declared.content[0].Schema.Shape().Properties {
		message, expected := difference(p, want, got)
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

// difference says what happened to a property on its way, as a predicate of
// it, and what was expected; nothing where it came back as it was sent.
func difference(p *schema.Property, sent, shown map[string]any) (message, expected string) {
	want, wanted := sent[p.Name]
	got, present := shown[p.Name]
	switch {
	case p.ReadOnly || p.WriteOnly:
		return "", ""
	case wanted && !present:
		return "is missing, though it was sent", instance.Compact(want)
	case present && !wanted && !p.Preset:
		return "is shown, though it was not sent", "no " + p.Name
	case wanted && !instance.Equal(want, got):
		return change(want, got), instance.Compact(want)
	}
	return "", ""
}

// change says how a value differs from the one that was sent.
func change(want, got any) string {
	sent, wasText := want.(string)
	shown, isText := got.(string)
	switch {
	case wasText && isText:
		return textchange.Describe(sent, shown)
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
