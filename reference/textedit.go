package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

// textEdit turns one text into another: a body, a header field, or the JSON of
// one value.
type textEdit func(text string) string

func constant(text string) textEdit   { return func(string) string { return text } }
func prefixed(prefix string) textEdit { return func(text string) string { return prefix + text } }
func suffixed(suffix string) textEdit { return func(text string) string { return text + suffix } }
func nothing(string) string           { return "" }

// inTurn makes several edits, one after the other.
func inTurn(edits ...textEdit) textEdit {
	return func(text string) string {
		for _, edit := range edits {
			text = edit(text)
		}
		return text
	}
}

// where edits only such texts.
func where(such func(text string) bool, edit textEdit) textEdit {
	return func(text string) string {
		if such(text) {
			return edit(text)
		}
		return text
	}
}

// replacing replaces every match of a regular expression, in whose replacement
// $1 is the first group.
func replacing(expression, replacement string) textEdit {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(text string) string { return compiled().ReplaceAllString(text, replacement) }
}

// mending edits a text that is not I-JSON, and leaves other texts unchanged.
func mending(edit textEdit) textEdit {
	return where(func(text string) bool { return !isJSON(text) }, edit)
}

// kinds are kinds of JSON values by their first characters, and absence.
type kinds string

const (
	absent   kinds = "-"
	null     kinds = "n"
	aBoolean kinds = "tf"
	aString  kinds = `"`
	aNumber  kinds = "0"
	aList    kinds = "["
	anObject kinds = "{"
	present        = null + aBoolean + aString + aNumber + aList + anObject
)

// include reports whether the JSON of a value is of one of the kinds. The
// empty text stands for a value that is absent.
func (k kinds) include(value string) bool {
	if value == "" {
		return strings.Contains(string(k), string(absent))
	}
	return strings.ContainsRune(string(k), rune(jsontext.Value(value).Kind()))
}

// whole edits the text if it is JSON of one of the kinds.
func whole(of kinds, edit textEdit) textEdit {
	return where(func(text string) bool { return isJSON(text) && of.include(text) }, edit)
}

// unlessString edits the JSON of a value that is not a string.
func unlessString(edit textEdit) textEdit {
	return where(noneOf(aString.include), edit)
}

// property edits the JSON of a property, if the text is a JSON object and the
// property of one of the kinds. The empty text stands for no such property,
// before the edit and after it. A text that is not JSON stays unchanged.
func property(name string, of kinds, edit textEdit) textEdit {
	return func(text string) string {
		o, ok := parseObject(text)
		if !ok || !of.include(string(o[name])) {
			return text
		}
		switch value := edit(string(o[name])); {
		case value == "":
			delete(o, name)
		case isJSON(value):
			o[name] = jsontext.Value(value)
		}
		return o.text()
	}
}

// renamed gives a property another name.
func renamed(from, to string) textEdit {
	return func(text string) string {
		o, ok := parseObject(text)
		value, found := o[from]
		if !ok || !found {
			return text
		}
		delete(o, from)
		o[to] = value
		return o.text()
	}
}

// unwrapped lifts the properties of a nested object to where it stands.
func unwrapped(name string) textEdit {
	return func(text string) string {
		o, ok := parseObject(text)
		inner, found := parseObject(string(o[name]))
		if !ok || !found {
			return text
		}
		delete(o, name)
		maps.Copy(o, inner)
		return o.text()
	}
}

// firstOfList is the first value of a list, and nothing for an empty one.
func firstOfList(text string) string {
	var values []jsontext.Value
	if json.Unmarshal([]byte(text), &values) != nil || len(values) == 0 {
		return ""
	}
	return string(values[0])
}

// firstValue is the JSON value that the text begins with.
func firstValue(text string) string {
	value, err := jsontext.NewDecoder(strings.NewReader(text)).ReadValue()
	if err != nil {
		return text
	}
	return string(value)
}

// completed closes what JSON that is cut off has left open.
func completed(text string) string {
	for _, end := range []string{`}`, `"}`} {
		if isJSON(text + end) {
			return text + end
		}
	}
	return text
}

// lastOfDuplicates keeps, of properties of the same name, the last.
func lastOfDuplicates(text string) string {
	var o object
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || json.Unmarshal([]byte(text), &o) != nil {
		return text
	}
	return o.text()
}

// indented is JSON of several lines.
func indented(text string) string {
	value := jsontext.Value(text)
	if value.Indent() != nil {
		return text
	}
	return strings.ReplaceAll(string(value), "\n", "\r\n")
}

// escaped is JSON with escapes for what is not ASCII, for what HTML would take
// for markup, and for a letter of each property.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c > unicode.MaxASCII, strings.ContainsRune("<>&'/", c):
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		default:
			b.WriteRune(c)
		}
	}
	return strings.NewReplacer(`"name":`, `"n\u0061me":`, `"tag":`, `"\u0074ag":`, `"message":`, `"messag\u0065":`).Replace(b.String())
}

// fromForm reads a plant out of form data.
func fromForm(text string) string {
	form, err := url.ParseQuery(text)
	if err != nil || !form.Has("id") {
		return text
	}
	return fmt.Sprintf(`{"id":%s,"name":%s}`, form.Get("id"), asString(form.Get("name")))
}

// anyPlant is a plant that no client has sent.
func anyPlant(string) string { return fmt.Sprintf(`{"id":%s,"name":"unnamed"}`, anyID("")) }

// anyID is an id that no client has sent.
func anyID(string) string { return strconv.FormatInt(rand.Int64(), 10) }

// object is a JSON object whose values are left as they were written.
type object map[string]jsontext.Value

func parseObject(text string) (o object, ok bool) {
	ok = isJSON(text) && anObject.include(text) && json.Unmarshal([]byte(text), &o) == nil
	return o, ok
}

func (o object) text() string { return strings.TrimSuffix(string(encode(o)), "\n") }

func isJSON(text string) bool { return jsontext.Value(text).IsValid() }

// asString is the text as a JSON string.
func asString(text string) string { return strings.TrimSuffix(string(encode(text)), "\n") }

// fromString is the text in a JSON string.
func fromString(value string) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return value
	}
	return string(text)
}
