package suites_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/verdict"
)

// pairsOfForms are files that writeForms writes and that have the same meaning.
var pairsOfForms = [][2]string{{"3.1.yaml", "3.1.json"}, {"3.0.yaml", "3.0.json"}, {"3.1.yaml", "split/openapi.yaml"}, {"3.1.yaml", "3.0.yaml"}}

// TestFormsGiveTheSameFixtures: the form of a document does not change the derived fixtures.
func TestFormsGiveTheSameFixtures(t *testing.T) {
	few, least := sampled(10, 60), sampled(50, 200) // of each operation, of all
	folder := writeForms(t)
	derived := func(file string) (lines []string) {
		c := loadForm(t, folder, file)
		var texts []fixtures.Text
		s := derive.New(c, false)
		for _, op := range c.Operations {
			more, gaps := s.Operation(op, few)
			texts = append(texts, more...)
			for _, gap := range gaps {
				lines = append(lines, "gap "+gap.Operation+": "+gap.Reason)
			}
		}
		_, unproven, err := fixtures.LoadDerived(c, texts)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range unproven {
			lines = append(lines, "unproven "+u.ID)
		}
		for _, text := range texts {
			lines = append(lines, text.ID+"\n"+string(text.Data))
		}
		slices.Sort(lines)
		return lines
	}
	all := map[string][]string{}
	for _, pair := range pairsOfForms {
		for _, file := range pair {
			if all[file] == nil {
				all[file] = derived(file)
			}
		}
		one, other := all[pair[0]], all[pair[1]]
		if len(one) < least {
			t.Errorf("%s gives %d fixtures", pair[0], len(one))
		}
		if diff := cmp.Diff(one, other); diff != "" {
			t.Errorf("%v differ: %s", pair, diff)
		}
	}
}

// TestFormsGiveOneVerdict: the form of a document does not change the verdict.
func TestFormsGiveOneVerdict(t *testing.T) {
	needsLong(t, "derives fixtures from five documents")
	folder := writeForms(t)
	s := books.Service()
	i := slices.IndexFunc(s.Deviations, func(d services.Deviation) bool { return d.Name == "title-short-refused" })
	for _, o := range []services.Options{{}, {Deviation: s.Deviations[i]}} {
		statuses := func(file string) map[string]verdict.ClauseStatus {
			c := suites.NewConfig()
			c.Contract = loadForm(t, folder, file)
			c.Seed, c.Limits.MaxRequests, c.Limits.Concurrency = 1, 600, 1 // otherwise what a list shows depends on concurrent requests
			r := derivedRun(t, c, s, o)
			clauses := map[string]verdict.ClauseStatus{"verdict: " + string(r.Verdict): ""}
			for _, clause := range r.Clauses {
				clauses[string(clause.ID)] = clause.Status
			}
			return clauses
		}
		for _, pair := range pairsOfForms {
			if diff := cmp.Diff(statuses(pair[0]), statuses(pair[1])); diff != "" {
				t.Errorf("%v differ: %s", pair, diff)
			}
		}
	}
}

func loadForm(t *testing.T, folder, file string) *spec.Contract {
	t.Helper()
	c, err := spec.LoadFile(t.Context(), filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// writeForms writes the document of books in several forms to a folder. They have the meaning of
// openapi.yaml, except for what OpenAPI 3.0 cannot express.
func writeForms(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	newer := made(t, sayable)
	older := made(t, func(member yaml.MapItem) []yaml.MapItem {
		var members []yaml.MapItem
		for _, m := range sayable(member) {
			members = append(members, asIn30(m)...)
		}
		return members
	})
	forms := map[string][]byte{
		"3.1.yaml": asYAML(t, newer), "3.1.json": asJSON(t, newer),
		"3.0.yaml": asYAML(t, older), "3.0.json": asJSON(t, older),
	}
	for name, part := range split(t, newer) {
		forms["split/"+name] = asYAML(t, part)
	}
	if err := os.Mkdir(filepath.Join(folder, "split"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range forms {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// made returns the document with its members changed.
func made(t *testing.T, change func(member yaml.MapItem) []yaml.MapItem) yaml.MapSlice {
	t.Helper()
	text, err := os.ReadFile("internal/services/books/openapi.yaml")
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

// sayable removes what OpenAPI 3.0 cannot express.
func sayable(member yaml.MapItem) []yaml.MapItem {
	switch member.Key {
	case "const":
		return []yaml.MapItem{{Key: "type", Value: "string"}, {Key: "enum", Value: []any{member.Value}}}
	case "dependentRequired":
		return nil
	}
	return []yaml.MapItem{member}
}

// asIn30 rewrites a member for OpenAPI 3.0.
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

// split moves the paths and the schemas to separate files.
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
	return line
}
