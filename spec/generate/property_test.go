package generate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// drawSchema draws a schema. Most of them have values, some have none.
func drawSchema(t *rapid.T, depth int) map[string]any {
	s := map[string]any{}
	chance := func(percent int) bool { return rapid.IntRange(1, 100).Draw(t, "chance") > 100-percent }
	small := rapid.IntRange(0, 4)
	inner := func() any { return drawSchema(t, depth-1) }
	inners := func() (list []any) {
		for range rapid.IntRange(1, 3).Draw(t, "branches") {
			list = append(list, inner())
		}
		return list
	}
	types := []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	if depth == 0 {
		types = types[:4]
	}
	name := rapid.SampledFrom(types).Draw(t, "type")
	if s["type"] = name; chance(10) {
		s["type"] = []any{name, "null"}
	}
	set := func(percent int, keyword string, value func() any) {
		if chance(percent) {
			s[keyword] = value()
		}
	}
	switch name {
	case "string":
		set(30, "minLength", func() any { return small.Draw(t, "n") })
		set(30, "maxLength", func() any { return small.Draw(t, "n") + 3 })
		set(20, "pattern", func() any {
			return rapid.SampledFrom([]string{`^[a-z]+$`, `\d`, `^(a|b)*$`, `^.{2,}$`, `x?`, `^\S+$`}).Draw(t, "pattern")
		})
		set(20, "format", func() any {
			return rapid.SampledFrom([]string{"date", "date-time", "uuid", "email", "ipv4", "ipv6", "uri", "uri-reference", "hostname", "byte", "odd"}).Draw(t, "format")
		})
	case "integer", "number":
		set(30, "minimum", func() any { return json.Number(fmt.Sprint(rapid.IntRange(-9, 9).Draw(t, "n"))) })
		set(20, "exclusiveMaximum", func() any { return json.Number(fmt.Sprint(rapid.IntRange(0, 99).Draw(t, "n"))) })
		set(20, "multipleOf", func() any { return json.Number(rapid.SampledFrom([]string{"1", "3", "0.5", "0.01"}).Draw(t, "n")) })
		set(20, "format", func() any { return rapid.SampledFrom([]string{"int32", "int64", "double"}).Draw(t, "format") })
	case "object":
		properties := map[string]any{}
		for _, name := range []string{"a", "b", "c", "x y"}[:small.Draw(t, "properties")] {
			properties[name] = inner()
		}
		s["properties"] = properties
		set(60, "required", func() any {
			return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "d"}), 0, 3, rapid.ID).Draw(t, "required")
		})
		set(20, "additionalProperties", func() any { return rapid.Bool().Draw(t, "open") })
		set(10, "additionalProperties", inner)
		set(10, "unevaluatedProperties", func() any { return false })
		set(10, "minProperties", func() any { return small.Draw(t, "n") })
		set(10, "maxProperties", func() any { return small.Draw(t, "n") })
		set(10, "patternProperties", func() any { return map[string]any{"^b": inner()} })
		set(10, "propertyNames", func() any { return map[string]any{"maxLength": 1 + small.Draw(t, "n")} })
		set(10, "dependentRequired", func() any { return map[string]any{"a": []any{"b"}} })
		set(10, "dependentSchemas", func() any { return map[string]any{"b": inner()} })
	case "array":
		set(90, "items", inner)
		set(20, "prefixItems", func() any { return inners() })
		set(30, "minItems", func() any { return small.Draw(t, "n") })
		set(30, "maxItems", func() any { return small.Draw(t, "n") })
		set(20, "uniqueItems", func() any { return true })
		set(10, "contains", inner)
	}
	if depth > 0 {
		set(10, "allOf", func() any { return inners() })
		set(10, "anyOf", func() any { return inners() })
		set(10, "oneOf", func() any { return inners() })
		set(5, "not", inner)
		set(5, "if", inner)
		set(5, "then", inner)
		set(5, "else", inner)
		set(5, "$ref", func() any { return "#/components/schemas/T" })
		set(5, "enum", func() any { return []any{"a", json.Number("1"), nil, true} })
	}
	return s
}

// TestAnySchema: for any schema, valid cases are valid, and invalid cases are invalid and differ
// from a valid case only at their path. Each case has its own id.
func TestAnySchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := instance.Compact(drawSchema(t, 3))
		version := rapid.SampledFrom([]string{"3.1.0", "3.1.0", "3.0.3"}).Draw(t, "version")
		root, err := document.Parse("x.json", []byte(`{"openapi": "`+version+`", "components": {"schemas": {"T": `+text+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		checkCases(t, root, func(format string, args ...any) { t.Fatalf(text+": "+format, args...) })
	})
}

