package style

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
)

// Style says how the value of one parameter or form field is written.
type Style struct {
	Name     string // of the parameter
	In       string // path, query, header or cookie; a form field is written as in a query
	Kind     string // matrix, label, simple, form, spaceDelimited, pipeDelimited or deepObject; "" is a JSON text
	Explode  bool   // each item or property is written separately
	Reserved bool   // characters such as / and ? are not percent-encoded
}

// Pair is a name and a value as they are written in a query or a cookie. In a path or a header
// there is one pair, and only its value is written.
type Pair struct{ Name, Value string }

// Pairs splits a query or a cookie into names and values. It does not decode them.
func Pairs(text, between string) (list []Pair) {
	for part := range strings.SplitSeq(text, between) {
		if part = strings.TrimLeft(part, " "); part != "" {
			name, value, _ := strings.Cut(part, "=")
			list = append(list, Pair{Name: name, Value: value})
		}
	}
	return list
}

// Delimiter returns the delimiter between the items of a list that is not exploded, and between the
// names and values of an object.
func (s Style) Delimiter() string {
	return cmp.Or(map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[s.Kind], ",")
}

// Write returns the text of a value, percent-encoded in a path or a query. The error says why a
// value cannot be written: OpenAPI does not define this for null, an empty list or an object in a
// list, or the part of the request cannot contain it.
func (s Style) Write(value any) ([]Pair, error) {
	if s.Kind == "" {
		return []Pair{{s.escape(s.Name), s.escape(instance.Compact(value))}}, nil
	}
	if instance.IsEmpty(value) {
		return nil, errors.New("an empty list or object cannot be written")
	}
	switch value := value.(type) {
	case []any:
		return s.list(value)
	case map[string]any:
		return s.object(value)
	}
	if s.Kind == "deepObject" {
		return nil, errors.New("only an object can be written as a deepObject")
	}
	text, err := s.scalar(value)
	if err != nil {
		return nil, err
	}
	return s.joined(text), nil
}

func (s Style) list(items []any) ([]Pair, error) {
	var pairs []Pair
	var texts []string
	name := s.escape(s.Name)
	for _, item := range items {
		text, err := s.part(item)
		if err != nil {
			return nil, err
		}
		pairs, texts = append(pairs, Pair{name, text}), append(texts, text)
	}
	switch {
	case s.Kind == "deepObject":
		return nil, errors.New("a list cannot be written as a deepObject")
	case !s.Explode, s.Kind == "simple", s.Kind == "label":
		return s.joined(texts...), nil
	case s.Kind == "matrix":
		return []Pair{{name, ";" + name + "=" + strings.Join(texts, ";"+name+"=")}}, nil
	case s.In == "cookie":
		return nil, errors.New("a list cannot be written as several cookies")
	}
	return pairs, nil
}

func (s Style) object(properties map[string]any) ([]Pair, error) {
	var pairs []Pair
	var assigned, all []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		text, err := s.part(properties[name])
		if err != nil {
			return nil, err
		}
		if strings.ContainsAny(name, s.reservedIn()) {
			return nil, fmt.Errorf("the name %q has a delimiter in it", name)
		}
		key := s.escape(name)
		if s.Kind == "deepObject" {
			key = s.escape(s.Name) + "%5B" + key + "%5D"
		}
		pairs, assigned, all = append(pairs, Pair{key, text}), append(assigned, key+"="+text), append(all, key, text)
	}
	switch {
	case s.Kind == "deepObject", s.Explode && (s.In == "query" || s.In == "cookie"): // each property is a parameter or a cookie itself
		return pairs, nil
	case s.Explode && s.Kind == "matrix":
		return []Pair{{s.escape(s.Name), ";" + strings.Join(assigned, ";")}}, nil
	case s.Explode:
		return s.joined(assigned...), nil
	}
	return s.joined(all...), nil
}

// joined joins texts by the delimiter, after the prefix of the style.
func (s Style) joined(texts ...string) []Pair {
	text := strings.Join(texts, s.inURL(s.Delimiter()))
	switch {
	case s.Kind == "label" && s.Explode:
		text = "." + strings.Join(texts, ".")
	case s.Kind == "label":
		text = "." + text
	case s.Kind == "matrix":
		text = ";" + s.escape(s.Name) + "=" + text
	}
	return []Pair{{s.escape(s.Name), text}}
}

// inURL returns the delimiter, percent-encoded if it is in a URL.
func (s Style) inURL(delimiter string) string {
	if (s.In == "query" || s.In == "path") && delimiter != "," {
		return url.PathEscape(delimiter)
	}
	return delimiter
}

// part writes a value in a list or an object.
func (s Style) part(value any) (string, error) {
	text, err := s.scalar(value)
	if err == nil && s.In != "path" && s.In != "query" && strings.ContainsAny(text, s.reservedIn()) {
		return "", fmt.Errorf("the item %q has a delimiter in it", text)
	}
	return text, err
}

// reservedIn returns the characters that separate the parts of a list or an object.
func (s Style) reservedIn() string {
	return map[string]string{"spaceDelimited": " ,", "pipeDelimited": "|,", "label": ".,=", "matrix": ";,=", "deepObject": "[]"}[s.Kind] + ","
}

func (s Style) scalar(value any) (string, error) {
	text, isText := value.(string)
	if !isText {
		text = instance.Compact(value)
	}
	switch value.(type) {
	case string, json.Number, bool:
	default:
		return "", fmt.Errorf("the value of %s must be a string, a number or a boolean, found %s", cmp.Or(s.Name, "a part"), instance.Compact(value))
	}
	switch {
	case s.In == "path" && (text == "" || text == "." || text == ".."):
		return "", fmt.Errorf("%q cannot stand in a path: clients and servers clean it away (RFC 3986 §5.2.4)", text)
	case s.In == "header" && (strings.TrimSpace(text) != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })),
		s.In == "cookie" && strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`",;\`, r) }):
		return "", fmt.Errorf("%q cannot stand in a %s", text, s.In)
	}
	return s.escape(text), nil
}

// escape percent-encodes a text for a URL. A space becomes %20, which form parsers accept, too. A
// dollar sign stays, because it may begin a placeholder.
func (s Style) escape(text string) string {
	switch {
	case s.In != "path" && s.In != "query":
		return text
	case s.Reserved:
		return (&url.URL{Path: "/" + text}).EscapedPath()[1:]
	}
	return strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(text), "+", "%20"), "%24", "$")
}
