package spec

import (
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// dialect30 writes the schemas of an OpenAPI 3.0 document as JSON Schema
// 2020-12, which 3.1 uses. They differ in nullable, in the boolean
// exclusiveMinimum and exclusiveMaximum, and in what may stand beside $ref;
// the annotations that mean nothing for an instance are left out.
//
// The whole document is translated in place, so that every $ref keeps its
// pointer. Where schemas stand is known from where one is: nothing inside an
// example is mistaken for a keyword.
type dialect30 struct{ reader *reader }

func newDialect30(root *document.Node) dialect30 { return dialect30{&reader{root: root}} }

func (d dialect30) document(root *document.Node) any { return d.object(root) }

// namesFollow are the keys below which keys are names somebody chose, and not
// OpenAPI's: a response header may be called "schema".
func namesFollow() []string {
	return []string{"paths", "responses", "content", "headers", "parameters", "requestBodies", "callbacks", "components", "encoding", "links", "pathItems"}
}

func (d dialect30) object(n *document.Node) any {
	switch n.Kind {
	case document.Array:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = d.object(item)
		}
		return list
	case document.Object:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = d.member(m)
		}
		return out
	default:
		return n.Value()
	}
}

func (d dialect30) member(m *document.Member) any {
	switch {
	case m.Key == "schema":
		return d.schema(m.Value)
	case m.Key == "schemas":
		return d.named(m.Value, d.schema)
	case m.Key == "example", m.Key == "examples", strings.HasPrefix(m.Key, "x-"):
		return nil
	case m.Key == "components":
		return d.object(m.Value)
	case slices.Contains(namesFollow(), m.Key) && m.Value.Kind == document.Object:
		return d.named(m.Value, d.object)
	}
	return d.object(m.Value)
}

func (d dialect30) named(n *document.Node, each func(*document.Node) any) any {
	if n.Kind != document.Object {
		return n.Value()
	}
	out := make(map[string]any, len(n.Members))
	for _, m := range n.Members {
		out[m.Key] = each(m.Value)
	}
	return out
}

func (d dialect30) schema(n *document.Node) any {
	if n.Kind != document.Object {
		return n.Value() // additionalProperties: true
	}
	if ref := n.Get("$ref"); ref != nil {
		return map[string]any{"$ref": ref.Value()} // Reference Object: siblings are ignored
	}
	out := map[string]any{}
	for _, m := range n.Members {
		switch m.Key {
		case "properties":
			out[m.Key] = d.named(m.Value, d.schema)
		case "items", "not", "additionalProperties":
			out[m.Key] = d.schema(m.Value)
		case "allOf", "anyOf", "oneOf":
			list := make([]any, len(m.Value.Items))
			for i, item := range m.Value.Items {
				list[i] = d.schema(item)
			}
			out[m.Key] = list
		case "required":
			out[m.Key] = d.required(n, m.Value)
		case "type", "format", "enum", "multipleOf", "maximum", "minimum", "maxLength", "minLength",
			"pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties":
			out[m.Key] = m.Value.Value()
		}
	}
	if t, ok := out["type"].(string); ok && n.Get("nullable").True() {
		out["type"] = []any{t, "null"}
	}
	exclusive(n, out, "exclusiveMinimum", "minimum")
	exclusive(n, out, "exclusiveMaximum", "maximum")
	return out
}

func exclusive(n *document.Node, out map[string]any, flag, bound string) {
	if limit, ok := out[bound]; ok && n.Get(flag).True() {
		out[flag] = limit
		delete(out, bound)
	}
}

// required leaves out what only requests must carry (OpenAPI 3.0.3, Schema
// Object, writeOnly): compiled schemas judge responses.
func (d dialect30) required(owner, list *document.Node) any {
	names := []any{}
	for _, item := range list.Items {
		property, err := d.reader.resolve(located{owner.Get("properties").Get(item.Text()), ""})
		if err == nil && property.Get("writeOnly").True() {
			continue
		}
		names = append(names, item.Value())
	}
	return names
}
