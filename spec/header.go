package spec

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// headers judges the header fields that the contract declares for the status.
func (c *check) headers(ctx context.Context, declared *response) {
	c.unknown(declared.flawed)
	for _, h := range declared.headers {
		if h.clause == "" {
			continue
		}
		values := c.response.Header.Values(h.name)
		if len(values) == 0 {
			if h.required {
				c.exercise(h.clause)
				c.breach(Breach{
					Clause: h.clause, Message: "comes without the header " + h.name,
					Expected: h.expected(), Actual: "no such header", Offset: -1,
				})
			}
			continue
		}
		if h.touch.Note == nil {
			c.exercise(h.clause)
		}
		if http.CanonicalHeaderKey(h.name) != "Set-Cookie" { // RFC 9110 §5.3: the one field that cannot be joined
			values = []string{strings.Join(values, ", ")}
		}
		for _, text := range values {
			c.header(ctx, h, text)
		}
	}
}

// header judges one field by its schema.
func (c *check) header(ctx context.Context, h *responseHeader, text string) {
	c.unknown(h.touch.Note)
	if h.touch.Inverted {
		return
	}
	faults, err := h.schema.Faults(schema.Response, h.value(ctx, text))
	c.unknown(uncompiled(err))
	for _, f := range faults {
		which := "which"
		if len(f.Path) > 0 {
			which = "in which " + f.Pointer()
		}
		c.breach(Breach{
			Clause: h.clause, Message: "comes with the header " + h.name + ", " + which + " " + f.Message,
			Expected: "the header " + h.name + ", " + f.Expected, Actual: h.name + ": " + text, Offset: -1,
		})
	}
}

func (h *responseHeader) expected() string {
	if kind := h.schema.Shape().Describe(); kind != schema.Anything {
		return "the header " + h.name + ", " + kind
	}
	return "the header " + h.name
}

// value reads a field in the style "simple" (OpenAPI 3.0.3, Header Object and
// Style Values) as the type that its schema asks for; what cannot be read so
// stays a string and fails the schema as one. So is it with one that holds JSON.
func (h *responseHeader) value(ctx context.Context, text string) any {
	if h.json {
		if read, err := instance.Read(ctx, []byte(text), instance.Limits{}); err == nil {
			return read.Value
		}
		return text
	}
	switch {
	case slices.Contains(h.schema.Shape().Types, "array"):
		list := []any{}
		for _, item := range items(text) {
			list = append(list, scalar(h.schema.Shape().Each, item))
		}
		return list
	case slices.Contains(h.schema.Shape().Types, "object"):
		return h.object(text)
	}
	return scalar(h.schema.Shape(), text)
}

func (h *responseHeader) object(text string) any {
	list := items(text)
	object := map[string]any{}
	for len(list) > 0 {
		name, value, ok := list[0], "", false
		if h.explode {
			name, value, ok = strings.Cut(list[0], "=")
			list = list[1:]
		} else if len(list) > 1 {
			value, ok = list[1], true
			list = list[2:]
		}
		if !ok {
			return text
		}
		_, s, _ := h.schema.Shape().Down(name, map[string]any{})
		object[name] = scalar(s, value)
	}
	return object
}

// items are those between the commas; an empty text has none.
func items(text string) []string {
	if text == "" {
		return nil
	}
	list := strings.Split(text, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
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
				value, _ := strconv.ParseBool(text)
				return value
			}
		}
	}
	return text
}
