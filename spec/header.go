package spec

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// headers judges the header fields that the contract declares for the status.
func (c *check) headers(declared *response) {
	for _, h := range declared.headers {
		values := c.response.Header.Values(h.name)
		if len(values) == 0 {
			if h.required {
				c.exercise(h.clause)
				c.breach(Breach{
					Clause: h.clause, Message: "the header " + h.name + " is missing",
					Expected: "the header " + h.name + ", " + h.shape.describe(), Actual: "no such header", Offset: -1,
				})
			}
			continue
		}
		c.exercise(h.clause)
		text := strings.Join(values, ", ") // RFC 9110 §5.3
		if h.schema == nil {
			continue
		}
		var invalid *jsonschema.ValidationError
		if errors.As(h.schema.Validate(h.value(text)), &invalid) {
			t := teller{op: c.op, clause: h.clause}
			t.flatten(invalid)
			for _, b := range t.breaches {
				b.Clause, b.Pointer, b.Offset = h.clause, "", -1
				b.Message, b.Actual = "the header "+h.name+" "+b.Message, h.name+": "+text
				c.breach(b)
			}
		}
	}
}

// value reads a field in the style "simple" (OpenAPI 3.0.3, Header Object) as
// the type that its schema asks for; what cannot be read so stays a string
// and fails the schema as one.
func (h *responseHeader) value(text string) any {
	if slices.Contains(h.shape.types, "array") {
		list := []any{}
		for item := range strings.SplitSeq(text, ",") {
			list = append(list, scalar(h.shape.each, strings.TrimSpace(item)))
		}
		return list
	}
	return scalar(h.shape, text)
}

func scalar(s *shape, text string) any {
	if s == nil {
		return text
	}
	for _, t := range s.types {
		switch t {
		case "integer", "number":
			if json.Valid([]byte(text)) && len(text) <= maxNumberLength && strings.ContainsAny(text[:1], "-0123456789") {
				return instanceNumber(text)
			}
		case "boolean":
			if value, err := strconv.ParseBool(text); err == nil && (text == "true" || text == "false") {
				return value
			}
		}
	}
	return text
}
