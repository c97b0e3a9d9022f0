package schema

import (
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// A dialect translates the schemas of an OpenAPI document into JSON Schema 2020-12, for values of
// one direction.
//
// OpenAPI 3.1 differs from JSON Schema only in formats and in what depends on the direction.
// OpenAPI 3.0 also differs in nullable, in the boolean exclusiveMinimum and exclusiveMaximum, and
// in what is allowed next to $ref.
type dialect struct {
	root      *document.Node
	v30       bool
	direction Direction
}

// isNullable reports whether a schema of the older dialect allows null. Swagger 2.0 has only the
// extension x-nullable for that.
func isNullable(n *document.Node) bool { return n.Get("nullable").True() || n.Get("x-nullable").True() }

// NullIsOpen reports whether the document leaves open if null meets a schema. Then neither side has
// to send or accept null. This is so if the extension x-nullable allows null, or if nullable has no
// effect. OpenAPI 3.0.0 to 3.0.2 let nullable allow null whatever else a schema says (3.0.2, Schema
// Object: "Allows sending a null value for the defined schema"). Since 3.0.3, nullable only adds
// null to a type in the same schema, and an enum must list null, too. Since 3.1, it has no meaning.
// Most authors mean what the earlier versions say.
func NullIsOpen(at document.Place) bool {
	switch {
	case at.Node == nil || !isNullable(at.Node):
		return false
	case !at.Get("nullable").True(), !Draft4(at.Root().Node):
		return true
	case slices.Contains([]string{"3.0", "3.0.0", "3.0.1", "3.0.2"}, at.Root().Get("openapi").Text()):
		return false
	}
	values := at.Get("enum")
	return at.Get("type") == nil || values != nil && !slices.ContainsFunc(values.Items, func(n *document.Node) bool { return n.Kind == document.Null })
}

func (d dialect) schema(n *document.Node) any {
	if n.Kind != document.Object {
		return n.Kind != document.Bool || n.True()
	}
	if ref := n.Member("$ref"); ref != nil && d.v30 { // OpenAPI 3.0.3, Reference Object: siblings are ignored
		if message, _ := flaw(ref, true); message != "" {
			return true
		}
		return map[string]any{"$ref": d.reference(ref.Value)}
	}
	out := map[string]any{}
	for _, m := range n.Members {
		if value, ok := d.keyword(n, m); ok {
			out[m.Key] = value
		}
	}
	if d.v30 {
		exclusive(n, out, "exclusiveMinimum", "minimum")
		exclusive(n, out, "exclusiveMaximum", "maximum")
	}
	if isNullable(n) {
		return d.nullable(out)
	}
	return out
}

// keyword translates one member of a schema. ok is false if the member has a flaw, or if the
// dialect does not know it.
func (d dialect) keyword(schema *document.Node, m *document.Member) (value any, ok bool) {
	if message, _ := flaw(m, d.v30); message != "" {
		return nil, false
	}
	switch holds(m.Key, d.v30) {
	case oneSchema:
		return d.schema(m.Value), true
	case listOfSchemas:
		return lists.Map(m.Value.Items, d.schema), true
	case mapOfSchemas:
		each := d.schema
		if m.Key == "properties" {
			each = d.property
		}
		named := make(map[string]any, len(m.Value.Members))
		for _, one := range m.Value.Members {
			named[one.Key] = each(one.Value)
		}
		return named, true
	}
	switch m.Key {
	case "$ref":
		return d.reference(m.Value), true
	case "$dynamicRef":
		if strings.HasPrefix(m.Value.Text(), "#/") { // the same as a $ref
			return d.reference(m.Value), true
		}
		return m.Value.Value(), true
	case "$schema":
		return m.Value.Value(), !strings.Contains(m.Value.Text(), "//spec.openapis.org/")
	case "required":
		return d.required(schema, m.Value), true
	case "format":
		return m.Value.Value(), isNumeric(m.Value.Text()) || slices.Contains(assertedFormats(), m.Value.Text())
	case "type", "enum", "multipleOf", "maximum", "minimum", "maxLength", "minLength",
		"pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties":
		return m.Value.Value(), true
	}
	return m.Value.Value(), !d.v30
}

// nullable adds null to the type in the same schema (OpenAPI 3.0.3, Schema Object), and to
// alternatives and lists of values: see [NullIsOpen].
func (d dialect) nullable(out map[string]any) any {
	if t, ok := out["type"].(string); ok {
		out["type"] = []any{t, "null"}
	}
	null := map[string]any{"type": "null"}
	if values, ok := out["enum"].([]any); ok && !slices.Contains(values, nil) {
		out["enum"] = append(slices.Clip(values), nil)
	}
	if list, ok := out["anyOf"].([]any); ok {
		out["anyOf"] = append(list, null)
	}
	if out["allOf"] != nil || out["oneOf"] != nil || out["$ref"] != nil { // one of their schemas may allow null already
		return map[string]any{"anyOf": []any{out, null}}
	}
	return out
}

func exclusive(n *document.Node, out map[string]any, flag, bound string) {
	if limit, ok := out[bound]; ok && n.Get(flag).True() {
		out[flag] = limit
		delete(out, bound)
	}
}

// reference returns the URL by which the compiler finds the target of a $ref.
func (d dialect) reference(ref *document.Node) any {
	target, _ := ref.Document().Refer(ref.Text())
	return resource(d.direction, target.Pointer)
}

// property lets a request carry any value in a read-only property, because the contract does not
// say what the service makes of it (OpenAPI 3.0.3, Schema Object, readOnly).
func (d dialect) property(n *document.Node) any {
	if d.direction == Request && d.says(n, "readOnly") {
		return true
	}
	return d.schema(n)
}

// required leaves out properties that only the other direction carries (OpenAPI 3.0.3, Schema
// Object, readOnly and writeOnly; JSON Schema Validation 2020-12 §9.4).
func (d dialect) required(owner, list *document.Node) any {
	other := "writeOnly"
	if d.direction == Request {
		other = "readOnly"
	}
	names := []any{}
	listed := map[string]bool{}
	for _, item := range list.Items {
		if name := item.Text(); !listed[name] && !d.says(owner.Get("properties").Get(name), other) {
			names, listed[name] = append(names, name), true
		}
	}
	return names
}

// says reports whether a keyword is true for a property, directly or in a schema that it refers to.
func (d dialect) says(property *document.Node, keyword string) bool {
	if property == nil {
		return false
	}
	at := property.Document()
	at.Node = property
	return Says(at, keyword, d.v30)
}

// Says reports whether a keyword is true in a schema, or in a schema that it refers to. OpenAPI 3.0
// ignores the keywords next to a $ref.
func Says(at document.Place, keyword string, v30 bool) bool {
	hops, err := at.Hops()
	if err != nil {
		return false // a broken reference is reported elsewhere
	}
	if v30 {
		hops = hops[len(hops)-1:]
	}
	return slices.ContainsFunc(hops, func(hop document.Place) bool { return hop.Get(keyword).True() })
}
