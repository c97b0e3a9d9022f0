package spec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// pairs splits a query or a cookie into names and values. It does not decode them.
func pairs(text, between string) (list []style.Pair) {
	for part := range strings.SplitSeq(text, between) {
		if part = strings.TrimLeft(part, " "); part != "" {
			name, value, _ := strings.Cut(part, "=")
			list = append(list, style.Pair{Name: name, Value: value})
		}
	}
	return list
}

// pairsOf returns the pairs of a request that may belong to a parameter. It excludes other
// parameters, because the properties of an object may have any name.
func (op *Operation) pairsOf(p Parameter, r Request) (list []style.Pair) {
	switch p.In {
	case "path":
		if found := op.inPath(r.Path); found != nil {
			for i, name := range placeholder().FindAllString(op.Path, -1) {
				if name == "{"+p.Name+"}" {
					list = []style.Pair{{Name: p.Name, Value: found[i+1]}}
				}
			}
		}
		return list
	case "header":
		if lines := r.Header.Values(p.Name); len(lines) > 0 {
			list = []style.Pair{{Name: p.Name, Value: strings.Join(lines, ",")}} // RFC 9110 §5.3
		}
		return list
	case "cookie":
		for _, line := range r.Header.Values("Cookie") {
			list = append(list, pairs(line, ";")...)
		}
	default:
		list = pairs(r.Query, "&")
	}
	return slices.DeleteFunc(list, func(pair style.Pair) bool {
		return slices.ContainsFunc(op.Parameters, func(other Parameter) bool {
			return other.In == p.In && other.Name != p.Name && other.Name == pair.Name
		})
	})
}

// inPath returns a path and the texts of the parameters in it. It returns nil if the path is not
// that of the operation, can be split in several ways, or also matches an operation with fewer
// parameters. A service may decode a path before it splits it.
func (op *Operation) inPath(path string) []string {
	if shared().MatchString(op.Path) {
		for _, methods := range op.reader.paths {
			other := methods[op.Method]
			if other != nil && strings.Count(other.Path, "{") < strings.Count(op.Path, "{") && other.inPath(path) != nil {
				return nil
			}
		}
	}
	longest, shortest := op.template()
	decoded, _ := url.PathUnescape(path)
	for _, text := range []string{decoded, path} {
		if !slices.Equal(longest.FindStringSubmatch(text), shortest.FindStringSubmatch(text)) {
			return nil
		}
	}
	return longest.FindStringSubmatch(path)
}

// shared matches a path that has several parameters in one segment.
var shared = pattern.Lazy(`\{[^/]*\{`)

// meets reports whether a reading of the parameter in these pairs meets its schema. known is false
// if the document does not settle this.
func (p Parameter) meets(pairs []style.Pair) (meets, known bool) {
	readings, present, complete := p.Readings(pairs, p.Schema.Shape().Types)
	if p.Spreads() { // an undeclared name may belong to another parameter
		own, here, whole := p.Readings(lists.Filter(pairs, func(pair style.Pair) bool {
			return p.Schema.Shape().Property(p.Unescape(pair.Name)) != nil
		}), p.Schema.Shape().Types)
		if present && !here {
			return !p.Required, true
		}
		readings, complete = append(readings, own...), complete && whole
	}
	switch {
	case !present && p.In == "path": // the path is not that of the operation
		return true, false
	case !present:
		return !p.Required, true
	case p.Content != "" && !isJSONType(p.Content):
		return true, false
	}
	for _, value := range readings {
		faults, err := p.Schema.Faults(schema.Request, value)
		if err != nil {
			return true, false
		}
		if len(faults) == 0 { // the document does not say whether an empty text is a value (OpenAPI 3.0.3, Parameter Object, allowEmptyValue)
			return true, !slices.ContainsFunc(pairs, func(pair style.Pair) bool { return pair.Name == p.Name && pair.Value == "" })
		}
	}
	complete = complete && !p.hasParts(pairs)
	return !complete, complete
}

// hasParts reports whether a text may contain a property that is a list or an object. No style
// defines how to write it.
func (p Parameter) hasParts(pairs []style.Pair) bool {
	return p.Kind != "" && slices.ContainsFunc(p.Schema.Shape().Properties, func(of *schema.Property) bool {
		return of.Shape.HasParts() && slices.ContainsFunc(pairs, func(pair style.Pair) bool {
			return strings.Contains(p.Unescape(pair.Name), of.Name) || strings.Contains(p.Unescape(pair.Value), of.Name)
		})
	})
}

func isJSONType(name string) bool {
	m, err := mediatype.Parse(name)
	return err == nil && m.IsJSON()
}

// errUnread is returned for a body of a media type that this harness does not read.
var errUnread = errors.New("the media type is not read")

// read returns the value in a body of that media type. If a text has several readings, it prefers
// one that meets the schema. The error is [errUnread], a [*instance.LimitError], or says that the
// bytes do not have that media type.
func (c Content) read(sent mediatype.Type, body []byte) (any, error) {
	switch {
	case sent.IsJSON():
		text, err := instance.Read(context.Background(), body, instance.Limits{})
		return text.Value, err
	case sent.Subtype == "x-www-form-urlencoded":
		return c.fields(pairs(string(body), "&")), nil
	case sent.IsForm():
		return c.parts(body, sent.Parameters["boundary"])
	case sent.Kind == "text" && sent.Subtype == "plain", sent.Kind == "application" && sent.Subtype == "octet-stream":
		return closest(c.Schema, []any{string(body)}), nil
	}
	return nil, errUnread
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
		if isJSONType(part.Header.Get("Content-Type")) {
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

// closest returns the first reading that meets the schema, or else the first reading.
func closest(s *schema.Schema, readings []any) any {
	if met, ok := lists.First(readings, func(value any) bool { return s.Meets(schema.Request, value) }); ok {
		return met
	}
	return readings[0]
}

// tellsText reports whether the body is a plain text and its schema requires more than a string.
func (c Content) tellsText() bool {
	if c.parsed.Kind != "text" || c.parsed.Subtype != "plain" {
		return false
	}
	shape := c.Schema.Shape()
	return slices.Equal(shape.Types, []string{"string"}) && !shape.IsFile() && shape.Describe() != "a string"
}

// text judges a plain text in UTF-8 or ASCII. If the text does not meet the schema, it tries the
// text without the line break at the end, which may not be part of the value.
func (c *check) text(declared *Declared, media *Content) {
	named, err := mediatype.Parse(c.response.Header.Get("Content-Type"))
	charset := strings.ToLower(cmp.Or(named.Parameters["charset"], "utf-8"))
	if err != nil || named.Kind != "text" || named.Subtype != "plain" || charset != "utf-8" && charset != "us-ascii" ||
		!utf8.Valid(c.response.Body) || c.response.Header.Get("Content-Encoding") != "" {
		return
	}
	text := string(c.response.Body)
	faults, err := media.Schema.Faults(schema.Response, text)
	if err != nil {
		c.unknown(uncompiled(err))
		return
	}
	c.exercise(declared.ids.Body())
	if line, ended := strings.CutSuffix(text, "\n"); ended && len(faults) > 0 {
		faults, _ = media.Schema.Faults(schema.Response, strings.TrimSuffix(line, "\r"))
	}
	if len(faults) > 0 {
		c.breach(Breach{Clause: declared.ids.Body(), Message: faults[0].Message, Expected: faults[0].Expected, Actual: text, Offset: 0})
	}
}
