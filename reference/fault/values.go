package fault

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PropertyOf edits the JSON of a property of any kind that is present.
func PropertyOf(name string, edit TextEdit) TextEdit { return Property(name, Present, edit) }

// ListOf is the values of a list, and none where the text is no list.
func ListOf(text string) (values []jsontext.Value) {
	if json.Unmarshal([]byte(text), &values) != nil {
		return nil
	}
	return values
}

// ByPosition makes an object of a list of as many values as there are keys.
func ByPosition(keys ...string) TextEdit {
	return Whole(AList, func(text string) string {
		values := ListOf(text)
		if len(values) != len(keys) {
			return text
		}
		o := Object{}
		for i, key := range keys {
			o[key] = values[i]
		}
		return o.Text()
	})
}

// FromPairs makes an object of a list of pairs.
func FromPairs(text string) string {
	o := Object{}
	for _, pair := range ListOf(text) {
		if kv := ListOf(string(pair)); len(kv) == 2 && kv[0].Kind() == '"' {
			o[FromString(string(kv[0]))] = kv[1]
		}
	}
	return o.or(text)
}

// FromAlternating makes an object of a list of keys and values.
func FromAlternating(text string) string {
	o := Object{}
	for pair := range slices.Chunk(ListOf(text), 2) {
		if len(pair) == 2 && pair[0].Kind() == '"' {
			o[FromString(string(pair[0]))] = pair[1]
		}
	}
	return o.or(text)
}

// FromParts merges the objects of a list of several.
func FromParts(text string) string {
	o, parts := Object{}, ListOf(text)
	for _, part := range parts {
		properties, ok := ParseObject(string(part))
		if !ok || len(parts) < 2 || len(properties) != 1 {
			return text
		}
		maps.Copy(o, properties)
	}
	return o.or(text)
}

// or is the text of the object, or the other one where it is empty.
func (o Object) or(text string) string {
	if len(o) == 0 {
		return text
	}
	return o.Text()
}

// Joined is the texts of a list with commas between them.
func Joined(text string) string {
	var texts []string
	for _, value := range ListOf(text) {
		texts = append(texts, FromString(string(value)))
	}
	return AsString(strings.Join(texts, ","))
}

// OnlyText is the text of an object with one property.
func OnlyText(text string) string {
	o, _ := ParseObject(text)
	for _, value := range o {
		if len(o) == 1 && value.Kind() == '"' {
			return string(value)
		}
	}
	return text
}

func FirstOfNested(text string) string { return FirstOfList(FirstOfList(text)) }

// Kinds are kinds of JSON values by their first characters, and absence.
type Kinds string

const (
	Absent   Kinds = "-"
	Null     Kinds = "n"
	ABoolean Kinds = "tf"
	AString  Kinds = `"`
	ANumber  Kinds = "0"
	AList    Kinds = "["
	AnObject Kinds = "{"
	Present        = Null + ABoolean + AString + ANumber + AList + AnObject
)

// Include reports whether the JSON of a value is of one of the kinds. The
// empty text stands for a value that is absent.
func (k Kinds) Include(value string) bool {
	if value == "" {
		return strings.Contains(string(k), string(Absent))
	}
	return strings.ContainsRune(string(k), rune(jsontext.Value(value).Kind()))
}

// Whole edits the text if it is JSON of one of the kinds.
func Whole(of Kinds, edit TextEdit) TextEdit {
	return Where(func(text string) bool { return IsJSON(text) && of.Include(text) }, edit)
}

// UnlessString edits the JSON of a value that is not a string.
func UnlessString(edit TextEdit) TextEdit {
	return Where(NoneOf(AString.Include), edit)
}

// property edits the JSON of a property, if the text is a JSON object and the
// Property of one of the kinds. The empty text stands for no such property,
// before the edit and after it. A text that is not JSON stays unchanged.
func Property(name string, of Kinds, edit TextEdit) TextEdit {
	return func(text string) string {
		o, ok := ParseObject(text)
		if !ok || !of.Include(string(o[name])) {
			return text
		}
		switch value := edit(string(o[name])); {
		case value == "":
			delete(o, name)
		case IsJSON(value):
			o[name] = jsontext.Value(value)
		}
		return o.Text()
	}
}

// Renamed gives a property another name.
func Renamed(from, to string) TextEdit {
	return func(text string) string {
		o, ok := ParseObject(text)
		value, found := o[from]
		if !ok || !found {
			return text
		}
		delete(o, from)
		o[to] = value
		return o.Text()
	}
}

// Unwrapped lifts the properties of a nested object to where it stands.
func Unwrapped(name string) TextEdit {
	return func(text string) string {
		o, ok := ParseObject(text)
		inner, found := ParseObject(string(o[name]))
		if !ok || !found {
			return text
		}
		delete(o, name)
		maps.Copy(o, inner)
		return o.Text()
	}
}

// FirstOfList is the first value of a list, and nothing for an empty one.
func FirstOfList(text string) string {
	var values []jsontext.Value
	if json.Unmarshal([]byte(text), &values) != nil || len(values) == 0 {
		return ""
	}
	return string(values[0])
}

// Object is a JSON object whose values are left as they were written.
type Object map[string]jsontext.Value

func ParseObject(text string) (o Object, ok bool) {
	ok = IsJSON(text) && AnObject.Include(text) && json.Unmarshal([]byte(text), &o) == nil
	return o, ok
}

func (o Object) Text() string { return strings.TrimSuffix(string(encode(o)), "\n") }

func IsJSON(text string) bool { return jsontext.Value(text).IsValid() }

// AsString is the text as a JSON string.
func AsString(text string) string { return strings.TrimSuffix(string(encode(text)), "\n") }

// FromString is the text in a JSON string.
func FromString(value string) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return value
	}
	return string(text)
}
