package suites_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/verdict"
)

// pairsOfForms are files that writeForms writes and that have the same meaning.
var pairsOfForms = [][2]string{{"3.1.yaml", "3.1.json"}, {"3.0.yaml", "3.0.json"}, {"3.1.yaml", "split/openapi.yaml"}, {"3.1.yaml", "3.0.yaml"}}

// TestFormsGiveTheSameFixtures: the form of a document does not change the derived fixtures.
func TestFormsGiveTheSameFixtures(t *testing.T) {
	needsLong(t, "loads a document in each form")
	const few, least = 120, 200 // of each operation, of all
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
	older := made(t, func(m *document.Member) []*document.Member {
		var members []*document.Member
		for _, one := range sayable(m) {
			members = append(members, asIn30(one)...)
		}
		return members
	})
	forms := map[string][]byte{
		"3.1.yaml": asYAML(newer), "3.1.json": newer.JSON(),
		"3.0.yaml": asYAML(older), "3.0.json": older.JSON(),
	}
	for name, part := range split(t, newer) {
		forms["split/"+name] = asYAML(part)
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
func made(t *testing.T, change func(m *document.Member) []*document.Member) *document.Node {
	t.Helper()
	const file = "internal/services/books/openapi.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := document.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return walked(root, change)
}

// walked returns a copy of a value in which all members are changed, the innermost first.
func walked(n *document.Node, change func(m *document.Member) []*document.Member) *document.Node {
	changed := document.Node{Kind: n.Kind, Literal: n.Literal}
	for _, item := range n.Items {
		changed.Items = append(changed.Items, walked(item, change))
	}
	for _, m := range n.Members {
		changed.Members = append(changed.Members, change(member(m.Key, walked(m.Value, change)))...)
	}
	return &changed
}

func member(key string, value *document.Node) *document.Member {
	return &document.Member{Key: key, Value: value}
}

func text(value string) *document.Node { return &document.Node{Kind: document.String, Literal: value} }

// sayable removes what OpenAPI 3.0 cannot express.
func sayable(m *document.Member) []*document.Member {
	switch m.Key {
	case "const":
		return []*document.Member{member("type", text("string")), member("enum", &document.Node{Kind: document.Array, Items: []*document.Node{m.Value}})}
	case "dependentRequired":
		return nil
	}
	return []*document.Member{m}
}

// asIn30 rewrites a member for OpenAPI 3.0.
func asIn30(m *document.Member) []*document.Member {
	yes := &document.Node{Kind: document.Bool, Literal: "true"}
	switch m.Key {
	case "openapi":
		return []*document.Member{member(m.Key, text("3.0.3"))}
	case "identifier":
		return nil
	case "info":
		m.Value.Members = slices.DeleteFunc(m.Value.Members, func(inner *document.Member) bool { return inner.Key == "summary" })
	case "type":
		if m.Value.Kind == document.Array {
			return []*document.Member{member(m.Key, m.Value.Items[0]), member("nullable", yes)}
		}
	case "exclusiveMinimum", "exclusiveMaximum":
		return []*document.Member{member(strings.ToLower(strings.TrimPrefix(m.Key, "exclusive")), m.Value), member(m.Key, yes)}
	}
	return []*document.Member{m}
}

// split moves the paths and the schemas to separate files.
func split(t *testing.T, root *document.Node) map[string]*document.Node {
	t.Helper()
	referring := func(schemas, rest string) func(m *document.Member) []*document.Member {
		return func(m *document.Member) []*document.Member {
			target := m.Value.Text()
			if name, ok := strings.CutPrefix(target, "#/components/schemas/"); ok {
				m.Value = text(schemas + name)
			} else if strings.HasPrefix(target, "#/components/") {
				m.Value = text(rest + target)
			}
			return []*document.Member{m}
		}
	}
	top := walked(root, referring("schemas.yaml#/", ""))
	paths, schemas := root.Get("paths"), root.At("/components/schemas")
	if paths == nil || schemas == nil {
		t.Fatal("the document has no paths or no schemas")
	}
	for _, path := range top.Get("paths").Members {
		path.Value = &document.Node{Kind: document.Object, Members: []*document.Member{member("$ref", text("paths.yaml#/"+strings.ReplaceAll(path.Key, "/", "~1")))}}
	}
	components := top.Get("components")
	components.Members = slices.DeleteFunc(components.Members, func(m *document.Member) bool { return m.Key == "schemas" })
	return map[string]*document.Node{
		"openapi.yaml": top,
		"paths.yaml":   walked(paths, referring("schemas.yaml#/", "openapi.yaml")),
		"schemas.yaml": walked(schemas, referring("#/", "")),
	}
}

// asYAML writes each member on a line of its own.
func asYAML(n *document.Node) []byte {
	return []byte(fixtures.YAML(n, "", func(string) bool { return true }))
}
