package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// Anything describes a schema that limits nothing.
const Anything = "anything"

// Describe says which values the schema allows: "an object", "an int32 of at least 1", "a string of
// 1 to 40 characters or null".
func (s *Shape) Describe() string {
	words := describeTypes(s.Types, s.Format)
	switch {
	case s.Enum && len(s.values) == 1:
		words = "the value " + oneOf(s.values)
	case s.Enum && len(s.values) > 0:
		words = oneOf(s.values)
	case s.Enum:
		words = "one of no values" // the lists of values have nothing in common
	case len(s.Types) == 0 && len(s.limits) == 0:
		return Anything // even if it lists properties, because they limit only objects
	case len(s.Types) == 0:
		words = "a value"
	}
	words, null := strings.CutSuffix(words, " or null")
	if len(s.limits) > 0 {
		words += " " + strings.Join(s.limits, ", ")
	}
	if s.Each != nil && s.Allows("array") && len(s.Each.Properties) == 0 {
		if each := s.Each.Describe(); each != Anything && each != "a list" && each != "an object" {
			words += ", each item " + each
		}
	}
	if s.tag != "" && s.Allows("object") {
		words += " that meets the schema named by its " + s.tag
	}
	if null {
		words += " or null"
	}
	return words
}

// DescribeAfter returns words and the description, or "" if the schema limits nothing.
func (s *Shape) DescribeAfter(words string) string {
	if text := s.Describe(); text != Anything {
		return words + text
	}
	return ""
}

// DescribeText returns the description for a parameter. A parameter is sent as text: any text is a
// valid string, and a valid list of strings. If any text is valid, it returns [Anything].
func (s *Shape) DescribeText() string {
	if s.limited() {
		return s.Describe()
	}
	return Anything
}

// limited reports whether some texts are not valid values.
func (s *Shape) limited() bool {
	switch {
	case s.Enum, len(s.limits) > 0:
		return true
	case s.Allows("string"):
		return len(s.Types) > 0 && slices.Contains(assertedFormats(), s.Format)
	case s.Allows("object"):
		return slices.ContainsFunc(s.Properties, func(p *Property) bool { return p.Required || p.Shape.limited() })
	case s.Allows("array"):
		return s.Each != nil && s.Each.limited()
	}
	return true
}

// describeTypes puts types into words, null last.
func describeTypes(types []string, format string) string {
	var words []string
	for _, t := range types {
		if t != "null" {
			words = append(words, typeWords(t, format))
		}
	}
	if len(words) < len(types) {
		words = append(words, "null")
	}
	return strings.Join(words, " or ")
}

// DescribeType puts the name of a type into words: "an object", "null".
func DescribeType(name string) string { return describeTypes([]string{name}, "") }

func typeWords(name, format string) string {
	switch name {
	case "integer":
		if format == "int32" || format == "int64" {
			return "an " + format
		}
		return "an integer"
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "string":
		if slices.Contains(assertedFormats(), format) {
			return "a string (" + format + ")"
		}
	}
	return "a " + name
}

// limitsOf returns the limits that a schema itself sets, in words.
func limitsOf(l document.Place) (limits []string) {
	say := func(format string, args ...any) { limits = append(limits, fmt.Sprintf(format, args...)) }
	above, below := numberAt(l, "exclusiveMinimum"), numberAt(l, "exclusiveMaximum") // flags in OpenAPI 3.0
	least, most := numberAt(l, "minimum"), numberAt(l, "maximum")
	if l.Get("exclusiveMinimum").True() {
		above, least = least, ""
	}
	if l.Get("exclusiveMaximum").True() {
		below, most = most, ""
	}
	switch {
	case least != "" && most != "":
		say("from %s to %s", least, most)
	case least != "":
		say("of at least %s", least)
	case most != "":
		say("of at most %s", most)
	}
	for _, one := range [][2]string{{"greater than", above}, {"less than", below}, {"divisible by", numberAt(l, "multipleOf")}} {
		if one[1] != "" {
			say("%s %s", one[0], one[1])
		}
	}
	for _, counted := range []struct{ least, most, with, thing string }{
		{"minLength", "maxLength", "of", "character"},
		{"minItems", "maxItems", "of", "item"},
		{"minProperties", "maxProperties", "with", "property"},
	} {
		least, most = numberAt(l, counted.least), numberAt(l, counted.most)
		if least == "0" {
			least = ""
		}
		switch {
		case least == "" && most == "":
		case least == most:
			say("%s %s %s", counted.with, least, noun(least, counted.thing))
		case most == "":
			say("%s at least %s %s", counted.with, least, noun(least, counted.thing))
		case least == "":
			say("%s at most %s %s", counted.with, most, noun(most, counted.thing))
		default:
			say("%s %s to %s %s", counted.with, least, most, noun(most, counted.thing))
		}
	}
	if l.Get("uniqueItems").True() {
		say("without equal items")
	}
	if pattern := l.Get("pattern").Text(); pattern != "" {
		say("that matches %s", pattern)
	}
	return limits
}

