package schema

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/plantstore/conformance/spec/instance"
)

// wrongType is what is wrong with a value of another type.
const wrongType = "has the wrong type"

// explain puts a failed keyword into words: what is wrong, as a predicate of
// the value, and what was expected instead. format is the schema's, if any.
func explain(k jsonschema.ErrorKind, format string) (message, expected string) {
	switch k := k.(type) {
	case *kind.Type:
		return wrongType, describeTypes(k.Want, format)
	case *kind.Format:
		if isNumeric(k.Want) {
			return "is out of range", article(k.Want) + ", " + k.Err.Error()
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

func oneOf(values []any) string {
	const shown = 12 // a list of all countries helps nobody
	var words []string
	for _, v := range values[:min(len(values), shown)] {
		words = append(words, instance.Compact(v))
	}
	switch {
	case len(values) > shown:
		return fmt.Sprintf("one of %s or %d more", strings.Join(words, ", "), len(values)-shown)
	case len(words) == 1:
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

func number(r *big.Rat) string {
	const digits = 20 // behind the point
	return strings.TrimRight(strings.TrimRight(r.FloatString(digits), "0"), ".")
}
