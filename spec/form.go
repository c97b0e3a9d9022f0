package spec

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/style"
)

// boundary separates the parts of multipart bodies. It is always the same, so that
// two runs send the same bytes.
const boundary = "conformance-boundary"

// Write gives the bytes of a body that is no JSON text: a form, or a text. The
// media type is the one to declare it as. The error says why there are none.
func (c Content) Write(value any) (body []byte, mediaType string, err error) {
	object, isObject := value.(map[string]any)
	text, isText := value.(string)
	switch {
	case c.parsed.IsForm() && !isObject:
		return nil, "", errors.New("a form is written from an object")
	case c.parsed.Kind == "multipart" && c.parsed.IsForm():
		body, err = c.multipart(object)
		return body, c.MediaType + "; boundary=" + boundary, err
	case c.parsed.IsForm():
		body, err = c.urlencoded(object)
		return body, c.MediaType, err
	case isText:
		return []byte(text), c.MediaType, nil
	}
	return nil, "", errors.New("it is written from a text")
}

func (c Content) urlencoded(object map[string]any) ([]byte, error) {
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		pairs, err := c.FieldStyle(name).Write(object[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range pairs {
			fields = append(fields, p.Name+"="+p.Value)
		}
	}
	return []byte(strings.Join(fields, "&")), nil
}

// multipart writes each property as a part, and each item of a list; an object is
// a part in JSON (OpenAPI 3.0.3, Special Considerations for multipart Content).
func (c Content) multipart(object map[string]any) ([]byte, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.SetBoundary(boundary) // which is a valid one
	for _, name := range slices.Sorted(maps.Keys(object)) {
		items, isList := object[name].([]any)
		if _, isObject := object[name].(map[string]any); c.Fields[c.declared(name)].IsStyled && (isList || isObject) {
			return nil, fmt.Errorf("%s: no parts are written in a style", name)
		}
		if !isList {
			items = []any{object[name]}
		}
		for _, item := range items {
			if err := c.part(w, name, item); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func (c Content) part(w *multipart.Writer, name string, value any) error {
	var text string
	kind := c.Fields[c.declared(name)].ContentType
	_, isObject := value.(map[string]any)
	switch {
	case isObject, isJSONType(kind):
		text = instance.Compact(value)
		if kind == "" {
			kind = "application/json"
		}
	default:
		pairs, err := style.Style{In: "body", Kind: "form"}.Write(value)
		if err != nil {
			return err
		}
		text = pairs[0].Value
	}
	disposition := multipart.FileContentDisposition(name, "conformance.txt")
	if p := c.Schema.Shape().Property(c.declared(name)); p == nil || !p.Shape.IsFile() {
		disposition = `form-data; name="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	} else if kind == "" {
		kind = "application/octet-stream"
	}
	header := textproto.MIMEHeader{"Content-Disposition": {disposition}}
	if first, _, _ := strings.Cut(kind, ","); first != "" && !strings.Contains(first, "*") {
		header["Content-Type"] = []string{strings.TrimSpace(first)}
	}
	part, err := w.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = part.Write([]byte(text))
	return err
}
