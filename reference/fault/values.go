package fault

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kinds is a set of kinds of JSON values, each by its first character, and of absence.
type Kinds string

// The kinds of values. Add them up for several kinds.
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

// Include reports whether the JSON of a value is of one of the kinds. The empty text means an
// absent value.
func (k Kinds) Include(value string) bool {
	if value == "" {
		return strings.Contains(string(k), string(Absent))
	}
	return strings.ContainsRune(string(k), rune(jsontext.Value(value).Kind()))
}

// IsJSON reports whether a text is I-JSON (RFC 7493).
func IsJSON(text string) bool { return jsontext.Value(text).IsValid() }

// AsString returns the text as a JSON string.
func AsString(text string) string { return strings.TrimSuffix(string(encode(text)), "\n") }

// FromString returns the text in a JSON string.
func FromString(value string) string {
	text, err := jsontext.AppendUnquote(nil, value)
	return either(text, err, value)
}

// either returns the result of a conversion, or the text that could not be converted.
func either[T ~string | ~[]byte](result T, err error, text string) string {
	if err != nil {
		return text
	}
	return string(result)
}

// Whole edits a text that is the JSON of one of the kinds.
func Whole(of Kinds, edit TextEdit) TextEdit { return Where(AllOf(IsJSON, of.Include), edit) }

// UnlessString edits the JSON of a value that is not a string.
func UnlessString(edit TextEdit) TextEdit { return Where(NoneOf(AString.Include), edit) }

// Object is a JSON object whose values are kept as they were written.
type Object map[string]jsontext.Value

// ParseObject reads a JSON object.
func ParseObject(text string) (o Object, ok bool) {
	ok = IsJSON(text) && AnObject.Include(text) && json.Unmarshal([]byte(text), &o) == nil
	return o, ok
}

// Text returns the JSON of the object.
func (o Object) Text() string { return strings.TrimSuffix(string(encode(o)), "\n") }

// inObject edits a JSON object. It returns the text unchanged if changes returns false.
func inObject(changes func(o Object) bool) TextEdit {
	return func(text string) string {
		if o, ok := ParseObject(text); ok && changes(o) {
			return o.Text()
		}
		return text
	}
}

// Property edits the JSON of a property of one of the kinds. Before and after the edit, the empty
// text means an absent property. If the edit does not return JSON, the property keeps its value.
func Property(name string, of Kinds, edit TextEdit) TextEdit {
	return inObject(func(o Object) bool {
		if !of.Include(string(o[name])) {
			return false
		}
		switch value := edit(string(o[name])); {
		case value == "":
			delete(o, name)
		case IsJSON(value):
			o[name] = jsontext.Value(value)
		}
		return true
	})
}

// PropertyOf edits the JSON of a property that is present.
func PropertyOf(name string, edit TextEdit) TextEdit { return Property(name, Present, edit) }

// Set sets a property of an object to a JSON value, if the object has it.
func Set(name, value string) TextEdit { return PropertyOf(name, Constant(value)) }

// Drop removes a property of an object.
func Drop(name string) TextEdit { return PropertyOf(name, Nothing) }

// Add adds a property to an object that does not have it.
func Add(name, value string) TextEdit { return Property(name, Absent, Constant(value)) }

// Renamed gives a property another name.
func Renamed(from, to string) TextEdit {
	return inObject(func(o Object) bool {
		value, found := o[from]
		if found {
			delete(o, from)
			o[to] = value
		}
		return found
	})
}

// Unwrapped replaces a property by the properties of its object.
func Unwrapped(name string) TextEdit {
	return inObject(func(o Object) bool {
		inner, found := ParseObject(string(o[name]))
		if found {
			delete(o, name)
			maps.Copy(o, inner)
		}
		return found
	})
}

// OnlyText returns the JSON string in an object that has no other property.
func OnlyText(text string) string {
	o, _ := ParseObject(text)
	for _, value := range o {
		if len(o) == 1 && value.Kind() == '"' {
			return string(value)
		}
	}
	return text
}

// ListOf returns the values of a list, or nil if the text is not a list.
func ListOf(text string) (values []jsontext.Value) {
	if json.Unmarshal([]byte(text), &values) != nil {
		return nil
	}
	return values
}

// ItemsFrom edits the values of a list, from the index first on.
func ItemsFrom(first int, edit TextEdit) TextEdit {
	return Whole(AList, func(text string) string {
		var items []string
		for i, value := range ListOf(text) {
			item := string(value)
			if i >= first {
				item = edit(item)
			}
			items = append(items, item)
		}
		return "[" + strings.Join(items, ",") + "]"
	})
}

// FirstOfList returns the first value of a list, or "".
func FirstOfList(text string) string {
	for _, value := range ListOf(text) {
		return string(value)
	}
	return ""
}

// FirstOfNested returns the first value of the first list in a list.
func FirstOfNested(text string) string { return FirstOfList(FirstOfList(text)) }

// Joined returns the texts of a list as one JSON string, with commas between them.
func Joined(text string) string {
	var texts []string
	for _, value := range ListOf(text) {
		texts = append(texts, FromString(string(value)))
	}
	return AsString(strings.Join(texts, ","))
}

// ByPosition makes an object from a list with as many values as there are keys.
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

// FromPairs makes an object from a list of pairs of key and value.
func FromPairs(text string) string {
	var pairs [][]jsontext.Value
	for _, pair := range ListOf(text) {
		pairs = append(pairs, ListOf(string(pair)))
	}
	return fromPairs(pairs, text)
}

// FromAlternating makes an object from a list in which keys and values alternate.
func FromAlternating(text string) string {
	return fromPairs(slices.Collect(slices.Chunk(ListOf(text), 2)), text)
}

func fromPairs(pairs [][]jsontext.Value, text string) string {
	o := Object{}
	for _, pair := range pairs {
		if len(pair) == 2 && pair[0].Kind() == '"' {
			o[FromString(string(pair[0]))] = pair[1]
		}
	}
	return o.or(text)
}

// FromParts merges a list of several objects with one property each.
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

// or returns the JSON of the object, or the text if the object is empty.
func (o Object) or(text string) string {
	if len(o) == 0 {
		return text
	}
	return o.Text()
}
