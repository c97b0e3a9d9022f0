package schema

import (
	"github.com/plantstore/conformance/spec/document"
)

// dialect writes the schemas of an OpenAPI document as JSON Schema 2020-12 to
// judge values of one direction by.
//
// OpenAPI 3.1 differs from that only in what depends on the direction, and in
// formats; 3.0 also in nullable, in the boolean exclusiveMinimum and
// exclusiveMaximum, and in what may stand beside $ref.
type dialect struct {
	root      *document.Node
	v30       bool
	direction Direction
}

// named translates the values of a mapping whose keys are names.
func (d dialect) named(n *document.Node, each func(*document.Node) any) any {
	if n.Kind != document.Object {
		return d.list(n, each)
	}
	out := make(map[string]any, len(n.Members))
	for _, m := range n.Members {
		out[m.Key] = each(m.Value)
	}
	return out
}

func (d dialect) list(n *document.Node, each func(*document.Node) any) any {
	if n.Kind != document.Array {
		return n.Value()
	}
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		out[i] = each(item)
	}
	return out
}

func (d dialect) schema(n *document.Node) any {
	if n.Kind != document.Object {
		return n.Value() // true, false
	}
	if ref := n.Get("$ref"); ref != nil && d.v30 {
		return map[string]any{"$ref": d.reference(ref)} // OpenAPI 3.0.3, Reference Object: siblings are ignored
	}
	out := map[string]any{}
	for _, m := range n.Members {
		if value, ok := d.keyword(n, m); ok {
			out[m.Key] = value
		}
	}
	if d.v30 {
		nullable(n, out)
		exclusive(n, out, "exclusiveMinimum", "minimum")
		exclusive(n, out, "exclusiveMaximum", "maximum")
	}
	return out
}

// keyword translates one member of a schema, or leaves it out.
func (d dialect) keyword(schema *document.Node, m *document.Member) (value any, ok bool) {
	switch m.Key {
	case "$ref":
		return d.reference(m.Value), true
	case "properties":
		return d.named(m.Value, d.property), true
	case "items", "not", "additionalProperties":
		return d.schema(m.Value), true
	case "allOf", "anyOf", "oneOf":
		return d.list(m.Value, d.schema), true
	case "required":
		return d.required(schema, m.Value), true
	case "format":
		return m.Value.Value(), isAsserted(m.Value.Text())
	case "type", "enum", "multipleOf", "maximum", "minimum", "maxLength", "minLength",
		"pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties":
		return m.Value.Value(), true
	}
	if d.v30 {
		return nil, false
	}
	switch m.Key {
	case "$defs", "patternProperties", "dependentSchemas":
		return d.named(m.Value, d.schema), true
	case "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return d.schema(m.Value), true
	case "prefixItems":
		return d.list(m.Value, d.schema), true
	}
	return m.Value.Value(), true
}

// nullable adds null to the type it stands beside, and to nothing else
// (OpenAPI 3.0.3, Schema Object).
func nullable(n *document.Node, out map[string]any) {
	if t, ok := out["type"].(string); ok && n.Get("nullable").True() {
		out["type"] = []any{t, "null"}
	}
}

func exclusive(n *document.Node, out map[string]any, flag, bound string) {
	if limit, ok := out[bound]; ok && n.Get(flag).True() {
		out[flag] = limit
		delete(out, bound)
	}
}

// reference is where the compiler finds what a $ref means.
func (d dialect) reference(ref *document.Node) any {
	target, err := document.Top(d.root).Refer(ref.Text())
	if err != nil {
		return ref.Value() // which is told elsewhere
	}
	return resource(d.direction, target.Pointer)
}

// property lets a request carry any value in a read-only property: what the
// service makes of it the contract does not say (OpenAPI 3.0.3, Schema Object,
// readOnly).
func (d dialect) property(n *document.Node) any {
	if d.direction == Request && d.says(n, "readOnly") {
		return true
	}
	return d.schema(n)
}

// required leaves out what only the other direction carries (OpenAPI 3.0.3,
// Schema Object, readOnly and writeOnly; JSON Schema Validation 2020-12 §9.4).
func (d dialect) required(owner, list *document.Node) any {
	if list.Kind != document.Array {
		return list.Value()
	}
	other := "writeOnly"
	if d.direction == Request {
		other = "readOnly"
	}
	names := []any{}
	for _, item := range list.Items {
		if !d.says(owner.Get("properties").Get(item.Text()), other) {
			names = append(names, item.Value())
		}
	}
	return names
}

// says reports whether a property is marked so, by itself or by what it refers to.
func (d dialect) says(property *document.Node, keyword string) bool {
	at := document.Top(d.root)
	at.Node = property
	resolved, _ := at.Resolve() // a reference to nothing is told elsewhere
	return !d.v30 && property.Get(keyword).True() || resolved.Get(keyword).True()
}
