package style

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// maxCombined limits the number of readings of a list or an object whose items have several
// readings each.
const maxCombined = 256

// Readings returns the values that a service may read from the text of a parameter, the more likely
// ones first: as written, by types, and as a list with one item. complete is false if there are
// more values than that.
//
// pairs are those of the whole query or of all cookies, or the one of a path or a header. present
// is false if none of them belongs to the parameter. types are those that its schema allows. An
// empty list means all types except objects.
func (s Style) Readings(pairs []Pair, types []string) (values []any, present, complete bool) {
	own := s.own(pairs)
	if s.Kind == "" {
		return s.json(own), len(own) > 0, true
	}
	complete = true
	take := func(more []any, whole bool) {
		values, complete = append(values, more...), complete && whole
	}
	isList := len(types) == 0 || slices.Contains(types, "array")
	if len(own) == 1 || !isList {
		for _, pair := range own {
			values = append(values, scalars(s.Unescape(s.bare(pair.Value)))...)
		}
	}
	if isList {
		if len(own) == 1 && s.bare(own[0].Value) == "" {
			values = append(values, []any{}) // OpenAPI defines no text for an empty list
		}
		for _, items := range s.lists(own) {
			take(combined(items, func(chosen []any) any { return chosen }))
		}
	}
	if slices.Contains(types, "object") { // otherwise every other query parameter could be a property
		for _, fields := range s.objects(pairs, own) {
			if len(fields) > 0 {
				present = true
				take(combinedFields(fields))
			}
		}
	}
	for _, value := range slices.Clone(values) {
		if _, list := value.([]any); !list {
			values = append(values, []any{value})
		}
	}
	return values, present || len(own) > 0, complete
}

// json reads texts in JSON. A text that is not JSON is a string.
func (s Style) json(own []Pair) (values []any) {
	for _, pair := range own {
		var value any = s.Unescape(pair.Value)
		if text, err := instance.Read(context.Background(), []byte(s.Unescape(pair.Value)), instance.Limits{}); err == nil {
			value = text.Value
		}
		values = append(values, value)
	}
	return values
}

// own returns the pairs with the name of the parameter.
func (s Style) own(pairs []Pair) []Pair {
	if s.In == "path" || s.In == "header" {
		return pairs
	}
	return lists.Filter(pairs, func(p Pair) bool { return s.Unescape(p.Name) == s.Name })
}

// bare returns the text of a value without the prefix of its style.
func (s Style) bare(text string) string {
	switch s.Kind {
	case "label":
		return strings.TrimPrefix(text, ".")
	case "matrix":
		text = strings.TrimPrefix(text, ";")
		if bare, ok := strings.CutPrefix(text, s.escape(s.Name)+"="); ok {
			return bare
		}
	}
	return text
}

// lists returns the possible lists of items: each text is an item, or a single text is split at
// delimiters. A service may split before or after it decodes.
func (s Style) lists(own []Pair) (found [][]string) {
	if len(own) == 0 {
		return nil
	}
	if len(own) > 1 {
		return [][]string{lists.Map(own, func(p Pair) string { return s.Unescape(p.Value) })}
	}
	for _, between := range []string{s.inURL(s.Delimiter()), s.Delimiter(), map[string]string{"label": ".", "matrix": ";"}[s.Kind]} {
		if between == "" {
			continue
		}
		raw := lists.Map(strings.Split(s.bare(own[0].Value), between), func(item string) string {
			return s.Unescape(strings.TrimPrefix(item, s.escape(s.Name)+"="))
		})
		decoded := strings.Split(s.Unescape(s.bare(own[0].Value)), between)
		for _, list := range [][]string{raw, decoded} {
			if !slices.ContainsFunc(found, func(other []string) bool { return slices.Equal(list, other) }) {
				found = append(found, list)
			}
		}
	}
	return found
}

// objects returns the possible lists of properties.
func (s Style) objects(all, own []Pair) (objects [][]Pair) {
	isDeep := s.Kind == "deepObject"
	if isDeep || s.Explode && (s.In == "query" || s.In == "cookie") { // some pairs may be other parameters
		var fields []Pair
		for _, p := range all {
			name, isInside := s.Unescape(p.Name), true
			if isDeep {
				inner, isOpen := strings.CutPrefix(name, s.Name+"[")
				name, isInside = strings.CutSuffix(inner, "]")
				isInside = isInside && isOpen
			}
			if isInside {
				fields = append(fields, Pair{name, s.Unescape(p.Value)})
			}
		}
		return [][]Pair{fields}
	}
	for _, items := range s.lists(own) {
		var assigned, flat []Pair
		for i, item := range items {
			if name, value, ok := strings.Cut(item, "="); ok {
				assigned = append(assigned, Pair{name, value})
			}
			if i%2 == 1 {
				flat = append(flat, Pair{items[i-1], item})
			}
		}
		objects = append(objects, assigned)
		if len(items)%2 == 0 {
			objects = append(objects, flat)
		}
	}
	return objects
}

// Unescape decodes a percent-encoded text of a path or a query. It returns other texts unchanged.
func (s Style) Unescape(text string) string {
	if s.In != "path" && s.In != "query" {
		return text
	}
	unescape := url.QueryUnescape
	if s.In == "path" {
		unescape = url.PathUnescape
	}
	if meant, err := unescape(text); err == nil {
		return meant
	}
	return text
}

// scalars returns the scalar values that a text may mean. OpenAPI does not define how to write a
// number, a boolean or null as text.
func scalars(text string) []any {
	values := []any{text}
	if trimmed := strings.TrimSpace(text); instance.IsNumber(trimmed) {
		values = append(values, instance.Number(trimmed))
	} else if number, err := strconv.ParseFloat(strings.ReplaceAll(trimmed, "_", "x"), 64); err == nil {
		if literal := strconv.FormatFloat(number, 'f', -1, 64); instance.IsNumber(literal) { // 07, +7, .5, but not NaN
			values = append(values, instance.Number(literal))
		}
	}
	switch strings.ToLower(text) {
	case "true", "t", "1", "yes", "y", "on":
		values = append(values, true)
	case "false", "f", "0", "no", "n", "off":
		values = append(values, false)
	case "", "null", "nil", "none":
		values = append(values, nil)
	}
	if text == "" { // a name without a value may be a flag that is set
		values = append(values, true)
	}
	return values
}

// combinedFields is combined for the values of an object.
func combinedFields(fields []Pair) (values []any, whole bool) {
	return combined(lists.Map(fields, func(f Pair) string { return f.Value }), func(chosen []any) any {
		object := map[string]any{}
		for i, f := range fields {
			object[f.Name] = chosen[i]
		}
		return object
	})
}

// combined builds a value from each combination of readings of the items. whole is false if there
// are more than maxCombined.
func combined(items []string, build func([]any) any) (values []any, whole bool) {
	readings := make([][]any, len(items))
	count := 1
	for i, item := range items {
		readings[i] = scalars(item)
		count = min(count*len(readings[i]), maxCombined+1)
	}
	for kind := 0; count > maxCombined && kind < 3; kind++ { // first the same kind for all items, such as a list of numbers
		chosen := make([]any, len(items))
		for i, each := range readings {
			chosen[i] = each[min(kind, len(each)-1)]
		}
		values = append(values, build(chosen))
	}
	for n := range min(count, maxCombined) {
		chosen := make([]any, len(items))
		for i, each := range readings {
			chosen[i], n = each[n%len(each)], n/len(each)
		}
		values = append(values, build(chosen))
	}
	return values, count <= maxCombined
}
