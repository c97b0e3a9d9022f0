package services_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/plantstore/conformance/suites/internal/scenes"
)

// TestForms checks the forms of the document of books in its testdata. They mean the same as
// openapi.yaml, except for what OpenAPI 3.0 cannot say. UPDATE_GOLDEN=1 rewrites them.
func TestForms(t *testing.T) {
	t.Chdir("books")
	want := map[string][]byte{}
	newer := made(t, sayable)
	older := made(t, func(member yaml.MapItem) []yaml.MapItem {
		var members []yaml.MapItem
		for _, m := range sayable(member) {
			members = append(members, asIn30(m)...)
		}
		return members
	})
	want["3.1.yaml"], want["3.1.json"] = asYAML(t, newer), asJSON(t, newer)
	want["3.0.yaml"], want["3.0.json"] = asYAML(t, older), asJSON(t, older)
	for name, part := range split(t, newer) {
		want["split/"+name] = asYAML(t, part)
	}
	for name, content := range want {
		scenes.Golden(t, name, content)
	}
}

// made is the document with its members changed.
func made(t *testing.T, change func(member yaml.MapItem) []yaml.MapItem) yaml.MapSlice {
	t.Helper()
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &document, yaml.UseOrderedMap()); err != nil {
		t.Fatal(err)
	}
	whole, _ := walked(document, change).(yaml.MapSlice)
	return whole
}

// walked changes all members of a value, the innermost first.
func walked(value any, change func(member yaml.MapItem) []yaml.MapItem) any {
	switch v := value.(type) {
	case yaml.MapSlice:
		changed := yaml.MapSlice{}
		for _, member := range v {
			changed = append(changed, change(yaml.MapItem{Key: member.Key, Value: walked(member.Value, change)})...)
		}
		return changed
	case []any:
		changed := make([]any, len(v))
		for i := range v {
			changed[i] = walked(v[i], change)
		}
		return changed
	}
	return value
}

// sayable leaves out what OpenAPI 3.0 cannot say.
func sayable(member yaml.MapItem) []yaml.MapItem {
	switch member.Key {
	case "const":
		return []yaml.MapItem{{Key: "type", Value: "string"}, {Key: "enum", Value: []any{member.Value}}}
	case "dependentRequired":
		return nil
	}
	return []yaml.MapItem{member}
}

// asIn30 says a member as OpenAPI 3.0 does.
func asIn30(member yaml.MapItem) []yaml.MapItem {
	switch key, _ := member.Key.(string); key {
	case "openapi":
		member.Value = "3.0.3"
	case "identifier":
		return nil
	case "info":
		info, _ := member.Value.(yaml.MapSlice)
		member.Value = slices.DeleteFunc(slices.Clone(info), func(m yaml.MapItem) bool { return m.Key == "summary" })
	case "type":
		if types, ok := member.Value.([]any); ok {
			return []yaml.MapItem{{Key: "type", Value: types[0]}, {Key: "nullable", Value: true}}
		}
	case "exclusiveMinimum", "exclusiveMaximum":
		return []yaml.MapItem{{Key: strings.ToLower(strings.TrimPrefix(key, "exclusive")), Value: member.Value}, {Key: key, Value: true}}
	}
	return []yaml.MapItem{member}
}

// split moves the paths and the schemas to files of their own.
func split(t *testing.T, document yaml.MapSlice) map[string]yaml.MapSlice {
	t.Helper()
	referring := func(schemas, rest string) func(member yaml.MapItem) []yaml.MapItem {
		return func(member yaml.MapItem) []yaml.MapItem {
			if target, ok := member.Value.(string); ok && strings.HasPrefix(target, "#/components/schemas/") {
				member.Value = schemas + strings.TrimPrefix(target, "#/components/schemas/")
			} else if ok && strings.HasPrefix(target, "#/components/") {
				member.Value = rest + target
			}
			return []yaml.MapItem{member}
		}
	}
	take := func(from yaml.MapSlice, name string) (yaml.MapSlice, yaml.MapSlice) {
		i := slices.IndexFunc(from, func(m yaml.MapItem) bool { return m.Key == name })
		taken, ok := from[i].Value.(yaml.MapSlice)
		if !ok {
			t.Fatalf("%s is not an object", name)
		}
		return taken, slices.Delete(slices.Clone(from), i, i+1)
	}
	paths, root := take(document, "paths")
	components, root := take(root, "components")
	schemas, components := take(components, "schemas")
	links := yaml.MapSlice{}
	for _, path := range paths {
		name, _ := path.Key.(string)
		links = append(links, yaml.MapItem{Key: name, Value: yaml.MapSlice{{Key: "$ref", Value: "paths.yaml#/" + strings.ReplaceAll(name, "/", "~1")}}})
	}
	root = append(root, yaml.MapItem{Key: "paths", Value: links}, yaml.MapItem{Key: "components", Value: components})
	parts := map[string]yaml.MapSlice{}
	for name, part := range map[string]any{
		"openapi.yaml": walked(root, referring("schemas.yaml#/", "")),
		"paths.yaml":   walked(paths, referring("schemas.yaml#/", "openapi.yaml")),
		"schemas.yaml": walked(schemas, referring("#/", "")),
	} {
		parts[name], _ = part.(yaml.MapSlice)
	}
	return parts
}

func asYAML(t *testing.T, document yaml.MapSlice) []byte {
	t.Helper()
	text, err := yaml.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func asJSON(t *testing.T, document yaml.MapSlice) []byte {
	t.Helper()
	line, err := yaml.MarshalWithOptions(document, yaml.JSON())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, line, "", "  "); err != nil {
		t.Fatalf("%v\n%s", err, line)
	}
	return text.Bytes()
}