func checkCases(t interface{ Logf(string, ...any) }, root *document.Node, fail func(string, ...any)) {
	s := schema.NewSet(root).At(document.Top(root).To("components", "schemas", "T"))
	for _, d := range []schema.Direction{schema.Request, schema.Response} {
		compiled, err := s.Compiled(d)
		if err != nil || compiled == nil {
			continue
		}
		begin := time.Now()
		for _, tape := range []generate.Tape{generate.Minimal{}, generate.NewRandom(1), generate.NewRandom(2)} {
			value, err := generate.Draw(s, d, tape)
			if _, none := errors.AsType[*generate.NoValueError](err); err != nil && !none || err == nil && compiled.Validate(value) != nil {
				fail("drew %s, %v", instance.Compact(value), err)
			}
		}
		tape := &generate.Recorder{From: generate.NewRandom(3)}
		if value, err := generate.Draw(s, d, tape); err == nil {
			again, err := generate.Draw(s, d, &generate.Replay{Answers: tape.Answers})
			if !instance.Equal(value, again) {
				fail("drew %s, then %s, %v", instance.Compact(value), instance.Compact(again), err)
			}
		}
		if took := time.Since(begin); took > 5*time.Second {
			fail("drawing three values took %s", took)
		}
		var wholes []any
		ids := map[string]bool{}
		const most = 300
		for c := range generate.Valid(s, d) {
			if id := idOf(c); ids[id] || compiled.Validate(c.Value) != nil {
				fail("%s: %s is not valid, or is not the first of that id", id, instance.Compact(c.Value))
			} else if ids[id] = true; c.Path == nil || c.Kind == "branch" || c.Kind == "null" {
				wholes = append(wholes, c.Value)
			}
			if c.HasTwin && !sameBut(c.Value, c.Twin, c.Path) {
				fail("%s: %s differs from %s elsewhere", idOf(c), instance.Compact(c.Value), instance.Compact(c.Twin))
			}
			if len(ids) == most {
				break
			}
		}
		ids = map[string]bool{}
		for c := range generate.Invalid(s, d) {
			id := idOf(c)
			switch {
			case ids[id]:
				fail("%s: two cases", id)
			case compiled.Validate(c.Value) == nil:
				fail("%s: %s is valid", id, instance.Compact(c.Value))
			case !sameBut(c.Value, c.Twin, c.Path):
				fail("%s: %s differs from %s elsewhere", id, instance.Compact(c.Value), instance.Compact(c.Twin))
			case len(wholes) < most/2 && !slices.ContainsFunc(wholes, func(whole any) bool { return instance.Equal(whole, c.Twin) }):
				fail("%s: the twin %s is no valid case", id, instance.Compact(c.Twin))
			}
			if ids[id] = true; len(ids) == most {
				break
			}
		}
	}
}

func idOf(c generate.Case) string {
	return strings.ToLower(c.Kind + instance.Pointer(c.Path) + " " + c.Variant)
}

// sameBut reports whether two values differ at that path and nowhere else.
func sameBut(a, b any, path []string) bool {
	if len(path) == 0 {
		return !instance.Equal(a, b)
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for name := range a {
			if inner, there := b[name]; name != path[0] && (!there || !instance.Equal(a[name], inner)) {
				return false
			}
		}
		for name := range b {
			if _, there := a[name]; name != path[0] && !there {
				return false
			}
		}
		mine, hasMine := a[path[0]]
		other, hasOther := b[path[0]]
		return len(path) == 1 && hasMine != hasOther || hasMine && hasOther && sameBut(mine, other, path[1:])
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if same := instance.Equal(a[i], b[i]); same == (fmt.Sprint(i) == path[0]) || !same && !sameBut(a[i], b[i], path[1:]) {
				return false
			}
		}
		return true
	}
	return false
}

// FuzzSchema: with any text, the generator does not panic and ends in time, and its cases are valid
// or invalid as they say.
func FuzzSchema(f *testing.F) {
	for _, text := range []string{
		`{"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": "^a{2,}$"}}}`,
		`{"oneOf": [{"$ref": "#/components/schemas/T"}, {"type": "integer", "multipleOf": 0.1}]}`,
		`{"type": "array", "minItems": 100000, "items": {"type": "array", "minItems": 100000}}`,
		`{"type": "number", "minimum": 1e300, "exclusiveMaximum": 1e-300}`,
		`{"type": "string", "minLength": 1000000000, "pattern": "(((a{1000}){1000}){1000})"}`,
		`{"allOf": [{"anyOf": [{"anyOf": [true, false]}, {"not": {}}]}], "if": true, "then": {"$dynamicRef": "#T"}}`,
		`{"minProperties": 50, "propertyNames": {"enum": ["a", 1]}, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"required": ["c"]}}}`,
		`{"discriminator": {"propertyName": "a", "mapping": {"x": 1}}, "example": {"a": [[]]}, "examples": 3}`,
	} {
		f.Add("3.1.0", []byte(text))
		f.Add("3.0.3", []byte(text))
	}
	f.Fuzz(func(t *testing.T, version string, text []byte) {
		root, err := document.Parse("x.json", slices.Concat([]byte(fmt.Sprintf(`{"openapi": %q, "components": {"schemas": {"T": `, version)), text, []byte(`}}}`)))
		if err != nil {
			t.Skip()
		}
		checkCases(t, root, t.Errorf)
	})
}
