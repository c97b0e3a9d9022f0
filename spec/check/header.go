package check

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// headers judges the header fields that the contract declares for the status.
func (c *checking) headers(ctx context.Context, declared *spec.Declared) {
	c.unknown(declared.HeaderFlaw)
	for _, h := range declared.Headers {
		if h.Clause == "" {
			continue
		}
		values := c.response.Header.Values(h.Name)
		if len(values) == 0 {
			if h.Required {
				c.exercise(h.Clause)
				c.breach(Breach{
					Clause: h.Clause, Message: "comes without the header " + h.Name,
					Expected: "the header " + h.Name + h.Schema.Shape().DescribeAfter(", "), Actual: "no such header", Offset: -1,
				})
			}
			continue
		}
		if h.Flaw == nil {
			c.exercise(h.Clause)
		}
		if http.CanonicalHeaderKey(h.Name) != "Set-Cookie" { // RFC 9110 §5.3: the one field that cannot be joined
			values = []string{strings.Join(values, ", ")}
		}
		for _, text := range values {
			c.header(ctx, h, text)
		}
	}
}

// header judges one field by its schema.
func (c *checking) header(ctx context.Context, h *spec.DeclaredHeader, text string) {
	c.unknown(h.Flaw)
	if h.Inverted {
		return
	}
	faults, err := h.Schema.Faults(schema.Response, valueOf(ctx, h, text))
	c.unknown(uncompiled(err))
	for _, f := range faults {
		which := "which"
		if len(f.Path) > 0 {
			which = "in which " + f.Pointer()
		}
		c.breach(Breach{
			Clause: h.Clause, Message: "comes with the header " + h.Name + ", " + which + " " + f.Message,
			Expected: "the header " + h.Name + ", " + f.Expected, Actual: h.Name + ": " + text, Offset: -1,
		})
	}
}

// valueOf reads a field in the style "simple" (OpenAPI 3.0.3, Header Object and Style Values), or in
// JSON, as the type of its schema. A text that cannot be read stays a string, which then fails the
// schema. Documents that mean an object in JSON often omit that, so such a text is read as JSON, too.
func valueOf(ctx context.Context, h *spec.DeclaredHeader, text string) any {
	isObject := strings.HasPrefix(text, "{") && slices.Contains(h.Schema.Shape().Types, "object")
	if h.Kind == "" || isObject {
		if read, err := instance.Read(ctx, []byte(text), instance.Limits{}); err == nil {
			return read.Value
		}
	}
	switch {
	case h.Kind == "":
		return text
	case slices.Contains(h.Schema.Shape().Types, "array"):
		return lists.Map(items(text), func(item string) any { return scalar(h.Schema.Shape().Each, item) })
	case slices.Contains(h.Schema.Shape().Types, "object"):
		return objectOf(h, text)
	}
	return scalar(h.Schema.Shape(), text)
}

func objectOf(h *spec.DeclaredHeader, text string) any {
	list := items(text)
	object := map[string]any{}
	for len(list) > 0 {
		name, value, ok := list[0], "", false
		if h.Explode {
			name, value, ok = strings.Cut(list[0], "=")
			list = list[1:]
		} else if len(list) > 1 {
			value, ok = list[1], true
			list = list[2:]
		}
		if !ok {
			return text
		}
		_, s, _ := h.Schema.Shape().Down(name, map[string]any{})
		object[name] = scalar(s, value)
	}
	return object
}

// items splits a text at commas. An empty text has no items.
func items(text string) []string {
	if text == "" {
		return nil
	}
	return lists.Map(strings.Split(text, ","), strings.TrimSpace)
}

func scalar(s *schema.Shape, text string) any {
	if s == nil {
		return text
	}
	for _, t := range s.Types {
		switch t {
		case "string":
			return text
		case "integer", "number":
			if instance.IsNumber(text) {
				return instance.Number(text)
			}
		case "boolean":
			if text == "true" || text == "false" {
				return text == "true"
			}
		}
	}
	return text
}
