package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/pattern"
)

// A Flaw is a keyword that cannot be used for validation. It is ignored.
type Flaw struct {
	Place    document.Place
	Message  string
	Harmless bool // the keyword has no effect on validation
}

// Inspect returns the flaws of one schema and the places of its subschemas. The flaws of the
// subschemas are not included.
func Inspect(at document.Place, v30 bool) (flaws []Flaw, inner []document.Place) {
	if at.Kind != document.Object {
		if at.Kind != document.Bool {
			flaws = append(flaws, Flaw{Place: at, Message: "a schema must be a mapping, found " + at.Kind.String()})
		}
		return flaws, nil
	}
	members := at.Members
	if ref := at.Member("$ref"); v30 && ref != nil { // OpenAPI 3.0.3, Reference Object: siblings are ignored
		members = []*document.Member{ref}
	}
	for _, m := range members {
		if message, harmless := flaw(m, v30); message != "" {
			flaws = append(flaws, Flaw{at.To(m.Key), message, harmless})
			continue
		}
		if twice := duplicate(m.Value); m.Key == "required" && twice != "" {
			flaws = append(flaws, Flaw{at.To(m.Key), fmt.Sprintf("required lists %s twice", twice), true})
		}
		switch holds(m.Key, v30) {
		case oneSchema:
			inner = append(inner, at.To(m.Key))
		case listOfSchemas:
			inner = append(inner, at.To(m.Key).List()...)
		case mapOfSchemas:
			value := at.To(m.Key)
			for _, m := range m.Value.Members {
				inner = append(inner, value.To(m.Key))
			}
		}
	}
	return flaws, inner
}

// held says which schemas a keyword holds.
type held int

const (
	noSchema held = iota
	oneSchema
	listOfSchemas
	mapOfSchemas
)

func holds(keyword string, v30 bool) held {
	switch keyword {
	case "items", "not", "additionalProperties":
		return oneSchema
	case "allOf", "anyOf", "oneOf":
		return listOfSchemas
	case "properties":
		return mapOfSchemas
	}
	if v30 {
		return noSchema
	}
	switch keyword {
	case "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return oneSchema
	case "prefixItems":
		return listOfSchemas
	case "$defs", "patternProperties", "dependentSchemas":
		return mapOfSchemas
	}
	return noSchema
}

// flaw says in a sentence why a keyword of a schema cannot be used for validation. message is "" if
// it can be used, or is not needed.
func flaw(m *document.Member, v30 bool) (message string, harmless bool) {
	v := m.Value
	switch holds(m.Key, v30) {
	case mapOfSchemas:
		return misfit(m, v.Kind == document.Object, "a mapping"), false
	case listOfSchemas:
		return misfit(m, v.Kind == document.Array && len(v.Items) > 0, "a list that is not empty"), v.Kind == document.Array
	case oneSchema:
		return misfit(m, v.Kind == document.Object || v.Kind == document.Bool, "a schema"), false
	}
	if message, harmless = flawOfValue(m, v30); message == "" && !v30 {
		return flawOf2020(m)
	}
	return message, harmless
}

// misfit says that a keyword has a value of the wrong kind. It returns "" if ok is true.
func misfit(m *document.Member, ok bool, what string) string {
	if ok {
		return ""
	}
	found := m.Value.Kind.String()
	if m.Value.Kind == document.Number || m.Value.Kind == document.String && m.Value.Literal != "" {
		found = strconv.Quote(m.Value.Literal)
	}
	return fmt.Sprintf("%s must be %s, found %s", m.Key, what, found)
}

