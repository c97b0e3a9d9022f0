package spec

import (
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// dialect writes the schemas of an OpenAPI document as JSON Schema 2020-12 to
// judge responses by.
//
// OpenAPI 3.1 differs from that only in what depends on the direction, and in
// formats; 3.0 also in nullable, in the boolean exclusiveMinimum and
// exclusiveMaximum, and in what may stand beside $ref.
//
// The whole document is translated in place, so that every $ref keeps its
// pointer. Where schemas stand is known from the place: nothing inside an
// example is mistaken for a keyword.
type dialect struct{ reader *reader }

func (d dialect) document(root *document.Node) any { return d.object(root) }

// namesFollow says whether the keys below that key are names somebody chose,
// and not OpenAPI's: a response header may be called "schema".
func namesFollow(key string) bool {
	return slices.Contains([]string{
		"paths", "webhooks", "pathItems", "responses", "content", "headers", "parameters", "requestBodies",
		"callbacks", "encoding", "links", "schemas", "securitySchemes", "scopes", "variables", "mapping",
		"properties", "patternProperties", "$defs", "dependentSchemas", "dependentRequired",
	}, key)
}

// isData says whether what follows that key is an instance or an extension,
// and so no part of the document that OpenAPI gives a meaning.
func isData(key string) bool {
	return slices.Contains([]string{"example", "examples", "default", "enum", "const"}, key) || strings.HasPrefix(key, "x-")
}

func (d dialect) object(n *document.Node) any {
	switch n.Kind {
	case document.Array:
		return d.list(n, d.object)
	case document.Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = d.member(m)
		}
		return out
	}
	return n.Value()
}

func (d dialect) member(m *document.Member) any {
	switch {
	case m.Key == "schema":
		return d.schema(m.Value)
	case m.Key == "schemas":
		return d.named(m.Value, d.schema)
	case isData(m.Key):
		return nil
	case namesFollow(m.Key):
		return d.named(m.Value, d.object)
	}
	return d.object(m.Value)
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
	if ref := n.Get("$ref"); ref != nil && d.reader.v30 {
		return map[string]any{"$ref": ref.Value()} // OpenAPI 3.0.3, Reference Object: siblings are ignored
	}
	out := map[string]any{}
	for _, m := range n.Members {
		if value, ok := d.keyword(n, m); ok {
			out[m.Key] = value
		}
	}
	if d.reader.v30 {
		nullable(n, out)
		exclusive(n, out, "exclusiveMinimum", "minimum")
		exclusive(n, out, "exclusiveMaximum", "maximum")
	}
	return out
}

// keyword translates one member of a schema, or leaves it out.
func (d dialect) keyword(schema *document.Node, m *document.Member) (value any, ok bool) {
	switch m.Key {
	case "properties":
		return d.named(m.Value, d.schema), true
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
	if d.reader.v30 {
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

// required leaves out what only requests carry (OpenAPI 3.0.3, Schema Object,
// writeOnly; JSON Schema Validation 2020-12 §9.4).
func (d dialect) required(owner, list *document.Node) any {
	if list.Kind != document.Array {
		return list.Value()
	}
	names := []any{}
	for _, item := range list.Items {
		property := owner.Get("properties").Get(item.Text())
		resolved, _ := d.reader.resolve(located{property, ""}) // a reference to nothing is told elsewhere
		if property.Get("writeOnly").True() && !d.reader.v30 || resolved.Get("writeOnly").True() {
			continue
		}
		names = append(names, item.Value())
	}
	return names
}