// numberAt returns the literal of a number, or "".
func numberAt(l document.Place, keyword string) string {
	if n := l.Get(keyword); n != nil && n.Kind == document.Number {
		return n.Literal
	}
	return ""
}

// explain puts a failed keyword into words: what is wrong, as a predicate of the value, and what
// was expected. format is that of the schema, or "".
func explain(k jsonschema.ErrorKind, format string) (message, expected string) {
	switch k := k.(type) {
	case *kind.Type:
		return "has the wrong type", describeTypes(k.Want, format)
	case *kind.Format:
		if isNumeric(k.Want) {
			return "is out of range", k.Err.Error()
		}
		if k.Want == "byte" {
			return "has the wrong format", "a string (byte: base64 with padding)"
		}
		return "has the wrong format", "a string (" + k.Want + ")"
	case *kind.Enum:
		return "is not one of the allowed values", oneOf(k.Want)
	case *kind.Const:
		return "is not the one allowed value", oneOf([]any{k.Want})
	case *kind.Pattern:
		return "does not match the pattern", "a string that matches " + k.Want
	case *kind.MinLength:
		return "is too short", "at least " + Count(k.Want, "character")
	case *kind.MaxLength:
		return "is too long", "at most " + Count(k.Want, "character")
	case *kind.MinItems:
		return "has too few items", "at least " + Count(k.Want, "item")
	case *kind.MaxItems:
		return "has too many items", "at most " + Count(k.Want, "item")
	case *kind.UniqueItems:
		return fmt.Sprintf("has equal items at %d and %d", k.Duplicates[0], k.Duplicates[1]), "items that differ"
	case *kind.Contains:
		return "has no item of the kind it must contain", "at least 1 such item"
	case *kind.MinContains:
		return "has too few items of the kind it must contain", "at least " + Count(k.Want, "such item")
	case *kind.MaxContains:
		return "has too many items of the kind it must contain", "at most " + Count(k.Want, "such item")
	case *kind.MinProperties:
		return "has too few properties", "at least " + Count(k.Want, "property")
	case *kind.MaxProperties:
		return "has too many properties", "at most " + Count(k.Want, "property")
	case *kind.Minimum:
		return "is too small", "at least " + number(k.Want)
	case *kind.Maximum:
		return "is too large", "at most " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "is too small", "more than " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "is too large", "less than " + number(k.Want)
	case *kind.MultipleOf:
		return "is not a multiple of " + number(k.Want), "a multiple of " + number(k.Want)
	case *kind.Not:
		return "meets a schema that it must not meet", "a value that does not meet it"
	}
	return strings.TrimSpace("does not meet the schema " + strings.Join(k.KeywordPath(), "/")), "a value that meets it"
}

// Count puts a number of things into words: "1 item", "3 properties".
func Count(n int, thing string) string { return strconv.Itoa(n) + " " + noun(strconv.Itoa(n), thing) }

func noun(n, thing string) string {
	if n == "1" {
		return thing
	}
	if before, ok := strings.CutSuffix(thing, "y"); ok {
		return before + "ies"
	}
	return thing + "s"
}

func oneOf[T any](values []T) string {
	const shown = 12 // longer lists, such as all countries, are hard to read
	words := lists.Map(values[:min(len(values), shown)], func(v T) string { return instance.Compact(v) })
	switch {
	case len(values) > shown:
		return fmt.Sprintf("one of %s or %d more", strings.Join(words, ", "), len(values)-shown)
	case len(words) == 1:
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

func number(r *big.Rat) string {
	const digits = 20 // after the decimal point
	return strings.TrimRight(strings.TrimRight(r.FloatString(digits), "0"), ".")
}
