package mediatype

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/notes"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// Content describes bodies of one media type or of a range of media types.
type Content struct {
	MediaType   string // as the document writes it
	Schema      *schema.Schema
	Fields      map[string]Field // how the properties of a form are written, if the document says so
	Examples    []any            // of whole bodies, in the document's order; they may not meet the schema
	Type                         // what MediaType says
	notes.Touch                  // whether a flaw affects the schema
}

// Field says how one property of a form is written (OpenAPI 3.0.3, Encoding Object).
type Field struct {
	style.Style
	ContentType string // of its part in a multipart body; "" is the default for its type
	IsStyled    bool   // the document declares a style, which also applies to a multipart part (OpenAPI 3.1, Encoding Object)
}

// IsAnything reports whether the media type is */*.
func (c Content) IsAnything() bool { return c.Kind == "*" }

// IsJSONPatch reports whether a body is a JSON Patch, a list of operations (RFC 6902).
func (c Content) IsJSONPatch() bool {
	return strings.HasPrefix(c.MediaType, "application/json-patch+json")
}

// IsMergePatch reports whether a body is a merge patch of the stored value (RFC 7396).
func (c Content) IsMergePatch() bool {
	return strings.HasPrefix(c.MediaType, "application/merge-patch+json")
}

// MostSpecific returns the content with the most specific media type that covers named, or nil.
func MostSpecific(content []Content, named Type) (best *Content) {
	for i, c := range content {
		if c.Covers(named) && (best == nil || c.Precision() > best.Precision()) {
			best = &content[i]
		}
	}
	return best
}

// ResponseShape returns the shape of the bodies of a response. A problem document may have members
// that the contract does not declare (RFC 9457 §3.2).
func (c Content) ResponseShape() *schema.Shape {
	shape := c.Schema.Shape()
	if !c.isProblem() || shape.Closed {
		return shape
	}
	open := *shape
	open.Open = true
	return &open
}

func (c Content) isProblem() bool { return c.Subtype == "problem+json" }

// TellsOtherStatus reports whether the status member of a problem document is not the status of the
// response, although the schema allows this status, too.
func (c Content) TellsOtherStatus(value any, status int) bool {
	place := []string{"status"}
	told, _ := instance.At(value, place)
	number, isNumber := told.(json.Number)
	should := json.Number(strconv.Itoa(status))
	if !c.isProblem() || !isNumber || instance.Equal(number, should) {
		return false
	}
	now, err := c.Schema.Faults(schema.Response, value)
	then, _ := c.Schema.Faults(schema.Response, instance.Put(value, place, should))
	return err == nil && len(now) == len(then)
}

// As returns c for bodies with the media type application/subtype, which the range c includes.
func (c Content) As(subtype string) Content {
	c.Type = Type{Kind: "application", Subtype: subtype}
	c.MediaType = c.Kind + "/" + subtype
	return c
}

// IsText reports whether c is a media type range and mediaType is not JSON. Then any text is a
// valid body.
func (c Content) IsText(mediaType string) bool { return c.IsRange() && !IsJSONType(mediaType) }

// IsPatch reports whether a body has a list of operations that each name a path within the stored value: a
// JSON Patch, or an object with such a list (RFC 7644 §3.5.2). The schema does not say which operations fit.
func (c Content) IsPatch() bool {
	isList := func(s *schema.Shape) bool {
		return s != nil && s.Each != nil && s.Each.Property("op") != nil && s.Each.Property("path") != nil
	}
	whole := c.Schema.Shape()
	return c.IsJSONPatch() || isList(whole) || slices.ContainsFunc(whole.Properties, func(p *schema.Property) bool { return isList(p.Shape) })
}

// IsJSONType reports whether a text is the name of a JSON media type.
func IsJSONType(name string) bool {
	m, err := Parse(name)
	return err == nil && m.IsJSON()
}

// ErrUnread is returned for a body of a media type that this harness does not read.
var ErrUnread = errors.New("the media type is not read")

// Read returns the value in a body of that media type. If a text has several readings, it prefers
// one that meets the schema. The error is an [*instance.LimitError], or says that the bytes do not
// have that media type or that the media type is not read.
func (c Content) Read(sent Type, body []byte) (any, error) {
	switch {
	case sent.IsJSON():
		text, err := instance.Read(context.Background(), body, instance.Limits{})
		return text.Value, err
	case sent.Subtype == "x-www-form-urlencoded":
		return c.fields(style.Pairs(string(body), "&")), nil
	case sent.IsForm():
		return c.parts(body, sent.Parameters["boundary"])
	case sent.Kind == "text" && sent.Subtype == "plain", sent.Kind == "application" && sent.Subtype == "octet-stream":
		return closest(c.Schema, []any{string(body)}), nil
	}
	return nil, ErrUnread
}

// closest returns the first reading that meets the schema, or else the first reading.
func closest(s *schema.Schema, readings []any) any {
	if met, ok := lists.First(readings, func(value any) bool { return s.Meets(schema.Request, value) }); ok {
		return met
	}
	return readings[0]
}

// TellsText reports whether the body is a plain text and its schema requires more than a string.
func (c Content) TellsText() bool {
	if c.Kind != "text" || c.Subtype != "plain" {
		return false
	}
	shape := c.Schema.Shape()
	return slices.Equal(shape.Types, []string{"string"}) && !shape.IsFile() && shape.Describe() != "a string"
}