// flawOfValue returns the flaw of a keyword that both dialects have.
func flawOfValue(m *document.Member, v30 bool) (message string, harmless bool) {
	v := m.Value
	switch m.Key {
	case "$ref":
		return refers(v), false
	case "type":
		if v30 {
			return misfit(m, isType(v), "one of "+strings.Join(types(), ", ")+" (null is written as nullable: true)"), false
		}
		return misfit(m, isType(v) || v.Kind == document.Array && len(v.Items) > 0 && duplicate(v) == "" && all(v, isType), "a type or a list of types"), false
	case "enum":
		if odd := slices.IndexFunc(v.Items, func(n *document.Node) bool { return n.NotANumber }); odd >= 0 {
			return fmt.Sprintf("enum has %s, which is not a valid JSON number; quote it if it is text", v.Items[odd].Literal), false
		}
		return misfit(m, v.Kind == document.Array, "a list"), false
	case "required":
		return misfit(m, v.Kind == document.Array && all(v, isText), "a list of names"), v.Kind == document.Bool
	case "pattern":
		return unusable(v), false
	case "multipleOf":
		value, err := strconv.ParseFloat(v.Literal, 64)
		return misfit(m, v.Kind == document.Number && err == nil && value > 0, "a number above 0"), false
	case "maximum", "minimum":
		return misfit(m, v.Kind == document.Number, "a number"), false
	case "exclusiveMaximum", "exclusiveMinimum":
		if v30 {
			return misfit(m, v.Kind == document.Bool, "true or false before OpenAPI 3.1"), false
		}
		return misfit(m, v.Kind == document.Number, "a number in OpenAPI 3.1"), false
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties":
		return misfit(m, isCount(v), "a number of 0, 1, 2 …"), false
	case "uniqueItems":
		return misfit(m, v.Kind == document.Bool, "true or false"), false
	case "format":
		return misfit(m, v.Kind == document.String, "a string"), false
	}
	return "", false
}

// flawOf2020 returns the flaw of a keyword that is checked only in JSON Schema 2020-12.
func flawOf2020(m *document.Member) (message string, harmless bool) {
	v := m.Value
	switch m.Key {
	case "$id", "$anchor", "$dynamicAnchor", "$comment", "title", "description", "contentEncoding", "contentMediaType":
		return misfit(m, v.Kind == document.String, "a string"), true
	case "deprecated", "readOnly", "writeOnly":
		return misfit(m, v.Kind == document.Bool, "true or false"), true
	case "examples":
		return misfit(m, v.Kind == document.Array, "a list"), true
	case "$dynamicRef":
		return refers(v), false
	case "const":
		if v.NotANumber {
			return fmt.Sprintf("const is %s, which is not a valid JSON number; quote it if it is text", v.Literal), false
		}
	case "maxContains", "minContains":
		return misfit(m, isCount(v), "a number of 0, 1, 2 …"), false
	case "dependentRequired":
		return misfit(m, v.Kind == document.Object && !slices.ContainsFunc(v.Members, func(m *document.Member) bool {
			return m.Value.Kind != document.Array || !all(m.Value, isText) || duplicate(m.Value) != ""
		}), "a mapping to lists of names"), false
	case "$schema":
		known := strings.Contains(v.Text(), "//json-schema.org/") || strings.Contains(v.Text(), "//spec.openapis.org/")
		return misfit(m, known, "a dialect of JSON Schema or OpenAPI"), false
	}
	return "", false
}

func types() []string {
	return []string{"array", "boolean", "integer", "null", "number", "object", "string"}
}

func isText(n *document.Node) bool { return n.Kind == document.String }

func isType(n *document.Node) bool { return isText(n) && slices.Contains(types(), n.Literal) }

func all(list *document.Node, are func(*document.Node) bool) bool {
	return !slices.ContainsFunc(list.Items, func(n *document.Node) bool { return !are(n) })
}

// isCount reports whether a node is an integer of at least 0, which may be written as 2.0.
func isCount(n *document.Node) bool {
	value, err := strconv.ParseFloat(n.Literal, 64)
	return n.Kind == document.Number && err == nil && value >= 0 && value == math.Trunc(value) && value <= math.MaxInt32
}

// duplicate returns the first text that occurs twice in a list, or "".
func duplicate(list *document.Node) string {
	seen := make(map[string]bool, len(list.Items))
	for _, item := range list.Items {
		if seen[item.Literal] {
			return item.Literal
		}
		seen[item.Literal] = true
	}
	return ""
}

func refers(ref *document.Node) string {
	if ref.Kind != document.String {
		return "$ref must be a string, found " + ref.Kind.String()
	}
	if _, err := ref.Document().Refer(ref.Literal); err != nil {
		return fmt.Sprintf("$ref %q %s", ref.Literal, err)
	}
	return ""
}

func unusable(v *document.Node) string {
	if v.Kind != document.String {
		return "pattern must be a string, found " + v.Kind.String()
	}
	if _, err := pattern.Compile(v.Literal); err != nil {
		return "this pattern is not supported: " + err.Error()
	}
	return ""
}
