package mediatype

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/textproto"
	"path"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// boundary separates the parts of multipart bodies. It is always the same, so that
// two runs send the same bytes.
const boundary = "conformance-boundary"

// Write returns the bytes of a body that is not JSON, such as a form or a text, and the
// media type to declare for it. The error says why the value cannot be written.
func (c Content) Write(value any) (body []byte, mediaType string, err error) {
	object, isObject := value.(map[string]any)
	text, isText := value.(string)
	switch {
	case c.IsForm() && !isObject:
		return nil, "", errors.New("a form is written from an object")
	case c.Kind == "multipart" && c.IsForm():
		body, err = c.multipart(object)
		return body, c.MediaType + "; boundary=" + boundary, err
	case c.IsForm():
		body, err = c.urlencoded(object)
		return body, c.MediaType, err
	case isText:
		body, _ = file(c.MediaType, c.Schema, text)
		return body, c.MediaType, nil
	}
	return nil, "", errors.New("it is written from a text")
}

func (c Content) urlencoded(object map[string]any) ([]byte, error) {
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		pairs, err := c.fieldStyle(name).Write(object[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range pairs {
			fields = append(fields, p.Name+"="+p.Value)
		}
	}
	return []byte(strings.Join(fields, "&")), nil
}

// multipart writes each property, and each item of a list, as a part. An object is a part in JSON
// (OpenAPI 3.0.3, Special Considerations for multipart Content). A body has at least one part (RFC 2046 §5.1).
func (c Content) multipart(object map[string]any) ([]byte, error) {
	if len(object) == 0 {
		return nil, errors.New("it has no parts")
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.SetBoundary(boundary) // this boundary is valid
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
	case isObject, IsJSONType(kind):
		text, kind = instance.Compact(value), cmp.Or(kind, "application/json")
	default:
		pairs, err := style.Style{In: "body", Kind: "form"}.Write(value)
		if err != nil {
			return err
		}
		text = pairs[0].Value
	}
	kind, _, _ = strings.Cut(kind, ",")
	disposition, data := `form-data; name="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)+`"`, []byte(text)
	if p := c.Schema.Shape().Property(c.declared(name)); p != nil && p.Shape.IsFile() {
		kind = cmp.Or(kind, "application/octet-stream")
		var ending string
		data, ending = file(kind, c.Schema.Of(p), text)
		disposition = multipart.FileContentDisposition(name, "conformance-$freshId."+ending) // a service may refuse a second file with the same name
	}
	header := textproto.MIMEHeader{"Content-Disposition": {disposition}}
	if kind != "" && !strings.Contains(kind, "*") {
		header["Content-Type"] = []string{strings.TrimSpace(kind)}
	}
	part, err := w.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	return err
}

// samples are small files by media type: images of 8 by 8 white pixels, an empty page (ISO 32000-1
// §7.5), an archive with one text file.
//
//go:embed sample
var samples embed.FS

// file returns a sample file of a media type and its extension. It replaces a generated text,
// because a service may inspect the file. If the schema limits the text, or there is no sample,
// file returns the text. As in the texts of fixtures, $$ stands for one dollar sign.
func file(kind string, of *schema.Schema, text string) (data []byte, ending string) {
	limited := of.Place.Get("maxLength") != nil || of.Place.Get("minLength") != nil || of.Place.Get("pattern") != nil
	kind = strings.TrimSpace(strings.ToLower(kind))
	data, err := samples.ReadFile("sample/" + kind)
	if err != nil || limited || !strings.HasPrefix(text, "conformance ") {
		return []byte(text), "txt"
	}
	return bytes.ReplaceAll(data, []byte("$"), []byte("$$")), path.Base(kind)
}

func (c Content) fields(all []style.Pair) any {
	object := map[string]any{}
	for _, p := range c.Schema.Shape().Properties {
		s := c.fieldStyle(p.Name)
		if readings, present, _ := s.Readings(all, p.Shape.Types); present {
			object[p.Name] = closest(c.Schema.Of(p), readings)
		}
	}
	for _, pair := range all {
		if name := (style.Style{In: "query"}).Unescape(pair.Name); c.Schema.Shape().Property(name) == nil && !strings.Contains(name, "[") {
			object[name] = pair.Value
		}
	}
	return object
}

// declared returns the name of a form property in the contract. Fixtures write $$ for each dollar
// sign in it.
func (c Content) declared(name string) string {
	if c.Schema.Shape().Property(name) == nil {
		return strings.ReplaceAll(name, "$$", "$")
	}
	return name
}

// fieldStyle returns the style of a form property.
func (c Content) fieldStyle(name string) style.Style {
	if f, ok := c.Fields[c.declared(name)]; ok {
		f.Style.Name = name
		return f.Style
	}
	return style.Style{Name: name, In: "query", Kind: "form", Explode: true}
}

func (c Content) parts(body []byte, boundary string) (any, error) {
	r, hasEnd := multipart.NewReader(bytes.NewReader(body), boundary), bytes.Contains(body, []byte("--"+boundary+"--"))
	parts := map[string]sameName{}
	for {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		same := parts[part.FormName()]
		same.texts = append(same.texts, string(data))
		if IsJSONType(part.Header.Get("Content-Type")) {
			text, err := instance.Read(context.Background(), data, instance.Limits{})
			if err != nil {
				return nil, err
			}
			same.values, same.json = append(same.values, text.Value), true
		} else {
			same.values = append(same.values, string(data))
		}
		parts[part.FormName()] = same
	}
	if len(parts) == 0 && !hasEnd {
		return nil, errors.New("there is no part")
	}
	object := map[string]any{}
	for name, same := range parts {
		object[name] = same.values[0]
		if p := c.Schema.Shape().Property(name); p != nil {
			object[name] = closest(c.Schema.Of(p), same.readings(p.Shape.Types))
		}
	}
	return object, nil
}

// sameName has the parts with one name.
type sameName struct {
	values []any // the values of JSON parts, the texts of others
	texts  []string
	json   bool // at least one part is JSON
}

// readings returns the possible values of the parts. A file or a text may contain JSON.
func (s sameName) readings(types []string) []any {
	texts := lists.Map(s.texts, func(text string) any { return text })
	pairs := lists.Map(s.texts, func(text string) style.Pair { return style.Pair{Value: text} })
	switch {
	case s.json && len(s.values) == 1:
		return []any{s.values[0], s.values, s.texts[0], texts}
	case s.json:
		return []any{s.values, texts}
	}
	readings, _, _ := style.Style{In: "cookie", Kind: "form", Explode: true}.Readings(pairs, types)
	return readings
}
